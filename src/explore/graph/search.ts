/**
 * The search over execution graphs: TruSt, [TRUST] Alg. 1, with a model's consistency as its only parameter.
 *
 *   [TRUST]                          here
 *   VISIT(P, G)                      `extend` until nothing is left to add; `Ways.backtrack` for the other ways
 *   next_P(G)                        `extend`: of the first thread that has one; begun operations come first
 *   a ∈ R, for w: SetRF(G, a, w)     `Adder.addRead`, a READ_FRAME
 *   a ∈ W, VisitCOs(G, a)            `Adder.addWrite`, a WRITE_FRAME
 *   VisitCOs(SetRF(G|…, r, a), a)    `Ways.revisit`, a REVISIT_FRAME
 *   cons_m(G)                        `consistency.admits`
 *
 * There is no set of visited graphs. Memory is linear in the execution, times the depth of nested revisits.
 *
 * Deviations
 *   - recursion is a stack of frames (frames.ts)
 *   - the machine runs the operations, in an order that respects po and rf (log.ts). After a revisit it rolls back to
 *     where the two schedules diverge, and runs on from there. Only consistent graphs are run.
 *   - an operation has up to four events: a read-modify-write has a read and a write, a condition wait two of each.
 *     It runs when all of them are in the graph.
 *   - a mutex or condition variable is a location, each operation on it a read-modify-write. So the machine runs them
 *     in the order of the graph. Atomic sections are one lock, at address 0.
 *   - a read with which its thread cannot continue (a held lock, an `await` whose condition does not hold) is in the
 *     graph but is not run: the thread is blocked unless the read is revisited. If its source is not the newest write,
 *     no write will ever revisit it, since it was not added maximally; then nothing new lies ahead, and the graph is
 *     abandoned.
 *   - so is a graph in which a thread sleeps in a waiting loop after a read that was not of the newest write
 *   - what graphs do not model is refused: that branch is abandoned, and the search is incomplete
 *   - a join runs once its thread has ended, and a program's exit comes last: neither has alternatives, and no other
 *     event depends on when they run
 */
import type { ProgramError } from '../../machine/code/error.ts';
import * as op from '../../machine/code/opcodes.ts';
import { describeRace } from '../../machine/describe/race.ts';
import * as ev from '../../machine/events/event.ts';
import type { Machine } from '../../machine/machine.ts';
import { GraphMemory } from '../../machine/memory/graph.ts';
import {
  NextAccess,
  NO_ACCESS,
  READS_ONCE,
  READS_THEN_WRITES,
  WAITS_ON_CONDITION,
  WRITES_ONCE,
} from '../../machine/next-access.ts';
import { FAILED, RUNNABLE, SPINNING, T_STATUS } from '../../machine/state/layout.ts';
import { processOf, type Step } from '../../machine/state/process.ts';
import type { Bound } from '../bound.ts';
import type { Divisible } from '../dpor/divisible.ts';
import type { Job } from '../dpor/job.ts';
import type { SearchLevel } from '../dpor/search-state.ts';
import { ABANDON, NO_STEP, type Strategy } from '../strategy.ts';
import { Adder, UNDECIDED } from './adder.ts';
import { AllErrors } from './all-errors.ts';
import type { Consistency } from './consistency.ts';
import { EventMaker } from './event-maker.ts';
import * as g from './fields.ts';
import { CHOICE_FRAME, F_READ } from './frames.ts';
import { Graph } from './graph.ts';
import { LockWaits } from './lock-waits.ts';
import { Log } from './log.ts';
import { levelsOf, pathOf } from './path.ts';
import { findRace } from './races.ts';
import { MIXED, UNORDERED_LIFETIME, Unmodelled } from './unmodelled.ts';
import { Ways } from './ways.ts';

/** The graph has changed; look again for what comes next. */
const AGAIN = -3;

export interface GraphOptions {
  /** Find all errors, not only the first. */
  readonly keepsGoing?: boolean | undefined;
  /** Whether to give up at once where a thread would wait for a lock forever: `lock-waits.ts`. On by default. */
  readonly knowsLocks?: boolean;
  /** Whether to leave out read-modify-writes whose write would have no place: `adder.ts`. On by default. */
  readonly knowsRivals?: boolean;
}

