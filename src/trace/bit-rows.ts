/** A relation on events that is transitive and goes forward in time: one row of bits per event, for what is before it. */
export class BitRows {
  private rows = new Int32Array(4 * 128);
  private rowWords = 4;

  /** Whether `first` is before `second`. */
  has(first: number, second: number): boolean {
    return (this.rows[second * this.rowWords + (first >> 5)]! & (1 << (first & 31))) !== 0;
  }

  /** Nothing is before `event` yet; all events up to it have a row. */
  clear(event: number): void {
    if ((event + 1) * this.rowWords > this.rows.length || this.rowWords * 32 <= event) this.grow(event);
    const row = event * this.rowWords;
    this.rows.fill(0, row, row + (event >> 5) + 1);
  }

  /** `before`, and all that is before it, is before `event`. */
  join(event: number, before: number): void {
    const { rows, rowWords } = this;
    const row = event * rowWords;
    const from = before * rowWords;
    for (let w = before >> 5; w >= 0; w--) rows[row + w] = rows[row + w]! | rows[from + w]!;
    rows[row + (before >> 5)] = rows[row + (before >> 5)]! | (1 << (before & 31));
  }

  /** Leaves in `out` the bits of what is before each of the events `from` … `end`-1. */
  common(from: number, end: number, out: Int32Array): void {
    const words = (end >> 5) + 1;
    out.fill(-1, 0, words);
    for (let event = from; event < end; event++) {
      const row = event * this.rowWords;
      const used = (event >> 5) + 1;
      for (let w = 0; w < used; w++) out[w] = out[w]! & this.rows[row + w]!;
      for (let w = used; w < words; w++) out[w] = 0;
    }
  }

  private grow(event: number): void {
    const capacity = Math.max(128, 2 * event);
    const rowWords = Math.ceil(capacity / 32);
    const rows = new Int32Array(capacity * rowWords);
    for (let e = 0; e < event; e++) {
      rows.set(this.rows.subarray(e * this.rowWords, (e + 1) * this.rowWords), e * rowWords);
    }
    this.rows = rows;
    this.rowWords = rowWords;
  }
}
