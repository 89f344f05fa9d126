/**
 * C programs in tests: from source text to a program, and from a program to what the tool says about it.
 *
 * Sources are written to a folder named after their contents, so that the next test file and the next run find the IR
 * in the cache; several programs can share one translation unit, distinguished by `entry`.
 */

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { Enumerator } from '../../src/explore/enumerator.ts';
import { Exhaustive } from '../../src/explore/exhaustive.ts';
import { type ExplorationResult, explore, type FoundError } from '../../src/explore/explore.ts';
import { Replay } from '../../src/explore/replay.ts';
import { parseSchedule } from '../../src/explore/schedule.ts';
import { isSame } from '../../src/explore/shrink.ts';
import type { Strategy } from '../../src/explore/strategy.ts';
import { type CProgramOptions, type LinkedCProgram, linkCProgram } from '../../src/frontend/llvm/c-program.ts';
import type { CompileOptions } from '../../src/frontend/llvm/clang/clang-flags.ts';
import { CompileError } from '../../src/frontend/llvm/clang/compile-error.ts';
import { HEADERS } from '../../src/frontend/llvm/clang/library.ts';
import type { ProgramError } from '../../src/machine/code/error.ts';
import { programError } from '../../src/machine/describe/program-error.ts';
import { Machine } from '../../src/machine/machine.ts';
import { type CheckedModel, type Model, modelsWith } from '../../src/models/index.ts';
import type { CheckOptions } from '../../src/options/check.ts';
import { CheckRun } from '../../src/pipelines/check.ts';
import type { ModelResult } from '../../src/pipelines/model-run.ts';
import { ObservationSet, unendedOperation } from '../../src/pipelines/observations.ts';
import { judgeRaces } from '../../src/pipelines/races.ts';
import { replayOptions } from '../../src/pipelines/shrink.ts';
import type { Program } from '../../src/program/ir.ts';
import { traceExecution } from '../../src/report/story/execution.ts';
import type { TraceReport } from '../../src/report/trace-schema.ts';
import { withoutCode } from '../../src/util/code-text.ts';

export type { CheckedModel };
export const MODELS: readonly CheckedModel[] = modelsWith('dpor');

const ROOT = join(tmpdir(), `fencepost-c-tests-${userInfo().uid}`);

// The cache of the tests, also for the commands that they start: the user's cache is neither read nor written.
process.env['XDG_CACHE_HOME'] = join(ROOT, 'cache');

/** Run by the plain interpreter, without generated code: see CONTRIBUTING.md. */
const INTERPRET = process.env['INTERPRET'] === '1';

/** One file, or several by name; the program is named after the first. */
export type Sources = string | Readonly<Record<string, string | Uint8Array>>;

