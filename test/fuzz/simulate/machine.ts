/**
 * The memory models and everything that synchronises, transcribed from docs/models.md as simply as possible: which
 * steps a state has, and what each does. Local operations, stores that only enter the thread's own buffer, and fences
 * with nothing to wait for run together with the step before them: no other thread can tell when they ran. There are
 * two exceptions. A section that is never left blocks everything: so where there are sections, operations are steps. An
 * error ends the execution: so an operation right before one is a step.
 */
import { MUTEXES, type Operator, REGISTERS, unknown, type Value } from '../ast.ts';
import { ARRIVED, OBJECT_BYTES, OBJECTS, type Op, type SimCode } from './code.ts';
import * as s from './state.ts';
import { Trace } from './trace.ts';
import { areEqual, areExchanged, type Masked, maskOfProduct, maskOfResult, maskOfSum } from './undefined.ts';

export type SimModel = 'sc' | 'tso' | 'pso';
export const ERRORS = ['assertion', 'memory', 'misuse', 'uninitialised'] as const;
const [ASSERTION, MEMORY, MISUSE, UNINITIALISED] = [1, 2, 3, 4];

export interface SimMachineOptions {
  readonly traces: boolean;
  /** Fresh objects and registers are undefined, not zero. */
  readonly uninitialised: boolean;
}

/** Thrown if there is no room for another buffered store. */
export class OutOfRoom extends Error {}

export class SimMachine {
  readonly code: SimCode;
  readonly model: SimModel;
  readonly shape: s.Shape;
  /** The current state. */
  readonly w: Int32Array;
  private readonly bytes: Uint8Array;
  /** The current trace, if traces are requested. */
  trace: Trace | undefined;

  private readonly uninitialised: boolean;

  constructor(code: SimCode, model: SimModel, { traces, uninitialised }: SimMachineOptions) {
    this.uninitialised = uninitialised;
    this.code = code;
    this.model = model;
    this.shape = s.shapeOf(code, (code.bytes - OBJECTS) / OBJECT_BYTES);
    this.w = new Int32Array(this.shape.words);
    this.bytes = new Uint8Array(this.w.buffer);
    this.trace = traces ? new Trace(code.threads.length, code.bytes + 2 * MUTEXES) : undefined;
    for (const [at, value] of code.initial) this.w[at >> 2] = value;
    if (uninitialised) this.w.fill(-1, this.shape.masks + OBJECTS / 4, this.shape.masks + code.bytes / 4);
    this.forgetRegisters(0);
    this.w[this.shape.threads[0]! + s.STATUS] = s.RUNS;
    this.runLocal(0);
  }

  /** Makes the registers that the thread names undefined. */
  private forgetRegisters(t: number): void {
    const masks = this.shape.threads[t]! + s.MASKS;
    if (this.uninitialised) this.w.fill(-1, masks, masks + 2 * REGISTERS);
  }

  get isOver(): boolean {
    return this.w[this.shape.error] !== 0 || this.w[this.shape.exited] !== 0;
  }

  /** All next states: `take` is called once for each, with the machine in that state. */
  forEachStep(save: () => void, take: () => void): void {
    const { w, shape } = this;
    if (this.isOver) return;
    const section = w[shape.section]!;
    for (let t = 0; t < shape.threads.length; t++) {
      if (section !== 0 && section !== t + 1) continue;
      const at = shape.threads[t]!;
      const waiting = w[at + s.WAITING_STORES]!;
      for (let i = 0; i < waiting; i++) {
        if (!this.mayCommit(at, i)) continue;
        this.commit(t, i);
        take();
        save();
        if (this.model === 'tso') break;
      }
      if (w[at + s.STATUS] !== s.RUNS) continue;
      const op = this.code.threads[t]![w[at + s.PC]!]!;
      const ways = this.waysOf(t, at, op);
      for (let way = 0; way < ways; way++) {
        this.run(t, at, op, way);
        if (!this.isOver && w[at + s.STATUS] === s.RUNS) this.runLocal(t);
        take();
        save();
      }
    }
  }

