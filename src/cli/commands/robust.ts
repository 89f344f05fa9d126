/** `fencepost robust`: can store buffers show in this program at all? Answered from executions of SC. */
import type { Command } from 'commander';
import type { CProgram } from '../../frontend/llvm/c-program.ts';
import { modelsWith, type StoreBufferModel } from '../../models/index.ts';
import { causalMonitor, type MonitorName, monitoredModel, monitors } from '../../monitor/monitors.ts';
import { DEFAULT_RANDOM_RUNS } from '../../pipelines/check.ts';
import { DEFAULT_MAX_STATES } from '../../pipelines/litmus.ts';
import { ROBUST_STRATEGIES, RobustRun, type RobustStrategy, unsoundMonitor } from '../../pipelines/robust.ts';
import { type ProblemReport, type RobustCommandReport, SCHEMA } from '../../report/schema.ts';
import { plural } from '../../report/text.ts';
import { withExecutions } from '../../report/writers/pages.ts';
import { printRobust, reportRobust } from '../../report/writers/robust.ts';
import {
  htmlOption,
  interpretOption,
  listOf,
  optionProblem,
  parseCount,
  parseNatural,
  parseOneOf,
  parseSeconds,
  writePage,
} from '../shared/args.ts';
import { EXIT_USAGE, exitOf, worstExit } from '../shared/exit-codes.ts';
import { Interrupt } from '../shared/interrupt.ts';
import { Pieces } from '../shared/pieces.ts';
import { Progress } from '../shared/progress.ts';
import { recordExecution } from '../shared/record.ts';
import { terminalOptions } from '../shared/terminal.ts';
import { addCompileOptions, type CompileFlags, inputOf, load, sourceLines } from './check.ts';

interface RobustFlags extends CompileFlags {
  readonly model?: readonly StoreBufferModel[];
  readonly monitor?: readonly MonitorName[];
  readonly strategy: RobustStrategy;
  readonly preemptions: number;
  readonly maxExecutions?: number;
  readonly maxSteps?: number;
  readonly timeout?: number;
  readonly seed: number;
  readonly spin: boolean;
  readonly unroll?: number;
  readonly interpret?: boolean;
  readonly record?: string;
  readonly json?: boolean;
  readonly html?: string;
}

const MODELS: readonly StoreBufferModel[] = modelsWith('monitors');
const MONITORS = Object.keys(monitors) as MonitorName[];

export function addRobustCommand(program: Command, finish: (exit: number) => void): void {
  addCompileOptions(
    program
      .command('robust')
      .summary('can store buffers change what a C program does?')
      .description(
        'Explores the sequentially consistent executions of a C program with monitors alongside, and says whether TSO ' +
          'and PSO have any others: robust, or not robust with each pair of accesses that can be reordered, the ' +
          'happens-before cycle, and an execution that shows it. Several files make one program.',
      )
      .argument('<file...>', 'C sources (.c, .i) or LLVM IR (.ll, .bc) of one program'),
  )
    .addOption(listOf('-m, --model <list>', 'memory models, separated by commas', MODELS))
    .addOption(listOf('--monitor <list>', 'monitors, separated by commas; see below', MONITORS))
    .option(
      '-s, --strategy <name>',
      `executions of SC: ${ROBUST_STRATEGIES.join(', ')}`,
      parseOneOf(ROBUST_STRATEGIES),
      'optimal',
    )
    .option('--preemptions <k>', 'for bounded: at most this many preemptions', parseNatural, 2)
    .option('--unroll <n>', 'stop a thread that has run a loop so many times (a bound)', parseCount)
    .option('--no-spin', 'also run iterations of loops that only wait, which may be without end')
    .option('--max-executions <n>', `stop after so many executions (random: ${DEFAULT_RANDOM_RUNS} runs)`, parseCount)
    .option('--max-steps <n>', 'give up an execution after so many steps', parseCount)
    .option('--timeout <seconds>', 'stop after so many seconds', parseSeconds)
    .option('--seed <n>', 'for random: which runs', parseNatural, 1)
    .addOption(interpretOption())
    .option('--record <file>', 'write the SC execution with the first violation, or else any, as a log for monitor')
    .option('--json', 'write one JSON document')
    .addOption(htmlOption())
    .addHelpText(
      'after',
      '\nMonitors:\n' +
        '  causal-tso, causal-pso  the default: no misses, no false alarms, on one execution per trace (optimal); where\n' +
        '                          accesses of different sizes overlap they leave it open (inconclusive)\n' +
        '  sober-fixed             TSO; as sound as causal-tso, slower\n' +
        '  tso, pso                Burnim, Sen and Stergiou, as published: need all interleavings (bounded, exhaustive)\n' +
        '  sober                   Burckhardt and Musuvathi, as published: misses some violations, so proves nothing\n' +
        '\nExit code: 0 robust; 1 not robust (harmful or not), or wrong under SC; 2 wrong usage; 3 program not understood;\n' +
        '4 inconclusive: a bound was reached.\n\n' +
        'Example:\n  fencepost robust examples/store-buffering.c --model tso',
    )
    .action(async (files: string[], flags: RobustFlags, command: Command) => {
      const problem = optionProblem(command, flags.strategy);
      finish(problem === undefined ? await runRobustCommand(files, flags) : usage(problem));
    });
}

