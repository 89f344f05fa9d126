/**
 * Dominators: K. Cooper, T. Harvey, K. Kennedy, A Simple, Fast Dominance Algorithm (2001). Nodes are numbers, a graph is
 * the successors of each.
 */
import { depthFirst, predecessorsOf } from './flow.ts';

type Graph = readonly (readonly number[])[];

/** For each node, its immediate dominator; -1 for the root, and for nodes that it does not reach. */
export function immediateDominators(successors: Graph, root: number): Int32Array {
  const order = depthFirst(successors, root).postOrder.toReversed();
  const rank = new Int32Array(successors.length).fill(-1);
  order.forEach((node, i) => {
    rank[node] = i;
  });
  const predecessors = predecessorsOf(successors);
  const found = new Int32Array(successors.length).fill(-1);
  found[root] = root;
  const meet = (a: number, b: number): number => {
    let [x, y] = [a, b];
    while (x !== y) {
      if (rank[x]! > rank[y]!) x = found[x]!;
      else y = found[y]!;
    }
    return x;
  };
  for (let isNew = true; isNew; ) {
    isNew = false;
    for (const node of order) {
      if (node === root) continue;
      let best = -1;
      for (const from of predecessors[node]!) if (found[from] !== -1) best = best < 0 ? from : meet(best, from);
      isNew ||= best !== found[node];
      found[node] = best;
    }
  }
  found[root] = -1;
  return found;
}

/** Whether every path to `node` passes `above`, of a tree of immediate dominators. Not for nodes that are not reached. */
export function dominates(tree: Int32Array, above: number, node: number): boolean {
  let at = node;
  while (at !== above && at >= 0) at = tree[at]!;
  return at === above;
}

/**
 * For each block, the first block that every path from it to the end of the function passes; -1 if there is none. A loop
 * without an exit counts as if it could end at one of its blocks.
 */
export function immediatePostDominators(successors: Graph): Int32Array {
  const exit = successors.length;
  const before: number[][] = Array.from({ length: exit + 1 }, () => []);
  successors.forEach((targets, block) => {
    if (targets.length === 0) before[exit]!.push(block);
    for (const target of targets) before[target]!.push(block);
  });
  const ending = new Set<number>();
  const reach = (from: number): void => {
    const waiting = [from];
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      if (ending.has(node)) continue;
      ending.add(node);
      waiting.push(...before[node]!);
    }
  };
  reach(exit);
  // Of the blocks that do not end, the first one that a depth-first search leaves is in a loop that is not left.
  for (const block of depthFirst(successors).postOrder) {
    if (ending.has(block)) continue;
    before[exit]!.push(block);
    reach(block);
  }
  const found = immediateDominators(before, exit).slice(0, exit);
  return found.map((block) => (block === exit ? -1 : block));
}
