/**
 * Accesses without an event: to memory that no other thread can reach, and glances, which read what the thread itself
 * would load. They keep the undefined bits of registers and bytes up to date, if those are tracked.
 */
import { normalise } from '../code/arithmetic.ts';
import * as op from '../code/opcodes.ts';
import { BITS, SIZES, WIDE } from '../code/type-codes.ts';
import type { Memory } from '../memory/memory.ts';
import type { State } from '../state/state.ts';
import type { Definedness } from './definedness.ts';
import type { Frames } from './frames.ts';
import type { Objects } from './objects.ts';
import type { Printer } from './printer.ts';
import type { Progress } from './progress.ts';
import type { RunnerParts } from './runner.ts';

export class PrivateMemory {
  private readonly code: Int32Array;
  private readonly state: State;
  private readonly frames: Frames;
  private readonly objects: Objects;
  private readonly definedness: Definedness;
  private readonly progress: Progress;
  private readonly memory: Memory;
  private readonly printer: Printer;

  constructor(
    { code, state, frames, progress, memory, printer }: RunnerParts,
    objects: Objects,
    definedness: Definedness,
  ) {
    this.code = code.words;
    this.state = state;
    this.frames = frames;
    this.objects = objects;
    this.definedness = definedness;
    this.progress = progress;
    this.memory = memory;
    this.printer = printer;
  }

  /** `PEEK`. False, with the error set, if the access is invalid. */
  peek(thread: number, frame: number, pc: number): boolean {
    const { code, state, frames } = this;
    const type = code[pc + op.PEEK_TYPE]!;
    const address = frames.low(frame, code[pc + op.PEEK_ADDRESS]!);
    if (!this.passes(this.objects.check(address, SIZES[type]!), thread, pc, address)) return false;
    state.read(address, SIZES[type]!);
    this.noteLoad(thread, frame, pc, type, code[pc + op.PEEK_DEST]!, address);
    const low = BITS[type]! < 32 ? normalise(state.low, BITS[type]!) : state.low;
    frames.set(frame, type, code[pc + op.PEEK_DEST]!, low, state.high);
    return true;
  }

  /** `POKE`, `IDLEPOKE`. False, with the error set, if the access is invalid. */
  poke(thread: number, frame: number, pc: number): boolean {
    const { code, frames } = this;
    const type = code[pc + op.POKE_TYPE]!;
    const address = frames.low(frame, code[pc + op.POKE_ADDRESS]!);
    if (!this.passes(this.objects.checkWrite(address, SIZES[type]!), thread, pc, address)) return false;
    const value = code[pc + op.POKE_VALUE]!;
    const high = WIDE[type] === 1 ? frames.high(frame, value) : 0;
    const low = frames.low(frame, value);
    const counts = this.progress.isCounted && code[pc] === op.POKE;
    if (!counts || !this.changes(frame, type, value, address, low, high)) {
      this.write(frame, type, value, address, low, high);
      return true;
    }
    this.progress.beginPoke(thread);
    this.write(frame, type, value, address, low, high);
    this.progress.endPoke(thread);
    return true;
  }

  /** Sets the undefined bits of a register that is read from private memory. */
  private noteLoad(thread: number, frame: number, pc: number, type: number, dest: number, address: number): void {
    const { definedness, state } = this;
    if (!definedness.bits.isTracked) return;
    definedness.bits.read(address, SIZES[type]!);
    definedness.loaded(thread, frame, pc, type, dest, address);
    state.undefinedLow = 0;
    state.undefinedHigh = 0;
  }

  private write(frame: number, type: number, value: number, address: number, low: number, high: number): void {
    const { definedness, state } = this;
    state.write(address, SIZES[type]!, low, high);
    if (!definedness.bits.isTracked) return;
    definedness.storing(frame, type, value);
    definedness.bits.write(address, SIZES[type]!, state.undefinedLow, state.undefinedHigh);
    state.undefinedLow = 0;
    state.undefinedHigh = 0;
  }

  /** `GLANCE`. False, with the error set, if the access is invalid. */
  glance(thread: number, frame: number, pc: number): boolean {
    const { code, frames, printer, state } = this;
    const type = code[pc + op.GLANCE_TYPE]!;
    const address = frames.low(frame, code[pc + op.GLANCE_ADDRESS]!);
    if (this.memory.isClear(thread, address, SIZES[type]!) && this.objects.check(address, SIZES[type]!) === 0) {
      state.read(address, SIZES[type]!);
      // Bytes belong to strings, words to objects of our library, which relies on fresh ones being zero.
      if (SIZES[type]! >= 4) this.definedness.bits.write(address, SIZES[type]!, 0, 0);
      this.noteLoad(thread, frame, pc, type, code[pc + op.GLANCE_DEST]!, address);
      const value = BITS[type]! < 32 ? normalise(state.low, BITS[type]!) : state.low;
      frames.set(frame, type, code[pc + op.GLANCE_DEST]!, value, state.high);
      return true;
    }
    // Byte by byte: some may be in the thread's own buffer.
    let low = 0;
    let high = 0;
    for (let i = 0; i < SIZES[type]!; i++) {
      const error = printer.checker!(thread, address + i);
      if (error !== 0) {
        frames.fail(error, thread, code[pc + op.SITE]!, address);
        return false;
      }
      const byte = printer.reader!(thread, address + i);
      if (i < 4) low |= byte << (8 * i);
      else high |= byte << (8 * (i - 4));
    }
    frames.set(frame, type, code[pc + op.GLANCE_DEST]!, BITS[type]! < 32 ? normalise(low, BITS[type]!) : low, high);
    if (this.definedness.bits.isTracked) this.definedness.define(frame, type, code[pc + op.GLANCE_DEST]!);
    return true;
  }

  /** Whether a write to private memory changes anything. */
  private changes(frame: number, type: number, value: number, address: number, low: number, high: number): boolean {
    const { state } = this;
    const size = SIZES[type]!;
    state.read(address, size);
    const mask = size < 4 ? (1 << (8 * size)) - 1 : -1;
    const isChanged = ((state.low ^ low) & mask) !== 0 || (size === 8 && state.high !== high);
    return isChanged || this.changesDefinedness(frame, type, value, address);
  }

  /**
   * Whether writing the value makes defined bits of these bytes undefined. Fewer undefined bits do not count as a
   * change: a variable that is declared and written again in each round (`refresh`) ends up as it was.
   */
  private changesDefinedness(frame: number, type: number, value: number, address: number): boolean {
    const { definedness, state } = this;
    if (!definedness.bits.isTracked) return false;
    definedness.bits.read(address, SIZES[type]!);
    const { undefinedLow, undefinedHigh } = state;
    definedness.storing(frame, type, value);
    const isChanged = ((state.undefinedLow & ~undefinedLow) | (state.undefinedHigh & ~undefinedHigh)) !== 0;
    state.undefinedLow = 0;
    state.undefinedHigh = 0;
    return isChanged;
  }

  /** Whether the access is valid; if not, sets its error for the thread. */
  private passes(error: number, thread: number, pc: number, address: number): boolean {
    if (error !== 0) this.frames.fail(error, thread, this.code[pc + op.SITE]!, address);
    return error === 0;
  }
}
