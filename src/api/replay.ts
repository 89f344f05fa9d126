/** `replay`: runs the failing executions of a report again, step by step. */
import { explore } from '../explore/explore.ts';
import { Replay } from '../explore/replay.ts';
import { parseSchedule, ScheduleError } from '../explore/schedule.ts';
import type { Judge } from '../explore/tally.ts';
import { Waker } from '../explore/wake.ts';
import type { ProgramError } from '../machine/code/error.ts';
import { Machine } from '../machine/machine.ts';
import { readCompile } from '../options/kept.ts';
import type { ModelResult } from '../pipelines/model-run.ts';
import { marksOperations, ObservationSet, unendedOperation } from '../pipelines/observations.ts';
import { judgeRaces } from '../pipelines/races.ts';
import { replayOptions } from '../pipelines/shrink.ts';
import { isSameMessage, printError } from '../program/error-text.ts';
import type { Program } from '../program/ir.ts';
import { type Failure, failuresOf, type ReplayableReport } from '../report/replays.ts';
import type { CheckReport, ErrorReport } from '../report/schema.ts';
import { sourceLines } from '../report/source-lines.ts';
import { describeProgramChange, describeSourceChange, unreadableInput } from '../report/sources.ts';
import { reportCheck } from '../report/story/check-report.ts';
import { tell } from '../report/story/execution.ts';
import { Executions, isShown } from '../report/story/executions.ts';
import type { TraceReport } from '../report/trace-schema.ts';
import { ReplayError, UsageError } from './errors.ts';
import { loadProgram, withFiles, withOptimiser } from './program.ts';

export interface ReplayCallOptions {
  /** The text of the program, if the report is about a text. */
  readonly source?: string;
  /** Replay the executions as they were found, before they were simplified. */
  readonly original?: boolean;
  readonly interpret?: boolean;
  readonly clang?: string;
}

/**
 * Runs the failing executions of a report of `check`, `robust` or `hunt` again; one result for each. Throws a
 * `ReplayError` if one does not fail in the same way, an `InputError` if the program no longer compiles, and a
 * `UsageError` if the report is of another kind.
 */
export async function replay(
  report: ReplayableReport,
  options: ReplayCallOptions = {},
): Promise<readonly CheckReport[]> {
  const { source, original = false, interpret = false, clang } = options;
  const input = report?.input;
  if (!Array.isArray(input?.files)) throw new UsageError('replay takes a report of check, robust or hunt');
  const unreadable = source === undefined ? unreadableInput(input) : undefined;
  if (unreadable !== undefined) throw new UsageError(`the report cannot be replayed: ${unreadable}`);
  const program = source === undefined ? input.files : { source, name: input.files[0]! };
  return withFiles(program, 'program.c', async (files) => {
    const loaded = await loadProgram(files, { ...readCompile(input), ...(clang === undefined ? {} : { clang }) });
    const isText = source !== undefined;
    const change = (isText ? undefined : describeSourceChange(input)) ?? describeProgramChange(input, loaded.program);
    const isUnchanged = !isText && change === undefined && input.program !== undefined;
    const choices = { original, interpret, forPage: false };
    return failuresOf(report).map(
      (failure) =>
        replayOne(loaded.program, inFile(failure, files, isText), report, isUnchanged, { ...choices, ...loaded })
          .result,
    );
  });
}

/** If the program was given as text: the same failure, in the temporary file that has the text. */
function inFile(failure: Failure, [file]: readonly string[], isText: boolean): Failure {
  if (!isText) return failure;
  const { file: _, ...error } = failure.error;
  return { ...failure, file: file!, error: error as ErrorReport };
}

export interface Replayed {
  readonly machine: Machine;
  readonly schedule: string;
  /** Steps of the given schedule that come after the error. */
  readonly surplus: number;
  readonly result: CheckReport;
  /** The execution, if the machine is at its end. */
  readonly trace?: TraceReport;
}

