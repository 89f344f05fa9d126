/**
 * The writes and reads of each word of memory, newest first. One list per word and direction, all in one array; an
 * entry says which bytes of the word it accesses. Entries are numbered in the order of creation, so rolling back
 * truncates.
 */
import { IntMap } from '../util/int-map.ts';
import { larger } from '../util/int-vector.ts';

const L_EVENT = 0;
const L_MASK = 1;
const L_PREVIOUS = 2;
const L_LIST = 3; // complemented for reads
const ENTRY_WORDS = 4;

/** No entry. */
export const NO_ENTRY = 0;
/** In the mask of a write, beside its bytes: it may commute with other writes. */
export const MAY_COMMUTE = 16;

export class AccessLists {
  /** `end` is the number of the next entry. Numbers start at 1: 0 means none. */
  private entries = new Int32Array(ENTRY_WORDS * 128);
  private others = new Int32Array(128);
  end = 1;
  private readonly words = new IntMap();
  private writes = new Int32Array(64);
  private reads = new Int32Array(64);

  /** How many lists there are. */
  get size(): number {
    return this.words.size;
  }

  /** The list of a word of memory. */
  list(word: number): number {
    const list = this.words.number(word);
    if (list >= this.writes.length) {
      this.writes = larger(this.writes);
      this.reads = larger(this.reads);
    }
    return list;
  }

  /** The word of a list. */
  word(list: number): number {
    return this.words.key(list);
  }

  lastWrite(list: number): number {
    return this.writes[list]!;
  }
  lastRead(list: number): number {
    return this.reads[list]!;
  }
  event(entry: number): number {
    return this.entries[entry * ENTRY_WORDS + L_EVENT]!;
  }
  mask(entry: number): number {
    return this.entries[entry * ENTRY_WORDS + L_MASK]!;
  }
  /** The entry before this one in the same list, or `NO_ENTRY`. */
  previous(entry: number): number {
    return this.entries[entry * ENTRY_WORDS + L_PREVIOUS]!;
  }

  /** The newest earlier entry of this list by another thread, if `setOther` was called for the entry. */
  other(entry: number): number {
    return this.others[entry]!;
  }
  setOther(entry: number, other: number): void {
    while (entry >= this.others.length) this.others = larger(this.others);
    this.others[entry] = other;
  }

  addWrite(list: number, event: number, mask: number): void {
    this.add(event, mask, this.writes[list]!, list);
    this.writes[list] = this.end++;
  }

  addRead(list: number, event: number, mask: number): void {
    this.add(event, mask, this.reads[list]!, ~list);
    this.reads[list] = this.end++;
  }

  private add(event: number, mask: number, previous: number, list: number): void {
    const at = this.end * ENTRY_WORDS;
    if (at === this.entries.length) this.entries = larger(this.entries);
    const { entries } = this;
    entries[at + L_EVENT] = event;
    entries[at + L_MASK] = mask;
    entries[at + L_PREVIOUS] = previous;
    entries[at + L_LIST] = list;
  }

  /**
   * Gives list `to`, which is empty, the entries of list `from` that matter to a later access: the writes, and each
   * thread's last read since the last one. All entries of `from` must cover whole words.
   */
  copyWhole(from: number, to: number, threadOf: (event: number) => number): void {
    const write = this.writes[from]!;
    const seen = new Set<number>();
    const reads: number[] = [];
    for (let r = this.reads[from]!; r > write; r = this.previous(r)) {
      const thread = threadOf(this.event(r));
      if (seen.has(thread)) continue;
      seen.add(thread);
      reads.push(r);
    }
    const writes: number[] = [];
    for (let w = write; w !== NO_ENTRY; w = this.previous(w)) writes.push(w);
    for (const w of writes.reverse()) this.addWrite(to, this.event(w), this.mask(w));
    for (const r of reads.reverse()) this.addRead(to, this.event(r), this.mask(r));
  }

  /** The last write to a byte, or `NO_ENTRY`. */
  lastWriteTo(address: number): number {
    let entry = this.writes[this.list(address >> 2)]!;
    while (entry !== NO_ENTRY && (this.mask(entry) & (1 << (address & 3))) === 0) entry = this.previous(entry);
    return entry;
  }

