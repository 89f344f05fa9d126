/** Like `SharedRows`, for many threads: a tree per event and lane. */
import { larger } from '../util/int-vector.ts';
import { ClockTrees } from './clock-trees.ts';

export class TreeRows {
  private readonly lanes: number;
  private readonly trees = new ClockTrees();
  private length = 0;
  /** Per event: its roots, one per lane; and the number of nodes before it. */
  private roots = new Int32Array(64);
  private ends = new Int32Array(64);

  constructor(lanes: number) {
    this.lanes = lanes;
  }

  begin(event: number, from: number): void {
    const { lanes } = this;
    while ((event + 1) * lanes > this.roots.length) this.roots = larger(this.roots);
    while (event >= this.ends.length) this.ends = larger(this.ends);
    const { roots } = this;
    for (let lane = 0; lane < lanes; lane++) roots[event * lanes + lane] = from < 0 ? 0 : roots[from * lanes + lane]!;
    this.ends[event] = this.trees.end;
    this.length = event + 1;
  }

  join(event: number, other: number): void {
    const { roots, lanes, trees } = this;
    for (let lane = 0; lane < lanes; lane++) {
      roots[event * lanes + lane] = trees.join(roots[event * lanes + lane]!, roots[other * lanes + lane]!);
    }
  }

  adopt(event: number, other: number): void {
    const { roots, lanes } = this;
    for (let lane = 0; lane < lanes; lane++) roots[event * lanes + lane] = roots[other * lanes + lane]!;
  }

  get(event: number, thread: number, lane: number): number {
    return this.trees.get(this.roots[event * this.lanes + lane]!, thread);
  }

  set(event: number, thread: number, value: number, lane: number): void {
    const at = event * this.lanes + lane;
    this.roots[at] = this.trees.set(this.roots[at]!, thread, value, this.ends[event]!);
  }

  /** As in `SharedRows`. */
  lower(limits: Int32Array, events: readonly number[], lane: number, less: number, own?: Own): void {
    const { trees, lanes } = this;
    const end = trees.end;
    const roots = events.map((event) => {
      const root = this.roots[event * lanes + lane]!;
      return own === undefined ? root : trees.set(root, own.thread(event), own.index(event), end);
    });
    trees.lower(limits, roots, less);
    trees.end = end;
  }

  rollback(depth: number): void {
    if (depth >= this.length) return;
    this.trees.end = this.ends[depth]!;
    this.length = depth;
  }

  keep(kept: ArrayLike<number>): void {
    const { roots, lanes, trees } = this;
    for (let to = 0; to < kept.length; to++) {
      for (let lane = 0; lane < lanes; lane++) roots[to * lanes + lane] = roots[kept[to]! * lanes + lane]!;
    }
    trees.keep(roots, kept.length * lanes);
    this.ends.fill(trees.end, 0, kept.length);
    this.length = kept.length;
  }
}

/** What an event knows about its own thread, whatever its row says. */
export interface Own {
  thread(event: number): number;
  index(event: number): number;
}
