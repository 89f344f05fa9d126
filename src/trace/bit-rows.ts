import type { IntVector } from '../util/int-vector.ts';
import { allocateWords } from '../util/memory-limit.ts';
import { Clocks } from './clocks.ts';

/** Memory grows with the square of the number of events. This many take half a gigabyte; more are not supported. */
export const MAX_ORDERED_EVENTS: number = 2 ** 16;

/** No event has this number. */
const NEVER = 0x7fffffff;

/**
 * A transitive relation on events that goes forward in time: one row of bits per event, for the events before it. From
 * event `clocksFrom` on, rows are clocks instead of bits.
 */
export class BitRows {
  private rows = new Int32Array(4 * 128);
  private rowWords = 4;
  /** Events before this one may have bits and there is room for them: it is the smaller of capacity and `clocksFrom`. */
  private end = 128;
  private clocksFrom = NEVER;
  private clocks = new Clocks(0);
  private processOf: (event: number) => number = () => 0;

  /** Call before the first event. The relation must order the events of each process. */
  useClocks(from: number, processOf: (event: number) => number): void {
    this.clocksFrom = from;
    this.end = Math.min(this.end, from);
    this.clocks = new Clocks(from);
    this.processOf = processOf;
  }

  /** Whether `first` is before `second`. */
  has(first: number, second: number): boolean {
    // Rows of bits have no room for events that have clocks.
    if (first >= this.end || second >= this.end) return first < second && this.clocks.has(first, second);
    return (this.rows[second * this.rowWords + (first >> 5)]! & (1 << (first & 31))) !== 0;
  }

  /**
   * Makes exactly the events before one of `preds` be before `event`; `preds` are given as twice their numbers, or one
   * more. All events up to `event` then have a row.
   */
  joinPasts(event: number, preds: IntVector): void {
    if (event >= this.end && !this.makeRoom(event)) return this.joinClocks(event, preds);
    const { rows, rowWords } = this;
    const { words, length } = preds;
    const row = event * rowWords;
    // No row has bits behind its own event.
    for (let w = event >> 5; w >= 0; w--) {
      let bits = 0;
      for (let i = 0; i < length; i++) bits |= rows[(words[i]! >> 1) * rowWords + w]!;
      rows[row + w] = bits;
    }
  }

  /** `preds` themselves are before `event`, too. */
  add(event: number, preds: IntVector): void {
    const { words, length } = preds;
    if (event >= this.end) {
      for (let i = 0; i < length; i++) this.clocks.add(event, words[i]! >> 1);
      return;
    }
    const { rows } = this;
    const row = event * this.rowWords;
    for (let i = 0; i < length; i++) {
      const pred = words[i]! >> 1;
      rows[row + (pred >> 5)] = rows[row + (pred >> 5)]! | (1 << (pred & 31));
    }
  }

  /** Whether one of the events whose bits are in `bits`, from word `from` on, is before `event`. */
  meets(event: number, bits: Int32Array, from: number): boolean {
    if (event >= this.end) return this.meetsClock(event, bits, from);
    const { rows } = this;
    const row = event * this.rowWords;
    for (let w = event >> 5; w >= from; w--) if ((rows[row + w]! & bits[w]!) !== 0) return true;
    return false;
  }

  /**
   * Fills `out` with the bits of the events up to `end` that are before all of `events`; with all bits if it is empty.
   */
  common(events: IntVector, end: number, out: Int32Array): void {
    const { rows, rowWords } = this;
    const words = (end >> 5) + 1;
    for (let w = 0; w < words; w++) out[w] = -1;
    for (let i = 0; i < events.length; i++) {
      const event = events.get(i);
      if (event >= this.end) {
        this.keepBefore(event, words, out);
        continue;
      }
      const row = event * rowWords;
      const last = event >> 5;
      for (let w = 0; w < words; w++) out[w] = w <= last ? out[w]! & rows[row + w]! : 0;
    }
  }

  /** False if the event has a clock, which is then empty; otherwise there is room for its row now. */
  private makeRoom(event: number): boolean {
    if (event >= this.clocksFrom) this.beginClock(event);
    else this.grow(event);
    return event < this.end;
  }

  /** Events are observed in order, so the first one with a clock is observed again whenever an earlier one changes. */
  private beginClock(event: number): void {
    const { clocks, processOf } = this;
    if (event === this.clocksFrom) for (let e = 0; e < event; e++) clocks.setProcess(e, processOf(e));
    clocks.setProcess(event, processOf(event));
    clocks.clear(event);
  }

  private joinClocks(event: number, preds: IntVector): void {
    for (let i = 0; i < preds.length; i++) this.joinClock(event, preds.words[i]! >> 1);
  }

  private joinClock(event: number, other: number): void {
    const { clocks, rows } = this;
    // Everything before `other` is already included.
    if (clocks.has(other, event)) return;
    if (other >= this.clocksFrom) {
      clocks.joinPast(event, other);
      return;
    }
    const row = other * this.rowWords;
    for (let w = other >> 5; w >= 0; w--) {
      for (let left = rows[row + w]!; left !== 0; left &= left - 1) {
        clocks.add(event, (w << 5) + 31 - Math.clz32(left & -left));
      }
    }
  }

  private meetsClock(event: number, bits: Int32Array, from: number): boolean {
    for (let w = event >> 5; w >= from; w--) {
      for (let left = bits[w]! | 0; left !== 0; left &= left - 1) {
        const other = (w << 5) + 31 - Math.clz32(left & -left);
        if (other < event && this.clocks.has(other, event)) return true;
      }
    }
    return false;
  }

  /** Clears the bits of events that are not before `event`. */
  private keepBefore(event: number, words: number, out: Int32Array): void {
    for (let w = 0; w < words; w++) {
      for (let left = out[w]! | 0; left !== 0; left &= left - 1) {
        const bit = left & -left;
        const other = (w << 5) + 31 - Math.clz32(bit);
        if (other >= event || !this.clocks.has(other, event)) out[w] = out[w]! & ~bit;
      }
    }
  }

  private grow(event: number): void {
    const capacity = Math.max(128, 2 * event);
    const rowWords = Math.ceil(capacity / 32);
    const rows = allocateWords(capacity * rowWords);
    for (let e = 0; e < event; e++) {
      rows.set(this.rows.subarray(e * this.rowWords, (e + 1) * this.rowWords), e * rowWords);
    }
    this.rows = rows;
    this.rowWords = rowWords;
    this.end = Math.min(capacity, this.clocksFrom);
  }
}
