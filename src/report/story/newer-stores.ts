/** Which stores in buffers are newer than what memory has: made later, not only still on their way. */
import * as ev from '../../machine/events/event.ts';
import type { Pending } from '../../machine/memory/memory.ts';

/**
 * Whether memory has, in some byte of `address`…, a value that was stored before the waiting store of `thread` was made.
 * What was stored after it is no older for having reached memory first.
 */
export function isNewer(events: ev.EventLog, thread: number, waiting: Pending, address: number, size: number): boolean {
  const made = storeEvent(events, thread, waiting.store);
  const end = Math.min(address + size, waiting.address + waiting.size);
  for (let byte = Math.max(address, waiting.address); byte < end; byte++) if (madeAt(events, byte) < made) return true;
  return false;
}

/** When the store that memory has in a byte was made; -1 if the byte is as it was at the start. */
function madeAt(events: ev.EventLog, byte: number): number {
  for (let e = events.length - 1; e >= 0; e--) {
    if ((events.get(e, ev.E_FLAGS) & ev.WROTE_MEMORY) === 0) continue;
    const start = events.get(e, ev.E_ADDRESS);
    if (byte < start || byte >= start + events.get(e, ev.E_SIZE)) continue;
    if (events.get(e, ev.E_KIND) !== ev.UPDATE_EVENT) return e;
    return storeEvent(events, events.get(e, ev.E_THREAD), events.get(e, ev.E_INDEX));
  }
  return -1;
}

function storeEvent(events: ev.EventLog, thread: number, index: number): number {
  for (let e = 0; e < events.length; e++) {
    if (events.get(e, ev.E_THREAD) === thread && events.get(e, ev.E_INDEX) === index) return e;
  }
  return -1;
}
