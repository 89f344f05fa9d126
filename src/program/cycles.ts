/** The cycles of a graph: nodes are numbers, a graph is the successors of each. */

/**
 * The strongly connected components that have a cycle: two nodes are in the same one if each reaches the other. Only
 * those of the nodes that are in `within`, if it is given. R. Tarjan, Depth-First Search and Linear Graph Algorithms
 * (1972), with an explicit stack.
 */
export function cycles(
  successors: readonly (readonly number[])[],
  within?: ReadonlySet<number>,
): readonly ReadonlySet<number>[] {
  const order = new Int32Array(successors.length);
  const low = new Int32Array(successors.length);
  const onStack = new Uint8Array(successors.length);
  const found: Set<number>[] = [];
  const stack: number[] = [];
  let count = 0;
  for (const root of within ?? successors.keys()) {
    if (order[root] !== 0) continue;
    const path: { node: number; next: number }[] = [];
    const enter = (node: number): void => {
      count++;
      order[node] = count;
      low[node] = count;
      onStack[node] = 1;
      stack.push(node);
      path.push({ node, next: 0 });
    };
    enter(root);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const { node } = top;
      const to = successors[node]![top.next];
      top.next++;
      if (to !== undefined) {
        if (within?.has(to) === false) continue;
        if (order[to] === 0) enter(to);
        else if (onStack[to] === 1) low[node] = Math.min(low[node]!, order[to]!);
        continue;
      }
      path.pop();
      const above = path.at(-1);
      if (above !== undefined) low[above.node] = Math.min(low[above.node]!, low[node]!);
      if (low[node] !== order[node]) continue;
      const members = stack.splice(stack.lastIndexOf(node));
      for (const member of members) onStack[member] = 0;
      if (members.length > 1 || successors[node]!.includes(node)) found.push(new Set(members));
    }
  }
  return found;
}

/** The nodes that lie on a cycle. */
export function repeatedBlocks(successors: readonly (readonly number[])[]): ReadonlySet<number> {
  return new Set(cycles(successors).flatMap((cycle) => [...cycle]));
}
