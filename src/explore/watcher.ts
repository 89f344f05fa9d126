/**
 * Results that add up. A watcher examines executions and collects one kind of result: counts, errors, warnings, alarms.
 *
 * Protocol: `observe` every event and `rollback` with the machine, if needed; `conclude` at the end of every execution,
 * before the machine leaves it. `save` gives plain data, valid in another process. `merge` adds the saved results of
 * another watcher of the same program and model: a search in parts, merged in the order of the parts, gives the same as
 * one search over all of them. Merging is associative, and a new watcher is its unit.
 */
import type { Machine, Outcome } from '../machine/machine.ts';
import type { Follower } from './strategy.ts';

export interface Watcher<Saved> extends Partial<Follower> {
  conclude(machine: Machine, outcome: Outcome): void;
  save(): Saved;
  merge(other: Saved): void;
}
