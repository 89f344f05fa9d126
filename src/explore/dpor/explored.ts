/**
 * Estimates the size of the search tree from what has been explored. The idea is random probing (D. Knuth, Estimating
 * the Efficiency of Backtrack Programs, 1975), with the search's own branches as probes (Kilby, Slaney, Thiébaux and
 * Walsh, Estimating Search Tree Size, 2006, the recursive estimator): an untaken branch is about as large as its
 * siblings.
 *
 * Ours: later siblings in a wakeup tree are smaller, because more processes sleep there; the last two give the ratio by
 * which they shrink. New branches show up during the search, so early estimates are too low.
 */
import { IntVector } from '../../util/int-vector.ts';

export class Explored {
  /** Depths of the current execution where branches have been finished, ascending. */
  private readonly depths = new IntVector();
  /** For each: executions before the first branch, before the current one, and in the last two finished branches. */
  private readonly first = new IntVector();
  private readonly present = new IntVector();
  private readonly last = new IntVector();
  private readonly previous = new IntVector();

  /** After `executions`, the search backtracks to `depth`, where one more branch has been finished. */
  finishBranch(depth: number, executions: number): void {
    const { depths, first, present, last, previous } = this;
    let start = executions - 1;
    while (depths.length > 0 && depths.get(depths.length - 1) > depth) {
      start = first.get(depths.length - 1);
      depths.length--;
      first.length--;
      present.length--;
      last.length--;
      previous.length--;
    }
    const top = depths.length - 1;
    if (top >= 0 && depths.get(top) === depth) {
      previous.words[top] = last.get(top);
      last.words[top] = executions - present.get(top);
      present.words[top] = executions;
      return;
    }
    depths.push(depth);
    first.push(start);
    present.push(executions);
    last.push(executions - start);
    previous.push(executions - start);
  }

  /**
   * Executions in all. `open` gives the number of branches left at a depth of the current execution, which has this
   * `length`; the current branch is included.
   */
  estimate(executions: number, length: number, open: (depth: number) => number): number {
    const { depths, first, present, last, previous } = this;
    // From the end to the root: the size of the subtree below the current branch.
    let size = 1;
    let next = depths.length - 1;
    for (let depth = length - 1; depth >= 0; depth--) {
      const hasFinished = next >= 0 && depths.get(next) === depth;
      const left = open(depth) - 1;
      if (hasFinished) {
        const ratio = Math.min(1, last.get(next) / previous.get(next));
        // At least the executions that it has had already.
        const branch = Math.max(size, executions - present.get(next));
        const sibling = (branch + last.get(next) * ratio) / 2;
        const rest = ratio === 1 ? left : (ratio * (1 - ratio ** left)) / (1 - ratio);
        size = present.get(next) - first.get(next) + branch + sibling * rest;
      } else size *= 1 + left;
      if (hasFinished) next--;
    }
    return size;
  }
}
