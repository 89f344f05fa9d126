/**
 * A simpler execution with the same error. Simpler means, in this order: fewer context switches, fewer stores that do
 * not reach memory at once, fewer steps.
 *
 * A local search. The schedule is a list of blocks, each a run of steps by one thread and its buffers. A change (group
 * a range by threads, omit a block, join two blocks of one thread, commit a store where it was made, postpone steps,
 * omit a step) is followed on the machine as far as possible; the resulting execution is kept if it ends in the same
 * error and is simpler. So every kept schedule has been run, and replays strictly. The result need not be the simplest
 * possible.
 */
import type { ProgramError } from '../machine/code/error.ts';
import { BUFFERED, effectsOf, isUpdate } from '../machine/events/effects.ts';
import * as ev from '../machine/events/event.ts';
import type { Machine } from '../machine/machine.ts';
import { processOf, type Step } from '../machine/state/process.ts';
import { delaysStores } from '../models/model.ts';
import { explore } from './explore.ts';
import { Follow } from './follow.ts';
import { Replay } from './replay.ts';
import { parseSchedule, printSchedule, type Schedule, scheduleOf } from './schedule.ts';
import type { Judge } from './tally.ts';

interface ShrinkOptions {
  /** The judge of the search that found the error. */
  readonly judge?: Judge;
  /** Machine steps to spend. */
  readonly maxSteps?: number;
  /** Polled throughout; once it returns true, the simplest execution so far is the result. */
  readonly isLate?: () => boolean;
}

interface Shrunk {
  readonly error: ProgramError;
  readonly schedule: string;
}

const DEFAULT_SHRINK_STEPS = 1_000_000;

interface Cost {
  readonly switches: number;
  readonly late: number;
  readonly length: number;
}

interface Candidate {
  readonly steps: Schedule;
  readonly error: ProgramError;
  readonly cost: Cost;
}

/** Returns the error as given if the schedule does not reproduce it here, or if nothing simpler was found. */
export function shrink(
  machine: Machine,
  error: ProgramError,
  schedule: string,
  { judge, maxSteps = DEFAULT_SHRINK_STEPS, isLate = () => false }: ShrinkOptions = {},
): Shrunk {
  if (isLate()) return { error, schedule };
  const options = judge === undefined ? {} : { judge };
  const original = parseSchedule(machine, schedule);
  machine.rollback(0);
  const [again] = explore(machine, new Replay(original), options).errors;
  if (again === undefined || !isSame(again.error, error)) return { error, schedule };

  let budget = maxSteps;
  let best: Candidate = { steps: original, error: again.error, cost: costOf(machine) };
  const tries = (steps: Schedule): boolean => {
    if (isLate()) return false;
    const keep = commonPrefix(machine, steps);
    // Copying counts too.
    budget -= steps.length - keep + (steps.length >> 4) + 1;
    const [found] = explore(machine, new Follow(steps, keep), options).errors;
    if (found === undefined || !isSame(found.error, error)) return false;
    const cost = costOf(machine);
    if (compare(cost, best.cost) >= 0) return false;
    best = { steps: scheduleOf(machine), error: found.error, cost };
    return true;
  };
  for (let improved = true; improved && budget > 0 && !isLate(); ) {
    improved = false;
    for (const change of [grouped, withoutBlock, joined, committedAtOnce, putOff, behindCommits, withoutStep]) {
      // No single change may use up the budget of the others.
      const reserve = Math.max(0, budget - maxSteps / 8);
      // After a success, retry the same place in the new schedule, which has one candidate less.
      for (let place = 0; budget > reserve && !isLate(); ) {
        const candidates = change(machine, best.steps, place);
        if (candidates === undefined) break;
        if (candidates.some(tries)) improved = true;
        else place++;
      }
    }
  }
  const text = printSchedule(machine, best.steps);
  machine.rollback(0);
  const [confirmed] = explore(machine, new Replay(best.steps), options).errors;
  if (confirmed === undefined || !isSame(confirmed.error, error)) throw new Error('a shrunk schedule does not replay');
  return { error: best.error, schedule: text };
}

export function isSame(a: ProgramError, b: ProgramError): boolean {
  return (
    a.kind === b.kind && a.message === b.message && a.thread === b.thread && a.file === b.file && a.line === b.line
  );
}

/** The number of switches between threads (with their buffers) in the machine's current execution. */
export function countSwitches({ events }: Machine): number {
  let switches = 0;
  for (let e = 1; e < events.length; e++) {
    if (events.get(e, ev.E_THREAD) !== events.get(e - 1, ev.E_THREAD)) switches++;
  }
  return switches;
}

function costOf(machine: Machine): Cost {
  return { switches: countSwitches(machine), late: findLate(machine).length, length: machine.events.length };
}