  // ---- store buffers

  private entry(at: number, i: number): number {
    return at + s.ENTRIES + i * s.ENTRY_WORDS;
  }

  private mayCommit(at: number, i: number): boolean {
    const { w } = this;
    const entry = this.entry(at, i);
    for (let j = 0; j < i; j++) {
      const older = this.entry(at, j);
      if (w[older + s.N_EPOCH]! < w[entry + s.N_EPOCH]!) return false;
      if (overlaps(w[older + s.N_AT]!, w[older + s.N_SIZE]!, w[entry + s.N_AT]!, w[entry + s.N_SIZE]!)) return false;
    }
    return true;
  }

  private commit(t: number, i: number): void {
    const { w, shape } = this;
    const at = shape.threads[t]!;
    const entry = this.entry(at, i);
    const [where, size, low, high, , frees, event, lowMask, highMask] = w.subarray(
      entry,
      entry + s.ENTRY_WORDS,
    ) as unknown as number[];
    const last = w[at + s.WAITING_STORES]! - 1;
    w.copyWithin(entry, entry + s.ENTRY_WORDS, this.entry(at, last + 1));
    w.fill(0, this.entry(at, last), this.entry(at, last + 1));
    w[at + s.WAITING_STORES] = last;
    if (last === 0) w[at + s.EPOCH] = 0;
    if (!this.isAlive(where!)) return this.fail(MEMORY);
    if (frees === 1) this.die(where!);
    else this.write(where!, size!, low!, high!, lowMask, highMask);
    this.trace?.write(event!, where!, size!);
    if (w[at + s.STATUS] === s.RUNS) this.runLocal(t);
  }

  private enqueue(
    t: number,
    where: number,
    size: number,
    low: number,
    high: number,
    barrier: boolean,
    frees: boolean,
    [lowMask, highMask]: readonly [number, number] = [0, 0],
  ): void {
    const { w, shape } = this;
    const at = shape.threads[t]!;
    const event = this.trace?.event(t) ?? 0;
    if (this.model === 'sc') {
      if (frees) this.die(where);
      else this.write(where, size, low, high, lowMask, highMask);
      this.trace?.write(event, where, size);
      return;
    }
    const count = w[at + s.WAITING_STORES]!;
    if (count >= this.code.room[t]!) throw new OutOfRoom();
    if (barrier) this.barrier(at);
    const entry = this.entry(at, count);
    w.set([where, size, low, high, w[at + s.EPOCH]!, frees ? 1 : 0, event, lowMask, highMask], entry);
    w[at + s.WAITING_STORES] = count + 1;
  }

  /** Only PSO needs this. If nothing is buffered, there is nothing to hold back. */
  private barrier(at: number): void {
    if (this.model === 'pso' && this.w[at + s.WAITING_STORES]! > 0) this.w[at + s.EPOCH]!++;
  }

  /** Whether a read-modify-write of these bytes may run. */
  private mayModify(at: number, where: number, size: number, strong: boolean): boolean {
    const { w } = this;
    const count = w[at + s.WAITING_STORES]!;
    if (count === 0) return true;
    if (strong || this.model === 'tso') return false;
    for (let i = 0; i < count; i++) {
      const entry = this.entry(at, i);
      if (w[entry + s.N_EPOCH]! < w[at + s.EPOCH]!) return false;
      if (overlaps(w[entry + s.N_AT]!, w[entry + s.N_SIZE]!, where, size)) return false;
    }
    return true;
  }

  /** The thread's newest store that shares a byte, or -1. */
  private newest(at: number, where: number, size: number): number {
    const { w } = this;
    for (let i = w[at + s.WAITING_STORES]! - 1; i >= 0; i--) {
      const entry = this.entry(at, i);
      if (overlaps(w[entry + s.N_AT]!, w[entry + s.N_SIZE]!, where, size)) return entry;
    }
    return -1;
  }

