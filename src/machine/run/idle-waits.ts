/**
 * Threads that wait without reading. A read after which its thread would go to sleep in a loop (`loop-watch.ts`) is
 * *idle*: it changes nothing and leads nowhere. With `awaits`, an idle read is not enabled; the thread waits in front of
 * it until the place has a value with which it would go on. docs/decisions/0024-idle-reads-wait.md has the argument.
 *
 * Whether a read is idle depends on the thread's own state and on the value that it finds. To find out, it is taken and
 * undone: exact for every loop, whatever its shape. Answers are kept until the thread or the value changes. A read is
 * also idle if the thread comes back to it in the same state, even if the loop would not notice yet.
 *
 * A compare-exchange that fails and is tried again with the value that it found is not idle, but its failure is not
 * worth a step either: nobody sees it, and if it came right before the next try, that one would succeed. So it is taken
 * silently, as part of the next try (*retries*, in the same decision).
 */
import type { Code } from '../code/code.ts';
import { type IdleRead, idleReads } from '../code/idle-reads.ts';
import * as op from '../code/opcodes.ts';
import { ACQUIRE } from '../code/order.ts';
import { SIZES } from '../code/type-codes.ts';
import { accessOf, atomicWait, NO_WAIT } from '../events/effects.ts';
import { EVENT_WORDS, type EventLog } from '../events/event.ts';
import type { Memory } from '../memory/memory.ts';
import { hasStopped } from '../state/fault.ts';
import {
  ALIVE_HEAP,
  ALIVE_STACK,
  FREED,
  H_ERROR,
  H_EXITED,
  H_LIMIT,
  type Layout,
  O_STATUS,
  OBJECT_HEADER,
  RUNNABLE,
  SPINNING,
  T_EVENTS,
  T_FRAME,
  T_HEAP,
  T_PC,
  T_STACK,
  T_STATUS,
  T_TOP,
  T_WRITES,
} from '../state/layout.ts';
import { type Step, stepOf } from '../state/process.ts';
import type { State } from '../state/state.ts';
import type { Threads } from '../state/thread.ts';
import type { Frames } from './frames.ts';
import { waitOrder } from './guards.ts';
import type { Operations } from './operations.ts';

/** In place of a memory access: the operation is a trylock. */
export const NO_BYTES = 0;
/** A thread that is not a thread: holds a mutex while nobody is said to. */
const SOMEBODY = 0x7ffffffe;

/** Of a thread's words, those that its future depends on; `T_WRITES` changes with all private memory. */
const FIELDS = [T_FRAME, T_TOP, T_STACK, T_HEAP, T_WRITES];

/** What says that an execution is over. */
const ENDS = [H_ERROR, H_LIMIT, H_EXITED];

/** A machine, as far as looking ahead needs it. */
export interface Steppable {
  readonly code: Code;
  readonly state: State;
  readonly layout: Layout;
  readonly threads: Threads;
  readonly memory: Memory;
  readonly events: EventLog;
  readonly operations: Operations;
  readonly depth: number;
  step(step: Step): void;
  /** Rolls back to the state after `depth` steps, and forgets nothing else. */
  undo(depth: number): void;
}

export class IdleWaits {
  private readonly machine: Steppable;
  private readonly frames: Frames;
  private readonly reads: ReadonlyMap<number, IdleRead>;
  /** By pc: 1 if it is one of `reads`. */
  private readonly mayBeIdle: Uint8Array;
  /** The thread's words before an operation: those of its callers' frames, and those that are live in its own. */
  private before = new Int32Array(64);
  private tried = new Int32Array(64);
  private after = new Int32Array(64);
  /** A retry is being looked at: every try is a step. */
  private isTrying = false;
  /** The operation that was looked at last: what it accesses, `NO_BYTES` for a mutex. */
  address = 0;
  size = 0;
  /** How it waits for its thread's own stores (`events/effects.ts`). */
  wait: number = NO_WAIT;
  /** After `isIdleWith`: what the operation would do, `READS` or more. */
  access = 0;
  /** A thread has waited. */
  hasWaited = false;
  private readonly idle: Answers;
  private readonly retried: Answers;
  /** Changes when the machine rolls back. */
  private epoch = 1;

