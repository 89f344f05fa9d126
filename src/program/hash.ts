/** A hash of everything a program does, by which a replay can tell whether the program has changed. */
import { hash } from '../platform/hash.ts';
import type { Program } from './ir.ts';
import { printProgram } from './print.ts';

/** Cached: printing a C++ program takes as long as checking it. */
const known = new WeakMap<Program, string>();

export function hashProgram(program: Program): string {
  const found = known.get(program) ?? hash(printProgram(program));
  known.set(program, found);
  return found;
}

/** Records a hash that was computed before, for example by an earlier process. */
export function rememberHash(program: Program, found: string): void {
  known.set(program, found);
}