export class GraphSearch implements Strategy, Divisible {
  readonly name = 'graph';
  readonly looksForSteps = true;
  readonly knowsAxioms = true;
  private readonly machine: Machine;
  private readonly memory: GraphMemory;
  private readonly next: NextAccess;
  readonly graph: Graph = new Graph();
  private readonly log = new Log(this.graph);
  private readonly consistency: Consistency;
  private readonly ways: Ways;
  private readonly maker: EventMaker;
  private readonly adder: Adder;
  private started = false;
  /** Frames above the job; and whether an execution below it has ended. */
  private above = 0;
  private hasExplored = false;
  /** How many steps of the schedule the machine has taken. */
  private position = 0;
  /** The graph is already that of the next execution. */
  private isBack = false;
  /** Nothing new lies ahead. */
  private givesUp = false;
  /** The slot that took the last step, if the schedule grew by it; else -1. */
  private stepped = -1;
  private first = g.NONE;
  private second = g.NONE;
  private readonly unmodelled: Unmodelled;
  private refused: Bound | undefined;

  /** Present if all errors are wanted, not only the first. */
  private readonly errors: AllErrors | undefined;
  /** The last step was new. */
  private isNew = false;

  constructor(machine: Machine, consistency: (graph: Graph) => Consistency, options: GraphOptions = {}) {
    if (!(machine.memory instanceof GraphMemory)) throw new Error(`${machine.model} has no execution graphs`);
    this.machine = machine;
    this.memory = machine.memory;
    this.next = new NextAccess(machine);
    this.consistency = consistency(this.graph);
    this.unmodelled = new Unmodelled(machine, this.graph, this.memory, this.next, this.consistency);
    const { memory, next, graph, log, unmodelled } = this;
    this.maker = new EventMaker({ machine, memory, next, graph, log, unmodelled });
    this.ways = new Ways(graph, log, this.consistency, this.maker.slots);
    const { maker, ways } = this;
    const { forbidsRaces } = this.consistency;
    const lockWaits = options.knowsLocks === false ? undefined : new LockWaits(graph, machine.code, forbidsRaces);
    this.adder = new Adder({
      machine,
      memory,
      next,
      graph,
      log,
      maker,
      ways,
      lockWaits,
      knowsRivals: options.knowsRivals !== false,
      consistency: this.consistency,
    });
    this.errors =
      options.keepsGoing === true && forbidsRaces ? new AllErrors(machine, this.graph, this.log) : undefined;
  }

  /** The slot of each thread, by its number in the graph. */
  get slots(): readonly number[] {
    return this.maker.slots;
  }

  get incomplete(): Bound | undefined {
    return this.refused;
  }

  /** The race in which the execution ended. */
  get found(): ProgramError | undefined {
    if (this.first === g.NONE) return undefined;
    const [a, b] = [this.graph.get(this.first, g.LOG), this.graph.get(this.second, g.LOG)];
    return describeRace(this.machine, Math.min(a, b), Math.max(a, b));
  }

  // ---- as plain data

  /**
   * What is left; only between two executions. Not if all errors are wanted: errors still to be shown are not saved.
   * The threads' slots must be fixed, since the search visits threads in the order of their slots.
   */
  save(): { readonly levels: readonly SearchLevel[] } {
    const { isReplaying, errors, machine } = this;
    if (isReplaying || errors !== undefined || !machine.processes.areFixed)
      throw new Error('this search over graphs cannot be saved here');
    return { levels: levelsOf(this.ways.frames, this.slots, this.above, this.isBack) };
  }

  /** The path to what is left has yet to be replayed, or no execution below it has ended yet. */
  get isReplaying(): boolean {
    return this.ways.isReplaying || !this.hasExplored;
  }

  /** Continues a saved search. */
  resume(levels: readonly SearchLevel[]): void {
    this.take({ shared: [], own: levels });
    // Nothing is left.
    if (levels.length === 0) {
      this.started = true;
      this.hasExplored = true;
    }
  }

  /** Starts or continues this job. */
  take(job: Job): void {
    const { graph, log } = this;
    this.ways.begin(pathOf(job));
    this.above = job.shared.length;
    graph.length = 0;
    graph.index();
    log.clear();
    this.started = false;
    this.isBack = false;
    this.hasExplored = false;
  }

