/** The orders of a trace as plain data: which events precede which, and why. */
import type { Relation, ShashaSnirTrace } from '../../trace/shasha-snir.ts';
import type { EdgeReport } from '../trace-schema.ts';

/**
 * All edges except program order, which is the order of each thread's events. Two events that share several places get
 * one edge.
 */
export function edgesOf(trace: ShashaSnirTrace): readonly EdgeReport[] {
  const seen = new Set<string>();
  const edges: EdgeReport[] = [];
  trace.forEachEdge((from: number, to: number, relation: Relation) => {
    const key = `${from} ${to} ${relation}`;
    if (seen.has(key)) return;
    seen.add(key);
    edges.push({ from, to, relation });
  });
  return edges.sort((a, b) => a.from - b.from || a.to - b.to || (a.relation < b.relation ? -1 : 1));
}
