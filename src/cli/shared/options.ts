/** Converts the descriptions of options (`options/`) to commander's, and commander's results to the options' values. */
import { type Command, Option as CommanderOption, InvalidArgumentError } from 'commander';
import { COMPILE } from '../../options/compile.ts';
import { type Described, type Option, OptionError, valuesOf } from '../../options/option.ts';
import { RECORDING, unwritable } from './unwritable.ts';

/** What commander has read, under its own names. */
export type Flags = Readonly<Record<string, unknown>>;

/** The heading, in the help, of the few options that most users need. */
const COMMON = 'Most used:';
/** Those of the other groups. */
export const SEARCH_GROUP = 'What is asked, and how it is searched:';
export const OUTPUT_GROUP = 'Where results go:';

/** Adds options to a command; `heading` is that of their group in its help. */
export function addOptions<T>(command: Command, options: Described<T>, heading = 'Options:'): Command {
  for (const option of Object.values<Option<unknown>>(options)) {
    const group = option.isCommon === true ? COMMON : heading;
    command.addOption(commanderOption(option, command).helpGroup(group));
    if (option.off !== undefined)
      command.addOption(new CommanderOption(option.off.flags, option.off.help).helpGroup(group));
  }
  return command;
}

function commanderOption(described: Option<unknown>, command: Command): CommanderOption {
  const { flags, help, initial, shown, given, parse, isList, addsUp } = described;
  const option = new CommanderOption(flags, help);
  if (isList === true) option.argParser((text: string, previous: readonly string[]) => [...previous, text]);
  else if (addsUp === true && parse !== undefined) {
    // Before the first one, `previous` is the default.
    const before = (previous: unknown): readonly unknown[] =>
      command.getOptionValueSource(option.attributeName()) === 'cli' ? (previous as readonly unknown[]) : [];
    option.argParser((text: string, previous: unknown) => parsed(parse, [...before(previous), text].join(',')));
  } else if (parse !== undefined) option.argParser((text) => parsed(parse, text));
  const isValue = given === undefined || shown !== undefined;
  return isValue && initial !== undefined ? option.default(initial, shown) : option;
}

function parsed(parse: (text: string) => unknown, text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    throw error instanceof OptionError ? new InvalidArgumentError(error.message) : error;
  }
}

/** The values of these options, under the names used everywhere but on the command line. */
export function readOptions<T>(flags: Flags, options: Described<T>): T {
  return valuesOf(options, (option) => {
    const { negate, name } = spellingOf(option);
    const known = flags[name];
    if (option.given === undefined || known === undefined) return known;
    if (option.off !== undefined && known === false) return false;
    return (known === true) !== negate ? option.given : option.initial;
  });
}

function spellingOf({ flags, help }: Option<unknown>): { readonly negate: boolean; readonly name: string } {
  const option = new CommanderOption(flags, help);
  return { negate: option.negate, name: option.attributeName() };
}

/** What identifies a run: its flags, except those that only say where results go. */
export function questionOf<T>(flags: Flags, options: Described<T>): Flags {
  const known = Object.values<Option<unknown>>(options);
  const spelled = (isMeant: (option: Option<unknown>) => boolean): ReadonlySet<string> =>
    new Set(known.filter(isMeant).map((option) => spellingOf(option).name));
  const ofOutput = spelled(({ isOfOutput }) => isOfOutput === true);
  const optional = spelled(({ isAbsentIfEmpty }) => isAbsentIfEmpty === true);
  const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0;
  const isPart = ([name, value]: [string, unknown]): boolean =>
    !ofOutput.has(name) && !(optional.has(name) && isEmpty(value));
  return Object.fromEntries(Object.entries(flags).filter(isPart));
}

/** Options for compiling. Of `-D` and `-U` for the same macro, the last one wins, as with clang. */
export function addCompileOptions(command: Command): Command {
  const nameOf = (define: string): string => /^[^=(]*/.exec(define)![0];
  const keep = (option: string, isKept: (text: string) => boolean): void => {
    const texts: readonly string[] = command.getOptionValue(option);
    command.setOptionValueWithSource(option, texts.filter(isKept), command.getOptionValueSource(option) ?? 'default');
  };
  return addOptions(command, COMPILE, 'How the program is compiled and started:')
    .on('option:define', (define: string) => keep('undefine', (name) => name !== nameOf(define)))
    .on('option:undefine', (name: string) => keep('define', (define) => nameOf(define) !== name));
}

/** The first given option that is only for C programs, as spelled on the command line. */
export function givenCompileOption(command: Command): string | undefined {
  const given = Object.values<Option<unknown>>(COMPILE).find(
    (option) => command.getOptionValueSource(spellingOf(option).name) === 'cli',
  );
  if (given === undefined) return undefined;
  const isOff = given.off !== undefined && command.getOptionValue(spellingOf(given).name) === false;
  return longFlagOf(isOff ? given.off : given);
}

/** `--model` of `-m, --model <list>`. */
export function longFlagOf({ flags }: { readonly flags: string }): string {
  return /--[\w-]+/.exec(flags)![0];
}

/** Whether the models were requested by name. If not, the default models adapt to the other options. */
export function namesModels(command: Command): boolean {
  return command.getOptionValueSource('model') === 'cli';
}

/** What is wrong with this combination of valid options; `undefined` if nothing is. */
export function optionProblem<T>(command: Command, options: Described<T>, strategy: string): string | undefined {
  const recorded: unknown = command.getOptionValue('record');
  const unrecorded = typeof recorded === 'string' ? unwritable(recorded, command.args, RECORDING) : undefined;
  if (unrecorded !== undefined) return unrecorded;
  if (recorded !== undefined && recorded === command.getOptionValue('html'))
    return `--record and --html both name ${recorded}`;
  for (const option of Object.values<Option<unknown>>(options)) {
    const { onlyFor } = option;
    const isGiven = command.getOptionValueSource(spellingOf(option).name) === 'cli';
    if (onlyFor !== undefined && isGiven && strategy !== onlyFor)
      return `${longFlagOf(option)} is for strategy ${onlyFor}, not for ${strategy}; add --strategy ${onlyFor}`;
  }
  return undefined;
}
