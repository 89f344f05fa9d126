/**
 * TSO and PSO as predicates on graphs: a thread's view of a location never goes back, and ppo ∪ rfe ∪ mo ∪ rb is
 * acyclic, rfe being rf between threads. With them, the search is a second opinion on what DPOR finds with store
 * buffers.
 *
 * A store's event stands for its reaching memory, every other event for its step. ppo, preserved program order, holds
 * for a before b in the same thread
 *
 *   a is not a store         always: the thread does not continue before a has run
 *   b is a load              after a full fence
 *   b is a store             TSO: always; PSO: same location, after a barrier or a full fence
 *   b waits for all stores   always: releasing atomics, full fences, unlocking, condition waits, creating threads
 *   b is another atomic      TSO: always; PSO: as for a store
 *   b is anything else       after a full fence: it waits for nothing
 *
 * A full fence is a seq_cst fence or the end of a seq_cst store, a barrier a releasing fence or the beginning of a
 * releasing store. A join waits for all events of the thread that it joins.
 */
import { RELEASES, SEQ_CST } from '../../machine/code/order.ts';
import { type Consistency, isAtomic, isMaximal, sourceRank } from './consistency.ts';
import {
  EXTRA,
  FAILURE,
  FENCE,
  FIRST_ATOMIC,
  INDEX,
  JOIN,
  KIND,
  LOCATION,
  NONE,
  OLDER,
  ORDER,
  PART,
  PARTS,
  PREVIOUS,
  READ,
  SAME,
  SOURCE,
  SPAWN,
  SUCCESS,
  THREAD,
  WRITE,
} from './fields.ts';
import type { Graph } from './graph.ts';
import { isObject } from './log.ts';

export class StoreBuffers implements Consistency {
  readonly forbidsRaces = false;
  readonly reordersStores: boolean;
  private readonly graph: Graph;
  private readonly seen: boolean[] = [];
  private readonly stack: number[] = [];

  /** With one buffer per thread and location, or per thread. */
  constructor(graph: Graph, isPerLocation: boolean) {
    this.graph = graph;
    this.reordersStores = isPerLocation;
  }

  admits(event: number): boolean {
    const { graph } = this;
    const kind = graph.get(event, KIND);
    if (kind !== READ && kind !== WRITE) return true;
    if (kind === WRITE && !isAtomic(graph, event)) return false;
    return this.neverGoesBack(event) && (isMaximal(graph, event) || !this.reaches(event));
  }

  /** Buffers are empty after some other events too, but these are the ones after which initialised memory is used. */
  hasReachedMemory(write: number): boolean {
    const { graph } = this;
    for (let e = graph.last[graph.get(write, THREAD)]!; e !== write; e = graph.get(e, PREVIOUS)) {
      const kind = graph.get(e, KIND);
      if (kind === SPAWN || (kind === FENCE && graph.get(e, ORDER) === SEQ_CST)) return true;
    }
    return !this.isStore(write);
  }

  /** Whether the thread's earlier accesses to the location are not newer than this one. */
  private neverGoesBack(event: number): boolean {
    const { graph } = this;
    const writes = graph.get(event, KIND) === WRITE;
    const place = writes ? graph.rank(event) : sourceRank(graph, event);
    for (let e = graph.lastAt[graph.get(event, LOCATION)]!; e !== NONE; e = graph.get(e, SAME)) {
      if (!graph.isBefore(e, event)) continue;
      const other = graph.get(e, KIND) === WRITE ? graph.rank(e) : sourceRank(graph, e);
      if (writes ? other >= place : other > place) return false;
    }
    return true;
  }

  /** Whether the event reaches itself. Searches backwards. */
  private reaches(event: number): boolean {
    const { graph, seen, stack } = this;
    for (let e = 0; e < graph.length; e++) seen[e] = false;
    stack.length = 0;
    stack.push(event);
    while (stack.length > 0 && !seen[event]) this.visitBefore(stack.pop()!);
    return seen[event] === true;
  }