interface ReplayChoice {
  readonly original: boolean;
  readonly interpret: boolean;
  readonly forPage: boolean;
  /** As in `ExecutionOptions`. */
  readonly asWritten?: () => Program;
}

/** Throws a `ReplayError`. */
export function replayOne(
  program: Program,
  failure: Failure,
  report: ReplayableReport,
  isUnchanged: boolean,
  choices: ReplayChoice,
): Replayed {
  const { file, model, error: expected } = failure;
  const judge = judgeOf(report, program, failure);
  const schedule = choices.original ? (expected.originalSchedule ?? expected.schedule) : expected.schedule;
  const machine = new Machine(program, model, {}, replayOptions(expected.kind, choices.interpret));
  const executions = new Executions(program, sourceLines(), choices);
  const options = judge === undefined ? {} : { judge };
  let again = parseReplay(machine, schedule);
  let told = isShown(schedule) ? tell(machine, again, executions.source, options) : undefined;
  let [found] = (told ?? explore(machine, again, options)).errors;
  if (found === undefined && expected.kind === 'liveness') {
    // Found by a search that wakes waiting threads: at the end, they check their condition once more, after the part
    // that is shown.
    told = undefined;
    machine.rollback(0);
    again = new Replay(parseSchedule(machine, schedule), true);
    [found] = explore(machine, again, { followers: [new Waker(machine)], maxDepth: again.length + 10_000 }).errors;
  }
  const isSamePlace = found?.error.file === expected.file && found?.error.line === expected.line;
  if (found === undefined || !isSameMessage(found.error, expected) || (isUnchanged && !isSamePlace)) {
    const now = found === undefined ? 'no error' : printError(found.error);
    const place = expected.file === undefined ? '' : ` at ${expected.file}:${expected.line}`;
    const why = isUnchanged
      ? 'the sources are unchanged, so the report must have been edited'
      : 'have the sources changed?';
    throw new ReplayError(
      `replay under ${model} gives ${now} instead of "${expected.kind}: ${expected.message}"${place}, after ${again.taken} steps of the schedule; ${why}`,
    );
  }
  const surplus = again.length - again.taken;
  const taken = surplus > 0 ? found.schedule : schedule;
  // The error as it is now: its line may differ from the one in the report.
  const failed = { error: isUnchanged ? withNotes(found.error, expected) : found.error, schedule: taken };
  const trace = told && executions.traceFailure(model, failed, told);
  const result: ModelResult = {
    model,
    verdict: { kind: 'violation' },
    how: 'explored',
    executions: 1,
    blocked: 0,
    blockedBy: { assume: 0, covered: 0, unroll: 0, spin: 0 },
    cutsIdleLoops: false,
    loops: [],
    robust: null,
    errors: [failed],
    boundedBy: [],
    bounds: [],
    warnings: [],
    seconds: 0,
  };
  const [shown] = withOptimiser([reportCheck(file, executions, result)], report.input);
  return { machine, schedule: taken, surplus, result: shown!, ...(trace === undefined ? {} : { trace }) };
}

/** The schedule of a report for this machine. Throws a `ReplayError`. */
export function parseReplay(machine: Machine, schedule: string): Replay {
  try {
    return new Replay(parseSchedule(machine, schedule));
  } catch (error) {
    if (error instanceof ScheduleError) {
      throw new ReplayError(`the schedule does not fit the program: ${error.message}`);
    }
    throw error;
  }
}

/** Detects errors that the machine itself does not, if the report's command did. */
function judgeOf(report: ReplayableReport, program: Program, { error }: Failure): Judge | undefined {
  if (error.kind === 'race') return judgeRaces;
  if (!marksOperations(program)) return undefined;
  const isJudged = report.command === 'hunt' || report.input.observations === true;
  return isJudged ? new ObservationSet(program).judge : unendedOperation;
}

/** What the search found out about the error stays true while the sources are unchanged. */
function withNotes(error: ProgramError, { notes }: ErrorReport): ProgramError {
  return notes === undefined ? error : { ...error, notes };
}
