/**
 * Whether a model allows an execution graph: the only part of the search that differs from model to model.
 *
 * `admits(event)` is called after an event has been added to a consistent graph, or a read without successors has got
 * its source. The event is last in its thread and, if it writes, nothing reads from it. So only edges from the event to
 * others (mo and rb) can close a cycle: a read of the newest write, a write at the end of mo and a fence have none.
 */
import { FIELDS, KIND, LOCATION, NEWER, NONE, READ, SAME, SOURCE, UNKNOWN, WRITE } from './fields.ts';
import type { Graph } from './graph.ts';

export interface Consistency {
  /** Whether the graph is still consistent. */
  admits(event: number): boolean;
  /** Whether unordered conflicting accesses are an error. */
  readonly forbidsRaces: boolean;
  /** Whether a thread's stores to different locations may reach memory in another order. */
  readonly reordersStores: boolean;
  /** Whether the write has left its thread's store buffer before the thread's next operation. */
  hasReachedMemory(write: number): boolean;
}

/** A rank after every write in mo. */
const LAST = 0x3fffffff;

/** The place in mo of what a read reads. */
export function sourceRank(graph: Graph, read: number): number {
  const source = graph.get(read, SOURCE);
  return source === UNKNOWN ? LAST : graph.rank(source);
}

/** Whether the event has no mo and no rb to others. */
export function isMaximal(graph: Graph, event: number): boolean {
  const kind = graph.get(event, KIND);
  if (kind === WRITE) return graph.get(event, NEWER) === NONE;
  if (kind !== READ) return true;
  return sourceRank(graph, event) >= graph.rank(graph.newest[graph.get(event, LOCATION)]!);
}

/**
 * Coherence, hb; eco? irreflexive, for the newest event of its thread: nothing that happens before it, and accesses the
 * same location, is newer than what it reads or writes.
 */
export function isCoherent(graph: Graph, event: number): boolean {
  return incoherentWith(graph, event) === NONE;
}

/** An access with which the event is incoherent; NONE if there is none. */
export function incoherentWith(graph: Graph, event: number): number {
  const { words } = graph;
  const base = event * FIELDS;
  const writes = words[base + KIND] === WRITE;
  const place = writes ? graph.rank(event) : sourceRank(graph, event);
  for (let e = graph.lastAt[words[base + LOCATION]!]!; e !== NONE; e = words[e * FIELDS + SAME]!) {
    if (e === event) continue;
    const kind = words[e * FIELDS + KIND];
    const other = kind === WRITE ? graph.rank(e) : kind === READ ? sourceRank(graph, e) : -1;
    if ((writes ? other >= place : other > place) && graph.happensBefore(e, event)) return e;
  }
  return NONE;
}

/** A read-modify-write directly follows in mo what it read: nothing comes between, this write included. */
export function isAtomic(graph: Graph, write: number): boolean {
  const newer = graph.get(write, NEWER);
  return newer === NONE || !graph.isUpdate(newer) || graph.sourceOf(newer) === write;
}
