/** The instructions that make output: printing, conversions of numbers to text, marks. */
import { LIMIT_PRINT } from '../code/error.ts';
import * as op from '../code/opcodes.ts';
import { reachLimit } from '../state/fault.ts';
import type { State } from '../state/state.ts';
import type { Definedness } from './definedness.ts';
import { formatNumber } from './format-number.ts';
import type { Frames } from './frames.ts';
import type { Objects } from './objects.ts';
import { type Printer, PrintFault } from './printer.ts';
import type { RunnerParts } from './runner.ts';

/** Each returns false, with the error set, if the thread cannot continue. */
export class Output {
  private readonly codeWords: Int32Array;
  private readonly state: State;
  private readonly frames: Frames;
  private readonly printer: Printer;
  private readonly objects: Objects;
  private readonly definedness: Definedness;

  constructor(parts: RunnerParts, objects: Objects, definedness: Definedness) {
    this.codeWords = parts.code.words;
    this.state = parts.state;
    this.frames = parts.frames;
    this.printer = parts.printer;
    this.objects = objects;
    this.definedness = definedness;
  }

  print(thread: number, frame: number, pc: number): boolean {
    const { frames } = this;
    const code = this.codeWords;
    try {
      const count = this.printer.put(
        thread,
        frames.low(frame, code[pc + op.PRINT_BYTES]!),
        frames.low(frame, code[pc + op.PRINT_MOST]!),
        frames.low(frame, code[pc + op.PRINT_STOP]!),
      );
      this.state.set(frame + code[pc + op.PRINT_DEST]!, count);
      return this.isDefined(thread, pc, frames.low(frame, code[pc + op.PRINT_BYTES]!), count);
    } catch (fault) {
      if (!(fault instanceof PrintFault)) throw fault;
      frames.fail(fault.error, thread, code[pc + op.SITE]!, fault.detail);
      return false;
    }
  }

  /** Whether the bytes that have been printed are defined; if not, sets the error. */
  private isDefined(thread: number, pc: number, address: number, count: number): boolean {
    const { definedness } = this;
    for (let a = address; definedness.bits.isTracked && a < address + count; a++) {
      if (definedness.bits.isPlain(a, 1)) continue;
      definedness.bits.read(a, 1);
      const bits = this.state.undefinedLow;
      this.state.undefinedLow = 0;
      if (bits === 0) continue;
      definedness.failAt(thread, pc, a, this.frames.userSite(thread, this.codeWords[pc + op.SITE]!));
      return false;
    }
    return true;
  }

  convert(thread: number, frame: number, pc: number): boolean {
    const { frames, state } = this;
    const code = this.codeWords;
    const site = code[pc + op.SITE]!;
    const kind = frames.low(frame, code[pc + op.CONVERT_KIND]!);
    const format = {
      kind: String.fromCharCode(kind),
      flags: frames.low(frame, code[pc + op.CONVERT_FLAGS]!),
      width: frames.low(frame, code[pc + op.CONVERT_WIDTH]!),
      precision: frames.low(frame, code[pc + op.CONVERT_PRECISION]!),
    };
    const value = code[pc + op.CONVERT_VALUE]!;
    const text = formatNumber(format, frames.low(frame, value), frames.high(frame, value));
    if (text === undefined) {
      reachLimit(state, LIMIT_PRINT, kind, frames.userSite(thread, site));
      return false;
    }
    const [from, to] = [frames.low(frame, code[pc + op.CONVERT_FROM]!), frames.low(frame, code[pc + op.CONVERT_TO]!)];
    const count = Math.min(text.length - from, frames.low(frame, code[pc + op.CONVERT_ROOM]!));
    const error = this.objects.checkWrite(to, count);
    if (error !== 0) {
      frames.fail(error, thread, site, to);
      return false;
    }
    for (let i = 0; i < count; i++) {
      state.write(to + i, 1, text.charCodeAt(from + i), 0);
      this.definedness.bits.write(to + i, 1, 0, 0);
    }
    state.set(frame + code[pc + op.CONVERT_DEST]!, text.length);
    return true;
  }

  /** [MARK site name value] or [ENDMARK site value]. */
  mark(thread: number, frame: number, pc: number): boolean {
    const { frames, printer } = this;
    const code = this.codeWords;
    const site = frames.userSite(thread, code[pc + op.SITE]!);
    if (code[pc] === op.ENDMARK) {
      printer.mark(thread, undefined, frames.low(frame, code[pc + op.ENDMARK_VALUE]!), site);
      return true;
    }
    try {
      const name = printer.string(frames.low(frame, code[pc + op.MARK_NAME]!), thread);
      printer.mark(thread, name, frames.low(frame, code[pc + op.MARK_VALUE]!), site);
      return true;
    } catch (fault) {
      if (!(fault instanceof PrintFault)) throw fault;
      frames.fail(fault.error, thread, code[pc + op.SITE]!, fault.detail);
      return false;
    }
  }
}
