/**
 * Estimates the size of the search tree from what has been explored. The idea is random probing (D. Knuth, Estimating
 * the Efficiency of Backtrack Programs, 1975), with the search's own branches as probes (Kilby, Slaney, Thiébaux and
 * Walsh, Estimating Search Tree Size, 2006, the recursive estimator): an untaken branch is about as large as its
 * siblings.
 *
 * Ours: later siblings in a wakeup tree are smaller, because more processes sleep there; the last two give the ratio by
 * which they shrink. New branches show up during the search, so early estimates are too low.
 */
import { larger } from '../../util/int-vector.ts';

// Words for a depth of the current execution at which branches have been finished.
const B_DEPTH = 0;
const B_FIRST = 1; // executions before the first branch
const B_PRESENT = 2; // executions before the current branch
const B_LAST = 3; // executions in the last branch that was finished, and in the one before it
const B_PREVIOUS = 4;
const BRANCH_WORDS = 5;

export class Explored {
  /** In the order of their depths. */
  private branches = new Int32Array(BRANCH_WORDS * 64);
  /** Where the deepest one begins; negative if there is none. */
  private top = -BRANCH_WORDS;

  /** After `executions`, the search backtracks to `depth`, where one more branch has been finished. */
  finishBranch(depth: number, executions: number): void {
    const { branches } = this;
    let { top } = this;
    let start = executions - 1;
    for (; top >= 0 && branches[top + B_DEPTH]! > depth; top -= BRANCH_WORDS) start = branches[top + B_FIRST]!;
    if (top >= 0 && branches[top + B_DEPTH] === depth) {
      this.top = top;
      branches[top + B_PREVIOUS] = branches[top + B_LAST]!;
      branches[top + B_LAST] = executions - branches[top + B_PRESENT]!;
      branches[top + B_PRESENT] = executions;
    } else this.add(top + BRANCH_WORDS, depth, start, executions);
  }

  private add(at: number, depth: number, start: number, executions: number): void {
    if (at === this.branches.length) this.branches = larger(this.branches);
    const { branches } = this;
    this.top = at;
    branches[at + B_DEPTH] = depth;
    branches[at + B_FIRST] = start;
    branches[at + B_PRESENT] = executions;
    branches[at + B_LAST] = executions - start;
    branches[at + B_PREVIOUS] = executions - start;
  }

  /**
   * Executions in all. `open` gives the number of branches left at a depth of the current execution, which has this
   * `length`; the current branch is included.
   */
  estimate(executions: number, length: number, open: (depth: number) => number): number {
    const { branches } = this;
    // From the end to the root: the size of the subtree below the current branch.
    let size = 1;
    let { top } = this;
    for (let depth = length - 1; depth >= 0; depth--) {
      const hasFinished = top >= 0 && branches[top + B_DEPTH] === depth;
      const left = open(depth) - 1;
      if (hasFinished) {
        const last = branches[top + B_LAST]!;
        const ratio = Math.min(1, last / branches[top + B_PREVIOUS]!);
        // At least the executions that it has already had.
        const branch = Math.max(size, executions - branches[top + B_PRESENT]!);
        const sibling = (branch + last * ratio) / 2;
        const rest = ratio === 1 ? left : (ratio * (1 - ratio ** left)) / (1 - ratio);
        size = branches[top + B_PRESENT]! - branches[top + B_FIRST]! + branch + sibling * rest;
      } else size *= 1 + left;
      if (hasFinished) top -= BRANCH_WORDS;
    }
    return size;
  }
}
