/** A text whose characters have lines and columns. Everything that the parser creates holds offsets (`at`) into it. */
import type { Location } from '../../program/location.ts';
import { LitmusError } from './error.ts';

/** A piece of the text: its contents and its position. */
export interface Piece {
  readonly at: number;
  readonly text: string;
}

export class Source {
  readonly file: string;
  readonly text: string;
  /** Offsets of the lines' first characters; computed on first use. */
  private lineStarts: readonly number[] | undefined;

  constructor(file: string, text: string) {
    this.file = file;
    this.text = text;
  }

  locate(at: number, text: string): Location {
    return { file: this.file, ...this.position(at), text };
  }

  /** The error for text that should not be there, or should be different. */
  error(piece: Piece, expected: string): LitmusError {
    const { line, column } = this.position(piece.at);
    return new LitmusError(this.file, line, column, piece.text, expected);
  }

  /** The text between two offsets as a quotation: on one line, without runs of blanks. */
  quote(from: number, to: number): string {
    return this.text.slice(from, to).replace(/\s+/g, ' ').trim();
  }

  private position(at: number): { line: number; column: number } {
    this.lineStarts ??= findLineStarts(this.text);
    let low = 0;
    let high = this.lineStarts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.lineStarts[middle]! <= at) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: at - this.lineStarts[low]! + 1 };
  }
}

function findLineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
