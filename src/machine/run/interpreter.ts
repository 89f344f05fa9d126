/**
 * Runs a thread's local instructions up to its next visible operation: a plain loop over `code.ts`. It has no state of
 * its own; registers, frames and the program counter are words of the state.
 */
import { functionAt } from '../code/code.ts';
import {
  ASSERTION_FAILED,
  ASSERTION_WITH_TEXT,
  BAD_DETACH,
  DOUBLE_FREE,
  LIMIT_HEAP,
  LIMIT_LOCAL_STEPS,
  MISUSE_WITH_TEXT,
  UNREACHABLE_REACHED,
  USE_AFTER_FREE,
} from '../code/error.ts';
import * as op from '../code/opcodes.ts';
import { WIDE } from '../code/type-codes.ts';
import { reachLimit } from '../state/fault.ts';
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
  T_UNDEFINED,
  UNMODELLED,
} from '../state/layout.ts';
import type { ProcessTable } from '../state/process.ts';
import type { State } from '../state/state.ts';
import { Threads } from '../state/thread.ts';
import { Definedness } from './definedness.ts';
import { Evaluator } from './evaluate.ts';
import { type Frames, STOPPED } from './frames.ts';
import type { LoopWatch } from './loop-watch.ts';
import { Objects } from './objects.ts';
import { Output } from './output.ts';
import type { Printer } from './printer.ts';
import { PrivateMemory } from './private-memory.ts';
import type { Progress } from './progress.ts';
import type { Runner, RunnerParts } from './runner.ts';

