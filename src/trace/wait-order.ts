/**
 * Races of operations that wait in front of an idle read (`machine/run/idle-waits.ts`).
 *
 * Such an operation cannot come before a write that made it enabled. So, like a lock, it races with the newest write
 * *w* before which it could have run: it would not be idle if w, and all that happens after w, had not happened. Every
 * write that it could still precede must cover all its bytes; then these writes are ordered. Where threads write parts
 * of the bytes, several writes may have to be undone together, and it is not known which: then `MixedWait` is thrown,
 * and the search must do without waiting.
 *
 * Writes that commute are not ordered. The operation then races with every set of them without which it could have run
 * ([commuting-writes.ts](./commuting-writes.ts)); the same holds for an await that blocks.
 *
 * Whether a value is idle can only be decided by running the thread from the state in which it waits. So the races are
 * found before the step is taken, and recorded when its event is observed.
 */
import * as ev from '../machine/events/event.ts';
import { NO_BYTES } from '../machine/run/idle-waits.ts';
import { UndefinedBits } from '../machine/state/undefined-bits.ts';
import { IntVector } from '../util/int-vector.ts';
import { bytesIn, MAY_COMMUTE, NO_ENTRY } from './access-lists.ts';
import { AccessOrder } from './access-order.ts';
import { CommutingWrites } from './commuting-writes.ts';
import { awaitAccess, holds, overwrittenByte } from './conditional.ts';
import { NONE } from './predecessors.ts';

/** A thread waits for bytes that others write piecewise. */
export class MixedWait extends Error {
  override readonly name: string = 'MixedWait';
}

/**
 * A thread that waits in front of an exchange has to take it, since the values that its location has had make a
 * difference ([decision 30](../../docs/decisions/0030-nested-waits.md)); or optimistic reads must be given up
 * ([decision 45](../../docs/decisions/0045-optimistic-reads.md)). The search can continue without either.
 */
export class NestedWait extends MixedWait {
  override readonly name = 'NestedWait';
}

/** What a thread's operation would do, `READS` or more, if it found these bytes; 0 if it would wait. */
type WouldDo = (bytes: Uint8Array, revives: boolean) => number;

export class WaitOrder extends AccessOrder {
  /** The number that the event of the operation prepared last will have. */
  protected prepared: number = NONE;
  /** The writes that this operation races with, and its access if it ran before each of them: `READS` or more. */
  protected readonly enabling: IntVector = new IntVector();
  protected readonly accesses: IntVector = new IntVector();
  /** Further writes that must also come later, for all of `enabling` together; and the end of each one's range. */
  protected readonly further: IntVector = new IntVector();
  protected readonly furtherEnds: IntVector = new IntVector();
  /** Whether it acts like a lock: it is a trylock that waits while the mutex is held. */
  private isLikeLock = false;
  /** The writes that the event being observed reads from. */
  protected readonly sources: IntVector = new IntVector();
  private readonly bytes = new Uint8Array(8);
  private undefinedBits: UndefinedBits | undefined;
  /** The thread that waits in front of an idle read. */
  private waiting: number = NONE;

  /** Finds the races of the thread's next operation, which is about to run. */
  protected prepareWait(thread: number): void {
    const { machine } = this;
    const idle = machine.idleWaits;
    this.prepared = NONE;
    if (idle?.mayWait(thread) !== true) return;
    // A commuting read-modify-write always writes, so it is never idle.
    if ((this.classes[machine.upcoming.nextSite(thread)] ?? 0) !== 0) return;
    idle.look(thread);
    this.isLikeLock = idle.size === NO_BYTES && idle.isIdleIfHeld(thread);
    if (idle.size === NO_BYTES && !this.isLikeLock) return;
    // A load from the thread's own buffer reads no memory.
    if (idle.size !== NO_BYTES && !machine.memory.isClear(thread, idle.address, idle.size)) return;
    this.prepared = machine.depth;
    if (this.isLikeLock) return;
    this.checkNested(thread);
    this.findEnabling(thread);
  }

  /** Call when the event being observed is the one that was prepared. */
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

