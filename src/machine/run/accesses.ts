/** Accesses to memory: loads, stores, read-modify-writes, compare-exchanges and awaits. */

import { delaysStores } from '../../models/model.ts';
import { compare32, highWord, lowWord, modify32, modify64, normalise } from '../code/arithmetic.ts';
import type { Site } from '../code/code.ts';
import { LIMIT_BUFFER, OUT_OF_SCOPE, USE_AFTER_FREE } from '../code/error.ts';
import * as op from '../code/opcodes.ts';
import { BITS, I32, I64, SIZES } from '../code/type-codes.ts';
import { BYTES, EFFECTS, WRITES } from '../events/effects.ts';
import * as ev from '../events/event.ts';
import type { Memory } from '../memory/memory.ts';
import { fail, reachLimit } from '../state/fault.ts';
import { ALIVE_HEAP, O_STATUS } from '../state/layout.ts';
import { choiceOf } from '../state/process.ts';
import type { State } from '../state/state.ts';
import { Definedness } from './definedness.ts';
import { toBigint } from './evaluate.ts';
import type { Frames } from './frames.ts';
import { waitOrder } from './guards.ts';
import type { Objects } from './objects.ts';
import type { OperationParts } from './operation-parts.ts';

const EQ = op.PREDICATES.indexOf('eq');

export class Accesses {
  private readonly codeWords: Int32Array;
  private readonly state: State;
  private readonly frames: Frames;
  private readonly memory: Memory;
  private readonly isBuffered: boolean;
  private readonly isAxiomatic: boolean;
  private readonly events: ev.EventLog;
  private readonly objects: Objects;
  private readonly sites: readonly Site[];
  readonly definedness: Definedness;
  private readonly isTracked: boolean;

  constructor(parts: OperationParts, objects: Objects) {
    this.codeWords = parts.code.words;
    this.state = parts.state;
    this.frames = parts.frames;
    this.memory = parts.memory;
    this.isBuffered = delaysStores(parts.memory.model);
    this.isAxiomatic = parts.memory.model.isAxiomatic;
    this.events = parts.events;
    this.objects = objects;
    this.sites = parts.code.sites;
    this.definedness = new Definedness(parts);
    this.isTracked = this.definedness.bits.isTracked;
  }

  load(at: number, thread: number, frame: number, pc: number): number {
    const { memory, state, frames } = this;
    const code = this.codeWords;
    const event = this.events.words;
    const type = code[pc + op.LOAD_TYPE]!;
    const address = frames.low(frame, code[pc + op.LOAD_ADDRESS]!);
    if (!this.beginAccess(at, thread, address, SIZES[type]!, code[pc + op.LOAD_ORDER]!)) return pc;
    memory.load(thread, address, SIZES[type]!, code[pc + op.LOAD_ORDER]!, choiceOf(event[at + ev.E_STEP]!));
    const low = canonical(type, state.low);
    event[at + ev.E_READ_LOW] = low;
    event[at + ev.E_READ_HIGH] = state.high;
    if (memory.forwardedFrom >= 0) {
      event[at + ev.E_FLAGS] = ev.FORWARDED;
      event[at + ev.E_OWN_STORE] = memory.forwardedFrom;
    } else {
      event[at + ev.E_AS_OF] = memory.asOf;
    }
    frames.set(frame, type, code[pc + op.LOAD_DEST]!, low, state.high);
    if (this.isTracked && this.isDefined(code[pc + op.SITE]!)) this.forgetUndefined();
    this.endRead(thread, frame, pc, type, code[pc + op.LOAD_DEST]!, address);
    return pc + op.LOAD_LENGTH;
  }

  store(at: number, thread: number, frame: number, pc: number, index: number): number {
    const { memory, frames } = this;
    const code = this.codeWords;
    const event = this.events.words;
    const size = SIZES[code[pc + op.STORE_TYPE]!]!;
    const address = frames.low(frame, code[pc + op.STORE_ADDRESS]!);
    if (!this.beginAccess(at, thread, address, size, code[pc + op.STORE_ORDER]!)) return pc;
    if (!memory.canStore()) return this.limit(LIMIT_BUFFER, pc);
    const low = frames.low(frame, code[pc + op.STORE_VALUE]!);
    const high = size === 8 ? frames.high(frame, code[pc + op.STORE_VALUE]!) : 0;
    event[at + ev.E_STORED_LOW] = low;
    event[at + ev.E_STORED_HIGH] = high;
    if (!this.isBuffered) this.noteOld(at, address, size);
    if (this.isTracked) this.definedness.storing(frame, code[pc + op.STORE_TYPE]!, code[pc + op.STORE_VALUE]!);
    const atOnce = memory.store(
      thread,
      address,
      size,
      low,
      high,
      code[pc + op.STORE_ORDER]!,
      index,
      event[at + ev.E_SITE]!,
    );
    if (atOnce) event[at + ev.E_FLAGS] = event[at + ev.E_FLAGS]! | ev.WROTE_MEMORY;
    this.forgetUndefined();
    if (this.isAxiomatic) {
      event[at + ev.E_FLAGS] = event[at + ev.E_FLAGS]! | ev.WROTE_MEMORY | ev.PLACED;
      event[at + ev.E_FOLLOWS] = memory.asOf;
    }
    return pc + op.STORE_LENGTH;
  }

