/** Why nothing can be put between two accesses, and what the user can do about it. */
import type { Location } from '../program/location.ts';
import type { SourceFile } from './source-file.ts';

export interface Obstacle {
  readonly why: string;
  readonly advice: string;
}

/** `late` is where a store is that must reach memory before what is at `early` happens. */
export function findObstacle(
  late: Location | undefined,
  early: Location | undefined,
  files: readonly SourceFile[],
): Obstacle {
  const first = late && files.find(({ names }) => names.has(late.file));
  const second = early && files.find(({ names }) => names.has(early.file));
  if (first === undefined || second === undefined) {
    return { why: 'one of them is not in the sources of this program', advice: 'look for another way to write it' };
  }
  const [from, to] = [first.offsetOf(late!), second.offsetOf(early!)];
  const name = /^[A-Za-z_]\w*/.exec(first.text.slice(from))?.[0];
  if (first === second && from === to && name !== undefined) {
    return {
      why: `both come from the macro ${name}`,
      advice: `make ${name} an inline function`,
    };
  }
  const [start, end] = [Math.min(from, to), Math.max(from, to)];
  if (first === second && !first.statements.gaps.some(({ offset }) => offset > start && offset <= end)) {
    return { why: 'both are in one statement', advice: 'make two statements of it' };
  }
  return {
    why: 'macros between them hide where statements begin and end',
    advice: 'write out what they stand for, or make them inline functions',
  };
}