  beginExecution(): number {
    const { errors } = this;
    this.first = g.NONE;
    if (errors?.shown !== undefined) errors.restore();
    else if (errors?.isWaiting !== true) {
      this.givesUp = false;
      this.stepped = -1;
      if (!this.started) this.started = true;
      else if (this.isBack) this.isBack = false;
      else if (!this.ways.backtrack()) return -1;
    }
    if (errors?.isWaiting === true) errors.show();
    this.position = this.common;
    return this.position;
  }

  /** How many steps of the schedule the machine has taken already. */
  private get common(): number {
    const { log, machine } = this;
    const { words } = machine.events;
    const both = Math.min(machine.depth, log.length);
    let same = 0;
    while (same < both && words[same * ev.EVENT_WORDS + ev.E_STEP] === log.steps.get(same)) same++;
    return same;
  }

  pick(): Step | typeof ABANDON | typeof NO_STEP {
    const { log, errors, machine } = this;
    if (errors?.shown !== undefined) return this.showOn(errors, errors.shown);
    if (errors !== undefined && this.isNew && this.findErrors(errors)) return ABANDON;
    if (errors !== undefined && machine.hasFailed) machine.pardon();
    if (this.position < log.length) return this.again();
    if (this.first !== g.NONE) return ABANDON;
    if (machine.isOver) return this.end();
    if (this.stepped >= 0) this.checkSleep(this.stepped);
    this.stepped = -1;
    for (;;) {
      if (this.givesUp) return ABANDON;
      if (this.position < log.length) return this.again();
      const step = this.extend();
      if (step === NO_STEP) return this.end();
      if (step !== AGAIN) return step;
    }
  }

  /** After an error, the end of an execution says nothing. */
  private end(): typeof ABANDON | typeof NO_STEP {
    const { errors, machine } = this;
    const what = this.unmodelled.ending();
    if (what !== undefined) return this.refuseSites(what, []);
    if (errors === undefined || machine.outcome === 'limit') return NO_STEP;
    const hasFailed = this.maker.slots.some((slot) => machine.threads.get(slot, T_STATUS) === FAILED);
    return hasFailed || errors.hasRace ? ABANDON : NO_STEP;
  }

  /** The next step of the schedule. A thread that failed may not be able to take it. */
  private again(): Step | typeof ABANDON {
    const { log, machine } = this;
    const event = log.events.get(this.position);
    const step = log.steps.get(this.position++);
    const slot = processOf(step);
    if (machine.threads.get(slot, T_STATUS) === FAILED) return ABANDON;
    return this.isNext(slot, event) ? step : this.refuse(UNORDERED_LIFETIME, slot);
  }

  /**
   * Whether the thread is about to do what the graph says. The library reads the words of objects without making
   * events; if nothing orders that with their beginning or end, it may see something else when steps are taken in
   * another order.
   */
  private isNext(slot: number, event: number): boolean {
    return this.next.operationOf(slot) === this.graph.get(event, g.OPERATION);
  }

  /** Runs the execution of an error, which ends there. If another error ends it earlier, it counts as that one. */
  private showOn(errors: AllErrors, shown: readonly number[]): Step | typeof ABANDON | typeof NO_STEP {
    const { machine, log } = this;
    if (this.position < log.length) {
      if (!machine.hasFailed) return log.steps.get(this.position++);
      return errors.isNewFailure() ? NO_STEP : ABANDON;
    }
    // A step accesses memory first, so it races before it fails.
    if (shown.length === 2) [this.first, this.second] = shown as [number, number];
    else if (machine.hasFailed) return NO_STEP;
    return ABANDON;
  }

  /** After a new step: whether there are errors to show before the search continues. */
  private findErrors(errors: AllErrors): boolean {
    const { graph, log, machine } = this;
    this.isNew = false;
    if (machine.hasFailed) errors.noteFailure(log.events.get(log.length - 1));
    const race = errors.collect();
    if (race !== undefined) {
      this.givesUp = true;
      const sites = race.map((event) => machine.events.get(graph.get(event, g.LOG), ev.E_SITE));
      this.refuseSites(errors.isOfObject(race[0]!, race[1]!) ? UNORDERED_LIFETIME : MIXED, sites);
    }
    return errors.isWaiting;
  }