  private covers(entry: number, where: number, size: number): boolean {
    const { w } = this;
    return w[entry + s.N_AT]! <= where && where + size <= w[entry + s.N_AT]! + w[entry + s.N_SIZE]!;
  }

  private mayLoad(at: number, where: number, size: number): boolean {
    const entry = this.newest(at, where, size);
    return entry < 0 || this.w[entry + s.N_FREES] === 1 || this.covers(entry, where, size);
  }

  private load(t: number, where: number, size: number, to: number): void {
    const { w, shape, trace } = this;
    const at = shape.threads[t]!;
    const entry = this.newest(at, where, size);
    const regs = at + s.REGS + 2 * to;
    if (entry < 0) {
      const low = this.low(where, size);
      const high = size === 8 ? this.low(where + 4, 4) : 0;
      w[regs] = low;
      w[regs + 1] = high;
      this.setMask(at, to, this.readWide(this.maskAt(where), size));
      trace?.readMemory(t, where, size);
      return;
    }
    if (w[entry + s.N_FREES] === 1) return this.fail(MEMORY);
    const shift = BigInt(8 * (where - w[entry + s.N_AT]!));
    const value = BigInt.asUintN(8 * size, wide(w[entry + s.N_LOW]!, w[entry + s.N_HIGH]!) >> shift);
    w[regs] = Number(value & 0xffffffffn) | 0;
    w[regs + 1] = Number(value >> 32n) | 0;
    this.setMask(at, to, BigInt.asUintN(8 * size, wide(w[entry + s.N_LOW_MASK]!, w[entry + s.N_HIGH_MASK]!) >> shift));
    trace?.readFrom(t, w[entry + s.N_EVENT]!, size);
  }

  // ---- memory

  private low(where: number, size: number): number {
    const { bytes } = this;
    let value = 0;
    for (let i = Math.min(size, 4) - 1; i >= 0; i--) value = (value << 8) | bytes[where + i]!;
    return value;
  }

  private write(where: number, size: number, low: number, high: number, lowMask = 0, highMask = 0): void {
    const byte = (i: number, a: number, b: number): number => (i < 4 ? a >> (8 * i) : b >> (8 * (i - 4))) & 255;
    for (let i = 0; i < size; i++) {
      this.bytes[where + i] = byte(i, low, high);
      this.bytes[this.maskAt(where) + i] = byte(i, lowMask, highMask);
    }
  }

  /** The index of a byte's undefined bits, among the bytes of the state. */
  private maskAt(where: number): number {
    return 4 * this.shape.masks + where;
  }

  private isAlive(where: number): boolean {
    if (where < OBJECTS) return true;
    return this.w[this.shape.dead + (((where - OBJECTS) / OBJECT_BYTES) | 0)] === 0;
  }

  private die(where: number): void {
    this.w[this.shape.dead + (((where - OBJECTS) / OBJECT_BYTES) | 0)] = 1;
  }

  /** Whether the thread may access what the pointer points to; its own buffered free counts. */
  private isAccessible(at: number, where: number): boolean {
    if (where === 0 || !this.isAlive(where)) return false;
    const entry = this.newest(at, where, 4);
    return entry < 0 || this.w[entry + s.N_FREES] === 0;
  }

  private fail(error: number): void {
    this.w[this.shape.error] = error;
  }

  // ---- registers

  private set(at: number, reg: number, low: number, high: number = 0): void {
    if (reg < 0) return;
    this.w[at + s.REGS + 2 * reg] = low;
    this.w[at + s.REGS + 2 * reg + 1] = high;
    this.setMask(at, reg, 0n);
  }

  private setMask(at: number, reg: number, mask: bigint): void {
    if (reg >= 0) this.w.set(halves(mask, 8), at + s.MASKS + 2 * reg);
  }

