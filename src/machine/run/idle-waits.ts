/**
 * Threads that wait without reading. A read after which its thread would go to sleep in a loop (`loop-watch.ts`) is
 * *idle*: it changes nothing, and the thread only sleeps again. With `awaits`, an idle read is not enabled; the thread
 * waits in front of it until the place has a value with which it would continue. docs/decisions/0024-idle-reads-wait.md
 * has the argument.
 *
 * Whether a read is idle depends on the thread's own state and on the value that it finds. To find out, the read is
 * taken and undone: this is exact for every loop, whatever its shape. Answers are kept until the thread or the value
 * changes. A read is also idle if the thread comes back to it in the same state, even if the loop would not notice yet.
 */
import type { Code } from '../code/code.ts';
import { type IdleRead, idleReads } from '../code/idle-reads.ts';
import { nestedReads } from '../code/nested-reads.ts';
import * as op from '../code/opcodes.ts';
import { loadsInVain, mayReadOptimistically } from '../code/optimistic-loads.ts';
import { ACQUIRE } from '../code/order.ts';
import { retryReads } from '../code/retry-reads.ts';
import { SIZES } from '../code/type-codes.ts';
import { accessOf, atomicWait, isWrite, NO_WAIT } from '../events/effects.ts';
import { EVENT_WORDS } from '../events/event.ts';
import type { Memory } from '../memory/memory.ts';
import { hasStopped } from '../state/fault.ts';
import {
  ALIVE_HEAP,
  ALIVE_STACK,
  FREED,
  H_ERROR,
  H_EXITED,
  H_LIMIT,
  O_STATUS,
  OBJECT_HEADER,
  RUNNABLE,
  SPINNING,
  T_EVENTS,
  T_FRAME,
  T_PC,
  T_STATUS,
} from '../state/layout.ts';
import { stepOf } from '../state/process.ts';
import { UndefinedBits } from '../state/undefined-bits.ts';
import { EarlyReads } from './early-reads.ts';
import type { Frames } from './frames.ts';
import { waitOrder } from './guards.ts';
import { NestedWaits, type Waking } from './nested-waits.ts';
import type { Operations } from './operations.ts';
import { OptimisticReads, type Watching } from './optimistic-reads.ts';
import { Recurrence } from './recurrence.ts';
import { Retries, type Retrying } from './retries.ts';
import { ThreadWords } from './thread-words.ts';
import type { Upcoming } from './upcoming.ts';

/** In place of a memory access: the operation is a trylock. */
export const NO_BYTES = 0;
/** In place of a thread: holds a mutex that is assumed to be held. */
const SOMEBODY = 0x7ffffffe;

/** What is known of an operation. */
const NOT_IDLE = 0;
const IDLE = 1;
const EARLY = 2;

/** The words that say that an execution has ended. */
const ENDS = [H_ERROR, H_LIMIT, H_EXITED];

/** The part of a machine that looking ahead needs. */
interface Steppable extends Retrying, Waking, Watching {
  readonly code: Code;
  readonly memory: Memory;
  readonly operations: Operations;
  readonly upcoming: Upcoming;
}

export class IdleWaits {
  private readonly machine: Steppable;
  private readonly frames: Frames;
  private readonly reads: ReadonlyMap<number, IdleRead>;
  /** By pc: 1 if it is one of `reads`. */
  private readonly mayBeIdle: Uint8Array;
  private readonly before: ThreadWords;
  private readonly after: ThreadWords;
  private readonly recurrence: Recurrence;
  private readonly early: EarlyReads;
  private readonly retries: Retries | undefined;
  private readonly nested: NestedWaits | undefined;
  readonly optimistic: OptimisticReads | undefined = undefined;
  /** The loads, by pc, that may lead back to themselves by loads and fences. */
  private readonly inVain: ReadonlySet<number>;
  /** After `isIdle`: the operation is not idle itself, but repeats a read that was too early. */
  isEarly = false;
  /** What the operation that was looked at last accesses; `size` is `NO_BYTES` for a mutex. */
  address = 0;
  size = 0;
  /** How it waits for its thread's own stores (`events/effects.ts`). */
  wait: number = NO_WAIT;
  /** After `isIdleWith`: what the operation would do, `READS` or more. */
  access = 0;
  /** A thread has waited in front of an idle operation. */
  private hasBeenIdle = false;
  private readonly idle: Answers;
  private readonly undefinedBits: UndefinedBits;
  /** Changes when the machine rolls back. */
  private epoch = 1;

