/** `fencepost hunt`: looks for executions that SC has not got, in programs too large for `check`. */
import { type Command, InvalidArgumentError } from 'commander';
import type { RelaxedModel } from '../../explore/relaxer/predict.ts';
import type { CProgram } from '../../frontend/llvm/c-program.ts';
import { HUNT_DEFAULTS } from '../../hunt/options.ts';
import type { HuntResult } from '../../hunt/result.ts';
import { HuntRun } from '../../hunt.ts';
import type { Model } from '../../machine/memory/memory.ts';
import type { PrintOptions } from '../../report/check.ts';
import { printHunt, reportHunt } from '../../report/hunt.ts';
import { pageOfReport } from '../../report/pages.ts';
import { type HuntCommandReport, type HuntInput, type ProblemReport, SCHEMA } from '../../report/schema.ts';
import { plural } from '../../report/text.ts';
import { shrinkErrors } from '../../shrink.ts';
import { htmlOption, interpretOption, listModels, parseCount, parseNatural, parseSeconds, writePage } from '../args.ts';
import { EXIT_USAGE, exitOf, worstExit } from '../exit-codes.ts';
import { Interrupt } from '../interrupt.ts';
import { addKeepOptions, type KeepFlags, keepRun } from '../keep.ts';
import { Pieces } from '../pieces.ts';
import { Progress } from '../progress.ts';
import { terminalOptions } from '../terminal.ts';
import { addCompileOptions, type CompileFlags, inputOf, load, sourceLines } from './check.ts';

interface HuntFlags extends CompileFlags, KeepFlags {
  readonly model: readonly Model[];
  readonly runs: number;
  readonly trials: number;
  readonly attempts: number;
  readonly cycleLength: number;
  readonly maxCycles: number;
  readonly maxSteps: number;
  readonly probability: number;
  readonly delayStores?: number;
  readonly delayLoads?: number;
  readonly barrierWait: boolean;
  readonly seed: number;
  readonly timeout?: number;
  readonly keepGoing?: boolean;
  readonly interpret?: boolean;
  readonly json?: boolean;
  readonly html?: string;
}

function parseProbability(text: string): number {
  const value = /^(\d+(\.\d*)?|\.\d+)$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= 0 && value <= 1)) throw new InvalidArgumentError('Expected a number from 0 to 1, such as 0.5.');
  return value;
}

function parseCycleLength(text: string): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= 4 && value <= 16 && value % 2 === 0)) {
    throw new InvalidArgumentError('Expected an even number from 4 to 16: two events for each thread in the cycle.');
  }
  return value;
}

export function addHuntCommand(program: Command, finish: (exit: number) => void): void {
  const { runs, trials, attempts, cycleLength, maxCycles, maxSteps, probability } = HUNT_DEFAULTS;
  const command = addCompileOptions(
    program
      .command('hunt')
      .summary('hunt for executions that SC has not got, in large C programs')
      .description(
        'Runs a C program under SC at random, predicts from that which events could make a cycle of happens-before on a ' +
          'machine with store buffers, and then tries to make each cycle happen. Shows which ones do, and what they break. ' +
          'Finds errors, proves nothing: see check for that.',
      )
      .argument('<file...>', 'C sources (.c, .i) or LLVM IR (.ll, .bc) of one program'),
  )
    .addOption(listModels('memory models, separated by commas: tso, pso, pslo', ['tso', 'pso']))
    .option('--runs <n>', 'SC runs to predict from', parseCount, runs)
    .option('--trials <n>', 'trials per predicted cycle', parseCount, trials)
    .option('--attempts <n>', 'executions per trial', parseCount, attempts)
    .option('--cycle-length <n>', 'events of the longest cycles, two per thread', parseCycleLength, cycleLength)
    .option('--max-cycles <n>', 'predict no more cycles than this', parseCount, maxCycles)
    .option('--probability <p>', 'with which a store or load of the cycle is delayed', parseProbability, probability)
    .option('--delay-stores <steps>', 'how long (default: as the longest SC run)', parseCount)
    .option('--delay-loads <steps>', 'how long (default: half as long as stores)', parseCount)
    .option('--no-barrier-wait', 'delayed stores do not hold up their thread at a barrier')
    .option('--max-steps <n>', 'give up an execution after so many steps', parseCount, maxSteps)
    .option('--seed <n>', 'which runs and trials', parseNatural, 1)
    .option('--timeout <seconds>', 'stop after so many seconds', parseSeconds)
    .option('--keep-going', 'hunt on if the program is wrong under SC already')
    .addOption(interpretOption());
  addKeepOptions(command)
    .option('--json', 'write one JSON document')
    .addOption(htmlOption())
    .addHelpText(
      'after',
      '\nResults of operations marked with fencepost_op_begin and fencepost_op_end are compared with those of serial\n' +
        'executions. Exit code: 1 violation; 2 wrong usage; 3 program not understood; 4 no error found, which is\n' +
        'inconclusive. Over several models the worst counts: 2, 3, 1, 4.\n\n' +
        'Example:\n  fencepost hunt examples/store-buffering.c --model tso',
    )
    .action(async (files: string[], flags: HuntFlags) => {
      finish(await runHuntCommand(files, flags));
    });
}

