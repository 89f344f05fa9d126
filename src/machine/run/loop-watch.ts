/**
 * What happens at the heads of loops in which a thread could wait. `loops.ts` finds them, `compile.ts` marks the edges.
 *
 * A thread that is at a head in the same state as before, and has only read in between, might as well have waited:
 * without those reads, every other thread behaves the same. It goes to sleep. docs/decisions/0018-idle-iterations.md
 * has the argument.
 *
 * Brent's algorithm (R. Brent, An improved Monte Carlo factorization algorithm, 1980) detects a repeated state even if
 * it was several iterations ago: besides the state at the last visit, each record has an older one.
 */

import * as op from '../code/opcodes.ts';
import { BOUND_BLOCKED, type Layout, SPINNING, T_EVENTS, T_POKES, T_STACK, T_STATUS } from '../state/layout.ts';
import type { State } from '../state/state.ts';
import { Threads } from '../state/thread.ts';
import { UndefinedBits } from '../state/undefined-bits.ts';
import type { Progress } from './progress.ts';
import { Recurrence } from './recurrence.ts';
import type { UndoneRounds } from './undone-rounds.ts';

/** How to treat loops in which a thread could wait. */
export interface LoopOptions {
  /** A thread that would repeat an iteration that changed nothing sleeps instead. */
  readonly spin: boolean;
  /** How often a loop may be repeated; 0 = any number of times. */
  readonly unroll: number;
}

/**
 * The older snapshot is the first one until the thread has come back this many times, and is then replaced at each
 * power of two. So a retry counter that restarts before then is noticed as soon as it does.
 */
const FIRST_CHANGE = 8;

export class LoopWatch {
  readonly options: LoopOptions;
  private readonly code: Int32Array;
  private readonly state: State;
  private readonly words: Int32Array;
  private readonly threads: Threads;
  private readonly undefinedBits: UndefinedBits;
  private readonly progress: Progress;
  private readonly recurrence: Recurrence;
  /** Undefined if rounds that undo themselves count as changes. */
  private readonly undone: UndoneRounds | undefined;

  constructor(
    options: LoopOptions,
    code: Int32Array,
    state: State,
    layout: Layout,
    progress: Progress,
    undone?: UndoneRounds,
  ) {
    this.options = options;
    this.code = code;
    this.state = state;
    this.words = state.words;
    this.threads = new Threads(state, layout);
    this.undefinedBits = new UndefinedBits(state, layout);
    this.progress = progress;
    this.undone = undone;
    this.recurrence = new Recurrence(state, layout);
  }

  /** `LOOPENTER`. */
  enter(thread: number, frame: number, pc: number): void {
    const record = frame + this.code[pc + op.LOOPBACK_RECORD]!;
    this.state.set(record + op.LOOP_COUNT, 0);
    if (this.options.spin) this.takeSnapshot(thread, frame, pc, false);
  }

  /** `LOOPBACK`. False if the thread stops here: its state is as before, or the bound has been reached. */
  repeat(thread: number, frame: number, pc: number): boolean {
    const { state, words, threads, options } = this;
    const record = frame + this.code[pc + op.LOOPBACK_RECORD]!;
    const onlyRead =
      words[record + op.LOOP_VALID] !== 0 && words[record + op.LOOP_WRITES] === this.progress.changesOf(thread);
    const undoes = options.spin && !onlyRead && this.hasUndone(thread, frame, pc);
    if (undoes) this.progress.noteUndone(thread, this.progress.changesOf(thread) - words[record + op.LOOP_WRITES]!);
    const rests = undoes && words[record + op.LOOP_VALID]! >= this.code[pc + op.LOOPBACK_UNDOES]!;
    if (rests || (options.spin && onlyRead && this.hasReturned(thread, frame, pc))) {
      threads.set(thread, T_STATUS, SPINNING);
      return false;
    }
    if (options.unroll > 0) {
      state.set(record + op.LOOP_COUNT, words[record + op.LOOP_COUNT]! + 1);
      if (words[record + op.LOOP_COUNT]! >= options.unroll) {
        threads.set(thread, T_STATUS, BOUND_BLOCKED);
        return false;
      }
    }
    if (options.spin) this.takeSnapshot(thread, frame, pc, onlyRead);
    if (undoes) words[record + op.LOOP_VALID] = 2;
    return true;
  }

