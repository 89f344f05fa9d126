/**
 * Optimistic reads in happens-before ([decision 45](../../docs/decisions/0045-optimistic-reads.md)): no write to the
 * stamp comes between the read of the stamp and its validation. So a write after the validation races with the read of
 * the stamp, before which it could come, as with an atomic section.
 *
 * Throws `NestedWait`, after which the search does without optimistic reads, if the stamp may have had the same value
 * before or if that is not known.
 */
import { ADDS } from '../machine/code/commuting.ts';
import { IS_ATOMIC } from '../machine/code/order.ts';
import { ALLOCATES, ATOMIC, BYTES, COMMITS, CREATES, effectsOf, FREES, WRITES } from '../machine/events/effects.ts';
import * as ev from '../machine/events/event.ts';
import { overwrittenByte } from './conditional.ts';
import { H_SECTION, H_STORE, H_WORDS, NONE } from './predecessors.ts';
import { NestedWait, WaitOrder } from './wait-order.ts';

/** Bytes are written, and not as a whole object. */
const VALUE_WRITE = WRITES | BYTES | FREES | ALLOCATES;
const NOT_PLAIN = ev.ENDS_OBJECT | ev.REPLACED_UNDEFINED | ev.WROTE_UNDEFINED;

export class OptimisticOrder extends WaitOrder {
  /** Words of memory that non-atomic accesses have written in any execution so far. */
  private readonly writtenPlainly = new Set<number>();

  /** The event is a load: operation number `index` of the thread. */
  protected observeOptimistic(event: number, thread: number, index: number): void {
    const reads = this.machine.idleWaits?.optimistic;
    const read = reads?.readOf(thread, index) ?? NONE;
    if (reads === undefined || read === NONE) return;
    const stamp = reads.stampOf(read);
    if (event === stamp) {
      if (reads.mayWait(read) || this.ownStore !== NONE)
        throw new NestedWait('a thread has a stamp before its stores are in memory');
      this.checkStamp(event);
      return;
    }
    if (this.newestWrite(event) > stamp) throw new NestedWait('a stamp was written before it was validated');
    this.fields[event * H_WORDS + H_SECTION] = stamp;
  }

  /**
   * Call for a thread that waits at the end of an execution. Makes sure that it is not inside an optimistic read:
   * there, even a valid stamp would not let it continue.
   */
  protected checkOpen(thread: number): void {
    if (this.machine.idleWaits?.optimistic?.isOpen(thread) === true)
      throw new NestedWait('a thread does not continue when its stamp is valid');
  }

  /**
   * At the end of an execution: makes sure that the stamp, and what is read optimistically, is written only by atomic
   * operations. Otherwise a racing access might be visible only in a read that fails.
   */
  protected checkWriters(): void {
    const { idleWaits } = this.machine;
    const reads = idleWaits?.optimistic;
    if (reads === undefined) return;
    reads.forEach((thread, first, last) => {
      for (let index = first; index <= last; index++) this.checkWritersOf(thread, this.threads[thread]!.get(index - 1));
    });
    if (idleWaits!.mayBeInVain) this.checkLoadedInVain(reads.loadedInVain);
  }

  /**
   * Makes sure that no word that a thread would have loaded in vain, in any execution, is written by a non-atomic access
   * after the first thread was created, in any execution: a race may be visible only in such loads.
   */
  private checkLoadedInVain(loaded: ReadonlySet<number>): void {
    const { events, layout } = this.machine;
    const { writtenPlainly } = this;
    let isAlone = true;
    for (let event = 0; event < this.length; event++) {
      const does = effectsOf(events, event);
      if ((does & CREATES) !== 0) isAlone = false;
      const address = events.get(event, ev.E_ADDRESS);
      if (isAlone || (does & (WRITES | BYTES)) !== (WRITES | BYTES) || address >= layout.threadLocals) continue;
      if (this.isAtomic(event)) continue;
      const end = address + events.get(event, ev.E_SIZE);
      for (let word = address >> 2; word << 2 < end; word++) writtenPlainly.add(word);
    }
    for (const word of loaded)
      if (writtenPlainly.has(word)) throw new NestedWait('data that are read in vain may race');
  }

  private checkWritersOf(thread: number, load: number): void {
    const { events } = this.machine;
    if (events.get(load, ev.E_KIND) !== ev.LOAD_EVENT) return;
    const address = events.get(load, ev.E_ADDRESS);
    const size = events.get(load, ev.E_SIZE);
    const created = this.created.get(thread);
    for (let write = this.writeBefore(this.length, address, size); write !== NONE; ) {
      const isOther = events.get(write, ev.E_THREAD) !== thread;
      const isBefore = created !== NONE && this.happensBefore(write, created);
      if (isOther && !isBefore && !this.isAtomic(write))
        throw new NestedWait('data that are read optimistically may race');
      write = this.writeBefore(write, address, size);
    }
  }

  private isAtomic(write: number): boolean {
    const { events } = this.machine;
    const does = effectsOf(events, write);
    const store = (does & COMMITS) !== 0 ? this.fields[write * H_WORDS + H_STORE]! : write;
    return (does & ATOMIC) !== 0 || IS_ATOMIC[events.get(store, ev.E_ORDER)] === 1;
  }

  private newestWrite(load: number): number {
    const { events } = this.machine;
    return this.writeBefore(load, events.get(load, ev.E_ADDRESS), events.get(load, ev.E_SIZE));
  }

  /** Makes sure that the stamp has never had this value before, in whatever order commuting writes came. */
  private checkStamp(load: number): void {
    const { events } = this.machine;
    const address = events.get(load, ev.E_ADDRESS);
    const size = events.get(load, ev.E_SIZE);
    const value = join(size, (i) => loadedByte(events, load, i));
    let newer = value;
    let grows = true;
    let commute = false;
    for (let write = this.newestWrite(load); write !== NONE; write = this.writeBefore(write, address, size)) {
      const isWhole = events.get(write, ev.E_ADDRESS) === address && events.get(write, ev.E_SIZE) === size;
      const isPlain =
        (effectsOf(events, write) & VALUE_WRITE) === (WRITES | BYTES) &&
        (events.get(write, ev.E_FLAGS) & NOT_PLAIN) === 0;
      if (!isWhole || !isPlain) throw new NestedWait('a stamp is written in parts, or has no value');
      const older = join(size, (i) => overwrittenByte(events, write, i));
      if (older === value) throw new NestedWait('a stamp has the same value twice');
      const kind = this.classOf(write);
      if (kind !== 0 && kind !== ADDS) throw new NestedWait('a stamp is written in no order');
      commute ||= kind === ADDS;
      grows &&= older < newer;
      newer = older;
    }
    if (commute && !grows) throw new NestedWait('a stamp is written in no order');
  }
}

function loadedByte(events: ev.EventLog, load: number, byte: number): number {
  const word = events.get(load, byte < 4 ? ev.E_READ_LOW : ev.E_READ_HIGH);
  return (word >>> (8 * (byte & 3))) & 0xff;
}

function join(size: number, byte: (i: number) => number): bigint {
  let value = 0n;
  for (let i = size - 1; i >= 0; i--) value = (value << 8n) | BigInt(byte(i));
  return value;
}
