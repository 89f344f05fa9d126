/**
 * One row of vectors over threads per event, one vector per lane. Most events know exactly what another one knew, so
 * events share rows: each starts with the row of an earlier event, and gets its own as soon as it knows more. Row 0 is
 * all zeros. With many threads, events share parts of rows too (`tree-rows.ts`).
 */
import { larger } from '../util/int-vector.ts';
import { allocateWords } from '../util/memory-limit.ts';
import { type Own, TreeRows } from './tree-rows.ts';

/** Up to this many threads, rows are flat. */
export const FLAT_THREADS = 64;

export class SharedRows {
  private words: Int32Array;
  private readonly lanes: number;
  /** Number of events. */
  private length = 0;
  /** Words per vector: room for this many threads. */
  private width = 4;
  /** Words per row. */
  private stride: number;
  /** Rows in use. */
  private end = 1;
  /** Per event: its row, and the number of rows before it. */
  private rowOf = new Int32Array(64);
  private ends = new Int32Array(64);
  /** Replaces all of the above once there are many threads. */
  private trees: TreeRows | undefined;

  constructor(lanes = 1) {
    this.lanes = lanes;
    this.stride = lanes * this.width;
    this.words = new Int32Array(this.stride * 64);
  }

  /**
   * Begins the next event: it knows what `from` knows, or nothing if that is negative. There are up to `width` threads.
   */
  begin(event: number, from: number, width: number): void {
    if (width !== this.width) this.widen(width);
    if (this.trees !== undefined) return this.trees.begin(event, from);
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
    if (width > FLAT_THREADS) {
      this.trees ??= this.plant();
      this.width = width;
      return;
    }
    const vectors = this.words.length / old;
    const words = allocateWords(vectors * width);
    for (let v = 0; v < vectors; v++) words.set(this.words.subarray(v * old, (v + 1) * old), v * width);
    this.words = words;
    this.width = width;
    this.stride = this.lanes * width;
  }

  private plant(): TreeRows {
    const trees = new TreeRows(this.lanes);
    const planted = new Map<number, number>();
    for (let event = 0; event < this.length; event++) {
      const row = this.rowOf[event]!;
      trees.begin(event, planted.get(row) ?? -1);
      if (planted.has(row)) continue;
      planted.set(row, event);
      for (let lane = 0; lane < this.lanes; lane++) {
        for (let thread = 0; thread < this.width; thread++) {
          trees.set(event, thread, this.words[row * this.stride + lane * this.width + thread]!, lane);
        }
      }
    }
    this.words = new Int32Array(0);
    return trees;
  }

  /** Where the row of the event begun last starts. Gives the event its own row if it shared one. */
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

  /** The event begun last knows all that `other` knows. */
  join(event: number, other: number): void {
    if (this.trees !== undefined) return this.trees.join(event, other);
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

  /** The event begun last, which knows no more than `other`, takes its row. */
  adopt(event: number, other: number): void {
    if (this.trees !== undefined) this.trees.adopt(event, other);
    else this.rowOf[event] = this.rowOf[other]!;
  }

  get(event: number, thread: number, lane = 0): number {
    if (this.trees !== undefined) return this.trees.get(event, thread, lane);
    return this.words[this.rowOf[event]! * this.stride + lane * this.width + thread]!;
  }

  /** Only for the event begun last. */
  set(event: number, thread: number, value: number, lane = 0): void {
    if (this.trees !== undefined) return this.trees.set(event, thread, value, lane);
    if (this.get(event, thread, lane) === value) return;
    // `own` may replace `words`.
    const at = this.own(event) + lane * this.width + thread;
    this.words[at] = value;
  }

  /** The same, unless the entry is at least that large. */
  raise(event: number, thread: number, value: number, lane = 0): void {
    if (this.get(event, thread, lane) < value) this.set(event, thread, value, lane);
  }

  /**
   * Lowers `limits[q]` to the least entry q of these events' rows, minus `less`. If `own` is given, it says what the
   * events know about their own threads.
   */
  lower(limits: Int32Array, events: readonly number[], lane: number, less: number, own?: Own): void {
    if (this.trees !== undefined) return this.trees.lower(limits, events, lane, less, own);
    for (const event of events) {
      const thread = own?.thread(event) ?? -1;
      for (let q = 0; q < limits.length; q++) {
        const known = q === thread ? own!.index(event) : this.get(event, q, lane);
        limits[q] = Math.min(limits[q]!, known - less);
      }
    }
  }

  /** Forgets all events from number `depth` on. */
  rollback(depth: number): void {
    if (this.trees !== undefined) return this.trees.rollback(depth);
    if (depth >= this.length) return;
    this.end = this.ends[depth]!;
    this.length = depth;
  }

  /** Keeps the events in `kept`, ascending, as numbers 0, 1, 2, …. */
  keep(kept: ArrayLike<number>): void {
    if (this.trees !== undefined) return this.trees.keep(kept);
    const { words, stride, rowOf, ends } = this;
    const numbers = allocateWords(this.end);
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
