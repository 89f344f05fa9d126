/**
 * The graph of an execution that the machine has run, from its events. The machine's order respects po and rf; every
 * event knows what it read, and every write its place in mo.
 */

import type { ProgramError } from '../../machine/code/error.ts';
import * as op from '../../machine/code/opcodes.ts';
import { ACQUIRE, orderCode, RELEASE } from '../../machine/code/order.ts';
import { failedAccess } from '../../machine/describe/failed-access.ts';
import { describeRace } from '../../machine/describe/race.ts';
import {
  accessOf,
  BYTES,
  CREATES,
  EXCLUDES_ALL,
  effectsOf,
  FREES,
  GIVES_UP_MUTEX,
  JOINS,
  OBJECT,
  READS,
  SECTION,
  SLEEPS,
  TAKES_MUTEX,
  WRITES,
} from '../../machine/events/effects.ts';
import * as ev from '../../machine/events/event.ts';
import type { Machine } from '../../machine/machine.ts';
import { modelNamed } from '../../models/index.ts';
import { INITIAL, ShashaSnirTrace } from '../../trace/shasha-snir.ts';
import { type Axioms, axiomsOf } from './axioms.ts';
import { type Consistency, incoherentWith } from './consistency.ts';
import * as g from './fields.ts';
import { Graph } from './graph.ts';
import { findRace, sharesBytes } from './races.ts';

const RELAXED = orderCode('relaxed');
/** By kind of event: the operation, where races depend on it. */
const OPERATION_OF: Readonly<Record<number, number>> = { [ev.FREE_EVENT]: op.FREE, [ev.WAKE_EVENT]: op.WAKE };

interface GraphRace {
  /** Numbers of the machine's events. */
  readonly first: number;
  readonly second: number;
}

/** The first race of the execution, if its model forbids races. */
export function findGraphRace(machine: Machine): GraphRace | undefined {
  return new Rebuilding(machine, findRace).run();
}

/** Whether `find` finds a pair of events in the execution. */
export function hasPair(machine: Machine, find: FindPair): boolean {
  return new Rebuilding(machine, find).run() !== undefined;
}

/** An event that forms a pair with this one, which is the newest of its thread; NONE if there is none. */
type FindPair = (graph: Graph, event: number) => number;

/** The first race of the execution as an error, if its model forbids races. */
export function judgeGraphRaces(machine: Machine): ProgramError | undefined {
  const race = findGraphRace(machine);
  return race === undefined ? undefined : describeRace(machine, race.first, race.second);
}

/** Two of the machine's events, the first of which happens before the second. */
interface HappensBefore {
  readonly from: number;
  readonly to: number;
}

/** Happens-before between threads, without pairs that follow from other pairs and from program order. */
export function happensBeforeEdges(machine: Machine): readonly HappensBefore[] {
  return new Rebuilding(machine, () => g.NONE).happensBefore();
}

/**
 * Other memory orders for an execution: of accesses and fences, by the number of the machine's event; NONE removes it.
 */
type Orders = (event: number) => number;

/** What becomes of an execution with other orders. */
export type Fate =
  | { readonly kind: 'consistent' }
  /** Two events of the machine that race. */
  | { readonly kind: 'race'; readonly first: number; readonly second: number }
  /**
   * The model does not allow it. `second` happens after `first`, but has read or written something older; without `first`,
   * seq_cst orders are in a cycle.
   */
  | { readonly kind: 'inconsistent'; readonly first: number | undefined; readonly second: number };

/** Whether the model allows the execution with these orders, and whether it has a race then. */
export function fateOf(machine: Machine, orders: Orders): Fate {
  return new Rebuilding(machine, findRace, orders).judge();
}

class Rebuilding {
  private readonly events: ev.EventLog;
  /** The number of events, without an access that failed. */
  private readonly length: number;
  private readonly trace: ShashaSnirTrace;
  private readonly graph = new Graph();
  private readonly made = new Int32Array(g.FIELDS);
  /** Per machine event: the last event of the graph that belongs to it. */
  private readonly lasts: number[] = [];
  /** Per object: the last operation on it. */
  private readonly objects = new Map<number, number>();
  /** Numbers of locations: objects, and bytes with their history, since an access of another size begins a new one. */
  private readonly locations = new Map<string, number>();
  /** By address of a cell: its writes in mo. */
  private readonly storeOrders: ReadonlyMap<number, readonly number[]>;

  private readonly find: FindPair;
  private readonly orders: Orders;
  /** Decides whether the graph is consistent, if that is asked; and the first event with which it is not. */
  private axioms: Consistency | undefined;
  private readonly axiomsOf: Axioms;
  private rejected: number = g.NONE;