/** The stores of the machine's current execution that do not reach memory at once. */
function findLate(machine: Machine): readonly number[] {
  const { events } = machine;
  const late: number[] = [];
  for (let e = 0; e < events.length; e++) if (isBuffered(machine, e) && !isCommitOf(events, e + 1, e)) late.push(e);
  return late;
}

const knownLate = new WeakMap<Schedule, readonly number[]>();

/** The same for `steps`, cached because a change asks for it at every place. May run `steps` on the machine. */
function lateStores(machine: Machine, steps: Schedule): readonly number[] {
  let late = knownLate.get(steps);
  if (late === undefined) {
    run(machine, steps);
    late = findLate(machine);
    knownLate.set(steps, late);
  }
  return late;
}

/** Makes `steps` the machine's current execution. */
function run(machine: Machine, steps: Schedule): void {
  const keep = commonPrefix(machine, steps);
  if (keep < steps.length) explore(machine, new Follow(steps, keep));
}

function compare(a: Cost, b: Cost): number {
  return a.switches - b.switches || a.late - b.late || a.length - b.length;
}

/** A store that fails has not written memory, even if stores do not wait. */
function isBuffered({ events, memory }: Machine, event: number): boolean {
  if (!delaysStores(memory.model)) return false;
  const waits = (events.get(event, ev.E_FLAGS) & ev.WROTE_MEMORY) === 0;
  return waits && (effectsOf(events, event) & BUFFERED) !== 0;
}

function isCommitOf(events: ev.EventLog, event: number, store: number): boolean {
  return (
    event < events.length &&
    isUpdate(events, event) &&
    events.get(event, ev.E_THREAD) === events.get(store, ev.E_THREAD) &&
    events.get(event, ev.E_INDEX) === events.get(store, ev.E_INDEX)
  );
}

function commonPrefix(machine: Machine, steps: Schedule): number {
  const end = Math.min(machine.depth, steps.length);
  let keep = 0;
  while (keep < end && machine.events.get(keep, ev.E_STEP) === steps[keep]) keep++;
  return keep;
}

// ---- changes: the candidates at a place, `undefined` past the last place. Places are counted from the end, since a
// change there leaves most of the execution as it is.

type Change = (machine: Machine, steps: Schedule, place: number) => readonly Schedule[] | undefined;

/** The first step of every block, and the end of the last. */
function blockStarts({ processes }: Machine, steps: Schedule): readonly number[] {
  const owner = (step: Step): number => processes.owner(processOf(step));
  const starts = steps.flatMap((step, i) => (i === 0 || owner(step) !== owner(steps[i - 1]!) ? [i] : []));
  return [...starts, steps.length];
}

/**
 * A range of steps, grouped by thread: all steps, then each half, each quarter and so on. This helps most with a long
 * execution in which little matters.
 */
const grouped: Change = (machine, steps, place) => {
  const stretch = stretchAt(steps.length, place, SHORTEST_STRETCH);
  if (stretch === undefined) return undefined;
  const { start, end } = stretch;
  const owners = new Map<number, Step[]>();
  for (const step of steps.slice(start, end)) {
    const owner = machine.processes.owner(processOf(step));
    const own = owners.get(owner);
    if (own === undefined) owners.set(owner, [step]);
    else own.push(step);
  }
  const groups = [...owners.values()];
  const [before, after] = [steps.slice(0, start), steps.slice(end)];
  return [groups, [...groups].reverse()].map((order) => [...before, ...order.flat(), ...after]);
};

const SHORTEST_STRETCH = 4;

/** All steps, each half, each quarter, …, down to ranges of `shortest` steps; `undefined` past the last one. */
function stretchAt(length: number, place: number, shortest: number): { start: number; end: number } | undefined {
  const level = Math.floor(Math.log2(place + 1));
  const count = 2 ** level;
  // The ranges of the previous level were already the shortest allowed.
  if (length / count <= shortest / 2) return undefined;
  const number = place + 1 - count;
  return { start: Math.floor((number * length) / count), end: Math.floor(((number + 1) * length) / count) };
}

const withoutBlock: Change = (machine, steps, place) => {
  const starts = blockStarts(machine, steps);
  const block = starts.length - 2 - place;
  if (block < 0) return undefined;
  return [[...steps.slice(0, starts[block]), ...steps.slice(starts[block + 1])]];
};

