/**
 * From the user's files to textual LLVM IR.
 *
 * `source-kinds.ts` reads a file and says what it is, `clang-flags.ts` says how clang is called for it. The clang is a
 * native one (`clang-native.ts`) or the one from npm (`clang-npm.ts`); both take jobs (`clang-job.ts`). `cache.ts` keeps
 * the IR, with the files it was made from (`dependencies.ts`). `reader.ts` goes on from the text.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { VERSION } from '../../version.ts';
import { type CacheEntry, ClangCache, hash } from './cache.ts';
import { type CompileOptions, clangFlags } from './clang-flags.ts';
import type { Clang, Host, Job, Outcome } from './clang-job.ts';
import { findNativeClang, OLDEST, openNativeClang } from './clang-native.ts';
import { findNpmClang, NPM_CLANG } from './clang-npm.ts';
import { CompileError } from './compile-error.ts';
import { definitions } from './definitions.ts';
import { isInside, parseDependencies, shadowing } from './dependencies.ts';
import { LIBRARY_FLAGS, libraryFiles } from './library.ts';
import { keepLibrary, type LibraryModule, readLibrary } from './library-cache.ts';
import { mendPreprocessed } from './mend-preprocessed.ts';
import { readSource, type Source } from './source-kinds.ts';

export interface CompiledFile {
  /** As the user typed it. */
  readonly file: string;
  readonly ir: string;
  /** The names that the IR defines. */
  readonly defines: readonly string[];
  /** What clang wrote to standard error, unchanged: warnings. */
  readonly diagnostics: string;
  /** Which clang made the IR, for people; empty if none was needed. */
  readonly clang: string;
  /** The files of C that clang read for it, without its own headers. */
  readonly sources: readonly string[];
}

export interface CompiledProgram {
  readonly files: readonly CompiledFile[];
  /** Our own library, all of it, made by the same clang. */
  readonly library: readonly LibraryModule[];
}

function here(): Host {
  return { env: process.env, cwd: process.cwd() };
}

/** In the order of `files`. Throws a `CompileError` if any of them cannot be had, with all that clang said. */
export async function compileToIr(
  files: readonly string[],
  options: CompileOptions,
  host: Host = here(),
): Promise<CompiledFile[]> {
  const units = readUnits(files, options, [], host);
  // A clang is not looked for if none is needed.
  if (units.every(isIr)) return units.map(asIs);
  return compile(units, await findCompiler(options, host), host);
}

/** By what it depends on: it does not change while we run, and to read it again takes as long as to compile a small program. */
const libraries = new Map<string, readonly LibraryModule[]>();

/** The same, with our library. One process of the npm clang makes both. */
export async function compileProgram(
  files: readonly string[],
  options: CompileOptions,
  host: Host = here(),
): Promise<CompiledProgram> {
  const { standard: _, replacements: __, ...common } = options;
  const plain: CompileOptions = { ...common, defines: [], undefines: [], includePaths: [], includes: [] };
  const user = readUnits(files, options, [], host);
  const compiler = await findCompiler(options, host);
  const { clang, cache } = compiler;
  const names = libraryFiles();
  const parts = [VERSION, clang.id, LIBRARY_FLAGS, plain, names];
  const inProcess = JSON.stringify(parts);
  const inCache = cache?.key(['library', ...parts]) ?? '';
  const known = libraries.get(inProcess) ?? (cache && readLibrary(cache, inCache));
  if (known !== undefined) {
    libraries.set(inProcess, known);
    return { files: await compile(user, compiler, host), library: known };
  }
  const units = readUnits(names, plain, LIBRARY_FLAGS, host);
  const compiled = await compile([...user, ...units], compiler, host);
  const library = compiled.slice(user.length);
  libraries.set(inProcess, library);
  if (cache !== undefined)
    await keepLibrary(cache, inCache, library, new Set(library.flatMap(({ sources }) => sources)));
  return { files: compiled.slice(0, user.length), library };
}

