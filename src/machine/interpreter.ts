/**
 * Runs a thread's local instructions up to its next visible operation: a plain loop over `code.ts`. It keeps nothing of
 * its own; registers, frames and the program counter are words of the state.
 */
import { normalise } from './arithmetic.ts';
import type { Code } from './code.ts';
import {
  ASSERTION_FAILED,
  ASSERTION_WITH_TEXT,
  BAD_DETACH,
  DOUBLE_FREE,
  LIMIT_HEAP,
  LIMIT_LOCAL_STEPS,
  LIMIT_NOT_MODELLED,
  LIMIT_PRINT,
  MISUSE_WITH_TEXT,
  STACK_OVERFLOW,
  UNREACHABLE_REACHED,
  USE_AFTER_FREE,
} from './error.ts';
import { Evaluator } from './evaluate.ts';
import { reachLimit } from './fault.ts';
import { type Frames, STOPPED } from './frames.ts';
import {
  ALIVE_HEAP,
  ALIVE_KEPT,
  ALIVE_STACK,
  ASSUME_BLOCKED,
  DETACHED,
  H_MAIN_LEFT,
  type Layout,
  O_SIZE,
  T_CHILDREN,
  T_FLAGS,
  T_FRAME,
  T_PC,
  T_STATUS,
  T_WRITES,
} from './layout.ts';
import type { LoopWatch } from './loop-watch.ts';
import type { Memory } from './memory/memory.ts';
import { Objects } from './objects.ts';
import * as op from './opcodes.ts';
import { type Printer, PrintFault, UNKNOWN_CONVERSION } from './printer.ts';
import type { ProcessTable, Step } from './process.ts';
import type { State } from './state.ts';
import { Threads } from './thread.ts';
import { BITS, SIZES, WIDE } from './type-codes.ts';

/** Of a fresh object, by its kind. */
const STATUS: Readonly<Record<number, number>> = {
  [op.STACK_OBJECT]: ALIVE_STACK,
  [op.HEAP_OBJECT]: ALIVE_HEAP,
  [op.KEPT_OBJECT]: ALIVE_KEPT,
};

/** Runs what lies between visible operations. */
export interface Runner {
  /**
   * Takes a whole step of the thread: the visible operation at `pc` and what follows it. False, with nothing done, if
   * the operation is left to `Operations`.
   */
  step(thread: number, pc: number, step: Step): boolean;
  /** Runs from `pc` until the thread stands before a visible operation, has ended, is blocked or has failed. */
  advance(thread: number, pc: number): void;
}

/** What runners work on; owned by the machine. */
export interface RunnerParts {
  readonly loops: LoopWatch;
  readonly code: Code;
  readonly state: State;
  readonly layout: Layout;
  readonly frames: Frames;
  readonly processes: ProcessTable;
  readonly printer: Printer;
  readonly memory: Memory;
}

export class Interpreter implements Runner {
  private readonly codeWords: Int32Array;
  private readonly state: State;
  private readonly words: Int32Array;
  private readonly layout: Layout;
  private readonly frames: Frames;
  private readonly threads: Threads;
  private readonly objects: Objects;
  private readonly processes: ProcessTable;
  private readonly printer: Printer;
  private readonly memory: Memory;
  private readonly loops: LoopWatch;
  readonly evaluator: Evaluator;

  constructor(parts: RunnerParts) {
    this.codeWords = parts.code.words;
    this.state = parts.state;
    this.words = parts.state.words;
    this.layout = parts.layout;
    this.frames = parts.frames;
    this.threads = new Threads(parts.state, parts.layout);
    this.objects = new Objects(parts.state, parts.layout);
    this.processes = parts.processes;
    this.printer = parts.printer;
    this.memory = parts.memory;
    this.loops = parts.loops;
    this.evaluator = new Evaluator(parts.code, parts.state, parts.frames);
  }

  step(): boolean {
    return false;
  }

  advance(thread: number, pc: number): void {
    this.threads.set(thread, T_PC, pc);
    this.run(thread, pc, this.layout.limits.localSteps);
  }

