/** Which buffered stores are newer than the value in memory: issued later, not just committed later. */
import { isUpdate } from '../../machine/events/effects.ts';
import * as ev from '../../machine/events/event.ts';
import type { Pending } from '../../machine/memory/memory.ts';

/**
 * Whether memory holds, in some byte at `address`, a value whose store was issued before the buffered store of
 * `thread`. A store issued later is not older just because it reached memory first.
 */
export function isNewer(events: ev.EventLog, thread: number, waiting: Pending, address: number, size: number): boolean {
  const made = storeEvent(events, thread, waiting.store);
  const end = Math.min(address + size, waiting.address + waiting.size);
  for (let byte = Math.max(address, waiting.address); byte < end; byte++) if (madeAt(events, byte) < made) return true;
  return false;
}

/** When the store whose value is in memory at `byte` was issued; -1 if the byte has its initial value. */
function madeAt(events: ev.EventLog, byte: number): number {
  for (let e = events.length - 1; e >= 0; e--) {
    if ((events.get(e, ev.E_FLAGS) & ev.WROTE_MEMORY) === 0) continue;
    const start = events.get(e, ev.E_ADDRESS);
    if (byte < start || byte >= start + events.get(e, ev.E_SIZE)) continue;
    if (!isUpdate(events, e)) return e;
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