  constructor(machine: Machine, find: FindPair, orders: Orders = (e) => machine.events.get(e, ev.E_ORDER)) {
    const { events, processes, model } = machine;
    this.find = find;
    this.axiomsOf = axiomsOf(modelNamed(model));
    this.events = events;
    this.length = events.length - (failedAccess(machine) ? 1 : 0);
    this.orders = orders;
    this.trace = new ShashaSnirTrace(events, processes);
    this.storeOrders = new Map(this.trace.storeOrders().map(({ address, writes }) => [address, writes]));
    for (let slot = 0; slot < processes.threadCount; slot++) this.graph.addThread(slot);
  }

  run(): GraphRace | undefined {
    const { graph, lasts } = this;
    for (let e = 0; e < this.length; e++) {
      this.add(e);
      lasts.push(graph.length - 1);
      for (let event = e === 0 ? 0 : lasts[e - 1]! + 1; event < graph.length; event++) {
        const other = this.find(graph, event);
        if (other !== g.NONE) return { first: this.machineEvent(other), second: e };
      }
    }
    return undefined;
  }

  happensBefore(): readonly HappensBefore[] {
    this.run();
    const { graph, lasts, events } = this;
    const edges: HappensBefore[] = [];
    /** Per thread: its events so far. */
    const before = new Map<number, number[]>();
    const isBefore = (a: number, b: number): boolean => lasts[a]! >= 0 && graph.happensBefore(lasts[a]!, lasts[b]!);
    for (let e = 0; e < lasts.length; e++) {
      const thread = events.get(e, ev.E_THREAD);
      const own = before.get(thread)?.at(-1);
      const latest = [...before]
        .filter(([t]) => t !== thread)
        .flatMap(([, all]) => all.findLast((a) => isBefore(a, e)) ?? []);
      for (const from of latest) {
        const isImplied =
          (own !== undefined && isBefore(from, own)) || latest.some((b) => b !== from && isBefore(from, b));
        if (!isImplied) edges.push({ from, to: e });
      }
      const mine = before.get(thread);
      if (mine === undefined) before.set(thread, [e]);
      else mine.push(e);
    }
    return edges;
  }

  judge(): Fate {
    const { graph, lasts } = this;
    this.axioms = this.axiomsOf(graph);
    let race: Fate = { kind: 'consistent' };
    for (let e = 0; e < this.length; e++) {
      const length = graph.length;
      this.add(e);
      if (this.rejected !== g.NONE) {
        const other = incoherentWith(graph, this.rejected);
        return { kind: 'inconsistent', first: other === g.NONE ? undefined : this.machineEvent(other), second: e };
      }
      lasts.push(graph.length - 1);
      for (let event = length; event < graph.length && race.kind === 'consistent'; event++) {
        const other = this.find(graph, event);
        if (other !== g.NONE) race = { kind: 'race', first: this.machineEvent(other), second: e };
      }
    }
    return race;
  }

  /** The event of the machine that an event of the graph belongs to. */
  private machineEvent(event: number): number {
    return this.lasts.findIndex((last) => last >= event);
  }

  private add(e: number): void {
    const { events } = this;
    const does = effectsOf(events, e);
    const access = accessOf(events.words, e * ev.EVENT_WORDS);
    const order = this.orders(e);
    if (order === g.NONE) return;
    if ((does & FREES) !== 0 || events.get(e, ev.E_KIND) === ev.LIFETIME_EVENT) this.push(e, g.LIFETIME, 0, 0);
    else if ((does & BYTES) !== 0) {
      const reads = (access & READS) !== 0;
      if (reads) this.push(e, g.READ, order, 0, this.sourceOf(e));
      if ((access & WRITES) !== 0) this.push(e, g.WRITE, order, reads ? 1 : 0);
    } else if ((does & OBJECT) !== 0) this.addObject(e, does, access);
    else if ((does & SECTION) !== 0) this.update(e, 0, (does & EXCLUDES_ALL) !== 0 ? ACQUIRE : RELEASE, 0);
    else if (events.get(e, ev.E_KIND) === ev.FENCE_EVENT) this.push(e, g.FENCE, order, 0);
    else if ((does & CREATES) !== 0) this.push(e, g.SPAWN, 0, 0);
    else if ((does & JOINS) !== 0) this.push(e, g.JOIN, 0, 0);
    else this.push(e, g.OTHER, 0, 0);
  }

  /** A write of another size is ordered with this access: what it wrote counts as the initial value. */
  private sourceOf(e: number): number {
    const source = this.trace.sourcesOf(e).find((s) => s !== INITIAL);
    const write = source === undefined ? g.INITIAL : this.lasts[source]!;
    return write >= 0 && this.graph.get(write, g.LOCATION) === this.locationOf(e) ? write : g.INITIAL;
  }

