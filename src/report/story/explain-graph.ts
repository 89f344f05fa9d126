/**
 * Explains in words why SC does not allow an execution under an axiomatic model: the cycle of program order,
 * reads-from, modification order and reads-before, thread by thread, and the memory order that was missing.
 */
import { ACQUIRES, RELEASES, SEQ_CST } from '../../machine/code/order.ts';
import { accessesValue, accessKind, accessOf, isSameBytes, WRITES } from '../../machine/events/effects.ts';
import * as ev from '../../machine/events/event.ts';
import { choiceOf } from '../../machine/state/process.ts';
import { ORDERS } from '../../program/types.ts';
import { type CycleEdge, findCycle } from '../../trace/cycle.ts';
import { listText } from '../../util/list-text.ts';
import { unreachable } from '../../util/unreachable.ts';
import type { CycleEdgeReport } from '../trace-schema.ts';
import { EventWords } from './event-words.ts';

/** Bounds starts × events: finding a shortest cycle takes time proportional to the number of events for each start. */
export const MAX_LOOKS = 10_000_000;

/** How many reads of older values are named if there is no short cycle. */
const MAX_OLDER_READS = 3;

export function explainGraph(words: GraphWords): {
  readonly sequential: false;
  readonly cycle?: readonly CycleEdgeReport[];
  readonly explanation: readonly string[];
} {
  const cycle = words.cycle();
  if (cycle === undefined) return { sequential: false, explanation: [words.olderReads().join(' ')] };
  return {
    sequential: false,
    cycle: cycle.map(({ from, relation, to }) => ({ from: words.place(from), relation, to: words.place(to) })),
    explanation: [words.story(cycle)],
  };
}

const ONLY_SEQ_CST =
  'are a write and then a read: only seq_cst, of both accesses or of a fence between them, keeps these in order.';

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What one thread does on a cycle, in program order. */
type Part = readonly [number, ...number[]];

export class GraphWords extends EventWords {
  /**
   * In the order of the schedule, an edge leads back only from an event that does not read the newest write, or is not
   * the newest write itself. Of two cycles, prefers the one with fewer links other than reads-from: it says more about
   * which orders are missing.
   */
  cycle(): readonly CycleEdge[] | undefined {
    const { events } = this.trace;
    const isAccess = (e: number): boolean => accessesValue(events, e) && choiceOf(events.get(e, ev.E_STEP)) !== 0;
    const notNewest = Array.from({ length: events.length }, (_, e) => e).filter(isAccess);
    const starts = notNewest.slice(-Math.ceil(MAX_LOOKS / events.length));
    const cycles = [findCycle(this.trace, starts, undefined, 'store order'), findCycle(this.trace, starts)];
    const found = cycles.filter((cycle) => cycle !== undefined);
    return found.toSorted((a, b) => this.unread(a).length - this.unread(b).length)[0];
  }

  /** The links of a cycle on which a thread missed something newer. */
  private unread(edges: readonly CycleEdge[]): readonly CycleEdge[] {
    return edges.filter((edge) => /^(?:conflict|store order)$/.test(edge.relation) && this.isBetween(edge));
  }

  /** Describes reads of writes that are not the newest, with nothing ordering the newer ones before the read. */
  olderReads(): readonly string[] {
    const { events } = this.trace;
    const found: string[] = [];
    for (let read = events.length - 1; read >= 0 && found.length < MAX_OLDER_READS; read--) {
      const newer = this.newestBefore(read);
      if (newer === undefined) continue;
      found.unshift(
        `${this.thread(read)} ${this.verb(read)}${this.line(read)}, though ${this.thread(newer)} had written ${this.written(newer)}${this.line(newer)}: nothing makes that write happen before this ${this.kind(read)}.`,
      );
    }
    return found.length > 0 ? found : ['stores took effect in another order than their threads made them.'];
  }

  /** The newest write that the read missed, among the events before it. */
  private newestBefore(read: number): number | undefined {
    const { trace } = this;
    const [source] = trace.sourcesOf(read);
    if (source === undefined) return undefined;
    const [place] = trace.placesOf(read);
    const order = trace.storeOrders().find(({ address }) => address === place?.location)?.writes ?? [];
    return order.slice(order.indexOf(source) + 1).findLast((write) => write < read);
  }