  /**
   * Drops all entries that no later access can conflict with: overwritten writes, the reads before them, all but the
   * last of each thread's reads, and events that are `isPast`. Calls `keep` for the event of every entry that stays,
   * and returns for each entry the bytes that it stays for, 0 if it is dropped. Call `renumber` next.
   */
  prune(
    threadOf: (event: number) => number,
    isPast: (event: number) => boolean,
    keep: (event: number) => void,
  ): Uint8Array {
    const stays = new Uint8Array(this.end);
    /** By thread: the bytes of which a read has been seen, and the list in which it was seen. */
    const [seen, seenIn]: [number[], number[]] = [[], []];
    const mark = (entry: number, mask: number): void => {
      stays[entry] = mask;
      keep(this.event(entry));
    };
    for (let list = 0; list < this.words.size; list++) {
      let rest = 15;
      let n = this.writes[list]!;
      for (; n !== NO_ENTRY && rest !== 0; n = rest === 0 ? n : this.previous(n)) {
        const seen = this.mask(n) & rest;
        rest &= ~seen;
        // Overwritten bytes stay overwritten, even if the overwriting entry is dropped.
        if (seen !== 0 && !isPast(this.event(n))) mark(n, seen);
      }
      for (let r = this.reads[list]!; r > n; r = this.previous(r)) {
        if (isPast(this.event(r))) continue;
        const thread = threadOf(this.event(r));
        const before = seenIn[thread] === list ? seen[thread]! : 0;
        if ((this.mask(r) & ~before) === 0) continue;
        mark(r, this.mask(r));
        seen[thread] = before | this.mask(r);
        seenIn[thread] = list;
      }
    }
    return stays;
  }

  /**
   * Adds overwritten writes to `stays`: for each byte, the writes before its last one for which `isNeeded` holds, given
   * `newer`, the next write to that byte.
   */
  keepOlder(
    stays: Uint8Array,
    isNeeded: (event: number, newer: number) => boolean,
    keep: (event: number) => void,
  ): void {
    /** Per byte of the word: the entry seen last. */
    const newer = [NO_ENTRY, NO_ENTRY, NO_ENTRY, NO_ENTRY];
    for (let list = 0; list < this.words.size; list++) {
      newer.fill(NO_ENTRY);
      for (let n = this.writes[list]!; n !== NO_ENTRY; n = this.previous(n)) {
        const event = this.event(n);
        for (let byte = 0; byte < 4; byte++) {
          const bit = 1 << byte;
          if ((this.mask(n) & bit) === 0) continue;
          const after = newer[byte]!;
          newer[byte] = n;
          if (after === NO_ENTRY) continue;
          if (!isNeeded(event, this.event(after))) continue;
          stays[n] = stays[n]! | bit;
          keep(event);
        }
      }
    }
  }

  /** Keeps only the entries in `stays`, each for its bytes; event e now has number `numbers[e]`. */
  renumber(stays: Uint8Array, numbers: Int32Array): void {
    const { entries } = this;
    this.writes.fill(NO_ENTRY);
    this.reads.fill(NO_ENTRY);
    this.end = 1;
    for (let entry = 1; entry < stays.length; entry++) {
      if (stays[entry] === 0) continue;
      const at = entry * ENTRY_WORDS;
      const list = entries[at + L_LIST]!;
      const event = numbers[entries[at + L_EVENT]!]!;
      if (list >= 0) this.addWrite(list, event, stays[entry]!);
      else this.addRead(~list, event, stays[entry]!);
    }
  }

  /** Forgets all entries from number `end` on. */
  truncate(end: number): void {
    const { entries } = this;
    for (let entry = this.end - 1; entry >= end; entry--) {
      const list = entries[entry * ENTRY_WORDS + L_LIST]!;
      if (list >= 0) this.writes[list] = this.previous(entry);
      else this.reads[~list] = this.previous(entry);
    }
    this.end = end;
  }
}

/** The bytes of a word that an access touches, as a mask. */
export function bytesIn(word: number, address: number, size: number): number {
  const from = Math.max(address - (word << 2), 0);
  const to = Math.min(address + size - (word << 2), 4);
  return ((1 << to) - 1) & ~((1 << from) - 1);
}

/** The bytes of a word that lie between `address` and `end`. */
export function maskOf(word: number, address: number, end: number): number {
  const start = word << 2;
  let mask = 15;
  if (start < address) mask &= 15 << (address - start);
  if (end < start + 4) mask &= 15 >> (start + 4 - end);
  return mask;
}