  /** The location of the bytes that an event accesses. */
  private locationOf(e: number): number {
    const { events, graph } = this;
    const [address, size] = [events.get(e, ev.E_ADDRESS), events.get(e, ev.E_SIZE)];
    let others = 0;
    for (let w = 0; w < graph.length; w++) {
      const [start, bytes] = [graph.get(w, g.ADDRESS), graph.get(w, g.SIZE)];
      if (graph.get(w, g.KIND) !== g.WRITE || bytes <= 0 || (start === address && bytes === size)) continue;
      if (sharesBytes(address, size, start, bytes)) others++;
    }
    return this.numberOf(`${address} ${size} ${others}`);
  }

  private numberOf(location: string): number {
    let number = this.locations.get(location);
    if (number === undefined) {
      number = this.locations.size;
      this.locations.set(location, number);
      this.graph.addLocation(number);
    }
    return number;
  }

  /** The first write of the graph after this one in mo; NONE if there is none. */
  private nextInOrder(e: number, location: number): number {
    const writes = this.storeOrders.get(this.events.get(e, ev.E_ADDRESS)) ?? [];
    for (const write of writes.slice(writes.indexOf(e) + 1)) {
      const event = this.lasts[write];
      if (event !== undefined && this.graph.get(event, g.LOCATION) === location) return event;
    }
    return g.NONE;
  }

  private addObject(e: number, does: number, access: number): void {
    const takes = (does & TAKES_MUTEX) !== 0 && (access & WRITES) !== 0;
    const order = takes ? ACQUIRE : (does & GIVES_UP_MUTEX) !== 0 && (does & SLEEPS) === 0 ? RELEASE : RELAXED;
    this.update(e, this.events.get(e, ev.E_ADDRESS), order, 0);
    if ((does & SLEEPS) !== 0) this.update(e, this.events.get(e, ev.E_MUTEX), RELEASE, 2);
  }

  private update(e: number, object: number, order: number, part: number): void {
    this.push(e, g.READ, order, part, this.objects.get(object) ?? g.INITIAL);
    this.objects.set(object, this.push(e, g.WRITE, order, part + 1));
  }

  /** The second half of a read-modify-write has the location of the first. */
  private locationAt(e: number, part: number, object: number, hasBytes: boolean): number {
    const { events, graph } = this;
    if ((part & 1) === 1) return graph.get(graph.last[events.get(e, ev.E_THREAD)]!, g.LOCATION);
    return hasBytes ? this.locationOf(e) : this.numberOf(`${object}`);
  }

  private objectSize(e: number, part: number): number {
    const isMutex = (effectsOf(this.events, e) & (TAKES_MUTEX | GIVES_UP_MUTEX | SLEEPS)) !== 0;
    const isCondition = (effectsOf(this.events, e) & SLEEPS) !== 0 && part < 2;
    return isMutex && !isCondition ? g.MUTEX : g.OBJECT;
  }

  private push(e: number, kind: number, order: number, part: number, source: number = g.INITIAL): number {
    const { events, graph, made } = this;
    const hasBytes = (effectsOf(events, e) & BYTES) !== 0 || kind === g.LIFETIME;
    const hasLocation = kind === g.READ || kind === g.WRITE;
    const object = events.get(e, part >= 2 ? ev.E_MUTEX : ev.E_ADDRESS);
    const location = hasLocation ? this.locationAt(e, part, object, hasBytes) : g.NONE;
    made.fill(g.NONE);
    made[g.THREAD] = events.get(e, ev.E_THREAD);
    made[g.KIND] = kind;
    made[g.ORDER] = order;
    made[g.LOCATION] = location;
    made[g.SOURCE] = source;
    made[g.PART] = part;
    made[g.PARTS] = 0;
    made[g.OPERATION] = OPERATION_OF[events.get(e, ev.E_KIND)] ?? g.NONE;
    made[g.STATUS] = g.DONE;
    made[g.ADDRESS] = object;
    made[g.SIZE] = hasBytes ? events.get(e, ev.E_SIZE) : hasLocation ? this.objectSize(e, part) : 0;
    if (kind === g.SPAWN) made[g.EXTRA] = events.get(e, ev.E_OTHER);
    if (kind === g.JOIN) made[g.EXTRA] = graph.last[events.get(e, ev.E_OTHER)] ?? g.NONE;
    const event = graph.push(made, 0, kind === g.WRITE && hasBytes ? this.nextInOrder(e, location) : g.NONE);
    if (this.rejected === g.NONE && this.axioms?.admits(event) === false) this.rejected = event;
    return event;
  }
}
