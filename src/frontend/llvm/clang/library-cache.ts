/**
 * The IR of our whole library in one file of the cache: a program needs a few of its modules, and to read each from an entry
 * of its own takes longer than to check a small program. Counts only if all that it was made from is still the same.
 */
import type { ClangCache } from './cache.ts';
import { type Inputs, isUnchanged } from './inputs.ts';

/** As a module of the library is handed on. */
export interface LibraryModule {
  readonly file: string;
  /** The names that it defines. */
  readonly defines: readonly string[];
  readonly ir: string;
}

interface Header {
  /** They follow in this order. */
  readonly modules: readonly { readonly file: string; readonly defines: readonly string[]; readonly bytes: number }[];
  readonly inputs: Inputs;
}

export function readLibrary(cache: ClangCache, key: string): readonly LibraryModule[] | undefined {
  const kept = cache.read(key);
  if (kept === undefined) return undefined;
  const { modules, inputs } = kept.header as Header;
  if (!isUnchanged(inputs, cache.hashes)) return undefined;
  let start = 0;
  return modules.map(({ file, defines, bytes: length }) => {
    const part = kept.text.subarray(start, start + length);
    start += length;
    // Few of them are asked for.
    return {
      file,
      defines,
      get ir() {
        return part.toString('utf8');
      },
    };
  });
}

/** `inputs`: what all of the modules depended on. */
export function keepLibrary(cache: ClangCache, key: string, modules: readonly LibraryModule[], inputs: Inputs): void {
  const parts = modules.map(({ ir }) => Buffer.from(ir));
  const header: Header = {
    modules: modules.map(({ file, defines }, i) => ({ file, defines, bytes: parts[i]!.length })),
    inputs,
  };
  cache.keep(key, header, Buffer.concat(parts));
}
