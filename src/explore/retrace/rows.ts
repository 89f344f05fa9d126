/** Sets of events as rows of bits, one row per event. */
import { allocateWords } from '../../util/memory-limit.ts';

export class Rows {
  words: Int32Array;
  /** Words of a row. */
  stride: number;

  constructor(stride: number) {
    this.stride = stride;
    this.words = new Int32Array(stride * stride * 32);
  }

  /** Makes rows of `stride` words, keeping those of the first `count` events. */
  widen(stride: number, count: number): void {
    const wider = allocateWords(stride * stride * 32);
    for (let row = 0; row < count; row++)
      wider.set(this.words.subarray(row * this.stride, (row + 1) * this.stride), row * stride);
    this.words = wider;
    this.stride = stride;
  }

  has(row: number, event: number): boolean {
    return (this.words[row * this.stride + (event >> 5)]! & (1 << (event & 31))) !== 0;
  }
}

/** The same for a single set. */
export function has(set: Int32Array, event: number): boolean {
  return (set[event >> 5]! & (1 << (event & 31))) !== 0;
}

export function add(set: Int32Array, event: number): void {
  set[event >> 5]! |= 1 << (event & 31);
}
