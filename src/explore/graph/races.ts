/**
 * Data races in an execution graph: conflicting accesses of different threads, not both atomic, neither of which happens
 * before the other. The beginning and the end of memory, or of an object in it, conflict with every access to it. Happens-before is fixed when an event is added, so it is enough to compare each new event with
 * those before it.
 */
import * as op from '../../machine/code/opcodes.ts';
import {
  ADDRESS,
  DONE,
  FIELDS,
  FIRST_ATOMIC,
  KIND,
  LIFETIME,
  NONE,
  OBJECT,
  OPERATION,
  ORDER,
  READ,
  SIZE,
  STATUS,
  THREAD,
} from './fields.ts';
import type { Graph } from './graph.ts';

/** An access that races with this one, which is the newest of its thread; NONE if there is none. */
export function findRace(graph: Graph, event: number): number {
  const { words } = graph;
  const base = event * FIELDS;
  const size = words[base + SIZE]!;
  if (size === 0) return NONE;
  const address = words[base + ADDRESS]!;
  const kind = words[base + KIND]!;
  const isAtomic = words[base + ORDER]! >= FIRST_ATOMIC;
  for (let e = 0; e < graph.length; e++) {
    const other = e * FIELDS;
    const bytes = words[other + SIZE]!;
    if (bytes === 0 || words[other + THREAD] === words[base + THREAD] || words[other + STATUS] !== DONE) continue;
    if (!sharesBytes(address, size, words[other + ADDRESS]!, bytes)) continue;
    const otherKind = words[other + KIND]!;
    if ((size === OBJECT && !endsObject(graph, e, event)) || (bytes === OBJECT && !endsObject(graph, event, e)))
      continue;
    if (kind === READ && otherKind === READ) continue;
    if (isAtomic && words[other + ORDER]! >= FIRST_ATOMIC) continue;
    if (!graph.happensBefore(e, event)) return e;
  }
  return NONE;
}

/**
 * Whether `event` begins or ends the object that `use` is an operation on. The end of a timed wait is no use: a condition
 * variable may be destroyed as soon as its threads have been woken, and destroying it before is an error of its own.
 */
function endsObject(graph: Graph, event: number, use: number): boolean {
  if (graph.get(event, KIND) !== LIFETIME) return false;
  return graph.get(event, OPERATION) === op.FREE || graph.get(use, OPERATION) !== op.WAKE;
}

/** An object counts as its first byte. */
export function sharesBytes(a: number, sizeA: number, b: number, sizeB: number): boolean {
  return a < b + Math.abs(sizeB) && b < a + Math.abs(sizeA);
}