  constructor(machine: Steppable, frames: Frames) {
    this.machine = machine;
    this.frames = frames;
    this.reads = idleReads(machine.code);
    this.mayBeIdle = new Uint8Array(machine.code.words.length);
    for (const pc of this.reads.keys()) this.mayBeIdle[pc] = 1;
    const { threads } = machine.layout.limits;
    this.idle = new Answers(threads);
    this.retried = new Answers(threads);
  }

  /** Whether some operation of the program may be an idle read. */
  get isNeeded(): boolean {
    return this.reads.size > 0;
  }

  forget(): void {
    this.epoch++;
  }

  /** Whether the thread is at an operation that may be idle with some value. */
  mayWait(thread: number): boolean {
    return this.mayBeIdle[this.machine.threads.get(thread, T_PC)] === 1;
  }

  /** Whether the thread's next operation, for which `mayWait`, is idle now. All else that it waits for must hold. */
  isIdle(thread: number): boolean {
    const { machine, epoch, idle } = this;
    this.look(thread);
    const { state } = machine;
    if (this.size === NO_BYTES) {
      state.low = machine.operations.syncs.holder(this.address) + 1;
      state.high = 0;
    } else {
      // It will fail, and so does not wait.
      if (machine.operations.accessError(thread, this.address, this.size) !== 0) return false;
      this.readNow(thread);
    }
    const { low, high } = state;
    const count = machine.threads.get(thread, T_EVENTS);
    if (idle.knows(thread, epoch, count, low, high)) return idle.of(thread);
    const answer = idle.note(thread, epoch, count, low, high, this.wouldSleep(thread));
    this.hasWaited ||= answer;
    return answer;
  }

  /**
   * Whether the thread's next operation, which may run now, is a compare-exchange that would fail and be tried again with
   * the value that it found, and would be back where it is if it then found what it expects now.
   */
  retries(thread: number): boolean {
    const { machine, epoch, retried } = this;
    const { state, threads } = machine;
    const pc = threads.get(thread, T_PC);
    if (this.isTrying || this.mayBeIdle[pc] !== 1 || machine.code.words[pc] !== op.CMPXCHG) return false;
    this.look(thread);
    const { address, size } = this;
    this.readExpected(thread);
    const { low: expectedLow, high: expectedHigh } = state;
    if (machine.operations.accessError(thread, address, size) !== 0) return false;
    state.read(address, size);
    const { low, high } = state;
    if (low === expectedLow && high === expectedHigh) return false;
    const count = threads.get(thread, T_EVENTS);
    if (retried.knows(thread, epoch, count, low, high)) return retried.of(thread);
    const depth = machine.depth;
    const mark = state.mark;
    this.isTrying = true;
    const answer = this.comesBack(thread, pc, low, high, expectedLow, expectedHigh);
    this.isTrying = false;
    machine.undo(depth);
    state.rewind(mark);
    return retried.note(thread, epoch, count, low, high, answer);
  }

  /** Fails, and then fails again with what was expected. */
  private comesBack(
    thread: number,
    pc: number,
    low: number,
    high: number,
    expectedLow: number,
    expectedHigh: number,
  ): boolean {
    const { machine, address, size } = this;
    const { state, threads } = machine;
    const read = this.reads.get(pc)!;
    // As if it had written: else its loop would notice that it comes back.
    threads.set(thread, T_WRITES, threads.get(thread, T_WRITES) + 1);
    const count = this.keep(thread, read, 'tried');
    machine.step(stepOf(thread));
    if (hasStopped(state) || !this.isBack(thread, read)) return false;
    this.look(thread);
    if (this.address !== address || machine.code.words[threads.get(thread, T_PC)] !== op.CMPXCHG) return false;
    this.readExpected(thread);
    if (state.low !== low || state.high !== high) return false;
    state.write(address, size, expectedLow, expectedHigh);
    machine.step(stepOf(thread));
    return !hasStopped(state) && this.isBack(thread, read) && this.isSame(thread, read, count, 'tried');
  }

