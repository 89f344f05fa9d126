/** `fencepost replay`: runs the execution of a kept run, or of a saved report, again, exactly. */
import type { Command } from 'commander';
import { judgeRaces, type ModelResult } from '../../check.ts';
import { explore } from '../../explore/explore.ts';
import { Replay } from '../../explore/replay.ts';
import { parseSchedule, ScheduleError } from '../../explore/schedule.ts';
import { Waker } from '../../explore/wake.ts';
import { printError } from '../../machine/error.ts';
import { Machine } from '../../machine/machine.ts';
import type { Model } from '../../machine/memory/memory.ts';
import type { Program } from '../../program/ir.ts';
import { printCheck, reportCheck } from '../../report/check.ts';
import { traceExecution } from '../../report/execution.ts';
import { parseReport } from '../../report/read-report.ts';
import { reportFile } from '../../report/run-folder.ts';
import type { CheckCommandReport, CheckReport } from '../../report/schema.ts';
import { describeChange } from '../../report/sources.ts';
import { replayOptions } from '../../shrink.ts';
import { htmlOption, interpretOption, listModels, writePage } from '../args.ts';
import { EXIT_USAGE, EXIT_VIOLATION, worstExit } from '../exit-codes.ts';
import { readText } from '../files.ts';
import { Stepper, stepThrough } from '../step.ts';
import { terminalOptions } from '../terminal.ts';
import { type CompileFlags, load, sourceLines } from './check.ts';

interface ReplayFlags {
  readonly model: readonly Model[];
  readonly step?: boolean;
  readonly original?: boolean;
  readonly clang?: string;
  readonly interpret?: boolean;
  readonly html?: string;
}

export function addReplayCommand(program: Command, finish: (exit: number) => void): void {
  program
    .command('replay')
    .summary('run the failing execution of a kept run again')
    .description(
      'Reads what `fencepost check` kept (its folder, or what --json wrote), compiles the program again and replays ' +
        'each failing schedule. Says so if the sources have changed since.',
    )
    .argument('<run>', 'a folder under fencepost-out, or a JSON report of fencepost check')
    .addOption(listModels('only the executions under these models', ['sc', 'tso', 'pso']))
    .option('--step', 'walk through the execution: forward, back, buffers, memory')
    .option('--original', 'the execution as the search found it, before it was made simpler')
    .option('--clang <which>', '"native", "npm" or the path of a clang')
    .addOption(interpretOption())
    .addOption(htmlOption())
    .addHelpText(
      'after',
      '\nExit code: 1 the same error again; 2 the report is unusable, or the program no longer fits it;\n' +
        '3 program not understood.\n\n' +
        'Example:\n  fencepost replay fencepost-out/store-buffering-2f6e4b --step',
    )
    .action(async (file: string, flags: ReplayFlags) => {
      finish(await runReplayCommand(file, flags));
    });
}

function refuse(message: string): number {
  process.stderr.write(`fencepost: ${message}\n`);
  return EXIT_USAGE;
}

async function runReplayCommand(path: string, flags: ReplayFlags): Promise<number> {
  const file = reportFile(path);
  const read = readText(file);
  if ('problem' in read) return refuse(`${file}: ${read.problem}`);
  const report = parseReport(read.text);
  if (typeof report === 'string') return refuse(`${file}: ${report}`);
  const all = report.results.filter((r) => r.error !== undefined);
  if (all.length === 0) return refuse(`${file}: the report has no failing execution`);
  const failures = all.filter((r) => flags.model.includes(r.model as Model));
  if (failures.length === 0) {
    return refuse(`${file}: no failing execution under ${flags.model.join(', ')}, only under ${modelsOf(all)}`);
  }
  const loaded = await load(report.input.files, compileFlags(report, flags));
  if ('problem' in loaded) return loaded.exit;
  const change = describeChange(report.input, loaded.program);
  if (change !== undefined) process.stderr.write(`fencepost: ${change}; trying all the same\n`);

  const exits: number[] = [];
  const replayed: CheckReport[] = [];
  for (const failure of failures) {
    if (failure.how === 'sc' && failure.model !== 'sc' && failures.some((f) => f.model === 'sc')) continue;
    if (flags.step === true && exits.length > 0) {
      process.stderr.write(`fencepost: there is another execution, under ${failure.model}; choose it with --model\n`);
      break;
    }
    const result = await replayOne(loaded.program, failure, flags);
    exits.push(typeof result === 'number' ? result : EXIT_VIOLATION);
    if (typeof result !== 'number') replayed.push(reportCheck(failure.file, loaded.program, result, sourceLines()));
  }
  if (!writePage(flags.html, { ...report, command: 'replay', results: replayed })) exits.push(EXIT_USAGE);
  return worstExit(exits);
}

function modelsOf(results: readonly CheckReport[]): string {
  return results.map((r) => r.model).join(', ');
}

function compileFlags({ input }: CheckCommandReport, { clang }: ReplayFlags): CompileFlags {
  return {
    define: input.defines,
    undefine: input.undefines,
    includePath: input.includePaths,
    include: input.includes,
    ...(input.standard === undefined ? {} : { std: input.standard }),
    ...(input.spurious === true ? { spurious: true } : {}),
    ...(clang === undefined ? {} : { clang }),
    cache: true,
    entry: input.entry,
    arg: input.arguments,
  };
}

/** What the replay gave, which has then been shown; or why not, as an exit code. */
async function replayOne(program: Program, failure: CheckReport, flags: ReplayFlags): Promise<ModelResult | number> {
  const model = (failure.how === 'sc' ? 'sc' : failure.model) as Model;
  const expected = failure.error!;
  const schedule = flags.original === true ? (expected.originalSchedule ?? expected.schedule) : expected.schedule;
  const machine = new Machine(program, model, {}, replayOptions(expected.kind, flags.interpret === true));
  let replay: Replay;
  try {
    replay = new Replay(parseSchedule(machine, schedule));
  } catch (error) {
    if (error instanceof ScheduleError) return refuse(`the schedule does not fit the program: ${error.message}`);
    throw error;
  }
  let [found] = explore(machine, replay, expected.kind === 'race' ? { judge: judgeRaces } : {}).errors;
  if (found === undefined && expected.kind === 'liveness') {
    // Found by a search that wakes those who wait: they look once more at the end.
    machine.rollback(0);
    replay = new Replay(parseSchedule(machine, schedule), true);
    [found] = explore(machine, replay, { followers: [new Waker(machine)], maxDepth: replay.length + 10_000 }).errors;
  }
  if (found?.error.kind !== expected.kind || found.error.message !== expected.message) {
    const now = found === undefined ? 'no error' : printError(found.error);
    return refuse(
      `replay under ${model} gives ${now} instead of "${expected.kind}: ${expected.message}", after ${replay.taken} steps of the schedule; have the sources changed?`,
    );
  }
  const { schedule: _, originalSchedule: __, id: ___, ...error } = expected;
  const result: ModelResult = {
    model,
    verdict: { kind: 'violation' },
    how: 'explored',
    executions: 1,
    blocked: 0,
    blockedBy: { assume: 0, unroll: 0, spin: 0 },
    cutsIdleLoops: false,
    robust: null,
    errors: [{ error, schedule }],
    bounds: [],
    seconds: 0,
  };
  if (flags.step === true) {
    await stepThrough(new Stepper(machine, traceExecution(machine, schedule, sourceLines())));
    return result;
  }
  process.stdout.write(`${printCheck(failure.file, program, [result], sourceLines(), terminalOptions())}\n`);
  return result;
}
