/** Which mutexes a thread holds, from the rows of its story. */
import type { EventReport } from '../trace-schema.ts';

export function isLocking({ kind, effect }: EventReport): boolean {
  return kind === 'lock' || (kind === 'trylock' && !effect.endsWith('(held)'));
}

/** Whether the event unlocks this mutex or waits on a condition variable with it. */
export function givesBack({ kind, address, unlocks }: EventReport, mutex: string): boolean {
  return (kind === 'unlock' && address === mutex) || unlocks === mutex;
}

/** The mutexes that the thread of event `at` holds there: names by address. */
export function heldAt(events: readonly EventReport[], at: number): ReadonlyMap<string, string> {
  const held = new Map<string, string>();
  const { thread } = events[at]!;
  for (const event of events.slice(0, at)) {
    const { address, location, unlocks } = event;
    if (event.thread !== thread || address === undefined || location === undefined) continue;
    if (isLocking(event)) held.set(address, location);
    else if (givesBack(event, address)) held.delete(address);
    else if (unlocks !== undefined) held.delete(unlocks);
  }
  return held;
}
