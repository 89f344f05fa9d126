/** `fencepost check`: does a C program go wrong under any schedule and memory model? */
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { CheckRun, DEFAULT_RANDOM_RUNS, STRATEGIES, type StrategyName, unsoundCombination } from '../../check.ts';
import { type CProgram, type CProgramOptions, loadCProgram } from '../../frontend/llvm/c-program.ts';
import { CompileError } from '../../frontend/llvm/compile-error.ts';
import { LlvmError } from '../../frontend/llvm/error.ts';
import { FrontendError } from '../../frontend/llvm/frontend-error.ts';
import { HEADERS } from '../../frontend/llvm/library.ts';
import { DEFAULT_MAX_STATES } from '../../litmus.ts';
import type { Model } from '../../machine/memory/memory.ts';
import { marksOperations } from '../../observations.ts';
import type { Program } from '../../program/ir.ts';
import { type PrintOptions, printCheck, printTrust, reportCheck } from '../../report/check.ts';
import { withoutCommands } from '../../report/github.ts';
import { withCycle } from '../../report/pages.ts';
import { reporters } from '../../report/reporters.ts';
import {
  type CheckCommandReport,
  type CheckInput,
  type CheckReport,
  type ProblemReport,
  SCHEMA,
} from '../../report/schema.ts';
import { hashProgram, hashSources } from '../../report/sources.ts';
import type { SourceLines } from '../../report/story.ts';
import { printable } from '../../report/text.ts';
import { shrinkAll } from '../../shrink.ts';
import {
  addMacroOptions,
  addReporterOptions,
  chooseReporter,
  interpretOption,
  listModels,
  optionProblem,
  parseCount,
  parseNatural,
  parseOneOf,
  parseSeconds,
  type ReporterFlags,
  refuseOptimisation,
  repeatable,
  writePage,
} from '../args.ts';
import { EXIT_NOT_UNDERSTOOD, EXIT_USAGE, exitOf, worstExit } from '../exit-codes.ts';
import { Interrupt } from '../interrupt.ts';
import { addKeepOptions, type KeepFlags, keepRun } from '../keep.ts';
import { Pieces } from '../pieces.ts';
import { Progress, progressText, shortProgressText } from '../progress.ts';
import { recordExecution } from '../record.ts';
import { terminalOptions } from '../terminal.ts';

export interface CompileFlags {
  readonly define: readonly string[];
  readonly undefine: readonly string[];
  readonly includePath: readonly string[];
  readonly include: readonly string[];
  readonly std?: string;
  readonly clang?: string;
  readonly cache: boolean;
  readonly entry: string;
  readonly arg: readonly string[];
  readonly spurious?: boolean;
}

interface CheckFlags extends CompileFlags, ReporterFlags, KeepFlags {
  readonly model: readonly Model[];
  readonly strategy: StrategyName;
  readonly preemptions: number;
  readonly maxExecutions?: number;
  readonly maxSteps?: number;
  readonly maxStates: number;
  readonly timeout?: number;
  readonly seed: number;
  readonly keepGoing?: boolean;
  readonly races?: boolean;
  readonly robust?: boolean;
  readonly monitors: boolean;
  readonly observations?: boolean;
  readonly spin: boolean;
  readonly unroll?: number;
  readonly interpret?: boolean;
  readonly record?: string;
}

export function addCompileOptions(command: Command): Command {
  return addMacroOptions(command)
    .addOption(repeatable('-I, --include-path <folder>', 'look for headers there'))
    .addOption(repeatable('--include <file>', 'include a file before the source'))
    .option('--std <standard>', 'language standard, such as c11')
    .option('-O, --optimize <level>', 'refused: optimised code hides races', refuseOptimisation)
    .option('--entry <function>', 'function to start with', 'main')
    .addOption(repeatable('--arg <text>', 'argument for the program'))
    .option('--spurious', 'each thread may wake once from a condition wait for no reason')
    .option('--clang <which>', '"native", "npm" or the path of a clang')
    .option('--no-cache', 'compile anew');
}

