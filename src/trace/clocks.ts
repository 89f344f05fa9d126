/**
 * Happens-before for the later events of a long execution: per event and process, the newest event of that process that
 * happens before it. A process is a thread or its buffer. The events of a process are ordered, so its events up to that
 * newest one, and no others, happen before the event (Lemma 22 of
 * [decision 16](../../docs/decisions/0016-dependence.md)). A row has a few words, however long the execution is.
 */
import { larger } from '../util/int-vector.ts';

/** No event of this process. */
const NONE = -1;

export class Clocks {
  /** Words per row: the number of processes there is room for. */
  private width = 16;
  private rows: Int32Array = new Int32Array(16 * 128);
  /** By event, also for events that have no row. */
  private processes: Int32Array = new Int32Array(128);
  /** The first event that has a row. */
  private readonly from: number;

  constructor(from: number) {
    this.from = from;
  }

  /** Call in the order of events. */
  setProcess(event: number, process: number): void {
    if (event >= this.processes.length) this.processes = larger(this.processes);
    this.processes[event] = process;
    if (process >= this.width) this.widen(process);
  }

  has(first: number, second: number): boolean {
    return this.rows[(second - this.from) * this.width + this.processes[first]!]! >= first;
  }

  clear(event: number): void {
    const row = (event - this.from) * this.width;
    while (row + this.width > this.rows.length) this.rows = larger(this.rows);
    this.rows.fill(NONE, row, row + this.width);
  }

  /** Everything before `other`, which must have a row, is before `event`. */
  joinPast(event: number, other: number): void {
    const { rows, width } = this;
    const row = (event - this.from) * width;
    const from = (other - this.from) * width;
    for (let p = 0; p < width; p++) if (rows[from + p]! > rows[row + p]!) rows[row + p] = rows[from + p]!;
  }

  add(event: number, before: number): void {
    const word = (event - this.from) * this.width + this.processes[before]!;
    if (before > this.rows[word]!) this.rows[word] = before;
  }

  private widen(process: number): void {
    const width = Math.max(2 * this.width, process + 1);
    const count = Math.floor(this.rows.length / this.width);
    const rows = new Int32Array(count * width).fill(NONE);
    for (let e = 0; e < count; e++) {
      rows.set(this.rows.subarray(e * this.width, (e + 1) * this.width), e * width);
    }
    this.rows = rows;
    this.width = width;
  }
}
