/**
 * Where else a read may go: before writes that exist. It may read an older write if no next write of one of its sources
 * happens before it, and if it then still only reads. Nothing that is already there changes.
 */
import { WRITES } from '../../machine/events/effects.ts';
import { IntVector } from '../../util/int-vector.ts';
import { type Outcome, READ } from './outcome.ts';
import { limitAt, type Pending } from './pending.ts';
import { has } from './rows.ts';
import type { Sequence } from './sequence.ts';

export class Places {
  private readonly sequence: Sequence;
  private readonly outcome: Outcome;
  private readonly isBuffered: boolean;
  /** Per cell of the operation: the least index that is possible; and the one that is tried. */
  private readonly least = new IntVector();
  private readonly tried = new IntVector();
  private order = new Int32Array(4);

  constructor(sequence: Sequence, outcome: Outcome) {
    this.sequence = sequence;
    this.outcome = outcome;
    this.isBuffered = sequence.isBuffered;
  }

  /**
   * Appends to `out` every way to place the operation that the sequence has begun, except at the end: how many cells it
   * has, and for each where it starts and ends and the index of its source. Returns how many ways there are.
   */
  find(pending: Pending | undefined, usesBounds: boolean, out: IntVector): number {
    const { sequence, outcome, least, tried } = this;
    const { opCells, opOrder, opThread } = sequence;
    const count = opCells.length;
    if (count === 0 || sequence.opForwards || !outcome.mayRead) return 0;
    least.clear();
    tried.clear();
    for (let i = 0; i < count; i++) {
      const cell = opCells.words[i]!;
      const newest = sequence.newest(cell);
      let low = pending === undefined || !usesBounds ? 0 : limitAt(pending.least, sequence.cells.start(cell));
      low = Math.max(low, sequence.newestOwn(cell, opThread));
      let index = newest;
      while (index > low && !has(opOrder, sequence.write(cell, index))) index--;
      least.push(index);
      tried.push(newest);
    }
    if (count > 1) return this.findInCells(pending, out);
    const newest = tried.words[0]!;
    let ways = 0;
    for (let index = newest - 1; index >= least.words[0]!; index--) {
      tried.words[0] = index;
      if (outcome.at(opCells.words, tried.words, 1) !== READ || !this.isNewer(pending)) continue;
      this.push(out);
      ways++;
    }
    return ways;
  }

  /** Is there something newer than when the operation was left waiting? */
  private isNewer(pending: Pending | undefined): boolean {
    if (pending === undefined || pending.newer.length === 0) return true;
    const { sequence, tried } = this;
    for (let i = 0; i < sequence.opCells.length; i++) {
      const start = sequence.cells.start(sequence.opCells.get(i));
      if (tried.words[i]! > limitAt(pending.newer, start)) return true;
    }
    return false;
  }

  private push(out: IntVector): void {
    const { opCells, cells } = this.sequence;
    out.push(opCells.length);
    for (let i = 0; i < opCells.length; i++) {
      out.push(cells.start(opCells.words[i]!));
      out.push(cells.end(opCells.words[i]!));
      out.push(this.tried.words[i]!);
    }
  }

  /** Every combination of sources, from the newest to the oldest. */
  private findInCells(pending: Pending | undefined, out: IntVector): number {
    const { sequence, outcome, least, tried } = this;
    const { opCells } = sequence;
    const count = opCells.length;
    let ways = 0;
    for (;;) {
      let i = count - 1;
      for (; i >= 0; i--) {
        if (tried.words[i]! > least.words[i]!) {
          tried.words[i]!--;
          break;
        }
        tried.words[i] = sequence.newest(opCells.words[i]!);
      }
      if (i < 0) return ways;
      if (outcome.at(opCells.words, tried.words, count) !== READ) continue;
      if (!this.isNewer(pending) || !this.isPossible()) continue;
      this.push(out);
      ways++;
    }
  }

  /** Whether no next write of a source happens before another source. */
  private isPossible(): boolean {
    const { sequence, tried } = this;
    const { opCells, opAccess, opThread, opOrder } = sequence;
    if (this.order.length !== opOrder.length) this.order = new Int32Array(opOrder.length);
    const { order } = this;
    order.set(opOrder);
    const { stride, words } = sequence.order;
    const skipsOwn = this.isBuffered && (opAccess.get(0) & WRITES) === 0;
    for (let i = 0; i < opCells.length; i++) {
      const write = sequence.write(opCells.get(i), tried.get(i));
      if (write < 0 || (skipsOwn && sequence.threadOf(write) === opThread)) continue;
      for (let w = 0; w < stride; w++) order[w]! |= words[write * stride + w]!;
      order[write >> 5]! |= 1 << (write & 31);
    }
    for (let i = 0; i < opCells.length; i++) {
      const cell = opCells.get(i);
      const index = tried.get(i);
      if (index < sequence.newest(cell) && has(order, sequence.write(cell, index + 1))) return false;
    }
    return true;
  }
}
