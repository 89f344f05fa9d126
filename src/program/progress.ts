/** Whether a program asks what a thread has done (`progress`): then machines must count that. */
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
