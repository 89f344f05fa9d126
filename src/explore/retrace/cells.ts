/**
 * The bytes of memory as *cells*: the largest ranges that no access so far divides. What holds of one byte of a cell
 * holds of all of them, so the definitions of the algorithm, which are by byte, are kept by cell. If an access divides a
 * cell, both parts have had the same accesses.
 *
 * A mutex or condition variable is its first byte.
 */
import { IntMap } from '../../util/int-map.ts';
import { IntVector } from '../../util/int-vector.ts';

/** Is told that the bytes of cell `cell` from some address on are now cell `upper`. */
export type OnSplit = (cell: number, upper: number) => void;

export class Cells {
  /** Cells by where they start; their numbers are those of the map. */
  private readonly starts = new IntMap();
  private readonly ends: number[] = [];
  /** Per cell, in store order: the writes; index 0 is the initial value. */
  readonly writes: IntVector[] = [];
  /** The same: the names of the stores. */
  readonly names: IntVector[] = [];
  /** Per cell: the records of all accesses, in the order of the sequence. */
  readonly accesses: IntVector[] = [];
  private readonly onSplit: OnSplit;

  constructor(onSplit: OnSplit) {
    this.onSplit = onSplit;
  }

  start(cell: number): number {
    return this.starts.key(cell);
  }
  end(cell: number): number {
    return this.ends[cell]!;
  }

  /** The cell that starts at this address. */
  at(start: number): number {
    return this.starts.number(start);
  }

  /** Appends the cells of these bytes, in the order of their addresses. */
  add(address: number, size: number, out: IntVector): void {
    const known = this.starts.size;
    const cell = this.starts.number(address);
    const end = address + size;
    if (cell < known && this.ends[cell] === end) return out.push(cell);
    if (cell === known) this.begin(cell, address, end);
    this.divideAt(end);
    out.push(cell);
    for (let at = this.ends[cell]!; at < end; ) {
      const before = this.starts.size;
      const next = this.starts.number(at);
      if (next === before) this.begin(next, at, end);
      out.push(next);
      at = this.ends[next]!;
    }
  }

  /** A new cell at `address`: the rest of the one that contains it, or bytes without accesses up to `end` at most. */
  private begin(cell: number, address: number, end: number): void {
    let least = end;
    for (let other = 0; other < cell; other++) {
      const start = this.start(other);
      if (start < address && address < this.ends[other]!) return this.divide(other, cell, address);
      if (start > address && start < least) least = start;
    }
    this.ends[cell] = least;
    this.writes[cell] = initial();
    this.names[cell] = initial();
    this.accesses[cell] = new IntVector();
  }

  private divideAt(address: number): void {
    for (let cell = 0; cell < this.ends.length; cell++) {
      if (this.start(cell) >= address || address >= this.ends[cell]!) continue;
      return this.divide(cell, this.starts.number(address), address);
    }
  }

  private divide(cell: number, upper: number, address: number): void {
    this.ends[upper] = this.ends[cell]!;
    this.ends[cell] = address;
    this.writes[upper] = copy(this.writes[cell]!);
    this.names[upper] = copy(this.names[cell]!);
    this.accesses[upper] = new IntVector();
    this.onSplit(cell, upper);
  }
}

function initial(): IntVector {
  const vector = new IntVector();
  vector.push(-1);
  return vector;
}

function copy(from: IntVector): IntVector {
  const to = new IntVector();
  to.append(from.words, 0, from.length);
  return to;
}
