/** Where a program can loop forever. */

export interface Graph {
  readonly size: number;
  next(node: number): readonly number[];
}

/**
 * One node of every strongly connected component with a cycle and no way out. And `changes` as soon as
 * there is a component with an edge that is not `idle`.
 */
export function* bottomComponents(
  graph: Graph,
  isIdle: (from: number, to: number) => boolean,
): Generator<number | 'changes'> {
  const index = new Int32Array(graph.size).fill(-1);
  const low = new Int32Array(graph.size);
  const component = new Int32Array(graph.size).fill(-1);
  const stack: number[] = [];
  let count = 0;
  for (let root = 0; root < graph.size; root++) {
    if (index[root] !== -1) continue;
    const work: { node: number; at: number }[] = [{ node: root, at: 0 }];
    while (work.length > 0) {
      const top = work.at(-1)!;
      const { node } = top;
      if (top.at === 0) {
        index[node] = count;
        low[node] = count++;
        stack.push(node);
      }
      const next = graph.next(node);
      let descended = false;
      while (top.at < next.length) {
        const to = next[top.at++]!;
        if (index[to] === -1) {
          work.push({ node: to, at: 0 });
          descended = true;
          break;
        }
        if (component[to] === -1) low[node] = Math.min(low[node]!, index[to]!);
      }
      if (descended) continue;
      // A node without successors is visited only once.
      if (next.length === 0) top.at = 1;
      work.pop();
      const above = work.at(-1);
      if (above !== undefined) low[above.node] = Math.min(low[above.node]!, low[node]!);
      if (low[node] !== index[node]) continue;
      const members: number[] = [];
      for (let member = -1; member !== node; ) {
        member = stack.pop()!;
        component[member] = node;
        members.push(member);
      }
      let isBottom = true;
      let hasCycle = false;
      for (const from of members) {
        for (const to of graph.next(from)) {
          if (component[to] !== node) isBottom = false;
          else {
            hasCycle = true;
            if (!isIdle(from, to)) yield 'changes';
          }
        }
      }
      if (isBottom && hasCycle) yield node;
    }
  }
}
