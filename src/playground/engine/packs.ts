/**
 * What the engine loads, when it needs it: `manifest.json` names the files, whose names have the hashes of their contents. A
 * pack is a line of JSON with the paths and sizes of its files, then their contents.
 */
import { find, makeFolder, write } from '../node/files.ts';
import { dirname } from '../node/path.ts';

/** The viewer; our headers, our library and the IR of both and of the examples; the headers of clang and of libc++. */
export const PACKS = ['viewer', 'c', 'headers'] as const;
export type PackName = (typeof PACKS)[number];

export interface Part {
  /** Beside the manifest; compressed. */
  readonly file: string;
  readonly bytes: number;
}

export interface Manifest {
  readonly packs: Readonly<Record<PackName, Part>>;
  readonly clang: Part & {
    /** As the reports have it. */
    readonly name: string;
    /** A hash of its code and its headers. */
    readonly id: string;
  };
}

/** Where the parts come from. */
export interface Store {
  manifest(): Promise<Manifest>;
  /** Not compressed any more. */
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

/** Puts the files of a pack where they belong. */
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
