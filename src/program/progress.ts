/** Whether a program uses `progress`, for which machines must count what threads do. */
import type { Program } from './ir.ts';

const known = new WeakMap<Program, boolean>();

export function usesProgress(program: Program): boolean {
  let found = known.get(program);
  if (found === undefined) {
    found = program.functions.some(({ blocks }) => blocks.some(({ body }) => body.some(({ op }) => op === 'progress')));
    known.set(program, found);
  }
  return found;
}
