/**
 * How far the events that later ones can follow know the threads. Rows of later events are joined from theirs, and what is
 * known of conflicting writes is closed downwards. So if none of them knows a write without the next one to its bytes, no
 * later event will.
 */
import * as ev from '../machine/events/event.ts';
import type { EventClock } from './event-clock.ts';

/** What they know of two threads: in ascending order of the first, with the least of the second from there on. */
interface Known {
  readonly first: Int32Array;
  readonly least: Int32Array;
}

export class KnownIndices {
  private readonly clock: EventClock;
  /** The events that later ones can follow. */
  private readonly live: readonly number[];
  /** By the two threads; made when they are asked for. */
  private readonly pairs = new Map<string, Known>();

  constructor(clock: EventClock, live: Uint8Array) {
    this.clock = clock;
    this.live = Array.from(live.keys()).filter((event) => live[event] === 1);
  }

  /** Whether one of them knows `write` but not `newer`. */
  separate(write: number, newer: number): boolean {
    const { words } = this.clock.events;
    const [at, next] = [write * ev.EVENT_WORDS, newer * ev.EVENT_WORDS];
    const { first, least } = this.of(words[at + ev.E_THREAD]!, words[next + ev.E_THREAD]!);
    const index = words[at + ev.E_INDEX]!;
    let [low, high] = [0, first.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (first[middle]! < index) low = middle + 1;
      else high = middle;
    }
    return low < first.length && least[low]! < words[next + ev.E_INDEX]!;
  }

  private of(thread: number, other: number): Known {
    const key = `${thread} ${other}`;
    const made = this.pairs.get(key);
    if (made !== undefined) return made;
    const { clock, live } = this;
    const known = live.map((event) => [clock.knows(event, thread), clock.knows(event, other)] as const);
    known.sort(([a], [b]) => a - b);
    const first = Int32Array.from(known, ([a]) => a);
    const least = Int32Array.from(known, ([, b]) => b);
    for (let i = least.length - 2; i >= 0; i--) least[i] = Math.min(least[i]!, least[i + 1]!);
    this.pairs.set(key, { first, least });
    return { first, least };
  }
}
