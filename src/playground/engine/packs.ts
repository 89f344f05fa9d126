/**
 * What the engine loads when it is needed: `manifest.json` names the files, whose names contain hashes of their
 * contents. A pack is a line of JSON with the paths and sizes of its files, followed by their contents.
 */
import { find, makeFolder, write } from '../node/files.ts';
import { dirname } from '../node/path.ts';

/**
 * The viewer; our headers and our library, with the IR of the library and the examples; the headers of clang and
 * libc++.
 */
export const PACKS = ['viewer', 'c', 'headers'] as const;
export type PackName = (typeof PACKS)[number];

export interface Part {
  /** In the manifest's folder; compressed. */
  readonly file: string;
  readonly bytes: number;
}

export interface Manifest {
  readonly packs: Readonly<Record<PackName, Part>>;
  readonly clang: Part & {
    /** As reports name it. */
    readonly name: string;
    /** A hash of its code and its headers. */
    readonly id: string;
  };
}

/** Where manifest and parts are loaded from. */
export interface Store {
  manifest(): Promise<Manifest>;
  /** The contents, decompressed. */
  read(part: Part, onProgress?: (loaded: number) => void): Promise<ReadableStream<Uint8Array> | Uint8Array>;
}

export type Packed = readonly (readonly [path: string, bytes: number])[];

export function pack(files: Iterable<readonly [path: string, bytes: Uint8Array]>): Uint8Array {
  const all = [...files];
  const index: Packed = all.map(([path, bytes]) => [path, bytes.length]);
  const line = new TextEncoder().encode(`${JSON.stringify(index)}\n`);
  const whole = new Uint8Array(all.reduce((sum, [, bytes]) => sum + bytes.length, line.length));
  whole.set(line);
  let at = line.length;
  for (const [, bytes] of all) {
    whole.set(bytes, at);
    at += bytes.length;
  }
  return whole;
}

/** Writes the files of a pack to their paths. */
export function unpack(whole: Uint8Array): void {
  const end = whole.indexOf(10);
  const index = JSON.parse(new TextDecoder().decode(whole.subarray(0, end))) as Packed;
  let at = end + 1;
  for (const [path, size] of index) {
    if (find(dirname(path)) === undefined) makeFolder(dirname(path), true);
    write(path, whole.subarray(at, at + size));
    at += size;
  }
}
