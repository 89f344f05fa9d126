/** `fencepost replay`: replays the execution of a saved run or report exactly. */
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { explore } from '../../explore/explore.ts';
import { Replay } from '../../explore/replay.ts';
import { parseSchedule, ScheduleError } from '../../explore/schedule.ts';
import type { Judge } from '../../explore/tally.ts';
import { Waker } from '../../explore/wake.ts';
import type { ProgramError } from '../../machine/code/error.ts';
import { Machine } from '../../machine/machine.ts';
import type { Model } from '../../models/index.ts';
import { readCompile } from '../../options/kept.ts';
import type { KeptCompile } from '../../options/kept-compile.ts';
import { REPLAY, type ReplayChoices } from '../../options/others.ts';
import type { ModelResult } from '../../pipelines/model-run.ts';
import { marksOperations, ObservationSet, unendedOperation } from '../../pipelines/observations.ts';
import { judgeRaces } from '../../pipelines/races.ts';
import { replayOptions } from '../../pipelines/shrink.ts';
import { rememberStandardInput } from '../../platform/standard-input.ts';
import { printError } from '../../program/error-text.ts';
import type { Program } from '../../program/ir.ts';
import { parseReport } from '../../report/read-report.ts';
import {
  cyclesOf,
  type Failure,
  failuresOf,
  numbered,
  type ReplayableReport,
  type ShownCycle,
} from '../../report/replays.ts';
import { reportFile } from '../../report/run-folder.ts';
import type { CheckReport, ErrorReport } from '../../report/schema.ts';
import { sourceLines } from '../../report/source-lines.ts';
import { describeProgramChange, describeSourceChange } from '../../report/sources.ts';
import { reportCheck } from '../../report/story/check-report.ts';
import { traceExecution } from '../../report/story/execution.ts';
import { Executions } from '../../report/story/executions.ts';
import { plural, printable } from '../../report/text.ts';
import { printCheck } from '../../report/writers/check.ts';
import { printShownCycle } from '../../report/writers/hunt.ts';

import { isAcyclic } from '../../trace/cycle.ts';
import { settle } from '../../trace/settle.ts';
import { ShashaSnirTrace } from '../../trace/shasha-snir.ts';
import { EXIT_USAGE, EXIT_VERIFIED, EXIT_VIOLATION, worstExit } from '../shared/exit-codes.ts';

import { readText } from '../shared/files.ts';
import { graphProblem, writeGraph } from '../shared/graph.ts';
import { addOptions, type Flags, readOptions } from '../shared/options.ts';
import { writePage } from '../shared/page.ts';
import { load, withOptimiser } from '../shared/program.ts';
import { Stepper, stepThrough } from '../shared/step.ts';
import { terminalOptions } from '../shared/terminal.ts';

export function addReplayCommand(program: Command, finish: (exit: number) => void): void {
  const command = program
    .command('replay')
    .summary('replay the failing execution of a saved run')
    .description(
      'Reads a run saved by `fencepost check`, robust or hunt (its folder, or --json output), compiles the program again ' +
        'and replays each failing schedule. Reports whether the sources have changed.',
    )
    .argument('<run>', 'a folder under fencepost-out, or a JSON report of fencepost check, robust or hunt');
  addOptions(command, REPLAY)
    .addHelpText(
      'after',
      '\nExit code: 1 the same error again; 0 the same cycle again; 2 unusable report, or it no longer fits the\n' +
        'program; 3 invalid or unsupported program.\n\n' +
        'Example:\n  fencepost replay fencepost-out/store-buffering-2f6e4b --step',
    )
    .action(async (file: string, flags: Flags) => {
      finish(await runReplayCommand(file, readOptions(flags, REPLAY)));
    });
}

/** Parts of a message may come from an untrusted file. */
function refuse(message: string): number {
  process.stderr.write(`fencepost: ${printable(message)}\n`);
  return EXIT_USAGE;
}

