/**
 * The IR of our library that comes with the package, so that a first check only compiles the user's source. `npm run
 * build` makes it with npm's clang (`ship-library.ts`); any clang would do, and decision 44 says why.
 *
 * Verdicts rest on it, so it is used only if compiling would give the same now: it was made with the same flags, from
 * files with the same names and contents, and no file exists where clang would have looked first. Otherwise, the
 * library is compiled.
 *
 * One line with a hash of the rest, one line of JSON (`Header`), then the IR of each module, compressed.
 */
import { readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { deflateSync, inflateSync } from 'node:zlib';
import { hash } from '../../../platform/hash.ts';
import { packaged } from '../../../platform/package-folder.ts';
import { VERSION } from '../../../platform/version.ts';
import { RESOURCES } from './clang-calls.ts';
import { type CompileOptions, clangFlags, HEADERS_NAME } from './clang-flags.ts';
import { withName } from './clang-units.ts';
import { isInside } from './dependencies.ts';
import { type Inputs, isFile } from './inputs.ts';
import { LIBRARY_NAME, libraryFiles } from './library.ts';
import type { LibraryModule } from './library-cache.ts';
import type { Target } from './targets.ts';

/** Bump this when the format changes, or what `definitions` finds. */
const FORMAT = 'fencepost-library-2';

/** Number of hexadecimal digits. */
const HASH_LENGTH = 64;

/** All paths are relative to the package, with slashes. */
interface Header {
  readonly key: string;
  /** The clang that made it, in words. */
  readonly clang: string;
  /** The texts follow in this order. */
  readonly modules: readonly (Omit<LibraryModule, 'ir'> & { readonly bytes: number })[];
  /** Every file that clang read, except its own headers, with a hash of the contents. */
  readonly files: readonly (readonly [path: string, hash: string])[];
  /** Paths without a file; clang would read a file there instead of another one. */
  readonly absent: readonly string[];
}

/** Here and below, `root` is the folder of the package. */
export function shippedFile(target: Target, root: string = packaged('')): string {
  return join(root, 'dist', 'library', `${target}.ir`);
}

/** How the library is compiled, whatever the user's options are. */
export function libraryOptions(target: Target, headers: string, cache: boolean): CompileOptions {
  return { defines: [], undefines: [], includePaths: [], includes: [], cache, headers, target, isLibrary: true };
}

/** What the library must have been made for: everything known beforehand, except where the package is. */
function keyOf(target: Target, root: string): string {
  const source = { file: '', bytes: Buffer.of(), kind: 'c' } as const;
  const flags = clangFlags(source, libraryOptions(target, HEADERS_NAME, false));
  const files = libraryFiles(join(root, 'lib')).map((file) => inPackage(file, root));
  return hash(JSON.stringify([FORMAT, VERSION, LIBRARY_NAME, flags, files]));
}

function inPackage(path: string, root: string): string {
  if (!isInside(path, root)) throw new Error(`the library depends on ${path}, which is not in the package`);
  return relative(root, path).replaceAll(sep, '/');
}

/** The library, if it is shipped for this machine and up to date. */
export function readShipped(target: Target, root: string = packaged('')): readonly LibraryModule[] | undefined {
  const opened = open(shippedFile(target, root));
  if (opened === undefined || !isCurrent(opened.header, target, root)) return undefined;
  let start = 0;
  return opened.header.modules.map(({ bytes: length, file, ...module }) => {
    const part = opened.body.subarray(start, start + length);
    start += length;
    // Only a few of them are requested.
    return {
      ...module,
      file: join(root, file),
      get ir() {
        return inflateSync(part).toString('utf8');
      },
    };
  });
}

/** The clang that made the shipped library, if the library is up to date. */
export function shippedBy(target: Target): string | undefined {
  const header = open(shippedFile(target))?.header;
  return header !== undefined && isCurrent(header, target, packaged('')) ? header.clang : undefined;
}

/** A missing or damaged file is treated as absent. */
function open(path: string): { readonly header: Header; readonly body: Buffer } | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch {
    return undefined;
  }
  const first = bytes.indexOf('\n');
  const second = bytes.indexOf('\n', first + 1);
  if (first < 0 || second < 0) return undefined;
  if (bytes.toString('latin1', 0, first) !== hash(bytes.subarray(first + 1))) return undefined;
  return {
    header: JSON.parse(bytes.toString('utf8', first + 1, second)) as Header,
    body: bytes.subarray(second + 1),
  };
}

/** Other names of a file, such as the links of a package manager, do not matter here: clang read regular files. */
function isCurrent({ key, files, absent }: Header, target: Target, root: string): boolean {
  return (
    key === keyOf(target, root) &&
    files.every(([path, expected]) => hashOf(join(root, path)) === expected) &&
    !absent.some((path) => isFile(join(root, path)))
  );
}

function hashOf(path: string): string | undefined {
  try {
    return hash(readFileSync(path));
  } catch {
    return undefined;
  }
}

/** The result of compiling the library. */
interface MadeLibrary {
  readonly target: Target;
  readonly modules: readonly LibraryModule[];
  /** Everything that the modules depended on. */
  readonly inputs: Inputs;
  /** The clang, in words. */
  readonly clang: string;
}

/**
 * The IR of this file, in which the file's name, as passed to clang, is replaced by that in the package. The name
 * distinguishes symbols that several files define.
 */
export function withoutFolder(ir: string, file: string, root: string = packaged('')): string {
  return withName(ir, inPackage(file, root));
}

/**
 * The contents of the file. Throws if the library depends on something outside of the package, or on where the package
 * is.
 */
export function packLibrary(made: MadeLibrary, root: string = packaged('')): Uint8Array {
  const { target, modules, inputs, clang } = made;
  const texts = modules.map(({ file, ir }) => {
    const text = withoutFolder(ir, file, root);
    if (text.includes(`${root}${sep}`)) throw new Error(`the IR of ${file} names the folder of the package`);
    return text;
  });
  const parts = texts.map((text) => deflateSync(Buffer.from(text), { level: 9 }));
  const header: Header = {
    key: keyOf(target, root),
    clang,
    modules: modules.map(({ file, defines }, i) => ({
      ...{ file: inPackage(file, root), defines, hash: hash(texts[i]!) },
      bytes: parts[i]!.length,
    })),
    files: inputs.files.map(([path, of]) => {
      // The hash is followed by the identity of a file with several names.
      if (hashOf(path) !== of.slice(0, HASH_LENGTH)) throw new Error(`${path} has changed since it was compiled`);
      return [inPackage(path, root), of.slice(0, HASH_LENGTH)];
    }),
    // Beside its own headers, clang sees nothing else.
    absent: inputs.absent.filter((path) => !isInside(path, RESOURCES)).map((path) => inPackage(path, root)),
  };
  const rest = Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), ...parts]);
  return Buffer.concat([Buffer.from(`${hash(rest)}\n`), rest]);
}
