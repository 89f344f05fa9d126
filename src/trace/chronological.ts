/**
 * The chronological trace of an execution as a graph: [NIDHUGG] Sect. 4. Its nodes are the events; a buffered store and
 * its update are two nodes. Its edges are those of happens-before (`happens-before.ts`) that do not follow from others.
 *
 *   paper     here
 *   po        program order
 *   su        store to update
 *   uu        update order
 *   src-ct    source
 *   cf-ct     conflict
 *   uf        update to fence
 *
 * Beyond the paper: `buffer order` between updates of one thread that cannot pass each other, and edges for thread
 * creation, joins and other synchronisation. Unlike a Shasha–Snir trace, a chronological trace never has a cycle.
 */
import { BYTES, COMMITS, CREATES, effectsOf, JOINS, READS } from '../machine/events/effects.ts';
import * as ev from '../machine/events/event.ts';
import type { Machine } from '../machine/machine.ts';
import { HappensBefore } from './happens-before.ts';

type ChronologicalRelation =
  | 'program order'
  | 'store to update'
  | 'buffer order'
  | 'update to fence'
  | 'update order'
  | 'source'
  | 'conflict'
  | 'synchronisation'
  | 'create'
  | 'join';

export interface ChronologicalEdge {
  /** Numbers of events. */
  readonly from: number;
  readonly to: number;
  readonly relation: ChronologicalRelation;
}

/** The edges of the machine's execution, ordered by `to`, then by `from`. */
export function chronologicalEdges(machine: Machine): readonly ChronologicalEdge[] {
  const order = new HappensBefore(machine);
  order.catchUp();
  const { events } = machine;
  const edges: ChronologicalEdge[] = [];
  for (let to = 0; to < events.length; to++) {
    const nearest: number[] = [];
    for (let from = to - 1; from >= 0; from--) {
      const isImplied = (): boolean => nearest.some((between) => order.happensBefore(from, between));
      if (order.happensBefore(from, to) && !isImplied()) nearest.push(from);
    }
    for (const from of nearest.reverse()) edges.push({ from, to, relation: relationOf(events, from, to) });
  }
  return edges;
}

function relationOf(events: ev.EventLog, from: number, to: number): ChronologicalRelation {
  const [first, second] = [effectsOf(events, from), effectsOf(events, to)];
  if (events.get(from, ev.E_THREAD) === events.get(to, ev.E_THREAD)) {
    const [isUpdate, isOfUpdate] = [(first & COMMITS) !== 0, (second & COMMITS) !== 0];
    if (!isOfUpdate) return isUpdate ? 'update to fence' : 'program order';
    return !isUpdate && events.get(from, ev.E_INDEX) === events.get(to, ev.E_INDEX)
      ? 'store to update'
      : 'buffer order';
  }
  if ((first & CREATES) !== 0) return 'create';
  if ((second & JOINS) !== 0) return 'join';
  if ((first & second & BYTES) === 0 || !overlap(events, from, to)) return 'synchronisation';
  const wrote = (event: number): boolean => (events.get(event, ev.E_FLAGS) & ev.WROTE_MEMORY) !== 0;
  if (!wrote(from)) return 'conflict';
  return (second & READS) !== 0 ? 'source' : 'update order';
}

function overlap(events: ev.EventLog, a: number, b: number): boolean {
  const [start, other] = [events.get(a, ev.E_ADDRESS), events.get(b, ev.E_ADDRESS)];
  return start < other + events.get(b, ev.E_SIZE) && other < start + events.get(a, ev.E_SIZE);
}
