/**
 * What TSO, PSO and PSLO share: stores wait in the thread's buffer, loads look there first, and a store reaches memory
 * in a separate step. Each model defines which stores may overtake others, and what an atomic operation waits for.
 *
 * Accesses of different sizes never tear: if a load overlaps entries of its own buffer, it takes its value from the
 * newest of them if that covers it, and otherwise waits until that entry has been committed.
 */

import type { ModelDescription } from '../../models/model.ts';
import type { IntVector } from '../../util/int-vector.ts';
import { ACQ_REL, type OrderCode, RELEASE, RELEASES, SEQ_CST } from '../code/order.ts';
import {
  H_COMMITS,
  type Layout,
  N_ADDRESS,
  N_EPOCH,
  N_FREES,
  N_HIGH,
  N_LOW,
  N_SITE,
  N_SIZE,
  N_STORE,
  T_FREES,
} from '../state/layout.ts';
import type { ProcessTable } from '../state/process.ts';
import type { State } from '../state/state.ts';
import { Threads } from '../state/thread.ts';
import { UndefinedBits } from '../state/undefined-bits.ts';
import type { Memory, Parts, Pending } from './memory.ts';
import { StoreBuffer } from './store-buffer.ts';

export abstract class BufferedMemory implements Memory {
  readonly model: ModelDescription;
  forwardedFrom = -1;
  asOf = 0;
  chosen = 0;
  protected readonly state: State;
  protected readonly words: Int32Array;
  protected readonly layout: Layout;
  protected readonly processes: ProcessTable;
  protected readonly threads: Threads;
  protected readonly buffer: StoreBuffer;
  protected readonly undefinedBits: UndefinedBits;

  constructor(parts: Parts) {
    this.model = parts.model;
    this.state = parts.state;
    this.words = parts.state.words;
    this.layout = parts.layout;
    this.processes = parts.processes;
    this.threads = new Threads(parts.state, parts.layout);
    this.buffer = new StoreBuffer(parts.state, parts.layout);
    this.undefinedBits = new UndefinedBits(parts.state, parts.layout);
  }

  abstract canAtomic(thread: number, address: number, size: number, order: OrderCode): boolean;
  /** The process that commits the thread's stores to this address. */
  protected abstract bufferOf(thread: number, address: number): number;
  abstract commits(thread: number, steps: IntVector): void;
  abstract nextCommit(process: number): number;

  canLoad(thread: number, address: number, size: number): boolean {
    const own = this.buffer.newestOverlap(thread, address, size);
    return own === 0 || this.buffer.covers(own, address, size);
  }

  loadChoices(_thread: number, _address: number, _size: number): number {
    return 1;
  }

  load(thread: number, address: number, size: number, order: OrderCode, choice: number): void {
    const own = this.buffer.newestOverlap(thread, address, size);
    if (own !== 0) {
      this.forwardedFrom = this.words[own + N_STORE]!;
      this.buffer.extractUndefined(own, address, size);
      this.buffer.extract(own, address, size);
    } else {
      this.forwardedFrom = -1;
      this.loadFromMemory(thread, address, size, choice);
    }
    this.afterLoad(thread, order);
  }

  protected loadFromMemory(_thread: number, address: number, size: number, _choice: number): void {
    this.asOf = this.words[H_COMMITS]!;
    this.state.read(address, size);
    this.undefinedBits.read(address, size);
  }

  protected afterLoad(_thread: number, _order: OrderCode): void {}

  canStore(): boolean {
    return this.buffer.hasRoom;
  }

  storeChoices(): number {
    return 1;
  }

  store(
    thread: number,
    address: number,
    size: number,
    low: number,
    high: number,
    order: OrderCode,
    index: number,
    site: number,
  ): boolean {
    // A release store is a barrier, then a store. (The full fence of a seq_cst store is a separate instruction.)
    if (RELEASES[order] === 1) this.buffer.barrier(thread);
    this.buffer.enqueue(thread, address, size, low, high, index, site, false, this.bufferOf(thread, address));
    return false;
  }

