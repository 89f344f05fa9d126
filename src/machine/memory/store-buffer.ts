/**
 * The buffered stores, as one list per thread in program order, oldest first. TSO commits the head; PSO commits any
 * entry that no earlier one holds back. An entry is a word index into the state; 0 means none.
 *
 * Entries come from a pool; an entry's position in it means nothing. As long as the pool lasts, each store gets a fresh
 * position, which needs no undo: no entry that matters to an earlier state is overwritten.
 */
import type { IntVector } from '../../util/int-vector.ts';
import {
  H_NODE_NEXT,
  H_WAITING,
  type Layout,
  N_ADDRESS,
  N_BEHIND,
  N_EPOCH,
  N_FREES,
  N_HIGH,
  N_LOW,
  N_NEXT,
  N_PROCESS,
  N_SITE,
  N_SIZE,
  N_STORE,
  N_UNDEFINED_HIGH,
  N_UNDEFINED_LOW,
  NODE_WORDS,
  T_EPOCH,
  T_HEAD,
  T_TAIL,
} from '../state/layout.ts';
import type { State } from '../state/state.ts';
import { Threads } from '../state/thread.ts';
import { UndefinedBits } from '../state/undefined-bits.ts';

export class StoreBuffer {
  private readonly state: State;
  private readonly words: Int32Array;
  private readonly layout: Layout;
  private readonly threads: Threads;
  private readonly undefinedBits: UndefinedBits;
  /** Where to look for a position to reuse. */
  private place = 0;

  constructor(state: State, layout: Layout) {
    this.state = state;
    this.words = state.words;
    this.layout = layout;
    this.threads = new Threads(state, layout);
    this.undefinedBits = new UndefinedBits(state, layout);
  }

  get hasRoom(): boolean {
    return this.words[H_WAITING]! < this.layout.limits.bufferEntries;
  }

  head(thread: number): number {
    return this.threads.get(thread, T_HEAD);
  }

  next(entry: number): number {
    return this.words[entry + N_NEXT]!;
  }

  isEmpty(thread: number): boolean {
    return this.head(thread) === 0;
  }

  epoch(thread: number): number {
    return this.threads.get(thread, T_EPOCH);
  }

  /** A store–store barrier: stores enqueued from now on stay behind those already waiting. */
  barrier(thread: number): void {
    this.threads.set(thread, T_EPOCH, this.epoch(thread) + 1);
  }

  /** `process` is the buffer that will commit it. */
  enqueue(
    thread: number,
    address: number,
    size: number,
    low: number,
    high: number,
    index: number,
    site: number,
    frees: boolean,
    process: number,
  ): void {
    const { state, words } = this;
    const at = this.threads.at(thread);
    const entry = this.allocate();
    words[entry + N_NEXT] = 0;
    words[entry + N_ADDRESS] = address;
    words[entry + N_SIZE] = size;
    words[entry + N_LOW] = low;
    words[entry + N_HIGH] = high;
    words[entry + N_EPOCH] = words[at + T_EPOCH]!;
    words[entry + N_STORE] = index;
    words[entry + N_SITE] = site;
    words[entry + N_FREES] = frees ? 1 : 0;
    words[entry + N_PROCESS] = process;
    words[entry + N_UNDEFINED_LOW] = state.undefinedLow;
    words[entry + N_UNDEFINED_HIGH] = state.undefinedHigh;
    if (this.isUndefined(entry)) this.undefinedBits.add(thread, 1);
    let behind = 0;
    for (let e = words[at + T_HEAD]!; e !== 0; e = words[e + N_NEXT]!) if (this.overlaps(e, address, size)) behind++;
    words[entry + N_BEHIND] = behind;
    const tail = words[at + T_TAIL]!;
    state.set(tail === 0 ? at + T_HEAD : tail + N_NEXT, entry);
    state.set(at + T_TAIL, entry);
    state.set(H_WAITING, words[H_WAITING]! + 1);
  }

  private allocate(): number {
    const { layout, state } = this;
    const number = this.words[H_NODE_NEXT]! + 1;
    if (number > layout.limits.bufferEntries) return this.reuse();
    state.set(H_NODE_NEXT, number);
    return layout.nodes + number * NODE_WORDS;
  }

