/** `fencepost replay`: runs the execution of a saved report again, exactly. */
import type { Command } from 'commander';
import { explore } from '../../explore/explore.ts';
import { Replay } from '../../explore/replay.ts';
import { parseSchedule, ScheduleError } from '../../explore/schedule.ts';
import { Waker } from '../../explore/wake.ts';
import { printError } from '../../machine/error.ts';
import { Machine } from '../../machine/machine.ts';
import { MODELS } from '../../machine/memory/index.ts';
import type { Model } from '../../machine/memory/memory.ts';
import { printCheck } from '../../report/check.ts';
import type { CheckCommandReport, CheckReport } from '../../report/schema.ts';
import { SCHEMA } from '../../report/schema.ts';
import { interpretOption } from '../args.ts';
import { EXIT_USAGE, EXIT_VIOLATION, worstExit } from '../exit-codes.ts';
import { readText } from '../files.ts';
import { type CompileFlags, load, sourceLines } from './check.ts';

interface ReplayFlags {
  readonly clang?: string;
  readonly interpret?: boolean;
}

export function addReplayCommand(program: Command, finish: (exit: number) => void): void {
  program
    .command('replay')
    .summary('run the failing execution of a saved report again')
    .description(
      'Reads what `fencepost check --json` wrote, compiles the program again and replays each failing schedule.',
    )
    .argument('<report>', 'a JSON report of fencepost check')
    .option('--clang <which>', '"native", "npm" or the path of a clang')
    .addOption(interpretOption())
    .addHelpText(
      'after',
      '\nExit code: 1 the same error again; 2 the report is unusable, or the program no longer fits it;\n3 program not understood.',
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
  const failures = report.results.filter((r) => r.error !== undefined);
  if (failures.length === 0) return refuse(`${file}: the report has no failing execution`);
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

  const exits: number[] = [];
  for (const failure of failures) {
    if (failure.how === 'sc' && failure.model !== 'sc' && failures.some((f) => f.model === 'sc')) continue;
    exits.push(replayOne(loaded.program, failure, flags.interpret === true));
  }
  return worstExit(exits);
}

function replayOne(
  program: ConstructorParameters<typeof Machine>[0],
  failure: CheckReport,
  interpret: boolean,
): number {
  const model = (failure.how === 'sc' ? 'sc' : failure.model) as Model;
  const expected = failure.error!;
  // That a thread waits for ever shows only where waiting is known for what it is.
  const machine = new Machine(program, model, {}, { interpret, spin: expected.kind === 'liveness' });
  let replay: Replay;
  try {
    replay = new Replay(parseSchedule(machine, expected.schedule));
  } catch (error) {
    if (error instanceof ScheduleError) return refuse(`the schedule does not fit the program: ${error.message}`);
    throw error;
  }
  let [found] = explore(machine, replay).errors;
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
    warnings: [],
    seconds: 0,
  } as const;
  process.stdout.write(`${printCheck(failure.file, program, [result], sourceLines())}\n`);
  return EXIT_VIOLATION;
}

/** The report, or what is wrong with it. */
function parseReport(text: string): CheckCommandReport | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'not a JSON document';
  }
  if (!isRecord(value) || value['schema'] !== SCHEMA) return `not a report of version ${SCHEMA}`;
  if (value['command'] !== 'check') return 'not a report of fencepost check';
  const { input, results } = value;
  if (!isRecord(input) || !Array.isArray(results)) return 'the report is incomplete';
  const isSound = isSoundInput(input) && results.every(isSoundResult);
  return isSound ? (value as unknown as CheckCommandReport) : 'the report is damaged';
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
  const { error } = result;
  if (error === undefined) return true;
  return isRecord(error) && ['schedule', 'kind', 'message'].every((name) => typeof error[name] === 'string');
}
