/** An error of a program in one line: what happened, in which thread, where. */
import { printLocation } from './location.ts';

interface ErrorInWords {
  readonly kind: string;
  readonly message: string;
  readonly thread?: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}

export function printError({ kind, message, thread, file, line = 0, column = 0 }: ErrorInWords): string {
  const where = file === undefined ? '' : ` at ${printLocation({ file, line, column })}`;
  const who = thread === undefined ? '' : ` in thread ${thread}`;
  return `${kind}: ${message}${who}${where}`;
}
