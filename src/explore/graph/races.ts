/**
 * Data races in an execution graph: conflicting accesses of different threads, not both atomic, neither of which
 * happens before the other. The beginning and the end of memory, or of an object in it, conflict with every access to
 * it. So does a plain write over a mutex or condition variable with every operation on it.
 *
 * Happens-before is fixed when an event is added, so it is enough to compare each new event with those before it.
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
  OPERATION,
  ORDER,
  READ,
  SIZE,
  STATUS,
  THREAD,
  WRITE,
} from './fields.ts';
import type { Graph } from './graph.ts';

/**
 * The first access, from `start` on, that races with this one, which is the newest of its thread; NONE if there is
 * none.
 */
export function findRace(graph: Graph, event: number, start = 0): number {
  const { words, length } = graph;
  const size = Math.abs(words[event * FIELDS + SIZE]!);
  if (size === 0) return NONE;
  const address = words[event * FIELDS + ADDRESS]!;
  for (let e = start, base = start * FIELDS; e < length; e++, base += FIELDS) {
    // Most do not share bytes with it.
    const from = words[base + ADDRESS]!;
    if (from >= address + size || address >= from + Math.abs(words[base + SIZE]!)) continue;
    if (conflict(graph, e, event) && !graph.happensBefore(e, event)) return e;
  }
  return NONE;
}

/** Whether two events that the machine has run race. */
export function race(graph: Graph, a: number, b: number): boolean {
  return conflict(graph, a, b) && !graph.happensBefore(a, b) && !graph.happensBefore(b, a);
}

/** An access to some of the same bytes in another size that conflicts with this one, and that nothing orders with it. */
export function findMixed(graph: Graph, event: number): number {
  const { words } = graph;
  const [address, size] = [graph.get(event, ADDRESS), graph.get(event, SIZE)];
  const isRead = graph.get(event, KIND) === READ;
  if (size <= 0 || (!isRead && graph.get(event, KIND) !== WRITE)) return NONE;
  for (let e = 0, base = 0; e < event; e++, base += FIELDS) {
    const kind = words[base + KIND];
    if ((kind !== WRITE && (isRead || kind !== READ)) || words[base + SIZE]! <= 0) continue;
    const isSame = words[base + ADDRESS] === address && words[base + SIZE] === size;
    if (isSame || !sharesBytes(words[base + ADDRESS]!, words[base + SIZE]!, address, size)) continue;
    if (!graph.happensBefore(e, event)) return e;
  }
  return NONE;
}

/** Whether they are accesses of different threads that could race, and `a` has run. */
function conflict(graph: Graph, a: number, b: number): boolean {
  const { words } = graph;
  const [first, second] = [a * FIELDS, b * FIELDS];
  const [sizeA, sizeB] = [words[first + SIZE]!, words[second + SIZE]!];
  if (sizeA === 0 || sizeB === 0 || words[first + THREAD] === words[second + THREAD]) return false;
  if (words[first + STATUS] !== DONE) return false;
  if (!sharesBytes(words[first + ADDRESS]!, sizeA, words[second + ADDRESS]!, sizeB)) return false;
  if (sizeA < 0 && !changesObject(graph, b, a)) return false;
  if (sizeB < 0 && !changesObject(graph, a, b)) return false;
  if (words[first + KIND] === READ && words[second + KIND] === READ) return false;
  return words[first + ORDER]! < FIRST_ATOMIC || words[second + ORDER]! < FIRST_ATOMIC;
}

/**
 * Whether `event` begins, ends or overwrites the object that `use` is an operation on. The end of a timed wait is not a
 * use: a condition variable may be destroyed as soon as its threads have been woken, and destroying it before is a
 * separate error.
 */
function changesObject(graph: Graph, event: number, use: number): boolean {
  const kind = graph.get(event, KIND);
  if (kind === WRITE) return graph.get(event, SIZE) > 0 && graph.get(use, OPERATION) !== op.WAKE;
  if (kind !== LIFETIME) return false;
  return graph.get(event, OPERATION) === op.FREE || graph.get(use, OPERATION) !== op.WAKE;
}

/** Sizes of objects are negative. */
export function sharesBytes(a: number, sizeA: number, b: number, sizeB: number): boolean {
  return a < b + Math.abs(sizeB) && b < a + Math.abs(sizeA);
}
