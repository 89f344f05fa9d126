import type { IntVector } from '../util/int-vector.ts';
import { allocateWords } from '../util/memory-limit.ts';

/** Memory grows with the square of the events; this many take half a gigabyte; more are not supported. */
export const MAX_ORDERED_EVENTS: number = 2 ** 16;

/** A transitive relation on events that goes forward in time: one row of bits per event, for the events before it. */
export class BitRows {
  private rows = new Int32Array(4 * 128);
  private rowWords = 4;

  /** Whether `first` is before `second`. */
  has(first: number, second: number): boolean {
    return (this.rows[second * this.rowWords + (first >> 5)]! & (1 << (first & 31))) !== 0;
  }

  /** Empties the row of `event`; makes sure that all events up to it have a row. */
  clear(event: number): void {
    if ((event + 1) * this.rowWords > this.rows.length || this.rowWords * 32 <= event) this.grow(event);
    const { rows } = this;
    const row = event * this.rowWords;
    // Faster than `fill`, which leaves the optimised code.
    for (let w = row + (event >> 5); w >= row; w--) rows[w] = 0;
  }

  /** What is before `event` is exactly what is before `other`; makes sure that all events up to `event` have a row. */
  copyPast(event: number, other: number): void {
    if ((event + 1) * this.rowWords > this.rows.length || this.rowWords * 32 <= event) this.grow(event);
    const { rows, rowWords } = this;
    const row = event * rowWords;
    const from = other * rowWords;
    const last = other >> 5;
    for (let w = event >> 5; w > last; w--) rows[row + w] = 0;
    for (let w = last; w >= 0; w--) rows[row + w] = rows[from + w]!;
  }

  /** Everything before `other` is before `event`. */
  joinPast(event: number, other: number): void {
    const { rows, rowWords } = this;
    const row = event * rowWords;
    const from = other * rowWords;
    for (let w = other >> 5; w >= 0; w--) rows[row + w] = rows[row + w]! | rows[from + w]!;
  }

  /** `before` itself is before `event`. */
  add(event: number, before: number): void {
    const word = event * this.rowWords + (before >> 5);
    this.rows[word] = this.rows[word]! | (1 << (before & 31));
  }

  /** Whether one of the events whose bits are in `bits`, from word `from` on, is before `event`. */
  meets(event: number, bits: Int32Array, from: number): boolean {
    const { rows } = this;
    const row = event * this.rowWords;
    for (let w = event >> 5; w >= from; w--) if ((rows[row + w]! & bits[w]!) !== 0) return true;
    return false;
  }

  /** Leaves in `out` the bits of what is before each of `events`, up to `end`; of everything if there are none. */
  common(events: IntVector, end: number, out: Int32Array): void {
    const { rows, rowWords } = this;
    const words = (end >> 5) + 1;
    for (let w = 0; w < words; w++) out[w] = -1;
    for (let i = 0; i < events.length; i++) {
      const event = events.get(i);
      const row = event * rowWords;
      const last = event >> 5;
      for (let w = 0; w < words; w++) out[w] = w <= last ? out[w]! & rows[row + w]! : 0;
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
  }
}