/** The status of a fresh object, by its kind. */
const STATUS: Readonly<Record<number, number>> = {
  [op.STACK_OBJECT]: ALIVE_STACK,
  [op.HEAP_OBJECT]: ALIVE_HEAP,
  [op.KEPT_OBJECT]: ALIVE_KEPT,
};

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
  private readonly loops: LoopWatch;
  private readonly progress: Progress;
  private readonly privateMemory: PrivateMemory;
  private readonly output: Output;
  readonly evaluator: Evaluator;
  private readonly definedness: Definedness;

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
    this.loops = parts.loops;
    this.progress = parts.progress;
    this.definedness = new Definedness(parts);
    this.privateMemory = new PrivateMemory(parts, this.objects, this.definedness);
    this.output = new Output(parts, this.objects, this.definedness);
    this.evaluator = new Evaluator(parts.code, parts.state, parts.frames);
  }

  step(): boolean {
    return false;
  }

  advance(thread: number, pc: number): void {
    this.threads.set(thread, T_PC, pc);
    this.run(thread, pc, this.layout.limits.localSteps);
  }

  /** Like `advance`, for at most `budget` instructions. The old `T_PC` must already be in the journal of this step. */
  run(thread: number, from: number, budget: number): void {
    const { state, frames, evaluator, words } = this;
    const code = this.codeWords;
    const at = this.threads.at(thread);
    let pc = from;
    let frame = words[at + T_FRAME]!;
    const { isTracked } = this.definedness.bits;
    for (let left = budget; ; left--) {
      const operation = code[pc]!;
      const isDefined = !isTracked || words[at + T_UNDEFINED] === 0 || this.definedness.before(thread, frame, pc);
      if (operation >= op.VISIBLE || !isDefined) break;
      if (left === 0) {
        reachLimit(state, LIMIT_LOCAL_STEPS, thread, frames.userSite(thread, code[pc + op.SITE]!));
        break;
      }
      let next = pc;
      switch (operation) {
        case op.MOVE:
          this.move(frame, code[pc + op.MOVE_TYPE]!, code[pc + op.MOVE_DEST]!, code[pc + op.MOVE_VALUE]!);
          next = pc + op.MOVE_LENGTH;
          break;
        case op.BINARY:
          next = evaluator.binary(thread, frame, pc) ? pc + op.BINARY_LENGTH : STOPPED;
          break;
        case op.COMPARE:
          evaluator.compare(frame, pc);
          next = pc + op.COMPARE_LENGTH;
          break;
        case op.CAST:
          evaluator.cast(frame, pc);
          next = pc + op.CAST_LENGTH;
          break;
        case op.SELECT: {
          const value =
            frames.low(frame, code[pc + op.SELECT_CONDITION]!) !== 0
              ? code[pc + op.SELECT_IF_TRUE]!
              : code[pc + op.SELECT_IF_FALSE]!;
          this.move(frame, code[pc + op.SELECT_TYPE]!, code[pc + op.SELECT_DEST]!, value);
          next = pc + op.SELECT_LENGTH;
          break;
        }
        case op.JUMP:
          next = code[pc + op.JUMP_TARGET]!;
          break;
        case op.BRANCH:
          next =
            frames.low(frame, code[pc + op.BRANCH_CONDITION]!) !== 0
              ? code[pc + op.BRANCH_IF_TRUE]!
              : code[pc + op.BRANCH_IF_FALSE]!;
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
          if (frames.low(frame, code[pc + op.ASSERT_CONDITION]!) !== 0) next = pc + op.ASSERT_LENGTH;
          else {
            this.failAssertion(thread, frame, pc);
            next = STOPPED;
          }
          break;
        case op.ASSUME:
          if (frames.low(frame, code[pc + op.ASSUME_CONDITION]!) !== 0) next = pc + op.ASSUME_LENGTH;
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
          frames.fail(UNREACHABLE_REACHED, thread, code[pc + op.SITE]!);
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

  /** Runs a local instruction that does not jump. False, with the error set, if the thread cannot continue. */
  other(thread: number, frame: number, pc: number): boolean {
    const { state, frames } = this;
    const code = this.codeWords;
    const site = code[pc + op.SITE]!;
    switch (code[pc]) {
      case op.UNARY:
        this.evaluator.unary(frame, pc);
        return true;
      case op.ALLOCA: {
        const isIdle = code[pc + op.ALLOCA_IDLE] === 1;
        if (!isIdle) this.progress.beginPoke(thread);
        const address = this.objects.allocateOnStack(
          thread,
          code[pc + op.ALLOCA_SIZE]!,
          code[pc + op.ALLOCA_ALIGN]!,
          site,
          code[pc + op.ALLOCA_FILL]!,
        );
        if (address < 0) frames.variableTooLarge(thread, site);
        else state.set(frame + code[pc + op.ALLOCA_DEST]!, address);
        if (!isIdle) this.progress.endPoke(thread);
        return address >= 0;
      }
      case op.ALLOCATE: {
        const size = frames.low(frame, code[pc + op.ALLOCATE_SIZE]!);
        const align = frames.low(frame, code[pc + op.ALLOCATE_ALIGN]!);
        const status = STATUS[code[pc + op.ALLOCATE_KIND]!]!;
        const fill = code[pc + op.ALLOCATE_FILL]!;
        const address = this.objects.allocate(thread, size, status, frames.userSite(thread, site), align, fill);
        if (address < 0) reachLimit(state, LIMIT_HEAP, size);
        else state.set(frame + code[pc + op.ALLOCATE_DEST]!, address);
        this.progress.note(thread);
        return address >= 0;
      }
      case op.EXTENT: {
        const address = frames.low(frame, code[pc + op.EXTENT_ADDRESS]!);
        const error = this.objects.checkFree(address);
        if (error !== 0) frames.fail(error === DOUBLE_FREE ? USE_AFTER_FREE : error, thread, site, address);
        else state.set(frame + code[pc + op.EXTENT_DEST]!, this.objects.header(address, O_SIZE));
        return error === 0;
      }
      case op.ISSTATIC: {
        const address = frames.low(frame, code[pc + op.ISSTATIC_ADDRESS]!);
        state.set(frame + code[pc + op.ISSTATIC_DEST]!, address >>> 0 < this.layout.stacks ? 1 : 0);
        return true;
      }
      case op.ISCONSTANT: {
        const address = frames.low(frame, code[pc + op.ISCONSTANT_ADDRESS]!);
        state.set(frame + code[pc + op.ISCONSTANT_DEST]!, this.objects.isOwn(thread, address) ? 1 : 0);
        return true;
      }
      case op.OLDERLOCAL:
        state.set(
          frame + code[pc + op.OLDERLOCAL_DEST]!,
          this.objects.olderLocal(thread, frames.low(frame, code[pc + op.OLDERLOCAL_ADDRESS]!)),
        );
        return true;
      case op.REFRESH:
        this.objects.refresh(frames.low(frame, code[pc + op.REFRESH_ADDRESS]!));
        return true;
      case op.SUSPEND: {
        const address = frames.low(frame, code[pc + op.SUSPEND_ADDRESS]!);
        if (code[pc + op.SUSPEND_IS_BACK] === 1) this.objects.resume(address);
        else this.objects.end(address, site);
        return true;
      }
      case op.PROGRESS:
        state.set(frame + code[pc + op.PROGRESS_DEST]!, this.objects.isFilling(thread) ? 0 : this.progress.of(thread));
        return true;
      case op.GLANCE:
        return this.privateMemory.glance(thread, frame, pc);
      case op.DETACH:
        return this.detach(thread, site, frames.low(frame, code[pc + op.DETACH_THREAD]!));
      case op.PEEK:
        return this.privateMemory.peek(thread, frame, pc);
      case op.POKE:
      case op.IDLEPOKE:
        return this.privateMemory.poke(thread, frame, pc);
      case op.UNDEFINE:
        frames.set(frame, code[pc + op.UNDEFINE_TYPE]!, code[pc + op.UNDEFINE_DEST]!, 0, 0);
        if (this.definedness.bits.isTracked) this.definedness.undefine(thread, frame, pc);
        return true;
      case op.THREADLOCAL: {
        const { threadLocals, threadLocalBytes } = this.layout;
        state.set(
          frame + code[pc + op.THREADLOCAL_DEST]!,
          threadLocals + thread * threadLocalBytes + code[pc + op.THREADLOCAL_OFFSET]!,
        );
        return true;
      }
      case op.SELF:
        state.set(frame + code[pc + op.SELF_DEST]!, this.self(thread, code[pc + op.SELF_WHAT]!));
        return true;
      case op.PRINT:
        this.progress.note(thread);
        return this.output.print(thread, frame, pc);
      case op.ENDPRINT:
        this.progress.note(thread);
        this.printer.end(thread, frames.low(frame, code[pc + op.ENDPRINT_COUNT]!));
        return true;
      case op.CONVERT:
        this.progress.note(thread);
        return this.output.convert(thread, frame, pc);
      case op.MARK:
      case op.ENDMARK:
        this.progress.note(thread);
        return this.output.mark(thread, frame, pc);
      case op.LOOPENTER:
        this.loops.enter(thread, frame, pc);
        return true;
      case op.LOOPBACK:
        return this.loops.repeat(thread, frame, pc);
      default:
        throw new Error(`no such operation: ${code[pc]}`);
    }
  }

  private self(thread: number, what: number): number {
    const { threads, processes } = this;
    if (what === op.OWN_HANDLE) return processes.handle(thread);
    if (what === op.IS_DETACHED) return (threads.get(thread, T_FLAGS) & DETACHED) === 0 ? 0 : 1;
    const slot = processes.childSlot(thread, threads.get(thread, T_CHILDREN) + 1);
    // If there is no room for it, creating it ends the execution.
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
    this.processes.detaches++;
    this.progress.note(thread);
    return true;
  }

  private failAssertion(thread: number, frame: number, pc: number): void {
    const { frames } = this;
    const code = this.codeWords;
    const text = code[pc + op.ASSERT_TEXT]!;
    const site = code[pc + op.SITE]!;
    if (code[pc + op.ASSERT_WHAT] === op.REFUSAL) {
      this.threads.set(thread, T_STATUS, UNMODELLED);
    } else if (text === op.NO_TEXT) frames.fail(ASSERTION_FAILED, thread, site, code[pc + op.ASSERT_MESSAGE]!);
    else if (code[pc + op.ASSERT_WHAT] === op.NOT_MODELLED) {
      this.threads.set(thread, T_STATUS, UNMODELLED);
    } else {
      const error = code[pc + op.ASSERT_WHAT] === op.MISUSE ? MISUSE_WITH_TEXT : ASSERTION_WITH_TEXT;
      frames.fail(error, thread, site, frames.low(frame, text));
    }
  }

  private switchTarget(frame: number, pc: number): number {
    const { frames } = this;
    const code = this.codeWords;
    const wide = WIDE[code[pc + op.SWITCH_TYPE]!] === 1;
    const low = frames.low(frame, code[pc + op.SWITCH_VALUE]!);
    const high = wide ? frames.high(frame, code[pc + op.SWITCH_VALUE]!) : 0;
    const count = code[pc + op.SWITCH_COUNT]!;
    for (let i = 0, at = pc + op.SWITCH_LIST; i < count; i++, at += op.SWITCH_EACH) {
      const isLow = code[at + op.SWITCH_EACH_LOW] === low;
      if (isLow && (!wide || code[at + op.SWITCH_EACH_HIGH] === high)) return code[at + op.SWITCH_EACH_TARGET]!;
    }
    return code[pc + op.SWITCH_OTHERWISE]!;
  }

  /** The start of the called function, or `STOPPED`, with the error set. */
  call(thread: number, frame: number, pc: number): number {
    const code = this.codeWords;
    const callee = functionAt(this.frames.low(frame, code[pc + op.CALL_CALLEE]!));
    const count = code[pc + op.CALL_COUNT]!;
    const args = pc + op.CALL_LIST;
    const returnTo = args + op.CALL_EACH * count;
    return this.frames.enter(
      thread,
      code[pc + op.SITE]!,
      callee,
      frame,
      args,
      count,
      returnTo,
      code[pc + op.CALL_TYPE]!,
      code[pc + op.CALL_DEST]!,
    );
  }

  private return(thread: number, frame: number, pc: number): number {
    const { frames } = this;
    const type = this.codeWords[pc + op.RETURN_TYPE]!;
    const value = this.codeWords[pc + op.RETURN_VALUE]!;
    if (type < 0) return frames.leave(thread, frame, type, 0, 0);
    const high = WIDE[type] === 1 ? frames.high(frame, value) : 0;
    return frames.leave(thread, frame, type, frames.low(frame, value), high);
  }

  private exitThread(thread: number, frame: number, pc: number): void {
    const { frames } = this;
    const type = this.codeWords[pc + op.EXITTHREAD_TYPE]!;
    const value = this.codeWords[pc + op.EXITTHREAD_VALUE]!;
    if (thread === 0) this.state.set(H_MAIN_LEFT, 1);
    if (type < 0) return frames.finish(thread, 0, 0);
    frames.finish(thread, frames.low(frame, value), WIDE[type] === 1 ? frames.high(frame, value) : 0);
  }
}
