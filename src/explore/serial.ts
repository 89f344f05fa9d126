/**
 * Every serial execution: while a thread is inside a marked operation, no other thread takes a step. Depth-first under
 * SC, like `exhaustive`; a state that was reached before with the same operations and results so far is not explored
 * again.
 *
 * A thread is inside an operation from its first step on. So if two threads are about to start their operations, either
 * may go first, and a thread that has not taken a step of its operation blocks no other. An operation that cannot
 * complete alone has no serial execution here; the execution is abandoned.
 */
import * as ev from '../machine/events/event.ts';
import type { Machine } from '../machine/machine.ts';
import { IntVector } from '../util/int-vector.ts';
import type { Bound } from './bound.ts';
import { Exhaustive } from './exhaustive.ts';
import { processOf, type Step } from './runnable.ts';
import { ABANDON, type Strategy } from './strategy.ts';

/** Limit on the total characters of all keys, so that the search ends before memory runs out. */
const MAX_KEY_CHARACTERS = 2 ** 28;
const STATE_MEMORY: Bound = { kind: 'state memory', limit: MAX_KEY_CHARACTERS / 2 ** 20 };

export class Serial implements Strategy {
  readonly name = 'serial';
  private readonly machine: Machine;
  private readonly maxStates: number;
  private readonly search = new Exhaustive();
  private readonly seen = new Set<string>();
  private readonly names = new Map<string, number>();
  private readonly own = new IntVector();
  private readonly key = new IntVector();
  private keyCharacters = 0;
  /** Depth up to which the current execution repeats the previous one. */
  private kept = 0;

  constructor(machine: Machine, maxStates: number) {
    this.machine = machine;
    this.maxStates = maxStates;
  }

  get incomplete(): Bound | undefined {
    if (this.keyCharacters >= MAX_KEY_CHARACTERS) return STATE_MEMORY;
    return this.seen.size >= this.maxStates ? { kind: 'serial states', limit: this.maxStates } : undefined;
  }

  beginExecution(): number {
    if (this.incomplete !== undefined) return -1;
    this.kept = this.search.beginExecution();
    return this.kept;
  }

  pick(steps: IntVector): Step | typeof ABANDON {
    const { machine, own } = this;
    const isBranching = machine.depth === this.kept && this.seen.size > 0;
    if (!isBranching && !this.isNew()) return ABANDON;
    const inside = this.threadInside();
    if (inside < 0) return this.search.pick(steps);
    own.clear();
    for (let i = 0; i < steps.length; i++) if (processOf(steps.get(i)) === inside) own.push(steps.get(i));
    return own.length === 0 ? ABANDON : this.search.pick(own);
  }

  /** The thread inside an operation, which can only be the one that took the last step; -1 if there is none. */
  private threadInside(): number {
    const { depth, events, printer } = this.machine;
    if (depth === 0) return -1;
    const thread = events.get(depth - 1, ev.E_THREAD);
    const last = printer.marks.findLast((mark) => mark.thread === thread);
    return last?.name !== undefined && last.depth < depth ? thread : -1;
  }

  private isNew(): boolean {
    const { machine, key, seen } = this;
    key.clear();
    machine.encode(key);
    for (const slot of machine.processes.slotsInNameOrder) {
      key.push(-1);
      for (const { thread, name, value } of machine.printer.marks) {
        if (thread !== slot) continue;
        key.push(name === undefined ? 0 : this.numberOf(name));
        key.push(value);
      }
    }
    // It determines which threads may step.
    key.push(this.threadInside());
    const before = seen.size;
    const text = key.toKey();
    if (seen.add(text).size === before) return false;
    this.keyCharacters += text.length;
    return true;
  }

  private numberOf(name: string): number {
    let number = this.names.get(name);
    if (number === undefined) {
      number = this.names.size + 1;
      this.names.set(name, number);
    }
    return number;
  }

  observe(): void {}
  endExecution(): void {}
}
