/** Finds the files that the user named: files, folders (searched recursively) and patterns. */
import { readFileSync, type Stats, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { globSync, isDynamicPattern } from 'tinyglobby';

interface FileProblem {
  readonly file: string;
  readonly message: string;
}

/** No handwritten litmus test or C file is this large; reading a file that is would only fill memory. */
const MAX_BYTES = 16 * 1024 * 1024;

interface FoundFiles {
  readonly files: readonly string[];
  readonly problems: readonly FileProblem[];
}

/** `suffix` selects files inside folders. Files are listed once, in the order given. */
export function findFiles(paths: readonly string[], suffix: string): FoundFiles {
  /** By full path, so that two spellings of a path count as one file. */
  const files = new Map<string, string>();
  const problems: FileProblem[] = [];
  for (const path of paths) {
    const found = findIn(path, suffix);
    if (typeof found === 'string') problems.push({ file: path, message: found });
    else for (const file of found) if (!files.has(resolve(file))) files.set(resolve(file), file);
  }
  return { files: [...files.values()], problems };
}

function findIn(path: string, suffix: string): readonly string[] | string {
  const status = statusOf(path);
  if (typeof status === 'string') return status;
  if (status?.isFile() || status?.isFIFO()) return [path];
  if (status?.isDirectory()) {
    const found = search('**/*', path).filter((file) => file.endsWith(suffix));
    return found.length > 0 ? found.map((file) => join(path, file)) : `no ${suffix} files in this folder`;
  }
  if (status !== undefined) return 'neither a file nor a folder';
  if (!isDynamicPattern(path)) return 'no such file or folder';
  const found = search(path, '.');
  return found.length > 0 ? found : 'no file matches this pattern';
}

/** The status of the path; `undefined` if nothing is there, or the reason why that is unknown. */
function statusOf(path: string): Stats | undefined | string {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    return `cannot be accessed: ${(error as NodeJS.ErrnoException).code ?? error}`;
  }
}

function search(pattern: string, cwd: string): readonly string[] {
  const found = globSync(pattern, { cwd, onlyFiles: true, expandDirectories: false });
  return found.sort((a, b) => (a < b ? -1 : 1));
}

function join(folder: string, file: string): string {
  return folder.endsWith('/') ? folder + file : `${folder}/${file}`;
}

/** The text of a file, or why it cannot be read. */
export function readText(file: string): { readonly text: string } | { readonly problem: string } {
  try {
    const status = statSync(file);
    const { size } = status;
    // Some have no end.
    if (status.isCharacterDevice()) return { problem: 'is a device' };
    if (size > MAX_BYTES) return { problem: `too large: ${size} bytes, at most ${MAX_BYTES}` };
    return { text: readFileSync(file, 'utf8') };
  } catch (error) {
    return { problem: `cannot be read: ${(error as NodeJS.ErrnoException).code ?? error}` };
  }
}
