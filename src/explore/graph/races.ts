/**
 * Data races in an execution graph: conflicting accesses of different threads, not both atomic, neither of which happens
 * before the other. Happens-before is fixed when an event is added, so it is enough to compare each new event with
 * those before it.
 */
import {
  ADDRESS,
  DONE,
  FIELDS,
  FIRST_ATOMIC,
  FREE,
  type Graph,
  KIND,
  NONE,
  ORDER,
  READ,
  SIZE,
  STATUS,
  THREAD,
  WRITE,
} from './graph.ts';

/** An access that races with this one, which is the newest of its thread; NONE if there is none. */
export function findRace(graph: Graph, event: number): number {
  const { words } = graph;
  const base = event * FIELDS;
  const size = words[base + SIZE]!;
  if (size === 0) return NONE;
  const address = words[base + ADDRESS]!;
  const isAtomic = words[base + ORDER]! >= FIRST_ATOMIC;
  const reads = words[base + KIND] === READ;
  for (let e = 0; e < graph.length; e++) {
    const other = e * FIELDS;
    const bytes = words[other + SIZE]!;
    if (bytes === 0 || words[other + THREAD] === words[base + THREAD] || words[other + STATUS] !== DONE) continue;
    const start = words[other + ADDRESS]!;
    if (start >= address + size || address >= start + bytes) continue;
    if (reads && words[other + KIND] === READ) continue;
    if (isAtomic && words[other + ORDER]! >= FIRST_ATOMIC) continue;
    if (!graph.happensBefore(e, event)) return e;
  }
  return NONE;
}

/** Whether the event accesses memory: a read, a write, or the end of an object. */
export function accessesBytes(kind: number): boolean {
  return kind === READ || kind === WRITE || kind === FREE;
}
