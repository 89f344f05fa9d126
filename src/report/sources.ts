/** Hashes of the sources a report is about, so that a replay can tell whether they have changed. */
import { type Stats, statSync } from 'node:fs';
import { hash } from '../platform/hash.ts';
import { readSourceFile, STANDARD_INPUT } from '../platform/standard-input.ts';
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

/** The most files that a program has, and sources that its code comes from. */
const MAX_FILES = 1000;
const MAX_SOURCES = 10_000;
/** In bytes, of all files together. */
const MAX_TOTAL = 256 * 1024 * 1024;

/**
 * Why the files that a report names must not be read: anybody may have written it, and reading may have no end. The
 * result is `undefined` if they may be read, or do not exist.
 */
export function unreadableInput({ files, sources = [], stdin }: CheckInput): string | undefined {
  if (files.length > MAX_FILES) return `it names ${files.length} files, at most ${MAX_FILES} are possible`;
  if (sources.length > MAX_SOURCES) return `it names ${sources.length} sources, at most ${MAX_SOURCES} are possible`;
  const named = new Set([...files, ...sources.map(({ file }) => file)]);
  named.delete(STANDARD_INPUT);
  let total = 0;
  for (const file of [...named, ...(stdin === undefined ? [] : [stdin])]) {
    const status = statusOf(file);
    if (status === undefined) continue;
    if (!status.isFile() && file !== '/dev/null') return `it names ${file}, which is not a regular file`;
    total += status.size;
  }
  return total > MAX_TOTAL ? `it names files of ${total} bytes, at most ${MAX_TOTAL} are possible` : undefined;
}

function statusOf(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Which files have changed, in words; `undefined` if none have, or if the report has no hashes. */
export function describeSourceChange({ files, sources = [] }: CheckInput): string | undefined {
  const named = [...new Set([...files, ...sources.map(({ file }) => file)])];
  const now = new Map(named.map((file) => [file, hashFile(file)]));
  const missing = named.filter((file) => now.get(file) === undefined);
  const changed = sources.filter(({ file, sha256: old }) => now.get(file) !== undefined && now.get(file) !== old);
  const texts: string[] = [];
  if (missing.length > 0) {
    texts.push(
      `cannot read ${namesOf(missing)}, named in the report; its paths are relative to the folder where the report was made`,
    );
  }
  if (changed.length > 0) {
    const names = namesOf(changed.map(({ file }) => file));
    texts.push(`${names} ${changed.length === 1 ? 'has' : 'have'} changed since the report`);
  }
  return texts.length === 0 ? undefined : texts.join('; ');
}

const MAX_NAMED = 10;

function namesOf(files: readonly string[]): string {
  const more = files.length - MAX_NAMED;
  return `${files.slice(0, MAX_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Says whether anything other than the sources has changed. */
export function describeProgramChange({ program: hash }: CheckInput, program: Program): string | undefined {
  if (hash === undefined || hash === hashProgram(program)) return undefined;
  return 'the compiled program differs from the one in the report: a header or the compiler has changed';
}
