/** `fencepost fix`: which fences are missing from a C program, or too many, as a proved patch. */
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { CheckOptions, StrategyName } from '../../check.ts';
import { CHANGE_KINDS, type Costs, DEFAULT_COSTS } from '../../fix/candidates.ts';
import { FixRefusal } from '../../fix/refusal.ts';
import type { RelaxedModel } from '../../fix/synthesis.ts';
import { type FixOptions, type FixResult, fix } from '../../fix.ts';
import { GOALS, type Goal } from '../../goals.ts';
import { DEFAULT_MAX_STATES } from '../../litmus.ts';
import type { Drive, Task } from '../../patched.ts';
import { patchOf, printFix, reportFix } from '../../report/fix.ts';
import { pageOfReport } from '../../report/pages.ts';
import { type CheckInput, type FixCommandReport, type ProblemReport, SCHEMA } from '../../report/schema.ts';
import { printable } from '../../report/text.ts';
import { htmlOption, interpretOption, listOf, parseCount, parseOneOf, parseSeconds, writePage } from '../args.ts';
import { EXIT_INCONCLUSIVE, EXIT_NOT_UNDERSTOOD, EXIT_USAGE, EXIT_VERIFIED, EXIT_VIOLATION } from '../exit-codes.ts';
import { problemsBefore, sourceBefore } from '../fix-page.ts';
import { Interrupt } from '../interrupt.ts';
import { Pieces } from '../pieces.ts';
import { Progress } from '../progress.ts';
import { replaceFiles } from '../replace-files.ts';
import { terminalOptions } from '../terminal.ts';
import {
  addCompileOptions,
  type CompileFlags,
  compileOptions,
  inputOf,
  load,
  problemOf,
  sourceLines,
} from './check.ts';

interface FixFlags extends CompileFlags {
  readonly model: readonly RelaxedModel[];
  readonly goal: Goal;
  readonly minimise?: boolean;
  readonly write?: boolean;
  readonly cost?: string;
  readonly solutions: number;
  readonly strategy: Extract<StrategyName, 'optimal' | 'source'>;
  readonly maxExecutions?: number;
  readonly maxSteps?: number;
  readonly timeout?: number;
  readonly spin: boolean;
  readonly unroll?: number;
  readonly interpret?: boolean;
  readonly json?: boolean;
  readonly html?: string;
}

const MODELS: readonly RelaxedModel[] = ['tso', 'pso'];
const STRATEGIES = ['optimal', 'source'] as const;

export function addFixCommand(program: Command, finish: (exit: number) => void): void {
  addCompileOptions(
    program
      .command('fix')
      .summary('find the fences that a C program lacks')
      .description(
        'Finds a cheapest set of changes (full fences, store-store fences, stronger orders) after which a C program has ' +
          'no errors, or no executions but those of SC, under TSO and PSO; checks the patched source from scratch and ' +
          'prints the patch. Several files make one program.',
      )
      .argument('<file...>', 'C sources of one program'),
  )
    .addOption(listOf('-m, --model <list>', 'memory models, separated by commas', MODELS).default(MODELS, 'tso,pso'))
    .option('-g, --goal <goal>', 'safe: no errors; robust: every execution is one of sc', parseOneOf(GOALS), 'safe')
    .option('--minimise', 'add nothing; remove or weaken fences that the program has and does not need')
    .option('--write', 'change the files, once the fix is proved')
    .option('--cost <file>', 'what changes cost, as JSON; see below')
    .option('--solutions <n>', 'list up to so many cheapest sets of changes', parseCount, 5)
    .option('-s, --strategy <name>', `which executions: ${STRATEGIES.join(', ')}`, parseOneOf(STRATEGIES), 'optimal')
    .option('--unroll <n>', 'stop a thread that has run a loop so many times (a bound)', parseCount)
    .option('--no-spin', 'also run iterations of loops that only wait, which may be without end')
    .option('--max-executions <n>', 'stop each search after so many executions (a bound)', parseCount)
    .option('--max-steps <n>', 'give up an execution after so many steps (a bound)', parseCount)
    .option('--timeout <seconds>', 'stop after so many seconds (a bound)', parseSeconds)
    .addOption(interpretOption())
    .option('--json', 'write one JSON document')
    .addOption(htmlOption())
    .addHelpText(
      'after',
      `\nCosts, unless --cost says otherwise (inLoop is a factor):\n  ${JSON.stringify(DEFAULT_COSTS)}\n` +
        '\nExit code: 0 holds as it is, or fixed and proved; 1 wrong under sc, or nothing helps; 2 wrong usage; 3 program\n' +
        'not understood; 4 inconclusive: a bound was reached, and a fix is valid up to it.\n\n' +
        'Example:\n  fencepost fix examples/store-buffering.c --model tso',
    )
    .action(async (files: string[], flags: FixFlags) => {
      finish(await runFixCommand(files, flags));
    });
}

