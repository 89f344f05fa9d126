/**
 * Register frames: one per active call, stacked in each thread's part of the state. A frame starts with what is needed
 * to return (`FRAME_…` of `opcodes.ts`); the function's registers follow. Words above the newest frame are leftovers of
 * earlier calls; entering a function zeroes them.
 */
import { type Code, functionAddress } from '../code/code.ts';
import { BAD_CALL, LIMIT_CALLS, LIMIT_VARIABLES, STACK_OVERFLOW } from '../code/error.ts';
import * as op from '../code/opcodes.ts';
import { WIDE } from '../code/type-codes.ts';
import { fail, reachLimit } from '../state/fault.ts';
import {
  FINISHED,
  type Layout,
  T_FRAME,
  T_RESULT,
  T_STACK,
  T_STATUS,
  T_TOP,
  WHOLE_FRAME_WORDS,
  WHOLE_STACK_BYTES,
} from '../state/layout.ts';
import type { State } from '../state/state.ts';
import { Threads } from '../state/thread.ts';
import { UndefinedBits } from '../state/undefined-bits.ts';
import { Objects } from './objects.ts';

/** In place of a program counter: the thread does not continue. */
export const STOPPED = -1;

/**
 * Whether function `index` can be called with `count` arguments `(type value)*` at `args` in the code, for a result of
 * type `result` (-1 = none wanted). Surplus arguments are dropped, as in C for a function declared without parameters.
 */
export function accepts(code: Code, index: number, args: number, count: number, result: number): boolean {
  const func = code.functions[index];
  if (func === undefined) return false;
  // Its real parameters are unknown. The call is not an error here: it is refused once it runs.
  if (func.isUndefined) return true;
  if (func.parameters.length > count) return false;
  if (result >= 0 && result !== func.result) return false;
  for (let i = 0; i < func.parameters.length; i++)
    if (code.words[args + op.CALL_EACH * i + op.CALL_EACH_TYPE] !== func.parameters[i]) return false;
  return true;
}

export class Frames {
  private readonly code: Code;
  private readonly state: State;
  private readonly words: Int32Array;
  private readonly pool: Int32Array;
  private readonly layout: Layout;
  private readonly threads: Threads;
  private readonly objects: Objects;
  private readonly undefinedBits: UndefinedBits;

  constructor(code: Code, state: State, layout: Layout) {
    this.code = code;
    this.state = state;
    this.words = state.words;
    this.pool = code.pool;
    this.layout = layout;
    this.threads = new Threads(state, layout);
    this.objects = new Objects(state, layout);
    this.undefinedBits = new UndefinedBits(state, layout);
  }

  /** The low word of a value field, in the frame at `frame`. */
  low(frame: number, value: number): number {
    return value >= 0 ? this.words[frame + value]! : this.pool[~value]!;
  }

  high(frame: number, value: number): number {
    return value >= 0 ? this.words[frame + value + 1]! : this.pool[~value + 1]!;
  }

  /** Writes a register of the frame at `frame`. */
  set(frame: number, type: number, dest: number, low: number, high: number): void {
    this.state.set(frame + dest, low);
    if (WIDE[type] === 1) this.state.set(frame + dest + 1, high);
  }

  /**
   * Enters function `index` with arguments as in `accepts`, read in the frame `caller`. Returns its first instruction,
   * or `STOPPED`, with the error set, if this call is invalid or the stack is full.
   */
  enter(
    thread: number,
    site: number,
    index: number,
    caller: number,
    args: number,
    count: number,
    returnTo: number,
    result: number,
    dest: number,
  ): number {
    const { code, words } = this;
    if (!accepts(code, index, args, count, result)) {
      this.fail(BAD_CALL, thread, site, functionAddress(index));
      return STOPPED;
    }
    const func = code.functions[index]!;
    const frame = this.push(thread, site, func.frameWords, caller, returnTo, dest);
    if (frame === 0) return STOPPED;
    for (let i = 0; i < func.parameters.length; i++) {
      const value = code.words[args + op.CALL_EACH * i + op.CALL_EACH_VALUE]!;
      words[frame + func.offsets[i]!] = this.low(caller, value);
      if (WIDE[func.parameters[i]!] === 1) words[frame + func.offsets[i]! + 1] = this.high(caller, value);
      if (this.undefinedBits.isTracked && value >= 0)
        for (let word = 0; word <= WIDE[func.parameters[i]!]!; word++)
          this.undefinedBits.copyRegister(frame + func.offsets[i]! + word, caller + value + word);
    }
    return func.entry;
  }

