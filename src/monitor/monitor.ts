/**
 * monitor/: what to look for in a sequentially consistent execution.
 *
 * A monitor observes the events of an SC machine in order, and decides whether the program has an execution under TSO
 * or PSO that is not sequentially consistent: whether event e, which came after the write w here, could have come
 * before w reached memory, although w happens before the previous event of e's thread. The pair (e, w) is a violation
 * ([MON] Sect. 7: violations with the same pair of source locations count as one).
 *
 * Monitors know events (`machine/events/event.ts`) and what `trace/` offers, but no search and no memory model's
 * machine. They work on anything that calls `observe` for every event and `rollback` on backtracking: an exploration,
 * or a single run.
 *
 *   event-clock.ts               happens-before of the execution and the conflicts of each event: shared by all
 *   shared-rows.ts               what each event knows, in rows of clocks that events share
 *   mapping.ts                   how the writes of an SC execution go through store buffers (docs/models.md)
 *   causal-tso.ts causal-pso.ts  ours: complete on one execution per trace. Prefer these
 *   tso.ts pso.ts                [MON]: complete over all interleavings only
 *   sober.ts sober-fixed.ts      [SOBER]: as published, and corrected
 *   overwritten.ts               for the sober monitors: what each write overwrote, as far as it matters
 *   monitors.ts                  several monitors at once, over one clock
 *
 * A monitor keeps its data about an event in a row with that event's number, so that rolling back costs nothing; the
 * few exceptions keep a journal.
 */

import type { Awaiting } from '../machine/run/upcoming.ts';
import { IntVector } from '../util/int-vector.ts';

/** Watches events as they happen, and forgets them when the machine rolls back. */
export interface EventFollower {
  /** Called once per event, in order. */
  observe(event: number): void;
  /** Forgets all events from number `depth` on. */
  rollback(depth: number): void;
}

/**
 * Can drop events that cannot matter to any later event, so that it can follow a run of any length. It cannot roll back
 * past them.
 */
export interface Forgetful {
  /**
   * Lowers `limits[q]` to the index up to which the events of thread q are settled: they are known to come before any
   * thread's next event, and their stores to have reached memory by then.
   */
  lowerLimits(limits: Int32Array): void;
  /** Sets `live[e]` for every event that is still needed, given those that others need. No event within `limits` is. */
  markLive(live: Uint8Array, limits: Int32Array): void;
  /** Event `kept[i]` is now number i, and event e number `numbers[e]`. */
  renumber(kept: Int32Array, numbers: Int32Array): void;
}

/** An `EventFollower` whose clock has already observed the event. */
export interface Monitor extends EventFollower, Forgetful {
  readonly name: string;
  /** The violations of the current execution. */
  readonly violations: Violations;
  /**
   * Called at the end of an execution for a thread that waits for a value: could it have continued before a store
   * reached memory? The clock has already looked ahead to the wait. Monitors for loads that overtake their own thread's
   * stores do not need it.
   */
  checkWaiting?(thread: number, awaiting: Awaiting): void;
}

/**
 * Called for every violation when it is found: `event` of `thread` could have come before `write`. If `event` equals
 * the number of events, it is the operation at which the thread waits when the execution ends.
 */
export type Report = (event: number, write: number, thread: number) => void;

/** The violations of the current execution. Those before a rollback exist only in what was reported. */
export class Violations {
  /** Reported since the beginning, in all executions. */
  reported = 0;
  /** Pairs of events, ordered by the first. */
  readonly pairs: IntVector = new IntVector();
  private readonly report: Report | undefined;

  constructor(report?: Report) {
    this.report = report;
  }

  get length(): number {
    return this.pairs.length >> 1;
  }

  add(event: number, write: number, thread: number): void {
    this.pairs.push(event);
    this.pairs.push(write);
    this.reported++;
    this.report?.(event, write, thread);
  }

  /** Drops the violations so far; they have been reported. */
  forget(): void {
    this.pairs.clear();
  }

  rollback(depth: number): void {
    const { pairs } = this;
    while (pairs.length > 0 && pairs.get(pairs.length - 2) >= depth) pairs.length -= 2;
  }
}