  /** Leaves the bytes that a compare-exchange expects in `state.low` and `state.high`. */
  private readExpected(thread: number): void {
    const { machine, frames, size } = this;
    const { state, threads } = machine;
    const code = machine.code.words;
    const value = code[threads.get(thread, T_PC) + op.CMPXCHG_EXPECTED]!;
    const frame = threads.get(thread, T_FRAME);
    const low = frames.low(frame, value);
    state.low = size < 4 ? low & ((1 << (8 * size)) - 1) : low;
    state.high = size === 8 ? frames.high(frame, value) : 0;
  }

  /** Whether the operation, were it to run now with these bytes in memory, and its object alive, would be idle. */
  isIdleWith(thread: number, bytes: Uint8Array, revives: boolean): boolean {
    const { machine, address, size } = this;
    const { state } = machine;
    const mark = state.mark;
    for (let i = 0; i < size; i++) state.write(address + i, 1, bytes[i]!, 0);
    if (revives) this.revive(address);
    const answer = this.wouldSleep(thread);
    state.rewind(mark);
    return answer;
  }

  /** Whether a trylock would be idle if another thread held the mutex. */
  isIdleIfHeld(thread: number): boolean {
    const { state, operations } = this.machine;
    const mark = state.mark;
    operations.syncs.setHolder(this.address, SOMEBODY);
    const answer = !hasStopped(state) && this.wouldSleep(thread);
    state.rewind(mark);
    return answer;
  }

  /** Finds what the thread's next operation accesses: `address` and `size`. */
  look(thread: number): void {
    const { machine, frames } = this;
    const code = machine.code.words;
    const pc = machine.threads.get(thread, T_PC);
    const frame = machine.threads.get(thread, T_FRAME);
    switch (code[pc]) {
      case op.LOAD:
        this.address = frames.low(frame, code[pc + op.LOAD_ADDRESS]!);
        this.size = SIZES[code[pc + op.LOAD_TYPE]!]!;
        this.wait = NO_WAIT;
        return;
      case op.RMW:
        this.address = frames.low(frame, code[pc + op.RMW_ADDRESS]!);
        this.size = SIZES[code[pc + op.RMW_TYPE]!]!;
        this.wait = atomicWait(code[pc + op.RMW_ORDER]!);
        return;
      case op.CMPXCHG:
        this.address = frames.low(frame, code[pc + op.CMPXCHG_ADDRESS]!);
        this.size = SIZES[code[pc + op.CMPXCHG_TYPE]!]!;
        this.wait = atomicWait(waitOrder(code, pc));
        return;
      case op.AWAIT:
        this.address = frames.low(frame, code[pc + op.AWAIT_ADDRESS]!);
        this.size = 4;
        this.wait = atomicWait(code[pc + op.AWAIT_ORDER]!);
        return;
      case op.TRYLOCK:
        this.address = frames.low(frame, code[pc + op.TRYLOCK_MUTEX]!);
        this.size = NO_BYTES;
        this.wait = atomicWait(ACQUIRE);
        return;
      default:
        throw new Error(`not a read: ${code[pc]}`);
    }
  }

  /** Leaves the bytes that the operation would read in `state.low` and `state.high`. */
  private readNow(thread: number): void {
    const { machine, address, size } = this;
    const { state, memory } = machine;
    state.read(address, size);
    if (memory.isClear(thread, address, size)) return;
    let [low, high] = [0, 0];
    for (let i = 0; i < size; i++) {
      const byte = memory.byte(thread, address + i);
      if (i < 4) low |= byte << (8 * i);
      else high |= byte << (8 * (i - 4));
    }
    state.low = low;
    state.high = high;
  }

