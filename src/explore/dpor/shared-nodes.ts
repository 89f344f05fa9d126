/**
 * The copies of shared nodes that a [job](./job.ts) has in its wakeup tree. They are never removed while the job runs.
 */
import type { ActionNames, Proposals, SharedBranch } from './job.ts';
import { NO_NODE, type WakeupTree } from './wakeup-tree.ts';

export class SharedNodes {
  private readonly tree: WakeupTree;
  private readonly names: ActionNames;
  private readonly proposals: Proposals;
  /** Per node of the tree that is a copy: the number of the shared node, and how many children it is known to have. */
  private readonly copies = new Map<number, { readonly id: number; known: number }>();

  constructor(tree: WakeupTree, names: ActionNames, proposals: Proposals) {
    this.tree = tree;
    this.names = names;
    this.proposals = proposals;
  }

  /** This node of the tree is a copy. */
  note(node: number, id: number, known: number): void {
    this.copies.set(node, { id, known });
  }

  /** Whether this node of the tree is a copy. It may have fewer children than the shared node, even none. */
  isCopy(node: number): boolean {
    return this.copies.has(node);
  }

  addBranches(parent: number, branches: readonly SharedBranch[]): void {
    for (const { action, node: id, children } of branches) {
      const node = this.tree.addChild(parent, this.names.parse(action));
      if (id === undefined) continue;
      this.note(node, id, children.length);
      this.addBranches(node, children);
    }
  }

  /**
   * Proposes a sequence below a copy. If there are children that the copy does not have, adds them and returns the
   * first of them: they must be examined. Otherwise returns `NO_NODE`.
   */
  append(node: number, actions: readonly number[]): number {
    const { tree } = this;
    const copy = this.copies.get(node)!;
    const answer = this.proposals.propose(copy.id, copy.known, actions.map(this.names.print));
    if ('newer' in answer) {
      const [first, ...rest] = answer.newer;
      const before = lastChild(tree, node);
      this.addBranches(node, [first!, ...rest]);
      copy.known += answer.newer.length;
      return before === NO_NODE ? tree.firstChild(node) : tree.next(before);
    }
    copy.known++;
    let at = node;
    for (const [i, action] of actions.entries()) {
      at = tree.addChild(at, action);
      if (i < actions.length - 1) this.note(at, answer.nodes[i]!, 1);
    }
    return NO_NODE;
  }
}

function lastChild(tree: WakeupTree, node: number): number {
  let last = tree.firstChild(node);
  while (last !== NO_NODE && tree.next(last) !== NO_NODE) last = tree.next(last);
  return last;
}