  constructor(
    machine: Steppable,
    frames: Frames,
    { retries, nested, optimistic, doomed }: Readonly<Record<'retries' | 'nested' | 'optimistic' | 'doomed', boolean>>,
  ) {
    this.machine = machine;
    this.frames = frames;
    this.undefinedBits = new UndefinedBits(machine.state, machine.layout);
    this.recurrence = new Recurrence(machine.state, machine.layout);
    this.before = new ThreadWords(machine);
    this.after = new ThreadWords(machine);
    this.early = new EarlyReads(machine, new ThreadWords(machine), this.after);
    const again = retries ? retryReads(machine.code) : undefined;
    this.retries =
      (again?.places.size ?? 0) > 0 ? new Retries(machine, again!, new ThreadWords(machine), this.after) : undefined;
    this.reads = idleReads(machine.code);
    const places = nested ? nestedReads(machine.code, this.reads) : undefined;
    this.nested =
      (places?.size ?? 0) > 0
        ? new NestedWaits(machine, places!, this.reads, (thread) => this.passFences(thread))
        : undefined;
    this.mayBeIdle = new Uint8Array(machine.code.words.length);
    for (const pc of this.reads.keys()) this.mayBeIdle[pc] = 1;
    for (const pc of this.retries?.places ?? []) this.mayBeIdle[pc] = 1;
    for (const pc of places?.keys() ?? []) this.mayBeIdle[pc] = 1;
    if (optimistic && mayReadOptimistically(machine.code, this.reads))
      this.optimistic = new OptimisticReads(machine, frames, {
        idle: this.reads,
        retries: this.retries?.places ?? new Set(),
      });
    this.inVain = doomed && this.optimistic !== undefined ? loadsInVain(machine.code) : new Set();
    for (const pc of this.inVain) this.mayBeIdle[pc] = 1;
    const { threads } = machine.layout.limits;
    this.idle = new Answers(threads);
  }

  /** Whether some operation of the program may be an idle read. */
  get isNeeded(): boolean {
    return this.reads.size > 0 || this.retries !== undefined;
  }

  /** Whether some load may be in vain, whatever is loaded after it. */
  get mayBeInVain(): boolean {
    return this.inVain.size > 0;
  }

  /** Whether any thread has waited. */
  get hasWaited(): boolean {
    return this.hasBeenIdle || this.optimistic?.hasWaited === true;
  }

  /** Called when the machine rolls back to this depth. */
  forget(depth: number): void {
    this.epoch++;
    this.optimistic?.undo(depth);
  }

  /** Whether the thread has to wait in front of its next operation, which is otherwise enabled. */
  keeps(thread: number): boolean {
    if (this.mayWait(thread) && this.isIdle(thread)) return true;
    return this.optimistic?.keepsFrom(thread) === true;
  }

  /** Whether the operation at this place of the code may be idle with some value. */
  mayBeIdleAt(pc: number): boolean {
    return this.mayBeIdle[pc] === 1;
  }

  /** Whether the thread is at an operation that may be idle with some value. */
  mayWait(thread: number): boolean {
    return this.mayBeIdle[this.machine.threads.get(thread, T_PC)] === 1;
  }

  /** Whether the thread's next operation is idle now. `mayWait` and all else that the operation waits for must hold. */
  isIdle(thread: number): boolean {
    const { machine, epoch, idle } = this;
    this.look(thread);
    const { state } = machine;
    if (this.size === NO_BYTES) {
      state.low = machine.operations.syncs.holder(this.address) + 1;
      state.high = 0;
    } else {
      // The access will fail, and so does not wait.
      if (machine.operations.accesses.error(thread, this.address, this.size) !== 0) return false;
      this.readNow(thread);
    }
    const { low, high } = state;
    const count = machine.threads.get(thread, T_EVENTS);
    const isPlain = this.size === NO_BYTES || this.undefinedBits.isPlain(this.address, this.size);
    if (!isPlain || !idle.knows(thread, epoch, count, low, high)) {
      const answer = this.wouldSleep(thread) ? (this.isEarly ? EARLY : IDLE) : NOT_IDLE;
      idle.note(thread, epoch, count, low, high, answer);
    }
    const answer = idle.of(thread);
    this.isEarly = answer === EARLY;
    this.hasBeenIdle ||= answer !== NOT_IDLE;
    return answer !== NOT_IDLE;
  }

  /**
   * Whether the operation would be idle if it ran now with these bytes in memory and, if `revives`, with its object
   * alive. The undefined bits of the bytes are those in `state.undefinedLow` and `undefinedHigh`.
   */
  isIdleWith(thread: number, bytes: Uint8Array, revives: boolean): boolean {
    const { machine, address, size } = this;
    const { state } = machine;
    const mark = state.mark;
    for (let i = 0; i < size; i++) state.write(address + i, 1, bytes[i]!, 0);
    this.undefinedBits.write(address, size, state.undefinedLow, state.undefinedHigh);
    state.undefinedLow = 0;
    state.undefinedHigh = 0;
    if (revives) this.revive(address);
    const answer = !machine.upcoming.isAwaitReady(thread) || this.wouldSleep(thread);
    state.rewind(mark);
    return answer;
  }

