/**
 * Orders that a part of a search imposes ([decision 43](../../docs/decisions/0043-parts-by-orders.md)): the second
 * event waits for the first. So the first always happens before the second, and the two are not a race.
 */

/**
 * The name of an event: event number `index` of its thread, from 1; or the update of the store that has this number.
 */
export interface EventName {
  readonly thread: number;
  readonly index: number;
  readonly isUpdate: boolean;
}

export interface FixedOrder {
  readonly first: EventName;
  readonly second: EventName;
}

export const NO_ORDERS: readonly FixedOrder[] = [];
