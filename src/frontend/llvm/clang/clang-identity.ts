/** Identifies a clang by its code, whatever version it reports. */
import { readFileSync, statSync } from 'node:fs';
import { hash } from '../../../platform/hash.ts';

/** Changes if one of the files is written or replaced: a file's ctime cannot be set. */
export function stampOf(files: readonly string[]): string {
  const all = files.map((file) => {
    const status = statSync(file, { bigint: true, throwIfNoEntry: false });
    return [file, ...(status ? [status.dev, status.ino, status.size, status.mtimeNs, status.ctimeNs] : [])].join(' ');
  });
  return all.join('\n');
}

/** A hash of the files' contents, independent of where they are and when they were installed. */
export function hashFiles(files: readonly string[]): string {
  return hash(files.map((file) => hash(readFileSync(file))).join());
}