async function runReplayCommand(path: string, choices: ReplayChoices): Promise<number> {
  const badGraph = choices.graph === undefined ? undefined : graphProblem(choices.graph);
  if (badGraph !== undefined) return refuse(badGraph);
  const file = reportFile(path);
  const what = 'a folder under fencepost-out, or what check, robust or hunt wrote with --json';
  if (file !== path && !existsSync(file)) return refuse(`${path}: no run is saved in this folder; expected ${what}`);
  const read = readText(file);
  if ('problem' in read) return refuse(`${file}: ${read.problem}; expected ${what}`);
  const report = parseReport(read.text);
  if (typeof report === 'string') return refuse(`${file}: ${report}; expected ${what}`);
  const all: readonly (Failure | ShownCycle)[] =
    choices.cycle === undefined ? failuresOf(report) : cyclesOf(report, choices.cycle);
  if (all.length === 0) return refuse(`${file}: ${nothingToReplay(report, choices.cycle)}`);
  const { error: number } = choices;
  const replays = (number === undefined ? all : numbered(all, number)).filter((r) => choices.models.includes(r.model));
  if (replays.length === 0 && all.some((r) => choices.models.includes(r.model))) {
    return refuse(`${file}: no model has a failing execution number ${number}`);
  }
  if (replays.length === 0) {
    const models = [...new Set(all.map((r) => r.model))].join(', ');
    return refuse(`${file}: nothing to replay under ${choices.models.join(', ')}, only under ${models}`);
  }
  const say = (change: string | undefined): void => {
    if (change !== undefined) process.stderr.write(`fencepost: ${printable(change)}; trying anyway\n`);
  };
  if (report.input.stdinSource !== undefined) rememberStandardInput(Buffer.from(report.input.stdinSource));
  // Before compiling, which may fail for that reason.
  const sourceChange = describeSourceChange(report.input);
  say(sourceChange);
  const loaded = await load(report.input.files, {
    ...readCompile(report.input),
    ...(choices.clang === undefined ? {} : { clang: choices.clang }),
  });
  if ('problem' in loaded) return loaded.exit;
  const { program } = loaded;
  const change = sourceChange ?? describeProgramChange(report.input, program);
  if (sourceChange === undefined) say(change);
  const isUnchanged = change === undefined && report.input.program !== undefined;

  const exits: number[] = [];
  const replayed: CheckReport[] = [];
  const isOne = choices.step || choices.graph !== undefined;
  if (isOne && replays.length > 1) process.stderr.write(`fencepost: ${othersText(replays)}\n`);
  for (const replay of isOne ? replays.slice(0, 1) : replays) {
    const result =
      'error' in replay
        ? await replayFailure(program, replay, choices, judgeOf(report, program, replay), isUnchanged, report.input)
        : await replayCycle(program, replay, choices);
    exits.push(typeof result === 'number' ? result : EXIT_VIOLATION);
    if (typeof result !== 'number') replayed.push(result);
  }
  if (!writePage(choices.html, { ...report, command: 'replay', results: replayed })) exits.push(EXIT_USAGE);
  return worstExit(exits);
}

/** Of these, only the first is shown. */
function othersText([shown, ...others]: readonly { readonly model: Model }[]): string {
  const models = [...new Set(others.map(({ model }) => model))];
  const counts = models.map((model) => `${others.filter((r) => r.model === model).length} under ${model}`);
  const what =
    others.length === 1
      ? `there is another execution, under ${models[0]}; choose it`
      : `there are ${others.length} other executions: ${counts.join(', ')}; choose one`;
  const needsNumber = models.some((m) => m === shown!.model || others.filter((r) => r.model === m).length > 1);
  return `${what} with --model${needsNumber ? ' and --error' : ''}`;
}

function nothingToReplay(report: ReplayableReport, number: number | undefined): string {
  if (number === undefined) {
    const hint = report.command === 'check' ? '' : '; --cycle 1 replays the first cycle';
    return `the report has no failing execution${hint}`;
  }
  if (report.command === 'check') return '--cycle is for reports of fencepost robust and hunt';
  return `no result of the report has a cycle number ${number} with an execution`;
}

/** Detects errors that the machine does not detect, if the report's command did. */
function judgeOf(report: ReplayableReport, program: Program, { error }: Failure): Judge | undefined {
  if (error.kind === 'race') return judgeRaces;
  if (!marksOperations(program)) return undefined;
  const isJudged = report.command === 'hunt' || report.input.observations === true;
  return isJudged ? new ObservationSet(program).judge : unendedOperation;
}

/** What a search has found out about the error stays true as long as the sources are the same. */
function withNotes(error: ProgramError, { notes }: ErrorReport): ProgramError {
  return notes === undefined ? error : { ...error, notes };
}

/** The schedule of a report for this machine, or the exit code of a refusal already printed. */
function parse(machine: Machine, schedule: string, goesOn = false): Replay | number {
  try {
    return new Replay(parseSchedule(machine, schedule), goesOn);
  } catch (error) {
    if (error instanceof ScheduleError) return refuse(`the schedule does not fit the program: ${error.message}`);
    throw error;
  }
}

