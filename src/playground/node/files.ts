/** Files and folders in memory, by absolute path. There are no links. */
import { Buffer } from './buffer.ts';
import { dirname, resolve } from './path.ts';

export interface Entry {
  /** `undefined` for a folder. */
  bytes: Buffer | undefined;
  readonly number: number;
  /** When it was last written, and how many changes preceded that. */
  time: number;
  change: number;
}

const MESSAGES = {
  ENOENT: 'no such file or directory',
  EEXIST: 'file already exists',
  EISDIR: 'illegal operation on a directory',
  ENOTDIR: 'not a directory',
  ENOTEMPTY: 'directory not empty',
  EBADF: 'bad file descriptor',
  EINVAL: 'invalid argument',
  EPERM: 'operation not permitted',
};

export function failure(code: keyof typeof MESSAGES, call: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${MESSAGES[code]}, ${call} '${path}'`), { code, syscall: call, path });
}

const entries = new Map<string, Entry>();
let numbers = 0;
let changes = 0;

function add(path: string, bytes: Buffer | undefined): Entry {
  const entry = { bytes, number: ++numbers, time: Date.now(), change: ++changes };
  entries.set(path, entry);
  return entry;
}

add('/', undefined);

export function find(path: string): Entry | undefined {
  return entries.get(resolve(path));
}

export function get(path: string, call: string): Entry {
  const entry = find(path);
  if (entry === undefined) throw failure('ENOENT', call, path);
  return entry;
}

export function read(path: string): Buffer {
  const { bytes } = get(path, 'open');
  if (bytes === undefined) throw failure('EISDIR', 'read', path);
  return bytes;
}

/** Takes ownership of the bytes. */
export function write(path: string, bytes: Uint8Array, isNew = false): void {
  const full = resolve(path);
  const entry = entries.get(full);
  if (entry !== undefined && isNew) throw failure('EEXIST', 'open', path);
  if (entry !== undefined && entry.bytes === undefined) throw failure('EISDIR', 'open', path);
  if (get(dirname(full), 'open').bytes !== undefined) throw failure('ENOTDIR', 'open', path);
  const own = Buffer.fromBytes(bytes);
  if (entry === undefined) add(full, own);
  else Object.assign(entry, { bytes: own, time: Date.now(), change: ++changes });
}

export function makeFolder(path: string, withParents: boolean): void {
  const full = resolve(path);
  const entry = entries.get(full);
  if (entry !== undefined && (entry.bytes !== undefined || !withParents)) throw failure('EEXIST', 'mkdir', path);
  if (entry !== undefined) return;
  if (withParents) makeFolder(dirname(full), true);
  else get(dirname(full), 'mkdir');
  add(full, undefined);
}

/** The paths below a folder, relative to it. */
export function below(folder: string): readonly string[] {
  const full = resolve(folder);
  if (get(full, 'scandir').bytes !== undefined) throw failure('ENOTDIR', 'scandir', folder);
  const start = full === '/' ? '/' : `${full}/`;
  return [...entries.keys()]
    .filter((path) => path.startsWith(start) && path !== '/')
    .map((path) => path.slice(start.length));
}

export function remove(path: string, withContents: boolean): void {
  const full = resolve(path);
  const inside = get(full, 'rm').bytes === undefined ? below(full) : [];
  if (inside.length > 0 && !withContents) throw failure('ENOTEMPTY', 'rm', path);
  for (const name of inside) entries.delete(`${full}/${name}`);
  entries.delete(full);
}

export function move(from: string, to: string): void {
  const [source, target] = [resolve(from), resolve(to)];
  const entry = get(source, 'rename');
  const inside = entry.bytes === undefined ? below(source) : [];
  const there = entries.get(target);
  if (there !== undefined && there.bytes === undefined && below(target).length > 0)
    throw failure('ENOTEMPTY', 'rename', to);
  get(dirname(target), 'rename');
  for (const name of inside) {
    entries.set(`${target}/${name}`, entries.get(`${source}/${name}`)!);
    entries.delete(`${source}/${name}`);
  }
  entries.set(target, entry);
  entries.delete(source);
}
