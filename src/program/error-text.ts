/** An error of a program in one line: what happened, in which thread, where. */
import { asCode, withoutCode } from '../util/code-text.ts';
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
  // "A mutex that is held, in thread 0.1": the comma attaches the thread to the error, not to the relative clause.
  const comma = kind !== 'assertion' && / that /.test(message) ? ',' : '';
  const who = thread === undefined ? '' : `${comma} in thread ${thread}`;
  return `${kind}: ${messageText({ kind, message })}${who}${where}`;
}

/** The message as a sentence. That of an assertion is usually an expression, which is marked as code. */
export function messageText({ kind, message }: Pick<ErrorInWords, 'kind' | 'message'>): string {
  const isSentence = /^[A-Za-z]+ [A-Za-z]/.test(message);
  return kind === 'assertion' && !isSentence ? asCode(message) : message;
}

/**
 * Whether two errors say the same. Reports of earlier versions do not mark names as code, and name the place of a race
 * differently.
 */
export function isSameMessage(a: Pick<ErrorInWords, 'kind' | 'message'>, b: typeof a): boolean {
  const said = ({ kind, message }: typeof a): string =>
    kind === 'race' ? withoutCode(message).replace(RACING_PLACE, '') : withoutCode(message);
  return a.kind === b.kind && said(a) === said(b);
}

/** How texts of `describeRace` begin. */
const RACING_PLACE = /^.*? is (?=(?:written|read|changed|freed|initialised|destroyed|allocated|used)\b)/s;

/** The two places of a race, sorted. The first is found in the message of the error, the second is its location. */
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
