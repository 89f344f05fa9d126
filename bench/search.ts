/** Shared by the suites about searches: a C program, a search of all its traces, and the time it took. */
import { fileURLToPath } from 'node:url';
import { MachineDpor } from '../src/explore/dpor/machine/machine-dpor.ts';
import { Exploration, type ExplorationResult } from '../src/explore/explore.ts';
import { axiomsOf } from '../src/explore/graph/axioms.ts';
import { GraphSearch } from '../src/explore/graph/search.ts';
import type { Strategy } from '../src/explore/strategy.ts';
import { loadCProgram } from '../src/frontend/llvm/c-program.ts';
import { HEADERS } from '../src/frontend/llvm/clang/library.ts';
import { Machine } from '../src/machine/machine.ts';
import type { Model } from '../src/models/index.ts';
import type { Program } from '../src/program/ir.ts';

/** CPU seconds of this process: less affected by other work on the machine than wall-clock time. */
export function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Files are relative to `programs/`. */
export async function loadProgram(
  files: readonly string[],
  defines: readonly string[],
  options: { readonly junk?: boolean } = {},
): Promise<Program> {
  const paths = files.map((file) => fileURLToPath(new URL(file, new URL('../programs/', import.meta.url))));
  const { program } = await loadCProgram(paths, {
    defines,
    undefines: [],
    includePaths: [],
    includes: [],
    cache: true,
    headers: HEADERS,
    entry: 'main',
    arguments: [],
    ...options,
  });
  return program;
}

export interface SearchOptions {
  /** Omit loop iterations that only wait. */
  readonly spin?: boolean;
  readonly maxExecutions?: number;
  /** One search only, without a warm-up; the rates then mean little. */
  readonly once?: true;
}

export interface Rates {
  readonly executions: number;
  readonly events: number;
  readonly steps: number;
}

export interface Search {
  readonly result: ExplorationResult;
  /** Largest number of nodes that the wakeup tree had. */
  readonly largestTree: number;
  /** Total length of all executions; `result.steps` counts only the steps actually run, not the reused prefixes. */
  readonly events: number;
  /** Per CPU second, once the engine has compiled the hot code: of the median turn by speed. */
  readonly rates: Rates;
  /** Of the fastest turn: other load, for example on the sibling hyperthread, can only slow a turn down. */
  readonly best: Rates;
}

/** CPU seconds of warm-up before measuring. */
const WARM_UP = 2;
/** A faster search is repeated until it takes long enough to be measured. */
const LEAST = 0.3;
/** Measures this many turns, or until they have taken this many CPU seconds. */
const TURNS = 7;
const LONG = 10;
const SLICE_STEPS = 10_000;

/** Every trace of `programs/scale/NAME.c` for this N, with Optimal-DPOR, several times. */
export async function searchScaled(
  name: string,
  n: number,
  model: Model,
  options: SearchOptions = {},
): Promise<Search> {
  return searchFile(`scale/${name}.c`, n, model, options, (machine) => new MachineDpor(machine, 'optimal'));
}

/** The search over execution graphs, by the axioms of the machine's model. */
export function graphSearch(machine: Machine): GraphSearch {
  return new GraphSearch(machine, axiomsOf(machine.description));
}

/** The same for any file, relative to `programs/`, and any search. */
export async function searchFile(
  file: string,
  n: number,
  model: Model,
  options: SearchOptions,
  makeStrategy: Make,
): Promise<Search> {
  const program = await loadProgram([file], [`N=${n}`]);
  const machine = new Machine(program, model, {}, { spin: options.spin ?? true });
  const start = cpuSeconds();
  while (options.once !== true && cpuSeconds() - start < WARM_UP)
    runOnce(machine, options, makeStrategy, start + WARM_UP);
  const turns: Turn[] = [];
  do {
    turns.push(takeTurn(machine, options, makeStrategy));
  } while (
    options.once !== true &&
    turns.length < TURNS &&
    turns.reduce((sum, { seconds }) => sum + seconds, 0) < LONG
  );
  turns.sort((x, y) => x.seconds / x.executions - y.seconds / y.executions);
  const middle = turns[turns.length >> 1]!;
  const { result, largestTree, events } = middle.last;
  return { result, largestTree, events, rates: ratesOf(middle), best: ratesOf(turns[0]!) };
}

type Once = Pick<Search, 'result' | 'largestTree' | 'events'> & { readonly seconds: number };

/** The same search, once or several times. */
interface Turn extends Rates {
  readonly seconds: number;
  readonly last: Once;
}

type Make = (machine: Machine) => Strategy;

function takeTurn(machine: Machine, options: SearchOptions, make: Make): Turn {
  const sum = { executions: 0, events: 0, steps: 0, seconds: 0 };
  for (;;) {
    const last = runOnce(machine, options, make);
    sum.executions += last.result.executions;
    sum.events += last.events;
    sum.steps += last.result.steps;
    sum.seconds += last.seconds;
    if (sum.seconds >= LEAST || options.once === true) return { ...sum, last };
  }
}

function ratesOf({ executions, events, steps, seconds }: Turn): Rates {
  const perSecond = (count: number): number => Math.round(count / seconds);
  return { executions: perSecond(executions), events: perSecond(events), steps: perSecond(steps) };
}

/** Runs to its end, or until this process has used this much CPU time. */
function runOnce(
  machine: Machine,
  { maxExecutions }: SearchOptions,
  make: Make,
  until: number = Number.POSITIVE_INFINITY,
): Once {
  machine.rollback(0);
  let events = 0;
  const strategy = make(machine);
  const exploration = new Exploration(machine, strategy, {
    onExecution: () => {
      events += machine.depth;
    },
    ...(maxExecutions === undefined ? {} : { maxExecutions }),
  });
  const start = cpuSeconds();
  while (!exploration.advance(SLICE_STEPS) && cpuSeconds() < until);
  return {
    result: exploration.result,
    largestTree: strategy instanceof MachineDpor ? strategy.stack.tree.largest : 0,
    events,
    seconds: cpuSeconds() - start,
  };
}
