import { allocateWords } from '../util/memory-limit.ts';

/**
 * One row of vectors over threads per event, one vector per lane, in one array. Rolling back needs no action: rows are
 * overwritten.
 */
export class ClockRows {
  words: Int32Array;
  readonly lanes: number;
  /** Words per vector: room for this many threads. */
  width = 4;
  /** Words per row. */
  stride: number;

  constructor(lanes = 1) {
    this.lanes = lanes;
    this.stride = lanes * this.width;
    this.words = new Int32Array(this.stride * 64);
  }

  /** Makes room for row `row` and for `width` threads. */
  fit(row: number, width: number): void {
    if (width !== this.width) this.widen(width);
    if ((row + 1) * this.stride <= this.words.length) return;
    const larger = allocateWords(this.words.length * 2);
    larger.set(this.words);
    this.words = larger;
  }

  private widen(width: number): void {
    const old = this.width;
    const vectors = this.words.length / old;
    const words = allocateWords(vectors * width);
    for (let v = 0; v < vectors; v++) words.set(this.words.subarray(v * old, (v + 1) * old), v * width);
    this.words = words;
    this.width = width;
    this.stride = this.lanes * width;
  }

  /** Row `row` becomes a copy of row `from`, or zero if that is negative. */
  copy(row: number, from: number): void {
    const { words, stride } = this;
    const to = row * stride;
    if (from < 0) for (let i = 0; i < stride; i++) words[to + i] = 0;
    else if (stride > 64) words.copyWithin(to, from * stride, (from + 1) * stride);
    else for (let i = 0, at = from * stride; i < stride; i++) words[to + i] = words[at + i]!;
  }

  /** Row `row` becomes the maximum of itself and row `other`. */
  join(row: number, other: number): void {
    const { words, stride } = this;
    const to = row * stride;
    const from = other * stride;
    for (let i = 0; i < stride; i++) if (words[from + i]! > words[to + i]!) words[to + i] = words[from + i]!;
  }

  get(row: number, thread: number, lane = 0): number {
    return this.words[row * this.stride + lane * this.width + thread]!;
  }

  set(row: number, thread: number, value: number, lane = 0): void {
    this.words[row * this.stride + lane * this.width + thread] = value;
  }

  raise(row: number, thread: number, value: number, lane = 0): void {
    const at = row * this.stride + lane * this.width + thread;
    if (this.words[at]! < value) this.words[at] = value;
  }

  /** Keeps the rows in `kept`, ascending, as rows 0, 1, 2, …. */
  keep(kept: ArrayLike<number>): void {
    const { words, stride } = this;
    for (let to = 0; to < kept.length; to++)
      words.copyWithin(to * stride, kept[to]! * stride, (kept[to]! + 1) * stride);
  }
}
