/**
 * Files in the user's cache folder. Their contents are run, or decide a verdict, so a file is used only if it is
 *
 * - ours: it and its folders belong to the user, and no other user may write to them;
 * - whole: its first line is a hash of everything else;
 * - made for this request: name and key are part of that hash.
 *
 * Nothing here ever fails a run: a file that cannot be read is ignored, and one that cannot be written is skipped.
 */
import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  futimesSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { cacheFolder, makeFolder } from './cache-folder.ts';
import { hash } from './hash.ts';

/** Length of the hash, in hexadecimal digits; a line feed follows. */
const HASH_LENGTH = 64;

/** Rejects a link or a pipe in place of a file; opening a pipe would wait for a writer. */
const OPEN = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** How often to prune, in milliseconds. */
const PRUNE_EVERY = 10 * 60 * 1000;

export class KeptFiles {
  readonly folder: string;
  private readonly trusted = new Map<string, boolean>();
  private written = 0;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** `undefined` if there is no cache folder. */
  static open(env: NodeJS.ProcessEnv): KeptFiles | undefined {
    const folder = cacheFolder(env);
    return folder === undefined ? undefined : new KeptFiles(folder);
  }

  /** The contents stored under this name, in the folder for this kind, for this key. */
  read(kind: string, name: string, key: string): Buffer | undefined {
    if (!this.isTrusted(kind)) return undefined;
    let file: number | undefined;
    try {
      file = openSync(join(this.folder, kind, name), OPEN);
      const status = fstatSync(file);
      if (!status.isFile() || !isOnlyOurs(status)) return undefined;
      const bytes = readFileSync(file);
      const contents = bytes.subarray(HASH_LENGTH + 1);
      if (bytes.toString('latin1', 0, HASH_LENGTH + 1) !== `${hashOf([kind, name, key], contents)}\n`) return undefined;
      if (PRUNED.includes(kind)) touch(file);
      return contents;
    } catch {
      return undefined;
    } finally {
      if (file !== undefined) closeSync(file);
    }
  }

  /** Writes all or nothing, even if other processes write the same file. */
  write(kind: string, name: string, key: string, contents: string | Uint8Array): void {
    const path = join(this.folder, kind, name);
    const fresh = `${path}.${process.pid}.${this.written++}.tmp`;
    const bytes = Buffer.from(contents);
    try {
      makeFolder(dirname(path));
      // The folder may just have been created.
      this.trusted.clear();
      if (!this.isTrusted(kind)) return;
      writeFileSync(fresh, Buffer.concat([Buffer.from(`${hashOf([kind, name, key], bytes)}\n`), bytes]), {
        mode: 0o600,
        flag: 'wx',
      });
      renameSync(fresh, path);
    } catch {
      remove(fresh);
    }
  }

  /** Removes the least recently used files of a kind, until the rest has at most `maxBytes` bytes. */
  prune(kind: string, maxBytes: number): void {
    const folder = join(this.folder, kind);
    const files: { readonly path: string; readonly size: number; readonly mtimeMs: number }[] = [];
    for (const name of this.isTrusted(kind) ? list(folder) : []) {
      const path = join(folder, name);
      const status = statusOf(path, lstatSync);
      if (status?.isFile()) files.push({ path, size: status.size, mtimeMs: status.mtimeMs });
    }
    let total = files.reduce((sum, { size }) => sum + size, 0);
    files.sort((a, b) => a.mtimeMs - b.mtimeMs);
    for (const { path, size } of files) {
      if (total <= maxBytes) break;
      remove(path);
      total -= size;
    }
  }

  /** The same, unless that was done recently: scanning thousands of files takes as long as compiling. */
  pruneNowAndThen(kind: string, maxBytes: number, [folder, name]: readonly [kind: string, name: string]): void {
    const now = Date.now();
    const last = statusOf(join(this.folder, folder, name), statSync)?.mtimeMs ?? 0;
    if (Math.abs(now - last) < PRUNE_EVERY) return;
    this.write(folder, name, '', '');
    this.prune(kind, maxBytes);
  }

  private isTrusted(kind: string): boolean {
    const known = this.trusted.get(kind);
    if (known !== undefined) return known;
    const isTrusted =
      isSafeParent(dirname(this.folder)) && isOurFolder(this.folder) && isOurFolder(join(this.folder, kind));
    this.trusted.set(kind, isTrusted);
    return isTrusted;
  }
}

/** Files of kinds that can be numerous record the time of their last use. */
const PRUNED: readonly string[] = ['ir', 'programs'];

function hashOf(asked: readonly string[], contents: Uint8Array): string {
  return createHash('sha256')
    .update(`${hash(JSON.stringify(asked))}\n`)
    .update(contents)
    .digest('hex');
}

/** Windows has no owners of this kind; there the folder is in the user's profile. */
function isOnlyOurs({ uid, mode }: Stats): boolean {
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
}

/** A link to a folder of ours is fine, if the link is ours too. */
function isOurFolder(path: string): boolean {
  const link = statusOf(path, lstatSync);
  if (link?.isSymbolicLink() && process.getuid !== undefined && link.uid !== process.getuid()) return false;
  const status = statusOf(path, statSync);
  return status?.isDirectory() === true && isOnlyOurs(status);
}

/** Whether no other user can replace a folder in it. */
function isSafeParent(path: string): boolean {
  const status = statusOf(path, statSync);
  if (status === undefined || process.getuid === undefined) return status !== undefined;
  const isSticky = (status.mode & 0o1000) !== 0;
  return [0, process.getuid()].includes(status.uid) && (isSticky || (status.mode & 0o002) === 0);
}

function statusOf(path: string, look: (path: string) => Stats): Stats | undefined {
  try {
    return look(path);
  } catch {
    return undefined;
  }
}

function list(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function touch(file: number): void {
  const now = new Date();
  try {
    futimesSync(file, now, now);
  } catch {
    // The file system has become read-only.
  }
}

function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // Nothing was written there, or another process is removing it too.
  }
}
