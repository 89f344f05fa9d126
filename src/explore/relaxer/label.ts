/**
 * Labels: [RELAXER]'s l(e), the place in the program that an event comes from. Ours is the place that users see (inside
 * our library: the call into it) and the kind of access, because one call can make several.
 */

import { ACQUIRES, RELEASES, SEQ_CST } from '../../machine/code/order.ts';
import {
  accessOf,
  BUFFERED,
  BYTES,
  COMMITS,
  EFFECTS,
  effectsOf,
  GIVES_UP_MUTEX,
  OBJECT,
  READS,
  TAKES_MUTEX,
  WAITS_BEHIND_BARRIER,
  WAKES,
  WRITES,
  waitOf,
} from '../../machine/events/effects.ts';
import * as ev from '../../machine/events/event.ts';
import type { Buffers, ModelDescription } from '../../models/model.ts';

export type Label = number;

export const LOADS = 0;
export const STORES = 1;
/** Reads and writes memory atomically. */
const MODIFIES = 2;
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

/** The kind of access that an event makes, or -1 if none. An update is the same access as its store. */
export function accessKind(events: ev.EventLog, event: number): number {
  return kindOfAccess(effectsOf(events, event));
}

/** By operation of the machine's code: the kind of access that it makes, or -1. */
export const OPERATION_ACCESS: Int8Array = Int8Array.from(ev.EVENT_OF, (kind) => kindOfAccess(EFFECTS[kind]!));

function kindOfAccess(does: number): number {
  if ((does & OBJECT) !== 0) return SYNCHRONISES;
  if ((does & BYTES) === 0 || (does & COMMITS) !== 0) return -1;
  if ((does & WRITES) === 0) return LOADS;
  return (does & READS) === 0 ? STORES : MODIFIES;
}

/** Whether the access changes its location, so that it conflicts with everything else there. */
export function changes(events: ev.EventLog, event: number): boolean {
  return (accessOf(events.words, event * ev.EVENT_WORDS) & WRITES) !== 0;
}

// How an access can be reordered with others of its thread, as bits.
/** Other threads may see later accesses of its thread before it. */
const LATE = 1;
/** It may happen before earlier stores of its thread have reached memory: under TSO, under PSO. */
const EARLY_TSO = 2;
const EARLY_PSO = 4;
/** Under PSLO it may read a value that memory held before anything that its thread did. */
const STALE = 8;
/** A later load of its thread may read a value older than this: under PSLO, only if unlocking does not order loads. */
const PASSABLE = 16;
const PASSABLE_UNLOCK = 32;

/** `hasOwnStore`: the thread has stored to the location before, so a load may read its own buffered store. */
export function mobility(events: ev.EventLog, event: number, hasOwnStore: boolean): number {
  const order = events.get(event, ev.E_ORDER);
  const does = effectsOf(events, event);
  const passable = ACQUIRES[order] === 1 ? 0 : PASSABLE;
  const isEarly = waitOf(events.words, event * ev.EVENT_WORDS) === WAITS_BEHIND_BARRIER ? EARLY_PSO : 0;
  if ((does & BUFFERED) !== 0) return order === SEQ_CST ? 0 : LATE | PASSABLE | (RELEASES[order] === 1 ? 0 : EARLY_PSO);
  if ((does & BYTES) !== 0) {
    if ((does & WRITES) !== 0) return isEarly | passable;
    return EARLY_TSO | EARLY_PSO | STALE | passable | (hasOwnStore ? LATE : 0);
  }
  if ((does & TAKES_MUTEX) !== 0) return isEarly;
  if ((does & GIVES_UP_MUTEX) !== 0) return PASSABLE_UNLOCK;
  return PASSABLE | ((does & WAKES) !== 0 ? EARLY_TSO | EARLY_PSO : 0);
}

/** By kind of buffer: the bit of accesses that may happen before earlier stores of their thread have reached memory. */
const EARLY: Readonly<Record<Buffers, number>> = { none: 0, thread: EARLY_TSO, location: EARLY_PSO };

/**
 * Whether the model lets other threads see `second` before `first`, its predecessor in program order, if no fence
 * forbids it.
 */
export function reorders(model: ModelDescription, first: number, second: number): boolean {
  if ((first & LATE) !== 0 && (second & EARLY[model.buffers]) !== 0) return true;
  const passable = model.unlockOrdersLoads ? PASSABLE : PASSABLE | PASSABLE_UNLOCK;
  return model.loadsMayBeStale && (second & STALE) !== 0 && (first & passable) !== 0;
}
