/**
 * Which bits of memory, registers and buffered stores are undefined. Fresh memory and variables are zero, but their
 * bits are undefined until they are written; copies of undefined bits are undefined too. `run/definedness.ts` says what
 * may be done with them; docs/decisions/0034-uninitialised-values.md has the argument.
 *
 *   memory      a word of undefined bits per word; a granule with any of them has a negative word in `Layout.shadow`,
 *               so that generated code, which handles only plain granules, leaves it to `Accesses`
 *   registers   a word of undefined bits per word of a frame, with the address and the site that they were read from
 *   buffers     two words in each entry
 *
 * Each thread counts its registers and entries with undefined bits (`T_UNDEFINED`): while there are none, nothing has
 * to be propagated, and generated code may run the thread.
 */
import { GRANULE_SHIFT, H_UNDEFINED_GLOBALS, type Layout, MEMORY_BASE, T_UNDEFINED, THREAD_WORDS } from './layout.ts';
import type { State } from './state.ts';

export class UndefinedBits {
  /** If false, everything is defined. */
  readonly isTracked: boolean;
  private readonly state: State;
  private readonly words: Int32Array;
  private readonly layout: Layout;
  /** From the word of a register to its undefined bits, to the address and to the site that they were read from. */
  private readonly toBits: number;
  private readonly toAddress: number;
  private readonly toSite: number;
  /** From an address to that of its undefined bits. */
  private readonly toMemory: number;

  constructor(state: State, layout: Layout) {
    this.state = state;
    this.words = state.words;
    this.layout = layout;
    this.isTracked = layout.tracksUndefined;
    const size = layout.limits.threads * layout.limits.frameWords;
    this.toBits = layout.undefinedRegisters - layout.frames;
    this.toAddress = this.toBits + size;
    this.toSite = this.toAddress + size;
    this.toMemory = layout.undefinedMemory * 4;
  }

  /** Whether the thread has undefined bits in its registers or in its buffer. */
  has(thread: number): boolean {
    return this.isTracked && this.words[this.count(thread)] !== 0;
  }

  private count(thread: number): number {
    return this.layout.threads + thread * THREAD_WORDS + T_UNDEFINED;
  }

  /** Adds to the thread's count of words with undefined bits. */
  add(thread: number, more: number): void {
    this.state.set(this.count(thread), this.words[this.count(thread)]! + more);
  }

  // ---- registers, by the index of their words

  ofRegister(word: number): number {
    return this.words[word + this.toBits]!;
  }

  addressOf(word: number): number {
    return this.words[word + this.toAddress]!;
  }

  siteOf(word: number): number {
    return this.words[word + this.toSite]!;
  }

  setRegister(word: number, bits: number, address: number, site: number): void {
    const { state, words, layout } = this;
    const old = words[word + this.toBits]!;
    if (old === 0 && bits === 0) return;
    if ((old === 0) !== (bits === 0)) {
      this.add(Math.floor((word - layout.frames) / layout.limits.frameWords), bits === 0 ? -1 : 1);
    }
    if (old !== bits) state.set(word + this.toBits, bits);
    if (bits === 0) return;
    state.set(word + this.toAddress, address);
    state.set(word + this.toSite, site);
  }

  /** Makes the registers in these words defined. */
  clearRegisters(from: number, to: number): void {
    for (let word = from; word < to; word++) this.setRegister(word, 0, 0, 0);
  }

  /** Copies the undefined bits of another register. */
  copyRegister(word: number, from: number): void {
    this.setRegister(word, this.ofRegister(from), this.addressOf(from), this.siteOf(from));
  }

  // ---- memory

  private object(address: number): number {
    return this.words[this.layout.shadow + (address >> GRANULE_SHIFT)]!;
  }

  /** Whether all bits of these bytes, which the caller has checked, are defined. */
  isPlain(address: number, size: number): boolean {
    return !this.isTracked || (this.object(address) > 0 && this.object(address + size - 1) > 0);
  }

  /** Leaves the undefined bits of these bytes in `state.undefinedLow` and `undefinedHigh`. */
  read(address: number, size: number): void {
    const { state } = this;
    if (!this.isTracked) return;
    if (this.isPlain(address, size)) {
      state.undefinedLow = 0;
      state.undefinedHigh = 0;
      return;
    }
    const { low, high } = state;
    state.read(this.toMemory + address, size);
    state.undefinedLow = state.low;
    state.undefinedHigh = state.high;
    state.low = low;
    state.high = high;
  }

  /** Makes these bits of the bytes undefined, and the others defined. */
  write(address: number, size: number, low: number, high: number): void {
    if (!this.isTracked || size === 0) return;
    if ((low | high) === 0 && this.isPlain(address, size)) return;
    this.state.write(this.toMemory + address, size, low, high);
    this.mark(address);
    if ((address ^ (address + size - 1)) >> GRANULE_SHIFT !== 0) this.mark(address + size - 1);
  }

  /** Makes the sign of the granule's word in `Layout.shadow` agree with its undefined bits. */
  private mark(address: number): void {
    const { state, words, layout } = this;
    const granule = address >> GRANULE_SHIFT;
    const first = layout.undefinedMemory + 2 * granule;
    const has = (words[first]! | words[first + 1]!) !== 0;
    const object = words[layout.shadow + granule]!;
    if (object < 0 === has) return;
    state.set(layout.shadow + granule, -object);
    if (address < layout.threadLocals && address >= MEMORY_BASE)
      state.set(H_UNDEFINED_GLOBALS, words[H_UNDEFINED_GLOBALS]! + (has ? 1 : -1));
  }

  /** Makes the first `size` bytes of a fresh object undefined, or all defined, up to `end`. Does not mark granules. */
  begin(address: number, size: number, end: number, isUndefined: boolean): void {
    if (!this.isTracked) return;
    const { state, words } = this;
    for (let a = address; a < end; a += 4) {
      const left = address + size - a;
      const bits = !isUndefined || left <= 0 ? 0 : left >= 4 ? -1 : (1 << (8 * left)) - 1;
      const word = (this.toMemory + a) >> 2;
      if (words[word] !== bits) state.set(word, bits);
    }
  }

  /** Leaves the undefined bits that these bytes had when the journal was as long as `mark`, as `read` does. */
  recall(mark: number, address: number, size: number): void {
    const { state } = this;
    const first = (this.toMemory + address) >> 2;
    const count = ((this.toMemory + address + size - 1) >> 2) - first + 1;
    const found = new Int32Array(count);
    state.recall(mark, first, count, found);
    const bytes = new Uint8Array(found.buffer);
    state.undefinedLow = 0;
    state.undefinedHigh = 0;
    for (let i = 0; i < size; i++) {
      const byte = bytes[(address & 3) + i]!;
      if (i < 4) state.undefinedLow |= byte << (8 * i);
      else state.undefinedHigh |= byte << (8 * (i - 4));
    }
  }
}
