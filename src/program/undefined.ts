/**
 * Whether a program can have undefined values at all: fresh memory or variables that it may read before writing them.
 */
import type { Program } from './ir.ts';

const known = new WeakMap<Program, boolean>();

export function hasUndefined(program: Program): boolean {
  let found = known.get(program);
  if (found === undefined) {
    found = program.functions.some(({ blocks }) =>
      blocks.some(({ body }) =>
        body.some((i) => i.op === 'undefine' || ('isUndefined' in i && i.isUndefined === true)),
      ),
    );
    known.set(program, found);
  }
  return found;
}