/** A file and how to compile it. */
interface Unit {
  readonly source: Source;
  readonly flags: readonly string[];
  /** Folders in which clang looks for headers, in its order. */
  readonly searched: readonly string[];
}

function readUnits(files: readonly string[], options: CompileOptions, extra: readonly string[], host: Host): Unit[] {
  return files.map((file) => {
    const source = readSource(file, host.cwd);
    const flags = [...extra, ...clangFlags(source, options)];
    return { source, flags, searched: [...options.includePaths, options.headers] };
  });
}

/** A clang, and what it made before. */
interface Compiler {
  readonly clang: Clang;
  readonly cache: ClangCache | undefined;
}

async function findCompiler(options: CompileOptions, host: Host): Promise<Compiler> {
  const cache = options.cache ? ClangCache.open(host) : undefined;
  return { clang: await findClang(options, host, cache), cache };
}

function isIr({ source }: Unit): boolean {
  return source.kind === 'ir';
}

function asIs({ source: { file, bytes } }: Unit): CompiledFile {
  const ir = bytes.toString('utf8');
  return { file, ir, defines: definitions(ir), diagnostics: '', clang: '', sources: [] };
}

async function compile(units: readonly Unit[], { clang, cache }: Compiler, host: Host): Promise<CompiledFile[]> {
  const results: CompiledFile[] = [];
  const misses: number[] = [];
  units.forEach((unit, i) => {
    if (isIr(unit)) {
      results[i] = asIs(unit);
      return;
    }
    const entry = isKept(unit) ? cache?.get(keyOf(unit, clang, cache), host.cwd) : undefined;
    if (entry === undefined) misses.push(i);
    else {
      results[i] = result(
        unit,
        clang,
        entry,
        entry.dependencies.map(([file]) => file),
      );
    }
  });
  if (misses.length === 0) return results;

  const made = await runClang(
    misses.map((i) => units[i]!),
    clang,
    cache,
    host,
  );
  misses.forEach((i, n) => {
    results[i] = made[n]!;
  });
  return results;
}

/** Not if it is made from files in place of others, which the cache knows nothing of. */
function isKept({ flags }: Unit): boolean {
  return !flags.includes('-remap-file');
}

type Made = Pick<CacheEntry, 'ir' | 'defines' | 'diagnostics'>;

function result({ source }: Unit, clang: Clang, made: Made, sources: readonly string[]): CompiledFile {
  const { ir, defines, diagnostics } = made;
  return { file: source.file, ir, defines, diagnostics, clang: clang.name, sources };
}

function keyOf({ source, flags }: Unit, clang: Clang, cache: ClangCache): string {
  return cache.key([VERSION, clang.id, flags, source.file, hash(source.bytes)]);
}

async function findClang(options: CompileOptions, host: Host, cache: ClangCache | undefined): Promise<Clang> {
  const wanted = options.clang ?? (host.env['FENCEPOST_CLANG'] || undefined);
  if (wanted !== undefined && wanted !== 'native' && wanted !== 'npm') return openNativeClang(wanted, host, cache);
  const native = wanted === 'npm' ? undefined : await findNativeClang(host, cache);
  const clang = native ?? (wanted === 'native' ? undefined : await findNpmClang(host));
  if (clang !== undefined) return clang;
  const missing = {
    native: `there is no clang ${OLDEST} or newer on the PATH`,
    npm: `the npm package ${NPM_CLANG} is not installed`,
  };
  const why = wanted === undefined ? `${missing.native}, and ${missing.npm}` : missing[wanted];
  throw new CompileError(
    'clang',
    `no clang: ${why}. Install clang with your system's packages, or run "npm install ${NPM_CLANG}", ` +
      'or let FENCEPOST_CLANG name one.',
  );
}

