/**
 * options/: all options of all commands, each described once: name, spelling, parser, default and help. The command
 * line, the option types of the pipelines, the inputs that reports keep, `replay` and `serve` use these descriptions.
 */
import type { CommandChoices } from './command-choices.ts';

/** One option whose value is a `T`. */
export interface Option<T> {
  /** As the command line spells it: `-m, --model <list>`. */
  readonly flags: string;
  readonly help: string;
  /** The value without the option; `undefined` if there is none. */
  readonly initial: T | undefined;
  /** How the help shows the default, if not as the value itself. */
  readonly shown?: string;
  /** For options without an argument: the value if the option is given. */
  readonly given?: T;
  /** Parses the argument; throws an `OptionError`. */
  readonly parse?: (text: string) => T;
  /** May be given several times: `T` is a list of texts. */
  readonly isList?: true;
  /** May be given several times: `T` is a list, and each argument adds to it. */
  readonly addsUp?: true;
  /** Another spelling that turns the option off: the value is then `false`. */
  readonly off?: { readonly flags: string; readonly help: string };
  /**
   * The option affects only where results go or how they are computed: runs that differ only in it are the same run.
   */
  readonly isOfOutput?: true;
  /** One of the few that most users need: shown first in the help. */
  readonly isCommon?: true;
  /** Whether reports keep the value, for readers and for `replay`. */
  readonly isKept?: boolean;
  /** A list that reports leave out if it is empty. */
  readonly isAbsentIfEmpty?: true;
  /** The only search strategy that reads the option. */
  readonly onlyFor?: string;
  /** The option makes sense for one program only, not for a suite. */
  readonly isOfOneProgram?: true;
  /** The command has the option, the API and the programs of a suite do not. */
  readonly isOfCommand?: true;
  /** A resumed search takes the value from the new command line, not from the saved search. */
  readonly isGivenAnew?: true;
}

/** One description for each field of `T`. Their order is the order of the help. */
export type Described<T> = {
  readonly [K in keyof T]-?: Option<Exclude<T[K], undefined>> &
    (K extends keyof CommandChoices ? { readonly isOfCommand: true } : unknown);
};

/** The options with these names are kept in reports. */
export type Keeps<Names extends string> = { readonly [K in Names]: { readonly isKept: true } };

/** An argument that an option does not accept; the message says what was expected. */
export class OptionError extends Error {
  override readonly name = 'OptionError';
}

export function value<T>(flags: string, help: string, parse: (text: string) => T, initial?: T): Option<T> {
  return { flags, help, parse, initial };
}

export function text(flags: string, help: string, initial?: string): Option<string> {
  return value(flags, help, (argument) => argument, initial);
}

/** An option without an argument. */
export function flag(flags: string, help: string): Option<boolean> {
  return { flags, help, initial: false, given: true };
}

/** `--no-…`: on unless given. */
export function negation(flags: string, help: string): Option<boolean> {
  return { flags, help, initial: true, given: false };
}

/** May be given several times. */
export function list(flags: string, help: string): Option<readonly string[]> {
  return { flags, help: `${help} (repeatable)`, initial: [], shown: 'none', isList: true };
}

export function ofCommand<T>(option: Option<T>): Option<T> & { readonly isOfCommand: true } {
  return { ...option, isOfCommand: true };
}

export function common<T extends Option<unknown>>(option: T): T & { readonly isCommon: true } {
  return { ...option, isCommon: true };
}

export function kept<T>(option: Option<T>): Option<T> & { readonly isKept: true } {
  return { ...option, isKept: true };
}

export function notKept<T>(option: Option<T>): Option<T> & { readonly isKept: false } {
  return { ...option, isKept: false };
}

/** The options that the API has, too. */
export function forApi<T>(options: Described<T>): Described<Omit<T, keyof CommandChoices>> {
  const known = Object.entries<Option<unknown>>(options).filter(([, { isOfCommand }]) => isOfCommand !== true);
  return Object.fromEntries(known) as Described<Omit<T, keyof CommandChoices>>;
}

/** The names of the options that `isMeant` accepts. */
export function namesOf<T>(options: Described<T>, isMeant: (option: Option<unknown>) => boolean): readonly string[] {
  return Object.entries<Option<unknown>>(options).flatMap(([name, option]) => (isMeant(option) ? [name] : []));
}

export function absentIfEmpty<T>(option: Option<readonly T[]>): Option<readonly T[]> {
  return { ...option, isAbsentIfEmpty: true };
}

/** The default values; fields without a default are absent. */
export function defaultsOf<T>(options: Described<T>): T {
  return valuesOf(options, () => undefined);
}

/** One value per option: the result of `read`, else its default. */
export function valuesOf<T>(options: Described<T>, read: (option: Option<unknown>, name: string) => unknown): T {
  const entries = Object.entries<Option<unknown>>(options)
    .map(([name, option]) => [name, read(option, name) ?? option.initial])
    .filter(([, known]) => known !== undefined);
  return Object.fromEntries(entries) as T;
}