export function addCheckCommand(program: Command, finish: (exit: number) => void): void {
  const command = addCompileOptions(
    program
      .command('check')
      .summary('look for errors in a C program under each memory model')
      .description(
        'Runs a C program (pthreads, C11 atomics) under many schedules and memory models, and shows the execution in ' +
          'which it goes wrong: failed assertions, deadlocks, memory errors, misuse. Several files make one program.',
      )
      .argument('<file...>', 'C sources (.c, .i) or LLVM IR (.ll, .bc) of one program'),
  )
    .addOption(listModels('memory models, separated by commas: sc, tso, pso', ['sc', 'tso', 'pso']))
    .option('-s, --strategy <name>', `which schedules: ${STRATEGIES.join(', ')}`, parseOneOf(STRATEGIES), 'optimal')
    .option('--preemptions <k>', 'for bounded: at most this many preemptions', parseNatural, 2)
    .option('--unroll <n>', 'stop a thread that has run a loop so many times (a bound)', parseCount)
    .option('--no-spin', 'also run iterations of loops that only wait, which may be without end')
    .option('--max-executions <n>', `stop after so many executions (random: ${DEFAULT_RANDOM_RUNS} runs)`, parseCount)
    .option('--max-steps <n>', 'give up an execution after so many steps', parseCount)
    .option('--max-states <n>', 'for enumerate: give up after so many states', parseCount, DEFAULT_MAX_STATES)
    .option('--timeout <seconds>', 'stop after so many seconds', parseSeconds)
    .option('--seed <n>', 'for random: which runs', parseNatural, 1)
    .option('--keep-going', 'go on after an error, to find others')
    .option('--races', 'data races on plain accesses are errors, not warnings')
    .option('--robust', 'also say whether every execution is one of SC, and show one that is not')
    .option('--no-monitors', 'explore every model, also where monitors prove that it adds nothing to sc')
    .option('--observations', 'marked operations must have the results of some serial execution')
    .addOption(interpretOption())
    .option('--record <file>', 'write an SC execution, with a violation if one was seen, as a log for monitor');
  addReporterOptions(addKeepOptions(command))
    .addHelpText(
      'after',
      '\nExit code: 0 verified; 1 violation; 2 wrong usage; 3 program not understood; 4 inconclusive: a bound was\n' +
        'reached. Over several models the worst counts: 2, 3, 1, 4, 0.\n\n' +
        'Example:\n  fencepost check examples/store-buffering.c --model tso',
    )
    .action(async (files: string[], flags: CheckFlags, command: Command) => {
      const problem = optionProblem(command, flags.strategy);
      finish(problem === undefined ? await runCheckCommand(files, flags) : usage(problem));
    });
}

async function runCheckCommand(files: readonly string[], flags: CheckFlags): Promise<number> {
  for (const model of flags.model) {
    const reason = unsoundCombination(flags.strategy, model);
    // The default models are narrowed to what the strategy covers; what was asked for by name is refused.
    if (reason !== undefined && !(flags.strategy === 'bounded' && isDefault(flags.model))) return usage(reason);
  }
  const models = flags.model.filter((model) => unsoundCombination(flags.strategy, model) === undefined);
  const reporter = chooseReporter(flags);
  if ('problem' in reporter) return usage(reporter.problem);
  const write = (report: CheckCommandReport, program?: Program): readonly number[] => {
    if (reporter.name !== 'text') process.stdout.write(reporters[reporter.name](report));
    const show = (r: CheckReport): CheckReport => (program === undefined ? r : withCycle(r, program, sourceLines()));
    const shown = flags.html === undefined ? report.results : report.results.map(show);
    return writePage(flags.html, { ...report, results: shown }) ? [] : [EXIT_USAGE];
  };
  const loaded = await load(files, flags);
  if ('problem' in loaded) {
    return worstExit([...write(makeReport(files, flags, undefined, [], [loaded.problem])), loaded.exit]);
  }
  if (loaded.diagnostics !== '') process.stderr.write(loaded.diagnostics);
  if (flags.observations && !marksOperations(loaded.program)) return usage(NO_OPERATIONS);
  const check = await run(loaded, models, flags, files);
  if (flags.record !== undefined) {
    const problem = recordExecution(loaded.program, check.violations[0]?.schedule, flags.seed, flags.record);
    if (problem !== undefined) return usage(problem);
  }
  const results = shrinkAll(loaded.program, check.results, flags.interpret === true);
  const name = files.join(' ');
  const print = (options?: PrintOptions): string =>
    `${printCheck(name, loaded.program, results, sourceLines(), options)}\n${printTrust(flags.strategy, results, options, flags.keepGoing)}`;
  const reports = results.map((r) => reportCheck(name, loaded.program, r, sourceLines()));
  const report = makeReport(files, flags, loaded, reports, []);
  const isText = reporter.name === 'text' || reporter.name === 'github';
  if (isText) {
    const text = print(terminalOptions());
    process.stdout.write(reporter.name === 'github' ? withoutCommands(text) : `${text}\n`);
  }
  const replay = keepRun(flags, report, print);
  if (isText && replay !== undefined) process.stdout.write(replay);
  return worstExit([...write(report, loaded.program), ...results.map((r) => exitOf(r.verdict))]);
}

export const NO_OPERATIONS: string =
  'the program marks no operations; put fencepost_op_begin("name", argument) and fencepost_op_end(result) of ' +
  '<fencepost.h> around them, or leave out --observations';

function isDefault(models: readonly Model[]): boolean {
  return models.join() === 'sc,tso,pso';
}

function usage(message: string): number {
  process.stderr.write(`fencepost: ${message}\n`);
  return EXIT_USAGE;
}

