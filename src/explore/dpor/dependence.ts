/**
 * What depends on what, in the current execution and between what could be done next. All that the search knows of memory
 * is behind this interface; [decision 16](../../../docs/decisions/0016-dependence.md) says what must be true of it.
 *
 * An *action* is a step together with its effect, as a number that means the same in every execution: sleep sets and wakeup
 * trees hold actions. Two actions of one process never conflict.
 *
 * Call protocol: `observe` each event once, in order; `rollback` to forget the last ones. Everything else speaks of the events
 * observed so far.
 */
import type { IntVector } from '../../util/int-vector.ts';
import type { Step } from '../runnable.ts';

/** No event, no action. */
export const NO_EVENT = -1;
export const NO_ACTION = -1;

/** Events of the current execution that come after event `first` and are to be run before it; some may be taken out again. */
export interface EventSet {
  readonly first: number;
  /** There were no events in it to begin with. */
  readonly isEmpty: boolean;
  has(event: number): boolean;
  /** Whether the event has been taken out. */
  isRemoved(event: number): boolean;
  /** The next event of the set after `event`, or `NO_EVENT`; `first` to begin with. */
  next(event: number): number;
}

/** What the number of an action means, as far as the search needs to know. */
export interface ActionTable {
  step(action: number): Step;
}

export interface Dependence {
  readonly actions: ActionTable;
  /** Events observed. */
  readonly length: number;
  observe(event: number): void;
  /** Forgets all events from number `depth` on. */
  rollback(depth: number): void;

  /** e →_E e'. */
  happensBefore(first: number, second: number): boolean;
  /** Whether one of the events whose bits are in `bits` happens before `event`. */
  happensAfterAny(event: number, bits: Int32Array): boolean;
  /** Leaves in `out` the bits of the events that all events from `from` to `end`-1 whose bits are in `bits` happen after. */
  commonPast(from: number, end: number, bits: Int32Array, out: Int32Array): void;

  /** e ≲_E e': reversible races, as pairs of events, in the order of the second. */
  readonly races: IntVector;
  /** End of the races whose second event is `event` or an earlier one. */
  racesUpTo(event: number): number;
  /** What the second event of a race does when it comes before the first: an action. */
  reversed(first: number, second: number): number;
  /** Whether that action, of event `second`, conflicts with more than the event did (Lemma 2). */
  conflictsWithMore(action: number, second: number): boolean;
  /**
   * What waits at the end of an execution and could have continued before some event: pairs of that event and the action that
   * waits, left in `out`.
   */
  findWaiting(out: IntVector): void;

  /** What a visible event did. */
  action(event: number): number;
  /** The same action, by another choice of its process. */
  alternative(action: number, step: Step): number;
  /** Whether the newest event, which is this action, conflicts with an action of another process that sleeps. */
  wakes(event: number, action: number, sleeping: number): boolean;
  /** Whether neither an event of the set nor the action `last`, if there is one, conflicts with `action`, of a process without events in it. */
  isIndependent(action: number, set: EventSet, last: number): boolean;
  /** Whether the two conflict wherever they stand, so that no set need be looked at (Lemma 7). May say no to be safe. */
  alwaysConflict(action: number, last: number): boolean;
  /** Whether the event conflicts with whatever the action conflicts with, wherever they stand (Lemma 4). May say no to be safe. */
  conflictsWithAllOf(event: number, action: number): boolean;
}
