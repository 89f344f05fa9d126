/**
 * What a thread's next visible operation accesses, and what it would write for a given value read. A search over
 * execution graphs uses this to decide what the operation reads, before the machine runs it.
 *
 * Call `of(thread)`; the fields then describe that thread's next operation.
 */
import { compare32, highWord, lowWord, modify32, modify64, normalise } from './code/arithmetic.ts';
import * as op from './code/opcodes.ts';
import { ACQUIRE, orderCode, RELEASE } from './code/order.ts';
import { BITS, I32, I64, SIZES } from './code/type-codes.ts';
import type { Machine } from './machine.ts';
import { toBigint } from './run/evaluate.ts';
import { Frames } from './run/frames.ts';
import { Objects } from './run/objects.ts';
import type { SyncObjects } from './run/sync.ts';
import { H_ATOMIC, O_SIZE, T_FRAME, T_PC } from './state/layout.ts';
import type { State } from './state/state.ts';
import type { Threads } from './state/thread.ts';

const RELAXED = orderCode('relaxed');

/** How an operation accesses memory or an object, part by part. */
export const NO_ACCESS = 0;
/** One read. */
export const READS_ONCE = 1;
/** One write. */
export const WRITES_ONCE = 2;
/** A read; then, depending on its value, a write to the same location. */
export const READS_THEN_WRITES = 3;
/** A condition wait: a read and a write of the condition variable, then of the mutex. */
export const WAITS_ON_CONDITION = 4;

export class NextAccess {
  private readonly code: Int32Array;
  private readonly state: State;
  private readonly threads: Threads;
  private readonly frames: Frames;
  private readonly objects: Objects;
  private readonly syncs: SyncObjects;
  private frame = 0;
  private pc = 0;

  operation = 0;
  access: number = NO_ACCESS;
  /** The memory that it accesses, or whose lifetime it begins or ends; for a mutex or condition, size 0. */
  address = 0;
  size = 0;
  order = 0;
  /** The order if a compare-exchange or trylock fails; -1 for other operations. */
  failureOrder = -1;
  /** After `writes`: the value it would write. After `of` a lifetime: `low` says how it begins or ends. */
  low = 0;
  high = 0;

  constructor({ code, state, layout, threads, operations }: Machine) {
    this.code = code.words;
    this.state = state;
    this.threads = threads;
    this.frames = new Frames(code, state, layout);
    this.objects = new Objects(state, layout);
    this.syncs = operations.syncs;
  }

  operationOf(thread: number): number {
    return this.code[this.threads.get(thread, T_PC)]!;
  }

  of(thread: number): void {
    const { code } = this;
    this.pc = this.threads.get(thread, T_PC);
    this.frame = this.threads.get(thread, T_FRAME);
    this.operation = code[this.pc]!;
    this.access = NO_ACCESS;
    this.failureOrder = -1;
    this.address = 0;
    this.size = 0;
    switch (this.operation) {
      case op.LOAD:
        return this.memory(READS_ONCE, op.LOAD_TYPE, op.LOAD_ADDRESS, op.LOAD_ORDER);
      case op.STORE:
        return this.memory(WRITES_ONCE, op.STORE_TYPE, op.STORE_ADDRESS, op.STORE_ORDER);
      case op.RMW:
        return this.memory(READS_THEN_WRITES, op.RMW_TYPE, op.RMW_ADDRESS, op.RMW_ORDER);
      case op.CMPXCHG:
        this.failureOrder = code[this.pc + op.CMPXCHG_FAILURE_ORDER]!;
        return this.memory(READS_THEN_WRITES, op.CMPXCHG_TYPE, op.CMPXCHG_ADDRESS, op.CMPXCHG_ORDER);
      case op.AWAIT:
        this.access = READS_THEN_WRITES;
        this.address = this.operand(op.AWAIT_ADDRESS);
        this.size = 4;
        this.order = code[this.pc + op.AWAIT_ORDER]!;
        break;
      case op.FENCE:
        this.order = code[this.pc + op.FENCE_ORDER]!;
        return;
      case op.FREE:
        this.address = this.operand(op.FREE_ADDRESS);
        if (this.address !== 0 && this.objects.check(this.address, 0) === 0) {
          this.size = Math.max(1, this.objects.header(this.address, O_SIZE));
        }
        return;
      case op.LIFETIME:
        this.address = this.operand(op.LIFETIME_ADDRESS);
        this.size = this.objects.extentOf(this.address, this.operand(op.LIFETIME_SIZE));
        this.low = code[this.pc + op.LIFETIME_WHAT]!;
        return;
      case op.LOCK:
        return this.object(op.LOCK_MUTEX, ACQUIRE);
      case op.TRYLOCK:
        this.failureOrder = RELAXED;
        return this.object(op.TRYLOCK_MUTEX, ACQUIRE);
      case op.UNLOCK:
        return this.object(op.UNLOCK_MUTEX, RELEASE);
      case op.SIGNAL:
        return this.object(op.SIGNAL_CONDITION, RELAXED);
      case op.BROADCAST:
        return this.object(op.BROADCAST_CONDITION, RELAXED);
      case op.WAKE:
        return this.object(op.WAKE_CONDITION, RELAXED);
      case op.DESTROY:
        return this.object(op.DESTROY_OBJECT, RELAXED);
      case op.INIT:
        return this.object(op.INIT_OBJECT, RELAXED);
      case op.BEGINATOMIC:
        return this.section(thread, false);
      case op.ENDATOMIC:
        return this.section(thread, true);
      case op.WAIT:
      case op.TIMEDWAIT:
        this.object(op.WAIT_CONDITION, RELAXED);
        if (this.access !== NO_ACCESS) this.access = WAITS_ON_CONDITION;
        return;
    }
    if (this.access !== NO_ACCESS && this.objects.check(this.address, this.size) !== 0) this.access = NO_ACCESS;
  }

