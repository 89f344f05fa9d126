/** Loads that read an old value although a newer one was in memory, as PSLO allows. */
import { COMMITS, effectsOf } from '../../machine/events/effects.ts';
import * as ev from '../../machine/events/event.ts';
import { choiceOf } from '../../machine/state/process.ts';

export interface Missed {
  /** The first and the last of the events before the load that put newer values into memory. */
  readonly first: number;
  readonly last: number;
}

/** By load: what it missed. */
export function staleLoads(events: ev.EventLog): ReadonlyMap<number, Missed> {
  const found = new Map<number, Missed>();
  for (let e = 0; e < events.length; e++) {
    const missed = missedBy(events, e);
    if (missed !== undefined) found.set(e, missed);
  }
  return found;
}

/** What this event missed, if it is a stale load. */
export function missedBy(events: ev.EventLog, event: number): Missed | undefined {
  // The choice of a load is the number of newer values that it missed.
  if (events.get(event, ev.E_KIND) !== ev.LOAD_EVENT || choiceOf(events.get(event, ev.E_STEP)) === 0) return undefined;
  const missed: number[] = [];
  for (let e = event - 1; e >= 0 && missed.length < choiceOf(events.get(event, ev.E_STEP)); e--) {
    if ((events.get(e, ev.E_FLAGS) & ev.WROTE_MEMORY) !== 0 && overlap(events, event, e)) missed.push(e);
  }
  return missed.length === 0 ? undefined : { first: missed.at(-1)!, last: missed[0]! };
}

/** The store whose value this write put into memory: the write itself, unless it is an update. */
export function storeOf(events: ev.EventLog, write: number): number {
  if ((effectsOf(events, write) & COMMITS) === 0) return write;
  const [thread, index] = [events.get(write, ev.E_THREAD), events.get(write, ev.E_INDEX)];
  for (let e = 0; e < write; e++) {
    if (events.get(e, ev.E_THREAD) === thread && events.get(e, ev.E_INDEX) === index) return e;
  }
  return write;
}

function overlap(events: ev.EventLog, a: number, b: number): boolean {
  const [start, from] = [events.get(a, ev.E_ADDRESS), events.get(b, ev.E_ADDRESS)];
  return start < from + events.get(b, ev.E_SIZE) && from < start + events.get(a, ev.E_SIZE);
}
