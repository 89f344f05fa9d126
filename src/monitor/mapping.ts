/**
 * What an operation makes the buffers of its thread do, by docs/models.md: the part of the models that monitors need. A
 * seq_cst store is two events here, the store and the fence behind it; so is a condition wait, with the lock that ends it.
 */
import { compare32 } from '../machine/code/arithmetic.ts';
import { RELEASES, SEQ_CST } from '../machine/code/order.ts';
import * as ev from '../machine/events/event.ts';

/** The operation waits for nothing. */
export const NO_WAIT = 0;
/** TSO: for all own stores. PSO: for those to its own bytes, and those from before the last store–store barrier. */
export const WAITS_BEHIND_BARRIER = 1;
/** For all own stores. */
export const DRAINS = 2;

/** What the event whose record begins at `at` waited for. That a join waits for another thread's buffer is not in here. */
export function waitOf(words: Int32Array, at: number): number {
  switch (words[at + ev.E_KIND]) {
    case ev.RMW_EVENT:
      return RELEASES[words[at + ev.E_WAIT]!] === 1 ? DRAINS : WAITS_BEHIND_BARRIER;
    case ev.LOCK_EVENT:
    case ev.TRYLOCK_EVENT:
      return WAITS_BEHIND_BARRIER;
    case ev.FENCE_EVENT:
      return words[at + ev.E_ORDER] === SEQ_CST ? DRAINS : NO_WAIT;
    case ev.UNLOCK_EVENT:
    case ev.WAIT_EVENT:
    case ev.SPAWN_EVENT:
    case ev.BEGIN_ATOMIC_EVENT:
    case ev.END_ATOMIC_EVENT:
      return DRAINS;
    default:
      return NO_WAIT;
  }
}

/** Whether the event puts a store–store barrier before itself (a store) or where it stands (a fence). */
export function isBarrier(words: Int32Array, at: number): boolean {
  const kind = words[at + ev.E_KIND];
  return (kind === ev.STORE_EVENT || kind === ev.FENCE_EVENT) && RELEASES[words[at + ev.E_ORDER]!] === 1;
}

/** Whether the event's write goes through the store buffer. */
export function isBuffered(words: Int32Array, at: number): boolean {
  const kind = words[at + ev.E_KIND];
  return (kind === ev.STORE_EVENT || kind === ev.FREE_EVENT) && (words[at + ev.E_FLAGS]! & ev.AT_ONCE) === 0;
}

/** Whether the write at `write` writes all that the event at `at` accesses. */
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
 * Whether `event`, if it is an operation that waits for a value, could have run before the buffered store `write` of its
 * location reached memory: some value from before it, and before other stores that are pending with it, lets it go on.
 *
 * May say yes wrongly, so that a false violation is reported, if the value was put together by stores of other sizes.
 */
export function couldComeBefore(
  events: ev.EventLog,
  event: number,
  write: number,
  isPending: (write: number) => boolean,
): boolean {
  const { words } = events;
  const at = event * ev.EVENT_WORDS;
  if (words[at + ev.E_KIND] !== ev.RMW_EVENT || (words[at + ev.E_FLAGS]! & ev.BLOCKS) === 0) return true;
  const predicate = words[at + ev.E_EXPECTED_HIGH]!;
  return couldGoOn(events, words[at + ev.E_ADDRESS]!, predicate, words[at + ev.E_EXPECTED_LOW]!, write, isPending);
}

/** The same for what waits until `predicate` holds of the four bytes at `address` and `bound`. */
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
