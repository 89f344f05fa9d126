/**
 * A system other than the machine: threads that read and change counters in sequence. Two operations are dependent if
 * they are on the same counter and one of them changes it. For tests of exactly what the reduction needs to know.
 */
import type { Dependence, EventSet } from '../../src/explore/dpor/dependence.ts';
import { NO_ACTION, NO_EVENT } from '../../src/explore/dpor/dependence.ts';
import type { Reducible } from '../../src/explore/dpor/dpor.ts';
import type { NextSteps } from '../../src/explore/dpor/next-steps.ts';
import { processOf, type Runnable, type Step, stepOf } from '../../src/explore/runnable.ts';
import { IntVector } from '../../src/util/int-vector.ts';

export interface Operation {
  readonly counter: number;
  readonly changes: boolean;
}

/** Operations by thread. */
export type Counters = readonly (readonly Operation[])[];

export const change = (counter: number): Operation => ({ counter, changes: true });
export const read = (counter: number): Operation => ({ counter, changes: false });

class Running implements Runnable {
  readonly steps: IntVector = new IntVector();
  readonly isOver = false;
  /** The threads that took steps, in order. */
  readonly taken: number[] = [];
  private readonly threads: Counters;

  constructor(threads: Counters) {
    this.threads = threads;
  }

  get depth(): number {
    return this.taken.length;
  }
  enabled(): number {
    this.steps.clear();
    for (let thread = 0; thread < this.threads.length; thread++)
      if (this.canTake(stepOf(thread))) this.steps.push(stepOf(thread));
    return this.steps.length;
  }
  canTake(step: Step): boolean {
    return this.next(processOf(step)) < this.threads[processOf(step)]!.length;
  }
  step(step: Step): void {
    this.taken.push(processOf(step));
  }
  rollback(depth: number): void {
    this.taken.length = Math.min(depth, this.taken.length);
  }
  encode(out: IntVector): void {
    for (let thread = 0; thread < this.threads.length; thread++) out.push(this.next(thread));
  }

  /** The number of the thread's next operation. */
  next(thread: number): number {
    return this.taken.filter((t) => t === thread).length;
  }
}

class AllVisible implements NextSteps {
  readonly holdsBack = false;
  readonly invisibleCount = 0;
  private readonly threadCount: number;
  private readonly running: Running;

  constructor(running: Running, threads: Counters) {
    this.running = running;
    this.threadCount = threads.length;
  }

  addVisible(from: number, out: IntVector): number {
    for (let thread = from; thread < this.threadCount; thread++) {
      if (!this.running.canTake(stepOf(thread))) continue;
      out.push(stepOf(thread));
      return thread;
    }
    return -1;
  }
  ways(step: Step): number {
    return this.running.canTake(step) ? 1 : 0;
  }
  exit(): -1 {
    return -1;
  }
  invisible(): -1 {
    return -1;
  }
  join(): -1 {
    return -1;
  }
  hasEnded(thread: number): boolean {
    return !this.running.canTake(stepOf(thread));
  }
  observe(event: number): number {
    return this.running.taken[event]!;
  }
  forget(): void {}
}

/** An action is a thread and the number of its operation, packed into one number. */
const MAX_OPERATIONS = 100;

class CounterDependence implements Dependence {
  ordersHold(): boolean {
    return true;
  }

  readonly actions = { step: (action: number): Step => stepOf(Math.floor(action / MAX_OPERATIONS)) };
  readonly races = new IntVector();
  private readonly running: Running;
  private readonly threads: Counters;
  /** Per event: its action, its happens-before predecessors, and the end of its races in `races`. */
  private readonly events: { action: number; before: Set<number>; races: number }[] = [];

  constructor(running: Running, threads: Counters) {
    this.running = running;
    this.threads = threads;
  }

  private conflict(a: number, b: number): boolean {
    const [x, y] = [this.operation(a), this.operation(b)];
    return this.actions.step(a) !== this.actions.step(b) && x.counter === y.counter && (x.changes || y.changes);
  }
  private operation(action: number): Operation {
    return this.threads[Math.floor(action / MAX_OPERATIONS)]![action % MAX_OPERATIONS]!;
  }

  get length(): number {
    return this.events.length;
  }
  prepare(): void {}

  observe(event: number): void {
    const thread = this.running.taken[event]!;
    const index = this.running.taken.slice(0, event).filter((t) => t === thread).length;
    const action = thread * MAX_OPERATIONS + index;
    const preds = this.events.flatMap((e, i) =>
      this.actions.step(e.action) === stepOf(thread) || this.conflict(e.action, action) ? [i] : [],
    );
    const before = new Set(preds.flatMap((pred) => [pred, ...this.events[pred]!.before]));
    for (const pred of preds) {
      const isImmediate = preds.every((p) => !this.happensBefore(pred, p));
      if (isImmediate && this.conflict(this.action(pred), action)) {
        this.races.push(pred);
        this.races.push(event);
      }
    }
    this.events.push({ action, before, races: this.races.length });
  }
  rollback(depth: number): void {
    this.events.length = Math.min(depth, this.events.length);
    this.races.length = this.racesUpTo(this.events.length - 1);
  }

  happensBefore(first: number, second: number): boolean {
    return this.events[second]!.before.has(first);
  }
  happensAfterAny(event: number, bits: Int32Array, from: number): boolean {
    return [...this.events[event]!.before].some((e) => e >> 5 >= from && (bits[e >> 5]! & (1 << (e & 31))) !== 0);
  }
  commonPast(events: IntVector, end: number, out: Int32Array): void {
    out.fill(-1);
    for (let i = 0; i < events.length; i++) {
      for (let past = 0; past < end; past++)
        if (!this.happensBefore(past, events.get(i))) out[past >> 5] = out[past >> 5]! & ~(1 << (past & 31));
    }
  }

  racesUpTo(event: number): number {
    return event < 0 ? 0 : this.events[event]!.races;
  }
  reversed(race: number): number {
    return this.action(this.races.get(2 * race + 1));
  }
  readonly postpones = false;
  alsoPostponed(_race: number, out: IntVector): void {
    out.clear();
  }
  conflictsWithMore(): boolean {
    return false;
  }
  findWaiting(out: IntVector): void {
    out.clear();
  }

  action(event: number): number {
    return this.events[event]!.action;
  }
  alternative(action: number): number {
    return action;
  }
  wakes(_event: number, action: number, sleeping: number): boolean {
    return this.conflict(action, sleeping);
  }
  isIndependent(action: number, set: EventSet, last: number): boolean {
    for (let event = set.next(set.first); event !== NO_EVENT; event = set.next(event))
      if (this.conflict(action, this.action(event))) return false;
    return last === NO_ACTION || !this.conflict(action, last);
  }
  alwaysConflict(action: number, last: number): boolean {
    return this.conflict(action, last);
  }
  conflictsWithAllOf(): boolean {
    return true;
  }

  /** The current execution as a trace: every pair of dependent operations, in order. */
  get trace(): string {
    const pairs: string[] = [];
    for (const [i, { action: a }] of this.events.entries())
      for (const { action: b } of this.events.slice(i + 1)) if (this.conflict(a, b)) pairs.push(`${a}<${b}`);
    return pairs.sort().join(' ');
  }
}

export function counters(threads: Counters): Reducible & { readonly running: Running; trace(): string } {
  const running = new Running(threads);
  const dependence = new CounterDependence(running, threads);
  return {
    runnable: running,
    running,
    next: new AllVisible(running, threads),
    dependence,
    trace: () => {
      for (let event = dependence.length; event < running.depth; event++) dependence.observe(event);
      return dependence.trace;
    },
  };
}