/** The folder with these files, the same one whenever the contents are the same. */
export function sourceFolder(sources: Sources): string {
  const files = Object.entries(typeof sources === 'string' ? { 'test.c': sources } : sources);
  const hash = createHash('sha256');
  for (const [name, contents] of files) hash.update(`${name}\0${contents.length}\0`).update(contents);
  const folder = join(ROOT, hash.digest('hex').slice(0, 16));
  if (existsSync(folder)) return folder;
  const scratch = `${folder}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  for (const [name, contents] of files) {
    mkdirSync(dirname(join(scratch, name)), { recursive: true });
    writeFileSync(join(scratch, name), contents);
  }
  try {
    renameSync(scratch, folder);
  } catch (error) {
    // Another test file has created it in the meantime.
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

export interface CompileInTest extends Partial<CProgramOptions> {
  /** Which of the files to compile; by default all except headers. */
  readonly files?: readonly string[];
}

const linked = new Map<string, Promise<LinkedCProgram>>();
const programs = new Map<string, Promise<Program>>();

function once<T>(known: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  let value = known.get(key);
  if (value === undefined) {
    value = make();
    known.set(key, value);
  }
  return value;
}

/** Drops the programs of a finished test file, which are not used again: large workers take long to start clang. */
export function forgetPrograms(): void {
  linked.clear();
  programs.clear();
}

/**
 * Compiles with the available clang. The same sources and options give the same program object; for other entries and
 * arguments the files are not read again.
 */
export function compileC(sources: Sources, options: CompileInTest = {}): Promise<Program> {
  const { files, ...rest } = options;
  const folder = sourceFolder(sources);
  const names = files ?? (typeof sources === 'string' ? ['test.c'] : Object.keys(sources)).filter(isSource);
  return loadFiles(
    names.map((name) => join(folder, name)),
    rest,
  );
}

/** The same for files that already exist. */
export function loadFiles(paths: readonly string[], options: Partial<CProgramOptions> = {}): Promise<Program> {
  const { entry = 'main', arguments: args = [], ...compile } = options;
  const how = JSON.stringify([paths, compile]);
  const link = (): Promise<LinkedCProgram> =>
    linkCProgram(paths, { ...PLAIN, ...compile }).catch((error) => {
      if (error instanceof CompileError) error.message += `\n${error.diagnostics}`;
      throw error;
    });
  return once(programs, JSON.stringify([how, entry, args]), async () =>
    (await once(linked, how, link)).start(entry, args),
  );
}

/** The default compile options. */
export const PLAIN: CompileOptions = {
  defines: [],
  undefines: [],
  includePaths: [],
  includes: [],
  cache: true,
  headers: HEADERS,
};

function isSource(name: string): boolean {
  return /\.(c|cpp|i|ll|bc)$/.test(name);
}

/** The compilation error; fails if there is none. */
export async function refusal(sources: Sources, options: CompileInTest = {}): Promise<Error> {
  try {
    await compileC(sources, options);
  } catch (error) {
    return error as Error;
  }
  throw new Error('was compiled without complaint');
}

/** What `fencepost check` finds under one model; advice, which takes many searches, only if it is asked for. */
export function check(program: Program, model: Model, options: Partial<CheckOptions> = {}): ModelResult {
  return checkAll(program, { ...options, models: [model] })[0]!;
}

/** The same under several models, where the verdict of one may follow from another. */
export function checkAll(
  program: Program,
  options: Partial<CheckOptions> & Pick<CheckOptions, 'models'>,
): readonly ModelResult[] {
  const run = new CheckRun(program, checkOptions(options));
  while (!run.advance(1_000_000));
  for (const result of run.results) {
    const where = result.how === 'sc' ? 'sc' : result.model;
    for (const found of result.errors.slice(0, MAX_REPLAYS)) assertReplays(program, where, found, options);
  }
  return run.results;
}

export function checkOptions(options: Partial<CheckOptions> & Pick<CheckOptions, 'models'>): CheckOptions {
  return {
    strategy: 'exhaustive',
    preemptions: 2,
    seed: 1,
    maxExecutions: undefined,
    maxSteps: undefined,
    maxStates: 1_000_000,
    keepGoing: false,
    races: false,
    advice: false,
    interpret: INTERPRET,
    ...options,
  };
}

/** Errors to replay per result; the others are assumed to replay as well. */
const MAX_REPLAYS = 3;

/** Every error that a test finds must be reproduced from its schedule alone. */
function assertReplays(
  program: Program,
  model: Model,
  { error, schedule }: FoundError,
  { strategy = 'exhaustive', observations }: Partial<CheckOptions>,
): void {
  // Searches that wake waiting threads end elsewhere than the schedule; the command treats these specially.
  if (error.kind === 'liveness' && (strategy === 'random' || strategy === 'bounded')) return;
  const machine = new Machine(program, model, {}, replayOptions(error.kind, false));
  const replay = new Replay(parseSchedule(machine, schedule));
  const judge =
    error.kind === 'race' ? judgeRaces : observations === true ? new ObservationSet(program).judge : unendedOperation;
  const [again] = explore(machine, replay, { judge }).errors;
  if (again === undefined || !isSame(again.error, error) || replay.taken !== replay.length) {
    throw new Error(`"${schedule}" replays to ${JSON.stringify(again)}, not to ${JSON.stringify(error)}`);
  }
}

/** `verified`, `inconclusive`, or what `errorText` says. */
export function verdict({ verdict, errors }: ModelResult): string {
  return verdict.kind === 'violation' ? errorText(errors[0]!.error) : verdict.kind;
}

/** An error in plain text, without its place: a memory error does not name the object missed, a deadlock no places. */
export function errorText({ kind, message: sentence }: ProgramError): string {
  const message = withoutCode(sentence);
  if (kind === 'memory') return `${kind}: ${message.replace(/[,:;(].*$/s, '').trim()}`;
  return `${kind}: ${kind === 'deadlock' ? message.replace(/ \([^()]*:\d+:\d+\)/g, '') : message}`;
}

/** The failing execution of a result, event by event. */
export function failureTrace(program: Program, result: ModelResult): TraceReport {
  const [found] = result.errors;
  if (found === undefined) throw new Error(`no error: ${result.verdict.kind}`);
  return traceExecution(new Machine(program, result.model), found.schedule);
}

export interface Enumerated extends ExplorationResult {
  /** The values of the globals asked for at the end of every complete execution, as `a b c`. */
  readonly outcomes: readonly string[];
  /** What executions printed, each once. */
  readonly outputs: readonly string[];
}

/**
 * All executions, up to equality of traces: with the memoising enumerator, which skips what it has seen before, or with
 * the plain exhaustive search.
 */
export function enumerate(
  program: Program,
  model: Model,
  globals: readonly string[] = [],
  makeStrategy: (machine: Machine) => Strategy = (machine) => new Enumerator(machine),
): Enumerated {
  const machine = new Machine(program, model, {}, { interpret: INTERPRET });
  const outcomes = new Set<string>();
  const outputs = new Set<string>();
  const result = explore(machine, makeStrategy(machine), {
    keepGoing: true,
    onExecution(_, outcome) {
      outputs.add(outputOf(machine));
      if (outcome === 'complete') outcomes.add(globals.map((name) => globalValue(machine, name)).join(' '));
    },
  });
  return { ...result, outcomes: [...outcomes].sort(), outputs: [...outputs].sort() };
}

export function exhausting(): Strategy {
  return new Exhaustive();
}

/** What the program has printed so far. */
export function outputOf(machine: Machine): string {
  return machine.printer.output.map(({ text }) => text).join('');
}

/** A global of up to 8 bytes, as a signed integer. */
export function globalValue(machine: Machine, name: string): bigint {
  const index = machine.program.globals.findIndex((global) => global.name === name);
  if (index < 0) throw new Error(`no global ${name}`);
  const { size } = machine.program.globals[index]!;
  const [low, high] = machine.global(index, 0, size);
  return size === 8 ? (BigInt(high) << 32n) | BigInt(low >>> 0) : BigInt(low);
}

/** Runs a program with one thread (the first enabled step is always taken) and returns what it printed. */
export function runAlone(program: Program, model: Model = 'sc'): string {
  const machine = new Machine(program, model, {}, { interpret: INTERPRET });
  const limit = 10_000_000;
  for (let steps = 0; machine.enabled() > 0 && steps < limit; steps++) machine.step(machine.steps.get(0));
  const { outcome } = machine;
  if (outcome !== 'complete') {
    const why = programError(machine) ?? machine.bound ?? '';
    throw new Error(
      `${outcome} ${JSON.stringify(why)} after ${machine.depth} steps and the output\n${outputOf(machine)}`,
    );
  }
  return outputOf(machine);
}