  /** Takes the operation, and fences after it, looks, and goes back. */
  private wouldSleep(thread: number): boolean {
    const { machine } = this;
    const { state } = machine;
    const depth = machine.depth;
    const mark = state.mark;
    for (const word of ENDS) if (state.words[word] !== 0) state.set(word, 0);
    const read = this.reads.get(machine.threads.get(thread, T_PC))!;
    const count = this.keep(thread, read, 'before');
    machine.step(stepOf(thread));
    this.access = accessOf(machine.events.words, depth * EVENT_WORDS);
    this.passFences(thread);
    const answer =
      !hasStopped(state) &&
      (machine.threads.get(thread, T_STATUS) === SPINNING ||
        (this.isBack(thread, read) && this.isSame(thread, read, count, 'before')));
    machine.undo(depth);
    state.rewind(mark);
    return answer;
  }

  private passFences(thread: number): void {
    const { machine } = this;
    const { state, threads, code } = machine;
    while (
      !hasStopped(state) &&
      threads.get(thread, T_STATUS) === RUNNABLE &&
      code.words[threads.get(thread, T_PC)] === op.FENCE
    )
      machine.step(stepOf(thread));
  }

  /** Whether the thread is at the same read again. */
  private isBack(thread: number, { class: same }: IdleRead): boolean {
    const { threads } = this.machine;
    return threads.get(thread, T_STATUS) === RUNNABLE && this.reads.get(threads.get(thread, T_PC))?.class === same;
  }

  /** Whether the thread's words now are those that were kept. */
  private isSame(thread: number, read: IdleRead, count: number, where: 'before' | 'tried'): boolean {
    if (this.keep(thread, read, 'after') !== count) return false;
    const kept = this[where];
    for (let i = 0; i < count; i++) if (kept[i] !== this.after[i]) return false;
    return true;
  }

  /** Copies all that the thread's future depends on, apart from memory that only others write; returns how much. */
  private keep(thread: number, { live }: IdleRead, where: 'before' | 'tried' | 'after'): number {
    const { threads, layout, state } = this.machine;
    const { words } = state;
    const base = layout.frames + thread * layout.limits.frameWords;
    const frame = threads.get(thread, T_FRAME);
    const start = frame + op.FRAME_HEADER;
    const count = FIELDS.length + (start - base) + live.length;
    if (this[where].length < count) this[where] = new Int32Array(2 * count);
    const to = this[where];
    let n = 0;
    for (const field of FIELDS) to[n++] = threads.get(thread, field);
    for (let w = base; w < start; w++) to[n++] = words[w]!;
    for (const offset of live) to[n++] = words[frame + offset]!;
    return count;
  }

  /** Makes the object at this address alive, if it was. */
  private revive(address: number): void {
    const { state, operations } = this.machine;
    const object = operations.objects.find(address);
    if (object <= 0) return;
    const status = ((object - OBJECT_HEADER) >> 2) + O_STATUS;
    if (state.words[status]! < FREED) return;
    state.set(status, state.words[status] === FREED ? ALIVE_HEAP : ALIVE_STACK);
  }
}

/** Per thread, the last answer: for which of the thread's operations, in which history, with which value. */
class Answers {
  private readonly events: Int32Array;
  private readonly epochs: Int32Array;
  private readonly lows: Int32Array;
  private readonly highs: Int32Array;
  private readonly answers: Uint8Array;

  constructor(threads: number) {
    this.events = new Int32Array(threads);
    this.epochs = new Int32Array(threads);
    this.lows = new Int32Array(threads);
    this.highs = new Int32Array(threads);
    this.answers = new Uint8Array(threads);
  }

  knows(thread: number, epoch: number, event: number, low: number, high: number): boolean {
    return (
      this.epochs[thread] === epoch &&
      this.events[thread] === event &&
      this.lows[thread] === low &&
      this.highs[thread] === high
    );
  }

  of(thread: number): boolean {
    return this.answers[thread] === 1;
  }

  note(thread: number, epoch: number, event: number, low: number, high: number, answer: boolean): boolean {
    this.epochs[thread] = epoch;
    this.events[thread] = event;
    this.lows[thread] = low;
    this.highs[thread] = high;
    this.answers[thread] = answer ? 1 : 0;
    return answer;
  }
}