  observe(): void {}

  endExecution(): void {
    if (!this.isBack) this.hasExplored = true;
  }

  /** A thread that sleeps after a read that will never be revisited sleeps forever. */
  private checkSleep(slot: number): void {
    const { machine, graph } = this;
    if (machine.threads.get(slot, T_STATUS) !== SPINNING) return;
    const last = graph.last[this.maker.threads[slot]!]!;
    if (graph.get(last, g.KIND) === g.READ && !this.readsNewest(last)) this.givesUp = true;
  }

  private readsNewest(read: number): boolean {
    const { graph } = this;
    return graph.get(read, g.SOURCE) === graph.newest[graph.get(read, g.LOCATION)];
  }

  private extend(): number {
    const { graph, machine } = this;
    if (graph.pending > 0) {
      const event = this.firstPending();
      return this.continueOperation(this.maker.slots[graph.get(event, g.THREAD)]!);
    }
    let exits = -1;
    for (let slot = 0; slot < machine.processes.threadCount; slot++) {
      if (machine.threads.get(slot, T_STATUS) !== RUNNABLE || this.isBlocked(slot)) continue;
      this.next.of(slot);
      if (this.next.operation === op.EXIT) exits = slot;
      else if (this.next.operation !== op.JOIN || machine.choices(slot) > 0) return this.continueOperation(slot);
    }
    if (exits >= 0) return this.continueOperation(exits);
    for (const last of graph.last) {
      if (last !== g.NONE && graph.get(last, g.STATUS) === g.BLOCKED && !this.readsNewest(last)) return ABANDON;
    }
    return NO_STEP;
  }

  private isBlocked(slot: number): boolean {
    const thread = this.maker.threads[slot] ?? -1;
    const last = thread < 0 ? g.NONE : this.graph.last[thread]!;
    return last !== g.NONE && this.graph.get(last, g.STATUS) === g.BLOCKED;
  }

  /** The first pending event whose operation reads nothing that is itself pending. */
  private firstPending(): number {
    const { graph } = this;
    // Nearly always only one operation is pending, that of the newest event.
    const newest = graph.length - 1;
    if (graph.get(newest, g.STATUS) === g.PENDING && graph.pending === graph.get(newest, g.PART) + 1) return newest;
    for (let e = 0; e < graph.length; e++) {
      if (graph.get(e, g.STATUS) !== g.PENDING) continue;
      const last = graph.last[graph.get(e, g.THREAD)]!;
      if (!this.log.readsPending(last)) return e;
    }
    throw new Error('pending operations wait for each other');
  }

  /** Adds the next event of the thread's operation, or runs it if it has them all. */
  private continueOperation(slot: number): number {
    const { next, graph, unmodelled } = this;
    next.of(slot);
    const last = graph.last[this.maker.threadOf(slot)]!;
    const isBegun = last !== g.NONE && graph.get(last, g.STATUS) === g.PENDING;
    if (isBegun && !this.isNext(slot, last)) return this.refuse(UNORDERED_LIFETIME, slot);
    const part = isBegun ? graph.get(last, g.PART) + 1 : 0;
    const what = unmodelled.operation(slot);
    if (what !== undefined) return this.refuse(what, slot);
    if (part === 0) {
      const thread = this.maker.threadOf(slot);
      const other = next.access === NO_ACCESS || next.size === 0 ? g.NONE : unmodelled.mixed(thread);
      if (other !== g.NONE) return this.refuse(MIXED, slot, other);
      const lifetime = unmodelled.lifetime(thread);
      if (lifetime !== g.NONE) return this.refuse(UNORDERED_LIFETIME, slot, lifetime);
    }
    switch (next.access) {
      case READS_ONCE:
        return part === 0 ? this.addRead(slot, part) : this.run(slot);
      case WRITES_ONCE:
        return part === 0 ? this.addWrite(slot, part) : this.run(slot);
      case READS_THEN_WRITES:
      case WAITS_ON_CONDITION:
        if ((part & 1) === 0 && part < this.maker.parts) return this.addRead(slot, part);
        return part < this.maker.parts ? this.continueRead(slot, last, part) : this.run(slot);
      default:
        return part === 0 ? this.addOther(slot) : this.run(slot);
    }
  }