  /**
   * Pushes a frame that is zero after its header, and returns it; 0, with the error set, if there is no room. The whole
   * frame is then in the journal: until the end of the step it may be written directly.
   */
  push(thread: number, site: number, size: number, caller: number, returnTo: number, dest: number): number {
    const { state, words } = this;
    const at = this.threads.at(thread);
    const frame = words[at + T_TOP]!;
    if (frame + size > this.layout.frames + (thread + 1) * this.layout.limits.frameWords) {
      this.callTooDeep(thread, site);
      return 0;
    }
    state.save(frame, size);
    words[frame + op.FRAME_RETURN] = returnTo;
    words[frame + op.FRAME_CALLER] = caller;
    words[frame + op.FRAME_DEST] = dest;
    words[frame + op.FRAME_STACK] = words[at + T_STACK]!;
    words[frame + op.FRAME_SITE] = site;
    for (let i = op.FRAME_HEADER; i < size; i++) words[frame + i] = 0;
    state.set(at + T_FRAME, frame);
    state.set(at + T_TOP, frame + size);
    return frame;
  }

  /**
   * Pops the frame and delivers the result, of type `type` (-1 = none). Returns where to continue, or `STOPPED` if that
   * was the thread's last frame and the thread has ended.
   */
  leave(thread: number, frame: number, type: number, low: number, high: number): number {
    const { state, words } = this;
    const at = this.threads.at(thread);
    if (words[at + T_STACK] !== words[frame + op.FRAME_STACK]) {
      this.objects.unwindStack(thread, words[frame + op.FRAME_STACK]!);
    }
    const returnTo = words[frame + op.FRAME_RETURN]!;
    if (returnTo < 0) {
      // The last frame stays: the registers of a litmus thread are read from it.
      this.finish(thread, low, high);
      return STOPPED;
    }
    const caller = words[frame + op.FRAME_CALLER]!;
    const dest = words[frame + op.FRAME_DEST]!;
    if (dest >= 0) this.set(caller, type, dest, low, high);
    state.set(at + T_FRAME, caller);
    state.set(at + T_TOP, frame);
    return returnTo;
  }

  /** The thread has ended, with this result. */
  finish(thread: number, low: number, high: number): void {
    const { threads } = this;
    threads.set(thread, T_RESULT, low);
    threads.set(thread, T_RESULT + 1, high);
    threads.set(thread, T_STATUS, FINISHED);
  }

  /** The place to show to the user for `site`: the innermost call site outside our library. */
  userSite(thread: number, site: number): number {
    const { words } = this;
    const { isLibrary } = this.code;
    let at = site;
    let frame = isLibrary[at] === 0 ? 0 : this.threads.get(thread, T_FRAME);
    while (frame !== 0 && isLibrary[at] === 1) {
      at = words[frame + op.FRAME_SITE]!;
      frame = words[frame + op.FRAME_CALLER]!;
    }
    return at;
  }

  fail(error: number, thread: number, site: number, detail = 0): void {
    fail(this.state, error, thread, this.userSite(thread, site), detail);
  }

  private callTooDeep(thread: number, site: number): void {
    if (this.layout.limits.frameWords >= WHOLE_FRAME_WORDS) this.fail(STACK_OVERFLOW, thread, site);
    else reachLimit(this.state, LIMIT_CALLS, thread, this.userSite(thread, site));
  }

  /** There is no room for a local variable in memory. */
  variableTooLarge(thread: number, site: number): void {
    if (this.layout.limits.stackBytes >= WHOLE_STACK_BYTES) this.fail(STACK_OVERFLOW, thread, site);
    else reachLimit(this.state, LIMIT_VARIABLES, thread, this.userSite(thread, site));
  }
}
