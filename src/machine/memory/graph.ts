/**
 * The memory of a model that is defined by axioms over execution graphs. It keeps, for every location, all its writes
 * in modification order. Each read is told which of them to read, each write where to go in that order:
 *
 *   choice k of a load or read-modify-write   reads the write that k others follow in modification order
 *   choice k of a store                       goes before the k last writes
 *
 * A read-modify-write writes directly after what it read. Only `explore/graph` knows which choices are consistent.
 *
 * The program's memory itself holds the last write of every location. A location is an address and a size. A write to
 * some of its bytes in another size ends its history: what memory holds then is its new initial value. The search must
 * order such writes with everything else.
 */

import type { ModelDescription } from '../../models/model.ts';
import type { IntVector } from '../../util/int-vector.ts';
import type { OrderCode } from '../code/order.ts';
import { H_COMMITS, type Layout } from '../state/layout.ts';
import { MAX_CHOICES } from '../state/process.ts';
import type { State } from '../state/state.ts';
import { UndefinedBits } from '../state/undefined-bits.ts';
import type { Memory, Parts, Pending } from './memory.ts';

// Words of an entry of the commit log, for a write: its value, and the entry before it in modification order, 0 = none.
const W_LOW = 0;
const W_HIGH = 1;
const W_OLDER = 2;
const W_UNDEFINED = 3; // which of its bits are undefined: low, high

// Words of an entry for a location, taken from the end of the log: its last write, 0 = none; its initial value.
const L_NEWEST = 0;
const L_LOW = 1;
const L_HIGH = 2;
const L_TIME = 3; // how many writes to memory there were before its history began
const L_UNDEFINED = 4; // which bits of the initial value are undefined: low, high

/** Words of either kind of entry; an entry of the log is at least this large (`C_SEEN`). */
const ENTRY_WORDS = 6;

/** The largest access has 8 bytes. */
const SIZE_BITS = 4;

export class GraphMemory implements Memory {
  readonly model: ModelDescription;
  readonly forwardedFrom = -1;
  asOf = 0;
  chosen = 0;
  private readonly state: State;
  private readonly words: Int32Array;
  private readonly layout: Layout;
  private readonly undefinedBits: UndefinedBits;
  /** Number of each location; assigned at first use and kept, like process numbers. */
  private readonly numbers = new Map<number, number>();
  /** By number: address, size, and the numbers of the other locations that share bytes with it. */
  private readonly addresses: number[] = [];
  private readonly sizes: number[] = [];
  private readonly overlaps: number[][] = [];
  /** The last location that was looked up. */
  private lastKey = -1;
  private lastNumber = -1;

  constructor(parts: Parts) {
    this.model = parts.model;
    this.state = parts.state;
    this.words = parts.state.words;
    this.layout = parts.layout;
    this.undefinedBits = new UndefinedBits(parts.state, parts.layout);
  }

  /** The number of the location. */
  location(address: number, size: number): number {
    const key = address * (1 << SIZE_BITS) + size;
    if (key === this.lastKey) return this.lastNumber;
    let number = this.numbers.get(key);
    if (number === undefined) {
      number = this.addresses.length;
      this.numbers.set(key, number);
      this.addresses.push(address);
      this.sizes.push(size);
      this.overlaps.push([]);
      for (let other = 0; other < number; other++) {
        const start = this.addresses[other]!;
        if (start >= address + size || address >= start + this.sizes[other]!) continue;
        this.overlaps[number]!.push(other);
        this.overlaps[other]!.push(number);
      }
    }
    this.lastKey = key;
    this.lastNumber = number;
    return number;
  }

  /** The locations that share bytes with this one. */
  overlapping(location: number): readonly number[] {
    return this.overlaps[location]!;
  }

  private head(location: number): number {
    return this.layout.commits + (this.layout.limits.commits - 1 - location) * ENTRY_WORDS;
  }

  private entry(write: number): number {
    return this.layout.commits + (write - 1) * ENTRY_WORDS;
  }

  canLoad(): boolean {
    return true;
  }

  loadChoices(_thread: number, address: number, size: number): number {
    const { words } = this;
    let choices = 1;
    let write = words[this.head(this.location(address, size)) + L_NEWEST]!;
    for (; write !== 0 && choices < MAX_CHOICES; write = words[this.entry(write) + W_OLDER]!) choices++;
    return choices;
  }

  load(_thread: number, address: number, size: number, _order: OrderCode, choice: number): void {
    this.read(address, size, choice);
  }

  /** Leaves in `state.low` and `state.high` what a read with this choice reads, and in `asOf` when it was written. */
  read(address: number, size: number, choice: number): void {
    const { state, words } = this;
    const head = this.head(this.location(address, size));
    const write = this.older(words[head + L_NEWEST]!, choice);
    this.asOf = this.time(head, write);
    if (choice === 0) {
      state.read(address, size);
      return this.undefinedBits.read(address, size);
    }
    const at = write === 0 ? head + L_LOW : this.entry(write) + W_LOW;
    state.low = words[at]!;
    state.high = words[at + 1]!;
    const bits = write === 0 ? head + L_UNDEFINED : this.entry(write) + W_UNDEFINED;
    state.undefinedLow = words[bits]!;
    state.undefinedHigh = words[bits + 1]!;
  }