async function runHuntCommand(files: readonly string[], flags: HuntFlags): Promise<number> {
  if (flags.model.includes('sc')) {
    process.stderr.write(
      'fencepost: there is nothing to hunt for under sc: its executions have no cycles; use check\n',
    );
    return EXIT_USAGE;
  }
  const loaded = await load(files, flags);
  if ('problem' in loaded) {
    const report = makeReport(files, flags, undefined, [], [loaded.problem]);
    if (flags.json) writeJson(report);
    return writePage(flags.html, pageOfReport(report)) ? loaded.exit : EXIT_USAGE;
  }
  if (loaded.diagnostics !== '') process.stderr.write(loaded.diagnostics);
  const { program } = loaded;
  const found = await run(loaded, flags, files);
  const results = found.map((result) => shrinkErrors(program, result, flags.interpret === true));
  const name = files.join(' ');
  const print = (options?: PrintOptions): string => printHunt(name, program, results, sourceLines(), options);
  const reports = results.map((r) => reportHunt(name, program, r, sourceLines()));
  const report = makeReport(files, flags, loaded, reports, []);
  if (!flags.json) process.stdout.write(`${print(terminalOptions())}\n`);
  const replay = keepRun(flags, report, print);
  if (flags.json) writeJson(report);
  else if (replay !== undefined) process.stdout.write(replay);
  const isWritten = writePage(flags.html, pageOfReport(report));
  return worstExit([...(isWritten ? [] : [EXIT_USAGE]), ...results.map((r) => exitOf(r.verdict))]);
}

async function run({ program }: CProgram, flags: HuntFlags, files: readonly string[]): Promise<readonly HuntResult[]> {
  const deadline = flags.timeout === undefined ? Number.POSITIVE_INFINITY : performance.now() + flags.timeout * 1000;
  const hunt = new HuntRun(program, {
    models: flags.model as readonly RelaxedModel[],
    runs: flags.runs,
    trials: flags.trials,
    attempts: flags.attempts,
    seed: flags.seed,
    cycleLength: flags.cycleLength,
    maxCycles: flags.maxCycles,
    maxSteps: flags.maxSteps,
    probability: flags.probability,
    storeDelay: flags.delayStores,
    loadDelay: flags.delayLoads,
    barrierWait: flags.barrierWait,
    keepGoing: flags.keepGoing === true,
    interpret: flags.interpret === true,
    isLate: () => performance.now() > deadline,
  });
  const interrupt = new Interrupt();
  const pieces = new Pieces();
  const progress = new Progress();
  while (!hunt.advance(pieces.next())) {
    if (await interrupt.check()) hunt.stop('interrupted');
    else if (performance.now() > deadline) hunt.stop(`time: ${flags.timeout} s`);
    progress.update(() => {
      const { model, executions, predicted, confirmed, harmful } = hunt.progress;
      const cycles = `${plural(predicted, 'cycle')} predicted, ${confirmed} confirmed, ${harmful} harmful`;
      const few = `${predicted} predicted, ${confirmed} confirmed, ${harmful} harmful`;
      const rest = plural(executions, 'execution');
      return {
        before: 'hunt ',
        path: files[0]!,
        after: [` under ${model}: ${cycles}; ${rest}`, ` under ${model}: ${few}; ${rest}`],
      };
    });
  }
  interrupt.dispose();
  progress.clear();
  return hunt.results;
}

function makeReport(
  files: readonly string[],
  flags: HuntFlags,
  loaded: CProgram | undefined,
  results: HuntCommandReport['results'],
  problems: readonly ProblemReport[],
): HuntCommandReport {
  const input: HuntInput = {
    ...inputOf(files, { ...flags, strategy: 'hunt' }, loaded),
    strategy: 'hunt',
    runs: flags.runs,
    trials: flags.trials,
    attempts: flags.attempts,
    cycleLength: flags.cycleLength,
    maxCycles: flags.maxCycles,
    maxSteps: flags.maxSteps,
    probability: flags.probability,
    storeDelay: flags.delayStores ?? null,
    loadDelay: flags.delayLoads ?? null,
    barrierWait: flags.barrierWait,
  };
  return { schema: SCHEMA, command: 'hunt', input, results, problems };
}

function writeJson(report: HuntCommandReport): void {
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
}
