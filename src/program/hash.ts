/** A hash of all that a program does, so that a replay can tell whether it is still the same. */
import { hash } from '../platform/hash.ts';
import type { Program } from './ir.ts';
import { printProgram } from './print.ts';

/** To print a C++ program takes as long as to check it. */
const known = new WeakMap<Program, string>();

export function hashProgram(program: Program): string {
  const found = known.get(program) ?? hash(printProgram(program));
  known.set(program, found);
  return found;
}

/** The program was hashed before: by an earlier process, for example. */
export function rememberHash(program: Program, found: string): void {
  known.set(program, found);
}
