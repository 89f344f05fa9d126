/**
 * The IR of our whole library in one file of the cache: a program needs only a few of its modules, and reading each
 * from an entry of its own would take longer than checking a small program. Valid only if all its inputs are unchanged.
 */
import type { ClangCache } from './cache.ts';
import { type Inputs, isUnchanged } from './inputs.ts';

/** A library module as callers get it. */
export interface LibraryModule {
  readonly file: string;
  /** The names that it defines. */
  readonly defines: readonly string[];
  readonly ir: string;
  /** Hash of the IR. */
  readonly hash: string;
}

interface Header {
  /** The texts follow in this order. */
  readonly modules: readonly (Omit<LibraryModule, 'ir'> & { readonly bytes: number })[];
  readonly inputs: Inputs;
}

export function readLibrary(cache: ClangCache, key: string): readonly LibraryModule[] | undefined {
  const kept = cache.read(key);
  if (kept === undefined) return undefined;
  const { modules, inputs } = kept.header as Header;
  if (!isUnchanged(inputs, cache.hashes)) return undefined;
  let start = 0;
  return modules.map(({ bytes: length, ...module }) => {
    const part = kept.text.subarray(start, start + length);
    start += length;
    // Only a few of them are requested.
    return {
      ...module,
      get ir() {
        return part.toString('utf8');
      },
    };
  });
}

/** `inputs`: everything that the modules depended on. */
export function keepLibrary(cache: ClangCache, key: string, modules: readonly LibraryModule[], inputs: Inputs): void {
  const parts = modules.map(({ ir }) => Buffer.from(ir));
  const header: Header = {
    modules: modules.map(({ file, defines, hash }, i) => ({ file, defines, hash, bytes: parts[i]!.length })),
    inputs,
  };
  cache.keep(key, header, Buffer.concat(parts));
}