  /** Whether the thread might only wait after its next operation (`nested-waits.ts`). */
  mayNest(thread: number): boolean {
    return this.nested?.places.has(this.machine.threads.get(thread, T_PC)) === true;
  }

  /**
   * Whether waiting in front of such an operation, the last one looked at, loses nothing, given all values that its
   * place has had since the thread reached it (`nested-waits.ts`).
   */
  agreesOn(thread: number, values: readonly Uint8Array[]): boolean {
    const nested = this.nested!;
    const { state } = this.machine;
    const mark = state.mark;
    this.forgetEnd();
    const answer = values.every((then) => {
      const waits = nested.isNestedWith(thread, this.address, then);
      return !waits || values.every((now) => now === then || nested.agrees(thread, this.address, then, now));
    });
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

  /** Takes the operation and the fences after it, looks where the thread is, and undoes them. */
  private wouldSleep(thread: number): boolean {
    const { machine } = this;
    const { state } = machine;
    const depth = machine.depth;
    const mark = state.mark;
    this.forgetEnd();
    const pc = machine.threads.get(thread, T_PC);
    const read = this.reads.get(pc);
    if (read !== undefined) this.before.keep(thread, read.live);
    this.isEarly = false;
    machine.step(stepOf(thread));
    this.access = accessOf(machine.events.words, depth * EVENT_WORDS);
    const answer = (read !== undefined && this.isInVain(thread, read, depth)) || this.isRetry(thread, pc, depth);
    machine.undo(depth);
    const answers = answer || this.nested?.isNested(thread) === true || this.isDoomed(thread, pc);
    state.rewind(mark);
    return answers;
  }

  /** Whether the thread comes back to the load at `pc` whatever it loads on the way (`optimistic-walk.ts`). */
  private isDoomed(thread: number, pc: number): boolean {
    if (!this.inVain.has(pc) || this.optimistic?.isDoomed(thread) !== true) return false;
    this.isEarly = false;
    return true;
  }

  /** The execution may be over. The thread runs on nevertheless, to see where it would get. */
  private forgetEnd(): void {
    const { state } = this.machine;
    for (const word of ENDS) if (state.words[word] !== 0) state.set(word, 0);
  }

  private isInVain(thread: number, read: IdleRead, step: number): boolean {
    const { machine } = this;
    const { state } = machine;
    // After a write, the thread may sleep because it has undone something.
    if (isWrite(machine.events, step)) return false;
    this.passFences(thread);
    return (
      !hasStopped(state) &&
      (machine.threads.get(thread, T_STATUS) === SPINNING ||
        this.isBack(thread, read) ||
        this.isTooEarly(thread, read, step))
    );
  }

  /** Whether operation `step`, which the thread has taken, restarts an iteration that no other thread can know of. */
  private isRetry(thread: number, pc: number, step: number): boolean {
    const { machine } = this;
    if (this.retries === undefined || machine.depth > step + 1 || hasStopped(machine.state)) return false;
    this.isEarly = machine.threads.get(thread, T_STATUS) === RUNNABLE && this.retries.isRetry(thread, pc);
    return this.isEarly;
  }

  /** Whether operation `step`, which the thread has just taken, would have been avoided by reading later. */
  private isTooEarly(thread: number, { isPure }: IdleRead, step: number): boolean {
    const { machine } = this;
    if (!isPure || machine.depth !== step + 1 || machine.threads.get(thread, T_STATUS) !== RUNNABLE) return false;
    const next = this.reads.get(machine.threads.get(thread, T_PC));
    this.isEarly = next !== undefined && this.early.isTooEarly(thread, next.live);
    return this.isEarly;
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

  /** Whether the thread is at the same read again, in the same state. */
  private isBack(thread: number, { class: same, live }: IdleRead): boolean {
    const { threads } = this.machine;
    if (threads.get(thread, T_STATUS) !== RUNNABLE || this.reads.get(threads.get(thread, T_PC))?.class !== same)
      return false;
    this.after.keep(thread, live);
    return this.after.equalsButPrivate(this.before) && this.recurrence.isAsAt(thread, this.before.pokes);
  }

  /** Makes the object at this address alive again, if it has ended. */
  private revive(address: number): void {
    const { state, operations } = this.machine;
    const object = operations.objects.find(address);
    if (object <= 0) return;
    const status = ((object - OBJECT_HEADER) >> 2) + O_STATUS;
    if (state.words[status]! < FREED) return;
    state.set(status, state.words[status] === FREED ? ALIVE_HEAP : ALIVE_STACK);
  }
}

/** Per thread, the last answer: for which of the thread's operations, in which epoch, with which value. */
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

  of(thread: number): number {
    return this.answers[thread]!;
  }

  note(thread: number, epoch: number, event: number, low: number, high: number, answer: number): void {
    this.epochs[thread] = epoch;
    this.events[thread] = event;
    this.lows[thread] = low;
    this.highs[thread] = high;
    this.answers[thread] = answer;
  }
}
