/**
 * When RC11 has only SC executions: the theorem on data-race freedom ([RC11] Sect. 4), for programs in which
 *
 *   1. every atomic access is seq_cst, and
 *   2. conflicting accesses are ordered by hb, unless both are seq_cst accesses of the same bytes; operations on the
 *      same mutex or condition variable too
 *
 * in every SC execution. Then every consistent graph G of RC11 is also an SC graph:
 *
 *   - Suppose that G satisfies 1 and 2. By coherence, each edge of rf ∪ mo ∪ rb is in hb, or is between two seq_cst
 *     accesses of the same bytes. So a cycle of po ∪ rf ∪ mo ∪ rb consists of such edges, which are in scb, and of
 *     paths of hb from one seq_cst access to another. hb synchronises by seq_cst accesses, where the path is split (po,
 *     hb∩loc), and by mutexes, creating and joining threads, which are po≠loc; hb; po≠loc. So it is a cycle of psc, and
 *     G is not consistent.
 *   - Suppose that G does not. Take a smallest part of G, closed under po ∪ rf, in which an event e violates 1, or is
 *     not ordered with an event b as 2 requires. Without e and b it is an SC graph, by the first part. Since rf is in
 *     hb there, neither of e and b comes after the other: so there is an SC execution in which both come next, e first.
 *     There, e reads from what is before both of them; so b does not happen before e, nor e before b, and this
 *     execution does not satisfy 1 and 2.
 *
 * So it is enough to examine all SC executions. There the beginnings and ends of objects are not events, and need not
 * be: a pointer to memory reaches another thread through accesses that 1 and 2 order; initialising and destroying a
 * mutex or condition variable are operations on it; all other objects are used with acquire and release atomics, which
 * violates 1.
 */
import { SEQ_CST } from '../../machine/code/order.ts';
import type { Machine } from '../../machine/machine.ts';
import { ADDRESS, FIELDS, FIRST_ATOMIC, KIND, NONE, ORDER, READ, SIZE, THREAD } from './fields.ts';
import type { Graph } from './graph.ts';
import { sharesBytes } from './races.ts';
import { hasPair } from './rebuild.ts';

/** Whether the SC execution that the machine has run satisfies 1 and 2. */
export function isRaceFree(machine: Machine): boolean {
  return !hasPair(machine, findUnordered);
}

function findUnordered(graph: Graph, event: number): number {
  const { words } = graph;
  const base = event * FIELDS;
  const [size, order, kind] = [words[base + SIZE]!, words[base + ORDER]!, words[base + KIND]!];
  if (size === 0) return NONE;
  if (size > 0 && order >= FIRST_ATOMIC && order !== SEQ_CST) return event;
  const address = words[base + ADDRESS]!;
  for (let e = 0; e < event; e++) {
    const other = e * FIELDS;
    const bytes = words[other + SIZE]!;
    if (bytes === 0 || words[other + THREAD] === words[base + THREAD]) continue;
    if (!sharesBytes(address, size, words[other + ADDRESS]!, bytes)) continue;
    const otherKind = words[other + KIND]!;
    if (kind === READ && otherKind === READ) continue;
    const isSame = words[other + ADDRESS] === address && bytes === size && size > 0;
    if (isSame && order === SEQ_CST && words[other + ORDER] === SEQ_CST) continue;
    if (!graph.happensBefore(e, event)) return e;
  }
  return NONE;
}
