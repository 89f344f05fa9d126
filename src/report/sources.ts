/** Which sources a report is about, so that a replay can tell whether they are still the same. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Program } from '../program/ir.ts';
import { printProgram } from '../program/print.ts';
import type { CheckInput, SourceHash } from './schema.ts';

function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

export function hashProgram(program: Program): string {
  return sha256(printProgram(program));
}

/** The given files, and all others of the user's that have code in the program; what cannot be read is left out. */
export function hashSources(files: readonly string[], program: Program): readonly SourceHash[] {
  const all = new Set(files);
  for (const func of program.functions) {
    if (func.isLibrary === true) continue;
    for (const block of func.blocks) {
      for (const { location } of block.body) if (location !== undefined) all.add(location.file);
    }
  }
  return [...all].flatMap((file) => {
    const hash = hashFile(file);
    return hash === undefined ? [] : [{ file, sha256: hash }];
  });
}

function hashFile(file: string): string | undefined {
  try {
    return sha256(readFileSync(file));
  } catch {
    return undefined;
  }
}

/** What is no longer as it was, in words; `undefined` if nothing is, or if the report does not say how it was. */
export function describeChange({ sources, program: hash }: CheckInput, program: Program): string | undefined {
  const changed = (sources ?? []).filter(({ file, sha256: old }) => hashFile(file) !== old).map(({ file }) => file);
  if (changed.length > 0)
    return `${changed.join(', ')} ${changed.length === 1 ? 'has' : 'have'} changed since the report`;
  if (hash === undefined || hash === hashProgram(program)) return undefined;
  return 'the compiled program is another one than in the report: a header has changed, or the compiler is another one';
}
