/**
 * As much of WASI (preview 1) as the npm package's clang needs. It reads the machine's real files, wherever they are;
 * what it writes stays in memory until `save`. We do not use Node's own `node:wasi`: that crashes when a garbage
 * collection comes at the wrong moment (https://github.com/nodejs/node/issues/46777), and clang writes its output in
 * pieces of three bytes, which would take longer as system calls than the compilation.
 *
 * https://github.com/WebAssembly/WASI/blob/main/legacy/preview1/docs.md
 */

import { randomFillSync } from 'node:crypto';
import { readFileSync, readlinkSync, statSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';

const SUCCESS = 0;
const EBADF = 8;
const EEXIST = 20;
const EINVAL = 28;
const EIO = 29;
const EISDIR = 31;
const ENOENT = 44;
const ENOSYS = 52;
const ENOTDIR = 54;
/** Maps Node's error names to WASI's numbers; any other error is `EIO`. */
const ERRNO = { EACCES: 2, EINVAL, ELOOP: 32, ENAMETOOLONG: 37, ENOENT, ENOTDIR, EPERM: 63, UNKNOWN: EINVAL };

const DIRECTORY = 3;
const REGULAR_FILE = 4;

const O_CREAT = 1;
const O_DIRECTORY = 2;
const O_EXCL = 4;
const O_TRUNC = 8;

/** A device number that no real file has. */
const OUR_DEVICE = 0xfe0ce905n;

class Exit extends Error {
  constructor(status) {
    super(`exit ${status}`);
    this.status = status;
  }
}

/** A byte array that can grow at its end. */
class MemoryFile {
  static count = 0n;

  constructor(bytes = new Uint8Array(0)) {
    this.inode = ++MemoryFile.count;
    this.buffer = bytes;
    this.length = bytes.length;
  }

  get bytes() {
    return this.buffer.subarray(0, this.length);
  }

  write(bytes, at) {
    const end = at + bytes.length;
    if (end > this.buffer.length) {
      const larger = new Uint8Array(Math.max(end, 2 * this.buffer.length, 4096));
      larger.set(this.bytes);
      this.buffer = larger;
    }
    this.buffer.set(bytes, at);
    this.length = Math.max(this.length, end);
  }
}

export class Wasi {
  /**
   * `headers` maps paths to read-only files; `toReal` translates any other path to one of this machine.
   *
   * @param {{ args: string[], headers: Map<string, Uint8Array>, toReal: (path: string) => string }} options
   */
  constructor({ args, headers, toReal }) {
    this.args = args.map((text) => new TextEncoder().encode(`${text}\0`));
    this.headers = new Map([...headers].map(([path, bytes]) => [path, new MemoryFile(bytes)]));
    this.headerFolders = new Set([...headers.keys()].map((path) => posix.dirname(path)));
    this.toReal = toReal;
    /** @type {Map<string, MemoryFile>} by normal path */
    this.written = new Map();
    this.output = new MemoryFile();
    /** The standard streams, and the one folder that all paths are relative to. */
    this.open = new Map([
      [0, { file: new MemoryFile(), at: 0 }],
      [1, { file: this.output, at: 0 }],
      [2, { file: this.output, at: 0 }],
      [3, { folder: '/', status: { dev: OUR_DEVICE, ino: 0n } }],
    ]);
  }

  /** Everything written to standard output and standard error. */
  get text() {
    return new TextDecoder().decode(this.output.bytes);
  }

  /** Runs `_start`; returns the exit status. */
  async run(module) {
    const known = this.functions();
    const missing = () => ENOSYS;
    const names = WebAssembly.Module.imports(module).map(({ name }) => name);
    const functions = Object.fromEntries(names.map((name) => [name, known[name] ?? missing]));
    const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: functions });
    this.memory = instance.exports.memory;
    try {
      instance.exports._start();
      return 0;
    } catch (error) {
      if (error instanceof Exit) return error.status;
      throw error;
    }
  }

  /** Writes to disk all files that were written and not removed. */
  save() {
    for (const [path, file] of this.written) writeFileSync(this.toReal(path), file.bytes);
  }

  /** The memory gets a new buffer whenever it grows. */
  view() {
    const { buffer } = this.memory;
    if (this.currentView?.buffer !== buffer) this.currentView = new DataView(buffer);
    return this.currentView;
  }

  bytes(at, length) {
    return new Uint8Array(this.memory.buffer, at, length);
  }

  setSize(at, value) {
    this.view().setUint32(at, value, true);
  }

  path(folder, at, length) {
    const base = this.open.get(folder)?.folder ?? '/';
    const name = new TextDecoder().decode(this.bytes(at, length));
    return base === '/' ? `/${name}` : `${base}/${name}`;
  }

  memoryFile(path) {
    const normal = posix.normalize(path);
    return this.written.get(normal) ?? this.headers.get(normal);
  }

  /** The buffers of a scattered read or write. */
  *vectors(at, count) {
    const view = this.view();
    for (let i = 0; i < count; i++) {
      yield this.bytes(view.getUint32(at + 8 * i, true), view.getUint32(at + 8 * i + 4, true));
    }
  }

  putStatus(at, type, device, inode, size) {
    this.bytes(at, 64).fill(0);
    const view = this.view();
    view.setBigUint64(at, device, true);
    view.setBigUint64(at + 8, inode, true);
    view.setUint8(at + 16, type);
    view.setBigUint64(at + 24, 1n, true);
    view.setBigUint64(at + 32, BigInt(size), true);
  }

  putMemoryStatus(at, file) {
    this.putStatus(at, REGULAR_FILE, OUR_DEVICE, file.inode, file.length);
  }

  putRealStatus(at, status) {
    this.putStatus(at, status.isDirectory() ? DIRECTORY : REGULAR_FILE, status.dev, status.ino, status.size);
  }

  addOpen(entry) {
    let number = 4;
    while (this.open.has(number)) number++;
    this.open.set(number, entry);
    return number;
  }

  openReal(path, flags) {
    const real = this.toReal(path);
    const status = statSync(real, { bigint: true });
    if (status.isDirectory()) return { folder: path, status };
    if (flags & O_DIRECTORY) return ENOTDIR;
    return { file: new MemoryFile(readFileSync(real)), at: 0, status };
  }

  create(path, flags) {
    const normal = posix.normalize(path);
    const existing = this.memoryFile(path);
    if (existing !== undefined && flags & O_EXCL) return EEXIST;
    const file = existing === undefined || flags & O_TRUNC ? new MemoryFile() : existing;
    this.written.set(normal, file);
    return { file, at: 0 };
  }

  /**
   * The functions that clang may call, by their WASI names. Each returns an error number, or nothing, which means 0.
   */
  functions() {
    return {
      args_sizes_get: (countAt, sizeAt) => {
        this.setSize(countAt, this.args.length);
        this.setSize(
          sizeAt,
          this.args.reduce((sum, arg) => sum + arg.length, 0),
        );
      },
      args_get: (pointersAt, textAt) => {
        let at = textAt;
        this.args.forEach((arg, i) => {
          this.setSize(pointersAt + 4 * i, at);
          this.bytes(at, arg.length).set(arg);
          at += arg.length;
        });
      },
      environ_sizes_get: (countAt, sizeAt) => {
        this.setSize(countAt, 0);
        this.setSize(sizeAt, 0);
      },
      environ_get: () => SUCCESS,
      clock_time_get: (_clock, _precision, at) => {
        this.view().setBigUint64(at, BigInt(Date.now()) * 1_000_000n, true);
      },
      random_get: (at, length) => {
        randomFillSync(this.bytes(at, length));
      },
      proc_exit: (status) => {
        throw new Exit(status);
      },

      fd_prestat_get: (fd, at) => {
        if (fd !== 3) return EBADF;
        this.setSize(at, 0);
        this.setSize(at + 4, 1);
      },
      fd_prestat_dir_name: (_fd, at) => {
        this.view().setUint8(at, '/'.charCodeAt(0));
      },
      fd_fdstat_get: (fd, at) => {
        const entry = this.open.get(fd);
        if (entry === undefined) return EBADF;
        this.bytes(at, 24).fill(0);
        const view = this.view();
        // Not a terminal, so no colours.
        view.setUint8(at, entry.file === undefined ? DIRECTORY : REGULAR_FILE);
        view.setBigUint64(at + 8, (1n << 30n) - 1n, true);
        view.setBigUint64(at + 16, (1n << 30n) - 1n, true);
      },
      fd_filestat_get: (fd, at) => {
        const entry = this.open.get(fd);
        if (entry === undefined) return EBADF;
        if (entry.file === undefined) this.putStatus(at, DIRECTORY, entry.status.dev, entry.status.ino, 0);
        else if (entry.status === undefined) this.putMemoryStatus(at, entry.file);
        else this.putRealStatus(at, entry.status);
      },
      fd_read: (fd, vectorsAt, count, sizeAt) => {
        const entry = this.open.get(fd);
        if (entry?.file === undefined) return entry === undefined ? EBADF : EISDIR;
        const size = this.readAt(entry.file, entry.at, vectorsAt, count);
        entry.at += size;
        this.setSize(sizeAt, size);
      },
      fd_pread: (fd, vectorsAt, count, at, sizeAt) => {
        const entry = this.open.get(fd);
        if (entry?.file === undefined) return entry === undefined ? EBADF : EISDIR;
        this.setSize(sizeAt, this.readAt(entry.file, Number(at), vectorsAt, count));
      },
      fd_write: (fd, vectorsAt, count, sizeAt) => {
        const entry = this.open.get(fd);
        if (entry?.file === undefined) return EBADF;
        const view = this.view();
        // Both standard streams append to the same text.
        const start = fd < 3 ? entry.file.length : entry.at;
        let at = start;
        // By far the most frequent call, so it avoids the detour through `vectors`.
        for (let i = 0; i < count; i++) {
          const length = view.getUint32(vectorsAt + 8 * i + 4, true);
          if (length === 0) continue;
          entry.file.write(this.bytes(view.getUint32(vectorsAt + 8 * i, true), length), at);
          at += length;
        }
        entry.at = at;
        view.setUint32(sizeAt, at - start, true);
      },
      fd_seek: (fd, offset, whence, at) => {
        const entry = this.open.get(fd);
        if (entry?.file === undefined) return EBADF;
        const base = [0, entry.at, entry.file.length][whence];
        if (base === undefined || base + Number(offset) < 0) return EINVAL;
        entry.at = base + Number(offset);
        this.view().setBigUint64(at, BigInt(entry.at), true);
      },
      fd_filestat_set_size: (fd, size) => {
        const entry = this.open.get(fd);
        if (entry?.file === undefined) return EBADF;
        if (Number(size) > entry.file.length) entry.file.write(new Uint8Array(1), Number(size) - 1);
        entry.file.length = Number(size);
      },
      fd_filestat_set_times: () => SUCCESS,
      // Folders look empty: clang lists them only to find a gcc, which it must not use here.
      fd_readdir: (_fd, _at, _length, _cookie, sizeAt) => {
        this.setSize(sizeAt, 0);
      },
      fd_close: (fd) => {
        if (!this.open.delete(fd)) return EBADF;
      },

      path_open: guard((fd, _lookup, at, length, flags, _rights, _inherited, _fdFlags, resultAt) => {
        const path = this.path(fd, at, length);
        const inMemory = this.memoryFile(path);
        let entry;
        if (flags & O_CREAT) entry = this.create(path, flags);
        else if (inMemory !== undefined) entry = flags & O_DIRECTORY ? ENOTDIR : { file: inMemory, at: 0 };
        else entry = this.openReal(path, flags);
        if (typeof entry === 'number') return entry;
        this.setSize(resultAt, this.addOpen(entry));
      }),
      path_filestat_get: guard((fd, _lookup, at, length, resultAt) => {
        const path = this.path(fd, at, length);
        const inMemory = this.memoryFile(path);
        if (inMemory !== undefined) this.putMemoryStatus(resultAt, inMemory);
        else if (this.headerFolders.has(posix.normalize(path))) this.putStatus(resultAt, DIRECTORY, OUR_DEVICE, 0n, 0);
        else this.putRealStatus(resultAt, statSync(this.toReal(path), { bigint: true }));
      }),
      path_readlink: guard((fd, at, length, bufferAt, bufferLength, sizeAt) => {
        const path = this.path(fd, at, length);
        if (this.memoryFile(path) !== undefined) return EINVAL;
        const target = new TextEncoder().encode(readlinkSync(this.toReal(path))).subarray(0, bufferLength);
        this.bytes(bufferAt, target.length).set(target);
        this.setSize(sizeAt, target.length);
      }),
      path_rename: (fromFd, fromAt, fromLength, toFd, toAt, toLength) => {
        const from = posix.normalize(this.path(fromFd, fromAt, fromLength));
        const file = this.written.get(from);
        if (file === undefined) return ENOENT;
        this.written.delete(from);
        this.written.set(posix.normalize(this.path(toFd, toAt, toLength)), file);
      },
      path_unlink_file: (fd, at, length) => {
        // Files on disk are kept: this can only be an output of an earlier run.
        this.written.delete(posix.normalize(this.path(fd, at, length)));
      },
    };
  }

  readAt(file, start, vectorsAt, count) {
    let at = start;
    for (const buffer of this.vectors(vectorsAt, count)) {
      const bytes = file.bytes.subarray(at, at + buffer.length);
      buffer.set(bytes);
      at += bytes.length;
    }
    return at - start;
  }
}

/** File system errors become numbers; other errors are our bugs and are rethrown. */
function guard(f) {
  return (...args) => {
    try {
      return f(...args);
    } catch (error) {
      if (typeof error.code !== 'string') throw error;
      return ERRNO[error.code] ?? EIO;
    }
  };
}
