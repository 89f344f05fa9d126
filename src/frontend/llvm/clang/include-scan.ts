/**
 * The files that a compilation is likely to read, with their contents beforehand, so that afterwards we can tell
 * whether any has changed. This is a guess from the text of directives; what it misses only costs a second run of
 * clang.
 */
import { posix } from 'node:path';
import { hash } from '../../../platform/hash.ts';
import { absolutePath, joinPlain, plainFolder } from './dependencies.ts';
import { type Look, readRegular } from './inputs.ts';

const DIRECTIVE = /^[ \t]*#[ \t]*(?:include|include_next|import|embed)[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>)/gm;

interface Seen extends Look {
  readonly included: readonly string[];
}

export class IncludeScan {
  private readonly cwd: string;
  /** By plain path; `undefined` if there is no such file. */
  private readonly seen = new Map<string, Seen | undefined>();

  constructor(cwd: string) {
    this.cwd = cwd;
  }

  /**
   * Plain paths of these files and of all that they include, wherever clang may find it, each with its current state.
   */
  from(files: readonly string[], searched: readonly string[]): Map<string, Look> {
    const found = new Map<string, Look>();
    const todo = [...files];
    for (let file = todo.pop(); file !== undefined; file = todo.pop()) {
      const seen = found.has(file) ? undefined : this.look(file);
      if (seen === undefined) continue;
      found.set(file, seen);
      const folders = [plainFolder(posix.dirname(file)), ...searched];
      for (const name of seen.included) todo.push(...folders.map((folder) => joinPlain(folder, name)));
    }
    return found;
  }

  private look(file: string): Seen | undefined {
    if (!this.seen.has(file)) {
      const read = readRegular(absolutePath(file, this.cwd));
      this.seen.set(file, read && { hash: hash(read.bytes), stamp: read.stamp, included: included(read.bytes) });
    }
    return this.seen.get(file);
  }
}

function included(bytes: Buffer): readonly string[] {
  // Names are read as UTF-8, whatever else is in the file.
  const matches = bytes.toString('utf8').matchAll(DIRECTIVE);
  return [...new Set([...matches].map(([, quoted, angled]) => (quoted ?? angled)!))];
}