  /** After the read of a read-modify-write: waits, writes or, if it does not write, runs. */
  private continueRead(slot: number, read: number, part: number): number {
    const { next, graph, adder } = this;
    adder.readValue(read);
    if (next.waits(adder.low)) {
      if (!this.readsNewest(read)) return ABANDON;
      graph.setStatus(read, g.BLOCKED);
      return AGAIN;
    }
    // The second write of a condition wait gives up the mutex.
    const writes = part === 3 ? this.givesUpMutex() : next.writes(adder.low, adder.high);
    return writes ? this.addWrite(slot, part) : this.run(slot);
  }

  private givesUpMutex(): true {
    this.next.low = 0;
    this.next.high = 0;
    return true;
  }

  private addRead(slot: number, part: number): typeof AGAIN {
    this.adder.addRead(slot, part);
    return AGAIN;
  }

  private addWrite(slot: number, part: number): typeof AGAIN | typeof ABANDON {
    if (this.adder.addWrite(slot, part)) return AGAIN;
    // The write can only revisit. The machine need not roll back if it has run nothing that is deleted, as when a
    // thread waits.
    if (!this.ways.isRevisitNext || !this.ways.backtrack()) return ABANDON;
    this.position = this.common;
    if (this.position === this.machine.depth) return AGAIN;
    this.isBack = true;
    return ABANDON;
  }

  private addOther(slot: number): typeof AGAIN {
    this.adder.addOther(slot);
    return AGAIN;
  }

  /** Runs the thread's operation, all of whose events are in the graph. */
  private run(slot: number): number {
    const { graph, log } = this;
    const { frames } = this.ways;
    const event = graph.last[this.maker.threadOf(slot)]!;
    if (graph.get(event, g.CHOICE) === UNDECIDED) {
      const choices = this.machine.choices(slot);
      graph.set(event, g.CHOICE, 0);
      if (choices > 1) {
        frames.push(CHOICE_FRAME, graph.length, log.length, graph.words, event * g.FIELDS);
        frames.set(F_READ, event);
        for (let choice = 1; choice < choices; choice++) frames.ways.push(choice);
        this.ways.settle();
      }
    }
    // The operation that it read from may have got further events since.
    for (let e = event; ; e = graph.get(e, g.PREVIOUS)) {
      if (graph.get(e, g.KIND) === g.READ) this.refresh(e, event);
      if (graph.get(e, g.PART) === 0) break;
    }
    if (this.errors !== undefined) this.errors.noteRaces(event);
    else if (this.consistency.forbidsRaces) this.noteRace(event);
    const step = log.append(slot, event);
    this.position = log.length;
    this.stepped = slot;
    this.isNew = true;
    return step;
  }

  /**
   * Computes the clocks from this read on, if the operation that it read from may not have been whole when it was
   * added.
   */
  private refresh(read: number, last: number): void {
    const { graph } = this;
    const source = graph.get(read, g.SOURCE);
    if (source < 0 || graph.get(source, g.PARTS) <= graph.get(source, g.PART) + 1) return;
    graph.computeClocks(read);
    if (last !== read) graph.computeClocks(last);
  }

  private noteRace(last: number): void {
    const { graph } = this;
    for (let event = last; ; event = graph.get(event, g.PREVIOUS)) {
      const other = findRace(graph, event);
      if (other !== g.NONE) {
        this.first = other;
        this.second = event;
        return;
      }
      if (graph.get(event, g.PART) === 0) return;
    }
  }

  /** Ends this branch, so that the search is incomplete: the thread's next operation, with `other`, is not modelled. */
  private refuse(what: string, slot: number, other: number = g.NONE): typeof ABANDON {
    const { machine, graph } = this;
    const sites = [machine.upcoming.nextSite(slot)];
    if (other !== g.NONE) sites.unshift(machine.events.get(graph.get(other, g.LOG), ev.E_SITE));
    return this.refuseSites(what, sites);
  }

  private refuseSites(what: string, sites: readonly number[]): typeof ABANDON {
    const places = sites.flatMap((site) => this.machine.code.sites[site]?.instruction.location ?? []);
    this.refused ??= { kind: 'unmodelled', what, places };
    return ABANDON;
  }
}