  private register(at: number, reg: number): number {
    return this.w[at + s.REGS + 2 * reg]!;
  }

  private value(at: number, value: Value): bigint {
    const own = wide(value.low, value.high);
    if (value.reg < 0) return own;
    const reg = at + s.REGS + 2 * value.reg;
    return own + wide(this.w[reg]!, this.w[reg + 1]!);
  }

  /** The value and its undefined bits, of those that fit into this many bytes. */
  private masked(at: number, value: Value, size: number): Masked {
    const whole = this.value(at, value);
    let mask = 0n;
    if (value.reg >= 0) {
      const [reg, masks] = [at + s.REGS + 2 * value.reg, at + s.MASKS + 2 * value.reg];
      mask = wide(this.w[masks]!, this.w[masks + 1]!);
      const own: Masked = { value: wide(value.low, value.high), mask: 0n };
      if (mask !== 0n) mask = maskOfSum({ value: wide(this.w[reg]!, this.w[reg + 1]!), mask }, own);
    }
    return { value: BigInt.asUintN(8 * size, whole), mask: BigInt.asUintN(8 * size, mask) };
  }

  private result(at: number): number {
    let result = 0;
    for (let r = 0; r < REGISTERS; r++) {
      const reg = at + s.REGS + 2 * r;
      result = (Math.imul(result, 31) + (this.w[reg]! ^ this.w[reg + 1]!)) | 0;
    }
    return result;
  }

  /** The undefined bits of `result`. */
  private resultMask(at: number): number {
    const { w } = this;
    const masks = at + s.MASKS;
    if (w.subarray(masks, masks + 2 * REGISTERS).every((mask) => mask === 0)) return 0;
    let [result, mask] = [0, 0n];
    for (let r = 0; r < REGISTERS; r++) {
      const [reg, of] = [at + s.REGS + 2 * r, masks + 2 * r];
      const folded: Masked = { value: wide(w[reg]! ^ w[reg + 1]!, 0), mask: wide(w[of]! | w[of + 1]!, 0) };
      const product: Masked = {
        value: wide(Math.imul(result, 31), 0),
        mask: wide(Number(maskOfProduct(mask) & 0xffffffffn), 0),
      };
      mask = maskOfSum(product, folded) & 0xffffffffn;
      result = (Math.imul(result, 31) + (w[reg]! ^ w[reg + 1]!)) | 0;
    }
    return Number(mask) | 0;
  }

  /** `undefined` if it depends on undefined bits. */
  private isRegister(at: number, reg: number, value: number, other?: number): boolean | undefined {
    if (other !== undefined)
      return areEqual(
        this.masked(at, { reg, low: 0, high: 0 }, 8),
        this.masked(at, { reg: other, low: 0, high: 0 }, 8),
      );
    const of = at + s.MASKS + 2 * reg;
    if ((this.w[of]! | this.w[of + 1]!) !== 0)
      return areEqual(this.masked(at, { reg, low: 0, high: 0 }, 8), { value: wide(value, 0), mask: 0n });
    return this.w[at + s.REGS + 2 * reg] === value && this.w[at + s.REGS + 2 * reg + 1] === 0;
  }

  // ---- steps

