/**
 * Operations whose effect depends on the value or state they find: compare-exchanges, awaits, trylocks, signals. What
 * would they do if they came before the event that they race with?
 */
import { compare32 } from '../machine/code/arithmetic.ts';
import {
  DECIDED_BY,
  type DecidedBy,
  effectsOf,
  GIVES_UP_MUTEX,
  HOLDER,
  NOTHING,
  OVERWRITTEN_HIGH,
  OVERWRITTEN_LOW,
  READS,
  SLEEPERS,
  TAKES_MUTEX,
  VALUE,
  WRITES,
} from '../machine/events/effects.ts';
import * as ev from '../machine/events/event.ts';
import { processOf } from '../machine/state/process.ts';
import { unreachable } from '../util/unreachable.ts';
import { type AccessLists, NO_ENTRY } from './access-lists.ts';
import type { Actions } from './actions.ts';

/**
 * The action of a race's second event if it came first; `action` is what it did in second place. A signal then has
 * other waiters to choose from (this is its first choice). A trylock has the opposite result. A compare-exchange sees
 * the value that the first event overwrote; or, if other writes commute with the first event, the value `without` it.
 */
export function reversedAction(
  events: ev.EventLog,
  actions: Actions,
  first: number,
  firstAction: number,
  second: number,
  action: number,
  without?: Uint8Array,
): number {
  const access = actions.access(action);
  const step = actions.step(action);
  const decidedBy = DECIDED_BY[events.get(second, ev.E_KIND)] as DecidedBy;
  switch (decidedBy) {
    case NOTHING:
      return action;
    case SLEEPERS:
      return actions.variant(action, processOf(step), access);
    case HOLDER:
      // A trylock that waits while the mutex is held runs only when it is free.
      if ((access & WRITES) !== 0 && (effectsOf(events, first) & TAKES_MUTEX) !== 0) return action;
      return changesHolder(events, first) ? actions.variant(action, step, access ^ WRITES) : action;
    case VALUE: {
      const compares = (events.get(second, ev.E_FLAGS) & ev.COMPARED) !== 0;
      if (!compares || (actions.access(firstAction) & WRITES) === 0) return action;
      return actions.variant(action, step, wouldWrite(events, first, second, without) ? READS | WRITES : READS);
    }
    default:
      return unreachable(decidedBy);
  }
}

/** Whether the event takes or releases a mutex, and does not access its bytes in another way. */
function changesHolder(events: ev.EventLog, event: number): boolean {
  return (effectsOf(events, event) & (TAKES_MUTEX | GIVES_UP_MUTEX)) !== 0;
}

/**
 * Whether the compare-exchange or await `second` would write if the last write before it, `first`, had not happened.
 */
function wouldWrite(events: ev.EventLog, first: number, second: number, without: Uint8Array | undefined): boolean {
  const flags = events.get(second, ev.E_FLAGS);
  if ((flags & ev.AWAITED) === 0) return wouldSucceed(events, first, second, without);
  if ((flags & ev.MODIFIES) === 0) return false;
  // A blocking await runs only if its predicate holds.
  if ((flags & ev.BLOCKS) !== 0) return true;
  const value = valueBefore(
    events,
    first,
    events.get(second, ev.E_ADDRESS),
    events.get(second, ev.E_READ_LOW),
    without,
  );
  return holds(value, events.get(second, ev.E_PREDICATE), events.get(second, ev.E_BOUND));
}

function wouldSucceed(events: ev.EventLog, first: number, second: number, without: Uint8Array | undefined): boolean {
  const changes = (events.get(first, ev.E_FLAGS) & ev.ENDS_OBJECT) === 0;
  const start = events.get(first, ev.E_ADDRESS) - events.get(second, ev.E_ADDRESS);
  const end = start + events.get(first, ev.E_SIZE);
  for (let byte = 0; byte < events.get(second, ev.E_SIZE); byte++) {
    const isOld = changes && byte >= start && byte < end;
    const seen = isOld
      ? (without?.[byte - start] ?? overwrittenByte(events, first, byte - start))
      : byteOf(events.get(second, ev.E_READ_LOW), events.get(second, ev.E_READ_HIGH), byte);
    const expected = byteOf(events.get(second, ev.E_EXPECTED_LOW), events.get(second, ev.E_EXPECTED_HIGH), byte);
    if (seen !== expected) return false;
  }
  return true;
}

export function holds(value: number, predicate: number, bound: number): boolean {
  return compare32(predicate, 32, value, bound) !== 0;
}

/** How an await with these flags accesses its bytes once its predicate holds. */
export function awaitAccess(flags: number): number {
  return (flags & ev.MODIFIES) === 0 ? READS : READS | WRITES;
}

/** The four bytes at `address` before the write `write`, given their `value` after it. */
function valueBefore(events: ev.EventLog, write: number, address: number, value: number, without?: Uint8Array): number {
  if ((events.get(write, ev.E_FLAGS) & ev.ENDS_OBJECT) !== 0) return value;
  const start = events.get(write, ev.E_ADDRESS) - address;
  const end = start + events.get(write, ev.E_SIZE);
  let before = value;
  for (let byte = Math.max(start, 0); byte < Math.min(end, 4); byte++) {
    const old = without?.[byte - start] ?? overwrittenByte(events, write, byte - start);
    before = (before & ~(0xff << (8 * byte))) | (old << (8 * byte));
  }
  return before;
}

/** The value that the write replaced, at this byte of it. */
export function overwrittenByte(events: ev.EventLog, write: number, byte: number): number {
  const kind = events.get(write, ev.E_KIND);
  return byteOf(events.get(write, OVERWRITTEN_LOW[kind]!), events.get(write, OVERWRITTEN_HIGH[kind]!), byte);
}

/**
 * From `entry` backwards, the first write to these four bytes before which they satisfied the predicate of an await; -1
 * if there is none. `value` is their value now.
 */
export function newestEnabling(
  events: ev.EventLog,
  lists: AccessLists,
  entry: number,
  address: number,
  value: number,
  predicate: number,
  bound: number,
): number {
  let before = value;
  for (let n = entry; n !== NO_ENTRY; n = lists.previous(n)) {
    const write = lists.event(n);
    before = valueBefore(events, write, address, before);
    if (holds(before, predicate, bound)) return write;
  }
  return -1;
}

function byteOf(low: number, high: number, byte: number): number {
  return byte < 4 ? (low >>> (8 * byte)) & 0xff : (high >>> (8 * (byte - 4))) & 0xff;
}