  readModifyWrite(at: number, thread: number, frame: number, pc: number): number {
    const { memory, frames } = this;
    const code = this.codeWords;
    const event = this.events.words;
    const type = code[pc + op.RMW_TYPE]!;
    const size = SIZES[type]!;
    const address = frames.low(frame, code[pc + op.RMW_ADDRESS]!);
    event[at + ev.E_WAIT] = code[pc + op.RMW_ORDER]!;
    if (!this.beginAccess(at, thread, address, size, code[pc + op.RMW_ORDER]!)) return pc;
    if (!memory.canStore()) return this.limit(LIMIT_BUFFER, pc);
    this.readOld(at, type, address);
    const low = frames.low(frame, code[pc + op.RMW_VALUE]!);
    const source = memory.asOf;
    const high = size === 8 ? frames.high(frame, code[pc + op.RMW_VALUE]!) : 0;
    event[at + ev.E_OPERAND_LOW] = low;
    event[at + ev.E_OPERAND_HIGH] = high;
    const { undefinedLow, undefinedHigh } = this.state;
    this.modify(at, code[pc + op.RMW_OPERATOR]!, type, low, high);
    this.noteModified(at, frame, type, code[pc + op.RMW_OPERATOR]!, code[pc + op.RMW_VALUE]!);
    this.writeNew(at, thread, address, size);
    this.state.undefinedLow = undefinedLow;
    this.state.undefinedHigh = undefinedHigh;
    memory.afterAtomic(thread, address, size, code[pc + op.RMW_ORDER]!);
    this.noteSource(at, source);
    frames.set(frame, type, code[pc + op.RMW_DEST]!, event[at + ev.E_READ_LOW]!, event[at + ev.E_READ_HIGH]!);
    this.endRead(thread, frame, pc, type, code[pc + op.RMW_DEST]!, address);
    return pc + op.RMW_LENGTH;
  }

  compareExchange(at: number, thread: number, frame: number, pc: number): number {
    const { memory, frames, state } = this;
    const code = this.codeWords;
    const event = this.events.words;
    const type = code[pc + op.CMPXCHG_TYPE]!;
    const size = SIZES[type]!;
    const address = frames.low(frame, code[pc + op.CMPXCHG_ADDRESS]!);
    event[at + ev.E_WAIT] = waitOrder(code, pc);
    if (!this.beginAccess(at, thread, address, size, code[pc + op.CMPXCHG_ORDER]!)) return pc;
    if (!memory.canStore()) return this.limit(LIMIT_BUFFER, pc);
    this.readOld(at, type, address);
    const source = memory.asOf;
    event[at + ev.E_FLAGS] = ev.COMPARED;
    event[at + ev.E_EXPECTED_LOW] = frames.low(frame, code[pc + op.CMPXCHG_EXPECTED]!);
    event[at + ev.E_EXPECTED_HIGH] = size === 8 ? frames.high(frame, code[pc + op.CMPXCHG_EXPECTED]!) : 0;
    const equal =
      event[at + ev.E_READ_LOW] === frames.low(frame, code[pc + op.CMPXCHG_EXPECTED]!) &&
      (size < 8 || event[at + ev.E_READ_HIGH] === frames.high(frame, code[pc + op.CMPXCHG_EXPECTED]!));
    const expected = code[pc + op.CMPXCHG_EXPECTED]!;
    if (!this.isDecided(at, thread, frame, pc, type, EQ, expected)) return pc;
    const { undefinedLow, undefinedHigh } = state;
    if (equal) {
      this.noteReplaced(at);
      if (this.isTracked) this.definedness.storing(frame, type, code[pc + op.CMPXCHG_DESIRED]!);
      this.noteWritten(at);
      event[at + ev.E_NEW_LOW] = frames.low(frame, code[pc + op.CMPXCHG_DESIRED]!);
      event[at + ev.E_NEW_HIGH] = size === 8 ? frames.high(frame, code[pc + op.CMPXCHG_DESIRED]!) : 0;
      this.writeNew(at, thread, address, size);
      state.undefinedLow = undefinedLow;
      state.undefinedHigh = undefinedHigh;
    } else {
      event[at + ev.E_ORDER] = code[pc + op.CMPXCHG_FAILURE_ORDER]!;
    }
    memory.afterAtomic(thread, address, size, code[equal ? pc + op.CMPXCHG_ORDER : pc + op.CMPXCHG_FAILURE_ORDER]!);
    this.noteSource(at, source);
    frames.set(frame, type, code[pc + op.CMPXCHG_DEST]!, event[at + ev.E_READ_LOW]!, event[at + ev.E_READ_HIGH]!);
    this.endRead(thread, frame, pc, type, code[pc + op.CMPXCHG_DEST]!, address);
    if (code[pc + op.CMPXCHG_SUCCESS]! >= 0) this.setFlag(frame, code[pc + op.CMPXCHG_SUCCESS]!, equal ? 1 : 0);
    return pc + op.CMPXCHG_LENGTH;
  }

