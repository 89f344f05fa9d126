/** `fencepost replay`: runs the execution of a saved report again, exactly. */
import type { Command } from 'commander';
import { explore } from '../../explore/explore.ts';
import { Replay } from '../../explore/replay.ts';
import { parseSchedule, ScheduleError } from '../../explore/schedule.ts';
import { Waker } from '../../explore/wake.ts';
import { type ProgramError, printError } from '../../machine/error.ts';
import { Machine } from '../../machine/machine.ts';
import { MODELS } from '../../machine/memory/index.ts';
import type { Model } from '../../machine/memory/memory.ts';
import { marksOperations, ObservationSet } from '../../observations.ts';
import type { Program } from '../../program/ir.ts';
import { printCheck } from '../../report/check.ts';
import { printShownCycle } from '../../report/hunt.ts';
import type { CheckCommandReport, ErrorReport, HuntCommandReport, HuntCycleReport } from '../../report/schema.ts';
import { SCHEMA } from '../../report/schema.ts';
import { isAcyclic } from '../../trace/cycle.ts';
import { settle } from '../../trace/settle.ts';
import { ShashaSnirTrace } from '../../trace/shasha-snir.ts';
import { interpretOption, parseCount } from '../args.ts';
import { EXIT_USAGE, EXIT_VERIFIED, EXIT_VIOLATION, worstExit } from '../exit-codes.ts';
import { readText } from '../files.ts';
import { type CompileFlags, load, sourceLines } from './check.ts';

type ReplayableReport = CheckCommandReport | HuntCommandReport;

interface ReplayFlags {
  readonly cycle?: number;
  readonly clang?: string;
  readonly interpret?: boolean;
}

export function addReplayCommand(program: Command, finish: (exit: number) => void): void {
  program
    .command('replay')
    .summary('run the failing execution of a saved report again')
    .description(
      'Reads what `fencepost check --json` or `fencepost hunt --json` wrote, compiles the program again and replays each ' +
        'failing schedule; of a hunt also the executions that show its cycles.',
    )
    .argument('<report>', 'a JSON report of fencepost check or hunt')
    .option('--cycle <n>', 'of a hunt: the n-th cycle of each result, whether it fails or not', parseCount)
    .option('--clang <which>', '"native", "npm" or the path of a clang')
    .addOption(interpretOption())
    .addHelpText(
      'after',
      '\nExit code: 1 the same error again; 0 the same cycle again; 2 the report is unusable, or the program no longer fits it;\n3 program not understood.',
    )
    .action(async (file: string, flags: ReplayFlags) => {
      finish(await runReplayCommand(file, flags));
    });
}

function refuse(message: string): number {
  process.stderr.write(`fencepost: ${message}\n`);
  return EXIT_USAGE;
}

async function runReplayCommand(file: string, flags: ReplayFlags): Promise<number> {
  const read = readText(file);
  if ('problem' in read) return refuse(`${file}: ${read.problem}`);
  const report = parseReport(read.text);
  if (typeof report === 'string') return refuse(`${file}: ${report}`);
  const replays = listReplays(report, flags.cycle);
  if (replays.length === 0) return refuse(`${file}: ${nothingToReplay(report, flags.cycle)}`);
  const { input } = report;
  const compile: CompileFlags = {
    define: input.defines,
    undefine: input.undefines,
    includePath: input.includePaths,
    include: input.includes,
    ...(input.standard === undefined ? {} : { std: input.standard }),
    ...(input.spurious === true ? { spurious: true } : {}),
    ...(flags.clang === undefined ? {} : { clang: flags.clang }),
    cache: true,
    entry: input.entry,
    arg: input.arguments,
  };
  const loaded = await load(input.files, compile);
  if ('problem' in loaded) return loaded.exit;

  const judge = isJudged(report, loaded.program) ? new ObservationSet(loaded.program).judge : undefined;
  const interpret = flags.interpret === true;
  return worstExit(
    replays.map((replay) =>
      'cycle' in replay
        ? replayCycle(loaded.program, replay, interpret)
        : replayFailure(loaded.program, replay, interpret, judge),
    ),
  );
}

type Judge = ((machine: Machine) => ProgramError | undefined) | undefined;

/** An execution that failed, or one that shows a cycle. */
interface Failure {
  readonly file: string;
  readonly model: Model;
  readonly error: ErrorReport;
}
interface ShownCycle {
  readonly file: string;
  readonly model: Model;
  readonly cycle: HuntCycleReport & { readonly schedule: string; readonly events: readonly string[] };
}

function listReplays(report: ReplayableReport, number: number | undefined): readonly (Failure | ShownCycle)[] {
  if (number !== undefined) return report.command === 'hunt' ? listCycles(report, number) : [];
  const failures = report.results.filter((r) => r.error !== undefined);
  // What is wrong under SC already is the same execution under every model.
  const ofSc = failures.find((f) => f.model === 'sc') ?? failures.find((f) => f.how === 'sc');
  return failures
    .filter((f) => f.how !== 'sc' || f === ofSc)
    .map(({ file, how, model, error }) => ({ file, model: (how === 'sc' ? 'sc' : model) as Model, error: error! }));
}

function listCycles({ results }: HuntCommandReport, number: number): readonly ShownCycle[] {
  return results.flatMap(({ file, model, cycles }) => {
    const cycle = cycles[number - 1];
    const { schedule, events } = cycle ?? {};
    if (cycle === undefined || schedule === undefined || events === undefined) return [];
    return [{ file, model: model as Model, cycle: { ...cycle, schedule, events } }];
  });
}

