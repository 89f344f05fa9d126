/**
 * Explains executions of a machine with store buffers in words: which stores came late and which loads read old values,
 * what became of them, and which fences and orders would have kept the accesses in order.
 */
import { orderAfter } from '../../fix/apply.ts';
import { strongerOrders } from '../../fix/candidates.ts';
import { RELEASES } from '../../machine/code/order.ts';
import { failedAccess } from '../../machine/describe/failed-access.ts';
import {
  accessesValue,
  BUFFERED,
  BYTES,
  COMMITS,
  DRAINS,
  effectsOf,
  FREES,
  READS,
  STAYS_BEHIND_BARRIER,
  WRITTEN_HIGH,
  WRITTEN_LOW,
  waitOf,
} from '../../machine/events/effects.ts';
import * as ev from '../../machine/events/event.ts';
import type { Machine } from '../../machine/machine.ts';
import { isAtomic, ORDERS, type Order } from '../../program/types.ts';
import type { CycleEdge, Weak } from '../../trace/cycle.ts';
import { asCode } from '../../util/code-text.ts';
import { listText } from '../../util/list-text.ts';
import { EventWords } from './event-words.ts';
import { type Missed, staleLoads, storeOf } from './stale-loads.ts';

/** The number of steps of the execution, not counting an access that failed. */
export function stepsOf(machine: Machine): number {
  return machine.depth - (failedAccess(machine) ? 1 : 0);
}

type Field = (field: number) => number;

export class Words extends EventWords {
  /** By the name of the store: the event in which it reaches memory. */
  private readonly updates = new Map<string, number>();
  private readonly stale: ReadonlyMap<number, Missed>;

