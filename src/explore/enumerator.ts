/**
 * The memoising enumerator: like `exhaustive`, but a state that was reached before *with the same trace so far* is not
 * explored again. Two executions that reach it have the same futures and the same final traces, so no final state and
 * no trace is lost. It gives exact answers for anything litmus-sized, where `exhaustive` would take forever.
 *
 * Keys are the states and traces themselves, not hashes of them: nothing is left to chance.
 */
import type { Machine } from '../machine/machine.ts';
import { ShashaSnirTrace } from '../trace/shasha-snir.ts';
import { IntVector } from '../util/int-vector.ts';
import type { Bound } from './bound.ts';
import { Exhaustive } from './exhaustive.ts';
import { processOf, type Step } from './runnable.ts';
import { ABANDON, type Strategy } from './strategy.ts';

/**
 * Limit on the total characters of all keys. A waiting loop makes traces, and so keys, ever longer; this ends the
 * search before memory runs out.
 */
const MAX_KEY_CHARACTERS = 2 ** 28;
const STATE_MEMORY: Bound = { kind: 'state memory', limit: MAX_KEY_CHARACTERS / 2 ** 20 };

export class Enumerator implements Strategy {
  readonly name = 'enumerate';
  private readonly machine: Machine;
  private readonly maxStates: number;
  private readonly search = new Exhaustive();
  private readonly seen = new Set<string>();
  private readonly key = new IntVector();
  private keyCharacters = 0;
  /** Depth up to which the current execution repeats the previous one, whose states have all been seen. */
  private kept = 0;

  constructor(machine: Machine, maxStates: number = Number.POSITIVE_INFINITY) {
    this.machine = machine;
    this.maxStates = maxStates;
  }

  get states(): number {
    return this.seen.size;
  }

  get incomplete(): Bound | undefined {
    if (this.keyCharacters >= MAX_KEY_CHARACTERS) return STATE_MEMORY;
    return this.seen.size >= this.maxStates ? { kind: 'states', limit: this.maxStates } : undefined;
  }

  beginExecution(): number {
    if (this.incomplete !== undefined) return -1;
    this.kept = this.search.beginExecution();
    return this.kept;
  }

  pick(steps: IntVector): Step | typeof ABANDON {
    // The branching state was entered before, with this step still untried.
    const branching = this.machine.depth === this.kept && this.seen.size > 0;
    if (!branching && !this.isNew()) return ABANDON;
    if (this.incomplete !== undefined) return ABANDON;
    const step = this.search.pick(steps);
    const { idleWaits, processes } = this.machine;
    if (step >= 0 && processes.isThread(processOf(step))) idleWaits?.optimistic?.begin(processOf(step));
    return step;
  }

  private isNew(): boolean {
    const { machine, key, seen } = this;
    key.clear();
    machine.encode(key);
    new ShashaSnirTrace(machine.events, machine.processes).encode(key);
    const before = seen.size;
    const text = key.toKey();
    if (seen.add(text).size === before) return false;
    this.keyCharacters += text.length;
    return true;
  }

  observe(): void {}
  endExecution(): void {}
}
