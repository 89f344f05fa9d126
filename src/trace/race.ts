/**
 * Data races: two unordered accesses of different threads to the same bytes, at least one of them a write and at least
 * one not atomic (plain or volatile). Order comes from program order, creating and joining threads, locking after
 * unlocking the same mutex, and an acquire that reads what a release wrote (C11 section 5.1.2.4), fences included.
 *
 * Works on the finished execution, with vector clocks. It judges only this execution: another one may have a race that
 * this one does not have.
 */
import {
  ATOMIC,
  accessOf,
  BARRIER,
  BYTES,
  COMMITS,
  CREATES,
  EXCLUDES_ALL,
  effectsOf,
  FREES,
  GIVES_UP_MUTEX,
  JOINS,
  READS,
  SECTION,
  SLEEPS,
  TAKES_MUTEX,
  WRITES,
} from '../machine/events/effects.ts';
import * as ev from '../machine/events/event.ts';
import type { ProcessTable } from '../machine/state/process.ts';
import { acquires, isAtomic, ORDERS, type Order, releases } from '../program/types.ts';
import { INITIAL, ShashaSnirTrace } from './shasha-snir.ts';

interface Race {
  readonly first: number;
  readonly second: number;
}

interface Access {
  readonly event: number;
  readonly thread: number;
  /** The thread's own clock at the access. */
  readonly time: number;
  readonly isPlain: boolean;
}

/** The last write to a byte, and the last read of each thread since. */
interface ByteHistory {
  write: Access | undefined;
  readonly reads: Map<number, Access>;
}

type Clock = Map<number, number>;

function join(into: Clock, other: Clock | undefined): void {
  if (other === undefined) return;
  for (const [thread, time] of other) if (time > (into.get(thread) ?? 0)) into.set(thread, time);
}

export function findRace(events: ev.EventLog, processes: ProcessTable): Race | undefined {
  return new RaceFinder(events, processes).run();
}

class RaceFinder {
  private readonly events: ev.EventLog;
  private readonly trace: ShashaSnirTrace;
  private readonly clocks = new Map<number, Clock>();
  private readonly mutexes = new Map<number, Clock>();
  /** Per writing event: the clock that a thread joins when it acquires from it. */
  private readonly released = new Map<number, Clock>();
  private readonly fenceReleases = new Map<number, Clock>();
  private readonly fenceAcquires = new Map<number, Clock>();
  private readonly bytes = new Map<number, ByteHistory>();

  constructor(events: ev.EventLog, processes: ProcessTable) {
    this.events = events;
    this.trace = new ShashaSnirTrace(events, processes);
  }

  run(): Race | undefined {
    for (let e = 0; e < this.events.length; e++) {
      if ((effectsOf(this.events, e) & COMMITS) !== 0) continue;
      const race = this.visit(e);
      if (race !== undefined) return race;
    }
    return undefined;
  }

  private clock(thread: number): Clock {
    let clock = this.clocks.get(thread);
    if (clock === undefined) {
      clock = new Map([[thread, 0]]);
      this.clocks.set(thread, clock);
    }
    return clock;
  }

  private visit(e: number): Race | undefined {
    const { events } = this;
    const thread = events.get(e, ev.E_THREAD);
    const clock = this.clock(thread);
    clock.set(thread, clock.get(thread)! + 1);
    const other = events.get(e, ev.E_OTHER);
    const does = effectsOf(events, e);
    const access = accessOf(events.words, e * ev.EVENT_WORDS);
    if ((does & BYTES) !== 0) return this.visitBytes(e, thread, does, access);
    if ((does & CREATES) !== 0) this.clocks.set(other, new Map([...clock, [other, 0]]));
    else if ((does & JOINS) !== 0) join(clock, this.clocks.get(other));
    else if ((does & SECTION) !== 0) {
      // An atomic section comes after all earlier ones.
      if (access === EXCLUDES_ALL) join(clock, this.mutexes.get(-1));
      else this.mutexes.set(-1, new Map(clock));
    } else if ((does & TAKES_MUTEX) !== 0) {
      if ((access & WRITES) !== 0) join(clock, this.mutexes.get(events.get(e, ev.E_ADDRESS)));
    } else if ((does & GIVES_UP_MUTEX) !== 0) {
      this.mutexes.set(events.get(e, (does & SLEEPS) !== 0 ? ev.E_MUTEX : ev.E_ADDRESS), new Map(clock));
    } else if ((does & BARRIER) !== 0) this.visitFence(thread, clock, ORDERS[events.get(e, ev.E_ORDER)]!);
    return undefined;
  }

  private visitFence(thread: number, clock: Clock, order: Order): void {
    if (acquires(order)) join(clock, this.fenceAcquires.get(thread));
    if (releases(order)) this.fenceReleases.set(thread, new Map(clock));
  }

  private visitBytes(e: number, thread: number, does: number, access: number): Race | undefined {
    const order = ORDERS[this.events.get(e, ev.E_ORDER)]!;
    const writes = (access & WRITES) !== 0;
    if ((access & READS) !== 0) this.acquire(e, thread, acquires(order));
    if (writes && (does & FREES) === 0) {
      // A read-modify-write continues the release sequence of the write it reads. A store has no source.
      const [source] = this.trace.sourcesOf(e);
      this.release(e, thread, releases(order), source === undefined ? undefined : this.released.get(source));
    }
    return this.access(e, thread, writes, (does & ATOMIC) === 0 && !isAtomic(order));
  }

  private acquire(e: number, thread: number, isAcquire: boolean): void {
    for (const source of this.trace.sourcesOf(e)) {
      if (source === INITIAL) continue;
      const released = this.released.get(source);
      if (isAcquire) join(this.clock(thread), released);
      else if (released !== undefined) {
        const pending: Clock = this.fenceAcquires.get(thread) ?? new Map();
        join(pending, released);
        this.fenceAcquires.set(thread, pending);
      }
    }
  }

  private release(e: number, thread: number, isRelease: boolean, carried: Clock | undefined): void {
    const released: Clock = new Map(carried ?? []);
    if (isRelease) join(released, this.clock(thread));
    else join(released, this.fenceReleases.get(thread));
    if (released.size > 0) this.released.set(e, released);
  }

  private access(e: number, thread: number, writes: boolean, isPlain: boolean): Race | undefined {
    const { events } = this;
    const clock = this.clock(thread);
    const access: Access = { event: e, thread, time: clock.get(thread)!, isPlain };
    const start = events.get(e, ev.E_ADDRESS);
    const races = (earlier: Access | undefined): boolean =>
      earlier !== undefined &&
      earlier.thread !== thread &&
      (earlier.isPlain || isPlain) &&
      earlier.time > (clock.get(earlier.thread) ?? 0);
    for (let address = start; address < start + events.get(e, ev.E_SIZE); address++) {
      let history = this.bytes.get(address);
      if (history === undefined) {
        history = { write: undefined, reads: new Map() };
        this.bytes.set(address, history);
      }
      if (races(history.write)) return { first: history.write!.event, second: e };
      if (!writes) {
        history.reads.set(thread, access);
        continue;
      }
      for (const read of history.reads.values()) if (races(read)) return { first: read.event, second: e };
      history.write = access;
      history.reads.clear();
    }
    return undefined;
  }
}