  /** For a condition wait: the mutex. */
  get mutex(): number {
    return this.operand(op.WAIT_MUTEX);
  }

  /** For a join: the handle, as the program knows it, of the thread that it waits for. */
  get joined(): number {
    return this.operand(op.JOIN_THREAD);
  }

  private memory(access: number, type: number, address: number, order: number): void {
    this.address = this.operand(address);
    this.size = SIZES[this.code[this.pc + type]!]!;
    this.order = this.code[this.pc + order]!;
    const isWrite = access !== READS_ONCE;
    const { objects, size } = this;
    const error = isWrite ? objects.checkWrite(this.address, size) : objects.check(this.address, size);
    // An access that fails is not part of the graph.
    if (error === 0) this.access = access;
  }

  private object(operand: number, order: number): void {
    this.address = this.operand(operand);
    this.order = order;
    if (this.objects.check(this.address, 1) === 0) this.access = READS_THEN_WRITES;
  }

  /** All sections share one lock, at address 0. A thread that misuses it fails instead. */
  private section(thread: number, ends: boolean): void {
    this.order = ends ? RELEASE : ACQUIRE;
    const isInside = this.state.words[H_ATOMIC] === thread + 1;
    if (isInside === ends) this.access = READS_THEN_WRITES;
  }

  private operand(field: number): number {
    return this.frames.low(this.frame, this.code[this.pc + field]!);
  }

  private operandHigh(field: number): number {
    return this.size === 8 ? this.frames.high(this.frame, this.code[this.pc + field]!) : 0;
  }

  private get type(): number {
    const { code, pc } = this;
    switch (this.operation) {
      case op.LOAD:
        return code[pc + op.LOAD_TYPE]!;
      case op.STORE:
        return code[pc + op.STORE_TYPE]!;
      case op.RMW:
        return code[pc + op.RMW_TYPE]!;
      case op.CMPXCHG:
        return code[pc + op.CMPXCHG_TYPE]!;
      default:
        return I32;
    }
  }

  /** Leaves in `low` and `high` what the operation expects; 0 if it compares nothing. */
  expect(): void {
    const compares = this.operation === op.CMPXCHG;
    this.low = compares ? this.operand(op.CMPXCHG_EXPECTED) : 0;
    this.high = compares ? this.operandHigh(op.CMPXCHG_EXPECTED) : 0;
  }

  /** Whether the operation must wait as long as it reads this. A lock is 1 while it is held. */
  waits(low: number): boolean {
    if (this.operation === op.LOCK || this.operation === op.BEGINATOMIC) return low !== 0;
    if (this.operation !== op.AWAIT || this.code[this.pc + op.AWAIT_BLOCKS] === 0) return false;
    return !this.holds(low);
  }

  private holds(low: number): boolean {
    return compare32(this.code[this.pc + op.AWAIT_PREDICATE]!, 32, low, this.operand(op.AWAIT_BOUND)) !== 0;
  }

  /** Whether the operation writes if it reads this; if so, leaves the new value in `low` and `high`. */
  writes(low: number, high: number): boolean {
    const { code, pc, type } = this;
    switch (this.operation) {
      case op.STORE:
        this.low = this.operand(op.STORE_VALUE);
        this.high = this.operandHigh(op.STORE_VALUE);
        return true;
      case op.RMW:
        this.modify(code[pc + op.RMW_OPERATOR]!, type, low, high, op.RMW_VALUE);
        return true;
      case op.CMPXCHG: {
        const bits = BITS[type]!;
        const isLow =
          bits < 32
            ? normalise(low, bits) === this.operand(op.CMPXCHG_EXPECTED)
            : low === this.operand(op.CMPXCHG_EXPECTED);
        if (!isLow || (this.size === 8 && high !== this.operandHigh(op.CMPXCHG_EXPECTED))) return false;
        this.low = this.operand(op.CMPXCHG_DESIRED);
        this.high = this.operandHigh(op.CMPXCHG_DESIRED);
        return true;
      }
      case op.AWAIT:
        if (code[pc + op.AWAIT_OPERATOR]! < 0 || !this.holds(low)) return false;
        this.modify(code[pc + op.AWAIT_OPERATOR]!, I32, low, high, op.AWAIT_VALUE);
        return true;
      case op.LOCK:
      case op.TRYLOCK:
      case op.BEGINATOMIC:
        return this.leaves(1);
      case op.UNLOCK:
      case op.ENDATOMIC:
        return this.leaves(0);
      case op.INIT:
        return this.leaves(this.operand(op.INIT_IS_NEW) !== 0 ? 0 : low);
      case op.SIGNAL:
      case op.BROADCAST:
      case op.WAKE:
      case op.DESTROY:
      case op.WAIT:
      case op.TIMEDWAIT:
        return this.leaves(low);
      default:
        return false;
    }
  }

  private leaves(low: number): true {
    this.low = low;
    this.high = 0;
    return true;
  }

  private modify(operator: number, type: number, low: number, high: number, operand: number): void {
    if (type === I64) {
      const value = modify64(operator, toBigint(low, high), toBigint(this.operand(operand), this.operandHigh(operand)));
      this.low = lowWord(value);
      this.high = highWord(value);
      return;
    }
    const bits = BITS[type]!;
    this.low = modify32(operator, bits, bits < 32 ? normalise(low, bits) : low, this.operand(operand));
    this.high = 0;
  }

  /** Whether a thread holds the mutex. */
  isHeld(mutex: number): boolean {
    return this.syncs.holder(mutex) >= 0;
  }
}