  /** Thread by thread, what each did and saw; then that no interleaving allows it; then which order was missing. */
  story(cycle: readonly CycleEdge[]): string {
    const links = cycle.filter((edge) => this.isBetween(edge));
    const parts = this.partsOf(cycle);
    const told = parts.map((part) => this.partText(part, links));
    return [
      ...told.map((text, i) => (i === 0 ? text : `T${text.slice(1)}`)),
      'No interleaving of the threads gives all of this.',
      ...this.missing(parts, links),
    ].join(' ');
  }

  private isBetween({ from, to }: CycleEdge): boolean {
    return this.threadOf(from) !== this.threadOf(to);
  }

  private threadOf(event: number): number {
    return this.trace.events.get(event, ev.E_THREAD);
  }

  /** Starts with the thread whose part comes first in the execution. */
  private partsOf(cycle: readonly CycleEdge[]): readonly Part[] {
    const start = cycle.findIndex((edge) => this.isBetween(edge)) + 1;
    const parts: [number, ...number[]][] = [];
    for (const edge of [...cycle.slice(start), ...cycle.slice(0, start)]) {
      const last = parts.at(-1);
      if (last === undefined || last.at(-1) !== edge.from) parts.push([edge.from]);
      if (!this.isBetween(edge)) parts.at(-1)!.push(edge.to);
    }
    const first = parts.findIndex(([a]) => parts.every(([b]) => a <= b));
    return [...parts.slice(first), ...parts.slice(0, first)];
  }

  private partText(part: Part, links: readonly CycleEdge[]): string {
    const deeds = part.map((event) => {
      const seen = this.seen(event, links);
      return `${this.verb(event)}${this.line(event)}${seen}${seen === '' ? '' : ','}`;
    });
    return `${this.thread(part[0])} ${deeds.join(' and then ').replace(/,$/, '')}.`;
  }

  /** How the event is linked to other threads on the cycle. */
  private seen(event: number, links: readonly CycleEdge[]): string {
    const source = links.find(({ to, relation }) => to === event && relation === 'source');
    const older = links.find(({ from }) => from === event);
    return [
      ...(source === undefined ? [] : [`, which ${this.thread(source.from)} wrote`]),
      ...(older === undefined ? [] : [this.olderText(older)]),
    ].join('');
  }

  private olderText({ from, relation, to }: CycleEdge): string {
    const newer = `${this.thread(to)}'s ${this.written(to)}`;
    switch (relation) {
      case 'conflict':
      case 'store order':
        return accessKind(this.trace.events, from) === 'read' ? `, a value from before ${newer}` : `, before ${newer}`;
      case 'program order':
      case 'source':
      case 'synchronisation':
      case 'create':
      case 'join':
        return '';
      default:
        return unreachable(relation);
    }
  }

  /**
   * Which orders are too weak. If all links but one are reads-from, synchronisation on those would make the cycle one
   * of happens-before, which coherence forbids. If two or more are not, only seq_cst orders help.
   */
  private missing(parts: readonly Part[], links: readonly CycleEdge[]): readonly string[] {
    if (this.unread(links).length > 1) return this.unordered(parts);
    const partOf = (event: number): Part => parts.find((part) => part.includes(event))!;
    return links.flatMap(({ from, relation, to }) =>
      relation === 'source' ? this.weakLink([from, partOf(from)], [to, partOf(to)]) : [],
    );
  }

  private weakLink(
    [write, before]: readonly [number, Part],
    [read, after]: readonly [number, Part],
  ): readonly string[] {
    const { events } = this.trace;
    const order = (event: number): number => events.get(event, ev.E_ORDER);
    // Otherwise what precedes the write in its thread, or what follows the read, is not on the cycle, and may be
    // ordered in another way.
    const isNoRelease =
      before.length > 1 &&
      ![order(write), ...this.earlier(before[0], write), ...this.fences(before[0], write)].some(
        (o) => RELEASES[o] === 1,
      );
    const isNoAcquire =
      after.length > 1 && ![order(read), ...this.fences(read, after.at(-1)!)].some((o) => ACQUIRES[o] === 1);
    const at = (event: number): string => {
      const line = this.line(event);
      return ` (${line === '' ? '' : `${line.slice(2, -1)}, `}${ORDERS[order(event)]!})`;
    };
    const weak = [
      ...(isNoRelease ? [`the write${at(write)} is not a release`] : []),
      ...(isNoAcquire ? [`the read${at(read)} is not an acquire`] : []),
    ];
    if (weak.length === 0) return [];
    return [
      `Having read ${this.written(write)} does not make ${this.thread(read)} see what ${this.thread(write)} did before: ${weak.join(', and ')}.`,
    ];
  }

