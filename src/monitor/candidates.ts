/**
 * The stores of other threads that an event could have come before: for each byte that it accesses, the newest write
 * that its thread's previous event knows, if that is another thread's store. The monitors decide whether the store is
 * still in its buffer then.
 */
import * as ev from '../machine/events/event.ts';
import { type AccessLists, NO_ENTRY } from '../trace/access-lists.ts';
import { DistinctEvents } from './distinct-events.ts';
import { isBuffered } from './mapping.ts';

/** Happens-before between two different events, given in the order in which they happened. */
export interface Order {
  happensBefore(first: number, second: number): boolean;
}

export class Candidates extends DistinctEvents {
  /** Adds the candidates for these bytes of the word of `list`. `past` is the previous event of `thread`. */
  find(
    lists: AccessLists,
    list: number,
    mask: number,
    words: Int32Array,
    thread: number,
    past: number,
    order: Order,
  ): void {
    let rest = mask;
    for (let n = lists.lastWrite(list); n !== NO_ENTRY && rest !== 0; n = lists.previous(n)) {
      const overlap = lists.mask(n) & rest;
      if (overlap === 0) continue;
      const write = lists.event(n);
      // A write that `past` does not know has not happened yet if the event comes before an older write.
      if (write !== past && (write > past || !order.happensBefore(write, past))) continue;
      rest &= ~overlap;
      const w = write * ev.EVENT_WORDS;
      if (words[w + ev.E_THREAD] !== thread && isBuffered(words, w)) this.add(write);
    }
  }
}
