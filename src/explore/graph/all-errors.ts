/**
 * All errors of a program, not only the first: for `--keep-going`.
 *
 * An error ends its execution. But its thread may also run on, before what the error needs has happened or without it;
 * and what other threads would have done later may revisit a read. So the search continues past an error: a thread that
 * failed stays where it is, threads that race run on. An error found there counts only if it does not need an earlier
 * one, that is, if it is the first error of its porf-prefix, which is itself an execution. That execution is then
 * run and shown.
 *
 *   candidates   the errors of the last step
 *   found        those that count
 *   shown        the one being run now: the graph is cut down to it, and `saved` has the whole graph
 */

import * as op from '../../machine/code/opcodes.ts';
import * as ev from '../../machine/events/event.ts';
import type { Machine } from '../../machine/machine.ts';
import { H_ERROR, H_ERROR_DETAIL, H_ERROR_SITE } from '../../machine/state/layout.ts';
import { LIFETIME_KINDS } from '../../program/ir.ts';
import { IntVector } from '../../util/int-vector.ts';
import * as g from './fields.ts';
import type { Graph } from './graph.ts';
import type { Log } from './log.ts';
import { findRace, race, sharesBytes } from './races.ts';
import { restrict } from './restrict.ts';
import { restoreGraph, saveGraph } from './saved-graph.ts';

interface Found {
  /** One for a failure, two for a race. */
  readonly events: readonly number[];
  /** The events whose porf-prefixes it needs. */
  readonly needed: readonly number[];
}

export class AllErrors {
  private readonly machine: Machine;
  private readonly graph: Graph;
  private readonly log: Log;
  private readonly candidates: (readonly number[])[] = [];
  /** Errors still to be shown. */
  private readonly found: Found[] = [];
  private readonly known = new Set<string>();
  private readonly saved = new IntVector();
  private kept = new Uint8Array(64);
  private readonly moved = new IntVector();
  /** The events of the error being shown, in the graph cut down to it. */
  shown: readonly number[] | undefined;

  constructor(machine: Machine, graph: Graph, log: Log) {
    this.machine = machine;
    this.graph = graph;
    this.log = log;
  }

  /** Notes the races of an operation that is about to run, with `last` as its last event. */
  noteRaces(last: number): void {
    const { graph } = this;
    for (let event = last; ; event = graph.get(event, g.PREVIOUS)) {
      for (let e = findRace(graph, event); e !== g.NONE; e = findRace(graph, event, e + 1)) {
        this.candidates.push([e, event]);
      }
      if (graph.get(event, g.PART) === 0) return;
    }
  }

  /** The step has ended in an error of its thread; `event` is its last event. */
  noteFailure(event: number): void {
    this.candidates.push([event]);
  }

  /**
   * Decides, after the step, which of its errors count. Returns a race after which graphs no longer model the
   * execution, if there is one.
   */
  collect(): readonly number[] | undefined {
    const last = this.candidates.find(([a, b]) => b !== undefined && (this.isMixed(a!, b) || this.isOfObject(a!, b)));
    for (const events of this.candidates) {
      const key = this.keyOf(events);
      if (this.known.has(key)) continue;
      const needed = this.neededFor(events);
      this.keep(needed);
      if (!this.isFirst(events)) continue;
      this.known.add(key);
      this.found.push({ events, needed });
    }
    this.candidates.length = 0;
    return last;
  }

  get isWaiting(): boolean {
    return this.found.length > 0;
  }

  /** Cuts the graph down to the next error to show. */
  show(): void {
    const { graph, log, saved } = this;
    const { events, needed } = this.found.shift()!;
    this.keep(needed);
    saved.clear();
    saveGraph(graph, saved);
    log.save(saved);
    restrict(graph, this.kept, this.moved);
    this.shown = events.map((event) => this.moved.get(event));
    log.restrict(this.moved.words, g.NONE);
  }

  /** After an error was shown: the whole graph again. */
  restore(): void {
    const { graph, log, saved } = this;
    log.restore(saved.words, restoreGraph(graph, saved.words, 0));
    this.shown = undefined;
  }

