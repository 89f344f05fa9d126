/**
 * Threads that wait without reading. A read after which its thread would go to sleep in a loop (`loop-watch.ts`) is
 * *idle*: it changes nothing and leads nowhere. With `awaits`, an idle read is not enabled; the thread waits in front of
 * it until the place has a value with which it would go on. docs/decisions/0024-idle-reads-wait.md has the argument.
 *
 * Whether a read is idle depends on the thread's own state and on the value that it finds. To find out, it is taken and
 * undone: exact for every loop, whatever its shape. Answers are kept until the thread or the value changes.
 */
import { idleReads } from '../code/idle-reads.ts';
import * as op from '../code/opcodes.ts';
import { ACQUIRE } from '../code/order.ts';
import { SIZES } from '../code/type-codes.ts';
import { accessOf, atomicWait, NO_WAIT } from '../events/effects.ts';
import { EVENT_WORDS } from '../events/event.ts';
import type { Machine } from '../machine.ts';
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
import type { Frames } from './frames.ts';
import { waitOrder } from './guards.ts';

/** In place of a memory access: the operation is a trylock. */
export const NO_BYTES = 0;
/** A thread that is not a thread: holds a mutex while nobody is said to. */
const SOMEBODY = 0x7ffffffe;

/** What says that an execution is over. */
const ENDS = [H_ERROR, H_LIMIT, H_EXITED];

export class IdleWaits {
  private readonly machine: Machine;
  private readonly frames: Frames;
  private readonly mayBeIdle: Uint8Array;
  /** The operation that was looked at last: what it accesses, `NO_BYTES` for a mutex. */
  address = 0;
  size = 0;
  /** How it waits for its thread's own stores (`events/effects.ts`). */
  wait: number = NO_WAIT;
  /** After `isIdleWith`: what the operation would do, `READS` or more. */
  access = 0;
  // Per thread, the last answer: for which of the thread's operations, in which history, with which value.
  private readonly events: Int32Array;
  private readonly epochs: Int32Array;
  private readonly lows: Int32Array;
  private readonly highs: Int32Array;
  private readonly answers: Uint8Array;
  /** Changes when the machine rolls back. */
  private epoch = 1;

  constructor(machine: Machine, frames: Frames) {
    this.machine = machine;
    this.frames = frames;
    this.mayBeIdle = idleReads(machine.code);
    const { threads } = machine.layout.limits;
    this.events = new Int32Array(threads);
    this.epochs = new Int32Array(threads);
    this.lows = new Int32Array(threads);
    this.highs = new Int32Array(threads);
    this.answers = new Uint8Array(threads);
  }

  /** Whether some operation of the program may be an idle read. */
  get isNeeded(): boolean {
    return this.mayBeIdle.includes(1);
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
    const { machine, epoch, events, epochs, lows, highs, answers } = this;
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
    const isKnown =
      epochs[thread] === epoch && events[thread] === count && lows[thread] === low && highs[thread] === high;
    if (isKnown) return answers[thread] === 1;
    const answer = this.wouldSleep(thread);
    events[thread] = count;
    epochs[thread] = epoch;
    lows[thread] = low;
    highs[thread] = high;
    answers[thread] = answer ? 1 : 0;
    return answer;
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
    const { state, threads, code } = machine;
    const depth = machine.depth;
    const mark = state.mark;
    for (const word of ENDS) if (state.words[word] !== 0) state.set(word, 0);
    const step = stepOf(thread);
    machine.step(step);
    this.access = accessOf(machine.events.words, depth * EVENT_WORDS);
    while (
      !hasStopped(state) &&
      threads.get(thread, T_STATUS) === RUNNABLE &&
      code.words[threads.get(thread, T_PC)] === op.FENCE
    )
      machine.step(step);
    const answer = !hasStopped(state) && threads.get(thread, T_STATUS) === SPINNING;
    machine.undo(depth);
    state.rewind(mark);
    return answer;
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