/** The models and monitors to use, or what is wrong with what was asked for. */
function choose(
  flags: RobustFlags,
): { models: readonly StoreBufferModel[]; monitors: readonly MonitorName[] } | string {
  const watched = flags.monitor ?? (flags.model ?? MODELS).map(causalMonitor);
  for (const name of watched) {
    const reason = unsoundMonitor(name, flags.strategy);
    if (reason !== undefined) return reason;
  }
  const models = flags.model ?? MODELS.filter((model) => watched.some((name) => monitoredModel(name) === model));
  for (const model of models) {
    if (!watched.some((name) => monitoredModel(name) === model)) {
      return `${watched.join(' and ')} cannot tell anything about ${model}; causal-${model} can`;
    }
  }
  return { models, monitors: watched.filter((name) => models.includes(monitoredModel(name))) };
}

async function runRobustCommand(files: readonly string[], flags: RobustFlags): Promise<number> {
  const chosen = choose(flags);
  if (typeof chosen === 'string') return usage(chosen);
  const loaded = await load(files, flags);
  if ('problem' in loaded) {
    const report = makeReport(files, flags, undefined, [], [loaded.problem]);
    if (flags.json) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
    return writePage(flags.html, report) ? loaded.exit : EXIT_USAGE;
  }
  if (loaded.diagnostics !== '') process.stderr.write(loaded.diagnostics);
  const run = new RobustRun(loaded.program, {
    ...chosen,
    strategy: flags.strategy,
    preemptions: flags.preemptions,
    seed: flags.seed,
    maxExecutions: flags.maxExecutions,
    maxSteps: flags.maxSteps,
    maxStates: DEFAULT_MAX_STATES,
    keepGoing: false,
    spin: flags.spin,
    ...(flags.unroll === undefined ? {} : { unroll: flags.unroll }),
    interpret: flags.interpret === true,
  });
  await finish(run, files[0]!, flags.timeout);
  const { results, sc } = run;
  if (flags.record !== undefined) {
    const [first] = results.flatMap((r) => r.violations);
    const problem = recordExecution(loaded.program, first?.schedule, flags.seed, flags.record);
    if (problem !== undefined) return usage(problem);
  }
  const name = files.join(' ');
  const reports = results.map((r) => reportRobust(name, loaded.program, r));
  const report = makeReport(files, flags, loaded, reports, []);
  if (flags.json) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  else process.stdout.write(`${printRobust(name, loaded.program, sc, results, sourceLines(), terminalOptions())}\n`);
  const isWritten =
    flags.html === undefined ||
    writePage(flags.html, {
      ...report,
      results: reports.map((r) => withExecutions(r, loaded.program, sourceLines())),
    });
  return worstExit([...(isWritten ? [] : [EXIT_USAGE]), ...results.map((r) => exitOf(r.verdict))]);
}

function usage(message: string): number {
  process.stderr.write(`fencepost: ${message}\n`);
  return EXIT_USAGE;
}

async function finish(run: RobustRun, file: string, timeout: number | undefined): Promise<void> {
  const interrupt = new Interrupt();
  const pieces = new Pieces();
  const progress = new Progress();
  const deadline = timeout === undefined ? Number.POSITIVE_INFINITY : performance.now() + timeout * 1000;
  for (let isDone = false; !isDone; ) {
    isDone = run.advance(pieces.next());
    if (isDone) break;
    if (await interrupt.check()) run.stop('interrupted');
    else if (performance.now() > deadline) run.stop(`time: ${timeout} s`);
    const { executions, violations } = run.progress;
    progress.update(() => ({
      before: 'robust ',
      path: file,
      after: [`: ${plural(executions, 'execution')}, ${plural(violations, 'violation')}`],
    }));
  }
  interrupt.dispose();
  progress.clear();
}

function makeReport(
  files: readonly string[],
  flags: RobustFlags,
  loaded: CProgram | undefined,
  results: RobustCommandReport['results'],
  problems: readonly ProblemReport[],
): RobustCommandReport {
  return { schema: SCHEMA, command: 'robust', input: inputOf(files, flags, loaded), results, problems };
}
