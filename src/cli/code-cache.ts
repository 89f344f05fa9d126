/**
 * The code that V8 made of a script, in the user's cache folder. A file per name: one line of JSON, then the code. Nothing here
 * ever fails a run: what cannot be read, is damaged or belongs to something else is not there, and what cannot be written is
 * not kept.
 */
import { createHash } from 'node:crypto';
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cachedDataVersionTag } from 'node:v8';
import { cacheFolder, makeFolder } from '../cache-folder.ts';

interface Header {
  /** What the code was made of. */
  readonly key: string;
  /** Of the code, which the engine trusts. */
  readonly hash: string;
}

export class CodeCache {
  private readonly path: string | undefined;
  private readonly key: string;

  /** For the script in `file`. */
  constructor(name: string, file: string) {
    const folder = cacheFolder(process.env, process.cwd());
    this.path = folder && join(folder, 'code', name);
    const { mtimeMs, size } = statSync(file);
    this.key = JSON.stringify([file, mtimeMs, size, process.version, process.arch, cachedDataVersionTag()]);
  }

  read(): Buffer | undefined {
    if (this.path === undefined) return undefined;
    try {
      const bytes = readFileSync(this.path);
      const end = bytes.indexOf('\n');
      const header = JSON.parse(bytes.toString('utf8', 0, end)) as Header | null;
      const code = bytes.subarray(end + 1);
      return header?.key === this.key && header.hash === hash(code) ? code : undefined;
    } catch {
      return undefined;
    }
  }

  /** Complete or not at all, whoever else writes the same. */
  keep(code: Buffer): void {
    if (this.path === undefined) return;
    const header: Header = { key: this.key, hash: hash(code) };
    const fresh = `${this.path}.${process.pid}.tmp`;
    try {
      makeFolder(dirname(this.path));
      writeFileSync(fresh, Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), code]));
      renameSync(fresh, this.path);
    } catch {
      remove(fresh);
    }
  }
}

function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // Nothing was written there at all.
  }
}

function hash(data: Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}
