/**
 * monitor/: what to look for in a sequentially consistent execution.
 *
 * A monitor is told the events of an SC machine, one after the other, and says whether the program has an execution under
 * TSO or PSO that is not sequentially consistent: whether event e, which came after the write w here, could have come
 * before w reached memory, although w happens before what e's thread did last. That pair (e, w) is a violation
 * ([MON] Sect. 7: violations with the same pair of source locations count as one).
 *
 * Monitors know events (`machine/events/event.ts`) and what `trace/` offers; no search and no memory model's machine. They work on
 * anything that calls `observe` for every event and `rollback` when it goes back: an exploration, or a single run.
 *
 *   event-clock.ts               happens-before of the execution, and what each event conflicts with: shared by all
 *   shared-rows.ts               what each event knows, in rows of clocks that events share
 *   mapping.ts                   what each operation makes its thread's buffers do (docs/models.md)
 *   causal-tso.ts causal-pso.ts  ours: complete on one execution per trace. Use these
 *   tso.ts pso.ts                [MON]: complete over all interleavings only
 *   sober.ts sober-fixed.ts      [SOBER]: as published, and corrected
 *   monitors.ts                  several at once, over one clock
 *
 * What a monitor keeps about an event it keeps in a row of that event's number, so that going back costs nothing; the few
 * exceptions keep a journal.
 */

import type { Awaiting } from '../machine/run/operations.ts';
import type { StoreBufferModel } from '../models/index.ts';
import { IntVector } from '../util/int-vector.ts';

/** Something that watches events as they happen, and forgets them when the machine goes back. */
export interface EventFollower {
  /** Called once per event, in order. */
  observe(event: number): void;
  /** Forget all events from number `depth` on. */
  rollback(depth: number): void;
}

/**
 * Something that can forget events which nothing that comes can have to do with, so that it can follow a run of any length.
 * It cannot go back behind that.
 */
export interface Forgetful {
  /**
   * Lowers `limits[q]` to the index up to which whatever any thread does next finds nothing open about the events of thread
   * q: they are known to come before, and their stores to have reached memory.
   */
  lowerLimits(limits: Int32Array): void;
  /** Sets `live[e]` for every event that is still needed, given those that others need. Within `limits` none is. */
  markLive(live: Uint8Array, limits: Int32Array): void;
  /** Event `kept[i]` is now number i, and event e number `numbers[e]`. */
  renumber(kept: Int32Array, numbers: Int32Array): void;
}

/** An `EventFollower` whose clock has been told the event already. */
export interface Monitor extends EventFollower, Forgetful {
  readonly name: string;
  /** The model under which a violation is possible. */
  readonly model: StoreBufferModel;
  /** Those of the execution as it stands. */
  readonly violations: Violations;
  /**
   * Called at the end of an execution for a thread that waits for a value: could it have gone on before a store reached
   * memory? The clock has looked ahead to it. Not needed by monitors that look at loads which come before own stores.
   */
  checkWaiting?(thread: number, awaiting: Awaiting): void;
}

/**
 * Told of every violation when it is found: `event` of `thread` could have come before `write`. If `event` is the number of
 * events there are, it is what the thread waits at when the execution ends.
 */
export type Report = (event: number, write: number, thread: number) => void;

/** The violations of the present execution; those that it had before it went back are only in what was reported. */
export class Violations {
  /** Reported since the beginning, in all executions. */
  reported = 0;
  /** Pairs of events, in the order of the first. */
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

  /** Those so far are known only to whom they were reported. */
  forget(): void {
    this.pairs.clear();
  }

  rollback(depth: number): void {
    const { pairs } = this;
    while (pairs.length > 0 && pairs.get(pairs.length - 2) >= depth) pairs.length -= 2;
  }
}
