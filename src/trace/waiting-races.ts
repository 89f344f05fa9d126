/**
 * Happens-before at the end of an execution, where threads may still wait, each in front of an operation that has no
 * event: what these operations race with.
 */
import { ACQUIRE } from '../machine/code/order.ts';
import { atomicWait, EXCLUDES_ALL, READS, WRITES } from '../machine/events/effects.ts';
import * as ev from '../machine/events/event.ts';
import { NO_BYTES } from '../machine/run/idle-waits.ts';
import { RUNNABLE, T_STATUS } from '../machine/state/layout.ts';
import { stepOf } from '../machine/state/process.ts';
import type { IntVector } from '../util/int-vector.ts';
import { NO_ENTRY } from './access-lists.ts';
import { NO_ADDRESS, NO_OWN_STORE } from './actions.ts';
import { newestEnabling } from './conditional.ts';
import { HappensBefore } from './happens-before.ts';
import { H_EPOCH, H_WORDS, NONE } from './predecessors.ts';

export class WaitingRaces extends HappensBefore {
  /**
   * A thread that waits at the end of an execution, for a mutex or in an await, races with the write before which it
   * could have continued, for example the lock that took the mutex. For each such race, `out` receives that event, the
   * waiting action, the number of further events that must come later, and these events.
   */
  findWaiting(out: IntVector): void {
    const { machine } = this;
    out.clear();
    if (this.isOptimistic) this.checkWriters();
    const { operations, upcoming } = machine;
    const count = machine.processes.threadCount;
    for (let thread = 0; thread < count; thread++) {
      if (machine.threads.get(thread, T_STATUS) !== RUNNABLE) continue;
      if (machine.waitsOnlyIdly(thread)) {
        this.checkOpen(thread);
        this.findIdleWaiting(thread, out);
        continue;
      }
      if (this.exitsRace && upcoming.wantsExit(thread)) {
        this.addExit(thread, out);
        continue;
      }
      const mutex = upcoming.wantedMutex(thread);
      const awaited = mutex >= 0 ? undefined : upcoming.awaiting(thread);
      const address = awaited?.address ?? mutex;
      if (address < 0 || (mutex >= 0 && operations.syncs.holder(mutex) < 0)) continue;
      this.catchUp();
      const size = awaited === undefined ? 1 : 4;
      const order = awaited?.order ?? ACQUIRE;
      // In an abandoned execution, it may also be waiting for its own stores.
      if (!machine.memory.canAtomic(thread, address, size, order)) continue;
      if (awaited !== undefined && this.mayCommuteAt(address, size)) {
        const access = awaited.modifies ? READS | WRITES : READS;
        this.findAwaited(thread, address, machine.read32(address), awaited.predicate, awaited.bound, access);
        this.addWaiting(thread, address, size, atomicWait(order), out);
        continue;
      }
      const n = this.lists.lastWriteTo(address);
      if (n === NO_ENTRY) continue;
      const first =
        awaited === undefined
          ? this.lockBefore(n)
          : newestEnabling(
              machine.events,
              this.lists,
              n,
              address,
              machine.read32(address),
              awaited.predicate,
              awaited.bound,
            );
      if (first === NONE || !this.couldPrecede(thread, first, n, atomicWait(order))) continue;
      const access = awaited?.modifies === false ? READS : READS | WRITES;
      out.push(first);
      out.push(this.actions.intern(stepOf(thread), thread, access, address, size, NO_OWN_STORE, NO_ADDRESS));
      out.push(0);
    }
  }

  /** The thread was about to end the program, but another one has: that exit is the last event. */
  private addExit(thread: number, out: IntVector): void {
    const { events } = this.machine;
    const last = this.length - 1;
    if (events.get(last, ev.E_KIND) !== ev.EXIT_EVENT || events.get(last, ev.E_THREAD) === thread) return;
    out.push(last);
    out.push(this.actions.intern(stepOf(thread), thread, EXCLUDES_ALL, 0, 1, NO_OWN_STORE, NO_ADDRESS));
    out.push(0);
  }

  /** The same for a thread that waits in front of an idle read. */
  private findIdleWaiting(thread: number, out: IntVector): void {
    const { machine, actions } = this;
    const idle = machine.idleWaits!;
    this.catchUp();
    idle.look(thread);
    const { address, size } = idle;
    if (size === NO_BYTES) {
      const n = this.lists.lastWriteTo(address);
      const first = n === NO_ENTRY ? NONE : this.lockBefore(n);
      if (first === NONE || !this.couldPrecede(thread, first, n, atomicWait(ACQUIRE))) return;
      out.push(first);
      out.push(actions.intern(stepOf(thread), thread, READS | WRITES, address, 1, NO_OWN_STORE, NO_ADDRESS));
      out.push(0);
      return;
    }
    if (!machine.memory.isClear(thread, address, size)) return;
    this.checkNested(thread);
    this.findEnabling(thread);
    this.addWaiting(thread, address, size, idle.wait, out);
  }

  /**
   * Adds to `out` those of `enabling` before which the thread's next operation could come. `wait` says which of its own
   * stores the operation waits for.
   */
  private addWaiting(thread: number, address: number, size: number, wait: number, out: IntVector): void {
    const { enabling, accesses, further, furtherEnds, actions } = this;
    for (let i = 0, from = 0; i < enabling.length; from = furtherEnds.get(i++)) {
      const first = enabling.get(i);
      const end = furtherEnds.get(i);
      let isFree = this.isFree(thread, first, wait);
      for (let f = from; f < end && isFree; f++) isFree = this.isFree(thread, further.get(f), wait);
      if (!isFree) continue;
      out.push(first);
      out.push(actions.intern(stepOf(thread), thread, accesses.get(i), address, size, NO_OWN_STORE, NO_ADDRESS));
      out.push(end - from);
      for (let f = from; f < end; f++) out.push(further.get(f));
    }
  }

  /**
   * Whether the thread's next operation could come before `first`. `wait` says which of its own stores it waits for;
   * entry `n` is the last write to the location it accesses.
   */
  private couldPrecede(thread: number, first: number, n: number, wait: number): boolean {
    const { lists } = this;
    for (let m = n; lists.event(m) !== first; m = lists.previous(m)) {
      if (this.machine.events.get(lists.event(m), ev.E_THREAD) === thread) return false;
    }
    return this.isFree(thread, first, wait);
  }

  /**
   * Whether the thread's next operation, conflicts aside, follows neither `first` nor an event that happens after
   * `first`.
   */
  private isFree(thread: number, first: number, wait: number): boolean {
    const { machine, preds } = this;
    if (machine.events.get(first, ev.E_THREAD) === thread) return false;
    // The thread may have no event yet.
    while (this.threads.length <= thread) this.addThread();
    const events = this.threads[thread]!;
    const previous = events.length === 0 ? this.created.get(thread) : events.get(events.length - 1);
    preds.clear();
    if (previous !== NONE) {
      this.add(previous, 0);
      if (machine.events.get(previous, ev.E_KIND) === ev.WAIT_EVENT) this.add(this.wakerOf(thread, previous), 0);
      this.waitFor(thread, this.fields[previous * H_WORDS + H_EPOCH]!, wait);
    }
    for (let i = 0; i < preds.length; i++) if (preds.get(i) >> 1 === first) return false;
    return this.isImmediate(first, NONE, NONE);
  }
}
