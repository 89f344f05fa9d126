/** The options that a report keeps for replay: written, checked and read back. */
import { COMPILE, type CompileChoices, findsUninitialised } from './compile.ts';
import type { KeptCompile } from './kept-compile.ts';
import { type Described, type Keeps, namesOf, type Option, OptionError, valuesOf } from './option.ts';

/** The form in a report: flags are `true` or absent, and options without a value are absent. */
type Kept<T> = Omit<T, FlagsOf<T>> & { readonly [K in FlagsOf<T>]?: true };
type FlagsOf<T> = { [K in keyof T]-?: Exclude<T[K], undefined> extends boolean ? K : never }[keyof T];

const isKept = (option: Option<unknown>): boolean => option.isKept === true;

/** The part of `values` that is kept. */
export function keep<T, K extends keyof T & string>(options: Described<T> & Keeps<K>, values: T): Kept<Pick<T, K>> {
  const kept: Record<string, unknown> = {};
  for (const name of namesOf<T>(options, isKept)) {
    const { given, isAbsentIfEmpty }: Option<unknown> = options[name as K];
    const known = values[name as K];
    const isAbsent = isAbsentIfEmpty === true && Array.isArray(known) && known.length === 0;
    if (given === undefined && known !== undefined && !isAbsent) kept[name] = known;
    if (given !== undefined && known === given) kept[name] = true;
  }
  return kept as Kept<Pick<T, K>>;
}

export function keepCompile(choices: CompileChoices): KeptCompile {
  const values = { ...choices, uninitialised: findsUninitialised(choices) };
  const { spurious, ...kept } = keep<CompileChoices, keyof KeptCompile>(COMPILE, values);
  return spurious === undefined ? kept : { ...kept, spurious: true };
}

/**
 * How the program of a report was compiled; options that are not kept have their defaults. Fresh memory is treated as
 * it was then, even in reports from the time when it was zero by default.
 */
export function readCompile(kept: KeptCompile): CompileChoices {
  const values: Readonly<Record<string, unknown>> = { ...kept, uninitialised: kept.uninitialised === true };
  return valuesOf<CompileChoices>(COMPILE, (option, name) => {
    const known = isKept(option) ? values[name] : undefined;
    return known === true ? option.given : known;
  });
}

/** Whether these are kept options, whatever wrote them. */
export function isKeptCompile(kept: Readonly<Record<string, unknown>>): boolean {
  return Object.entries<Option<unknown>>(COMPILE).every(
    ([name, option]) => option.isKept !== true || isKeptValue(option, kept[name]),
  );
}

function isKeptValue({ given, isList, isAbsentIfEmpty, initial, parse }: Option<unknown>, known: unknown): boolean {
  if (isAbsentIfEmpty === true && known === undefined) return true;
  if (given !== undefined) return known === undefined || known === true;
  if (isList === true) return Array.isArray(known) && known.every((item) => typeof item === 'string');
  if (typeof known !== 'string') return initial === undefined && known === undefined;
  try {
    parse?.(known);
    return true;
  } catch (error) {
    if (error instanceof OptionError) return false;
    throw error;
  }
}