/** The schedule cut around a block and the next block of its thread; `undefined` past the last block. */
function blocksAt(machine: Machine, steps: Schedule, place: number): readonly Schedule[] | 'alone' | undefined {
  const starts = blockStarts(machine, steps);
  const block = starts.length - 2 - place;
  if (block < 0) return undefined;
  const owner = (b: number): number => machine.processes.owner(processOf(steps[starts[b]!]!));
  let later = block + 1;
  while (later < starts.length - 1 && owner(later) !== owner(block)) later++;
  if (later === starts.length - 1) return 'alone';
  const cuts = [0, starts[block]!, starts[block + 1]!, starts[later]!, starts[later + 1]!, steps.length];
  return cuts.slice(1).map((cut, i) => steps.slice(cuts[i], cut));
}

/** A block and the next block of its thread, joined at the place of the first or of the second. */
const joined: Change = (machine, steps, place) => {
  const parts = blocksAt(machine, steps, place);
  if (parts === undefined || parts === 'alone') return parts && [];
  const [before, first, between, second, after] = parts as [Schedule, Schedule, Schedule, Schedule, Schedule];
  return [
    [...before, ...first, ...second, ...between, ...after],
    [...before, ...between, ...first, ...second, ...after],
  ];
};

/**
 * The last few steps of a block, moved to the next block of its thread, before or after the commits at its start: after
 * those, a store need not wait.
 */
const putOff: Change = (machine, steps, place) => {
  const parts = blocksAt(machine, steps, place);
  if (parts === undefined || parts === 'alone') return parts && [];
  const [before, first, between, second, after] = parts as [Schedule, Schedule, Schedule, Schedule, Schedule];
  const counts = Array.from({ length: Math.min(MOST_PUT_OFF, first.length - 1) }, (_, i) => first.length - 1 - i);
  const isCommit = (step: Step): boolean => machine.processes.owner(processOf(step)) !== processOf(step);
  const starts = [0];
  for (let i = 0; i < Math.min(MOST_PUT_OFF, second.length) && isCommit(second[i]!); i++) starts.push(i + 1);
  return counts.flatMap((kept) =>
    starts.map((start) => [
      ...before,
      ...first.slice(0, kept),
      ...between,
      ...second.slice(0, start),
      ...first.slice(kept),
      ...second.slice(start),
      ...after,
    ]),
  );
};

const MOST_PUT_OFF = 4;

/**
 * The buffered stores of a range, each committed at once: all steps, then each half and so on down to each store. Runs
 * `steps` on the machine if necessary.
 */
const committedAtOnce: Change = (machine, steps, place) => {
  const stretch = stretchAt(steps.length, place, 1);
  if (stretch === undefined) return undefined;
  const { start, end } = stretch;
  if (!lateStores(machine, steps).some((store) => store >= start && store < end)) return [];
  run(machine, steps);
  const { events } = machine;
  const commits = new Map<string, number>();
  const name = (e: number): string => `${events.get(e, ev.E_THREAD)}#${events.get(e, ev.E_INDEX)}`;
  for (let e = start; e < events.length; e++) if (isUpdate(events, e)) commits.set(name(e), e);
  const moved = new Set<number>();
  const changed: Step[] = [];
  for (let e = 0; e < steps.length; e++) {
    if (moved.has(e)) continue;
    changed.push(steps[e]!);
    if (e < start || e >= end || !isBuffered(machine, e)) continue;
    const commit = commits.get(name(e));
    if (commit !== undefined) moved.add(commit);
    changed.push(commit === undefined ? commitOf(machine, e) : steps[commit]!);
  }
  return [changed];
};

/** The step that would commit a store that was never committed. */
function commitOf({ events, memory, processes }: Machine, store: number): Step {
  const thread = events.get(store, ev.E_THREAD);
  return processes.bufferOf(memory.model, thread, events.get(store, ev.E_ADDRESS));
}

/**
 * Moves a store after the commits of its thread's older stores that directly follow it. Runs `steps` on the machine if
 * necessary.
 */
const behindCommits: Change = (machine, steps, place) => {
  const store = steps.length - 1 - place;
  if (store < 0) return undefined;
  if (!lateStores(machine, steps).includes(store)) return [];
  run(machine, steps);
  const { events } = machine;
  const isOlder = (e: number): boolean =>
    isUpdate(events, e) &&
    events.get(e, ev.E_THREAD) === events.get(store, ev.E_THREAD) &&
    events.get(e, ev.E_INDEX) < events.get(store, ev.E_INDEX);
  let end = store + 1;
  while (end < steps.length && isOlder(end)) end++;
  if (end === store + 1) return [];
  return [[...steps.slice(0, store), ...steps.slice(store + 1, end), steps[store]!, ...steps.slice(end)]];
};

const withoutStep: Change = (_, steps, place) => {
  const step = steps.length - 1 - place;
  return step < 0 ? undefined : [[...steps.slice(0, step), ...steps.slice(step + 1)]];
};