  await(at: number, thread: number, frame: number, pc: number): number {
    const { memory, frames, state } = this;
    const code = this.codeWords;
    const event = this.events.words;
    const address = frames.low(frame, code[pc + op.AWAIT_ADDRESS]!);
    const bound = frames.low(frame, code[pc + op.AWAIT_BOUND]!);
    const modifies = code[pc + op.AWAIT_OPERATOR]! >= 0;
    event[at + ev.E_WAIT] = code[pc + op.AWAIT_ORDER]!;
    // Recorded before the access is checked: an await of a dead object may have had to wait while the object was alive.
    event[at + ev.E_FLAGS] =
      ev.COMPARED | ev.AWAITED | (code[pc + op.AWAIT_BLOCKS] === 0 ? 0 : ev.BLOCKS) | (modifies ? ev.MODIFIES : 0);
    event[at + ev.E_BOUND] = bound;
    event[at + ev.E_PREDICATE] = code[pc + op.AWAIT_PREDICATE]!;
    if (this.objects.find(address) !== 0) this.readOld(at, I32, address);
    if (!this.beginAccess(at, thread, address, 4, code[pc + op.AWAIT_ORDER]!)) return pc;
    if (!memory.canStore()) return this.limit(LIMIT_BUFFER, pc);
    const source = memory.asOf;
    const holds = compare32(code[pc + op.AWAIT_PREDICATE]!, 32, event[at + ev.E_READ_LOW]!, bound);
    if (!this.isDecided(at, thread, frame, pc, I32, code[pc + op.AWAIT_PREDICATE]!, code[pc + op.AWAIT_BOUND]!))
      return pc;
    const { undefinedLow } = state;
    if (holds !== 0 && modifies) {
      this.modify(at, code[pc + op.AWAIT_OPERATOR]!, I32, frames.low(frame, code[pc + op.AWAIT_VALUE]!), 0);
      this.noteModified(at, frame, I32, code[pc + op.AWAIT_OPERATOR]!, code[pc + op.AWAIT_VALUE]!);
      this.writeNew(at, thread, address, 4);
      state.undefinedLow = undefinedLow;
    }
    memory.afterAtomic(thread, address, 4, code[pc + op.AWAIT_ORDER]!);
    this.noteSource(at, source);
    frames.set(frame, I32, code[pc + op.AWAIT_DEST]!, event[at + ev.E_READ_LOW]!, event[at + ev.E_READ_HIGH]!);
    this.endRead(thread, frame, pc, I32, code[pc + op.AWAIT_DEST]!, address);
    this.setFlag(frame, code[pc + op.AWAIT_SUCCESS]!, holds);
    return pc + op.AWAIT_LENGTH;
  }

  /** Gives the register that the operation has read into the undefined bits of the value. */
  private endRead(thread: number, frame: number, pc: number, type: number, dest: number, address: number): void {
    if (!this.isTracked) return;
    this.definedness.loaded(thread, frame, pc, type, dest, address);
    this.forgetUndefined();
  }

  /** Whether undefined bits that are read at this site count as zero. */
  private isDefined(site: number): boolean {
    const { instruction } = this.sites[site]!;
    return instruction.op === 'load' && instruction.isDefined === true;
  }

  private forgetUndefined(): void {
    this.state.undefinedLow = 0;
    this.state.undefinedHigh = 0;
  }

  private setFlag(frame: number, dest: number, value: number): void {
    this.state.set(frame + dest, value);
    if (this.isTracked) this.definedness.define(frame, I32, dest);
  }

  /** False, with the error set, if the comparison of the value that was read depends on undefined bits. */
  private isDecided(
    at: number,
    thread: number,
    frame: number,
    pc: number,
    type: number,
    predicate: number,
    value: number,
  ): boolean {
    if (!this.isTracked) return true;
    const event = this.events.words;
    const [low, high] = [event[at + ev.E_READ_LOW]!, event[at + ev.E_READ_HIGH]!];
    const address = event[at + ev.E_ADDRESS]!;
    if (!this.definedness.decides(thread, frame, pc, address, { type, predicate, low, high, value })) return true;
    this.forgetUndefined();
    return false;
  }