  /** As `advance`, for at most `budget` instructions. The old `T_PC` must be in the journal of this step already. */
  run(thread: number, from: number, budget: number): void {
    const { state, frames, evaluator, words } = this;
    const code = this.codeWords;
    const at = this.threads.at(thread);
    let pc = from;
    let frame = words[at + T_FRAME]!;
    for (let left = budget; ; left--) {
      const operation = code[pc]!;
      if (operation >= op.VISIBLE) break;
      if (left === 0) {
        reachLimit(state, LIMIT_LOCAL_STEPS);
        break;
      }
      let next = pc;
      switch (operation) {
        case op.MOVE:
          this.move(frame, code[pc + 2]!, code[pc + 3]!, code[pc + 4]!);
          next = pc + 5;
          break;
        case op.BINARY:
          next = evaluator.binary(thread, frame, pc) ? pc + 7 : STOPPED;
          break;
        case op.COMPARE:
          evaluator.compare(frame, pc);
          next = pc + 7;
          break;
        case op.CAST:
          evaluator.cast(frame, pc);
          next = pc + 7;
          break;
        case op.SELECT: {
          const value = frames.low(frame, code[pc + 4]!) !== 0 ? code[pc + 5]! : code[pc + 6]!;
          this.move(frame, code[pc + 2]!, code[pc + 3]!, value);
          next = pc + 7;
          break;
        }
        case op.JUMP:
          next = code[pc + 2]!;
          break;
        case op.BRANCH:
          next = frames.low(frame, code[pc + 2]!) !== 0 ? code[pc + 3]! : code[pc + 4]!;
          break;
        case op.SWITCH:
          next = this.switchTarget(frame, pc);
          break;
        case op.CALL:
          next = this.call(thread, frame, pc);
          frame = words[at + T_FRAME]!;
          break;
        case op.RETURN:
          next = this.return(thread, frame, pc);
          frame = words[at + T_FRAME]!;
          break;
        case op.ASSERT:
          if (frames.low(frame, code[pc + 2]!) !== 0) next = pc + 6;
          else {
            this.failAssertion(thread, frame, pc);
            next = STOPPED;
          }
          break;
        case op.ASSUME:
          if (frames.low(frame, code[pc + 2]!) !== 0) next = pc + 3;
          else {
            state.set(at + T_STATUS, ASSUME_BLOCKED);
            next = STOPPED;
          }
          break;
        case op.EXITTHREAD:
          this.exitThread(thread, frame, pc);
          next = STOPPED;
          break;
        case op.UNREACHABLE:
          frames.fail(UNREACHABLE_REACHED, thread, code[pc + 1]!);
          next = STOPPED;
          break;
        default:
          next = this.other(thread, frame, pc) ? pc + op.lengthAt(code, pc) : STOPPED;
      }
      if (next === STOPPED) break;
      pc = next;
    }
    words[at + T_PC] = pc;
  }

  private move(frame: number, type: number, dest: number, value: number): void {
    const { state, frames } = this;
    const high = WIDE[type] === 1 ? frames.high(frame, value) : 0;
    state.set(frame + dest, frames.low(frame, value));
    if (WIDE[type] === 1) state.set(frame + dest + 1, high);
  }

