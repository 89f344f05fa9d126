/** Hashes of the sources a report is about, so that a replay can tell whether they have changed. */
import { hash } from '../platform/hash.ts';
import { readSourceFile } from '../platform/standard-input.ts';
import { hashProgram } from '../program/hash.ts';
import type { Program } from '../program/ir.ts';
import type { CheckInput, SourceHash } from './schema.ts';

/** The given files, and all other user files that have code in the program; unreadable files are omitted. */
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
    return hash(readSourceFile(file));
  } catch {
    return undefined;
  }
}

/** Which files have changed, in words; `undefined` if none have, or if the report has no hashes. */
export function describeSourceChange({ files, sources = [] }: CheckInput): string | undefined {
  const named = [...new Set([...files, ...sources.map(({ file }) => file)])];
  const missing = named.filter((file) => hashFile(file) === undefined);
  const changed = sources.filter(({ file, sha256: old }) => !missing.includes(file) && hashFile(file) !== old);
  const texts: string[] = [];
  if (missing.length > 0) {
    texts.push(
      `cannot read ${missing.join(', ')}, named in the report; its paths are relative to the folder where the report was made`,
    );
  }
  if (changed.length > 0) {
    const names = changed.map(({ file }) => file).join(', ');
    texts.push(`${names} ${changed.length === 1 ? 'has' : 'have'} changed since the report`);
  }
  return texts.length === 0 ? undefined : texts.join('; ');
}

/** Says whether anything other than the sources has changed. */
export function describeProgramChange({ program: hash }: CheckInput, program: Program): string | undefined {
  if (hash === undefined || hash === hashProgram(program)) return undefined;
  return 'the compiled program differs from the one in the report: a header or the compiler has changed';
}
