/**
 * Which events of the current execution, and which possible next actions, depend on each other. All that the search
 * knows about memory is behind this interface; [decision 16](../../../docs/decisions/0016-dependence.md) states its
 * obligations.
 *
 * An *action* is a step together with its effect, as a number that means the same in every execution: sleep sets and
 * wakeup trees hold actions. Two actions of one process never conflict.
 *
 * Call protocol: `prepare` each step before it is taken, then `observe` its event, once and in order; `rollback` to
 * forget the last ones. All other methods refer to the events observed so far.
 */
import type { IntVector } from '../../util/int-vector.ts';
import type { Step } from '../runnable.ts';

/** No event, no action. */
export const NO_EVENT = -1;
export const NO_ACTION = -1;

/** Events after event `first` of the current execution that are to run before it; some may be removed again. */
export interface EventSet {
  readonly first: number;
  /** The set was empty from the start. */
  readonly isEmpty: boolean;
  has(event: number): boolean;
  /** Whether the event has been removed. */
  isRemoved(event: number): boolean;
  /** The next event of the set after `event`, or `NO_EVENT`; start with `first`. */
  next(event: number): number;
}

/** What an action number means, as far as the search needs to know. */
interface ActionTable {
  step(action: number): Step;
}

export interface Dependence {
  readonly actions: ActionTable;
  /** Events observed. */
  readonly length: number;
  /** Called before a step is taken whose event will be observed next. */
  prepare(step: Step): void;
  observe(event: number): void;
  /** Forgets all events from number `depth` on. */
  rollback(depth: number): void;

  /** e →_E e'. */
  happensBefore(first: number, second: number): boolean;
  /** Whether one of the events whose bits are in `bits`, from word `from` on, happens before `event`. */
  happensAfterAny(event: number, bits: Int32Array, from: number): boolean;
  /** Fills `out` with the bits of the events up to `end` that happen before each of `events`. */
  commonPast(events: IntVector, end: number, out: Int32Array): void;

  /** e ≲_E e': reversible races as pairs of events, ordered by the second. */
  readonly races: IntVector;
  /** End of the races whose second event is `event` or earlier. */
  racesUpTo(event: number): number;
  /** The action of the second event of race number `race` when it comes before the first. */
  reversed(race: number): number;
  /** Whether there are such further events for any race. */
  readonly postpones: boolean;
  /** Fills `out` with further events that must then come after the second event, with all that happens after them. */
  alsoPostponed(race: number, out: IntVector): void;
  /** Whether that action, of event `second`, conflicts with more than the event did (Lemma 2). */
  conflictsWithMore(action: number, second: number): boolean;
  /**
   * Finds the actions that still wait at the end of an execution and could have run before some event: fills `out` with
   * that event, the waiting action, the number of further events that must come after it too, and these events.
   */
  findWaiting(out: IntVector): void;

  /** The action of a visible event. */
  action(event: number): number;
  /** The same action with another choice of its process. */
  alternative(action: number, step: Step): number;
  /** Whether the newest event, which is `action`, conflicts with a sleeping action of another process. */
  wakes(event: number, action: number, sleeping: number): boolean;
  /**
   * Whether `action` conflicts with no event of the set, nor with the action `last`, if any. Its process has no events
   * in the set.
   */
  isIndependent(action: number, set: EventSet, last: number): boolean;
  /** Whether the two conflict in every context, so that no set need be examined (Lemma 7). May answer no to be safe. */
  alwaysConflict(action: number, last: number): boolean;
  /**
   * Whether, in every context, the event conflicts with all that the action conflicts with (Lemma 4). May answer no to
   * be safe.
   */
  conflictsWithAllOf(event: number, action: number): boolean;
  /** Whether, at the end of an execution, the events of every given order have happened and conflict. */
  ordersHold(): boolean;
}
