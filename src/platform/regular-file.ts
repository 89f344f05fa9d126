/**
 * Reads files that somebody else has named: a report, a database, a program. A device may have no end, and a pipe may
 * never be written.
 */
import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from 'node:fs';

/** Why a file is not read, in words that follow its name. */
export class Unreadable extends Error {}

/** The contents of a regular file of at most `most` bytes. Throws an `Unreadable`. */
export function readRegularFile(path: string, most: number): Buffer {
  let handle: number | undefined;
  try {
    // Opening a pipe that nobody writes would wait.
    handle = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const status = fstatSync(handle);
    if (status.isDirectory()) throw new Unreadable('is a folder');
    if (!status.isFile()) throw new Unreadable('is not a regular file');
    if (status.size > most) throw new Unreadable(`is too large: ${status.size} bytes, at most ${most}`);
    return readFileSync(handle);
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new Unreadable(code === 'ENOENT' ? 'does not exist' : `cannot be read: ${code ?? error}`);
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

/** The first bytes of a file of any kind, at most this many. */
export function readStart(path: string, most: number): Uint8Array {
  const handle = openSync(path, constants.O_RDONLY);
  try {
    const bytes = new Uint8Array(most);
    let size = 0;
    for (let read = -1; read !== 0 && size < most; size += read)
      read = readSync(handle, bytes, size, most - size, null);
    return bytes.subarray(0, size);
  } finally {
    closeSync(handle);
  }
}
