/**
 * Which reads a new write may revisit: [TRUST] Alg. 1, `RevisitIfConsistent` and maximally added events.
 *
 *   [TRUST]              here
 *   w, the new write     write
 *   r, the read          read
 *   Deleted              events added after the read, outside the porf-prefix of the write
 *   maximally added      isMaximallyAdded: as seen from the write, with P = events added up to e and the porf-prefix of
 *                        the write: if e writes, nothing in P reads it and it is last in mo among P; if e reads, what
 *                        it reads is last in mo among P; a choice is the first one
 *
 * Whether an event was added maximally does not depend on the read. So going back from the newest event, the first one
 * that was not ends the search: no read before it can be revisited.
 */
import { CHOICE, FIELDS, INITIAL, KIND, LOCATION, NONE, OLDER, READ, SAME, SOURCE, WRITE } from './fields.ts';
import type { Graph } from './graph.ts';

/** Adds to `reads` those that the write, which is the newest event, may revisit: the last one first. */
export function findRevisits(graph: Graph, write: number, reads: { push(read: number): void }): void {
  const { words } = graph;
  const location = graph.get(write, LOCATION);
  let first = write;
  for (let e = words[write * FIELDS + SAME]!; e !== NONE; e = words[e * FIELDS + SAME]!) {
    if (words[e * FIELDS + KIND] === READ && !graph.isInPrefix(e, write)) first = e;
  }
  for (let e = write - 1; e >= first; e--) {
    if (graph.isInPrefix(e, write)) continue;
    if (!isMaximallyAdded(graph, e, write)) return;
    if (graph.get(e, KIND) === READ && graph.get(e, LOCATION) === location) reads.push(e);
  }
}

/** Whether the write, which is the newest event, may revisit this read of its location. */
export function canRevisit(graph: Graph, write: number, read: number): boolean {
  if (graph.isInPrefix(read, write)) return false;
  for (let e = write - 1; e >= read; e--) {
    if (!graph.isInPrefix(e, write) && !isMaximallyAdded(graph, e, write)) return false;
  }
  return true;
}

function isMaximallyAdded(graph: Graph, event: number, write: number): boolean {
  const { words } = graph;
  const base = event * FIELDS;
  const kind = words[base + KIND]!;
  if (words[base + CHOICE] !== 0) return false;
  if (kind !== READ && kind !== WRITE) return true;
  const location = words[base + LOCATION]!;
  const isKnown = (e: number): boolean => e !== write && (e <= event || graph.isInPrefix(e, write));
  if (kind === WRITE) {
    for (let e = graph.lastAt[location]!; e !== NONE; e = words[e * FIELDS + SAME]!) {
      if (words[e * FIELDS + KIND] === READ && words[e * FIELDS + SOURCE] === event && isKnown(e)) return false;
    }
  }
  let newest = graph.newest[location]!;
  while (newest !== NONE && !isKnown(newest)) newest = words[newest * FIELDS + OLDER]!;
  return newest === (kind === WRITE ? event : words[base + SOURCE] === INITIAL ? NONE : words[base + SOURCE]);
}
