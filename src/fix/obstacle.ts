/** Why nothing can be inserted between two accesses, and what the user can do about it. */
import type { Location } from '../program/location.ts';
import { asCode } from '../util/code-text.ts';
import type { SourceFile } from './source-file.ts';

export interface Obstacle {
  readonly why: string;
  readonly advice: string;
}

/** For accesses that race whatever orders other accesses have. */
export const UNORDERED: Obstacle = {
  why: 'no fence between statements, and no order written in this source, orders them in every execution',
  advice: 'make both atomic, write out orders that come from macros, or hold the same mutex around both',
};

/** `late` is the location of a store that must reach memory before the access at `early` happens. */
export function findObstacle(
  late: Location | undefined,
  early: Location | undefined,
  files: readonly SourceFile[],
): Obstacle {
  const first = late && files.find(({ names }) => names.has(late.file));
  const second = early && files.find(({ names }) => names.has(early.file));
  if (first === undefined || second === undefined) {
    return { why: 'one of them is not in the sources of this program', advice: 'rewrite it' };
  }
  const [from, to] = [first.offsetOf(late!), second.offsetOf(early!)];
  const name = /^[A-Za-z_]\w*/.exec(first.text.slice(from))?.[0];
  if (first === second && from === to && name !== undefined) {
    return {
      why: `both come from the macro ${asCode(name)}`,
      advice: `make ${asCode(name)} an inline function`,
    };
  }
  if (first === second && areInOneStatement(first, Math.min(from, to), Math.max(from, to))) {
    return { why: 'both are in one statement', advice: 'split it into two statements' };
  }
  return {
    why: 'macros hide where statements begin and end',
    advice: 'expand the macros, or turn them into inline functions',
  };
}

/**
 * Whether no statement begins or ends between the two. Judges by tokens, so that statements that were not recognised
 * count, too.
 */
function areInOneStatement({ statements: { gaps, tokens } }: SourceFile, start: number, end: number): boolean {
  if (gaps.some(({ offset }) => offset > start && offset <= end)) return false;
  const open: string[] = [];
  for (const [i, { text, start: at }] of tokens.entries()) {
    if (at > end) break;
    const isBetween = at > start;
    // In the head of a `for`, semicolons end no statement.
    if (isBetween && text === ';' && open.at(-1) !== '(') return false;
    if (isBetween && text === '{' && tokens[i - 1]?.text === ')') return false;
    if ('([{'.includes(text)) open.push(text);
    if (')]}'.includes(text)) open.pop();
  }
  return true;
}
