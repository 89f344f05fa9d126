/**
 * How the writes of an SC execution would go through store buffers: what monitors need beyond `effects.ts`. A seq_cst
 * store is two events here, the store and a fence after it. So is a condition wait: the wait and the lock that ends it.
 */
import { compare32 } from '../machine/code/arithmetic.ts';
import { BUFFERED, EFFECTS } from '../machine/events/effects.ts';
import * as ev from '../machine/events/event.ts';

/** Whether the event's write goes through the store buffer. */
export function isBuffered(words: Int32Array, at: number): boolean {
  return (EFFECTS[words[at + ev.E_KIND]!]! & BUFFERED) !== 0 && (words[at + ev.E_FLAGS]! & ev.AT_ONCE) === 0;
}

/** Whether the write at `write` covers all bytes that the event at `at` accesses. */
export function covers(words: Int32Array, write: number, at: number): boolean {
  const start = words[write + ev.E_ADDRESS]!;
  const address = words[at + ev.E_ADDRESS]!;
  return start <= address && address + words[at + ev.E_SIZE]! <= start + words[write + ev.E_SIZE]!;
}

/** Whether the accesses at `first` and `second` have a byte in common. */
export function overlaps(words: Int32Array, first: number, second: number): boolean {
  const start = words[first + ev.E_ADDRESS]!;
  const address = words[second + ev.E_ADDRESS]!;
  return start < address + words[second + ev.E_SIZE]! && address < start + words[first + ev.E_SIZE]!;
}

/**
 * Whether `event` could have run before the buffered store `write` to its location reached memory. An operation that
 * waits for a value could, if the value before that store, or before an earlier store pending with it, satisfies its
 * predicate.
 *
 * May wrongly say yes, so that a false violation is reported, if the value was composed of stores of other sizes.
 */
export function couldComeBefore(
  events: ev.EventLog,
  event: number,
  write: number,
  isPending: (write: number) => boolean,
): boolean {
  const { words } = events;
  const at = event * ev.EVENT_WORDS;
  if ((words[at + ev.E_FLAGS]! & ev.BLOCKS) === 0) return true;
  const predicate = words[at + ev.E_PREDICATE]!;
  return couldGoOn(events, words[at + ev.E_ADDRESS]!, predicate, words[at + ev.E_BOUND]!, write, isPending);
}

/** The same for an operation that waits until `predicate` holds between the four bytes at `address` and `bound`. */
export function couldGoOn(
  events: ev.EventLog,
  address: number,
  predicate: number,
  bound: number,
  write: number,
  isPending: (write: number) => boolean,
): boolean {
  const { words } = events;
  const thread = words[write * ev.EVENT_WORDS + ev.E_THREAD];
  for (let e = write; e >= 0; e--) {
    const w = e * ev.EVENT_WORDS;
    if ((words[w + ev.E_FLAGS]! & ev.WROTE_MEMORY) === 0) continue;
    const start = words[w + ev.E_ADDRESS]!;
    if (start + words[w + ev.E_SIZE]! <= address || address + 4 <= start) continue;
    if (words[w + ev.E_THREAD] !== thread || !isBuffered(words, w) || !isPending(e)) return false;
    if (start !== address || words[w + ev.E_SIZE] !== 4) return true;
    if (compare32(predicate, 32, words[w + ev.E_OLD_LOW]!, bound) !== 0) return true;
  }
  return false;
}