  constructor(...of: ConstructorParameters<typeof EventWords>) {
    super(...of);
    const { events } = this.trace;
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

  /**
   * When the event took effect: a buffered store, when it reaches memory; a stale load, before the writes that it
   * missed.
   */
  private effectiveAt(event: number): number {
    const missed = this.stale.get(event);
    if (missed !== undefined) return missed.first - 0.5;
    return this.isPlainWrite(event) ? (this.updates.get(this.nameOf(event)) ?? event) : event;
  }

  /** Every cycle passes through one of these: stores that took effect late, and loads that took effect early. */
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

  /** The order that release stores and release fences would enforce: if it has a cycle, these are missing. */
  readonly barriers: Weak = {
    isWeak: (event) => this.isPlainWrite(event),
    isHeld: (event) => (effectsOf(this.trace.events, event) & STAYS_BEHIND_BARRIER) !== 0,
  };

  /** The same, but only atomic stores are held: they publish, while the others are what is published. */
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
   * Whether a fence is missing between the two: they were reordered, here or in another schedule with the same trace. A
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

  /** Why TSO does not allow the execution: it has one buffer per thread, and only loads overtake stores. */
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

  /** What became of a write on the cycle, if it was lost: a late store of another thread replaced it in memory. */
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

  /**
   * Whether the store reached memory within the execution itself and replaced what `write` wrote with another value.
   */
  private hasOverwritten(store: number, write: number): boolean {
    const { events } = this.trace;
    const [field, other] = [store, write].map((e) => (f: number) => events.get(e, f)) as [Field, Field];
    const isFree = [store, write].some((e) => (effectsOf(events, e) & FREES) !== 0);
    const at = this.updates.get(this.nameOf(store));
    if (at === undefined || at >= stepsOf(this.machine) || isFree) return false;
    if (field(ev.E_ADDRESS) !== other(ev.E_ADDRESS) || field(ev.E_SIZE) !== other(ev.E_SIZE)) return false;
    const kind = other(ev.E_KIND);
    return (
      field(ev.E_STORED_LOW) !== other(WRITTEN_LOW[kind]!) || field(ev.E_STORED_HIGH) !== other(WRITTEN_HIGH[kind]!)
    );
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

  /**
   * `` `ready = 1` (line 26, now relaxed)``, or `` the compare-exchange of `top` (in `swap`, line 3, now relaxed)``.
   */
  private change(event: number): string {
    const [source, told] = [this.isC ? this.source(event) : undefined, this.placeOf(event)];
    const order = ORDERS[this.trace.events.get(event, ev.E_ORDER)]!;
    const where = [
      ...(source === undefined || told === undefined ? [] : [`in ${asCode(told.wrapper)}`]),
      ...(source === undefined ? [] : [this.lineText(source)]),
      ...(isAtomic(order) ? [`now ${order}`] : []),
    ].join(', ');
    const what = this.isPlainWrite(event)
      ? this.noun(event)
      : `the ${this.operation(event)} of ${asCode(this.location(event))}`;
    return where === '' ? what : `${what} (${where})`;
  }

  private operation(event: number): string {
    const { instruction } = this.machine.code.sites[this.trace.events.get(event, ev.E_SITE)]!;
    return instruction.op === 'cmpxchg' ? 'compare-exchange' : this.kind(event);
  }

  /**
   * The kind of fence that keeps such accesses in order, and where to put it. This does not say that it fixes the
   * program.
   */
  remedies(open: readonly CycleEdge[]): string[] {
    const early = open.filter(({ from, to }) => this.isStale(to) && !this.isPlainWrite(from));
    const barred = open.filter(({ to }) => this.barriers.isHeld(to));
    const full = open.filter((edge) => !barred.includes(edge) && !early.includes(edge));
    return [
      ...this.together(full, ({ to }) => this.kind(to)).map(([kind, edges]) => {
        const fence = this.isC ? `: ${asCode('atomic_thread_fence(memory_order_seq_cst)')}` : '';
        return `To keep a store before a later ${kind}, put a full fence between them${fence}${this.between(edges)}.${this.noFences(
          edges.map(({ from, to }) => [from, to]),
          'full',
        )}`;
      }),
      ...this.together(barred, (edge) => this.releaseOf(edge)).map(([release, edges]) => {
        const [{ to }] = edges as readonly [CycleEdge];
        const keep = this.isPlainWrite(to) ? 'two stores in order' : `a store before a later ${this.kind(to)}`;
        if (release === '')
          return `To keep ${keep}, put a release fence between them${this.between(edges)}.${this.noFences(
            edges.map(({ from, to }) => [from, to]),
            'release',
          )}`;
        const seconds = [...new Set(edges.map((edge) => this.change(edge.to)))];
        const which = `${this.isPlainWrite(to) ? 'the second, ' : ''}${listText(seconds)}${this.isPlainWrite(to) ? ',' : ''}`;
        return `To keep ${keep}, make ${which} ${release}, or put a release fence between them.${this.inBetween(edges)}${this.noFences(
          edges.map(({ from, to }) => [from, to]),
          'release',
        )}`;
      }),
      ...this.together(early, (edge) => this.acquireOf(edge)).map(([acquire, edges]) => {
        const [{ from }] = edges as readonly [CycleEdge];
        const locks = this.isC ? ' or the locking of a mutex' : '';
        return `To keep a ${this.kind(from)} before a later load, ${acquire}put an acquire fence${locks} between them.`;
      }),
    ];
  }

  /** Why a read-modify-write between two reordered accesses does not keep them in order. */
  private inBetween(edges: readonly CycleEdge[]): string {
    const { events } = this.trace;
    const found = edges.flatMap(({ from, to }) => {
      const between = Array.from({ length: to - from - 1 }, (_, i) => from + 1 + i);
      return between.filter(
        (e) =>
          events.get(e, ev.E_THREAD) === events.get(from, ev.E_THREAD) && events.get(e, ev.E_KIND) === ev.RMW_EVENT,
      );
    });
    const [first] = found;
    const isRelease = found.some((e) => RELEASES[events.get(e, ev.E_ORDER)] === 1);
    if (first === undefined || isRelease || !edges.every((edge) => this.isSwapped(edge))) return '';
    const where = this.line(first).replace(/\)$/, `, ${ORDERS[events.get(first, ev.E_ORDER)]!})`);
    return ` The ${this.operation(first)} of ${asCode(this.location(first))} in between${where} is not a release, so it does not keep them in order.`;
  }

  /** Groups the edges that share a sentence. */
  private together(
    edges: readonly CycleEdge[],
    key: (edge: CycleEdge) => string,
  ): readonly (readonly [string, readonly CycleEdge[]])[] {
    return [...new Set(edges.map(key))].map((one) => [one, edges.filter((edge) => key(edge) === one)]);
  }

  /** How the second access can be made a release; empty if it cannot. */
  private releaseOf({ to }: CycleEdge): string {
    if (this.isPlainWrite(to))
      return this.isC && !this.isAtomic(to) ? '' : `a release store${this.orderName('release')}`;
    const { instruction } = this.machine.code.sites[this.trace.events.get(to, ev.E_SITE)]!;
    const release = strongerOrders(instruction).find((kind) => kind === 'release');
    return release === undefined ? '' : `a release operation${this.orderName(orderAfter(release, instruction))}`;
  }

  private acquireOf({ from }: CycleEdge): string {
    const readsValue = (effectsOf(this.trace.events, from) & (READS | BYTES)) === (READS | BYTES);
    return readsValue ? `make the first an acquire operation${this.orderName('acquire')}, or ` : '';
  }

  private orderName(order: Order): string {
    return this.isC ? ` (${asCode(`memory_order_${order}`)})` : '';
  }
}