  /** Accesses of different sizes. */
  private isMixed(a: number, b: number): boolean {
    const { graph } = this;
    const isAccess = graph.get(a, g.KIND) !== g.LIFETIME && graph.get(b, g.KIND) !== g.LIFETIME;
    return isAccess && graph.get(a, g.LOCATION) !== graph.get(b, g.LOCATION);
  }

  /**
   * A use of an object and what begins, ends or overwrites it. The library reads the object's words without making
   * events.
   */
  isOfObject(a: number, b: number): boolean {
    const { graph } = this;
    return [a, b].some((e) => {
      if (graph.get(e, g.SIZE) < 0) return true;
      return graph.get(e, g.OPERATION) === op.LIFETIME && LIFETIME_KINDS[graph.get(e, g.LOW)] !== 'allocated';
    });
  }

  /** Identifies an error by place and kind. */
  private keyOf(events: readonly number[]): string {
    const { machine, graph } = this;
    const place = (event: number): string => {
      const at = graph.get(event, g.LOG);
      return [ev.E_THREAD, ev.E_SITE, ev.E_KIND].map((field) => machine.events.get(at, field)).join(' ');
    };
    return events.length === 2 ? events.map(place).sort().join() : this.failure;
  }

  private get failure(): string {
    const { words } = this.machine.state;
    return [H_ERROR, H_ERROR_SITE, H_ERROR_DETAIL].map((word) => words[word]).join();
  }

  /** Whether the machine's failure is new; it is known from now on. */
  isNewFailure(): boolean {
    const { known, failure } = this;
    if (known.has(failure)) return false;
    known.add(failure);
    return true;
  }

  /**
   * The operations of the error as a whole, since parts of them cannot run; and for an access to memory that has ended,
   * which is not in the graph, also that end.
   */
  private neededFor(events: readonly number[]): readonly number[] {
    const { graph, machine, log } = this;
    const address = machine.events.get(graph.get(events[0]!, g.LOG), ev.E_ADDRESS);
    const needed = events.map((event) => log.events.get(graph.get(event, g.LOG)));
    if (events.length === 2 || address === 0) return needed;
    for (let e = 0; e < graph.length; e++) {
      const isEnd = graph.get(e, g.OPERATION) === op.FREE && graph.get(e, g.STATUS) === g.DONE;
      if (isEnd && sharesBytes(address, 1, graph.get(e, g.ADDRESS), graph.get(e, g.SIZE))) needed.push(e);
    }
    return needed;
  }

  /** Marks in `kept` the porf-prefixes of these events. */
  private keep(needed: readonly number[]): void {
    const { graph } = this;
    if (this.kept.length < graph.length) this.kept = new Uint8Array(2 * graph.length);
    for (let e = 0; e < graph.length; e++) this.kept[e] = needed.some((of) => graph.isInPrefix(e, of)) ? 1 : 0;
  }

  /** Whether the kept events have no earlier error, in the order of the schedule. A step races before it fails. */
  private isFirst(events: readonly number[]): boolean {
    const { graph, kept } = this;
    const [first, last] = events.map((event) => graph.get(event, g.LOG));
    const isEarlier = (a: number, b: number): boolean => {
      const [from, to] = [Math.min(a, b), Math.max(a, b)];
      return last === undefined ? to <= first! : to < last || (to === last && from < first!);
    };
    for (let b = 0; b < graph.length; b++) {
      if (kept[b] === 0 || graph.get(b, g.SIZE) === 0) continue;
      for (let a = 0; a < b; a++) {
        if (kept[a] === 0 || !race(graph, a, b)) continue;
        if (isEarlier(graph.get(a, g.LOG), graph.get(b, g.LOG))) return false;
      }
    }
    return true;
  }

  /** Whether the graph has a race: then the end of its execution is not a further error. */
  get hasRace(): boolean {
    const { graph } = this;
    for (let b = 0; b < graph.length; b++) {
      for (let a = 0; a < b; a++) if (race(graph, a, b)) return true;
    }
    return false;
  }
}
