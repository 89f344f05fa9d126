/** Options of the API: those of the command line, under the names of `options/`, checked by the same parsers. */
import { type Described, type Option, OptionError, valuesOf } from '../options/option.ts';
import { UsageError } from './errors.ts';

/** How to follow long work, and how to end it. */
export interface WorkOptions {
  /** Ends the search early: the report is then inconclusive. */
  readonly signal?: AbortSignal;
  /** Called now and then with what the search has done so far. */
  readonly onProgress?: (progress: Progress) => void;
}

export interface Progress {
  readonly command: string;
  /** The memory model, if one is being explored. */
  readonly model?: string;
  readonly executions?: number;
  /** The progress in words. */
  readonly text: string;
}

const OF_WORK: ReadonlySet<string> = new Set<keyof WorkOptions>(['signal', 'onProgress']);

/** The value of each option: the given one or its default. Throws a `UsageError`. */
export function readApiOptions<T>(given: object, options: Described<T>): T {
  if (typeof given !== 'object' || given === null) throw new UsageError('expected an object of options');
  const known = new Map(Object.entries<unknown>(given as Record<string, unknown>));
  const signal = known.get('signal');
  if (signal !== undefined && !(signal instanceof AbortSignal)) throw new UsageError('signal: expected an AbortSignal');
  const { onProgress } = given as WorkOptions;
  if (onProgress !== undefined && typeof onProgress !== 'function')
    throw new UsageError('onProgress: expected a function');
  for (const name of known.keys()) {
    if (!(name in options) && !OF_WORK.has(name)) {
      const names = Object.keys(options).sort();
      const meant = names.find((other) => other === `${name}s` || other.toLowerCase() === name.toLowerCase());
      const hint = meant === undefined ? '' : ` (did you mean "${meant}"?)`;
      throw new UsageError(`unknown option "${name}"${hint}; expected one of ${names.join(', ')}`);
    }
  }
  return valuesOf<T>(options, (option, name) => {
    const asked = known.get(name);
    return asked === undefined ? undefined : checked(option, name, asked);
  });
}

/** Whether the caller chose a value for this option. */
export function isGiven(given: object, name: string): boolean {
  return (given as Record<string, unknown>)[name] !== undefined;
}

function checked({ parse, isList, given, initial, off }: Option<unknown>, name: string, asked: unknown): unknown {
  if (off !== undefined && asked === false) return false;
  if (isList === true) {
    if (Array.isArray(asked) && asked.every((item) => typeof item === 'string')) return asked;
    throw new UsageError(`${name}: expected a list of texts`);
  }
  if (given !== undefined) {
    if (asked === given || asked === initial) return asked;
    if (typeof asked === 'boolean') return asked ? given : initial;
    throw new UsageError(`${name}: expected true or false`);
  }
  const text = Array.isArray(asked) ? asked.join(',') : asked;
  if (typeof text !== 'string' && typeof text !== 'number')
    throw new UsageError(`${name}: expected a text or a number`);
  if (parse === undefined) return text;
  try {
    return parse(String(text));
  } catch (error) {
    throw error instanceof OptionError ? new UsageError(`${name}: ${error.message}`) : error;
  }
}
