/** What a compilation depended on, and whether any of it has changed. */
import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { hash } from '../../../platform/hash.ts';

/** All paths are absolute. */
export interface Inputs {
  /** Every file that clang read, with the hash of its contents, and its real path if the path is a link. */
  readonly files: readonly (readonly [path: string, hash: string])[];
  /** Paths without a file; had there been one, clang would have read it instead of another file. */
  readonly absent: readonly string[];
  /** The folders that clang searched for headers, with the real path of each; empty if there is no such folder. */
  readonly folders: readonly (readonly [path: string, real: string])[];
}

/** The state of a file at some moment. */
export interface Look {
  /** Hash of the contents; for a file with several names also its identity, as `#pragma once` compares files by it. */
  readonly hash: string;
  /** Changes whenever the file is changed, even if the old contents are restored. */
  readonly stamp: string;
}

/** Hashes of files as they were when first requested: many compilations depend on the same headers. */
export class FileHashes {
  private readonly known = new Map<string, Look | undefined>();

  /** `undefined` if there is no such file, or it cannot be read. */
  of(path: string): string | undefined {
    return this.look(path)?.hash;
  }

  look(path: string): Look | undefined {
    if (!this.known.has(path)) {
      const file = readRegular(path);
      this.known.set(path, file && { hash: hash(file.bytes) + otherNames(path, file.links), stamp: file.stamp });
    }
    return this.known.get(path);
  }
}

export function isUnchanged({ files, absent, folders }: Inputs, hashes: FileHashes): boolean {
  return (
    files.every(([path, expected]) => hashes.of(path) === expected) &&
    folders.every(([path, real]) => realFolder(path) === real) &&
    !absent.some(isFile)
  );
}

export function joinInputs(all: readonly Inputs[]): Inputs {
  return {
    files: [...new Map(all.flatMap(({ files }) => files))],
    absent: [...new Set(all.flatMap(({ absent }) => absent))],
    folders: [...new Map(all.flatMap(({ folders }) => folders))],
  };
}

/** Empty for a file with only one name. */
function otherNames(path: string, links: string): string {
  const real = realpathSync.native(path);
  return real === path && links === '' ? '' : ` ${real} ${links}`;
}

interface RegularFile {
  readonly bytes: Buffer;
  readonly stamp: string;
  /** The identity of a file with several hard links; otherwise empty. */
  readonly links: string;
}

/** The contents of a regular file. A pipe would block, and its contents differ each time. */
export function readRegular(path: string): RegularFile | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const status = fstatSync(file);
    const stamp = [status.dev, status.ino, status.mtimeMs, status.ctimeMs].join(' ');
    const links = status.nlink > 1 ? `${status.dev} ${status.ino}` : '';
    return status.isFile() ? { bytes: readFileSync(file), stamp, links } : undefined;
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Whether clang would read this path as a header: anything but a folder. */
export function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === false;
  } catch {
    return false;
  }
}

/** The real path of a folder; empty if it does not exist; `undefined` for a file, which clang reads as a header map. */
export function realFolder(path: string): string | undefined {
  if (isFile(path)) return undefined;
  try {
    return realpathSync.native(path);
  } catch {
    return '';
  }
}