  /** The same for a blocking await, which is about to be observed as this event. */
  protected prepareAwait(event: number): void {
    const { events } = this.machine;
    const address = events.get(event, ev.E_ADDRESS);
    if (!this.mayCommuteAt(address, 4)) return;
    this.prepared = event;
    this.isLikeLock = false;
    const access = awaitAccess(events.get(event, ev.E_FLAGS));
    this.findAwaited(
      events.get(event, ev.E_THREAD),
      address,
      events.get(event, ev.E_READ_LOW),
      events.get(event, ev.E_PREDICATE),
      events.get(event, ev.E_BOUND),
      access,
    );
  }

  /** Whether writes to some of these bytes may commute. */
  protected mayCommuteAt(address: number, size: number): boolean {
    if (this.classes.length === 0) return false;
    const { lists } = this;
    for (let word = address >> 2; word << 2 < address + size; word++) {
      for (let n = lists.lastWrite(lists.list(word)); n !== NO_ENTRY; n = lists.previous(n))
        if ((lists.mask(n) & MAY_COMMUTE) !== 0) return true;
    }
    return false;
  }

  /**
   * Call after `idle.look(thread)`. The thread's next operation may have waited because of the read that follows it.
   * Makes sure that every value its location has had since the thread arrived there gives the same result.
   */
  protected checkNested(thread: number): void {
    const { machine } = this;
    const idle = machine.idleWaits!;
    if (!idle.mayNest(thread)) return;
    const { events, state } = machine;
    const { address, size } = idle;
    if (machine.operations.objects.checkPlain(address, size) !== 0 && machine.layout.tracksUndefined)
      throw new NestedWait('a thread waits for bytes that have no value');
    state.read(address, size);
    const { low, high } = state;
    const values = new Map<string, Uint8Array>();
    const note = (byte: (i: number) => number): void => {
      const bytes = Uint8Array.from({ length: size }, (_, i) => byte(i));
      values.set(bytes.join(), bytes);
    };
    note((i) => (i < 4 ? low >>> (8 * i) : high >>> (8 * (i - 4))));
    for (
      let write = this.writeBefore(machine.depth, address, size);
      write !== NONE && !this.isPast(thread, write);
      write = this.writeBefore(write, address, size)
    ) {
      const start = events.get(write, ev.E_ADDRESS);
      const covers = start <= address && address + size <= start + events.get(write, ev.E_SIZE);
      const ends = (events.get(write, ev.E_FLAGS) & (ev.ENDS_OBJECT | ev.REPLACED_UNDEFINED)) !== 0;
      if (!covers || ends || this.classOf(write) !== 0)
        throw new NestedWait('a thread waits for bytes of which not all values are known');
      note((i) => overwrittenByte(events, write, address - start + i));
    }
    if (!idle.agreesOn(thread, [...values.values()])) throw new NestedWait('a thread waits for one value in two ways');
  }

  /** Sets `enabling` to the newest writes before which the thread's next operation would not have been idle. */
  protected findEnabling(thread: number): void {
    const { machine } = this;
    const { state } = machine;
    const idle = machine.idleWaits!;
    state.read(idle.address, idle.size);
    const { low, high } = state;
    this.waiting = thread;
    this.findWrites(thread, idle.address, idle.size, low, high, this.wouldRead);
  }

  private readonly wouldRead: WouldDo = (bytes, revives) => {
    const idle = this.machine.idleWaits!;
    return idle.isIdleWith(this.waiting, bytes, revives) ? 0 : idle.access;
  };

  /**
   * Sets `enabling` to the newest writes before which the thread's await, which finds the value `low`, could have run.
   */
  protected findAwaited(
    thread: number,
    address: number,
    low: number,
    predicate: number,
    bound: number,
    access: number,
  ): void {
    this.findWrites(thread, address, 4, low, 0, (bytes) => {
      const value = bytes[0]! | (bytes[1]! << 8) | (bytes[2]! << 16) | (bytes[3]! << 24);
      return holds(value, predicate, bound) ? access : 0;
    });
  }