  /**
   * The orders of the thread's writes to the same place between `from` and `write`: it is in their release
   * sequences.
   */
  private earlier(from: number, write: number): readonly number[] {
    const { events } = this.trace;
    const found: number[] = [];
    for (let e = from + 1; e < write; e++) {
      const isOwn = this.threadOf(e) === this.threadOf(write) && accessKind(events, e) !== 'read';
      if (isOwn && accessesValue(events, e) && isSameBytes(events, e, write)) found.push(events.get(e, ev.E_ORDER));
    }
    return found;
  }

  /** The orders of the fences of a thread between two of its events. */
  private fences(from: number, to: number): readonly number[] {
    const { events } = this.trace;
    const found: number[] = [];
    for (let e = from + 1; e < to; e++) {
      const isFence = this.threadOf(e) === this.threadOf(from) && events.get(e, ev.E_KIND) === ev.FENCE_EVENT;
      if (isFence) found.push(events.get(e, ev.E_ORDER));
    }
    return found;
  }

  /** Pairs of accesses of one thread that nothing keeps in order, neither their own orders nor fences. */
  private unordered(parts: readonly Part[]): readonly string[] {
    const open = parts
      .map((part) => [part[0], part.at(-1)!] as const)
      .filter(([from, to]) => from !== to && !this.isKept(from, to));
    const isOfStoreAndLoad = ([from, to]: readonly [number, number]): boolean => !this.reads(from) && !this.writes(to);
    const texts = (pairs: typeof open): readonly string[] => [...new Set(pairs.map(([a, b]) => this.pairText(a, b)))];
    const fenced = open.filter(isOfStoreAndLoad);
    const [first, ...same] = texts(fenced);
    const others = texts(open.filter((pair) => !isOfStoreAndLoad(pair)));
    return [
      ...(first === undefined ? [] : [`${capital(first)} ${ONLY_SEQ_CST}`]),
      ...(same.length === 0 ? [] : [`The same goes for ${listText(same)}.`]),
      ...[this.noFences(fenced, 'full').trim()].filter((text) => text !== ''),
      ...(others.length === 0 ? [] : [`Nothing makes other threads see ${listText(others)} in this order.`]),
    ];
  }

  /** Whether the orders of the two, or a fence between them, keep them in order for threads that synchronise. */
  private isKept(from: number, to: number): boolean {
    const { events } = this.trace;
    const order = (e: number): number => events.get(e, ev.E_ORDER);
    if (!accessesValue(events, from) || !accessesValue(events, to)) return true;
    const fences = this.fences(from, to);
    const isBoth = fences.includes(SEQ_CST) || (order(from) === SEQ_CST && order(to) === SEQ_CST);
    const releases = this.writes(to) && [order(to), ...fences].some((o) => RELEASES[o] === 1);
    return isBoth || releases || (this.reads(from) && [order(from), ...fences].some((o) => ACQUIRES[o] === 1));
  }

  private reads(event: number): boolean {
    return accessKind(this.trace.events, event) !== 'write';
  }

  private writes(event: number): boolean {
    return (accessOf(this.trace.events.words, event * ev.EVENT_WORDS) & WRITES) !== 0;
  }

  /** `lines 3 and 4`. */
  private pairText(from: number, to: number): string {
    const [first, second] = [this.told(from), this.told(to)];
    if (first === undefined || second === undefined) return `steps ${from + 1} and ${to + 1}`;
    if (first.file === second.file && first.line === second.line) return `the two accesses of ${this.lineText(first)}`;
    return `${this.hasFiles ? '' : 'lines '}${this.number(first)} and ${this.number(second)}`;
  }
}
