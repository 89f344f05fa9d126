/**
 * Why SC does not allow an execution, in words. Its trace has a cycle ([SHASHA-SNIR]); somewhere on it the accesses of
 * one thread took effect out of program order, and that is the explanation: a store that waited in a buffer, or a load that
 * read an old value. Stores still buffered at the end are assumed to reach memory after it, oldest first.
 */

import { orderAfter } from '../../fix/apply.ts';
import { strongerOrders } from '../../fix/candidates.ts';
import { failedAccess } from '../../machine/describe/failed-access.ts';
import type { Naming } from '../../machine/describe/naming.ts';
import {
  accessesValue,
  BUFFERED,
  COMMITS,
  DRAINS,
  effectsOf,
  FREES,
  STAYS_BEHIND_BARRIER,
  WRITTEN_HIGH,
  WRITTEN_LOW,
  waitOf,
} from '../../machine/events/effects.ts';
import * as ev from '../../machine/events/event.ts';
import type { Machine } from '../../machine/machine.ts';
import { isAtomic, ORDERS, type Order } from '../../program/types.ts';
import { type CycleEdge, findCycle, isAcyclic, type Weak } from '../../trace/cycle.ts';
import { ShashaSnirTrace } from '../../trace/shasha-snir.ts';
import { asCode } from '../../util/code-text.ts';
import { listText } from '../../util/list-text.ts';
import type { Cause, CycleEdgeReport } from '../trace-schema.ts';
import { EventWords, type ToldPlace } from './event-words.ts';
import { explainGraph, GraphWords, MAX_LOOKS } from './explain-graph.ts';
import { type Missed, staleLoads, storeOf } from './stale-loads.ts';

export interface Explanation {
  /** Whether SC also allows the execution; everything else is absent then. Absent if that is unknown. */
  readonly sequential?: boolean;
  readonly cycle?: readonly CycleEdgeReport[];
  readonly explanation?: readonly string[];
  /** Absent if store buffers are the only cause. */
  readonly causes?: readonly Cause[];
}

/** Of the execution, without an access that failed. */
function stepsOf(machine: Machine): number {
  return machine.depth - (failedAccess(machine) ? 1 : 0);
}

type Field = (field: number) => number;

/** The trace of the machine's execution with all its stores in memory. */
export function completedTrace(machine: Machine): ShashaSnirTrace {
  const log = new ev.EventLog();
  log.words = machine.events.words.slice();
  log.length = stepsOf(machine);
  for (const slot of machine.processes.slotsInNameOrder) {
    for (const { address, size, low, high, site, store } of machine.memory.pending(slot)) {
      const at = log.append(ev.UPDATE_EVENT, slot, store, 0, site);
      log.words[at + ev.E_ADDRESS] = address;
      log.words[at + ev.E_SIZE] = size;
      log.words[at + ev.E_LOW] = low;
      log.words[at + ev.E_HIGH] = high;
      log.words[at + ev.E_FLAGS] = ev.WROTE_MEMORY;
    }
  }
  return new ShashaSnirTrace(log, machine.processes);
}

/** `placeOf`: where people look for an event, with the function that it happens in if that is a wrapper. */
export function explain(
  machine: Machine,
  trace: ShashaSnirTrace,
  naming: Naming,
  placeOf: (event: number) => ToldPlace | undefined = () => undefined,
): Explanation {
  if (isAcyclic(trace)) return hasSection(machine) ? {} : { sequential: true };
  if (machine.description.isAxiomatic) return explainGraph(new GraphWords(machine, trace, naming, placeOf));
  const words = new Words(machine, trace, naming, placeOf);
  // The ones nearest to the error first, if there are too many.
  const starts = words.reordered().slice(-Math.ceil(MAX_LOOKS / trace.events.length));
  const isOfBarriers = machine.description.heedsBarriers;
  const cycle =
    (isOfBarriers
      ? (findCycle(trace, starts, words.publishing) ?? findCycle(trace, starts, words.barriers))
      : undefined) ?? findCycle(trace, starts);
  if (cycle === undefined) {
    return {
      sequential: false,
      explanation: ['the execution is too long to find a short reason.'],
      ...causesOf(words.hasStaleLoads, words.lateStores().length > 0),
    };
  }
  const own = cycle.filter((edge) => edge.relation === 'program order');
  const swapped = own.filter((edge) => words.isSwapped(edge));
  const clauses = [
    ...swapped.flatMap((edge) => [words.swapped(edge), ...words.overwritten(edge.to, cycle)]),
    ...own
      .filter((edge) => !swapped.includes(edge))
      .flatMap((edge) => [words.inOrder(edge), ...words.overwritten(edge.to, cycle)]),
  ].map((clause, i) => (i === 0 ? clause : `${clause.charAt(0).toUpperCase()}${clause.slice(1)}`));
  return {
    sequential: false,
    cycle: cycle.map(({ from, relation, to }) => ({ from: words.place(from), relation, to: words.place(to) })),
    explanation: [
      `${clauses.join('. ')}.`,
      ...words.underTso(swapped),
      ...words.remedies(own.filter((e) => words.isOpen(e))),
    ],
    ...causesOf(
      swapped.some((e) => words.isStale(e.to)),
      swapped.some((e) => !words.isStale(e.to)),
    ),
  };
}