async function run(
  { program }: CProgram,
  models: readonly Model[],
  flags: CheckFlags,
  files: readonly string[],
): Promise<CheckRun> {
  const check = new CheckRun(program, {
    models,
    strategy: flags.strategy,
    preemptions: flags.preemptions,
    seed: flags.seed,
    maxExecutions: flags.maxExecutions,
    maxSteps: flags.maxSteps,
    maxStates: flags.maxStates,
    keepGoing: flags.keepGoing === true,
    races: flags.races === true,
    robust: flags.robust === true,
    monitors: flags.monitors,
    observations: flags.observations === true,
    spin: flags.spin,
    ...(flags.unroll === undefined ? {} : { unroll: flags.unroll }),
    interpret: flags.interpret === true,
  });
  const interrupt = new Interrupt();
  const pieces = new Pieces();
  const progress = new Progress();
  let model: Model | undefined;
  let started = performance.now();
  const deadline = flags.timeout === undefined ? Number.POSITIVE_INFINITY : performance.now() + flags.timeout * 1000;
  while (!check.advance(pieces.next())) {
    if (await interrupt.check()) check.stop('interrupted');
    else if (performance.now() > deadline) check.stop(`time: ${flags.timeout} s`);
    const now = check.progress;
    if (now === undefined) continue;
    if (now.model !== model) started = performance.now();
    model = now.model;
    const seconds = (performance.now() - started) / 1000;
    progress.update(() => ({
      before: 'check ',
      path: files[0]!,
      after: [
        ` under ${now.model}: ${progressText(now, seconds)}`,
        ` under ${now.model}: ${shortProgressText(now, seconds)}`,
      ],
    }));
  }
  interrupt.dispose();
  progress.clear();
  return check;
}

export function compileOptions(flags: CompileFlags): CProgramOptions {
  return {
    defines: flags.define,
    undefines: flags.undefine,
    includePaths: flags.includePath,
    includes: flags.include,
    ...(flags.std === undefined ? {} : { standard: flags.std }),
    ...(flags.clang === undefined ? {} : { clang: flags.clang }),
    cache: flags.cache,
    headers: HEADERS,
    entry: flags.entry,
    arguments: flags.arg,
    spurious: flags.spurious === true ? 1 : 0,
  };
}

/** The program, or what is wrong with it, which has then been said. */
export async function load(
  files: readonly string[],
  flags: CompileFlags,
): Promise<CProgram | { readonly problem: ProblemReport; readonly exit: number }> {
  try {
    return await loadCProgram(files, compileOptions(flags));
  } catch (error) {
    return problemOf(files[0]!, error);
  }
}

/** Says what is wrong with the input, if that is what an error is about. */
export function problemOf(file: string, error: unknown): { readonly problem: ProblemReport; readonly exit: number } {
  if (error instanceof CompileError) {
    process.stderr.write(`${error.diagnostics}fencepost: ${printable(error.message)}\n`);
    const exit = error.problem === 'file' ? EXIT_USAGE : error.problem === 'clang' ? EXIT_USAGE : EXIT_NOT_UNDERSTOOD;
    return { problem: { file, message: error.message }, exit };
  }
  if (error instanceof FrontendError) {
    process.stderr.write(`${error.diagnostics}fencepost: ${printable(error.message)}\n`);
    const { file: where, line, column } = error.place;
    return { problem: { file: where, message: error.reason, line, column }, exit: EXIT_NOT_UNDERSTOOD };
  }
  if (error instanceof LlvmError) {
    process.stderr.write(`fencepost: ${printable(error.message)}\n`);
    return { problem: { file, message: error.message }, exit: EXIT_NOT_UNDERSTOOD };
  }
  throw error;
}

function makeReport(
  files: readonly string[],
  flags: CheckFlags,
  loaded: CProgram | undefined,
  results: CheckCommandReport['results'],
  problems: readonly ProblemReport[],
): CheckCommandReport {
  return { schema: SCHEMA, command: 'check', input: inputOf(files, flags, loaded), results, problems };
}

/** What was run, for the report. */
export function inputOf(
  files: readonly string[],
  flags: CompileFlags & { readonly strategy: string; readonly seed: number; readonly observations?: boolean },
  loaded: CProgram | undefined,
): CheckInput {
  return {
    files,
    entry: flags.entry,
    arguments: flags.arg,
    defines: flags.define,
    undefines: flags.undefine,
    includePaths: flags.includePath,
    includes: flags.include,
    ...(flags.std === undefined ? {} : { standard: flags.std }),
    ...(flags.spurious === true ? { spurious: true } : {}),
    ...(flags.observations === true ? { observations: true } : {}),
    strategy: flags.strategy,
    seed: flags.seed,
    clang: loaded?.clang ?? '',
    ...(loaded === undefined
      ? {}
      : { sources: hashSources(files, loaded.program), program: hashProgram(loaded.program) }),
  };
}

/** Quotes source files, each read once. */
export function sourceLines(): SourceLines {
  const files = new Map<string, readonly string[]>();
  return (file, line) => {
    let lines = files.get(file);
    if (lines === undefined) {
      try {
        lines = readFileSync(file, 'utf8').split(/\r?\n/);
      } catch {
        lines = [];
      }
      files.set(file, lines);
    }
    return lines[line - 1];
  };
}
