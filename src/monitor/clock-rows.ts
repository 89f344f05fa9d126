/** One vector over threads per event, in one array. Going back needs nothing: rows are written anew. */
export class ClockRows {
  words: Int32Array = new Int32Array(4 * 64);
  /** Words per row, a power of two: room for so many threads. */
  stride = 4;

  /** Makes room for row `row` and for `stride` threads. */
  fit(row: number, stride: number): void {
    if (stride !== this.stride) this.widen(stride);
    if ((row + 1) * stride <= this.words.length) return;
    const larger = new Int32Array(this.words.length * 2);
    larger.set(this.words);
    this.words = larger;
  }

  private widen(stride: number): void {
    const old = this.stride;
    const words = new Int32Array((this.words.length / old) * stride);
    for (let from = 0, to = 0; from < this.words.length; from += old, to += stride) {
      words.set(this.words.subarray(from, from + old), to);
    }
    this.words = words;
    this.stride = stride;
  }

  /** Row `row` becomes a copy of row `from`, or zero if that is negative. */
  copy(row: number, from: number): void {
    const { words, stride } = this;
    const to = row * stride;
    if (from < 0) for (let i = 0; i < stride; i++) words[to + i] = 0;
    else for (let i = 0, at = from * stride; i < stride; i++) words[to + i] = words[at + i]!;
  }

  /** Row `row` becomes the maximum of itself and row `other`. */
  join(row: number, other: number): void {
    const { words, stride } = this;
    const to = row * stride;
    const from = other * stride;
    for (let i = 0; i < stride; i++) if (words[from + i]! > words[to + i]!) words[to + i] = words[from + i]!;
  }

  get(row: number, thread: number): number {
    return this.words[row * this.stride + thread]!;
  }

  set(row: number, thread: number, value: number): void {
    this.words[row * this.stride + thread] = value;
  }

  raise(row: number, thread: number, value: number): void {
    const at = row * this.stride + thread;
    if (this.words[at]! < value) this.words[at] = value;
  }
}
