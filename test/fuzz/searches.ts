/** What the tool finds in a generated program, with any of its searches in any mode. */

import { MachineDpor } from '../../src/explore/dpor/machine/machine-dpor.ts';
import { ALL_SHORTCUTS } from '../../src/explore/dpor/shortcuts.ts';
import { Enumerator } from '../../src/explore/enumerator.ts';
import { Exhaustive } from '../../src/explore/exhaustive.ts';
import { explore } from '../../src/explore/explore.ts';
import { axiomsOf } from '../../src/explore/graph/axioms.ts';
import { GraphSearch } from '../../src/explore/graph/search.ts';
import { Retrace } from '../../src/explore/retrace/retrace.ts';
import type { Strategy } from '../../src/explore/strategy.ts';
import * as ev from '../../src/machine/events/event.ts';
import { Machine, type MachineOptions } from '../../src/machine/machine.ts';
import type { Limits } from '../../src/machine/state/layout.ts';
import { FINISHED, H_EXITED, T_RESULT, T_STATUS } from '../../src/machine/state/layout.ts';
import { type Model, modelNamed } from '../../src/models/index.ts';
import type { CheckOptions } from '../../src/options/check.ts';
import { CheckRun } from '../../src/pipelines/check.ts';
import type { ModelResult } from '../../src/pipelines/model-run.ts';
import { hasSections } from '../../src/pipelines/strategies.ts';
import type { Program } from '../../src/program/ir.ts';
import { traceKey } from '../../src/trace/trace-key.ts';
import { SHORTCUT_VARIANTS } from '../support/shortcuts.ts';
import { UNIONS } from './ast.ts';

export interface Found {
  /** In the simulator's notation. */
  readonly outcomes: ReadonlySet<string>;
  /** Kinds. */
  readonly errors: ReadonlySet<string>;
  /** Traces of executions that ran to completion, each once. */
  readonly traces: ReadonlySet<string>;
  readonly complete: number;
  /** Executions given up because everything left was asleep. */
  readonly abandoned: number;
  /** What cut the search short. */
  readonly bounds: readonly string[];
}

export type MakeStrategy = (machine: Machine) => Strategy;

const MAX_STATES = 6000;
export const MAX_SCHEDULES = 500;
export const MAX_DEPTH = 400;

/** Generated programs are small, and machines are created often. */
const LIMITS: Partial<Limits> = {
  threads: 8,
  frameWords: 1 << 10,
  stackBytes: 1 << 10,
  heapBytes: 1 << 10,
  syncObjects: 16,
  bufferEntries: 256,
  commits: 1,
};

/** PSLO and graphs keep a log of what was written. */
export const LOG_LIMITS: Partial<Limits> = { ...LIMITS, commits: 512 };

/** Generating code is slow; it is compared with the interpreter on a share of the programs. */
const DEFAULT: MachineOptions = { spin: true, interpret: true };
export const COMPILED: MachineOptions = { spin: true, patience: 0 };
export const AWAITS: MachineOptions = { spin: true, awaits: true, interpret: true };
export const AWAITS_COMPILED: MachineOptions = { spin: true, awaits: true, patience: 0 };
export const NO_SPIN: MachineOptions = { interpret: true };
export const GRAPHS: MachineOptions = { spin: true, interpret: true, graphs: true };
export const GRAPHS_COMPILED: MachineOptions = { spin: true, patience: 0, graphs: true };

export const optimal: MakeStrategy = (machine) => new MachineDpor(machine, 'optimal');
/** For programs that it does not refuse. */
export const retrace: MakeStrategy = (machine) => new Retrace(machine);
export const source: MakeStrategy = (machine) => new MachineDpor(machine, 'source');
/** Operations that commute are not ordered. */
export const commuting: MakeStrategy = (machine) =>
  new MachineDpor(machine, 'optimal', { ...ALL_SHORTCUTS, commuting: true });
export const sourceCommuting: MakeStrategy = (machine) =>
  new MachineDpor(machine, 'source', { ...ALL_SHORTCUTS, commuting: true });
export const enumerate: MakeStrategy = (machine) => new Enumerator(machine, MAX_STATES);
export const exhaustive: MakeStrategy = () => new Exhaustive();
export const graph: MakeStrategy = (machine) => new GraphSearch(machine, axiomsOf(modelNamed(machine.model)));