async function runFixCommand(files: readonly string[], flags: FixFlags): Promise<number> {
  const odd = files.find((file) => !file.endsWith('.c'));
  if (odd !== undefined) return usage(`${odd}: fix changes C sources, whose names end in .c`);
  const costs = flags.cost === undefined ? DEFAULT_COSTS : readCosts(flags.cost);
  if (typeof costs === 'string') return usage(costs);
  const loaded = await load(files, flags);
  if ('problem' in loaded) return endWith(loaded, files, flags);
  if (loaded.diagnostics !== '') process.stderr.write(loaded.diagnostics);
  const driver = new Driver(files[0]!, flags.timeout);
  const check: CheckOptions = {
    models: flags.model,
    strategy: flags.strategy,
    preemptions: 0,
    seed: 1,
    maxExecutions: flags.maxExecutions,
    maxSteps: flags.maxSteps,
    maxStates: DEFAULT_MAX_STATES,
    keepGoing: false,
    races: false,
    spin: flags.spin,
    ...(flags.unroll === undefined ? {} : { unroll: flags.unroll }),
    interpret: flags.interpret === true,
  };
  const drive: Drive = (task, describe) => driver.drive(task, describe);
  const options: FixOptions = {
    goal: flags.goal,
    models: flags.model,
    costs,
    solutions: flags.solutions,
    minimise: flags.minimise === true,
    compile: compileOptions(flags),
    check,
  };
  const result = await fix(files, loaded.program, options, drive).catch((error: unknown) => refused(files[0]!, error));
  if ('problem' in result) {
    driver.dispose();
    return endWith(result, files, flags);
  }
  const name = files.join(' ');
  const { program } = loaded;
  const before =
    flags.html === undefined ? [] : await problemsBefore(name, program, result, check, drive, sourceLines());
  driver.dispose();
  // All that quotes or hashes the files comes before they are changed.
  const input = inputOf(files, { ...flags, seed: 1 }, loaded);
  const text = flags.json ? '' : `${printFix(name, program, result, sourceLines(), terminalOptions())}\n`;
  const problem = flags.write === true ? writeFix(result) : undefined;
  const isWritten = flags.write === true && problem === undefined && result.kind === 'fixed';
  const report = makeReport(input, [reportFix(name, program, result, isWritten)], []);
  process.stdout.write(flags.json ? `${JSON.stringify(report, null, 2)}\n` : text);
  if (!flags.json) process.stdout.write(patchOf(result));
  if (problem !== undefined) process.stderr.write(`fencepost: ${problem}\n`);
  const hasPage = writePage(flags.html, { ...pageOfReport(report), results: before }, sourceBefore(result));
  return hasPage && (problem === undefined || result.bounds.length > 0) ? exitOfFix(result) : EXIT_USAGE;
}

/** What is wrong with the sources, if that is what an error is about. */
function refused(file: string, error: unknown): { readonly problem: ProblemReport; readonly exit: number } {
  if (!(error instanceof FixRefusal)) return problemOf(file, error);
  const { place, reason, diagnostics, message } = error;
  process.stderr.write(`${diagnostics}fencepost: ${printable(message)}\n`);
  return { problem: { file, ...place, message: reason }, exit: EXIT_NOT_UNDERSTOOD };
}

function endWith(
  { problem, exit }: { readonly problem: ProblemReport; readonly exit: number },
  files: readonly string[],
  flags: FixFlags,
): number {
  const report = makeReport(inputOf(files, { ...flags, seed: 1 }, undefined), [], [problem]);
  if (flags.json) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  return writePage(flags.html, pageOfReport(report)) ? exit : EXIT_USAGE;
}

/** Why the files were not changed, if they were not. */
function writeFix(result: FixResult): string | undefined {
  if (result.kind !== 'fixed') return undefined;
  if (result.bounds.length > 0) return 'nothing was written: the fix is valid only up to a bound';
  return replaceFiles(result.patches);
}

function exitOfFix(result: FixResult): number {
  switch (result.kind) {
    case 'sc':
    case 'impossible':
      return EXIT_VIOLATION;
    case 'stopped':
      return EXIT_INCONCLUSIVE;
    default:
      return result.bounds.length > 0 ? EXIT_INCONCLUSIVE : EXIT_VERIFIED;
  }
}

function usage(message: string): number {
  process.stderr.write(`fencepost: ${message}\n`);
  return EXIT_USAGE;
}

/** What is in the file, the rest as usual; or what is wrong with it. */
function readCosts(file: string): Costs | string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return `${file}: ${code === 'ENOENT' ? 'there is no such file of costs' : `cannot be read: ${message}`}`;
  }
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch (error) {
    return `${file}: cannot be read as JSON: ${error instanceof Error ? error.message : error}`;
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return `${file}: expected an object of costs`;
  const names: readonly string[] = [...CHANGE_KINDS, 'inLoop'];
  for (const [name, cost] of Object.entries(given)) {
    if (!names.includes(name)) return `${file}: "${name}" is no cost; there are ${names.join(', ')}`;
    if (typeof cost !== 'number' || !(cost > 0) || cost > 1e6) {
      return `${file}: the cost of ${name} must be a number above 0, up to 1000000`;
    }
  }
  return { ...DEFAULT_COSTS, ...given };
}

/** Runs one task after the other, with one deadline for all. */
class Driver {
  private readonly interrupt = new Interrupt();
  private readonly pieces = new Pieces();
  private readonly file: string;
  private readonly timeout: number | undefined;
  private readonly deadline: number;

  constructor(file: string, timeout: number | undefined) {
    this.file = file;
    this.timeout = timeout;
    this.deadline = timeout === undefined ? Number.POSITIVE_INFINITY : performance.now() + timeout * 1000;
  }

  async drive(task: Task, describe: () => string): Promise<void> {
    const progress = new Progress();
    while (!task.advance(this.pieces.next())) {
      if (await this.interrupt.check()) task.stop('interrupted');
      else if (performance.now() > this.deadline) task.stop(`time: ${this.timeout} s`);
      else progress.update(() => ({ before: 'fix ', path: this.file, after: [`: ${describe()}`] }));
    }
    progress.clear();
  }

  dispose(): void {
    this.interrupt.dispose();
  }
}

function makeReport(
  input: CheckInput,
  results: FixCommandReport['results'],
  problems: readonly ProblemReport[],
): FixCommandReport {
  return { schema: SCHEMA, command: 'fix', input, results, problems };
}
