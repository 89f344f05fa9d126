/** What woke a thread that slept on a condition variable. */
import { EFFECTS, ENDS_SLEEP, NAMES_THREAD, SLEEPS, WAKES } from './effects.ts';
import * as ev from './event.ts';

/**
 * Whether an event of kind `kind`, right after one of kind `previous` in its thread, comes after the signal that woke
 * the thread. A timed wait ends by a separate step, which is ordered with signals like every operation on the
 * condition.
 */
export function followsWaker(previous: number, kind: number): boolean {
  return (EFFECTS[previous]! & SLEEPS) !== 0 && (EFFECTS[kind]! & ENDS_SLEEP) === 0;
}

/** The signal or broadcast before event `end` that woke `thread` from the wait at event `wait`; -1 if there is none. */
export function wakerOf(words: Int32Array, thread: number, wait: number, end: number): number {
  const condition = words[wait * ev.EVENT_WORDS + ev.E_ADDRESS]!;
  for (let e = wait + 1; e < end; e++) {
    const at = e * ev.EVENT_WORDS;
    if (words[at + ev.E_ADDRESS] !== condition) continue;
    const does = EFFECTS[words[at + ev.E_KIND]!]!;
    // A signal names the thread that it woke; a broadcast woke all that slept.
    if ((does & WAKES) !== 0 && ((does & NAMES_THREAD) === 0 || words[at + ev.E_OTHER] === thread)) return e;
  }
  return -1;
}
