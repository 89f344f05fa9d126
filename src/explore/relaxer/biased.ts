/**
 * Phase 2: a random scheduler that tries to make a predicted cycle happen, [RELAXER] Sect. 4.3, Fig. 7 (TSO), 8 (PSO)
 * and 9 (PSLO), on logical time: one unit per step.
 *
 *   paper                            here
 *   c_o, c_e                         `odd`, `even`: the labels at odd and even positions of the cycle
 *   P                                `options.probability`
 *   delay, delayS                    `options.storeDelay`
 *   delayL                           `options.loadDelay`
 *   time()                           `now`
 *   Bt[p], Bt_a[p][a]                `due`, per buffer
 *   after_any: store^c               commits that are due run before anything else
 *   before_store                     `observe`
 *   before_load, before_CAS          `isPaused`
 *   before_membar: waitUntil         the thread cannot step until its stores have left; with `barrierWait` they keep
 *                                    their times, without it (PSLO) they are due at once
 *   load_PSLO: earliest value        the largest choice of a load
 *
 * Deviations
 *   - stores of all threads are examined after every step, not only those of the thread that ran.
 *   - loads and read-modify-writes of c_o pause under TSO too; in the paper they do not.
 *   - threads are chosen at random: in half of the executions again at every step, in the others about every tenth
 *     step, so that one can get far ahead of the others. The paper leaves this to the hardware and to noise.
 *   - when no thread can step, time advances to the next moment at which one can.
 */

import { BUFFERED, EFFECTS } from '../../machine/events/effects.ts';
import * as ev from '../../machine/events/event.ts';
import type { Machine } from '../../machine/machine.ts';
import { RUNNABLE, T_EVENTS, T_PC, T_STATUS } from '../../machine/state/layout.ts';
import { choiceOf, processOf, type Step, stepOf } from '../../machine/state/process.ts';
import { delaysStores } from '../../models/model.ts';
import type { IntVector } from '../../util/int-vector.ts';
import type { Prng } from '../../util/prng.ts';
import type { Bound } from '../bound.ts';
import type { Strategy } from '../strategy.ts';
import { THREADS } from './accesses.ts';
import { type Label, LOADS, labelOf, OPERATION_ACCESS, STORES } from './label.ts';

export interface BiasOptions {
  /**
   * The probability with which each store is delayed, each load or read-modify-write paused, each stale value taken.
   */
  readonly probability: number;
  /** Steps that a delayed store waits. */
  readonly storeDelay: number;
  /** Steps that a thread waits before a load or read-modify-write. */
  readonly loadDelay: number;
  /** Whether a thread at a barrier waits until its delayed stores are due. */
  readonly barrierWait: boolean;
}

/** A steady execution switches threads once in this many steps. */
const STEADINESS = 10;

/** One execution. */
export class Biased implements Strategy {
  readonly name = 'biased';
  readonly incomplete: Bound = { kind: 'one trial' };
  private readonly machine: Machine;
  private readonly odd: ReadonlySet<Label>;
  private readonly even: ReadonlySet<Label>;
  private readonly prng: Prng;
  private readonly options: BiasOptions;
  private now = 0;
  private isStarted = false;
  /** Per buffer process: when its stores are to reach memory, oldest first. */
  private readonly due = new Map<number, number[]>();
  /** Per thread: until when it pauses, and before which of its events (counted from 1) that was decided. */
  private readonly pausedUntil = new Float64Array(THREADS);
  private readonly decidedFor = new Int32Array(THREADS);
  private readonly ready: number[] = [];
  /** Whether the thread that ran last mostly keeps running while it is enabled. */
  private readonly isSteady: boolean;
  private lastThread = -1;
  /** Per thread: its buffered stores. */
  private readonly waiting = new Int32Array(THREADS);
  /**
   * Whether a thread acted while its own store was buffered, or read a stale value; if not, the trace is an SC trace.
   */
  isRelaxed = false;

  constructor(machine: Machine, labels: readonly Label[], prng: Prng, options: BiasOptions) {
    this.machine = machine;
    this.odd = new Set(labels.filter((_, i) => i % 2 === 0));
    this.even = new Set(labels.filter((_, i) => i % 2 === 1));
    this.prng = prng;
    this.options = options;
    this.isSteady = prng.below(2) === 1;
  }

  beginExecution(): number {
    if (this.isStarted) return -1;
    this.isStarted = true;
    return 0;
  }

  private chance(): boolean {
    return this.prng.next() / 2 ** 32 < this.options.probability;
  }

