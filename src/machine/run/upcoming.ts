/** What threads are about to do and to wait for: asked of states, between steps. */
import { compare32 } from '../code/arithmetic.ts';
import type { Code } from '../code/code.ts';
import * as op from '../code/opcodes.ts';
import { RUNNABLE, T_FRAME, T_PC, T_STATUS, WAITING } from '../state/layout.ts';
import type { ProcessTable } from '../state/process.ts';
import type { State } from '../state/state.ts';
import type { Threads } from '../state/thread.ts';
import type { Frames } from './frames.ts';
import type { OperationParts } from './operation-parts.ts';

/** What a thread waits for: `predicate` of the four bytes at `address` and `bound`. */
export interface Awaiting {
  readonly address: number;
  readonly predicate: number;
  readonly bound: number;
  /** Whether it writes once it continues. */
  readonly modifies: boolean;
  readonly order: number;
}

export class Upcoming {
  private readonly code: Code;
  private readonly codeWords: Int32Array;
  private readonly state: State;
  private readonly frames: Frames;
  private readonly processes: ProcessTable;
  private readonly threads: Threads;

  constructor(parts: Pick<OperationParts, 'code' | 'state' | 'frames' | 'processes'>, threads: Threads) {
    this.code = parts.code;
    this.codeWords = parts.code.words;
    this.state = parts.state;
    this.frames = parts.frames;
    this.processes = parts.processes;
    this.threads = threads;
  }

  /** The user-visible site of the operation that the thread is about to run. */
  nextSite(thread: number): number {
    return this.frames.userSite(thread, this.codeWords[this.threads.get(thread, T_PC) + op.SITE]!);
  }

  /** Whether the thread is about to end the program. */
  wantsExit(thread: number): boolean {
    return this.codeWords[this.threads.get(thread, T_PC)] === op.EXIT;
  }

  /** The mutex that the thread is about to lock, or -1. */
  wantedMutex(thread: number): number {
    const pc = this.threads.get(thread, T_PC);
    return this.codeWords[pc] === op.LOCK ? this.operand(thread, pc, op.LOCK_MUTEX) : -1;
  }

  /** Whether the thread's next operation begins an atomic section. */
  beginsSection(thread: number): boolean {
    return this.codeWords[this.threads.get(thread, T_PC)] === op.BEGINATOMIC;
  }

  /** The mutex that the thread released in a condition wait and has not locked again, or -1. */
  relockedMutex(thread: number): number {
    const code = this.codeWords;
    const pc = this.threads.get(thread, T_PC);
    const lock = code[pc] === op.WAKE ? pc + op.lengthAt(code, pc) : pc;
    const isRelock = code[lock] === op.LOCK && this.code.sites[code[lock + op.SITE]!]!.instruction.op === 'wait';
    return isRelock ? this.operand(thread, lock, op.LOCK_MUTEX) : -1;
  }

  /** Whether some thread has released the mutex in a condition wait and not locked it again. */
  isInWait(mutex: number): boolean {
    const { threads, processes } = this;
    for (let thread = 0; thread < processes.threadCount; thread++) {
      const status = threads.get(thread, T_STATUS);
      if ((status === WAITING || status === RUNNABLE) && this.relockedMutex(thread) === mutex) return true;
    }
    return false;
  }

  /** What the thread is about to await. */
  awaiting(thread: number): Awaiting | undefined {
    const pc = this.threads.get(thread, T_PC);
    const code = this.codeWords;
    if (code[pc] !== op.AWAIT) return undefined;
    return {
      address: this.operand(thread, pc, op.AWAIT_ADDRESS),
      predicate: code[pc + op.AWAIT_PREDICATE]!,
      bound: this.operand(thread, pc, op.AWAIT_BOUND),
      modifies: code[pc + op.AWAIT_OPERATOR]! >= 0,
      order: code[pc + op.AWAIT_ORDER]!,
    };
  }

  /** False if the thread is about to block in an await, with memory as it is now. */
  isAwaitReady(thread: number): boolean {
    const pc = this.threads.get(thread, T_PC);
    const code = this.codeWords;
    if (code[pc] !== op.AWAIT || code[pc + op.AWAIT_BLOCKS] === 0) return true;
    this.state.read(this.operand(thread, pc, op.AWAIT_ADDRESS), 4);
    return (
      compare32(code[pc + op.AWAIT_PREDICATE]!, 32, this.state.low, this.operand(thread, pc, op.AWAIT_BOUND)) !== 0
    );
  }

  /** The address that the thread is about to await, or -1. */
  awaitedAddress(thread: number): number {
    const pc = this.threads.get(thread, T_PC);
    return this.codeWords[pc] === op.AWAIT ? this.operand(thread, pc, op.AWAIT_ADDRESS) : -1;
  }

  /** The thread that this one is about to join, or -1. */
  joinedThread(thread: number): number {
    const pc = this.threads.get(thread, T_PC);
    return this.codeWords[pc] === op.JOIN ? this.processes.slotOfHandle(this.operand(thread, pc, op.JOIN_THREAD)) : -1;
  }

  private operand(thread: number, pc: number, field: number): number {
    return this.frames.low(this.threads.get(thread, T_FRAME), this.codeWords[pc + field]!);
  }
}
