/**
 * What the program prints, in order, and the operations that it marks; both are forgotten when the machine rolls back.
 * Output is not an event: no other thread can see it.
 */

import type { Layout } from '../state/layout.ts';
import type { State } from '../state/state.ts';
import { formatDouble } from './format-double.ts';
import { Objects } from './objects.ts';

export interface Output {
  /** Steps taken when it was printed. */
  readonly depth: number;
  readonly thread: number;
  readonly text: string;
}

/** The program marks the beginning of an operation (with its name and argument) or its end (with its result). */
export interface Mark {
  /** Steps taken when it was passed. */
  readonly depth: number;
  readonly thread: number;
  /** Absent at the end. */
  readonly name: string | undefined;
  readonly value: number;
  /** The user's call. */
  readonly site: number;
}

/** In place of an error: the format has a conversion that we do not support. */
export const UNKNOWN_CONVERSION = -1;

/** A string to be printed cannot be read. */
export class PrintFault extends Error {
  readonly error: number;
  /** The address at fault; for `UNKNOWN_CONVERSION`, the letter of the conversion. */
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

export class Printer {
  private readonly state: State;
  private readonly objects: Objects;
  private thread = 0;
  /** How a thread sees a byte, including its own store buffer; the machine sets it once there is a memory. */
  reader: ((thread: number, address: number) => number) | undefined;
  /** The error code of a thread's read of a byte, its own buffered frees included; 0 if it is valid. */
  checker: ((thread: number, address: number) => number) | undefined;
  private outputs: Output[] = [];
  private passed: Mark[] = [];
  /** Steps taken so far; kept up to date by the machine. */
  depth = 0;

  constructor(state: State, layout: Layout) {
    this.state = state;
    this.objects = new Objects(state, layout);
  }

  get output(): readonly Output[] {
    return this.outputs;
  }

  print(thread: number, text: string): void {
    this.outputs.push({ depth: this.depth, thread, text });
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
    while (this.outputs.length > 0 && this.outputs.at(-1)!.depth > depth) this.outputs.pop();
  }

  /** A byte as the printing thread sees it. */
  private byte(address: number): number {
    const error = this.checker === undefined ? this.objects.check(address, 1) : this.checker(this.thread, address);
    if (error !== 0) throw new PrintFault(error, address);
    return this.reader === undefined ? this.plainByte(address) : this.reader(this.thread, address);
  }

  private plainByte(address: number): number {
    this.state.read(address, 1);
    return this.state.low;
  }

  /** The C string at an address, as a thread sees it. */
  stringOf(thread: number, address: number): string {
    this.thread = thread;
    return this.string(address);
  }

  /** The C string at an address. */
  string(address: number): string {
    return decode(this.bytes(address));
  }

  /** The same, one character per byte. */
  private bytes(address: number, limit: number = Number.POSITIVE_INFINITY): string {
    let bytes = '';
    for (let a = address; bytes.length < limit; a++) {
      const byte = this.byte(a);
      if (byte === 0) break;
      bytes += String.fromCharCode(byte);
    }
    return bytes;
  }

  /**
   * Prints like `vprintf` and returns the number of bytes: `args` is the address of the first argument, each in 4 or 8
   * bytes. Throws a `PrintFault` if a string is where nothing may be read.
   */
  printFormatted(thread: number, format: number, args: number): number {
    this.thread = thread;
    const bytes = this.format(format, args);
    this.print(thread, decode(bytes));
    return bytes.length;
  }