  private findWrites(thread: number, address: number, size: number, low: number, high: number, wouldDo: WouldDo): void {
    const { machine, enabling, bytes } = this;
    const { events } = machine;
    enabling.clear();
    this.accesses.clear();
    this.further.clear();
    this.furtherEnds.clear();
    for (
      let write = this.writeBefore(machine.depth, address, size);
      write !== NONE;
      write = this.writeBefore(write, address, size)
    ) {
      const start = events.get(write, ev.E_ADDRESS);
      const covers = start <= address && address + size <= start + events.get(write, ev.E_SIZE);
      if (this.isPast(thread, write)) {
        // All older writes to these bytes happen before this one. The read cannot come before this write, or reads it
        // there too (decision 24).
        if (covers && this.classOf(write) === 0) return;
        continue;
      }
      if (!covers) throw new MixedWait('a thread waits for bytes that are written in parts');
      if (this.isBeforeOwn(thread, write, address, size)) continue;
      if (this.classOf(write) !== 0) {
        write = this.findSets(thread, write, address, size, wouldDo);
        if (enabling.length > 0) return;
        continue;
      }
      for (let i = 0; i < size; i++) bytes[i] = i < 4 ? low >>> (8 * i) : high >>> (8 * (i - 4));
      const revives = this.restore(write, machine.depth, address, size);
      this.restoreUndefined([write], address, size);
      const access = wouldDo(bytes, revives);
      this.forgetUndefined();
      if (access === 0) continue;
      enabling.push(write);
      this.accesses.push(access);
      this.furtherEnds.push(0);
      // All older writes to these bytes happen before this one.
      return;
    }
  }

  /**
   * Finds, among the writes that commute with this one and have no other write between them, all sets without which the
   * operation would not wait. Returns the oldest of these writes.
   */
  private findSets(thread: number, write: number, address: number, size: number, wouldDo: WouldDo): number {
    const { machine, enabling, accesses, further, furtherEnds, bytes } = this;
    const { events } = machine;
    const start = events.get(write, ev.E_ADDRESS);
    const extent = events.get(write, ev.E_SIZE);
    const group: number[] = [];
    let revives = false;
    for (let e = this.writeBefore(machine.depth, start, extent); e !== NONE; e = this.writeBefore(e, start, extent)) {
      if (this.commute(e, write)) group.push(e);
      else if (e < write) break;
      else {
        group.length = 0;
        revives ||= (events.get(e, ev.E_FLAGS) & ev.ENDS_OBJECT) !== 0;
      }
    }
    const writes = new CommutingWrites(events, this.classOf(write), group, (a, b) => this.happensBefore(a, b));
    const canGo = (e: number): boolean => !this.isPast(thread, e) && !this.isBeforeOwn(thread, e, address, size);
    const known = new Map<bigint, number>();
    const accessWith = (value: bigint): number => {
      let access = known.get(value);
      if (access === undefined) {
        for (let i = 0; i < size; i++) bytes[i] = Number((value >> BigInt(8 * (address - start + i))) & 0xffn);
        this.restoreUndefined(group, address, size);
        access = wouldDo(bytes, revives);
        this.forgetUndefined();
        known.set(value, access);
      }
      return access;
    };
    const isWanted = (value: bigint): boolean => accessWith(value) !== 0;
    writes.forEachSet(canGo, isWanted, (removed, value) => {
      const first = Math.min(...removed);
      enabling.push(first);
      accesses.push(accessWith(value));
      for (const e of removed) if (e !== first) further.push(e);
      furtherEnds.push(further.length);
    });
    return group.at(-1)!;
  }

  /** Whether the write is the thread's own, or happens before the thread's last event. */
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
  protected writeBefore(before: number, address: number, size: number): number {
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

  /** Whether the write is one of the thread's own to these bytes, or happens before one. */
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
   * Undoes in `bytes` the write `first`, and all writes to these bytes before event `before` that happen after `first`.
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

  private forgetUndefined(): void {
    const { state } = this.machine;
    state.undefinedLow = 0;
    state.undefinedHigh = 0;
  }

  /**
   * Records in the state which bits of these bytes were undefined before these writes, the oldest of which comes last.
   */
  private restoreUndefined(writes: readonly number[], address: number, size: number): void {
    const { machine } = this;
    if (!machine.layout.tracksUndefined) return;
    if (!writes.some((write) => (machine.events.get(write, ev.E_FLAGS) & ev.REPLACED_UNDEFINED) !== 0)) return;
    this.undefinedBits ??= new UndefinedBits(machine.state, machine.layout);
    this.undefinedBits.recall(machine.markAt(writes.at(-1)!), address, size);
  }

  /**
   * Whether the event being observed could come before `first`. It reads from `first`, or from a write that happens
   * after it; its other predecessors must neither be `first` nor happen after it.
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