async function runClang(
  units: readonly Unit[],
  clang: Clang,
  cache: ClangCache | undefined,
  host: Host,
): Promise<CompiledFile[]> {
  const scratch = await mkdtemp(join(tmpdir(), 'fencepost-'));
  try {
    const jobs = await Promise.all(
      units.map(async ({ source, flags }, i): Promise<Job> => {
        const output = join(scratch, `${i}.ll`);
        const isC = source.kind === 'c' || source.kind === 'preprocessed';
        const mended = source.kind === 'preprocessed' ? mendPreprocessed(source.bytes, source.file) : undefined;
        const file = mended === undefined ? source.file : join(scratch, `${i}.i`);
        if (mended !== undefined) await writeFile(file, mended);
        return { flags, file, output, ...(isC ? { dependencies: join(scratch, `${i}.d`) } : {}) };
      }),
    );
    const outcomes = await clang.run(jobs);
    refuseFailures(units, outcomes);
    const results = await Promise.all(
      units.map(async (unit, i) => {
        const ir = await readFile(jobs[i]!.output, 'utf8');
        const made: Made = { ir, defines: definitions(ir), diagnostics: outcomes[i]!.diagnostics };
        const read = await dependenciesOf(jobs[i]!, unit);
        const sources = read?.filter((file) => !isOwnHeader(file, clang)) ?? [];
        if (cache !== undefined && read !== undefined && isKept(unit)) {
          const absent = shadowing(unit.source.file, read, unit.searched, host.cwd);
          await keep(cache, unit, { ...made, absent }, sources, clang, host);
        }
        return result(unit, clang, made, sources);
      }),
    );
    await cache?.prune();
    return results;
  } finally {
    await rm(scratch, { recursive: true, force: true }).catch(() => undefined);
  }
}

function refuseFailures(units: readonly Unit[], outcomes: readonly Outcome[]): void {
  const failed = units.filter((_, i) => !outcomes[i]!.ok).map(({ source }) => source.file);
  if (failed.length === 0) return;
  const diagnostics = outcomes.map((outcome) => outcome.diagnostics).join('');
  const header = /'([\w./-]+)' file not found/.exec(diagnostics)?.[1];
  const hint =
    header === undefined
      ? ''
      : `: there is no ${header}; of system headers there are only ours, which declare what is modelled, and -I adds folders`;
  throw new CompileError('source', `clang does not accept ${failed.join(', ')}${hint}`, diagnostics);
}

/** Every file that clang read; `undefined` if it did not say. */
async function dependenciesOf(job: Job, { source }: Unit): Promise<readonly string[] | undefined> {
  const rule = job.dependencies === undefined ? '' : await readFile(job.dependencies, 'utf8').catch(() => undefined);
  // A mended source has another name.
  return rule === undefined
    ? undefined
    : parseDependencies(rule).map((file) => (file === job.file ? source.file : file));
}

async function keep(
  cache: ClangCache,
  unit: Unit,
  made: Omit<CacheEntry, 'dependencies'>,
  sources: readonly string[],
  clang: Clang,
  host: Host,
): Promise<void> {
  const dependencies: [string, string][] = [];
  // The source is one of them: it may have changed since we read it.
  for (const file of sources) {
    const bytes = await readFile(resolve(host.cwd, file)).catch(() => undefined);
    if (bytes === undefined || asksForFiles(bytes, file, unit, host)) return;
    dependencies.push([file, hash(bytes)]);
  }
  await cache.put(keyOf(unit, clang, cache), { ...made, dependencies });
}

function isOwnHeader(file: string, clang: Clang): boolean {
  return clang.ownHeaders !== undefined && isInside(file, clang.ownHeaders);
}

/** `__has_include` in a file of the user's: then we do not know what the IR depends on. */
function asksForFiles(bytes: Buffer, file: string, { source, searched }: Unit, { cwd }: Host): boolean {
  // The last folder is that of our own headers, and clang's own are elsewhere; both ask only for each other.
  const folders = [dirname(source.file), ...searched.slice(0, -1)];
  const isOfUser = folders.some((folder) => isInside(resolve(cwd, file), resolve(cwd, folder)));
  return isOfUser && (bytes.includes('__has_include') || bytes.includes('__has_embed'));
}
