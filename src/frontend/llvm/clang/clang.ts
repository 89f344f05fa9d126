/**
 * From the user's files to textual LLVM IR.
 *
 * `source-kinds.ts` reads a file and determines its kind; `clang-flags.ts` says how clang is called for it. The clang
 * is a native one (`clang-native.ts`) or the one from npm (`clang-npm.ts`); both run jobs (`clang-job.ts`), which
 * `clang-units.ts` makes. `cache.ts` keeps the IR with its inputs (`inputs.ts`). `reader.ts` continues from the text.
 */
import { resolve } from 'node:path';
import { hash } from '../../../platform/hash.ts';
import { readSourceFile, STANDARD_INPUT } from '../../../platform/standard-input.ts';
import { VERSION } from '../../../platform/version.ts';
import { ClangCache } from './cache.ts';
import { type CompileOptions, standardOfEach } from './clang-flags.ts';
import type { Clang, Host } from './clang-job.ts';
import { findNativeClang, OLDEST, OLDEST_FOR_CXX, openNativeClang } from './clang-native.ts';
import { findNpmClang, NPM_CLANG } from './clang-npm.ts';
import { keyOf, type Made, readUnits, runUnits, type Unit } from './clang-units.ts';
import { CompileError } from './compile-error.ts';
import { definitions } from './definitions.ts';
import { joinInputs } from './inputs.ts';
import { libcxxFolder } from './libcxx.ts';
import { HEADERS, LIBRARY_FLAGS, libraryFiles } from './library.ts';
import { keepLibrary, type LibraryModule, readLibrary } from './library-cache.ts';
import { libraryOptions, readShipped } from './shipped-library.ts';
import { isCxxFile, isIrFile, machineOf, readSource } from './source-kinds.ts';
import { DEFAULT_TARGET, type Target } from './targets.ts';

/** `diagnostics` is clang's standard error, unchanged: warnings. */
export interface CompiledFile extends Made {
  /** As the user typed it. */
  readonly file: string;
  /** The clang that made the IR, in words; empty if none was needed. */
  readonly clang: string;
}

export interface CompiledProgram {
  readonly files: readonly CompiledFile[];
  /** All of our own library: as shipped, or compiled by the same clang. */
  readonly library: readonly LibraryModule[];
}

function here({ signal }: Pick<CompileOptions, 'signal'>): Host {
  return { env: process.env, cwd: process.cwd(), ...(signal === undefined ? {} : { signal }) };
}

/**
 * In the order of `files`. Throws a `CompileError`, with all of clang's messages, if any of them cannot be read or
 * compiled.
 */
export async function compileToIr(
  files: readonly string[],
  asked: CompileOptions,
  host: Host = here(asked),
): Promise<CompiledFile[]> {
  const options = standardOfEach(files, asked);
  const units = readUnits(files, withLibcxx(files, options, host), [], host);
  // Clang is looked for only if it is needed.
  if (units.every(isIr)) return units.map(asIs);
  return compile(units, await findCompiler(files, options, host), host);
}

/** Adds libc++'s headers if a file is C++. */
function withLibcxx(files: readonly string[], options: CompileOptions, host: Host): CompileOptions {
  if (!files.some(isCxxFile)) return options;
  return { ...options, libcxx: libcxxFolder(host, options.cache ? ClangCache.open(host) : undefined) };
}

/**
 * Keyed by what the library depends on. It does not change while we run, and reading it again would take as long as
 * compiling a small program.
 */
const libraries = new Map<string, readonly LibraryModule[]>();

/**
 * The same, with our library: the shipped one, unless it is out of date or the environment says
 * `FENCEPOST_LIBRARY=compile`. One process of the npm clang compiles both; files of LLVM IR and the shipped library need
 * none.
 */