/** With each optional feature switched off, one at a time; each must find what the default finds. */
export const SHORTCUTS_OFF: readonly { readonly name: string; readonly make: MakeStrategy }[] =
  SHORTCUT_VARIANTS.flatMap(({ without, shortcuts }) => [
    { name: `optimal without ${without}`, make: (machine) => new MachineDpor(machine, 'optimal', shortcuts) },
    { name: `source without ${without}`, make: (machine) => new MachineDpor(machine, 'source', shortcuts) },
  ]);

/** The same where operations that commute are not ordered. */
export const SHORTCUTS_OFF_COMMUTING: readonly { readonly name: string; readonly make: MakeStrategy }[] =
  SHORTCUT_VARIANTS.map(({ without, shortcuts }) => ({
    name: `commuting without ${without}`,
    make: (machine) => new MachineDpor(machine, 'optimal', { ...shortcuts, commuting: true }),
  }));

/** The machine of the previous search, for reuse: most searches of a program begin in the same state. */
let last: Machine | undefined;

export function machineFor(
  program: Program,
  model: Model,
  options: MachineOptions = DEFAULT,
  limits: Partial<Limits> = LIMITS,
): Machine {
  const known = last;
  // A search that fails leaves none behind.
  last = undefined;
  if (known?.program !== program || known.model !== model || known.options !== options)
    return new Machine(program, model, limits, options);
  known.rollback(0);
  return known;
}

export function find(
  program: Program,
  model: Model,
  make: MakeStrategy,
  options: MachineOptions = DEFAULT,
  limits: Partial<Limits> = LIMITS,
  key: (machine: Machine) => string = traceKey,
): Found {
  const machine = machineFor(program, model, options, limits);
  const unions = unionsOf(program);
  const outcomes = new Set<string>();
  const traces = new Set<string>();
  let complete = 0;
  const strategy = make(machine);
  const { errors, abandoned, bounds } = explore(machine, strategy, {
    keepGoing: true,
    maxDepth: MAX_DEPTH,
    ...(strategy instanceof Exhaustive ? { maxExecutions: MAX_SCHEDULES } : {}),
    onExecution: (_, outcome) => {
      if (outcome !== 'complete') return;
      complete++;
      outcomes.add(outcomeOf(machine, unions));
      traces.add(key(machine));
    },
  });
  last = machine;
  return { outcomes, traces, complete, abandoned, bounds, errors: new Set(errors.map(({ error }) => error.kind)) };
}

/** What `fencepost check` says about all models. */
export function check(program: Program, strategy: 'optimal' | 'source', robust: boolean): readonly ModelResult[] {
  return run(program, { models: ['sc', 'tso', 'pso'], strategy, monitors: true, robust });
}

/** The same with these options. */
export function run(program: Program, options: Partial<CheckOptions>): readonly ModelResult[] {
  const run = new CheckRun(program, {
    models: ['sc'],
    strategy: 'optimal',
    preemptions: 2,
    seed: 1,
    maxExecutions: undefined,
    maxSteps: MAX_DEPTH,
    maxStates: MAX_STATES,
    keepGoing: false,
    interpret: true,
    races: false,
    limits: LIMITS,
    ...options,
  });
  while (!run.advance(1_000_000));
  return run.results;
}

/** DPOR does not support these programs. */
export function needsEnumeration(program: Program): boolean {
  return hasSections(program);
}

/** The globals that outcomes report. */
function unionsOf({ globals }: Program): readonly number[] {
  return Array.from({ length: UNIONS }, (_, i) =>
    globals.findIndex(({ name }) => name === `u${i}` || name.endsWith(`_u${i}`)),
  );
}

function outcomeOf(machine: Machine, unions: readonly number[]): string {
  const { state, threads, processes, events } = machine;
  if (state.words[H_EXITED] !== 0) return `exit ${events.get(events.length - 1, ev.E_STATUS)}`;
  const results: string[] = [];
  for (const slot of processes.slotsInNameOrder) {
    if (threads.get(slot, T_STATUS) === FINISHED)
      results.push(`${processes.threadName(slot)}:${threads.get(slot, T_RESULT)}`);
  }
  // A global that the program never touches does not exist.
  const words = unions.flatMap((index) => (index < 0 ? [0, 0] : machine.global(index, 0, 8)));
  return `${results.sort().join(' ')} | ${words.join(' ')}`;
}
