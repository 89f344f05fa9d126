/**
 * Postponed operations: those before which a reversal put another event, and which have not happened yet. Immutable, so
 * that every node of the search can keep the list that it has.
 */
import { WRITES } from '../../machine/events/effects.ts';
import type { Sequence } from './sequence.ts';

/** Bytes, and the least index in their store order that counts. */
export interface Limit {
  readonly start: number;
  readonly end: number;
  readonly index: number;
}

/** A reversal that postponed the operation: its last event, and the lowest byte that both access. */
export interface Unit {
  readonly head: number;
  readonly low: number;
}

export interface Pending {
  readonly process: number;
  /** The operation may not read older writes than these. */
  readonly least: readonly Limit[];
  /**
   * Reversals that have postponed it, in their order. Not those from when its bytes were a single cell: all later writes to
   * any of them come after such a reversal.
   */
  readonly units: readonly Unit[];
  /** At the end, it was left waiting: it needs a newer write to one of these bytes than these. */
  readonly newer: readonly Limit[];
  /** Where the operation's bytes start and end, if its cells were several. */
  readonly ranges: readonly Limit[];
}

export type PendingList = readonly Pending[];
export const NOTHING_PENDING: PendingList = [];
const NONE: readonly never[] = [];

export function pendingOf(list: PendingList, process: number): Pending | undefined {
  for (let i = 0; i < list.length; i++) if (list[i]!.process === process) return list[i];
  return undefined;
}

export function without(list: PendingList, process: number): PendingList {
  if (pendingOf(list, process) === undefined) return list;
  return list.length === 1 ? NOTHING_PENDING : list.filter((pending) => pending.process !== process);
}

export function withPending(list: PendingList, pending: Pending): PendingList {
  return list.length === 0 ? [pending] : [...without(list, pending.process), pending];
}

export function newPending(process: number): Pending {
  return { process, least: NONE, units: NONE, newer: NONE, ranges: NONE };
}

/** The limit for the cell that starts at `start`; 0 if there is none. */
export function limitAt(limits: readonly Limit[], start: number): number {
  for (let i = 0; i < limits.length; i++)
    if (limits[i]!.start <= start && start < limits[i]!.end) return limits[i]!.index;
  return 0;
}

/** The newest one counts: those that it covers are dropped. */
export function withLimit(limits: readonly Limit[], limit: Limit): readonly Limit[] {
  if (limits.length === 0) return [limit];
  const others = limits.filter(({ start, end }) => start < limit.start || limit.end < end);
  return others.length === 0 ? [limit] : [limit, ...others];
}

/**
 * Does the sequence's operation, if it goes to the end, come before one that waits, was postponed, and by the rule for
 * several sizes should then have been postponed by this one first?
 */
export function breaks(list: PendingList, sequence: Sequence): boolean {
  for (const { process, units, ranges } of list) {
    if (ranges.length === 0 || process === sequence.opProcess) continue;
    let low = Number.POSITIVE_INFINITY;
    for (let i = 0; i < sequence.opCells.length; i++) {
      if ((sequence.opAccess.get(i) & WRITES) === 0) continue;
      const start = sequence.cells.start(sequence.opCells.get(i));
      if (ranges.some((range) => range.start <= start && start < range.end)) low = Math.min(low, start);
    }
    if (low === Number.POSITIVE_INFINITY) continue;
    for (let i = units.length - 1; i >= 0; i--) {
      const { head, low: key } = units[i]!;
      if (followsHead(sequence, head)) break;
      if (key > low) return true;
    }
  }
  return false;
}

/** Whether the operation comes after this event, or writes to one of its bytes. */
export function followsHead(sequence: Sequence, head: number): boolean {
  if ((sequence.opPast[head >> 5]! & (1 << (head & 31))) !== 0) return true;
  return overlapsWrites(sequence, head);
}

/** Whether the event writes to one of the cells that the operation writes to. */
export function overlapsWrites(sequence: Sequence, event: number): boolean {
  const end = sequence.recordsFrom(event + 1);
  for (let record = sequence.recordsFrom(event); record < end; record += 4) {
    if (sequence.record(record, 3) < 0) continue;
    const cell = sequence.record(record, 1);
    for (let i = 0; i < sequence.opCells.length; i++) {
      if (sequence.opCells.words[i] === cell && (sequence.opAccess.words[i]! & WRITES) !== 0) return true;
    }
  }
  return false;
}