  /**
   * Whether a thread that has only read since its last visit to the head, private memory aside, is there in the same
   * state as before. If not, keeps what the next visit needs. Generated code calls this too.
   */
  hasReturned(thread: number, frame: number, pc: number): boolean {
    const { state, words, code } = this;
    const record = frame + code[pc + op.LOOPBACK_RECORD]!;
    const latest = record + op.LOOP_SNAPSHOT;
    const count = code[pc + op.LOOPBACK_COUNT]!;
    if (this.isAs(latest, frame, pc) && this.isMemoryAs(thread, record + op.LOOP_POKES)) return true;
    const rounds = words[record + op.LOOP_ROUNDS]!;
    if (rounds > 0 && this.isAs(latest + count, frame, pc) && this.isMemoryAs(thread, record + op.LOOP_OLDER_POKES))
      return true;
    if (rounds === 0 || (rounds >= FIRST_CHANGE && (rounds & (rounds - 1)) === 0)) {
      state.set(record + op.LOOP_OLDER_POKES, words[record + op.LOOP_POKES]!);
      state.set(record + op.LOOP_OLDER_STACK, words[record + op.LOOP_STACK]!);
      if (count > 0) state.save(latest + count, count);
      words.copyWithin(latest + count, latest, latest + count);
      for (let i = 0; this.undefinedBits.isTracked && i < count; i++)
        this.undefinedBits.copyRegister(latest + count + i, latest + i);
    }
    state.set(record + op.LOOP_ROUNDS, rounds + 1);
    return false;
  }

  /**
   * Whether a thread that has written since its last visit to the head is there in the same state, and has undone its
   * writes. Generated code calls this too.
   */
  hasUndone(thread: number, frame: number, pc: number): boolean {
    const { words, code, undone } = this;
    const record = frame + code[pc + op.LOOPBACK_RECORD]!;
    if (undone === undefined || code[pc + op.LOOPBACK_UNDOES] === 0 || words[record + op.LOOP_VALID] === 0)
      return false;
    if (!this.isAs(record + op.LOOP_SNAPSHOT, frame, pc) || !this.isMemoryAs(thread, record + op.LOOP_POKES))
      return false;
    const changes = this.progress.changesOf(thread) - words[record + op.LOOP_WRITES]!;
    return undone.isUndone(thread, words[record + op.LOOP_EVENTS]!, changes);
  }

  /** Lets a thread that reached the bound at `pc` continue as if there were none, to see what it would do. */
  liftBound(frame: number, pc: number): void {
    this.state.set(frame + this.code[pc + op.LOOPBACK_RECORD]! + op.LOOP_COUNT, -(2 ** 31));
  }

  /** Whether the live registers of the loop at `pc` equal a snapshot. */
  private isAs(snapshot: number, frame: number, pc: number): boolean {
    const { words, code } = this;
    for (let i = 0; i < code[pc + op.LOOPBACK_COUNT]!; i++)
      if (words[snapshot + i] !== words[frame + code[pc + op.LOOPBACK_LIST + i]!]) return false;
    return !this.undefinedBits.isTracked || this.isAsDefinedAs(snapshot, frame, pc);
  }

  /** Whether no more bits of these registers are undefined than were. Fewer do no harm, as the last iteration shows. */
  private isAsDefinedAs(snapshot: number, frame: number, pc: number): boolean {
    const { code, undefinedBits } = this;
    for (let i = 0; i < code[pc + op.LOOPBACK_COUNT]!; i++) {
      const now = undefinedBits.ofRegister(frame + code[pc + op.LOOPBACK_LIST + i]!);
      if ((now & ~undefinedBits.ofRegister(snapshot + i)) !== 0) return false;
    }
    return true;
  }

  /** Whether the thread's private memory is as it was when the words at `pokes` and after it were recorded. */
  private isMemoryAs(thread: number, pokes: number): boolean {
    const { words } = this;
    return words[pokes + 1] === this.threads.get(thread, T_STACK) && this.recurrence.isAsAt(thread, words[pokes]!);
  }

  private takeSnapshot(thread: number, frame: number, pc: number, onlyRead: boolean): void {
    const { state, words, code } = this;
    const record = frame + code[pc + op.LOOPBACK_RECORD]!;
    const count = code[pc + op.LOOPBACK_COUNT]!;
    state.save(record + op.LOOP_VALID, op.LOOP_SNAPSHOT - op.LOOP_VALID + count);
    words[record + op.LOOP_VALID] = 1;
    words[record + op.LOOP_WRITES] = this.progress.changesOf(thread);
    words[record + op.LOOP_POKES] = this.threads.get(thread, T_POKES);
    words[record + op.LOOP_STACK] = this.threads.get(thread, T_STACK);
    words[record + op.LOOP_EVENTS] = this.threads.get(thread, T_EVENTS);
    if (!onlyRead) words[record + op.LOOP_ROUNDS] = 0;
    for (let i = 0; i < count; i++)
      words[record + op.LOOP_SNAPSHOT + i] = words[frame + code[pc + op.LOOPBACK_LIST + i]!]!;
    for (let i = 0; this.undefinedBits.isTracked && i < count; i++)
      this.undefinedBits.copyRegister(record + op.LOOP_SNAPSHOT + i, frame + code[pc + op.LOOPBACK_LIST + i]!);
  }
}