function nothingToReplay(report: ReplayableReport, number: number | undefined): string {
  if (number === undefined) {
    const hint = report.command === 'hunt' ? '; --cycle 1 replays the first cycle that was confirmed' : '';
    return `the report has no failing execution${hint}`;
  }
  if (report.command !== 'hunt') return '--cycle is for reports of fencepost hunt';
  return `no result of the report has a confirmed cycle number ${number}`;
}

/** Whether results of operations were compared with those of serial executions. */
function isJudged(report: ReplayableReport, program: Program): boolean {
  return marksOperations(program) && (report.command === 'hunt' || report.input.observations === true);
}

/** The schedule of a report on this machine, or a refusal that has been said. */
function parse(machine: Machine, schedule: string, goesOn = false): Replay | number {
  try {
    return new Replay(parseSchedule(machine, schedule), goesOn);
  } catch (error) {
    if (error instanceof ScheduleError) return refuse(`the schedule does not fit the program: ${error.message}`);
    throw error;
  }
}

/** Shows an execution with a cycle again, and that it still is one. */
function replayCycle(program: Program, { file, model, cycle }: ShownCycle, interpret: boolean): number {
  const machine = new Machine(program, model, {}, { interpret });
  const replay = parse(machine, cycle.schedule);
  if (typeof replay === 'number') return replay;
  explore(machine, replay);
  const isWhole = replay.taken === replay.length;
  if (!isWhole || isAcyclic(new ShashaSnirTrace(settle(machine.events), machine.processes))) {
    return refuse(
      `replay under ${model} does not show the cycle: ${replay.taken} of ${replay.length} steps could be taken; have the sources changed?`,
    );
  }
  process.stdout.write(`${printShownCycle(file, machine, cycle.schedule, cycle.events, sourceLines())}\n`);
  return EXIT_VERIFIED;
}

function replayFailure(
  program: Program,
  { file, model, error: expected }: Failure,
  interpret: boolean,
  judge: Judge,
): number {
  // That a thread waits for ever shows only where waiting is known for what it is.
  const machine = new Machine(program, model, {}, { interpret, spin: expected.kind === 'liveness' });
  let replay = parse(machine, expected.schedule);
  if (typeof replay === 'number') return replay;
  let [found] = explore(machine, replay, judge === undefined ? {} : { judge }).errors;
  if (found === undefined && expected.kind === 'liveness') {
    // Found by a search that wakes those who wait: they look once more at the end.
    machine.rollback(0);
    replay = new Replay(parseSchedule(machine, expected.schedule), true);
    [found] = explore(machine, replay, { followers: [new Waker(machine)], maxDepth: replay.length + 10_000 }).errors;
  }
  const isSame =
    expected.kind === 'race' || (found?.error.kind === expected.kind && found.error.message === expected.message);
  if (!isSame) {
    const now = found === undefined ? 'no error' : printError(found.error);
    return refuse(
      `replay under ${model} gives ${now} instead of "${expected.kind}: ${expected.message}", after ${replay.taken} steps of the schedule; have the sources changed?`,
    );
  }
  const { schedule, ...error } = expected;
  const result = {
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
  } as const;
  process.stdout.write(`${printCheck(file, program, [result], sourceLines())}\n`);
  return EXIT_VIOLATION;
}

/** The report, or what is wrong with it. */
function parseReport(text: string): ReplayableReport | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'not a JSON document';
  }
  if (!isRecord(value) || value['schema'] !== SCHEMA) return `not a report of version ${SCHEMA}`;
  if (value['command'] !== 'check' && value['command'] !== 'hunt') return 'not a report of fencepost check or hunt';
  const { input, results } = value;
  if (!isRecord(input) || !Array.isArray(results)) return 'the report is incomplete';
  const isSound = isSoundInput(input) && results.every(isSoundResult);
  return isSound ? (value as unknown as ReplayableReport) : 'the report is damaged';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isSoundInput(input: Record<string, unknown>): boolean {
  const lists = ['files', 'arguments', 'defines', 'undefines', 'includePaths', 'includes'];
  const hasStandard = input['standard'] === undefined || typeof input['standard'] === 'string';
  const hasSpurious = input['spurious'] === undefined || input['spurious'] === true;
  const files = input['files'];
  return (
    lists.every((name) => isTexts(input[name])) &&
    Array.isArray(files) &&
    files.length > 0 &&
    typeof input['entry'] === 'string' &&
    hasStandard &&
    hasSpurious
  );
}

function isSoundResult(result: unknown): boolean {
  if (!isRecord(result) || !MODELS.includes(result['model'] as Model) || typeof result['file'] !== 'string')
    return false;
  const { error, cycles } = result;
  if (cycles !== undefined && !(Array.isArray(cycles) && cycles.every(isSoundCycle))) return false;
  if (error === undefined) return true;
  return isRecord(error) && ['schedule', 'kind', 'message'].every((name) => typeof error[name] === 'string');
}

function isSoundCycle(cycle: unknown): boolean {
  if (!isRecord(cycle)) return false;
  const { schedule, events } = cycle;
  return schedule === undefined ? events === undefined : typeof schedule === 'string' && isTexts(events);
}