  /** Finds a position whose store has reached memory. */
  private reuse(): number {
    const { layout, words } = this;
    const waiting = new Set<number>();
    for (let thread = 0; thread < layout.limits.threads; thread++) {
      for (let e = this.head(thread); e !== 0; e = words[e + N_NEXT]!) waiting.add(e);
    }
    const place = (): number => layout.nodes + (this.place + 1) * NODE_WORDS;
    while (waiting.has(place())) this.place = (this.place + 1) % layout.limits.bufferEntries;
    this.state.save(place(), NODE_WORDS);
    return place();
  }

  remove(thread: number, entry: number): void {
    const { state, words } = this;
    const at = this.threads.at(thread);
    let before = 0;
    for (let e = words[at + T_HEAD]!; e !== entry; e = words[e + N_NEXT]!) before = e;
    state.set(before === 0 ? at + T_HEAD : before + N_NEXT, words[entry + N_NEXT]!);
    if (words[at + T_TAIL] === entry) state.set(at + T_TAIL, before);
    const address = words[entry + N_ADDRESS]!;
    const size = words[entry + N_SIZE]!;
    for (let e = words[entry + N_NEXT]!; e !== 0; e = words[e + N_NEXT]!) {
      if (this.overlaps(e, address, size)) state.set(e + N_BEHIND, words[e + N_BEHIND]! - 1);
    }
    state.set(H_WAITING, words[H_WAITING]! - 1);
  }

  overlaps(entry: number, address: number, size: number): boolean {
    const start = this.words[entry + N_ADDRESS]!;
    return start < address + size && address < start + this.words[entry + N_SIZE]!;
  }

  covers(entry: number, address: number, size: number): boolean {
    const start = this.words[entry + N_ADDRESS]!;
    return start <= address && address + size <= start + this.words[entry + N_SIZE]!;
  }

  /** The newest entry that shares a byte with the range, or 0. */
  newestOverlap(thread: number, address: number, size: number): number {
    let found = 0;
    for (let e = this.head(thread); e !== 0; e = this.next(e)) if (this.overlaps(e, address, size)) found = e;
    return found;
  }

  /** Nothing before `entry` in its thread's list shares a byte with it. */
  isFirstOfItsBytes(entry: number): boolean {
    return this.words[entry + N_BEHIND] === 0;
  }

  /** Puts the bytes of the range, taken from an entry that covers it, into `state.low` and `state.high`. */
  extract(entry: number, address: number, size: number): void {
    this.extractFrom(entry, address, size, this.words[entry + N_LOW]!, this.words[entry + N_HIGH]!);
  }

  /** The same for the undefined bits, which go to `state.undefinedLow` and `state.undefinedHigh`. */
  extractUndefined(entry: number, address: number, size: number): void {
    const { state, words } = this;
    state.undefinedLow = 0;
    state.undefinedHigh = 0;
    if (!this.isUndefined(entry)) return;
    this.extractFrom(entry, address, size, words[entry + N_UNDEFINED_LOW]!, words[entry + N_UNDEFINED_HIGH]!);
    state.undefinedLow = state.low;
    state.undefinedHigh = state.high;
  }

  private isUndefined(entry: number): boolean {
    return (this.words[entry + N_UNDEFINED_LOW]! | this.words[entry + N_UNDEFINED_HIGH]!) !== 0;
  }

  /** Until `endCommit`, writes to memory carry this entry's undefined bits, which its thread no longer counts. */
  beginCommit(thread: number, entry: number): void {
    if (this.isUndefined(entry)) this.undefinedBits.add(thread, -1);
    this.state.undefinedLow = this.words[entry + N_UNDEFINED_LOW]!;
    this.state.undefinedHigh = this.words[entry + N_UNDEFINED_HIGH]!;
  }

  endCommit(): void {
    this.state.undefinedLow = 0;
    this.state.undefinedHigh = 0;
  }

  encodeUndefined(entry: number, out: IntVector): void {
    if (!this.undefinedBits.isTracked) return;
    out.push(this.words[entry + N_UNDEFINED_LOW]!);
    out.push(this.words[entry + N_UNDEFINED_HIGH]!);
  }

  private extractFrom(entry: number, address: number, size: number, firstLow: number, firstHigh: number): void {
    const shift = (address - this.words[entry + N_ADDRESS]!) * 8;
    let low = firstLow;
    let high = firstHigh;
    if (shift >= 32) {
      low = high >>> (shift - 32);
      high = 0;
    } else if (shift > 0) {
      low = (low >>> shift) | (high << (32 - shift));
      high >>>= shift;
    }
    if (size < 4) low &= (1 << (size * 8)) - 1;
    this.state.low = low | 0;
    this.state.high = size === 8 ? high | 0 : 0;
  }
}
