/** `node:fs`, over files in memory. */
import { Buffer } from './buffer.ts';
import { below, type Entry, failure, find, get, makeFolder, move, read, remove, write } from './files.ts';
import { basename, dirname, join, resolve } from './path.ts';

type Encoding = 'utf8' | 'latin1';

export const constants = { O_RDONLY: 0, X_OK: 1, W_OK: 2, R_OK: 4, F_OK: 0 };

interface OpenFile {
  readonly path: string;
  /** How much has been read. */
  at: number;
}

const open = new Map<number, OpenFile>();

function opened(file: number): OpenFile {
  const found = open.get(file);
  if (found === undefined) throw failure('EBADF', 'read', String(file));
  return found;
}

class Stats<N extends number | bigint> {
  readonly dev: N;
  readonly ino: N;
  readonly size: N;
  readonly nlink: N;
  readonly uid: N;
  readonly mode: N;
  readonly mtimeMs: N;
  readonly ctimeMs: N;
  readonly mtimeNs: N;
  readonly ctimeNs: N;
  private readonly isFolder: boolean;

  constructor({ bytes, number, time, change }: Entry, as: (value: number) => N) {
    this.dev = as(1);
    this.ino = as(number);
    this.size = as(bytes?.length ?? 0);
    this.nlink = as(1);
    this.uid = as(0);
    this.mode = as(bytes === undefined ? 0o700 : 0o600);
    this.mtimeMs = as(time);
    this.ctimeMs = as(change);
    this.mtimeNs = as(time);
    this.ctimeNs = as(change);
    this.isFolder = bytes === undefined;
  }

  isFile(): boolean {
    return !this.isFolder;
  }

  isDirectory(): boolean {
    return this.isFolder;
  }

  isSymbolicLink(): boolean {
    return false;
  }

  isFIFO(): boolean {
    return false;
  }

  isCharacterDevice(): boolean {
    return false;
  }
}

interface StatOptions {
  readonly bigint?: boolean;
  readonly throwIfNoEntry?: boolean;
}

function statsOf(entry: Entry, options?: StatOptions): Stats<number> | Stats<bigint> {
  return options?.bigint === true ? new Stats(entry, BigInt) : new Stats(entry, (value) => value);
}

export function statSync(path: string, options?: StatOptions): Stats<number> | Stats<bigint> | undefined {
  const entry = find(path);
  if (entry === undefined && options?.throwIfNoEntry === false) return undefined;
  return statsOf(entry ?? get(path, 'stat'), options);
}

export const lstatSync = statSync;

export function fstatSync(file: number): Stats<number> | Stats<bigint> {
  return statsOf(get(opened(file).path, 'fstat'));
}

export function existsSync(path: string): boolean {
  return find(path) !== undefined;
}

export function accessSync(path: string): void {
  get(path, 'access');
}

export function realpathSync(path: string): string {
  get(path, 'realpath');
  return resolve(path);
}
realpathSync.native = realpathSync;

export function readlinkSync(path: string): never {
  get(path, 'readlink');
  throw failure('EINVAL', 'readlink', path);
}

export function openSync(path: string, flags: number | string = 0): number {
  if (typeof flags === 'string' && /[wa]/.test(flags)) {
    if (!flags.includes('a') || find(path) === undefined) write(path, new Buffer(0), flags.includes('x'));
  } else get(path, 'open');
  let file = 3;
  while (open.has(file)) file++;
  open.set(file, { path: resolve(path), at: 0 });
  return file;
}

export function closeSync(file: number): void {
  opened(file);
  open.delete(file);
}

export function fsyncSync(_file: number): void {}

export function futimesSync(file: number, _accessed: Date, modified: Date): void {
  get(opened(file).path, 'futimes').time = modified.getTime();
}

interface DataOptions {
  readonly encoding?: Encoding;
  readonly flag?: string;
}

function encodingOf(options: Encoding | DataOptions | undefined): Encoding | undefined {
  return typeof options === 'string' ? options : options?.encoding;
}

export function readFileSync(file: string | number, options?: Encoding | DataOptions): Buffer | string {
  if (file === 0) throw failure('ENOENT', 'read', 'standard input');
  // A copy, since the caller may modify it.
  const bytes = Buffer.from(read(typeof file === 'number' ? opened(file).path : file));
  const encoding = encodingOf(options);
  return encoding === undefined ? bytes : bytes.toString(encoding);
}

/** Only the next bytes are ever read, not those at some position. */
export function readSync(file: number, to: Uint8Array, offset: number, length: number, _position: null): number {
  const known = opened(file);
  const bytes = read(known.path).subarray(known.at, known.at + length);
  to.set(bytes, offset);
  known.at += bytes.length;
  return bytes.length;
}

export function writeFileSync(path: string, data: string | Uint8Array, options?: Encoding | DataOptions): void {
  const isNew = typeof options === 'object' && options.flag === 'wx';
  write(path, Buffer.from(data, encodingOf(options)), isNew);
}

export function writeSync(file: number, data: string | Uint8Array): number {
  const { path } = opened(file);
  const bytes = Buffer.from(data);
  write(path, Buffer.concat([read(path), bytes]));
  return bytes.length;
}

export function mkdirSync(path: string, options?: { readonly recursive?: boolean }): void {
  makeFolder(path, options?.recursive === true);
}

export function mkdtempSync(prefix: string): string {
  let number = 0;
  while (find(`${prefix}${number}`) !== undefined) number++;
  makeFolder(`${prefix}${number}`, true);
  return `${prefix}${number}`;
}

interface RemoveOptions {
  readonly recursive?: boolean;
  readonly force?: boolean;
}

export function rmSync(path: string, { recursive = false, force = false }: RemoveOptions = {}): void {
  if (!force || find(path) !== undefined) remove(path, recursive);
}

export const renameSync: typeof move = move;

interface ListOptions {
  readonly recursive?: boolean;
  readonly withFileTypes?: boolean;
}

export function readdirSync(folder: string, options: ListOptions = {}): readonly unknown[] {
  const names = below(folder).filter((name) => options.recursive === true || !name.includes('/'));
  if (options.withFileTypes !== true) return names;
  return names.map((name) => {
    const path = join(folder, name);
    const stats = statsOf(get(path, 'stat'));
    return {
      name: basename(path),
      parentPath: dirname(path),
      isFile: () => stats.isFile(),
      isDirectory: () => stats.isDirectory(),
    };
  });
}

/** Yields the whole file at once. */
export async function* createReadStream(path: string): AsyncGenerator<Buffer> {
  yield read(path);
}
export default { existsSync, readFileSync, statSync };