  /** Runs a local instruction that does not jump. False, with the error set, if the thread cannot go on. */
  other(thread: number, frame: number, pc: number): boolean {
    const { state, frames } = this;
    const code = this.codeWords;
    const site = code[pc + 1]!;
    switch (code[pc]) {
      case op.UNARY:
        this.evaluator.unary(frame, pc);
        return true;
      case op.ALLOCA: {
        const address = this.objects.allocateOnStack(thread, code[pc + 3]!, code[pc + 4]!, site);
        if (address < 0) frames.fail(STACK_OVERFLOW, thread, site);
        else state.set(frame + code[pc + 2]!, address);
        this.noteWrite(thread);
        return address >= 0;
      }
      case op.ALLOCATE: {
        const size = frames.low(frame, code[pc + 4]!);
        const align = frames.low(frame, code[pc + 5]!);
        const status = STATUS[code[pc + 2]!]!;
        const address = this.objects.allocate(thread, size, status, frames.userSite(thread, site), align);
        if (address < 0) reachLimit(state, LIMIT_HEAP, size);
        else state.set(frame + code[pc + 3]!, address);
        this.noteWrite(thread);
        return address >= 0;
      }
      case op.EXTENT: {
        const address = frames.low(frame, code[pc + 3]!);
        const error = this.objects.checkFree(address);
        if (error !== 0) frames.fail(error === DOUBLE_FREE ? USE_AFTER_FREE : error, thread, site, address);
        else state.set(frame + code[pc + 2]!, this.objects.header(address, O_SIZE));
        return error === 0;
      }
      case op.ISCONSTANT: {
        const address = frames.low(frame, code[pc + 3]!);
        state.set(frame + code[pc + 2]!, this.objects.isOwn(thread, address) ? 1 : 0);
        return true;
      }
      case op.OLDERLOCAL:
        state.set(frame + code[pc + 2]!, this.objects.olderLocal(thread, frames.low(frame, code[pc + 3]!)));
        return true;
      case op.GLANCE:
        return this.glance(thread, frame, pc);
      case op.DETACH:
        return this.detach(thread, site, frames.low(frame, code[pc + 2]!));
      case op.PEEK: {
        const type = code[pc + 2]!;
        const address = frames.low(frame, code[pc + 4]!);
        if (!this.passes(this.objects.check(address, SIZES[type]!), thread, site, address)) return false;
        state.read(address, SIZES[type]!);
        const low = BITS[type]! < 32 ? normalise(state.low, BITS[type]!) : state.low;
        frames.set(frame, type, code[pc + 3]!, low, state.high);
        return true;
      }
      case op.POKE:
      case op.IDLEPOKE: {
        const type = code[pc + 2]!;
        const address = frames.low(frame, code[pc + 3]!);
        if (!this.passes(this.objects.checkWrite(address, SIZES[type]!), thread, site, address)) return false;
        const value = code[pc + 4]!;
        const high = WIDE[type] === 1 ? frames.high(frame, value) : 0;
        if (this.loops.options.spin && code[pc] === op.POKE)
          this.notePoke(thread, address, SIZES[type]!, frames.low(frame, value), high);
        state.write(address, SIZES[type]!, frames.low(frame, value), high);
        return true;
      }
      case op.THREADLOCAL: {
        const { threadLocals, threadLocalBytes } = this.layout;
        state.set(frame + code[pc + 2]!, threadLocals + thread * threadLocalBytes + code[pc + 3]!);
        return true;
      }
      case op.SELF:
        state.set(frame + code[pc + 2]!, this.self(thread, code[pc + 3]!));
        return true;
      case op.PRINT:
        this.noteWrite(thread);
        return this.print(thread, frame, pc);
      case op.MARK:
      case op.ENDMARK:
        this.noteWrite(thread);
        return this.mark(thread, frame, pc);
      case op.LOOPENTER:
        this.loops.enter(thread, frame, pc);
        return true;
      case op.LOOPBACK:
        return this.loops.repeat(thread, frame, pc);
      default:
        throw new Error(`no such operation: ${code[pc]}`);
    }
  }

  private glance(thread: number, frame: number, pc: number): boolean {
    const { frames, printer, state } = this;
    const code = this.codeWords;
    const type = code[pc + 2]!;
    const address = frames.low(frame, code[pc + 4]!);
    if (this.memory.isClear(thread, address, SIZES[type]!) && this.objects.check(address, SIZES[type]!) === 0) {
      state.read(address, SIZES[type]!);
      const value = BITS[type]! < 32 ? normalise(state.low, BITS[type]!) : state.low;
      frames.set(frame, type, code[pc + 3]!, value, state.high);
      return true;
    }
    // Byte by byte: some are in the own buffer.
    let low = 0;
    let high = 0;
    for (let i = 0; i < SIZES[type]!; i++) {
      const error = printer.checker!(thread, address + i);
      if (error !== 0) {
        frames.fail(error, thread, code[pc + 1]!, address);
        return false;
      }
      const byte = printer.reader!(thread, address + i);
      if (i < 4) low |= byte << (8 * i);
      else high |= byte << (8 * (i - 4));
    }
    frames.set(frame, type, code[pc + 3]!, BITS[type]! < 32 ? normalise(low, BITS[type]!) : low, high);
    return true;
  }

  private self(thread: number, what: number): number {
    const { threads, processes } = this;
    if (what === op.OWN_HANDLE) return processes.handle(thread);
    if (what === op.IS_DETACHED) return (threads.get(thread, T_FLAGS) & DETACHED) === 0 ? 0 : 1;
    const slot = processes.childSlot(thread, threads.get(thread, T_CHILDREN) + 1);
    // Without room for it, creating it is what ends the execution.
    return slot < 0 ? 0 : processes.handle(slot);
  }

  private detach(thread: number, site: number, handle: number): boolean {
    const { threads, frames } = this;
    const slot = this.processes.slotOfHandle(handle);
    if (slot < 0 || !threads.exists(slot) || threads.get(slot, T_FLAGS) !== 0) {
      frames.fail(BAD_DETACH, thread, site, handle);
      return false;
    }
    threads.set(slot, T_FLAGS, DETACHED);
    this.noteWrite(thread);
    return true;
  }

  /** The thread did something that is no pure read. */
  private noteWrite(thread: number): void {
    if (this.loops.options.spin) this.threads.set(thread, T_WRITES, this.threads.get(thread, T_WRITES) + 1);
  }

  private notePoke(thread: number, address: number, size: number, low: number, high: number): void {
    const { state } = this;
    state.read(address, size);
    const mask = size < 4 ? (1 << (8 * size)) - 1 : -1;
    if (((state.low ^ low) & mask) !== 0 || (size === 8 && state.high !== high)) this.noteWrite(thread);
  }