function causesOf(isOfOldValues: boolean, isOfBuffers: boolean): Pick<Explanation, 'causes'> {
  return isOfOldValues ? { causes: [...(isOfBuffers ? (['store buffers'] as const) : []), 'stale loads'] } : {};
}

/** That sections exclude each other is not part of a trace. */
function hasSection({ events }: Machine): boolean {
  for (let event = 0; event < events.length; event++) {
    if (events.get(event, ev.E_KIND) === ev.BEGIN_ATOMIC_EVENT) return true;
  }
  return false;
}

class Words extends EventWords {
  /** By the name of the store: the event by which it reaches memory. */
  private readonly updates = new Map<string, number>();
  private readonly stale: ReadonlyMap<number, Missed>;

  constructor(
    machine: Machine,
    trace: ShashaSnirTrace,
    naming: Naming,
    placeOf: (event: number) => ToldPlace | undefined,
  ) {
    super(machine, trace, naming, placeOf);
    const { events } = trace;
    this.stale = staleLoads(events);
    for (let e = 0; e < events.length; e++) {
      if ((effectsOf(events, e) & COMMITS) !== 0) this.updates.set(this.nameOf(e), e);
    }
  }

  private nameOf(event: number): string {
    const { events } = this.trace;
    return `${events.get(event, ev.E_THREAD)}#${events.get(event, ev.E_INDEX)}`;
  }

  isStale(event: number): boolean {
    return this.stale.has(event);
  }

  get hasStaleLoads(): boolean {
    return this.stale.size > 0;
  }

  /** When the event took effect: for a buffered store, when it reaches memory; for a stale load, before what it missed. */
  private effectiveAt(event: number): number {
    const missed = this.stale.get(event);
    if (missed !== undefined) return missed.first - 0.5;
    return this.isPlainWrite(event) ? (this.updates.get(this.nameOf(event)) ?? event) : event;
  }

  /** Where a cycle must pass: stores that took effect late, and loads that took effect early. */
  reordered(): readonly number[] {
    return [...this.lateStores(), ...this.stale.keys()].sort((a, b) => a - b);
  }

  /** Stores that took effect after a later event of their own thread. */
  lateStores(): readonly number[] {
    const late = this.trace.threads.flatMap((thread) =>
      thread.filter((e, i) => {
        const next = thread[i + 1];
        return next !== undefined && this.effectiveAt(e) > next;
      }),
    );
    return late.sort((a, b) => a - b);
  }

  private isPlainWrite(event: number): boolean {
    return (effectsOf(this.trace.events, event) & BUFFERED) !== 0;
  }

  /** The order that release stores and release fences would enforce: if that has a cycle, these are missing. */
  readonly barriers: Weak = {
    isWeak: (event) => this.isPlainWrite(event),
    isHeld: (event) => (effectsOf(this.trace.events, event) & STAYS_BEHIND_BARRIER) !== 0,
  };

  /** The same over stores that can be release stores: those publish, while plain ones are what is published. */
  readonly publishing: Weak = {
    isWeak: this.barriers.isWeak,
    isHeld: (event) => this.barriers.isHeld(event) && !(this.isPlainWrite(event) && !this.isAtomic(event)),
  };

  private isAtomic(event: number): boolean {
    return isAtomic(ORDERS[this.trace.events.get(event, ev.E_ORDER)]!);
  }

  isSwapped({ from, to }: CycleEdge): boolean {
    return this.effectiveAt(to) < this.effectiveAt(from);
  }

