/**
 * What the program prints, in order, and the operations that it marks; both are forgotten when the machine rolls back.
 * Output is not an event: no other thread can see it.
 *
 * A call of `printf` prints pieces and ends. Other threads may run and print between its pieces. The pieces are joined
 * and decoded only when the output is read.
 */

import type { Layout } from '../state/layout.ts';
import type { State } from '../state/state.ts';
import { Objects } from './objects.ts';

interface Output {
  /** Steps taken when it was printed. */
  readonly depth: number;
  readonly thread: number;
  readonly text: string;
}

/** The program marks the beginning of an operation (with its name and argument) or its end (with its result). */
interface Mark {
  /** Steps taken when it was passed. */
  readonly depth: number;
  readonly thread: number;
  /** Absent at the end. */
  readonly name: string | undefined;
  readonly value: number;
  /** The user's call. */
  readonly site: number;
}

/** Bytes that a call has printed; or the end of a call: how many of the thread's last bytes are its output. */
interface Piece {
  readonly depth: number;
  readonly thread: number;
  /** One character per byte. */
  readonly bytes: string | number;
}

/** A string to be printed cannot be read. */
export class PrintFault extends Error {
  readonly error: number;
  /** The address at fault. */
  readonly detail: number;

  constructor(error: number, detail: number) {
    super('cannot print this');
    this.error = error;
    this.detail = detail;
  }
}

const strict = new TextDecoder('utf-8', { fatal: true });

/** Bytes, one per character, as text; if they are not UTF-8, each byte is one character. */
function decode(bytes: string): string {
  try {
    return strict.decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
  } catch {
    return bytes;
  }
}

function join(pieces: readonly Piece[]): Output[] {
  const outputs: Output[] = [];
  /** Per thread: the bytes of calls that have not ended. */
  const open = new Map<number, string>();
  for (const { depth, thread, bytes } of pieces) {
    const before = open.get(thread) ?? '';
    if (typeof bytes === 'string') open.set(thread, before + bytes);
    else {
      const start = before.length - bytes;
      open.set(thread, before.slice(0, start));
      outputs.push({ depth, thread, text: decode(before.slice(start)) });
    }
  }
  return outputs;
}

export class Printer {
  private readonly state: State;
  private readonly objects: Objects;
  /** How a thread sees a byte, including its own store buffer; the machine sets it once there is a memory. */
  reader: ((thread: number, address: number) => number) | undefined;
  /** The error code of a thread's read of a byte, its own buffered frees included; 0 if it is valid. */
  checker: ((thread: number, address: number) => number) | undefined;
  private pieces: Piece[] = [];
  /** The pieces, joined, if nothing has changed since. */
  private joined: readonly Output[] | undefined;
  /** Constants that have been printed, by address and `stop`: they never change. */
  private readonly constants = new Map<number, string>();
  private passed: Mark[] = [];
  /** Steps taken so far; kept up to date by the machine. */
  depth = 0;

  constructor(state: State, layout: Layout) {
    this.state = state;
    this.objects = new Objects(state, layout);
  }

  get output(): readonly Output[] {
    this.joined ??= join(this.pieces);
    return this.joined;
  }

  /** Prints bytes as the instruction `print` does; returns how many. Throws a `PrintFault` if they cannot be read. */
  put(thread: number, address: number, most: number, stop: number): number {
    const bytes =
      most < 0 && this.objects.isReadOnly(address) ? this.constant(address, stop) : this.own(address, most, stop);
    if (bytes !== '') this.add(thread, bytes);
    return bytes.length;
  }

  /** The last `count` bytes that the thread has printed are one output. */
  end(thread: number, count: number): void {
    this.add(thread, count);
  }

  private add(thread: number, bytes: string | number): void {
    this.pieces.push({ depth: this.depth, thread, bytes });
    this.joined = undefined;
  }

  private constant(address: number, stop: number): string {
    const key = 256 * address + (stop & 255);
    let bytes = this.constants.get(key);
    if (bytes === undefined) {
      bytes = this.own(address, -1, stop);
      this.constants.set(key, bytes);
    }
    return bytes;
  }

  /** Bytes of constants or of private memory, which are never in a store buffer. */
  private own(address: number, most: number, stop: number): string {
    let bytes = '';
    for (let a = address; bytes.length !== most; a++) {
      const error = this.objects.check(a, 1);
      if (error !== 0) throw new PrintFault(error, a);
      const byte = this.plainByte(a);
      if (stop >= 0 && (byte === 0 || byte === stop)) break;
      bytes += String.fromCharCode(byte);
    }
    return bytes;
  }

  /** The marks that were passed, in order. */
  get marks(): readonly Mark[] {
    return this.passed;
  }

  mark(thread: number, name: string | undefined, value: number, site: number): void {
    this.passed.push({ depth: this.depth, thread, name, value, site });
  }

  /** Forgets what was printed and marked after the first `depth` steps. */
  rollback(depth: number): void {
    while (this.passed.length > 0 && this.passed.at(-1)!.depth > depth) this.passed.pop();
    while (this.pieces.length > 0 && this.pieces.at(-1)!.depth > depth) {
      this.pieces.pop();
      this.joined = undefined;
    }
  }

  /** The C string at an address, as a thread sees it. */
  string(address: number, thread: number = 0): string {
    let bytes = '';
    for (let a = address; ; a++) {
      const byte = this.byte(thread, a);
      if (byte === 0) return decode(bytes);
      bytes += String.fromCharCode(byte);
    }
  }

  private byte(thread: number, address: number): number {
    const error = this.checker === undefined ? this.objects.check(address, 1) : this.checker(thread, address);
    if (error !== 0) throw new PrintFault(error, address);
    return this.reader === undefined ? this.plainByte(address) : this.reader(thread, address);
  }

  private plainByte(address: number): number {
    this.state.read(address, 1);
    return this.state.low;
  }
}
