/**
 * Operations whose effect depends on what they find: compare-exchanges, awaits, trylocks, signals. What would they do if
 * they came before the event that they race with?
 */
import { compare32 } from '../machine/arithmetic.ts';
import * as ev from '../machine/event.ts';
import { processOf } from '../machine/process.ts';
import { type AccessLists, NO_ENTRY } from './access-lists.ts';
import { type Actions, READS, WRITES } from './actions.ts';

/**
 * The action of the second event of a race when it comes first; `action` is what it did in second place. A signal then has
 * other waiters to choose from (this is its first choice); a trylock turns out the other way; a compare-exchange sees
 * what the first event overwrote.
 */
export function reversedAction(
  events: ev.EventLog,
  actions: Actions,
  first: number,
  firstAction: number,
  second: number,
  action: number,
): number {
  const access = actions.access(action);
  const step = actions.step(action);
  switch (events.get(second, ev.E_KIND)) {
    case ev.SIGNAL_EVENT:
      return actions.variant(action, processOf(step), access);
    case ev.TRYLOCK_EVENT:
      return actions.variant(action, step, access ^ WRITES);
    case ev.RMW_EVENT: {
      const compares = (events.get(second, ev.E_FLAGS) & ev.COMPARED) !== 0;
      if (!compares || (actions.access(firstAction) & WRITES) === 0) return action;
      return actions.variant(action, step, wouldWrite(events, first, second) ? READS | WRITES : READS);
    }
    default:
      return action;
  }
}

/** Whether the compare-exchange or await `second` would write without the write `first`, the last one before it. */
function wouldWrite(events: ev.EventLog, first: number, second: number): boolean {
  const flags = events.get(second, ev.E_FLAGS);
  if ((flags & ev.AWAITED) === 0) return wouldSucceed(events, first, second);
  if ((flags & ev.MODIFIES) === 0) return false;
  // One that blocks runs only where its predicate holds.
  if ((flags & ev.BLOCKS) !== 0) return true;
  return holds(events, first, events.get(second, ev.E_EXPECTED_HIGH), events.get(second, ev.E_EXPECTED_LOW));
}

function wouldSucceed(events: ev.EventLog, first: number, second: number): boolean {
  const isRmw = events.get(first, ev.E_KIND) === ev.RMW_EVENT;
  const oldLow = events.get(first, isRmw ? ev.E_LOW : ev.E_OLD_LOW);
  const oldHigh = events.get(first, isRmw ? ev.E_HIGH : ev.E_OLD_HIGH);
  const start = events.get(first, ev.E_ADDRESS) - events.get(second, ev.E_ADDRESS);
  const end = start + events.get(first, ev.E_SIZE);
  for (let byte = 0; byte < events.get(second, ev.E_SIZE); byte++) {
    const isOld = byte >= start && byte < end;
    const seen = isOld
      ? byteOf(oldLow, oldHigh, byte - start)
      : byteOf(events.get(second, ev.E_LOW), events.get(second, ev.E_HIGH), byte);
    const expected = byteOf(events.get(second, ev.E_EXPECTED_LOW), events.get(second, ev.E_EXPECTED_HIGH), byte);
    if (seen !== expected) return false;
  }
  return true;
}

/** Whether the predicate of an await holds of what the write `write` overwrote. */
function holds(events: ev.EventLog, write: number, predicate: number, bound: number): boolean {
  const isRmw = events.get(write, ev.E_KIND) === ev.RMW_EVENT;
  return compare32(predicate, 32, events.get(write, isRmw ? ev.E_LOW : ev.E_OLD_LOW), bound) !== 0;
}

/**
 * From `entry` backwards, the first write to these four bytes before which the predicate of an await held of them; -1 if
 * there is none.
 */
export function newestEnabling(
  events: ev.EventLog,
  lists: AccessLists,
  entry: number,
  address: number,
  predicate: number,
  bound: number,
): number {
  for (let n = entry; n !== NO_ENTRY; n = lists.previous(n)) {
    const write = lists.event(n);
    // Of another size or place: only that it conflicts is known.
    if (events.get(write, ev.E_ADDRESS) !== address || events.get(write, ev.E_SIZE) !== 4) return write;
    if (holds(events, write, predicate, bound)) return write;
  }
  return -1;
}

function byteOf(low: number, high: number, byte: number): number {
  return byte < 4 ? (low >>> (8 * byte)) & 0xff : (high >>> (8 * (byte - 4))) & 0xff;
}
