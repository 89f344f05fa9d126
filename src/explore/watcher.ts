/**
 * Results that add up. A watcher looks at executions and collects one kind of result: counts, errors, warnings, alarms, …
 *
 * Protocol: `observe` every event and `rollback` with the machine, if what it looks for takes that; `conclude` at the end of
 * every execution, before the machine leaves it. `save` is plain data, good for another process. `merge` adds what another
 * watcher of the same program and model has saved: a search in parts, merged in the order of the parts, gives what one search over
 * all of them gives. Merging is associative, and a new watcher is its unit.
 */
import type { Machine, Outcome } from '../machine/machine.ts';
import type { Follower } from './strategy.ts';

export interface Watcher<Saved> extends Partial<Follower> {
  conclude(machine: Machine, outcome: Outcome): void;
  save(): Saved;
  merge(other: Saved): void;
}
