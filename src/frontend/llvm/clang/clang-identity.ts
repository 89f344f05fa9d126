/** Which program a clang is: its code, whatever version it says it is. */
import { readFileSync, statSync } from 'node:fs';
import { hash } from '../../../platform/kept-files.ts';

/** Different if one of the files has been written or replaced: nobody can set the time at which a file's status changed. */
export function stampOf(files: readonly string[]): string {
  const all = files.map((file) => {
    const status = statSync(file, { bigint: true, throwIfNoEntry: false });
    return [file, ...(status ? [status.dev, status.ino, status.size, status.mtimeNs, status.ctimeNs] : [])].join(' ');
  });
  return all.join('\n');
}

/** Of what is in the files: the same wherever they are and whenever they were installed. */
export function hashFiles(files: readonly string[]): string {
  return hash(files.map((file) => hash(readFileSync(file))).join());
}
