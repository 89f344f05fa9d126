/**
 * IR from earlier runs, in the user's cache folder. An entry is found by its key (everything about a compilation that is
 * known beforehand) and counts only if every file that clang read is still the same, and none has appeared that it
 * would have read instead. Nothing here ever fails a run: what cannot be read is not there, what cannot be written is
 * not kept.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, utimesSync } from 'node:fs';
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { cacheFolder, makeFolder } from '../../cache-folder.ts';
import type { Host } from './clang-job.ts';

/** To be changed with the form of the entries. */
const FORMAT = 'fencepost-ir-2';

/** When there is more, the entries that were not used for longest go. */
const MAX_BYTES = 256 * 1024 * 1024;

/** To look at thousands of entries takes as long as to compile. In milliseconds. */
const PRUNE_EVERY = 10 * 60 * 1000;

export interface CacheEntry {
  readonly ir: string;
  /** The names it defines. */
  readonly defines: readonly string[];
  readonly diagnostics: string;
  /** Every file that was read, with the hash of its contents. */
  readonly dependencies: readonly (readonly [path: string, hash: string])[];
  /** Files that would have been read instead of others if they had existed. */
  readonly absent: readonly string[];
}

type Header = Omit<CacheEntry, 'ir'> & { readonly irHash: string };

export function hash(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

export class ClangCache {
  readonly folder: string;
  private readonly maxBytes: number;
  /** Of files, as they were when first asked for: many entries depend on the same headers. */
  private readonly hashes = new Map<string, string | undefined>();

  constructor(folder: string, maxBytes: number = MAX_BYTES) {
    this.folder = folder;
    this.maxBytes = maxBytes;
  }

  /** `undefined` if the user turned it off with `FENCEPOST_CACHE=off`. */
  static open(host: Host): ClangCache | undefined {
    const folder = cacheFolder(host.env, host.cwd);
    return folder === undefined ? undefined : new ClangCache(folder);
  }

  /** A key for anything that can be written as JSON. */
  key(parts: unknown): string {
    return hash(JSON.stringify([FORMAT, parts]));
  }

  get(key: string, cwd: string): CacheEntry | undefined {
    const bytes = this.read(key);
    const entry = bytes && decode(bytes.toString('utf8'));
    if (entry === undefined || entry.absent.some((file) => existsSync(file))) return undefined;
    for (const [file, expected] of entry.dependencies) {
      if (this.hashOf(resolve(cwd, file)) !== expected) return undefined;
    }
    return entry;
  }

  async put(key: string, entry: CacheEntry): Promise<void> {
    await this.keep(key, encode(entry));
  }

  /** The bytes that were kept under this key. */
  read(key: string): Buffer | undefined {
    const bytes = read(this.path(key));
    if (bytes !== undefined) touch(this.path(key));
    return bytes;
  }

  async keep(key: string, contents: string | Uint8Array): Promise<void> {
    await this.write(this.path(key), contents);
  }

  /** Of a file as it was when this was first asked; `undefined` if it cannot be read. */
  hashOf(path: string): string | undefined {
    if (!this.hashes.has(path)) {
      const bytes = read(path);
      this.hashes.set(path, bytes && hash(bytes));
    }
    return this.hashes.get(path);
  }

  /** Brings the folder back under its bound, if that was not done lately. */
  async prune(): Promise<void> {
    const stamp = join(this.folder, 'pruned');
    const { mtimeMs } = await stat(stamp).catch(() => ({ mtimeMs: 0 }));
    if (Math.abs(Date.now() - mtimeMs) < PRUNE_EVERY) return;
    await this.write(stamp, '');
    try {
      const folder = join(this.folder, 'ir');
      const files = await Promise.all(
        (await readdir(folder)).map(async (name) => {
          const path = join(folder, name);
          const { size, mtimeMs } = await stat(path);
          return { path, size, mtimeMs };
        }),
      );
      let total = files.reduce((sum, { size }) => sum + size, 0);
      files.sort((a, b) => a.mtimeMs - b.mtimeMs);
      for (const { path, size } of files) {
        if (total <= this.maxBytes) break;
        await rm(path, { force: true });
        total -= size;
      }
    } catch {
      // Another process is at it too.
    }
  }

  /** What `clang --version` said, if that clang is still the same file. */
  async clangVersion(path: string, stamp: string): Promise<string | undefined> {
    try {
      const known: unknown = JSON.parse(await readFile(this.versionPath(path), 'utf8'));
      if (!isRecord(known) || known['path'] !== path || known['stamp'] !== stamp) return undefined;
      return typeof known['version'] === 'string' ? known['version'] : undefined;
    } catch {
      return undefined;
    }
  }

  async rememberClangVersion(path: string, stamp: string, version: string): Promise<void> {
    await this.write(this.versionPath(path), JSON.stringify({ path, stamp, version }));
  }

  private path(key: string): string {
    return join(this.folder, 'ir', key);
  }

  private versionPath(path: string): string {
    return join(this.folder, 'clang', `${hash(path).slice(0, 16)}.json`);
  }

  /** Complete or not at all, whoever else writes the same. */
  private async write(path: string, contents: string | Uint8Array): Promise<void> {
    const fresh = `${path}.${process.pid}.${Math.floor(performance.now() * 1000)}.tmp`;
    try {
      makeFolder(dirname(path));
      await writeFile(fresh, contents);
      await rename(fresh, path);
    } catch {
      await rm(fresh, { force: true }).catch(() => undefined);
    }
  }
}

/** At once: a promise for each of hundreds of small files costs more than reading them. */
function read(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

/** So that it is not among the entries that were not used for longest. */
function touch(path: string): void {
  const now = new Date();
  try {
    utimesSync(path, now, now);
  } catch {
    // Another process has removed it.
  }
}

/** One line of JSON, then the IR. */
function encode({ ir, ...rest }: CacheEntry): string {
  const header: Header = { ...rest, irHash: hash(ir) };
  return `${JSON.stringify(header)}\n${ir}`;
}

function decode(text: string): CacheEntry | undefined {
  const end = text.indexOf('\n');
  if (end < 0) return undefined;
  const header = parseHeader(text.slice(0, end));
  const ir = text.slice(end + 1);
  if (header === undefined || header.irHash !== hash(ir)) return undefined;
  const { irHash: _, ...rest } = header;
  return { ir, ...rest };
}

function parseHeader(line: string): Header | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isHeader(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isHeader(value: unknown): value is Header {
  if (!isRecord(value)) return false;
  const isText = (x: unknown): boolean => typeof x === 'string';
  const { irHash, defines, diagnostics, dependencies, absent } = value;
  return (
    isText(irHash) &&
    isText(diagnostics) &&
    [defines, absent].every((names) => Array.isArray(names) && names.every(isText)) &&
    Array.isArray(dependencies) &&
    dependencies.every((pair) => Array.isArray(pair) && pair.length === 2 && pair.every(isText))
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