  /** The number of a write; for the initial value, how many writes came before the location's history began. */
  private time(head: number, write: number): number {
    if (write !== 0) return write;
    return this.words[head + L_NEWEST] === 0 ? this.words[H_COMMITS]! : this.words[head + L_TIME]!;
  }

  /** The write that is `steps` before this one in modification order; 0 for the initial value. */
  private older(write: number, steps: number): number {
    let at = write;
    for (let i = 0; i < steps && at !== 0; i++) at = this.words[this.entry(at) + W_OLDER]!;
    return at;
  }

  canStore(): boolean {
    return this.words[H_COMMITS]! + this.addresses.length + 1 < this.layout.limits.commits;
  }

  storeChoices(address: number, size: number): number {
    return this.loadChoices(0, address, size);
  }

  store(_thread: number, address: number, size: number, low: number, high: number): boolean {
    this.insert(address, size, low, high);
    return true;
  }

  atomicRead(address: number, size: number): void {
    this.read(address, size, this.chosen);
  }

  atomicWrite(_thread: number, address: number, size: number, low: number, high: number): void {
    this.insert(address, size, low, high);
  }

  /** Inserts the write before the last `chosen` writes of the location. */
  private insert(address: number, size: number, low: number, high: number): void {
    const { state, words, chosen } = this;
    const { undefinedLow, undefinedHigh } = state;
    const location = this.location(address, size);
    const head = this.head(location);
    if (words[head + L_NEWEST] === 0) {
      state.read(address, size);
      state.set(head + L_LOW, state.low);
      state.set(head + L_HIGH, state.high);
      state.set(head + L_TIME, words[H_COMMITS]!);
      this.undefinedBits.read(address, size);
      this.setUndefined(head + L_UNDEFINED, state.undefinedLow, state.undefinedHigh);
    }
    const write = words[H_COMMITS]! + 1;
    const entry = this.entry(write);
    // The word that leads to the write: of the location, or of the write after it.
    const newest = words[head + L_NEWEST]!;
    const link = chosen === 0 ? head + L_NEWEST : this.entry(this.older(newest, chosen - 1)) + W_OLDER;
    state.set(H_COMMITS, write);
    state.set(entry + W_LOW, size < 4 ? low & ((1 << (8 * size)) - 1) : low);
    state.set(entry + W_HIGH, high);
    this.setUndefined(entry + W_UNDEFINED, undefinedLow, undefinedHigh);
    this.asOf = this.time(head, words[link]!);
    state.set(entry + W_OLDER, words[link]!);
    state.set(link, write);
    if (chosen === 0) {
      state.write(address, size, low, high);
      this.undefinedBits.write(address, size, undefinedLow, undefinedHigh);
    }
    for (const other of this.overlaps[location]!) {
      const place = this.head(other) + L_NEWEST;
      if (words[place] !== 0) state.set(place, 0);
    }
  }

  private setUndefined(at: number, low: number, high: number): void {
    if (!this.undefinedBits.isTracked) return;
    this.state.set(at, low);
    this.state.set(at + 1, high);
  }

  free(): boolean {
    this.state.set(H_COMMITS, this.words[H_COMMITS]! + 1);
    return true;
  }
  hasPendingFree(): boolean {
    return false;
  }
  isClear(): boolean {
    return true;
  }
  canAtomic(): boolean {
    return true;
  }
  afterAtomic(): void {}
  canFence(): boolean {
    return true;
  }
  fence(): void {}
  isDrained(): boolean {
    return true;
  }
  synchronise(): void {}
  afterUnlock(): void {}
  commits(): void {}
  nextCommit(): number {
    return 0;
  }
  commit(): void {
    throw new Error('execution graphs have no store buffers');
  }
  byte(_thread: number, address: number): number {
    this.state.read(address, 1);
    return this.state.low;
  }
  pending(): readonly Pending[] {
    return [];
  }
  encode(out: IntVector): void {
    const { words, addresses } = this;
    for (let location = 0; location < addresses.length; location++) {
      const head = this.head(location);
      const newest = words[head + L_NEWEST]!;
      if (newest === 0) continue;
      out.push(addresses[location]!);
      out.push(this.sizes[location]!);
      for (let write = newest; write !== 0; write = words[this.entry(write) + W_OLDER]!) {
        out.push(words[this.entry(write) + W_LOW]!);
        out.push(words[this.entry(write) + W_HIGH]!);
        if (this.undefinedBits.isTracked) this.encodeUndefined(this.entry(write) + W_UNDEFINED, out);
      }
      out.push(words[head + L_LOW]!);
      out.push(words[head + L_HIGH]!);
      if (this.undefinedBits.isTracked) this.encodeUndefined(head + L_UNDEFINED, out);
      out.push(-1);
    }
  }

  private encodeUndefined(at: number, out: IntVector): void {
    out.push(this.words[at]!);
    out.push(this.words[at + 1]!);
  }
}