  /**
   * Whether a fence is missing between the two: they were reordered, or are in some schedule with the same trace. A
   * store that happened to reach memory early still needs a full fence before a later load: without it, barriers
   * elsewhere on the cycle still allow the trace.
   */
  isOpen(edge: CycleEdge): boolean {
    if (this.isSwapped(edge)) return true;
    const { from, to } = edge;
    if (!this.barriers.isWeak(from) || this.barriers.isHeld(to)) return false;
    const { events } = this.trace;
    const thread = events.get(from, ev.E_THREAD);
    for (let e = from; e <= to; e++) {
      if (events.get(e, ev.E_THREAD) === thread && waitOf(events.words, e * ev.EVENT_WORDS) === DRAINS) return false;
    }
    return true;
  }

  /** Why a model with one buffer for each thread, in which only loads come early, does not have it. */
  underTso(swapped: readonly CycleEdge[]): readonly string[] {
    const kept = swapped.filter(
      ({ from, to }) => !this.isStale(to) && this.isPlainWrite(from) && this.barriers.isHeld(to),
    );
    const [edge] = kept.toSorted((a, b) => Number(this.isPlainWrite(b.to)) - Number(this.isPlainWrite(a.to)));
    if (edge === undefined) return [];
    const why = this.isPlainWrite(edge.to)
      ? "a thread's stores reach memory in their order"
      : `a ${this.kind(edge.to)} takes effect after its thread's earlier stores have reached memory`;
    return [`Under tso ${why}, so this is impossible there, too.`];
  }

  swapped({ from, to }: CycleEdge): string {
    const missed = this.stale.get(to);
    if (missed !== undefined) return this.old(from, to, missed);
    const late = `its own ${this.noun(from)}${this.line(from)}`;
    if (this.isPlainWrite(to)) {
      return `${this.thread(to)}'s ${this.noun(to)}${this.line(to)} reached memory before its earlier ${this.noun(from)}${this.line(from)}`;
    }
    return `${this.thread(to)} ${this.verb(to)}${this.line(to)} before ${late} reached memory`;
  }

  /** What became of a write on the cycle, if that is the harm: a late store of another thread is in memory instead. */
  overwritten(write: number, cycle: readonly CycleEdge[]): readonly string[] {
    const late = cycle.find(({ from, relation }) => from === write && relation === 'store order')?.to;
    if (late === undefined || !this.hasOverwritten(late, write)) return [];
    const isLate = cycle.some((edge) => edge.from === late && this.isSwapped(edge) && !this.isStale(edge.to));
    if (!isLate) return [];
    const read = this.readOf(late);
    const then = read === undefined ? '' : `, and ${this.thread(read)} ${this.verb(read)}${this.line(read)}`;
    return [`the late ${this.noun(late)} of ${this.thread(late)} then overwrote ${this.written(write)}${then}`];
  }

  /** The first event that reads the store from memory. */
  private readOf(store: number): number | undefined {
    const { trace } = this;
    const from = (this.updates.get(this.nameOf(store)) ?? store) + 1;
    for (let e = from; e < trace.events.length; e++) {
      if (accessesValue(trace.events, e) && trace.sourcesOf(e)[0] === store) return e;
    }
    return undefined;
  }

  /** Whether the store has reached memory, in the execution itself, and put another value where `write` wrote. */
  private hasOverwritten(store: number, write: number): boolean {
    const { events } = this.trace;
    const [field, other] = [store, write].map((e) => (f: number) => events.get(e, f)) as [Field, Field];
    const isFree = [store, write].some((e) => (effectsOf(events, e) & FREES) !== 0);
    const at = this.updates.get(this.nameOf(store));
    if (at === undefined || at >= stepsOf(this.machine) || isFree) return false;
    if (field(ev.E_ADDRESS) !== other(ev.E_ADDRESS) || field(ev.E_SIZE) !== other(ev.E_SIZE)) return false;
    const kind = other(ev.E_KIND);
    return field(ev.E_LOW) !== other(WRITTEN_LOW[kind]!) || field(ev.E_HIGH) !== other(WRITTEN_HIGH[kind]!);
  }

  private old(from: number, to: number, { first }: Missed): string {
    const store = storeOf(this.trace.events, first);
    const newer = `${this.written(store)} by ${this.thread(store)}${this.line(store)} had reached memory`;
    const early = `as if that load had run before it ${this.verb(from)}${this.line(from)}`;
    return `${this.thread(to)} ${this.verb(to)}${this.line(to)}, an old value, though ${newer}: ${early}`;
  }

  inOrder({ from, to }: CycleEdge): string {
    return `${this.thread(from)} ${this.verb(from)}${this.line(from)} and then ${this.verb(to)}${this.line(to)}`;
  }

