/** Readers for option values; each says what it expected. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { MODELS } from '../machine/memory/index.ts';
import type { Model } from '../machine/memory/memory.ts';
import { type ReadSource, writeHtml } from '../report/html.ts';
import type { AnyReport } from '../report/page-data.ts';
import { REPORTERS, type ReporterName } from '../report/reporters.ts';

function parseModels(text: string): readonly Model[] {
  const names = text.split(',').map((name) => name.trim().toLowerCase());
  const wrong = names.find((name) => !MODELS.includes(name as Model));
  if (wrong !== undefined)
    throw new InvalidArgumentError(`"${wrong}" is no memory model; there are ${MODELS.join(', ')}.`);
  return MODELS.filter((model) => names.includes(model));
}

export function parseCount(text: string): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(value) || value < 1) throw new InvalidArgumentError('Expected a whole number from 1 on.');
  return value;
}

export function parseNatural(text: string): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(value)) throw new InvalidArgumentError('Expected a whole number from 0 on.');
  return value;
}

export function parseSeconds(text: string): number {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (!(value > 0)) throw new InvalidArgumentError('Expected a number of seconds, such as 10 or 0.5.');
  return value;
}

export function parseOneOf<T extends string>(names: readonly T[]): (text: string) => T {
  return (text) => {
    const name = names.find((n) => n === text.toLowerCase());
    if (name === undefined) throw new InvalidArgumentError(`Expected one of ${names.join(', ')}.`);
    return name;
  };
}

/** What is wrong with options that are fine by themselves, or nothing. */
export function optionProblem(command: Command, strategy: string): string | undefined {
  if (command.getOptionValue('record') === '-') {
    return '--record needs the name of a file: the standard output is for the report';
  }
  if (command.getOptionValueSource('preemptions') === 'cli' && strategy !== 'bounded') {
    return `--preemptions is for strategy bounded, not for ${strategy}; add --strategy bounded`;
  }
  return undefined;
}

/** An option that may be given several times. */
export function repeatable(flags: string, description: string): Option {
  return new Option(flags, `${description} (repeatable)`)
    .argParser((text: string, previous: readonly string[]) => [...previous, text])
    .default([], 'none');
}

/** `-D` and `-U`: of those for one macro the last one holds, as with clang. */
export function addMacroOptions(command: Command): Command {
  const nameOf = (define: string): string => /^[^=(]*/.exec(define)![0];
  const keep = (option: string, isKept: (text: string) => boolean): void => {
    const texts: readonly string[] = command.getOptionValue(option);
    command.setOptionValueWithSource(option, texts.filter(isKept), command.getOptionValueSource(option) ?? 'default');
  };
  return command
    .addOption(repeatable('-D, --define <name[=value]>', 'define a macro'))
    .addOption(repeatable('-U, --undefine <name>', 'undefine a macro'))
    .on('option:define', (define: string) => keep('undefine', (name) => name !== nameOf(define)))
    .on('option:undefine', (name: string) => keep('define', (define) => nameOf(define) !== name));
}

export function listModels(description: string, models: readonly Model[]): Option {
  return new Option('-m, --model <list>', description).argParser(parseModels).default(models, models.join(','));
}

/** An option whose value is some of these, separated by commas. */
export function listOf<T extends string>(flags: string, description: string, names: readonly T[]): Option {
  return new Option(flags, `${description}: ${names.join(', ')}`).argParser((text: string): readonly T[] => {
    const words = text.split(',').map((word) => word.trim().toLowerCase());
    const wrong = words.find((word) => !names.includes(word as T));
    if (wrong !== undefined) throw new InvalidArgumentError(`"${wrong}" is none; there are ${names.join(', ')}.`);
    return names.filter((name) => words.includes(name));
  });
}

export function interpretOption(): Option {
  return new Option('--interpret', 'run everything by the interpreter, without generated code: the same, more slowly');
}

export function refuseOptimisation(): never {
  throw new InvalidArgumentError(
    'Programs are compiled without optimisation: an optimiser may delete or merge racy accesses, and the errors with them.',
  );
}

/** clang's long options with one dash, as people have them in their fingers: `-std=c11`, `-include x.h`. */
export function acceptClangSpelling(argv: readonly string[]): string[] {
  return argv.map((word) => word.replace(/^-(std(=.*)?|include)$/, '--$1'));
}

export function htmlOption(): Option {
  return new Option('--html <file>', 'also write a page to look at and step through in a browser');
}

/** Writes the page that was asked for, if one was; says so if it cannot be, and whether it could. */
export function writePage(file: string | undefined, report: AnyReport, read?: ReadSource): boolean {
  if (file === undefined) return true;
  try {
    writeHtml(file, report, read);
    return true;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    process.stderr.write(`fencepost: cannot write the page ${file}: ${code ?? message}\n`);
    return false;
  }
}

export interface ReporterFlags {
  readonly html?: string;
  readonly reporter?: ReporterName;
  readonly json?: boolean;
  readonly sarif?: boolean;
  readonly junit?: boolean;
}

/** `--json` and the like are short for `--reporter json`. */
export function addReporterOptions(command: Command): Command {
  return command
    .option('--reporter <name>', `how to write the results: ${REPORTERS.join(', ')}`, parseOneOf(REPORTERS))
    .option('--json', 'write one JSON document')
    .option('--sarif', 'write SARIF 2.1.0, for code hosts and editors')
    .option('--junit', 'write JUnit XML, for CI services')
    .addOption(htmlOption());
}

/** The one that was asked for, `text` if none was, or what is wrong with asking for several. */
export function chooseReporter(flags: ReporterFlags): { readonly name: ReporterName } | { readonly problem: string } {
  const asked = new Set<ReporterName>(flags.reporter === undefined ? [] : [flags.reporter]);
  for (const name of ['json', 'sarif', 'junit'] as const) if (flags[name] === true) asked.add(name);
  const [name = 'text', ...others] = asked;
  return others.length === 0 ? { name } : { problem: `one reporter at a time, not ${[...asked].join(' and ')}` };
}
