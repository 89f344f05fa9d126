/**
 * An execution of TSO or PSO as a graph of the orders between its steps that make it this execution, up to the order of
 * independent steps. Any order of the steps that respects the edges is an execution with the same trace, and so with
 * the same error.
 *
 * Nodes are events; `update[store]` is the node at which a store reaches memory. Every store has one.
 *
 * Superfluous edges are sound as long as the execution itself respects them: fewer changes then seem compatible with
 * it, and the search learns less than it could, but nothing wrong.
 */
import {
  accessOf,
  BUFFERED,
  BYTES,
  COMMITS,
  CREATES,
  ENDS_PROGRAM,
  EXCLUDES_ALL,
  effectsOf,
  isBarrier,
  JOINS,
  NO_WAIT,
  OBJECT,
  READS,
  SECTION,
  WRITES,
  waitOf,
} from '../machine/events/effects.ts';
import * as ev from '../machine/events/event.ts';
import type { Machine } from '../machine/machine.ts';
import { keepsStoreOrder, requireCapability } from '../models/model.ts';

export interface Edge {
  readonly from: number;
  readonly to: number;
}

/** An access, at the time when it takes effect in memory. */
interface Access {
  readonly node: number;
  readonly thread: number;
  readonly start: number;
  readonly end: number;
  readonly writes: boolean;
}

export class ExecutionGraph {
  private readonly events: ev.EventLog;
  private readonly heedsBarriers: boolean;
  /** Whether a thread's stores reach memory in program order. */
  private readonly areOrdered: boolean;
  /** Per thread: its events except updates, in program order. */
  readonly threads: readonly number[][];
  /** By store: the node at which it reaches memory. */
  readonly update: Map<number, number> = new Map();
  private readonly next: number[][] = [];
  private readonly accesses: Access[] = [];
  /** The number of nodes: events, and one for each barrier. */
  private count: number;

  /** The graph of the machine's current execution. */
  constructor(machine: Machine) {
    this.events = machine.events;
    requireCapability(machine.description, 'fix');
    this.heedsBarriers = machine.description.heedsBarriers;
    this.areOrdered = keepsStoreOrder(machine.description);
    this.threads = Array.from({ length: machine.processes.threadCount }, () => []);
    this.count = this.events.length;
    for (let e = 0; e < this.count; e++) this.next.push([]);
    this.addThreads();
    this.addUpdates();
    this.addConflicts();
    this.addSynchronisation();
  }

  does(event: number): number {
    return effectsOf(this.events, event);
  }

  isStore(event: number): boolean {
    return (this.does(event) & BUFFERED) !== 0;
  }

  /**
   * Whether the event can happen while stores of its thread are buffered: a load, a store or a fence that is not full.
   */
  canOvertake(event: number): boolean {
    const isOrdered = (this.does(event) & (OBJECT | JOINS | ENDS_PROGRAM)) !== 0;
    return !isOrdered && waitOf(this.events.words, event * ev.EVENT_WORDS) === NO_WAIT;
  }

  addNode(): number {
    this.next.push([]);
    return this.count++;
  }

  private edge(from: number, to: number): void {
    this.next[from]!.push(to);
  }

  /** Adds the edges unless they would close a cycle. Returns whether they were added. */
  tryEdges(edges: readonly Edge[]): boolean {
    for (const { from, to } of edges) this.edge(from, to);
    if (this.isAcyclic()) return true;
    for (const { from } of edges.toReversed()) this.next[from]!.pop();
    return false;
  }

  private isAcyclic(): boolean {
    return this.order().length === this.count;
  }

  /** By node: its position in an order that respects all edges. */
  times(): readonly number[] {
    const times: number[] = [];
    for (const [time, node] of this.order().entries()) times[node] = time;
    return times;
  }

  /** All nodes, each after those with an edge to it; fewer if there is a cycle. */
  private order(): readonly number[] {
    const { next, count } = this;
    const incoming = new Int32Array(count);
    for (const list of next) for (const to of list) incoming[to]!++;
    const ready: number[] = [];
    for (let node = 0; node < count; node++) if (incoming[node] === 0) ready.push(node);
    for (let done = 0; done < ready.length; done++) {
      for (const to of next[ready[done]!]!) if (--incoming[to]! === 0) ready.push(to);
    }
    return ready;
  }

  private addThreads(): void {
    const { events, threads } = this;
    for (let e = 0; e < events.length; e++) {
      if ((this.does(e) & COMMITS) !== 0) continue;
      const thread = threads[events.get(e, ev.E_THREAD)]!;
      if (thread.length > 0) this.edge(thread.at(-1)!, e);
      thread.push(e);
    }
  }

