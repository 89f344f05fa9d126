/** What a store–store barrier orders, as `docs/models.md` has it: under PSO the only thing that does without a full fence. */
import * as ev from '../events/event.ts';

/**
 * By kind of event: whether it stays behind the stores from before a barrier that it comes after itself. Stores do, and
 * read-modify-writes and locks, which wait; loads run ahead, and signals wait for nothing.
 */
export function staysBehindBarrier(kind: number): boolean {
  switch (kind) {
    case ev.STORE_EVENT:
    case ev.FREE_EVENT:
    case ev.RMW_EVENT:
    case ev.LOCK_EVENT:
    case ev.TRYLOCK_EVENT:
      return true;
    default:
      return false;
  }
}