  /** `, here between lines 26 and 28 and between lines 34 and 36`. */
  private between(edges: readonly CycleEdge[]): string {
    const places = edges.flatMap((edge) => {
      const [from, to] = [this.told(edge.from), this.told(edge.to)];
      if (from === undefined || to === undefined) return [];
      const isOne = from.file === to.file && from.line === to.line;
      return [
        isOne
          ? `in ${this.lineText(from)}`
          : `between ${this.hasFiles ? '' : 'lines '}${this.number(from)} and ${this.number(to)}`,
      ];
    });
    return places.length === 0 ? '' : `, here ${listText([...new Set(places)])}`;
  }

  /** ` (here in line 26, now relaxed)`, or ` (here in `set`, line 3, called in line 26, now relaxed)`. */
  private at(events: readonly number[]): string {
    const places = events.flatMap((event) => {
      const [source, told] = [this.isC ? this.source(event) : undefined, this.placeOf(event)];
      if (source === undefined) return [];
      return [told === undefined ? `in ${this.lineText(source)}` : this.calledText(source, told)];
    });
    const orders = [...new Set(events.map((event) => ORDERS[this.trace.events.get(event, ev.E_ORDER)]!))];
    const now = orders.length === 1 && isAtomic(orders[0]!) ? `, now ${orders[0]}` : '';
    return places.length === 0 ? '' : ` (here ${listText([...new Set(places)])}${now})`;
  }

  /** The kind of fence that keeps such accesses in order, and where; whether it fixes the program is another question. */
  remedies(open: readonly CycleEdge[]): string[] {
    const early = open.filter(({ from, to }) => this.isStale(to) && !this.isPlainWrite(from));
    const barred = open.filter(({ to }) => this.barriers.isHeld(to));
    const full = open.filter((edge) => !barred.includes(edge) && !early.includes(edge));
    return [
      ...this.together(full, ({ to }) => this.kind(to)).map(([kind, edges]) => {
        const fence = this.isC ? `: ${asCode('atomic_thread_fence(memory_order_seq_cst)')}` : '';
        return `To keep a store before a later ${kind}, put a full fence between them${fence}${this.between(edges)}.`;
      }),
      ...this.together(barred, (edge) => this.releaseOf(edge)).map(([release, edges]) => {
        const [{ to }] = edges as readonly [CycleEdge];
        const keep = this.isPlainWrite(to) ? 'two stores in order' : `a store before a later ${this.kind(to)}`;
        const seconds = this.at(edges.map((edge) => edge.to));
        if (release === '') return `To keep ${keep}, put a release fence between them${this.between(edges)}.`;
        return `To keep ${keep}, make the second${seconds} ${release}, or put a release fence between them.`;
      }),
      ...this.together(early, (edge) => this.acquireOf(edge)).map(([acquire, edges]) => {
        const [{ from }] = edges as readonly [CycleEdge];
        const locks = this.isC ? ' or the locking of a mutex' : '';
        return `To keep a ${this.kind(from)} before a later load, ${acquire}put an acquire fence${locks} between them.`;
      }),
    ];
  }

  /** Those that are told in one sentence. */
  private together(
    edges: readonly CycleEdge[],
    key: (edge: CycleEdge) => string,
  ): readonly (readonly [string, readonly CycleEdge[]])[] {
    return [...new Set(edges.map(key))].map((one) => [one, edges.filter((edge) => key(edge) === one)]);
  }

  /** What the second access can be, so that it releases; empty if it cannot. */
  private releaseOf({ to }: CycleEdge): string {
    if (this.isPlainWrite(to))
      return this.isC && !this.isAtomic(to) ? '' : `a release store${this.orderName('release')}`;
    const { instruction } = this.machine.code.sites[this.trace.events.get(to, ev.E_SITE)]!;
    const release = strongerOrders(instruction).find((kind) => kind === 'release');
    return release === undefined ? '' : `a release operation${this.orderName(orderAfter(release, instruction))}`;
  }

  private acquireOf({ from }: CycleEdge): string {
    const kind = this.trace.events.get(from, ev.E_KIND);
    const acquires = kind === ev.LOAD_EVENT || kind === ev.RMW_EVENT;
    return acquires ? `make the first an acquire operation${this.orderName('acquire')}, or ` : '';
  }

  private orderName(order: Order): string {
    return this.isC ? ` (${asCode(`memory_order_${order}`)})` : '';
  }
}
