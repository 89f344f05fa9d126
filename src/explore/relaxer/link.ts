/**
 * A link: events with one label in one thread race with events with another label in another thread, at one or more
 * locations. A *point* is one such location, with the source's last event and the target's first event there.
 */
import type { AccessClass } from './accesses.ts';
import type { Label } from './label.ts';

export class Link {
  readonly from: number;
  readonly to: number;
  readonly source: Label;
  readonly target: Label;
  /** Between two reads: a third thread's write to the same location. */
  readonly middle: { readonly thread: number; readonly label: Label } | undefined;
  sourceMobility = 0;
  targetMobility = 0;
  /** Over all points: the source's last event, the target's first event. */
  latest = -1;
  earliest: number = Number.POSITIVE_INFINITY;
  /** Per point, by descending `lasts` once sorted. */
  lasts: number[] = [];
  firsts: number[] = [];
  cells: number[] = [];
  /**
   * `width` entries per point: the points with the earliest targets among it and those before it, in different cells;
   * -1 for none.
   */
  private ranks: Int32Array = new Int32Array(0);
  width = 0;

  constructor(source: AccessClass, target: AccessClass, middle: AccessClass | undefined) {
    this.from = source.thread;
    this.to = target.thread;
    this.source = source.label;
    this.target = target.label;
    this.middle = middle;
  }

  get size(): number {
    return this.lasts.length;
  }

  add(source: AccessClass, target: AccessClass): void {
    this.lasts.push(source.last);
    this.firsts.push(target.first);
    this.cells.push(source.cell);
    this.sourceMobility |= source.mobility;
    this.targetMobility |= target.mobility;
    this.latest = Math.max(this.latest, source.last);
    this.earliest = Math.min(this.earliest, target.first);
  }

  /**
   * Call once, after the last `add`. Drops points that are worse than `width` others in other cells.
   *
   * For a path of n links in different cells, `width` n is enough. A point that is worse than n others in n other cells
   * (its source no later, its target no earlier) can be replaced by one of them, since the other links take at most n-1
   * of these cells; and a later source, or an earlier target, never excludes anything.
   */
  sort(width: number): void {
    const { lasts, firsts, cells } = this;
    this.width = width;
    const order = lasts.map((_, i) => i).sort((a, b) => lasts[b]! - lasts[a]!);
    const kept: number[] = [];
    const ranks: number[] = [];
    let best: number[] = [];
    for (const point of order) {
      const better = best.filter((b) => firsts[kept[b]!]! <= firsts[point]!);
      if (better.length === width || better.some((b) => cells[kept[b]!] === cells[point])) continue;
      const place = kept.push(point) - 1;
      best = [...best.filter((b) => cells[kept[b]!] !== cells[point]), place]
        .sort((a, b) => firsts[kept[a]!]! - firsts[kept[b]!]!)
        .slice(0, width);
      for (let rank = 0; rank < width; rank++) ranks.push(best[rank] ?? -1);
    }
    this.lasts = kept.map((point) => lasts[point]!);
    this.firsts = kept.map((point) => firsts[point]!);
    this.cells = kept.map((point) => cells[point]!);
    this.ranks = Int32Array.from(ranks);
  }

  /** How many points have a source later than the event. */
  pointsAfter(event: number): number {
    const { lasts } = this;
    let low = 0;
    let high = lasts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (lasts[middle]! > event) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Of the first `count` points, the one with the earliest target (rank 0), the next one, …; -1 if there is none. */
  best(count: number, rank: number): number {
    return count === 0 ? -1 : this.ranks[(count - 1) * this.width + rank]!;
  }
}
