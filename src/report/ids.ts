/**
 * Identifiers that are stable across runs: of errors, for tools that compare reports; of runs, to name their folders.
 */
import { createHash } from 'node:crypto';
import type { ProgramError } from '../machine/code/error.ts';
import { withoutCode } from '../util/code-text.ts';

function shortHash(parts: readonly unknown[], length: number): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, length);
}

/**
 * Identifies an error by input, model, kind, message and place; neither its execution nor the code marks in its message
 * count.
 */
export function errorId(file: string, model: string, { kind, message, file: where, line }: ProgramError): string {
  return shortHash([file, model, kind, withoutCode(message), where, line], 12);
}

/** `dekker-3fa91c`: the first file's name, and a hash of the programs and options. */
export function runName(files: readonly string[], options: readonly unknown[]): string {
  const base = files[0]!.split(/[\\/]/).at(-1)!;
  const stem = base.replace(/\.[^.]*$/, '').replace(/[^\w.-]/g, '_');
  return `${stem === '' ? 'run' : stem}-${shortHash([files, options], 6)}`;
}