export async function compileProgram(
  files: readonly string[],
  asked: CompileOptions,
  host: Host = here(asked),
): Promise<CompiledProgram> {
  const options = standardOfEach(files, asked);
  // Only these options: callers pass those of a whole command, but the library must not depend on the others.
  const { cache: isCached, headers } = options;
  const target = targetOf(files, options, host);
  const user = readUnits(files, { ...withLibcxx(files, options, host), target }, [], host);
  const isShipped = headers === HEADERS && host.env['FENCEPOST_LIBRARY'] !== 'compile';
  if (isShipped && user.every(isIr)) {
    const library = libraries.get(target) ?? readShipped(target);
    if (library !== undefined) {
      libraries.set(target, library);
      return { files: user.map(asIs), library };
    }
  }
  const compiler = await findCompiler(files, options, host);
  const { clang, cache } = compiler;
  const names = libraryFiles();
  const parts = [VERSION, clang.id, target, LIBRARY_FLAGS, headers, names];
  const inProcess = JSON.stringify([isShipped, ...parts]);
  const inCache = cache?.key(['library', ...parts]) ?? '';
  const known =
    libraries.get(inProcess) ?? (isShipped ? readShipped(target) : undefined) ?? (cache && readLibrary(cache, inCache));
  if (known !== undefined) {
    libraries.set(inProcess, known);
    const first = await compile(user, compiler, host);
    return { files: await addInline(user, first, known, compiler, host, options), library: known };
  }
  const units = readUnits(names, libraryOptions(target, headers, isCached), LIBRARY_FLAGS, host);
  const compiled = await compile([...user, ...units], compiler, host);
  const library = compiled.slice(user.length);
  libraries.set(inProcess, library);
  const inputs = library.flatMap((module) => module.inputs ?? []);
  if (cache !== undefined && inputs.length === library.length) keepLibrary(cache, inCache, library, joinInputs(inputs));
  const first = compiled.slice(0, user.length);
  return { files: await addInline(user, first, library, compiler, host, options), library };
}

