/**
 * RC11: [RC11] Sect. 3, with the release sequences of C++20.
 *
 *   [RC11]                                      here
 *   rs = [W]; (rf; rmw)*, sw                    clocks `REL` and `ACQ` of graph.ts
 *   hb = (po ∪ sw ∪ creation, joins)+           clock `HB`
 *   COHERENCE: hb; eco? irreflexive             isCoherent
 *   ATOMICITY                                   isAtomic, and a read-modify-write is put directly after what it read
 *   SC: psc acyclic                             psc.ts
 *   NO-THIN-AIR: po ∪ rf acyclic                a read reads what is in the graph already
 *   racy: undefined behaviour                   races.ts
 */
import { type Consistency, isAtomic, isCoherent, isMaximal } from './consistency.ts';
import { KIND, READ, WRITE } from './fields.ts';
import type { Graph } from './graph.ts';
import { PartialSc } from './psc.ts';

export class Rc11 implements Consistency {
  readonly forbidsRaces = true;
  readonly reordersStores = true;
  private readonly graph: Graph;
  private readonly psc: PartialSc;

  constructor(graph: Graph) {
    this.graph = graph;
    this.psc = new PartialSc(graph);
  }

  hasReachedMemory(): boolean {
    return true;
  }

  admits(event: number): boolean {
    const { graph } = this;
    const kind = graph.get(event, KIND);
    if (kind !== READ && kind !== WRITE) return true;
    if (!isCoherent(graph, event)) return false;
    if (kind === WRITE && !isAtomic(graph, event)) return false;
    return isMaximal(graph, event) || this.psc.isAcyclic(event);
  }
}