  private visitBefore(event: number): void {
    const { graph } = this;
    const kind = graph.get(event, KIND);
    const thread = graph.get(event, THREAD);
    let isFenced = false;
    let hasBarrier = kind === WRITE && this.isStore(event) && RELEASES[graph.get(event, ORDER)] === 1;
    let e = graph.get(event, PREVIOUS);
    for (; e !== NONE && graph.get(e, THREAD) === thread; e = graph.get(e, PREVIOUS)) {
      // A seq_cst store ends with a full fence.
      const isFull = graph.get(e, ORDER) === SEQ_CST && (graph.get(e, KIND) === FENCE || this.isStore(e));
      isFenced ||= isFull;
      if (this.isPreserved(e, event, isFenced, hasBarrier)) this.visit(e);
      const isRelease = RELEASES[graph.get(e, ORDER)] === 1;
      hasBarrier ||= isRelease && (graph.get(e, KIND) === FENCE || this.isStore(e));
    }
    // The event that created the thread.
    this.visit(e);
    if (kind === JOIN) this.visitAll(graph.get(event, EXTRA));
    else if (kind !== SPAWN) this.visit(graph.get(event, EXTRA));
    const source = kind === READ ? graph.get(event, SOURCE) : NONE;
    if (source >= 0 && graph.get(source, THREAD) !== thread) this.visit(source);
    if (kind !== WRITE) return;
    const older = graph.get(event, OLDER);
    this.visit(older);
    for (let r = graph.lastAt[graph.get(event, LOCATION)]!; r !== NONE; r = graph.get(r, SAME)) {
      if (graph.get(r, KIND) === READ && graph.get(r, SOURCE) === older) this.visit(r);
    }
  }

  /** All events of the thread whose last one this is. */
  private visitAll(last: number): void {
    const { graph } = this;
    for (let e = last; e !== NONE; e = graph.get(e, INDEX) === 1 ? NONE : graph.get(e, PREVIOUS)) this.visit(e);
  }

  private visit(event: number): void {
    if (event < 0 || this.seen[event]) return;
    this.seen[event] = true;
    this.stack.push(event);
  }

  private isStore(event: number): boolean {
    const { graph } = this;
    return graph.get(event, KIND) === WRITE && graph.get(event, PART) === 0;
  }

  /** A compare-exchange waits as the stronger of its two orders requires, whether it fails or not. */
  private waitsForAll(event: number): boolean {
    const { graph } = this;
    if (RELEASES[graph.get(event, ORDER)] === 1) return true;
    if (graph.get(event, KIND) !== READ || graph.get(event, FAILURE) === NONE) return false;
    return RELEASES[graph.get(event, FAILURE)] === 1 || RELEASES[graph.get(event, SUCCESS)] === 1;
  }

  /** ppo from `a` to `b`, given whether a full fence or a barrier is between them. */
  private isPreserved(a: number, b: number, isFenced: boolean, hasBarrier: boolean): boolean {
    const { graph } = this;
    if (!this.isStore(a) || isFenced) return true;
    const kind = graph.get(b, KIND);
    const order = graph.get(b, ORDER);
    const location = graph.get(b, LOCATION);
    if (kind === SPAWN || (kind === FENCE && order === SEQ_CST)) return true;
    const isAtomicOperation = (kind === READ || kind === WRITE) && graph.get(b, PARTS) > 1;
    // A condition wait gives up its mutex in the same step.
    if (isAtomicOperation && graph.get(b, PARTS) === WAIT_PARTS) return true;
    // Signals and the like wait for nothing.
    if (isAtomicOperation && isObject(location) && order === RELAXED && graph.get(b, FAILURE) === NONE) return false;
    if (isAtomicOperation && this.waitsForAll(b)) return true;
    if (!isAtomicOperation && !this.isStore(b)) return false;
    return !this.reordersStores || hasBarrier || location === graph.get(a, LOCATION);
  }
}

/** A condition wait has a read and a write of the condition variable, then of the mutex. */
const WAIT_PARTS = 4;
// The order of operations on objects that order nothing.
const RELAXED: number = FIRST_ATOMIC;