  /** Runs operations that no other thread can notice. */
  private runLocal(t: number): void {
    const { w, shape } = this;
    const at = shape.threads[t]!;
    const { hasSections } = this.code;
    const ops = this.code.threads[t]!;
    for (;;) {
      const op = ops[w[at + s.PC]!]!;
      switch (op.k) {
        case 'set': {
          const { value, mask } = this.masked(at, op.value, 8);
          this.set(at, op.to, ...halves(value, 8));
          this.setMask(at, op.to, mask);
          break;
        }
        case 'jump':
          w[at + s.PC] = op.target;
          continue;
        case 'branch':
          if (this.isRegister(at, op.reg, op.equals, op.other) === undefined) return this.fail(UNINITIALISED);
          if (!this.isRegister(at, op.reg, op.equals, op.other)) break;
          w[at + s.PC] = op.target;
          continue;
        case 'assert':
          if (this.isRegister(at, op.reg, op.not) === undefined) return this.fail(UNINITIALISED);
          if (this.isRegister(at, op.reg, op.not)) return this.fail(ASSERTION);
          break;
        case 'assume':
          if (this.isRegister(at, op.reg, op.not) === undefined) return this.fail(UNINITIALISED);
          if (!this.isRegister(at, op.reg, op.not)) break;
          w[at + s.STATUS] = s.ASSUMED;
          return;
        case 'abort':
          return this.fail(ASSERTION);
        case 'barrier':
          if (hasSections || this.failsAfter(t)) return;
          this.barrier(at);
          break;
        case 'acquireFence':
          if (hasSections || this.failsAfter(t)) return;
          break;
        case 'fence':
          if (hasSections || w[at + s.WAITING_STORES]! > 0 || this.failsAfter(t)) return;
          break;
        case 'store':
          if (hasSections || this.model === 'sc' || this.failsAfter(t)) return;
          this.store(t, at, op);
          break;
        case 'finish':
          w[at + s.RESULT] = this.result(at);
          w[at + s.RESULT_MASK] = this.resultMask(at);
          w[at + s.STATUS] = s.FINISHED;
          // Its result contains its registers.
          w.fill(0, at + s.REGS, at + s.ENTRIES);
          if (op.returns) w[shape.mainReturned] = 1;
          return;
        default:
          return;
      }
      w[at + s.PC]!++;
    }
  }

  /**
   * Whether the thread fails between the current operation and the next one that is not local. An error ends the
   * execution, so it is visible to all threads: the operation right before it is a step.
   */
  private failsAfter(t: number): boolean {
    const { w } = this;
    const at = this.shape.threads[t]!;
    const ops = this.code.threads[t]!;
    if (!this.uninitialised && !ops.some(({ k }) => k === 'assert' || k === 'abort')) return false;
    const registers = w.slice(at + s.REGS, at + s.ENTRIES);
    const outcome = this.failsFrom(at, ops, w[at + s.PC]! + 1);
    w.set(registers, at + s.REGS);
    return outcome;
  }

  /** Whether the thread fails in the local operations from `start` on. Changes registers. */
  private failsFrom(at: number, ops: readonly Op[], start: number): boolean {
    for (let pc = start; ; pc++) {
      const op = ops[pc]!;
      switch (op.k) {
        case 'set': {
          const { value, mask } = this.masked(at, op.value, 8);
          this.set(at, op.to, ...halves(value, 8));
          this.setMask(at, op.to, mask);
          break;
        }
        case 'jump':
          pc = op.target - 1;
          break;
        case 'branch':
          if (this.isRegister(at, op.reg, op.equals, op.other) === undefined) return true;
          if (this.isRegister(at, op.reg, op.equals, op.other)) pc = op.target - 1;
          break;
        case 'assert':
          if (this.isRegister(at, op.reg, op.not) !== false) return true;
          break;
        case 'assume':
          if (this.isRegister(at, op.reg, op.not) === undefined) return true;
          if (this.isRegister(at, op.reg, op.not)) return false;
          break;
        case 'abort':
          return true;
        default:
          return false;
      }
    }
  }