  /** Whether an access was found to be in order; otherwise its error is the thread's. */
  private passes(error: number, thread: number, site: number, address: number): boolean {
    if (error !== 0) this.frames.fail(error, thread, site, address);
    return error === 0;
  }

  private print(thread: number, frame: number, pc: number): boolean {
    const { frames, printer } = this;
    const code = this.codeWords;
    try {
      const [format, list] = [frames.low(frame, code[pc + 3]!), frames.low(frame, code[pc + 4]!)];
      const count = printer.printFormatted(thread, format, list);
      if (code[pc + 2]! >= 0) this.state.set(frame + code[pc + 2]!, count);
      return true;
    } catch (fault) {
      if (!(fault instanceof PrintFault)) throw fault;
      const site = code[pc + 1]!;
      if (fault.error !== UNKNOWN_CONVERSION) frames.fail(fault.error, thread, site, fault.detail);
      else reachLimit(this.state, LIMIT_PRINT, fault.detail, frames.userSite(thread, site));
      return false;
    }
  }

  /** [MARK site name value] or [ENDMARK site value]. */
  private mark(thread: number, frame: number, pc: number): boolean {
    const { frames, printer } = this;
    const code = this.codeWords;
    const site = frames.userSite(thread, code[pc + 1]!);
    if (code[pc] === op.ENDMARK) {
      printer.mark(thread, undefined, frames.low(frame, code[pc + 2]!), site);
      return true;
    }
    try {
      const name = printer.stringOf(thread, frames.low(frame, code[pc + 2]!));
      printer.mark(thread, name, frames.low(frame, code[pc + 3]!), site);
      return true;
    } catch (fault) {
      if (!(fault instanceof PrintFault)) throw fault;
      frames.fail(fault.error, thread, code[pc + 1]!, fault.detail);
      return false;
    }
  }

  private failAssertion(thread: number, frame: number, pc: number): void {
    const { frames } = this;
    const code = this.codeWords;
    const text = code[pc + 4]!;
    const site = code[pc + 1]!;
    if (text === op.NO_TEXT) frames.fail(ASSERTION_FAILED, thread, site, code[pc + 3]!);
    else if (code[pc + 5] === op.NOT_MODELLED) {
      reachLimit(this.state, LIMIT_NOT_MODELLED, frames.low(frame, text), frames.userSite(thread, site));
    } else {
      const error = code[pc + 5] === op.MISUSE ? MISUSE_WITH_TEXT : ASSERTION_WITH_TEXT;
      frames.fail(error, thread, site, frames.low(frame, text));
    }
  }

  private switchTarget(frame: number, pc: number): number {
    const { frames } = this;
    const code = this.codeWords;
    const wide = WIDE[code[pc + 2]!] === 1;
    const low = frames.low(frame, code[pc + 3]!);
    const high = wide ? frames.high(frame, code[pc + 3]!) : 0;
    const count = code[pc + 5]!;
    for (let i = 0, at = pc + 6; i < count; i++, at += 3) {
      if (code[at] === low && (!wide || code[at + 1] === high)) return code[at + 2]!;
    }
    return code[pc + 4]!;
  }

  /** Where the called function begins, or `STOPPED`, with the error set. */
  call(thread: number, frame: number, pc: number): number {
    const code = this.codeWords;
    const callee = -1 - this.frames.low(frame, code[pc + 4]!);
    const count = code[pc + 5]!;
    const args = pc + 6;
    const returnTo = args + 2 * count;
    return this.frames.enter(thread, code[pc + 1]!, callee, frame, args, count, returnTo, code[pc + 2]!, code[pc + 3]!);
  }

  private return(thread: number, frame: number, pc: number): number {
    const { frames } = this;
    const type = this.codeWords[pc + 2]!;
    const value = this.codeWords[pc + 3]!;
    if (type < 0) return frames.leave(thread, frame, type, 0, 0);
    const high = WIDE[type] === 1 ? frames.high(frame, value) : 0;
    return frames.leave(thread, frame, type, frames.low(frame, value), high);
  }

  private exitThread(thread: number, frame: number, pc: number): void {
    const { frames } = this;
    const type = this.codeWords[pc + 2]!;
    const value = this.codeWords[pc + 3]!;
    if (thread === 0) this.state.set(H_MAIN_LEFT, 1);
    if (type < 0) return frames.finish(thread, 0, 0);
    frames.finish(thread, frames.low(frame, value), WIDE[type] === 1 ? frames.high(frame, value) : 0);
  }
}
