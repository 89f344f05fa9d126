/** Operations in front of which threads wait, as if they were the next events of the sequence. */
import { ACQUIRE } from '../../machine/code/order.ts';
import { atomicWait, READS, WRITES } from '../../machine/events/effects.ts';
import * as ev from '../../machine/events/event.ts';
import type { Machine } from '../../machine/machine.ts';
import { RUNNABLE, T_STATUS } from '../../machine/state/layout.ts';
import type { Outcome } from './outcome.ts';
import type { Sequence } from './sequence.ts';

export class Waiting {
  private readonly machine: Machine;
  private readonly sequence: Sequence;
  private readonly outcome: Outcome;

  constructor(machine: Machine, sequence: Sequence, outcome: Outcome) {
    this.machine = machine;
    this.sequence = sequence;
    this.outcome = outcome;
  }

  /** Whether the thread waits in an await that writes, or does not; begins its operation. */
  beginAwait(thread: number, writes: boolean): boolean {
    const { machine, sequence, outcome } = this;
    if (machine.threads.get(thread, T_STATUS) !== RUNNABLE) return false;
    const awaited = machine.upcoming.awaiting(thread);
    if (awaited === undefined || awaited.modifies !== writes || machine.choices(thread) > 0) return false;
    const { address, order } = awaited;
    // It waits for its own stores.
    if (!machine.memory.canAtomic(thread, address, 4, order)) return false;
    const access = writes ? READS | WRITES : READS;
    sequence.beginWaiting(thread, ev.RMW_EVENT, address, 4, access, atomicWait(order));
    outcome.ofAwait(awaited);
    return true;
  }

  /** The same for a mutex. */
  beginLock(thread: number): boolean {
    const { machine, sequence, outcome } = this;
    if (machine.threads.get(thread, T_STATUS) !== RUNNABLE) return false;
    const mutex = machine.upcoming.wantedMutex(thread);
    if (mutex < 0 || machine.choices(thread) > 0 || !machine.memory.canAtomic(thread, mutex, 1, ACQUIRE)) return false;
    sequence.beginWaiting(thread, ev.LOCK_EVENT, mutex, 1, READS | WRITES, atomicWait(ACQUIRE));
    outcome.ofLock(mutex);
    return true;
  }
}
