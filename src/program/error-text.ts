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

/** The two places of a race, from its description as an error, in a fixed order. */
export function racingPlaces(race: {
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}): readonly string[] {
  const { message, file = '', line = 0, column = 0 } = race;
  const first = / at (\S.*?) and, unordered with it, /.exec(message)?.[1] ?? '';
  return [first, printLocation({ file, line, column })].sort();
}
