/** The `.ll` text, and the lines and columns of its characters. The reader stores offsets (`at`) into it. */
import { LlvmError } from './error.ts';

/** Apple's <sys/cdefs.h>: which standard, width of inode or cancellation the function follows. */
const VARIANT = /\$(?:UNIX2003|INODE64|NOCANCEL|DARWIN_EXTSN|1050|\$)+$/;

export class Source {
  readonly file: string;
  readonly text: string;
  /** Offsets of the lines' first characters. */
  private readonly lineStarts: readonly number[];
  private isMachO: boolean | undefined;

  constructor(file: string, text: string) {
    this.file = file;
    this.text = text;
    this.lineStarts = findLineStarts(text);
  }

  /**
   * The name, as C knows it, of what the object file calls `symbol`: in LLVM IR, a name that begins with a byte 1 is the
   * symbol itself. In those of macOS, C's names begin with an underscore, and variants of a function end in `$NAME`.
   */
  nameOfSymbol(symbol: string): string {
    this.isMachO ??= /^target (?:datalayout = "[^"]*\bm:o\b|triple = "[^"]*-apple-)/m.test(this.text);
    if (!this.isMachO) return symbol;
    return symbol.startsWith('_') ? symbol.slice(1).replace(VARIANT, '') : `\x01${symbol}`;
  }

  /** Lines count from 1. */
  lineAt(at: number): number {
    let low = 0;
    let high = this.lineStarts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.lineStarts[middle]! <= at) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  }

  error(at: number, found: string, expected: string): LlvmError {
    const line = this.lineAt(at);
    return new LlvmError(this.file, line, at - this.lineStarts[line - 1]! + 1, found, expected);
  }

  /** The text between two offsets, with runs of blanks collapsed. */
  quote(from: number, to: number): string {
    return this.text.slice(from, to).replace(/\s+/g, ' ').trim();
  }
}

function findLineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