  /** Records whether the value that the event replaces has undefined bits, which are in `state`. */
  private noteReplaced(at: number): void {
    const { state } = this;
    if ((state.undefinedLow | state.undefinedHigh) !== 0) this.events.words[at + ev.E_FLAGS]! |= ev.REPLACED_UNDEFINED;
  }

  /** Before a read-modify-write writes: the undefined bits of what it read become those of what it writes. */
  private noteModified(at: number, frame: number, type: number, operator: number, value: number): void {
    if (!this.isTracked) return;
    const event = this.events.words;
    this.noteReplaced(at);
    this.definedness.modifying(frame, operator, type, event[at + ev.E_READ_LOW]!, event[at + ev.E_READ_HIGH]!, value);
    this.noteWritten(at);
  }

  /** Records whether the value that the event writes has undefined bits, which are in `state`. */
  private noteWritten(at: number): void {
    const { state } = this;
    if ((state.undefinedLow | state.undefinedHigh) !== 0) this.events.words[at + ev.E_FLAGS]! |= ev.WROTE_UNDEFINED;
  }

  /** Records the access in the event at `at`; false, with the error set, if the thread may not make it. */
  private beginAccess(at: number, thread: number, address: number, size: number, order: number): boolean {
    const event = this.events.words;
    event[at + ev.E_ADDRESS] = address;
    event[at + ev.E_SIZE] = size;
    event[at + ev.E_ORDER] = order;
    return this.check(at, thread, address, size);
  }

  check(at: number, thread: number, address: number, size: number): boolean {
    const writesBytes = (EFFECTS[this.events.words[at + ev.E_KIND]!]! & (WRITES | BYTES)) === (WRITES | BYTES);
    const error = (writesBytes ? this.objects.checkWrite(address, size) : 0) || this.error(thread, address, size);
    if (error !== 0) fail(this.state, error, thread, this.events.words[at + ev.E_SITE]!, address);
    return error === 0;
  }

  /** The error code of the thread's access to these bytes, or 0; the thread's own buffered frees count. */
  error(thread: number, address: number, size: number): number {
    const error = this.objects.check(address, size);
    if (error !== 0 || !this.memory.hasPendingFree(thread, address, size)) return error;
    const isHeap = this.objects.header(this.objects.find(address), O_STATUS) === ALIVE_HEAP;
    return isHeap ? USE_AFTER_FREE : OUT_OF_SCOPE;
  }

  /** Records the value that a write is about to replace. */
  noteOld(at: number, address: number, size: number): void {
    const { state } = this;
    state.read(address, size);
    this.events.words[at + ev.E_OLD_LOW] = state.low;
    this.events.words[at + ev.E_OLD_HIGH] = state.high;
    if (!this.isTracked) return;
    this.definedness.bits.read(address, size);
    this.noteReplaced(at);
    this.forgetUndefined();
  }

  private readOld(at: number, type: number, address: number): void {
    const { state } = this;
    this.memory.atomicRead(address, SIZES[type]!);
    this.events.words[at + ev.E_READ_LOW] = canonical(type, state.low);
    this.events.words[at + ev.E_READ_HIGH] = state.high;
  }

  /** Under an axiomatic model: records which write a read-modify-write read. */
  private noteSource(at: number, source: number): void {
    if (!this.isAxiomatic) return;
    const event = this.events.words;
    event[at + ev.E_FLAGS] = event[at + ev.E_FLAGS]! | ev.PLACED;
    event[at + ev.E_FOLLOWS] = source;
  }

  private modify(at: number, operator: number, type: number, low: number, high: number): void {
    const event = this.events.words;
    if (type === I64) {
      const value = modify64(
        operator,
        toBigint(event[at + ev.E_READ_LOW]!, event[at + ev.E_READ_HIGH]!),
        toBigint(low, high),
      );
      event[at + ev.E_NEW_LOW] = lowWord(value);
      event[at + ev.E_NEW_HIGH] = highWord(value);
    } else {
      event[at + ev.E_NEW_LOW] = modify32(operator, BITS[type]!, event[at + ev.E_READ_LOW]!, low);
    }
  }

  private writeNew(at: number, thread: number, address: number, size: number): void {
    const event = this.events.words;
    event[at + ev.E_FLAGS] = event[at + ev.E_FLAGS]! | ev.WROTE_MEMORY;
    this.memory.atomicWrite(thread, address, size, event[at + ev.E_NEW_LOW]!, event[at + ev.E_NEW_HIGH]!);
  }

  private limit(limit: number, pc: number): number {
    reachLimit(this.state, limit);
    return pc;
  }
}

/** A value as registers hold it, from its bytes in memory. */
export function canonical(type: number, low: number): number {
  return BITS[type]! < 32 ? normalise(low, BITS[type]!) : low;
}