  /** The number of ways in which the operation can run now. */
  private waysOf(t: number, at: number, op: Op): number {
    const { w, shape } = this;
    const isEmpty = w[at + s.WAITING_STORES] === 0;
    switch (op.k) {
      case 'load':
        return this.mayLoad(at, op.at, op.size) ? 1 : 0;
      case 'loadThrough': {
        const where = this.register(at, op.pointer);
        return where === 0 || this.mayLoad(at, where, 4) ? 1 : 0;
      }
      case 'store':
      case 'storeThrough':
      case 'free':
      case 'endLocal':
      case 'detach':
      case 'exit':
      case 'broadcast':
      case 'wake':
        return 1;
      case 'rmw':
      case 'cas':
        return this.mayModify(at, op.at, op.size, op.strong) ? 1 : 0;
      case 'arrive':
        return isEmpty ? 1 : 0;
      case 'guard':
        return this.mayModify(at, op.at, 4, false) && (!op.blocks || this.holds(at, op)) ? 1 : 0;
      case 'lock':
        return w[shape.mutexes + op.object] === 0 && this.mayModify(at, -8, 1, false) ? 1 : 0;
      case 'trylock':
        return this.mayModify(at, -8, 1, false) ? 1 : 0;
      case 'unlock':
      case 'condWait':
      case 'timedWait':
      case 'create':
      case 'sectionBegin':
      case 'sectionEnd':
        return isEmpty ? 1 : 0;
      case 'signal':
        return Math.max(1, this.waiters(op.object).length);
      case 'join': {
        const other = shape.threads[op.thread]!;
        if (w[other + s.FLAGS] !== 0) return 1;
        return w[other + s.STATUS] === s.FINISHED && w[other + s.WAITING_STORES] === 0 ? 1 : 0;
      }
      case 'choose':
        return op.count;
      case 'fence':
        return isEmpty ? 1 : 0;
      case 'barrier':
      case 'acquireFence':
        return 1;
      case 'set':
      case 'jump':
      case 'branch':
      case 'assert':
      case 'assume':
      case 'abort':
      case 'finish':
        throw new Error(`${t} stands before ${op.k}`);
      default:
        return unknown(op);
    }
  }

  private holds(at: number, op: Op & { k: 'guard' }): boolean {
    const now = this.w[op.at >> 2]!;
    const bound = Number(BigInt.asIntN(32, this.value(at, op.bound)));
    switch (op.test) {
      case 'lt':
        return now < bound;
      case 'ne':
        return now !== bound;
      case 'eq':
        return now === bound;
      case 'ge':
        return now >= bound;
    }
  }

  private waiters(object: number): number[] {
    const { w, shape } = this;
    const found: number[] = [];
    shape.threads.forEach((at, t) => {
      if (w[at + s.WAITS_ON] === object + 1) found.push(t);
    });
    return found;
  }

  private wakeUp(t: number): void {
    const { w, shape } = this;
    const at = shape.threads[t]!;
    w[at + s.WAITS_ON] = 0;
    w[at + s.STATUS] = s.RUNS;
  }

