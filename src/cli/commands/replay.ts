/** `fencepost replay`: replays the exact execution of a saved run or report. */
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { ReplayError } from '../../api/errors.ts';
import { readText } from '../../api/files.ts';
import { parseReplay, type Replayed, replayOne } from '../../api/replay.ts';
import { explore } from '../../explore/explore.ts';
import type { Replay } from '../../explore/replay.ts';
import type { CProgram } from '../../frontend/llvm/c-program.ts';
import { Machine } from '../../machine/machine.ts';
import type { Model } from '../../models/index.ts';
import { readCompile } from '../../options/kept.ts';
import { REPLAY, type ReplayChoices } from '../../options/others.ts';
import { replayOptions } from '../../pipelines/shrink.ts';
import { rememberStandardInput } from '../../platform/standard-input.ts';
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
import type { CheckReport } from '../../report/schema.ts';
import { sourceLines } from '../../report/source-lines.ts';
import { describeProgramChange, describeSourceChange, unreadableInput } from '../../report/sources.ts';
import { runsAlike, traceExecution } from '../../report/story/execution.ts';
import { plural, printable } from '../../report/text.ts';
import type { TraceReport } from '../../report/trace-schema.ts';
import { printCheck } from '../../report/writers/check.ts';
import { printShownCycle } from '../../report/writers/hunt.ts';
import { isAcyclic } from '../../trace/cycle.ts';
import { settle } from '../../trace/settle.ts';
import { ShashaSnirTrace } from '../../trace/shasha-snir.ts';
import { EXIT_USAGE, EXIT_VERIFIED, EXIT_VIOLATION, worstExit } from '../shared/exit-codes.ts';
import { graphProblem, writeGraph } from '../shared/graph.ts';
import { addHelpEnd, type HelpEnd } from '../shared/help.ts';
import { addOptions, type Flags, readOptions } from '../shared/options.ts';
import { writePage } from '../shared/page.ts';
import { load } from '../shared/program.ts';
import { Stepper, stepThrough } from '../shared/step.ts';
import { terminalOptions } from '../shared/terminal.ts';
import { PAGE, unwritable } from '../shared/unwritable.ts';

const HELP: HelpEnd = {
  exit:
    '0 cycle reproduced; 1 error reproduced; 2 the report cannot be used, or no longer fits the program; 3 invalid or ' +
    'unsupported program.',
  examples: [
    ['As the last line of check says:', 'fencepost replay fencepost-out/driver-2f6e4b'],
    ['Walk through it, forward and back:', 'fencepost replay fencepost-out/driver-2f6e4b --step'],
    [
      'From a JSON report, the execution under tso as a page:',
      'fencepost check driver.c --json > report.json',
      'fencepost replay report.json --model tso --html page.html',
    ],
  ],
  manual: ['docs/replay.md'],
};

export function addReplayCommand(program: Command, finish: (exit: number) => void): void {
  const command = program
    .command('replay')
    .summary('replay the failing execution of a saved run')
    .description(
      'Reads a run saved by `fencepost check`, robust or hunt (its folder, or --json output), compiles the program again ' +
        'and replays each failing schedule. Reports whether the sources have changed.',
    )
    .argument('<run>', 'a folder under fencepost-out, or a JSON report of fencepost check, robust or hunt');
  addHelpEnd(addOptions(command, REPLAY), HELP).action(async (file: string, flags: Flags) => {
    finish(await runReplayCommand(file, readOptions(flags, REPLAY)));
  });
}

/** Parts of the message may come from an untrusted file. */
function refuse(message: string): number {
  process.stderr.write(`fencepost: ${printable(message)}\n`);
  return EXIT_USAGE;
}

async function runReplayCommand(path: string, choices: ReplayChoices): Promise<number> {
  const badGraph = choices.graph === undefined ? undefined : graphProblem(choices.graph, path);
  const badPlace = badGraph ?? (choices.html === undefined ? undefined : unwritable(choices.html, [path], PAGE));
  if (badPlace !== undefined) return refuse(badPlace);
  const file = reportFile(path);
  const what = 'a folder under fencepost-out, or what check, robust or hunt wrote with --json';
  if (file !== path && !existsSync(file)) return refuse(`${path}: no run is saved in this folder; expected ${what}`);
  const read = readText(file);
  if ('problem' in read) return refuse(`${file}: ${read.problem}; expected ${what}`);
  const report = parseReport(read.text);
  if (typeof report === 'string') return refuse(`${file}: ${report}; expected ${what}`);
  const unreadable = unreadableInput(report.input);
  if (unreadable !== undefined) return refuse(`${file}: ${unreadable}`);
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
  // Said before compiling, which may fail because of the change.
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
        ? await replayFailure(loaded, replay, choices, report, isUnchanged)
        : await replayCycle(program, replay, choices);
    exits.push(typeof result === 'number' ? result : EXIT_VIOLATION);
    if (typeof result !== 'number') replayed.push(result);
  }
  if (!writePage(choices.html, { ...report, command: 'replay', results: replayed })) exits.push(EXIT_USAGE);
  return worstExit(exits);
}

/** Only the first execution is shown; this mentions the others. */
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

/** Replays an execution and confirms that it has the cycle. */
async function replayCycle(
  program: Program,
  { file, model, schedule, events }: ShownCycle,
  choices: ReplayChoices,
): Promise<number> {
  const machine = new Machine(program, model, {}, { interpret: choices.interpret });
  let replay: Replay;
  try {
    replay = parseReplay(machine, schedule);
  } catch (error) {
    if (error instanceof ReplayError) return refuse(error.message);
    throw error;
  }
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
  else
    process.stdout.write(
      `${printShownCycle(file, model, trace, events, { ...terminalOptions(), isFull: choices.full })}\n`,
    );
  return EXIT_VERIFIED;
}

async function replayFailure(
  { program, asWritten }: CProgram,
  failure: Failure,
  choices: ReplayChoices,
  report: ReplayableReport,
  isUnchanged: boolean,
): Promise<CheckReport | number> {
  let replayed: Replayed;
  try {
    replayed = replayOne(program, failure, report, isUnchanged, {
      ...choices,
      asWritten,
      forPage: choices.html !== undefined,
    });
  } catch (error) {
    if (error instanceof ReplayError) return refuse(error.message);
    throw error;
  }
  const { machine, schedule, surplus, result } = replayed;
  const traced = (): TraceReport => replayed.trace ?? traceExecution(machine, schedule, sourceLines());
  const { file, model } = failure;
  if (surplus > 0) {
    const steps = plural(surplus, 'step');
    process.stderr.write(`fencepost: skipped ${steps} after the error in the schedule under ${model}\n`);
  }
  if (choices.graph !== undefined) {
    const problem = writeGraph(choices.graph, file, model, machine, traced());
    if (problem !== undefined) return refuse(problem);
  }
  if (choices.step) {
    const trace = traced();
    // In the program as written, every local variable has its value.
    const plain = new Machine(asWritten(), model, {}, replayOptions(failure.error.kind, choices.interpret));
    await stepThrough(new Stepper(runsAlike(machine, plain, schedule) ? plain : machine, trace));
  } else process.stdout.write(`${printCheck([result], { ...terminalOptions(), isFull: choices.full })}\n`);
  return result;
}
