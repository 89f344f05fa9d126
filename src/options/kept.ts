/** The options that a report keeps for replay: written, checked and read back. */
import { COMPILE, type CompileChoices, findsUninitialised } from './compile.ts';
import type { KeptCompile } from './kept-compile.ts';
import { type Described, type Option, OptionError, valuesOf } from './option.ts';

/** In the order of the document. */
const KEPT_COMPILE: readonly (keyof KeptCompile)[] = [
  'entry',
  'arguments',
  'defines',
  'undefines',
  'includePaths',
  'includes',
  'standard',
  'quotePaths',
  'systemPaths',
  'afterPaths',
  'languageFlags',
  'target',
  'buildPath',
  'optimise',
  'spurious',
  'junk',
  'uninitialised',
  'stubs',
  'nondet',
  'manyThreads',
  'stdin',
];

/** Lists that are absent if empty. */
export const OPTIONAL_LISTS: ReadonlySet<string> = new Set([
  'quotePaths',
  'systemPaths',
  'afterPaths',
  'languageFlags',
  'stubs',
]);

/** The form in a report: flags are `true` or absent, and options without a value are absent. */
type Kept<T> = Omit<T, FlagsOf<T>> & { readonly [K in FlagsOf<T>]?: true };
type FlagsOf<T> = { [K in keyof T]-?: Exclude<T[K], undefined> extends boolean ? K : never }[keyof T];

/** The part of `values` that is kept, under these names. */
export function keep<T, K extends keyof T & string>(
  options: Described<T>,
  values: T,
  names: readonly K[],
): Kept<Pick<T, K>> {
  const kept: Record<string, unknown> = {};
  for (const name of names) {
    const { given }: Option<unknown> = options[name];
    const known = values[name];
    const isAbsent = OPTIONAL_LISTS.has(name) && Array.isArray(known) && known.length === 0;
    if (given === undefined && known !== undefined && !isAbsent) kept[name] = known;
    if (given !== undefined && known === given) kept[name] = true;
  }
  return kept as Kept<Pick<T, K>>;
}

export function keepCompile(choices: CompileChoices): KeptCompile {
  const values = { ...choices, uninitialised: findsUninitialised(choices) };
  const { spurious: _, ...kept } = keep<CompileChoices, keyof KeptCompile>(COMPILE, values, KEPT_COMPILE);
  return values.spurious === COMPILE.spurious.given ? { ...kept, spurious: true } : kept;
}

/**
 * How the program of a report was compiled; options that are not kept have their defaults. Fresh memory is treated as
 * it was then, even in reports from the time when it was zero by default.
 */
export function readCompile(kept: KeptCompile): CompileChoices {
  const known = new Map<string, unknown>(KEPT_COMPILE.map((name) => [name, kept[name]]));
  known.set('uninitialised', kept.uninitialised === true);
  return valuesOf<CompileChoices>(COMPILE, ({ given }, name) => (known.get(name) === true ? given : known.get(name)));
}

/** Whether these are kept options, whatever wrote them. */
export function isKeptCompile(kept: Readonly<Record<string, unknown>>): boolean {
  return KEPT_COMPILE.every(
    (name) => (OPTIONAL_LISTS.has(name) && kept[name] === undefined) || isKeptValue(COMPILE[name], kept[name]),
  );
}

function isKeptValue({ given, isList, initial, parse }: Option<unknown>, known: unknown): boolean {
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