  private run(t: number, at: number, op: Op, way: number): void {
    const { w, shape, trace, code } = this;
    switch (op.k) {
      case 'load':
        this.load(t, op.at, op.size, op.to);
        break;
      case 'loadThrough': {
        const where = this.register(at, op.pointer);
        if (!this.isAccessible(at, where)) return this.fail(MEMORY);
        this.load(t, where, 4, op.to);
        break;
      }
      case 'barrier':
        this.barrier(at);
        break;
      case 'fence':
      case 'acquireFence':
        break;
      case 'store':
        this.store(t, at, op);
        break;
      case 'storeThrough': {
        const where = this.register(at, op.pointer);
        if (!this.isAccessible(at, where)) return this.fail(MEMORY);
        const [low, high] = halves(this.value(at, op.value), 4);
        this.enqueue(t, where, 4, low, high, op.barrier, false);
        break;
      }
      case 'free': {
        const where = this.register(at, op.pointer);
        // A local variable was never allocated.
        if (!this.isAccessible(at, where) || this.isLocal(where)) return this.fail(MEMORY);
        this.enqueue(t, where, OBJECT_BYTES, 0, 0, false, true);
        break;
      }
      case 'endLocal':
        this.enqueue(t, op.at, OBJECT_BYTES, 0, 0, false, true);
        break;
      case 'rmw': {
        const old = this.readMasked(op.at, op.size);
        const operand = this.masked(at, op.value, op.size);
        const [low, high] = halves(modify(op.operator, old.value, operand.value), op.size);
        const mask = BigInt.asUintN(8 * op.size, maskOfResult(op.operator, old, operand));
        trace?.readMemory(t, op.at, op.size);
        this.write(op.at, op.size, low, high, ...halves(mask, op.size));
        trace?.write(trace.event(t), op.at, op.size);
        this.set(at, op.to, ...halves(old.value, op.size));
        this.setMask(at, op.to, old.mask);
        const isZero = mask === 0n ? true : areEqual({ value: wide(low, high), mask }, { value: 0n, mask: 0n });
        this.set(at, op.zero ?? -1, low === 0 && high === 0 ? 1 : 0);
        if (isZero === undefined) this.setMask(at, op.zero ?? -1, 1n);
        break;
      }
      case 'cas': {
        const old = this.readMasked(op.at, op.size);
        const desired = this.masked(at, op.desired, op.size);
        trace?.readMemory(t, op.at, op.size);
        const succeeds = areExchanged(old, this.masked(at, op.expected, op.size), op.size);
        if (succeeds === undefined) return this.fail(UNINITIALISED);
        if (succeeds) {
          this.write(op.at, op.size, ...halves(desired.value, op.size), ...halves(desired.mask, op.size));
          trace?.write(trace.event(t), op.at, op.size);
        }
        this.set(at, op.ok, succeeds ? 1 : 0);
        this.set(at, op.old, ...halves(old.value, op.size));
        this.setMask(at, op.old, old.mask);
        break;
      }
      case 'guard': {
        const holds = this.holds(at, op);
        const old = w[op.at >> 2]!;
        trace?.readMemory(t, op.at, 4);
        if (holds && op.change !== 'none') {
          w[op.at >> 2] = op.change === 'add' ? old + op.amount : op.amount;
          trace?.write(trace.event(t), op.at, 4);
        }
        this.set(at, op.ok, holds ? 1 : 0);
        this.set(at, op.old, old);
        break;
      }
      case 'arrive': {
        const ticket = w[ARRIVED >> 2]!++;
        trace?.readMemory(t, ARRIVED, 4);
        trace?.write(trace.event(t), ARRIVED, 4);
        const end = (Math.floor(ticket / code.round) + 1) * code.round;
        this.set(at, op.end, end);
        this.set(at, op.last, ticket + 1 === end ? 1 : 0);
        break;
      }
      case 'lock':
        w[shape.mutexes + op.object] = t + 1;
        this.note(t, this.mutexPlace(op.object));
        break;
      case 'trylock': {
        const isFree = w[shape.mutexes + op.object] === 0;
        if (isFree) {
          w[shape.mutexes + op.object] = t + 1;
          this.note(t, this.mutexPlace(op.object));
        } else trace?.readMemory(t, this.mutexPlace(op.object), 1);
        this.set(at, op.to, isFree ? 1 : 0);
        break;
      }
      case 'unlock':
        if (w[shape.mutexes + op.object] !== t + 1) return this.fail(MISUSE);
        w[shape.mutexes + op.object] = 0;
        this.note(t, this.mutexPlace(op.object));
        break;
      case 'condWait':
      case 'timedWait':
        if (w[shape.mutexes + op.object] !== t + 1) return this.fail(MISUSE);
        w[shape.mutexes + op.object] = 0;
        w[at + s.WAITS_ON] = op.object + 1;
        if (op.k === 'condWait') w[at + s.STATUS] = s.WAITS;
        this.note(t, this.mutexPlace(op.object), this.conditionPlace(op.object));
        break;
      case 'wake':
        this.set(at, op.to, w[at + s.WAITS_ON] === 0 ? 0 : 1);
        w[at + s.WAITS_ON] = 0;
        this.note(t, this.conditionPlace(op.object));
        break;
      case 'signal': {
        const woken = this.waiters(op.object)[way];
        trace?.choose(t, woken ?? -1);
        this.note(t, this.conditionPlace(op.object));
        if (woken !== undefined) this.wakeUp(woken);
        break;
      }
      case 'broadcast':
        this.note(t, this.conditionPlace(op.object));
        for (const woken of this.waiters(op.object)) this.wakeUp(woken);
        break;
      case 'create':
        w[shape.threads[op.thread]! + s.STATUS] = s.RUNS;
        this.forgetRegisters(op.thread);
        w[at + s.PC]!++;
        return this.runLocal(op.thread);
      case 'join': {
        const other = shape.threads[op.thread]!;
        if (w[other + s.FLAGS] !== 0) return this.fail(MISUSE);
        w[other + s.FLAGS] = 1;
        this.set(at, op.to, w[other + s.RESULT]!);
        this.setMask(at, op.to, wide(w[other + s.RESULT_MASK]!, 0));
        break;
      }
      case 'detach':
        if (w[shape.threads[op.thread]! + s.FLAGS] !== 0) return this.fail(MISUSE);
        w[shape.threads[op.thread]! + s.FLAGS] = 2;
        break;
      case 'exit':
        w[shape.exited] = 1;
        w[shape.exitStatus] = this.result(at);
        return;
      case 'sectionBegin':
        if (w[shape.section] !== 0) return this.fail(MISUSE);
        w[shape.section] = t + 1;
        break;
      case 'sectionEnd':
        if (w[shape.section] !== t + 1) return this.fail(MISUSE);
        w[shape.section] = 0;
        break;
      case 'choose':
        trace?.choose(t, way);
        this.set(at, op.to, way);
        break;
      case 'set':
      case 'jump':
      case 'branch':
      case 'assert':
      case 'assume':
      case 'abort':
      case 'finish':
        throw new Error(`no step: ${op.k}`);
      default:
        return unknown(op);
    }
    w[at + s.PC]!++;
  }

