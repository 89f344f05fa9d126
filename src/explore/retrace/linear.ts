/**
 * The sequence in an order in which the machine could have run it: a placed read comes before the writes that it did not
 * see. An event's row of `order` contains the rows of all that comes before it, so sorting by their sizes does it.
 */
import * as ev from '../../machine/events/event.ts';
import type { Machine } from '../../machine/machine.ts';
import type { Sequence } from './sequence.ts';

/** The events that happen before `last`, and it; all of them if `last` is -1. */
export function linear(sequence: Sequence, last: number): number[] {
  const { order } = sequence;
  const kept: number[] = [];
  const sizes: number[] = [];
  for (let event = 0; event < sequence.length; event++) {
    if (last >= 0 && event !== last && !order.has(last, event)) continue;
    kept.push(event);
    let size = 0;
    for (let w = 0; w < order.stride; w++) size += count(order.words[event * order.stride + w]!);
    sizes[event] = size;
  }
  return kept.sort((a, b) => sizes[a]! - sizes[b]! || a - b);
}

function count(bits: number): number {
  let rest = bits - ((bits >>> 1) & 0x55555555);
  rest = (rest & 0x33333333) + ((rest >>> 2) & 0x33333333);
  return (((rest + (rest >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

/**
 * Gives the machine's log another order. Loads from memory then say how many writes they saw in that order; one that
 * comes before the update of its thread's own store has taken its value from the buffer. Returns what puts the log back.
 */
export function rearrange(machine: Machine, sequence: Sequence, order: readonly number[]): () => void {
  const { events } = machine;
  const old = events.words;
  const words = new Int32Array(old.length);
  let writes = 0;
  const isThere = new Uint8Array(sequence.length);
  order.forEach((event, place) => {
    words.set(old.subarray(event * ev.EVENT_WORDS, (event + 1) * ev.EVENT_WORDS), place * ev.EVENT_WORDS);
    const at = place * ev.EVENT_WORDS;
    isThere[event] = 1;
    if (words[at + ev.E_KIND] === ev.LOAD_EVENT && (words[at + ev.E_FLAGS]! & ev.FORWARDED) === 0) {
      words[at + ev.E_AS_OF] = writes;
      const source = sequence.sourceOf(event);
      if (source >= 0 && isThere[source] === 0) {
        words[at + ev.E_FLAGS]! |= ev.FORWARDED;
        words[at + ev.E_OWN_STORE] = events.get(source, ev.E_INDEX);
      }
    }
    if ((words[at + ev.E_FLAGS]! & ev.WROTE_MEMORY) !== 0) writes++;
  });
  events.words = words;
  return () => {
    events.words = old;
  };
}