  pick(steps: IntVector): Step {
    for (;;) {
      const commit = this.dueCommit(steps);
      if (commit >= 0) return commit;
      this.ready.length = 0;
      for (let i = 0; i < steps.length; i++) {
        const thread = processOf(steps.get(i));
        if (!this.machine.processes.isThread(thread) || this.ready.at(-1) === thread) continue;
        if (!this.isPaused(thread)) this.ready.push(thread);
      }
      if (this.ready.length > 0) return this.stepOfThread(this.nextThread(), steps);
      this.now = this.nextMoment(steps);
    }
  }

  private nextThread(): number {
    const { ready, prng } = this;
    const stays = this.isSteady && prng.below(STEADINESS) > 0 && ready.includes(this.lastThread);
    if (!stays) this.lastThread = ready[prng.below(ready.length)]!;
    return this.lastThread;
  }

  private dueCommit(steps: IntVector): Step {
    const { processes } = this.machine;
    for (let i = 0; i < steps.length; i++) {
      const process = processOf(steps.get(i));
      if (processes.isThread(process)) continue;
      if (this.dueTime(process) <= this.now || this.isForced(processes.owner(process), steps)) return steps.get(i);
    }
    return -1;
  }

  private dueTime(process: number): number {
    return this.due.get(process)?.[0] ?? this.now;
  }

  /** The thread is at a barrier, and its stores must not delay it. */
  private isForced(thread: number, steps: IntVector): boolean {
    if (this.options.barrierWait || this.machine.threads.get(thread, T_STATUS) !== RUNNABLE) return false;
    for (let i = 0; i < steps.length; i++) if (processOf(steps.get(i)) === thread) return false;
    return true;
  }

  private nextLabel(thread: number): Label {
    const { machine } = this;
    const kind = OPERATION_ACCESS[machine.code.words[machine.threads.get(thread, T_PC)]!]!;
    return kind < 0 ? -1 : labelOf(machine.upcoming.nextSite(thread), kind);
  }

  /** Whether the thread waits before its next operation; decided once per operation. */
  private isPaused(thread: number): boolean {
    const index = this.machine.threads.get(thread, T_EVENTS) + 1;
    if (this.decidedFor[thread] !== index) {
      this.decidedFor[thread] = index;
      const label = this.nextLabel(thread);
      const isPausable = label >= 0 && (label & 3) !== STORES && this.odd.has(label);
      this.pausedUntil[thread] = isPausable && this.chance() ? this.now + this.options.loadDelay : 0;
    }
    return this.pausedUntil[thread]! > this.now;
  }

  private stepOfThread(thread: number, steps: IntVector): Step {
    let choices = 0;
    for (let i = 0; i < steps.length; i++) if (processOf(steps.get(i)) === thread) choices++;
    if (choices === 1) {
      for (let i = 0; i < steps.length; i++) if (processOf(steps.get(i)) === thread) return steps.get(i);
    }
    const label = this.nextLabel(thread);
    if ((label & 3) !== LOADS || label < 0) return stepOf(thread, this.prng.below(choices));
    return stepOf(thread, this.even.has(label) && this.chance() ? choices - 1 : 0);
  }

  private nextMoment(steps: IntVector): number {
    const { processes } = this.machine;
    let moment = Number.POSITIVE_INFINITY;
    for (let i = 0; i < steps.length; i++) {
      const process = processOf(steps.get(i));
      moment = Math.min(moment, processes.isThread(process) ? this.pausedUntil[process]! : this.dueTime(process));
    }
    return moment;
  }

  observe(event: number): void {
    const { events, processes, description } = this.machine;
    this.now++;
    const kind = events.get(event, ev.E_KIND);
    const thread = events.get(event, ev.E_THREAD);
    if (kind === ev.UPDATE_EVENT) {
      this.waiting[thread]!--;
      this.due.get(processOf(events.get(event, ev.E_STEP)))?.shift();
      return;
    }
    if (this.waiting[thread]! > 0 || choiceOf(events.get(event, ev.E_STEP)) > 0) this.isRelaxed = true;
    // A store that fails has not written memory, even if stores do not wait.
    if (!delaysStores(description)) return;
    if ((EFFECTS[kind]! & BUFFERED) === 0 || (events.get(event, ev.E_FLAGS) & ev.WROTE_MEMORY) !== 0) return;
    this.waiting[thread]!++;
    const isDelayed = this.odd.has(labelOf(events.get(event, ev.E_SITE), STORES)) && this.chance();
    const time = isDelayed ? this.now + this.options.storeDelay : this.now;
    const process = processes.bufferOf(description, thread, events.get(event, ev.E_ADDRESS));
    const queue = this.due.get(process);
    if (queue === undefined) this.due.set(process, [time]);
    else queue.push(time);
  }

  endExecution(): void {}
}
