/**
 * The whole state of a machine in one buffer, with an undo journal.
 *
 * Before a word is written, its old value goes to the journal: `set` does both, `save` records a range that may then be
 * written directly until the step ends. `rewind` undoes writes down to an earlier journal length. So rolling back to
 * any earlier step costs as much as was written since then, whatever the size of the state.
 *
 * The journal is read from its end, so each record ends with what identifies its kind:
 *
 *   one word     old value, index
 *   a range      old values, start, -count
 */
import { allocateWords } from '../../util/memory-limit.ts';

export class State {
  readonly words: Int32Array;
  private readonly bytes: Uint8Array;
  /** Generated code writes records of its own (`generate.ts`). */
  journal: Int32Array = new Int32Array(1 << 10);
  journalEnd = 0;
  /** Result of the last `read`: low and high word, the value in its low bytes, the rest zero. */
  low = 0;
  high = 0;
  /**
   * Which bits are undefined of the value that was read from memory or is about to be written (`undefined-bits.ts`).
   * Zero except within one operation of `Accesses`.
   */
  undefinedLow = 0;
  undefinedHigh = 0;

  constructor(totalWords: number) {
    const buffer = allocateState(totalWords * 4);
    this.words = new Int32Array(buffer);
    this.bytes = new Uint8Array(buffer);
  }

  /** Journal length now; pass it to `rewind` to return here. */
  get mark(): number {
    return this.journalEnd;
  }

  set(index: number, value: number): void {
    const end = this.journalEnd;
    if (end + 2 > this.journal.length) this.growJournal(end + 2);
    this.journal[end] = this.words[index]!;
    this.journal[end + 1] = index;
    this.journalEnd = end + 2;
    this.words[index] = value;
  }

  /** Saves the old values of `count` words from `start` on; `count` is at least 1. */
  save(start: number, count: number): void {
    const end = this.journalEnd;
    if (end + count + 2 > this.journal.length) this.growJournal(end + count + 2);
    const { journal, words } = this;
    for (let i = 0; i < count; i++) journal[end + i] = words[start + i]!;
    journal[end + count] = start;
    journal[end + count + 1] = -count;
    this.journalEnd = end + count + 2;
  }

  rewind(mark: number): void {
    const { journal, words } = this;
    let end = this.journalEnd;
    while (end > mark) {
      const index = journal[end - 1]!;
      end -= 2;
      if (index >= 0) {
        words[index] = journal[end]!;
      } else {
        const start = journal[end]!;
        end += index;
        for (let i = 0; i < -index; i++) words[start + i] = journal[end + i]!;
      }
    }
    this.journalEnd = end;
  }

  /** Copies to `out` the values that `count` words from `start` on had when the journal was as long as `mark`. */
  recall(mark: number, start: number, count: number, out: Int32Array): void {
    const { journal, words } = this;
    for (let i = 0; i < count; i++) out[i] = words[start + i]!;
    let end = this.journalEnd;
    while (end > mark) {
      const index = journal[end - 1]!;
      end -= 2;
      if (index >= 0) {
        if (index >= start && index < start + count) out[index - start] = journal[end]!;
        continue;
      }
      const first = journal[end]!;
      end += index;
      const from = Math.max(first, start);
      const to = Math.min(first - index, start + count);
      for (let w = from; w < to; w++) out[w - start] = journal[end + w - first]!;
    }
  }

  /** Whether the word has not been written, even with the same value, since the journal was as long as `mark`. */
  isUntouched(mark: number, word: number): boolean {
    const { journal } = this;
    let end = this.journalEnd;
    while (end > mark) {
      const index = journal[end - 1]!;
      end -= 2;
      if (index === word) return false;
      if (index >= 0) continue;
      const first = journal[end]!;
      if (word >= first && word < first - index) return false;
      end += index;
    }
    return true;
  }

  /** Makes `value` what the journal, from `mark` on, says that the word was before. */
  amend(mark: number, word: number, value: number): void {
    const { journal } = this;
    let end = this.journalEnd;
    while (end > mark) {
      const index = journal[end - 1]!;
      end -= 2;
      if (index >= 0) {
        if (index === word) journal[end] = value;
        continue;
      }
      const first = journal[end]!;
      end += index;
      if (word >= first && word < first - index) journal[end + word - first] = value;
    }
  }

  /** Makes everything written so far permanent: the initial state. */
  forgetJournal(): void {
    this.journalEnd = 0;
  }

  /** Makes the journal at least `needed` words long. */
  growJournal(needed: number): void {
    const larger = allocateWords(Math.max(this.journal.length * 2, needed));
    larger.set(this.journal);
    this.journal = larger;
  }

  /** Reads 1, 2, 4 or 8 bytes into `low` and `high`. The caller has checked the address. */
  read(address: number, size: number): void {
    if ((address & 3) === 0 && size >= 4) {
      this.low = this.words[address >> 2]!;
      this.high = size === 8 ? this.words[(address >> 2) + 1]! : 0;
      return;
    }
    let low = 0;
    let high = 0;
    for (let i = 0; i < size; i++) {
      const byte = this.bytes[address + i]!;
      if (i < 4) low |= byte << (8 * i);
      else high |= byte << (8 * (i - 4));
    }
    this.low = low;
    this.high = high;
  }

  write(address: number, size: number, low: number, high: number): void {
    if ((address & 3) === 0 && size >= 4) {
      this.set(address >> 2, low);
      if (size === 8) this.set((address >> 2) + 1, high);
      return;
    }
    for (let i = 0; i < size; i++) {
      const byte = (i < 4 ? low >>> (8 * i) : high >>> (8 * (i - 4))) & 0xff;
      const index = (address + i) >> 2;
      const shift = ((address + i) & 3) * 8;
      this.set(index, (this.words[index]! & ~(0xff << shift)) | (byte << shift));
    }
  }
}

/** Bytes of states since V8 was last told that there is garbage. */
let untold = 0;
/** Address space is not memory, but it is limited too: at most this many bytes of states may wait to be collected. */
const MUCH = 4_000_000_000;
const TOLD = 500_000_000;

/**
 * Most of a state is never touched, so the system need not back it with memory. And a shared buffer does not count as
 * garbage of its full size: with plain ones, building a machine takes ten times longer, mostly in garbage collections.
 * So that V8 collects states at all, a plain buffer stands for many of them.
 */
function allocateState(bytes: number): ArrayBufferLike {
  if (typeof SharedArrayBuffer === 'undefined') return new ArrayBuffer(bytes);
  untold += bytes;
  if (untold > MUCH) untold = tellOfGarbage();
  return new SharedArrayBuffer(bytes);
}

/** Allocates a buffer that V8 counts, so that it begins to collect states. Returns zero: nothing is untold. */
function tellOfGarbage(): number {
  try {
    // Its length is used, or else bundlers and V8 would leave it out.
    return new ArrayBuffer(TOLD).byteLength - TOLD;
  } catch {
    // There was no room even after V8 had collected everything.
    return 0;
  }
}
