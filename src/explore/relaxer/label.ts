/**
 * Labels: what [RELAXER] calls l(e), the place in the program that an event comes from. Ours is the place where users
 * look (inside of our library, the call of it) and the kind of access, because one call can make several.
 */

import { ACQUIRES, RELEASES, SEQ_CST } from '../../machine/code/order.ts';
import * as ev from '../../machine/events/event.ts';
import type { Model } from '../../machine/memory/memory.ts';

export type Label = number;

export const LOADS = 0;
export const STORES = 1;
/** Reads and writes memory at once. */
export const MODIFIES = 2;
/** An operation on a mutex or condition variable. */
export const SYNCHRONISES = 3;

export function labelOf(site: number, kind: number): Label {
  return site * 4 + kind;
}
export function siteOf(label: Label): number {
  return label >>> 2;
}
export function kindOf(label: Label): number {
  return label & 3;
}

/** What kind of access an event is, or -1 if it is none. An update is the same access as its store. */
export function accessKind(events: ev.EventLog, event: number): number {
  switch (events.get(event, ev.E_KIND)) {
    case ev.LOAD_EVENT:
      return LOADS;
    case ev.STORE_EVENT:
    case ev.FREE_EVENT:
      return STORES;
    case ev.RMW_EVENT:
      return MODIFIES;
    case ev.LOCK_EVENT:
    case ev.TRYLOCK_EVENT:
    case ev.UNLOCK_EVENT:
    case ev.WAIT_EVENT:
    case ev.SIGNAL_EVENT:
    case ev.BROADCAST_EVENT:
    case ev.WAKE_EVENT:
    case ev.DESTROY_EVENT:
    case ev.INIT_EVENT:
      return SYNCHRONISES;
    default:
      return -1;
  }
}

/** Whether the access changes its location, so that it conflicts with everything else there. */
export function changes(events: ev.EventLog, event: number): boolean {
  const flags = events.get(event, ev.E_FLAGS);
  switch (events.get(event, ev.E_KIND)) {
    case ev.LOAD_EVENT:
      return false;
    case ev.RMW_EVENT:
      return (flags & ev.WROTE_MEMORY) !== 0;
    case ev.TRYLOCK_EVENT:
      return (flags & ev.SUCCEEDED) !== 0;
    default:
      return true;
  }
}

// How an access can move against others of its thread, as bits.
/** Others may see it after what its thread does later. */
export const LATE = 1;
/** It may happen before earlier stores of its thread have reached memory, under TSO; under PSO. */
export const EARLY_TSO = 2;
export const EARLY_PSO = 4;
/** Under PSLO it may see what memory held before anything that its thread did. */
export const STALE = 8;
/** Nothing later in its thread can be stale against it. */
export const FRESHENS = 16;

/** `hasOwnStore`: the thread has stored to the location before, so that a load may be of a store that waits. */
export function mobility(events: ev.EventLog, event: number, hasOwnStore: boolean): number {
  const order = events.get(event, ev.E_ORDER);
  switch (events.get(event, ev.E_KIND)) {
    case ev.LOAD_EVENT:
      return EARLY_TSO | EARLY_PSO | STALE | (hasOwnStore ? LATE : 0) | (ACQUIRES[order] === 1 ? FRESHENS : 0);
    case ev.STORE_EVENT:
      return (order === SEQ_CST ? 0 : LATE) | (RELEASES[order] === 1 ? 0 : EARLY_PSO);
    case ev.FREE_EVENT:
      return LATE | EARLY_PSO;
    case ev.RMW_EVENT: {
      const waits = RELEASES[events.get(event, ev.E_WAIT)] === 1;
      return (waits ? 0 : EARLY_PSO) | (ACQUIRES[order] === 1 ? FRESHENS : 0);
    }
    case ev.LOCK_EVENT:
    case ev.TRYLOCK_EVENT:
      return EARLY_PSO | FRESHENS;
    case ev.SIGNAL_EVENT:
    case ev.BROADCAST_EVENT:
      return EARLY_TSO | EARLY_PSO;
    default:
      return FRESHENS;
  }
}

/** Whether the model lets others see `second` before `first`, which precedes it in its thread, if no fence forbids it. */
export function reorders(model: Model, first: number, second: number): boolean {
  switch (model) {
    case 'sc':
      return false;
    case 'tso':
      return (first & LATE) !== 0 && (second & EARLY_TSO) !== 0;
    case 'pso':
      return (first & LATE) !== 0 && (second & EARLY_PSO) !== 0;
    case 'pslo':
      return reorders('pso', first, second) || ((second & STALE) !== 0 && (first & FRESHENS) === 0);
  }
}
