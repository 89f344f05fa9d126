/**
 * The graph of an execution that the machine has run, from its events, as far as happens-before needs it: its races. The
 * machine's order respects po and rf; every event knows what it read.
 */

import type { ProgramError } from '../../machine/code/error.ts';
import * as op from '../../machine/code/opcodes.ts';
import { ACQUIRE, orderCode, RELEASE } from '../../machine/code/order.ts';
import { describeRace } from '../../machine/describe/race.ts';
import {
  accessOf,
  BYTES,
  CREATES,
  effectsOf,
  FREES,
  GIVES_UP_MUTEX,
  JOINS,
  OBJECT,
  READS,
  SLEEPS,
  TAKES_MUTEX,
  WRITES,
} from '../../machine/events/effects.ts';
import * as ev from '../../machine/events/event.ts';
import type { Machine } from '../../machine/machine.ts';
import { INITIAL, ShashaSnirTrace } from '../../trace/shasha-snir.ts';
import { adviseOrder } from './advice.ts';
import * as g from './fields.ts';
import { Graph } from './graph.ts';
import { findRace } from './races.ts';

const RELAXED = orderCode('relaxed');
/** By kind of event: the operation, where races depend on it. */
const OPERATION_OF: Readonly<Record<number, number>> = { [ev.FREE_EVENT]: op.FREE, [ev.WAKE_EVENT]: op.WAKE };

export interface GraphRace {
  /** Numbers of the machine's events. */
  readonly first: number;
  readonly second: number;
}

/** The first race of the execution, if its model forbids races. */
export function findGraphRace(machine: Machine): GraphRace | undefined {
  return new Rebuilding(machine, findRace).run();
}

/** Whether the search that was given finds a pair of events in the execution. */
export function hasPair(machine: Machine, find: FindPair): boolean {
  return new Rebuilding(machine, find).run() !== undefined;
}

/** An event that belongs with this one, which is the newest of its thread; NONE if there is none. */
export type FindPair = (graph: Graph, event: number) => number;

/** The same as an error. */
export function judgeGraphRaces(machine: Machine): ProgramError | undefined {
  const race = findGraphRace(machine);
  return race === undefined ? undefined : graphRaceError(machine, race.first, race.second);
}

/** With what would order the two, if that is a memory order. */
export function graphRaceError(machine: Machine, first: number, second: number): ProgramError {
  const error = describeRace(machine, first, second);
  const notes = adviseOrder(machine, first, second);
  return notes.length === 0 ? error : { ...error, notes };
}

class Rebuilding {
  private readonly events: ev.EventLog;
  private readonly trace: ShashaSnirTrace;
  private readonly graph = new Graph();
  private readonly made = new Int32Array(g.FIELDS);
  /** Per machine event: the last event of the graph that belongs to it. */
  private readonly lasts: number[] = [];
  /** Per object: the last operation on it. */
  private readonly objects = new Map<number, number>();

  private readonly find: FindPair;

  constructor({ events, processes }: Machine, find: FindPair) {
    this.find = find;
    this.events = events;
    this.trace = new ShashaSnirTrace(events, processes);
    this.graph.addLocation(0);
    for (let slot = 0; slot < processes.threadCount; slot++) this.graph.addThread(slot);
  }

  run(): GraphRace | undefined {
    const { events, graph, lasts } = this;
    for (let e = 0; e < events.length; e++) {
      this.add(e);
      lasts.push(graph.length - 1);
      for (let event = e === 0 ? 0 : lasts[e - 1]! + 1; event < graph.length; event++) {
        const other = this.find(graph, event);
        if (other !== g.NONE) return { first: lasts.findIndex((last) => last >= other), second: e };
      }
    }
    return undefined;
  }

  private add(e: number): void {
    const { events } = this;
    const does = effectsOf(events, e);
    const access = accessOf(events.words, e * ev.EVENT_WORDS);
    const order = events.get(e, ev.E_ORDER);
    if ((does & FREES) !== 0 || events.get(e, ev.E_KIND) === ev.LIFETIME_EVENT) this.push(e, g.LIFETIME, 0, 0);
    else if ((does & BYTES) !== 0) {
      const reads = (access & READS) !== 0;
      if (reads) this.push(e, g.READ, order, 0, this.sourceOf(e));
      if ((access & WRITES) !== 0) this.push(e, g.WRITE, order, reads ? 1 : 0);
    } else if ((does & OBJECT) !== 0) this.addObject(e, does, access);
    else if (events.get(e, ev.E_KIND) === ev.FENCE_EVENT) this.push(e, g.FENCE_EVENT, order, 0);
    else if ((does & CREATES) !== 0) this.push(e, g.SPAWN, 0, 0);
    else if ((does & JOINS) !== 0) this.push(e, g.JOIN, 0, 0);
    else this.push(e, g.OTHER, 0, 0);
  }

  /** Mixed sizes are ordered, so that any of the sources will do where there are several. */
  private sourceOf(e: number): number {
    const source = this.trace.sourcesOf(e).find((s) => s !== INITIAL);
    return source === undefined ? g.INITIAL : this.lasts[source]!;
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

  private push(e: number, kind: number, order: number, part: number, source: number = g.INITIAL): number {
    const { events, graph, made } = this;
    const hasBytes = (effectsOf(events, e) & BYTES) !== 0 || kind === g.LIFETIME;
    made.fill(g.NONE);
    made[g.THREAD] = events.get(e, ev.E_THREAD);
    made[g.KIND] = kind;
    made[g.ORDER] = order;
    made[g.LOCATION] = kind === g.READ || kind === g.WRITE ? 0 : g.NONE;
    made[g.SOURCE] = source;
    made[g.PART] = part;
    made[g.PARTS] = 0;
    made[g.OPERATION] = OPERATION_OF[events.get(e, ev.E_KIND)] ?? g.NONE;
    made[g.STATUS] = g.DONE;
    made[g.ADDRESS] = events.get(e, part >= 2 ? ev.E_MUTEX : ev.E_ADDRESS);
    made[g.SIZE] = hasBytes ? events.get(e, ev.E_SIZE) : kind === g.READ || kind === g.WRITE ? g.OBJECT : 0;
    if (kind === g.SPAWN) made[g.EXTRA] = events.get(e, ev.E_OTHER);
    if (kind === g.JOIN) made[g.EXTRA] = graph.last[events.get(e, ev.E_OTHER)] ?? g.NONE;
    return graph.push(made, 0);
  }
}
