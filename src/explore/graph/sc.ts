/**
 * Sequential consistency as a predicate on graphs: po ∪ rf ∪ mo ∪ rb is acyclic, creation, joins and wake-ups included.
 * With it the search visits one graph per Shasha–Snir trace: a second opinion on what DPOR finds.
 */
import { type Consistency, isAtomic, isMaximal } from './consistency.ts';
import { EXTRA, KIND, LOCATION, NONE, OLDER, PREVIOUS, READ, SAME, SOURCE, SPAWN, WRITE } from './fields.ts';
import type { Graph } from './graph.ts';

export class SequentialConsistency implements Consistency {
  readonly forbidsRaces = false;
  readonly reordersStores = false;
  private readonly graph: Graph;
  private readonly seen: boolean[] = [];
  private readonly stack: number[] = [];

  constructor(graph: Graph) {
    this.graph = graph;
  }

  hasReachedMemory(): boolean {
    return true;
  }

  admits(event: number): boolean {
    const { graph } = this;
    if (graph.get(event, KIND) === WRITE && !isAtomic(graph, event)) return false;
    return isMaximal(graph, event) || !this.reaches(event);
  }

  /** Whether the event reaches itself. Searches backwards: an event knows what it comes after. */
  private reaches(event: number): boolean {
    const { graph, seen, stack } = this;
    for (let e = 0; e < graph.length; e++) seen[e] = false;
    stack.length = 0;
    stack.push(event);
    while (stack.length > 0) {
      const e = stack.pop()!;
      const kind = graph.get(e, KIND);
      const isAccess = kind === READ || kind === WRITE;
      this.visit(graph.get(e, PREVIOUS));
      if (kind !== SPAWN) this.visit(graph.get(e, EXTRA));
      if (kind === READ) this.visit(graph.get(e, SOURCE));
      if (kind === WRITE) {
        this.visit(graph.get(e, OLDER));
        // rb: the reads of the write before it in mo.
        const older = graph.get(e, OLDER);
        for (let r = graph.lastAt[graph.get(e, LOCATION)]!; r !== NONE; r = graph.get(r, SAME)) {
          if (graph.get(r, KIND) === READ && graph.get(r, SOURCE) === older) this.visit(r);
        }
      }
      if (seen[event] && isAccess) return true;
    }
    return seen[event] === true;
  }

  private visit(event: number): void {
    if (event < 0 || this.seen[event]) return;
    this.seen[event] = true;
    this.stack.push(event);
  }
}
