/** A hash of all that a program does, so that a replay can tell whether it is still the same. */
import { createHash } from 'node:crypto';
import type { Program } from './ir.ts';
import { printProgram } from './print.ts';

/** To print a C++ program takes as long as to check it. */
const known = new WeakMap<Program, string>();

export function hashProgram(program: Program): string {
  const hash = known.get(program) ?? createHash('sha256').update(printProgram(program)).digest('hex');
  known.set(program, hash);
  return hash;
}

/** The program was hashed before: by an earlier process, for example. */
export function rememberHash(program: Program, hash: string): void {
  known.set(program, hash);
}
