/**
 * Races of operations that wait in front of an idle read (`machine/run/idle-waits.ts`).
 *
 * Such an operation cannot come before a write that made it enabled, so it races with the newest write *w* before which it
 * could have run, as a lock does: where it is not idle if w, and all that happens after w, has not happened. All writes that
 * it could still precede must cover its bytes, so that they are ordered. Where threads write parts of them, several writes
 * may have to be undone together, and which ones is not known: then `MixedWait` is thrown, and the search must do
 * without waiting.
 *
 * Only the thread itself, in the state in which it waits, can say whether a value is idle. So the races are found before
 * the step is taken, and recorded when its event is observed.
 */
import * as ev from '../machine/events/event.ts';
import { NO_BYTES } from '../machine/run/idle-waits.ts';
import { IntVector } from '../util/int-vector.ts';
import { bytesIn, NO_ENTRY } from './access-lists.ts';
import { AccessOrder } from './access-order.ts';
import { overwrittenByte } from './conditional.ts';
import { NONE } from './predecessors.ts';

/** A thread waits for bytes that others write in parts. */
export class MixedWait extends Error {
  override readonly name = 'MixedWait';
}

export class WaitOrder extends AccessOrder {
  /** The event that the operation that was prepared last will be. */
  protected prepared: number = NONE;
  /** The writes that it races with, and what it would do before each of them: `READS` or more. */
  protected readonly enabling: IntVector = new IntVector();
  protected readonly accesses: IntVector = new IntVector();
  /** It acts like a lock: it is a trylock that waits while the mutex is held. */
  private isLikeLock = false;
  /** The writes that the event being observed reads from. */
  protected readonly sources: IntVector = new IntVector();
  private readonly bytes = new Uint8Array(8);

  /** Finds the races of the thread's next operation, which is about to run. */
  protected prepareWait(thread: number): void {
    const { machine } = this;
    const idle = machine.idleWaits;
    this.prepared = NONE;
    if (idle?.mayWait(thread) !== true) return;
    idle.look(thread);
    this.isLikeLock = idle.size === NO_BYTES && idle.isIdleIfHeld(thread);
    if (idle.size === NO_BYTES && !this.isLikeLock) return;
    // A load from the thread's own buffer reads no memory.
    if (idle.size !== NO_BYTES && !machine.memory.isClear(thread, idle.address, idle.size)) return;
    this.prepared = machine.depth;
    if (!this.isLikeLock) this.findEnabling(thread);
  }

  /** The event being observed is the one that was prepared. */
  protected beginWait(): void {
    this.waits = !this.isLikeLock;
    this.actsAsLock = this.isLikeLock;
    this.sources.clear();
  }

  protected endWait(): void {
    this.waits = false;
    this.actsAsLock = false;
    this.prepared = NONE;
  }

  protected override addSource(write: number): void {
    this.add(write, 0);
    this.sources.push(write);
  }

  /** Leaves in `enabling` the newest writes before which the thread's next operation would not have been idle. */
  protected findEnabling(thread: number): void {
    const { machine, enabling, accesses, bytes } = this;
    const { state, events } = machine;
    const { address, size } = machine.idleWaits!;
    enabling.clear();
    accesses.clear();
    for (
      let write = this.writeBefore(machine.depth, address, size);
      write !== NONE;
      write = this.writeBefore(write, address, size)
    ) {
      if (this.isPast(thread, write)) continue;
      const start = events.get(write, ev.E_ADDRESS);
      const covers = start <= address && address + size <= start + events.get(write, ev.E_SIZE);
      if (!covers) throw new MixedWait('a thread waits for bytes that are written in parts');
      if (this.isBeforeOwn(thread, write, address, size)) continue;
      state.read(address, size);
      for (let i = 0; i < size; i++) bytes[i] = i < 4 ? state.low >>> (8 * i) : state.high >>> (8 * (i - 4));
      const revives = this.restore(write, machine.depth, address, size);
      if (machine.idleWaits!.isIdleWith(thread, bytes, revives)) continue;
      enabling.push(write);
      accesses.push(machine.idleWaits!.access);
      // All older writes to these bytes happen before this one.
      return;
    }
  }

  /** Whether the write is the thread's own, or happens before what the thread has done. */
  private isPast(thread: number, write: number): boolean {
    if (this.machine.events.get(write, ev.E_THREAD) === thread) return true;
    const own = this.threads[thread];
    const last =
      own === undefined || own.length === 0
        ? this.created.length > thread
          ? this.created.get(thread)
          : NONE
        : own.get(own.length - 1);
    return last !== NONE && (last === write || this.happensBefore(write, last));
  }

  /** The newest write to any of these bytes before event `before`. */
  private writeBefore(before: number, address: number, size: number): number {
    const { lists } = this;
    let newest = NONE;
    for (let word = address >> 2; word << 2 < address + size; word++) {
      const mask = bytesIn(word, address, size);
      let n = lists.lastWrite(lists.list(word));
      while (n !== NO_ENTRY && (lists.event(n) >= before || (lists.mask(n) & mask) === 0)) n = lists.previous(n);
      if (n !== NO_ENTRY && lists.event(n) > newest) newest = lists.event(n);
    }
    return newest;
  }

  /** Whether the write is one of the thread's own, or happens before one of them to these bytes. */
  private isBeforeOwn(thread: number, write: number, address: number, size: number): boolean {
    const { events } = this.machine;
    for (let own = this.writeBefore(this.machine.depth, address, size); own >= write; ) {
      if (events.get(own, ev.E_THREAD) === thread && (own === write || this.happensBefore(write, own))) return true;
      own = this.writeBefore(own, address, size);
      if (own === NONE) return false;
    }
    return false;
  }

  /**
   * Undoes, in `bytes`, the write `first` and all writes to these bytes before event `before` that happen after it.
   * Returns whether one of them ended the object.
   */
  private restore(first: number, before: number, address: number, size: number): boolean {
    const { lists, bytes } = this;
    const { events } = this.machine;
    let revives = false;
    for (let word = address >> 2; word << 2 < address + size; word++) {
      const mask = bytesIn(word, address, size);
      for (let n = lists.lastWrite(lists.list(word)); n !== NO_ENTRY; n = lists.previous(n)) {
        const write = lists.event(n);
        if (write < first) break;
        if (write >= before || (lists.mask(n) & mask) === 0) continue;
        if (write !== first && !this.happensBefore(first, write)) continue;
        if ((events.get(write, ev.E_FLAGS) & ev.ENDS_OBJECT) !== 0) {
          revives = true;
          continue;
        }
        const start = events.get(write, ev.E_ADDRESS);
        for (let byte = 0; byte < 4; byte++) {
          if ((lists.mask(n) & mask & (1 << byte)) === 0) continue;
          const at = (word << 2) + byte;
          bytes[at - address] = overwrittenByte(events, write, at - start);
        }
      }
    }
    return revives;
  }

  /**
   * Whether the event being observed could come before `first`, which it reads from or which such a write happens after:
   * nothing else that it follows is or happens after `first`.
   */
  protected canComeBefore(first: number): boolean {
    const { preds } = this;
    for (let i = 0; i < preds.length; i++) {
      const pred = preds.get(i) >> 1;
      if (this.isSource(pred)) continue;
      if (pred === first || this.happensBefore(first, pred)) return false;
    }
    return true;
  }

  private isSource(event: number): boolean {
    for (let i = 0; i < this.sources.length; i++) if (this.sources.get(i) === event) return true;
    return false;
  }
}
