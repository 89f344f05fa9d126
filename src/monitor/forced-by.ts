/** For each store: the first event of each thread at which the store must have reached memory. */
import { larger } from '../util/int-vector.ts';
import { ClockRows } from './clock-rows.ts';
import { ClockTrees } from './clock-trees.ts';
import { FLAT_THREADS } from './shared-rows.ts';

export class ForcedBy {
  private readonly rows = new ClockRows();
  /** Replaces the rows once there are many threads; `roots` has the root of each store's tree. */
  private trees: ClockTrees | undefined;
  private roots = new Int32Array(64);

  /** Call for every store, and before setting an entry of one. There are up to `width` threads. */
  fit(store: number, width: number): void {
    if (width <= FLAT_THREADS) return this.rows.fit(store, width);
    if (this.trees === undefined) this.plant();
    while (store >= this.roots.length) this.roots = larger(this.roots);
  }

  /** Makes the store unforced. */
  clear(store: number): void {
    if (this.trees === undefined) this.rows.copy(store, -1);
    else this.roots[store] = 0;
  }

  get(store: number, thread: number): number {
    return this.trees === undefined ? this.rows.get(store, thread) : this.trees.get(this.roots[store]!, thread);
  }

  set(store: number, thread: number, index: number): void {
    if (this.trees === undefined) this.rows.set(store, thread, index);
    // No two stores share nodes.
    else this.roots[store] = this.trees.set(this.roots[store]!, thread, index, 1);
  }

  /** Whether `holds` is true for some thread and its first event. */
  some(store: number, holds: (thread: number, index: number) => boolean): boolean {
    if (this.trees !== undefined) return this.trees.some(this.roots[store]!, holds);
    const { rows } = this;
    for (let thread = 0; thread < rows.width; thread++) {
      const index = rows.get(store, thread);
      if (index !== 0 && holds(thread, index)) return true;
    }
    return false;
  }

  /** Keeps the events in `kept`, ascending, as numbers 0, 1, 2, …. Events that are not stores have no entries. */
  keep(kept: Int32Array, isStore: (event: number) => boolean): void {
    const { trees, roots } = this;
    if (trees === undefined) return this.rows.keep(kept);
    for (let to = 0; to < kept.length; to++) roots[to] = isStore(kept[to]!) ? roots[kept[to]!]! : 0;
    trees.keep(roots, kept.length);
  }

  private plant(): void {
    const trees = new ClockTrees();
    const { rows } = this;
    const count = rows.words.length / rows.stride;
    this.roots = new Int32Array(Math.max(64, count));
    for (let store = 0; store < count; store++) {
      for (let thread = 0; thread < rows.width; thread++) {
        const index = rows.get(store, thread);
        if (index !== 0) this.roots[store] = trees.set(this.roots[store]!, thread, index, 1);
      }
    }
    this.trees = trees;
  }
}
