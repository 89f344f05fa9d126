/**
 * The partial order of seq_cst events: psc of [RC11] Sect. 3.
 *
 *   scb = po ∪ po≠loc; hb; po≠loc ∪ hb∩loc ∪ mo ∪ rb
 *   psc = ([sc] ∪ [Fsc]; hb?); scb; ([sc] ∪ hb?; [Fsc])  ∪  [Fsc]; (hb ∪ hb; eco; hb); [Fsc]
 *
 * po≠loc; hb; po≠loc from x to y holds if the first event after x with another location happens before the last one
 * before y with another location, since hb is closed under po. The beginning and the end of a thread are events without
 * a location: creating a thread happens before its beginning, its end before joining it.
 *
 * eco from x to y, on the same location, by the ranks in mo of what they write or read: the rank increases, or stays
 * the same from a write to its readers.
 */
import { SEQ_CST } from '../../machine/code/order.ts';
import { sourceRank } from './consistency.ts';
import { EXTRA, FENCE, FIELDS, INDEX, JOIN, KIND, LOCATION, NONE, ORDER, READ, THREAD, WRITE } from './fields.ts';
import type { Graph } from './graph.ts';

export class PartialSc {
  private readonly graph: Graph;
  /** The seq_cst events. */
  private readonly events: number[] = [];
  /** Per event: the first after it, and the last before it, in its thread and with another location. */
  private readonly first: number[] = [];
  private readonly last: number[] = [];
  /** Per event: whether the search has visited it. */
  private readonly seen: boolean[] = [];
  private readonly stack: number[] = [];

  constructor(graph: Graph) {
    this.graph = graph;
  }

  /** Whether psc is acyclic, which it was without this event. */
  isAcyclic(event: number): boolean {
    const { graph, events } = this;
    events.length = 0;
    let fences = 0;
    for (let e = 0; e < graph.length; e++) {
      if (graph.get(e, ORDER) !== SEQ_CST) continue;
      events.push(e);
      if (graph.get(e, KIND) === FENCE) fences++;
    }
    if (events.length < 2) return true;
    const isSc = graph.get(event, ORDER) === SEQ_CST;
    // Without fences, every new edge begins or ends at the event.
    if (fences === 0 && !isSc) return true;
    this.findNeighbours();
    if (fences === 0) return !this.reachesItself(event);
    return events.every((e) => !this.reachesItself(e));
  }

  private findNeighbours(): void {
    const { graph, first, last } = this;
    const { words } = graph;
    for (let e = 0; e < graph.length; e++) {
      first[e] = NONE;
      last[e] = NONE;
      for (let f = 0; f < graph.length; f++) {
        if (words[f * FIELDS + THREAD] !== words[e * FIELDS + THREAD] || this.isSameLocation(e, f)) continue;
        const [index, own] = [words[f * FIELDS + INDEX]!, words[e * FIELDS + INDEX]!];
        if (index > own && (first[e] === NONE || index < words[first[e]! * FIELDS + INDEX]!)) first[e] = f;
        if (index < own && (last[e] === NONE || index > words[last[e]! * FIELDS + INDEX]!)) last[e] = f;
      }
    }
  }

  private isSameLocation(x: number, y: number): boolean {
    const location = this.graph.get(x, LOCATION);
    return location !== NONE && location === this.graph.get(y, LOCATION);
  }

  private isFence(event: number): boolean {
    return this.graph.get(event, KIND) === FENCE;
  }

  private reachesItself(start: number): boolean {
    const { events, seen, stack } = this;
    for (const e of events) seen[e] = false;
    stack.length = 0;
    stack.push(start);
    while (stack.length > 0) {
      const x = stack.pop()!;
      for (const y of events) {
        if (y === start ? !this.precedes(x, start) : seen[y] || x === y || !this.precedes(x, y)) continue;
        if (y === start) return true;
        seen[y] = true;
        stack.push(y);
      }
    }
    return false;
  }

  /** psc, for two seq_cst events. */
  private precedes(x: number, y: number): boolean {
    const { graph } = this;
    const [from, to] = [this.isFence(x), this.isFence(y)];
    if (from && to) {
      if (x !== y && graph.happensBefore(x, y)) return true;
      if (this.bridges(x, y)) return true;
    }
    for (let a = from ? 0 : x; a < (from ? graph.length : x + 1); a++) {
      if (a !== x && !graph.happensBefore(x, a)) continue;
      for (let b = to ? 0 : y; b < (to ? graph.length : y + 1); b++) {
        if (b !== y && !graph.happensBefore(b, y)) continue;
        if (this.scb(a, b)) return true;
      }
    }
    return false;
  }

  /** hb; eco; hb between two fences. */
  private bridges(x: number, y: number): boolean {
    const { graph } = this;
    for (let a = 0; a < graph.length; a++) {
      if (a === x || !this.isAccess(a) || !graph.happensBefore(x, a)) continue;
      for (let b = 0; b < graph.length; b++) {
        if (b === y || !this.isAccess(b) || !graph.happensBefore(b, y)) continue;
        if (this.isSameLocation(a, b) && this.eco(a, b)) return true;
      }
    }
    return false;
  }

  private isAccess(event: number): boolean {
    const kind = this.graph.get(event, KIND);
    return kind === READ || kind === WRITE;
  }

  private eco(x: number, y: number): boolean {
    const { graph } = this;
    const [fromWrite, toWrite] = [graph.get(x, KIND) === WRITE, graph.get(y, KIND) === WRITE];
    const from = fromWrite ? graph.rank(x) : sourceRank(graph, x);
    const to = toWrite ? graph.rank(y) : sourceRank(graph, y);
    return fromWrite && !toWrite ? from <= to : from < to;
  }

  private scb(x: number, y: number): boolean {
    const { graph } = this;
    if (x === y) return false;
    if (graph.isBefore(x, y)) return true;
    if (this.isSameLocation(x, y)) {
      if (graph.happensBefore(x, y)) return true;
      // mo and rb.
      if (graph.get(y, KIND) === WRITE && this.isAccess(x) && this.eco(x, y)) return true;
    }
    const a = this.first[x]!;
    const b = this.last[y]!;
    if (a !== NONE && b !== NONE) return a !== b && graph.happensBefore(a, b);
    const end = b === NONE ? graph.creator[graph.get(y, THREAD)]! : b;
    if (end === NONE) return false;
    return a !== NONE ? graph.happensBefore(a, end) : this.endsBefore(graph.get(x, THREAD), end);
  }

  /** Whether the end of the thread happens before the event, because a thread has joined it. */
  private endsBefore(thread: number, event: number): boolean {
    const { graph } = this;
    const last = graph.last[thread]!;
    for (let e = 0; e < graph.length; e++) {
      const isJoin = graph.get(e, KIND) === JOIN && graph.get(e, EXTRA) === last;
      if (isJoin && graph.happensBefore(e, event)) return true;
    }
    return false;
  }
}
