/**
 * Is a trace sequentially consistent? By [SHASHA-SNIR] (and [MON] Sect. 4, [RELAXER] Def. 1) it is iff the union of
 * program order, source, store order and conflict has no cycle. A cycle is the witness that it is not.
 */
import type { Relation, ShashaSnirTrace } from './shasha-snir.ts';

export interface CycleEdge {
  readonly from: number;
  readonly to: number;
  readonly relation: Relation;
}

/** Whether the trace has no cycle: a depth-first search over consecutive program order and all other edges. */
export function isAcyclic(trace: ShashaSnirTrace): boolean {
  const next = new Map<number, number[]>();
  const add = (from: number, to: number): void => {
    const list = next.get(from);
    if (list === undefined) next.set(from, [to]);
    else list.push(to);
  };
  trace.forEachEdge(add);
  for (const thread of trace.threads) for (let i = 1; i < thread.length; i++) add(thread[i - 1]!, thread[i]!);

  const OPEN = 1;
  const DONE = 2;
  const colour = new Map<number, number>();
  for (const root of next.keys()) {
    if (colour.has(root)) continue;
    const stack = [{ node: root, at: 0 }];
    colour.set(root, OPEN);
    while (stack.length > 0) {
      const top = stack.at(-1)!;
      const successor = next.get(top.node)?.[top.at++];
      if (successor === undefined) {
        colour.set(top.node, DONE);
        stack.pop();
      } else if (colour.get(successor) === OPEN) {
        return false;
      } else if (!colour.has(successor)) {
        colour.set(successor, OPEN);
        stack.push({ node: successor, at: 0 });
      }
    }
  }
  return true;
}

/**
 * Which edges within a thread a cycle may take: all, except that an edge from an `isWeak` event must lead to an
 * `isHeld` one. The edge from a store to a load of its own thread counts: the load may read the store before it reaches
 * memory.
 */
export interface Weak {
  readonly isWeak: (event: number) => boolean;
  readonly isHeld: (event: number) => boolean;
}

/**
 * A shortest cycle, as edges in order, or `undefined` if there is none. Any distance in program order counts as one
 * edge, so that only the events that matter are on it. It starts at the event that comes first in the execution. With
 * `starts`: a shortest cycle through one of these events, starting there. With `without`: a shortest cycle without an
 * edge of this relation. Takes time proportional to the number of starts times the number of events.
 */
export function findCycle(
  trace: ShashaSnirTrace,
  starts?: readonly number[],
  weak?: Weak,
  without?: Relation,
): readonly CycleEdge[] | undefined {
  if (isAcyclic(trace)) return undefined;
  const graph = { ...graphOf(trace, without), ...(weak === undefined ? {} : { weak }) };
  let best: CycleEdge[] | undefined;
  for (const start of starts ?? [...graph.place.keys()].sort((a, b) => a - b)) {
    const cycle = shortestPath(start, start, graph, best === undefined ? Number.POSITIVE_INFINITY : best.length);
    if (cycle !== undefined) best = cycle;
  }
  return best;
}

/** A shortest cycle that starts with program order from one event to another of the same thread. */
export function findCycleOver(trace: ShashaSnirTrace, from: number, to: number): readonly CycleEdge[] | undefined {
  const back = shortestPath(to, from, graphOf(trace), Number.POSITIVE_INFINITY);
  return back === undefined ? undefined : [{ from, to, relation: 'program order' }, ...back];
}

interface Graph {
  /** All edges except program order. */
  readonly next: ReadonlyMap<number, readonly CycleEdge[]>;
  readonly place: ReadonlyMap<number, { readonly thread: readonly number[]; readonly index: number }>;
  readonly weak?: Weak;
}

function graphOf(trace: ShashaSnirTrace, without?: Relation): Graph {
  const next = new Map<number, CycleEdge[]>();
  trace.forEachEdge((from, to, relation) => {
    if (relation === without) return;
    const list = next.get(from);
    if (list === undefined) next.set(from, [{ from, to, relation }]);
    else list.push({ from, to, relation });
  });
  const place = new Map<number, { thread: readonly number[]; index: number }>();
  for (const thread of trace.threads) {
    for (const [index, event] of thread.entries()) place.set(event, { thread, index });
  }
  return { next, place };
}

/** Breadth-first, with at least one edge; `undefined` unless the path is shorter than `limit`. */
function shortestPath(start: number, goal: number, graph: Graph, limit: number): CycleEdge[] | undefined {
  const { next, place, weak } = graph;
  const reached = new Map<number, { edge: CycleEdge; length: number }>();
  const queue: number[] = [start];
  /**
   * Per thread: the index from which all its events (`followedHeld`: all held ones) have been reached by program order.
   */
  const followed = new Map<readonly number[], number>();
  const followedHeld = new Map<readonly number[], number>();
  for (let q = 0; q < queue.length; q++) {
    const node = queue[q]!;
    const length = node === start && q === 0 ? 1 : reached.get(node)!.length + 1;
    if (length >= limit) return undefined;
    const { thread, index } = place.get(node)!;
    const isWeak = weak?.isWeak(node) === true;
    for (const edge of next.get(node) ?? []) {
      if (isWeak && place.get(edge.to)!.thread === thread && !weak!.isHeld(edge.to)) continue;
      if (visit(edge, length)) return pathBack(start, goal, reached);
    }
    const all = followed.get(thread) ?? thread.length;
    const end = isWeak ? Math.min(all, followedHeld.get(thread) ?? thread.length) : all;
    (isWeak ? followedHeld : followed).set(thread, Math.min(end, index + 1));
    for (let i = index + 1; i < end; i++) {
      if (isWeak && !weak!.isHeld(thread[i]!)) continue;
      const edge: CycleEdge = { from: node, to: thread[i]!, relation: 'program order' };
      if (visit(edge, length)) return pathBack(start, goal, reached);
    }
  }
  return undefined;

  /** True if the edge leads to the goal. */
  function visit(edge: CycleEdge, length: number): boolean {
    if (reached.has(edge.to)) return false;
    reached.set(edge.to, { edge, length });
    queue.push(edge.to);
    return edge.to === goal;
  }
}

function pathBack(start: number, goal: number, reached: ReadonlyMap<number, { edge: CycleEdge }>): CycleEdge[] {
  const path: CycleEdge[] = [];
  let node = goal;
  do {
    const { edge } = reached.get(node)!;
    path.push(edge);
    node = edge.from;
  } while (node !== start);
  return path.reverse();
}
