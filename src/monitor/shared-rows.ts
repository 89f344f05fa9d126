/**
 * One row of vectors over threads per event, a vector per lane. Most events know just what another one knew, so events share
 * rows: one begins with the row of an earlier event, and gets its own as soon as it knows more. Row 0 is all zero.
 */
import { larger } from '../util/int-vector.ts';

export class SharedRows {
  private words: Int32Array;
  private readonly lanes: number;
  /** Events. */
  private length = 0;
  /** Words per vector: room for so many threads. */
  private width = 4;
  /** Words per row. */
  private stride: number;
  /** Rows in use. */
  private end = 1;
  /** Per event: its row, and how many there were before it. */
  private rowOf = new Int32Array(64);
  private ends = new Int32Array(64);

  constructor(lanes = 1) {
    this.lanes = lanes;
    this.stride = lanes * this.width;
    this.words = new Int32Array(this.stride * 64);
  }

  /** The next event: it knows what `from` does, nothing if that is negative. There are up to `width` threads. */
  begin(event: number, from: number, width: number): void {
    if (width !== this.width) this.widen(width);
    if (event >= this.rowOf.length) {
      this.rowOf = larger(this.rowOf);
      this.ends = larger(this.ends);
    }
    this.rowOf[event] = from < 0 ? 0 : this.rowOf[from]!;
    this.ends[event] = this.end;
    this.length = event + 1;
  }

  /** Makes room for `width` threads. */
  widen(width: number): void {
    const old = this.width;
    const vectors = this.words.length / old;
    const words = new Int32Array(vectors * width);
    for (let v = 0; v < vectors; v++) words.set(this.words.subarray(v * old, (v + 1) * old), v * width);
    this.words = words;
    this.width = width;
    this.stride = this.lanes * width;
  }

  /** Where the row of the event that was begun last starts, which from now on is its own. */
  private own(event: number): number {
    const { stride } = this;
    const row = this.rowOf[event]!;
    if (row >= this.ends[event]!) return row * stride;
    const to = this.end * stride;
    if (to + stride > this.words.length) this.words = larger(this.words);
    const { words } = this;
    const from = row * stride;
    for (let i = 0; i < stride; i++) words[to + i] = words[from + i]!;
    this.rowOf[event] = this.end++;
    return to;
  }

  /** The event that was begun last knows all that `other` does. */
  join(event: number, other: number): void {
    const { stride, rowOf } = this;
    if (rowOf[event] === rowOf[other]) return;
    const from = rowOf[other]! * stride;
    let to = rowOf[event]! * stride;
    let i = 0;
    while (i < stride && this.words[from + i]! <= this.words[to + i]!) i++;
    if (i === stride) return;
    to = this.own(event);
    const { words } = this;
    for (; i < stride; i++) if (words[from + i]! > words[to + i]!) words[to + i] = words[from + i]!;
  }

  get(event: number, thread: number, lane = 0): number {
    return this.words[this.rowOf[event]! * this.stride + lane * this.width + thread]!;
  }

  /** Of the event that was begun last. */
  set(event: number, thread: number, value: number, lane = 0): void {
    if (this.get(event, thread, lane) === value) return;
    // Getting one's own row may move them all.
    const at = this.own(event) + lane * this.width + thread;
    this.words[at] = value;
  }

  /** The same, if it becomes more by it. */
  raise(event: number, thread: number, value: number, lane = 0): void {
    if (this.get(event, thread, lane) < value) this.set(event, thread, value, lane);
  }

  /** Forgets all events from number `depth` on. */
  rollback(depth: number): void {
    if (depth >= this.length) return;
    this.end = this.ends[depth]!;
    this.length = depth;
  }

  /** Keeps the events in `kept`, ascending, as numbers 0, 1, 2, …. */
  keep(kept: ArrayLike<number>): void {
    const { words, stride, rowOf, ends } = this;
    const numbers = new Int32Array(this.end);
    for (let to = 0; to < kept.length; to++) numbers[rowOf[kept[to]!]!] = 1;
    numbers[0] = 0;
    let end = 1;
    for (let row = 1; row < numbers.length; row++) {
      if (numbers[row] === 0) continue;
      words.copyWithin(end * stride, row * stride, (row + 1) * stride);
      numbers[row] = end++;
    }
    this.end = end;
    this.length = kept.length;
    for (let to = 0; to < kept.length; to++) {
      rowOf[to] = numbers[rowOf[kept[to]!]!]!;
      ends[to] = end;
    }
  }
}