/** Recompiles files that use undefined functions, this time with their inline definitions. */
async function addInline(
  units: readonly Unit[],
  files: readonly CompiledFile[],
  library: readonly LibraryModule[],
  compiler: Compiler,
  host: Host,
  options: CompileOptions,
): Promise<readonly CompiledFile[]> {
  if (options.optimise !== undefined) return files;
  const defined = new Set([...files, ...library].flatMap(({ defines }) => defines));
  const isOpen = ({ ir }: CompiledFile): boolean =>
    Array.from(ir.matchAll(/^declare [^@\n]*@([\w$.]+)\(/gm)).some(
      ([, name]) => !defined.has(name!) && !/^(?:llvm\.|__fencepost_)/.test(name!),
    );
  const again = files.flatMap((file, i) => (isC(units[i]!) && isOpen(file) && hasInline(file, host) ? [i] : []));
  if (again.length === 0) return files;
  const names = again.map((i) => units[i]!.source.file);
  const second = await compile(readUnits(names, { ...options, inlineDefinitions: true }, [], host), compiler, host);
  return files.map((file, i) => {
    const made = again.includes(i) ? second[again.indexOf(i)]! : file;
    return made.ir.includes(' available_externally ') ? made : file;
  });
}

function isC({ source }: Unit): boolean {
  return source.kind === 'c' || source.kind === 'preprocessed';
}

function hasInline({ sources }: CompiledFile, { cwd }: Host): boolean {
  return sources.some((file) => {
    try {
      return /\binline\b|\b__inline/.test(
        readSourceFile(file === STANDARD_INPUT ? file : resolve(cwd, file)).toString('latin1'),
      );
    } catch {
      return false;
    }
  });
}

/** The machine that all files are for: the requested one, or else that of a file of LLVM IR. */
function targetOf(files: readonly string[], options: CompileOptions, host: Host): Target {
  let target = options.target;
  for (const file of files) {
    const own = isIrFile(file) ? machineOf(readSource(file, host.cwd)) : undefined;
    if (own === undefined) continue;
    target ??= own;
    if (own !== target) throw new CompileError('file', `${file}: made for ${own}, but the program is for ${target}`);
  }
  return target ?? DEFAULT_TARGET;
}

/** A clang, and the cache of its results. */
interface Compiler {
  readonly clang: Clang;
  readonly cache: ClangCache | undefined;
  /** Whether the caller needs to know later if the result is still valid. */
  readonly tracked: boolean;
  readonly onCompile: CompileOptions['onCompile'];
}

async function findCompiler(files: readonly string[], options: CompileOptions, host: Host): Promise<Compiler> {
  const cache = options.cache ? ClangCache.open(host) : undefined;
  const clang = await findClang(options, host, cache, files.some(isCxxFile)).catch((error: unknown) => {
    const isMissing = error instanceof CompileError && error.problem === 'clang';
    if (!isMissing || !files.every(isIrFile)) throw error;
    const binary = files.filter((file) => /\.bc$/i.test(file));
    const hint = binary.map((file) => `"llvm-dis ${file}" makes a .ll file, which needs none.`);
    throw new CompileError('clang', [error.message, ...hint].join(' '));
  });
  return { clang, cache, tracked: options.cache, onCompile: options.onCompile };
}

function isIr({ source }: Unit): boolean {
  return source.kind === 'ir';
}

function asIs({ source: { file, bytes } }: Unit): CompiledFile {
  const ir = bytes.toString('utf8');
  return { file, ir, hash: hash(bytes), defines: definitions(ir), diagnostics: '', clang: '', sources: [] };
}

async function compile(units: readonly Unit[], compiler: Compiler, host: Host): Promise<CompiledFile[]> {
  const { clang, cache, tracked } = compiler;
  const results: CompiledFile[] = [];
  const misses: number[] = [];
  const keys = units.map((unit) => cache?.key(keyOf(unit, clang, host)) ?? '');
  units.forEach((unit, i) => {
    const entry = isIr(unit) ? undefined : cache?.get(keys[i]!);
    if (isIr(unit)) results[i] = asIs(unit);
    else if (entry === undefined) misses.push(i);
    else results[i] = result(unit, clang, entry);
  });
  if (misses.length === 0) return results;

  const ended = compiler.onCompile?.(clang.name);
  const missed = misses.map((i) => units[i]!);
  const made = await runUnits(missed, clang, host, tracked).finally(ended);
  const isSameClang = clang.isUnchanged();
  misses.forEach((i, n) => {
    const { inputs, ...rest } = made[n]!;
    results[i] = result(units[i]!, clang, made[n]!);
    if (inputs !== undefined && isSameClang) cache?.put(keys[i]!, { ...rest, inputs });
  });
  cache?.prune();
  return results;
}

function result({ source }: Unit, clang: Clang, made: Made): CompiledFile {
  return { file: source.file, clang: clang.name, ...made };
}

/**
 * Which clangs would compile C and C++ here, in words; `undefined` if none would. Runs only native ones, to ask for
 * their version.
 */
export async function compilersFound(host: Host = here({})): Promise<Record<'c' | 'cxx', string | undefined>> {
  const nameFor = async (forCxx: boolean): Promise<string | undefined> => {
    try {
      // Without a cache, no clang's code is hashed, which may be a hundred megabytes.
      return (await findClang({}, host, undefined, forCxx)).name;
    } catch (error) {
      if (error instanceof CompileError) return undefined;
      throw error;
    }
  };
  return { c: await nameFor(false), cxx: await nameFor(true) };
}

async function findClang(
  options: Pick<CompileOptions, 'clang'>,
  host: Host,
  cache: ClangCache | undefined,
  forCxx: boolean,
): Promise<Clang> {
  const wanted = options.clang ?? (host.env['FENCEPOST_CLANG'] || undefined);
  if (wanted !== undefined && wanted !== 'native' && wanted !== 'npm') {
    const named = await openNativeClang(wanted, host, cache);
    if (named.isForCxx || !forCxx) return named;
    throw new CompileError('clang', `C++ needs clang ${OLDEST_FOR_CXX} or newer, and this is ${named.name}`);
  }
  const native = wanted === 'npm' ? undefined : await findNativeClang(host, cache, forCxx);
  const clang = native ?? (wanted === 'native' ? undefined : await findNpmClang(host, cache));
  if (clang !== undefined) return clang;
  const oldest = forCxx ? OLDEST_FOR_CXX : OLDEST;
  const missing = {
    native: `there is no clang ${oldest} or newer on the PATH`,
    npm: `the npm package ${NPM_CLANG} is not installed`,
  };
  const why = wanted === undefined ? `${missing.native}, and ${missing.npm}` : missing[wanted];
  throw new CompileError(
    'clang',
    `no clang${forCxx ? ' for C++' : ''}: ${why}. Install clang with your system's packages, or run "npm install ${NPM_CLANG}", ` +
      'or let FENCEPOST_CLANG name one.',
  );
}