  private store(t: number, at: number, op: Op & { k: 'store' }): void {
    const { value, mask } = this.masked(at, op.value, op.size);
    this.enqueue(t, op.at, op.size, ...halves(value, op.size), op.barrier, false, halves(mask, op.size));
  }

  private isLocal(where: number): boolean {
    return this.code.threads.some((ops) => ops.some((op) => op.k === 'endLocal' && op.at === where));
  }

  private readWide(where: number, size: number): bigint {
    return BigInt.asUintN(8 * size, wide(this.low(where, size), size === 8 ? this.low(where + 4, 4) : 0));
  }

  private readMasked(where: number, size: number): Masked {
    return { value: this.readWide(where, size), mask: this.readWide(this.maskAt(where), size) };
  }

  // In traces, mutexes and condition variables are places after memory.
  private mutexPlace(object: number): number {
    return this.code.bytes + object;
  }

  private conditionPlace(object: number): number {
    return this.code.bytes + MUTEXES + object;
  }

  private note(t: number, ...places: number[]): void {
    const { trace } = this;
    if (trace === undefined) return;
    const event = trace.event(t);
    for (const place of places) trace.write(event, place, 1);
  }
}

function overlaps(a: number, aSize: number, b: number, bSize: number): boolean {
  return a < b + bSize && b < a + aSize;
}

function wide(low: number, high: number): bigint {
  return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
}

/** The part that fits into this many bytes. */
function halves(value: bigint, size: number): [number, number] {
  const cut = BigInt.asUintN(8 * size, value);
  return [Number(cut & 0xffffffffn) | 0, Number(cut >> 32n) | 0];
}

function modify(operator: Operator, old: bigint, operand: bigint): bigint {
  switch (operator) {
    case 'xchg':
      return operand;
    case 'add':
      return old + operand;
    case 'sub':
      return old - operand;
    case 'and':
      return old & operand;
    case 'or':
      return old | operand;
    case 'xor':
      return old ^ operand;
    default:
      return unknown(operator);
  }
}
