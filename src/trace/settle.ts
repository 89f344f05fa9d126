/**
 * An execution that ended in an error may leave stores in buffers, and without their updates its trace lacks edges.
 * Commit them all, thread by thread and in program order, which every model allows. The execution is a prefix of the
 * result.
 */
import { BUFFERED, COMMITS, effectsOf } from '../machine/events/effects.ts';
import * as ev from '../machine/events/event.ts';

/**
 * The events, followed by an update for every store that is still buffered. Returns the log itself if there are none.
 */
export function settle(events: ev.EventLog): ev.EventLog {
  const waiting = waitingStores(events);
  if (waiting.length === 0) return events;
  const settled = new ev.EventLog();
  settled.words = events.words.slice();
  settled.length = events.length;
  for (const store of waiting) {
    const get = (field: number): number => events.get(store, field);
    const at = settled.append(ev.UPDATE_EVENT, get(ev.E_THREAD), get(ev.E_INDEX), get(ev.E_STEP), get(ev.E_SITE));
    for (const field of [ev.E_ADDRESS, ev.E_SIZE, ev.E_STORED_LOW, ev.E_STORED_HIGH])
      settled.words[at + field] = get(field);
    settled.words[at + ev.E_FLAGS] = ev.WROTE_MEMORY;
  }
  return settled;
}

/** By thread, then in program order. */
function waitingStores(events: ev.EventLog): readonly number[] {
  /** Per thread: its buffered stores, by their index in the thread. */
  const waiting = new Map<number, Map<number, number>>();
  for (let event = 0; event < events.length; event++) {
    const does = effectsOf(events, event);
    const thread = events.get(event, ev.E_THREAD);
    if ((does & COMMITS) !== 0) waiting.get(thread)?.delete(events.get(event, ev.E_INDEX));
    if ((does & BUFFERED) === 0 || (events.get(event, ev.E_FLAGS) & ev.WROTE_MEMORY) !== 0) continue;
    let own = waiting.get(thread);
    if (own === undefined) {
      own = new Map();
      waiting.set(thread, own);
    }
    own.set(events.get(event, ev.E_INDEX), event);
  }
  return [...waiting.values()].flatMap((own) => [...own.values()]);
}