  free(thread: number, address: number, size: number, index: number, site: number): boolean {
    this.buffer.enqueue(thread, address, size, 0, 0, index, site, true, this.bufferOf(thread, address));
    this.threads.set(thread, T_FREES, this.threads.get(thread, T_FREES) + 1);
    return false;
  }

  hasPendingFree(thread: number, address: number, size: number): boolean {
    if (this.threads.get(thread, T_FREES) === 0) return false;
    for (let e = this.buffer.head(thread); e !== 0; e = this.buffer.next(e)) {
      if (this.words[e + N_FREES] === 1 && this.buffer.overlaps(e, address, size)) return true;
    }
    return false;
  }

  isClear(thread: number, address: number, size: number): boolean {
    return this.buffer.newestOverlap(thread, address, size) === 0;
  }

  atomicRead(address: number, size: number): void {
    this.state.read(address, size);
    this.undefinedBits.read(address, size);
  }

  atomicWrite(thread: number, address: number, size: number, low: number, high: number): void {
    this.writeMemory(thread, address, size, low, high);
  }

  afterAtomic(_thread: number, _address: number, _size: number, _order: OrderCode): void {}

  canFence(thread: number, order: OrderCode): boolean {
    return order !== SEQ_CST || this.buffer.isEmpty(thread);
  }

  fence(thread: number, order: OrderCode): void {
    if (order === RELEASE || order === ACQ_REL) this.buffer.barrier(thread);
  }

  isDrained(thread: number): boolean {
    return this.buffer.isEmpty(thread);
  }

  synchronise(_thread: number): void {}

  afterUnlock(_thread: number): void {}

  commit(thread: number, entry: number): void {
    const { words } = this;
    const address = words[entry + N_ADDRESS]!;
    const size = words[entry + N_SIZE]!;
    if (words[entry + N_FREES] === 1) {
      this.threads.set(thread, T_FREES, this.threads.get(thread, T_FREES) - 1);
      this.writeMemory(thread, address, 0, 0, 0);
    } else {
      this.buffer.beginCommit(thread, entry);
      this.writeMemory(thread, address, size, words[entry + N_LOW]!, words[entry + N_HIGH]!);
      this.buffer.endCommit();
    }
    this.buffer.remove(thread, entry);
  }

  protected writeMemory(_thread: number, address: number, size: number, low: number, high: number): void {
    this.state.set(H_COMMITS, this.words[H_COMMITS]! + 1);
    this.state.write(address, size, low, high);
    this.undefinedBits.write(address, size, this.state.undefinedLow, this.state.undefinedHigh);
  }

  byte(thread: number, address: number): number {
    const own = this.buffer.newestOverlap(thread, address, 1);
    if (own === 0) this.state.read(address, 1);
    else this.buffer.extract(own, address, 1);
    return this.state.low;
  }

  pending(thread: number): readonly Pending[] {
    const { words, buffer } = this;
    const pending: Pending[] = [];
    for (let e = buffer.head(thread); e !== 0; e = buffer.next(e)) {
      pending.push({
        address: words[e + N_ADDRESS]!,
        size: words[e + N_SIZE]!,
        low: words[e + N_LOW]!,
        high: words[e + N_HIGH]!,
        barriers: this.model.heedsBarriers ? words[e + N_EPOCH]! : 0,
        site: words[e + N_SITE]!,
        store: words[e + N_STORE]!,
        frees: words[e + N_FREES] === 1,
      });
    }
    return pending;
  }

  encode(out: IntVector): void {
    for (const thread of this.processes.slotsInNameOrder) {
      if (!this.threads.exists(thread)) continue;
      // Only the distance between barriers matters, not their number.
      const last = this.buffer.epoch(thread);
      for (let e = this.buffer.head(thread); e !== 0; e = this.buffer.next(e)) {
        out.push(this.words[e + N_STORE]!);
        out.push(this.words[e + N_ADDRESS]!);
        out.push(this.words[e + N_SIZE]!);
        out.push(this.words[e + N_LOW]!);
        out.push(this.words[e + N_HIGH]!);
        out.push(last - this.words[e + N_EPOCH]!);
        this.buffer.encodeUndefined(e, out);
      }
      out.push(-1);
    }
  }
}
