/**
 * The IR of our whole library in one file of the cache: a program needs a few of its modules, and to read each from an entry
 * of its own takes longer than to check a small program. Counts only if every file of C that the library was made from is
 * still the same.
 *
 * One line of JSON (`Header`), then the modules, one after the other.
 */
import { type ClangCache, hash } from './cache.ts';

/** As a module of the library is handed on. */
export interface LibraryModule {
  readonly file: string;
  /** The names that it defines. */
  readonly defines: readonly string[];
  readonly ir: string;
}

interface Header {
  /** Of all that follows the line. */
  readonly hash: string;
  readonly modules: readonly { readonly file: string; readonly defines: readonly string[]; readonly bytes: number }[];
  readonly dependencies: readonly (readonly [path: string, hash: string])[];
}

export function readLibrary(cache: ClangCache, key: string): readonly LibraryModule[] | undefined {
  const bytes = cache.read(key);
  const end = bytes?.indexOf('\n') ?? -1;
  if (bytes === undefined || end < 0) return undefined;
  const header = parse(bytes.toString('utf8', 0, end));
  const text = bytes.subarray(end + 1);
  if (header === undefined || header.hash !== hash(text)) return undefined;
  if (header.dependencies.some(([path, expected]) => cache.hashOf(path) !== expected)) return undefined;
  let start = 0;
  return header.modules.map(({ file, defines, bytes: length }) => {
    const part = text.subarray(start, start + length);
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

/** `sources`: every file of C that the modules were made from. */
export async function keepLibrary(
  cache: ClangCache,
  key: string,
  modules: readonly LibraryModule[],
  sources: Iterable<string>,
): Promise<void> {
  const dependencies: [string, string][] = [];
  for (const path of sources) {
    const contents = cache.hashOf(path);
    if (contents === undefined) return;
    dependencies.push([path, contents]);
  }
  const parts = modules.map(({ ir }) => Buffer.from(ir));
  const text = Buffer.concat(parts);
  const header: Header = {
    hash: hash(text),
    modules: modules.map(({ file, defines }, i) => ({ file, defines, bytes: parts[i]!.length })),
    dependencies,
  };
  await cache.keep(key, Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), text]));
}

/** What we wrote ourselves, if it is of this form at all; its hash says whether it is whole. */
function parse(line: string): Header | undefined {
  try {
    const value = JSON.parse(line) as Partial<Header> | null;
    const isHeader = Array.isArray(value?.modules) && Array.isArray(value.dependencies);
    return isHeader ? (value as Header) : undefined;
  } catch {
    return undefined;
  }
}