/** Replays an execution with a cycle, and confirms the cycle. */
async function replayCycle(
  program: Program,
  { file, model, schedule, events }: ShownCycle,
  choices: ReplayChoices,
): Promise<number> {
  const machine = new Machine(program, model, {}, { interpret: choices.interpret });
  const replay = parse(machine, schedule);
  if (typeof replay === 'number') return replay;
  explore(machine, replay);
  const isWhole = replay.taken === replay.length;
  if (!isWhole || isAcyclic(new ShashaSnirTrace(settle(machine.events), machine.processes))) {
    return refuse(
      `replay under ${model} does not show the cycle: ${replay.taken} of ${replay.length} steps could be taken; have the sources changed?`,
    );
  }
  const trace = traceExecution(machine, schedule, sourceLines());
  const problem = choices.graph && writeGraph(choices.graph, file, model, machine, trace);
  if (problem) return refuse(problem);
  if (choices.step) await stepThrough(new Stepper(machine, trace));
  else process.stdout.write(`${printShownCycle(file, model, trace, events, terminalOptions())}\n`);
  return EXIT_VERIFIED;
}

async function replayFailure(
  program: Program,
  { file, model, error: expected }: Failure,
  choices: ReplayChoices,
  judge: Judge | undefined,
  isUnchanged: boolean,
  input: KeptCompile,
): Promise<CheckReport | number> {
  const schedule = choices.original ? (expected.originalSchedule ?? expected.schedule) : expected.schedule;
  const machine = new Machine(program, model, {}, replayOptions(expected.kind, choices.interpret));
  let replay = parse(machine, schedule);
  if (typeof replay === 'number') return replay;
  let [found] = explore(machine, replay, judge === undefined ? {} : { judge }).errors;
  if (found === undefined && expected.kind === 'liveness') {
    // Found by a search that wakes waiting threads: they check once more at the end.
    machine.rollback(0);
    replay = new Replay(parseSchedule(machine, schedule), true);
    [found] = explore(machine, replay, { followers: [new Waker(machine)], maxDepth: replay.length + 10_000 }).errors;
  }
  const isSamePlace = found?.error.file === expected.file && found?.error.line === expected.line;
  if (
    found?.error.kind !== expected.kind ||
    found.error.message !== expected.message ||
    (isUnchanged && !isSamePlace)
  ) {
    const now = found === undefined ? 'no error' : printError(found.error);
    const place = expected.file === undefined ? '' : ` at ${expected.file}:${expected.line}`;
    const why = isUnchanged
      ? 'the sources are unchanged, so the report must have been edited'
      : 'have the sources changed?';
    return refuse(
      `replay under ${model} gives ${now} instead of "${expected.kind}: ${expected.message}"${place}, after ${replay.taken} steps of the schedule; ${why}`,
    );
  }
  const surplus = replay.length - replay.taken;
  const taken = surplus > 0 ? found.schedule : schedule;
  if (surplus > 0) {
    const steps = plural(surplus, 'step');
    process.stderr.write(`fencepost: skipped ${steps} after the error in the schedule under ${model}\n`);
  }
  const result: ModelResult = {
    model,
    verdict: { kind: 'violation' },
    how: 'explored',
    executions: 1,
    blocked: 0,
    blockedBy: { assume: 0, unroll: 0, spin: 0 },
    cutsIdleLoops: false,
    loops: [],
    robust: null,
    // As it is now: its line may differ from the one in the report.
    errors: [{ error: isUnchanged ? withNotes(found.error, expected) : found.error, schedule: taken }],
    boundedBy: [],
    bounds: [],
    warnings: [],
    seconds: 0,
  };
  const executions = new Executions(program, sourceLines(), { forPage: choices.html !== undefined });
  const [report] = withOptimiser([reportCheck(file, executions, result)], input);
  if (choices.graph !== undefined) {
    const trace = traceExecution(machine, taken, sourceLines());
    const problem = writeGraph(choices.graph, file, model, machine, trace);
    if (problem !== undefined) return refuse(problem);
  }
  if (choices.step) await stepThrough(new Stepper(machine, traceExecution(machine, taken, sourceLines())));
  else process.stdout.write(`${printCheck([report!], terminalOptions())}\n`);
  return report!;
}