  /** One character per byte. */
  private format(format: number, args: number): string {
    const text = this.bytes(format);
    let next = args;
    const word = (): number => {
      this.state.read(next, 4);
      next += 4;
      return this.state.low;
    };
    const wide = (): bigint => {
      const low = word();
      return (BigInt(word()) << 32n) | BigInt(low >>> 0);
    };
    /** Output length minus input length, up to the conversion. */
    let growth = 0;
    return text.replace(
      /%([-+ #0]*)(\*|\d+)?(?:\.(\*|\d+)?)?(hh|h|ll|l|j|z|t|L)?(.)/gs,
      (
        whole,
        flags: string,
        width: string | undefined,
        precision: string | undefined,
        length,
        conversion: string,
        at: number,
      ) => {
        if (conversion === 'n') {
          // The count replaces the argument; the library stores it where it belongs (print.c).
          this.state.write(next, 4, at + growth, 0);
          word();
          growth -= whole.length;
          return '';
        }
        const piece = this.piece(whole, flags, width, precision, length, conversion, word, wide);
        growth += piece.length - whole.length;
        return piece;
      },
    );
  }

  /** The text that replaces a conversion. */
  private piece(
    whole: string,
    flags: string,
    width: string | undefined,
    precision: string | undefined,
    length: string | undefined,
    conversion: string,
    word: () => number,
    wide: () => bigint,
  ): string {
    if (conversion === '%') return '%';
    const columns = width === '*' ? word() : Number(width ?? 0);
    const digits = whole.includes('.') ? (precision === '*' ? word() : Number(precision ?? 0)) : undefined;
    const isWide = length === 'll' || length === 'j';
    const bits = length === 'hh' ? 8 : length === 'h' ? 16 : 32;
    const body = this.convert(conversion, flags, digits, isWide, bits, word, wide);
    if (body === undefined) throw new PrintFault(UNKNOWN_CONVERSION, conversion.charCodeAt(0));
    const left = flags.includes('-') || columns < 0;
    const size = Math.abs(columns);
    if (left) return body.padEnd(size);
    const zero = flags.includes('0') && (digits === undefined || 'fFeEgGaA'.includes(conversion));
    if (!zero || !/[diuxXofFeEgGaA]/.test(conversion) || /inf|nan/i.test(body)) return body.padStart(size);
    const sign = /^[-+ ]?(?:0[xX])?/.exec(body)![0];
    return sign + body.slice(sign.length).padStart(size - sign.length, '0');
  }

  private convert(
    conversion: string,
    flags: string,
    digits: number | undefined,
    isWide: boolean,
    bits: number,
    word: () => number,
    wide: () => bigint,
  ): string | undefined {
    const plus = (text: string): string =>
      text.startsWith('-') ? text : flags.includes('+') ? `+${text}` : flags.includes(' ') ? ` ${text}` : text;
    const unsigned = (): bigint => (isWide ? BigInt.asUintN(64, wide()) : BigInt.asUintN(bits, BigInt(word())));
    /** At least this many digits; with precision 0, zero has none. */
    const atLeast = (text: string): string => (digits === 0 && text === '0' ? '' : text.padStart(digits ?? 1, '0'));
    switch (conversion) {
      case 'd':
      case 'i': {
        const value = isWide ? wide() : BigInt.asIntN(bits, BigInt(word()));
        const magnitude = atLeast(String(value < 0n ? -value : value));
        return plus(value < 0n ? `-${magnitude}` : magnitude);
      }
      case 'u':
        return atLeast(String(unsigned()));
      case 'x':
      case 'X': {
        const value = unsigned();
        const text = atLeast(value.toString(16));
        const prefixed = flags.includes('#') && value !== 0n ? `0x${text}` : text;
        return conversion === 'X' ? prefixed.toUpperCase() : prefixed;
      }
      case 'o': {
        const text = atLeast(unsigned().toString(8));
        return flags.includes('#') && !text.startsWith('0') ? `0${text}` : text;
      }
      case 'p': {
        const address = word() >>> 0;
        return address === 0 ? '(nil)' : `0x${address.toString(16)}`;
      }
      case 'c':
        return String.fromCharCode(word() & 0xff);
      case 's': {
        const address = word();
        return address === 0 ? '(null)' : this.bytes(address, digits);
      }
      case 'f':
      case 'F':
      case 'e':
      case 'E':
      case 'g':
      case 'G':
      case 'a':
      case 'A': {
        const view = new DataView(new ArrayBuffer(8));
        view.setBigInt64(0, wide());
        const value = view.getFloat64(0);
        // The sign is a bit, even for -0 and NaN.
        const isNegative = view.getInt8(0) < 0;
        const text = formatDouble(Math.abs(value), conversion, digits, flags.includes('#'));
        return plus(isNegative ? `-${text}` : text);
      }
      default:
        return undefined;
    }
  }
}