  private addUpdates(): void {
    const { events, threads } = this;
    const storeOf = (e: number): number => threads[events.get(e, ev.E_THREAD)]![events.get(e, ev.E_INDEX) - 1]!;
    for (let e = 0; e < events.length; e++) {
      const does = this.does(e);
      const isForwarded = (events.get(e, ev.E_FLAGS) & ev.FORWARDED) !== 0;
      if ((does & COMMITS) !== 0) this.addUpdate(storeOf(e), e);
      else if ((does & (READS | BYTES)) === (READS | BYTES) && !isForwarded) {
        this.addAccess(e, e, (accessOf(events.words, e * ev.EVENT_WORDS) & WRITES) !== 0);
      }
    }
    for (const thread of threads) this.addUpdateOrder(thread);
  }

  private addUpdate(store: number, node: number): void {
    this.update.set(store, node);
    this.edge(store, node);
    this.addAccess(node, store, true);
  }

  private addAccess(node: number, event: number, writes: boolean): void {
    const start = this.events.get(event, ev.E_ADDRESS);
    const end = start + this.events.get(event, ev.E_SIZE);
    this.accesses.push({ node, thread: this.events.get(event, ev.E_THREAD), start, end, writes });
  }

  private addUpdateOrder(thread: readonly number[]): void {
    if (this.areOrdered) this.addProgramOrder(thread);
    else this.addBarrierOrder(thread);
  }

  /** Stores reach memory in program order. */
  private addProgramOrder(thread: readonly number[]): void {
    const updates = thread.filter((e) => this.isStore(e)).map((e) => this.update.get(e)!);
    for (let i = 1; i < updates.length; i++) this.edge(updates[i - 1]!, updates[i]!);
  }

  /** Stores after a barrier follow those before it. */
  private addBarrierOrder(thread: readonly number[]): void {
    let last = -1;
    let waiting: number[] = [];
    for (const e of thread) {
      if (this.heedsBarriers && isBarrier(this.events.words, e * ev.EVENT_WORDS)) {
        const barrier = this.addNode();
        if (last >= 0) this.edge(last, barrier);
        for (const update of waiting) this.edge(update, barrier);
        last = barrier;
        waiting = [];
      }
      if (!this.isStore(e)) continue;
      const update = this.update.get(e)!;
      if (last >= 0) this.edge(last, update);
      waiting.push(update);
    }
  }

  /**
   * Accesses to the same bytes, one of them a write, stay in order; a forwarded load precedes later writes to its
   * bytes.
   */
  private addConflicts(): void {
    const { accesses, events } = this;
    accesses.forEach((access, i) => {
      for (let j = i - 1; j >= 0; j--) {
        const before = accesses[j]!;
        if (before.start >= access.end || access.start >= before.end || !(before.writes || access.writes)) continue;
        this.edge(before.node, access.node);
        if (before.writes && before.start <= access.start && access.end <= before.end) break;
      }
    });
    const place = new Map(accesses.map(({ node }, i) => [node, i]));
    for (const thread of this.threads) {
      for (const e of thread) {
        if ((events.get(e, ev.E_FLAGS) & ev.FORWARDED) === 0) continue;
        const source = this.update.get(thread[events.get(e, ev.E_OWN_STORE) - 1]!)!;
        const start = events.get(e, ev.E_ADDRESS);
        const end = start + events.get(e, ev.E_SIZE);
        for (const later of accesses.slice(place.get(source)! + 1)) {
          if (later.writes && later.start < end && start < later.end) this.edge(e, later.node);
        }
      }
    }
  }

  private addSynchronisation(): void {
    const { events, threads } = this;
    const isSection = (e: number): boolean => (this.does(e) & EXCLUDES_ALL) !== 0;
    const hasSections = threads.some((thread) => thread.some(isSection));
    const drained = threads.map((): number[] => []);
    let last = -1;
    for (let e = 0; e < events.length; e++) {
      const does = this.does(e);
      const thread = events.get(e, ev.E_THREAD);
      // The events do not show which steps a section excluded, so all events keep their order.
      if (hasSections && e > 0) this.edge(e - 1, e);
      if ((does & COMMITS) !== 0) drained[thread]!.push(e);
      if ((does & COMMITS) !== 0 || this.canOvertake(e)) continue;
      for (const update of drained[thread]!.splice(0)) this.edge(update, e);
      if ((does & (CREATES | JOINS)) !== 0) this.addLife(e, events.get(e, ev.E_OTHER));
      else if ((does & ENDS_PROGRAM) !== 0) for (let before = 0; before < e; before++) this.edge(before, e);
      else if ((does & (OBJECT | SECTION)) !== 0) {
        // One order for all objects together: such events are few.
        if (last >= 0) this.edge(last, e);
        last = e;
      }
    }
  }

  private addLife(e: number, other: number): void {
    const thread = this.threads[other];
    if (thread === undefined || thread.length === 0) return;
    if ((this.does(e) & CREATES) !== 0) return this.edge(e, thread[0]!);
    for (const event of thread) {
      if (event < e) this.edge(event, e);
      const update = this.update.get(event);
      if (update !== undefined && update < e) this.edge(update, e);
    }
  }
}
