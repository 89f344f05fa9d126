/**
 * What the events that later ones can follow know of the threads. The rows of later events are joins of theirs, and
 * knowledge of conflicting writes is downward closed. So if none of these events knows a write without also knowing the
 * next write to its bytes, no later event will.
 */
import * as ev from '../machine/events/event.ts';

/** After this many questions about two threads, what is known of them is sorted. */
const OFTEN = 8;

/** What this needs from a clock. */
interface Knowing {
  readonly events: ev.EventLog;
  knows(event: number, thread: number): number;
}

/**
 * What the live events know of two threads, ascending in the first; `least` is the minimum of the second from there on.
 */
interface Known {
  readonly first: Int32Array;
  readonly least: Int32Array;
}

export class KnownIndices {
  private readonly clock: Knowing;
  /** The events that later ones can follow. */
  private readonly live: readonly number[];
  /** By pair of threads: how often it was asked for; once that is often enough, what is known. */
  private readonly pairs = new Map<number, Known | number>();

  constructor(clock: Knowing, live: Uint8Array) {
    this.clock = clock;
    this.live = Array.from(live.keys()).filter((event) => live[event] === 1);
  }

  /** Whether a live event knows `write` but not `newer`. */
  separate(write: number, newer: number): boolean {
    const { words } = this.clock.events;
    const [at, next] = [write * ev.EVENT_WORDS, newer * ev.EVENT_WORDS];
    const [thread, other] = [words[at + ev.E_THREAD]!, words[next + ev.E_THREAD]!];
    const [index, bound] = [words[at + ev.E_INDEX]!, words[next + ev.E_INDEX]!];
    const pair = this.of(thread, other);
    if (pair === undefined) {
      const { clock } = this;
      return this.live.some((event) => clock.knows(event, thread) >= index && clock.knows(event, other) < bound);
    }
    const { first, least } = pair;
    let [low, high] = [0, first.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (first[middle]! < index) low = middle + 1;
      else high = middle;
    }
    return low < first.length && least[low]! < bound;
  }

  /** What is known of the two threads; `undefined` while there are too few questions for sorting to pay off. */
  private of(thread: number, other: number): Known | undefined {
    const key = thread * 65_536 + other;
    const made = this.pairs.get(key) ?? 0;
    if (typeof made === 'object') return made;
    this.pairs.set(key, made + 1);
    if (made < OFTEN) return undefined;
    const { clock, live } = this;
    const known = live.map((event) => [clock.knows(event, thread), clock.knows(event, other)] as const);
    known.sort(([a], [b]) => a - b);
    const first = Int32Array.from(known, ([a]) => a);
    const least = Int32Array.from(known, ([, b]) => b);
    for (let i = least.length - 2; i >= 0; i--) least[i] = Math.min(least[i]!, least[i + 1]!);
    const result = { first, least };
    this.pairs.set(key, result);
    return result;
  }
}
