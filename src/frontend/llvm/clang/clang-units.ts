/** Compilations: the input of each, the IR that clang produces, and what that IR depends on. */
import { readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { hash } from '../../../platform/hash.ts';
import { STANDARD_INPUT } from '../../../platform/standard-input.ts';
import { VERSION } from '../../../platform/version.ts';
import { type CompileOptions, clangFlags, cxxFolder, optionsOf, searchPaths } from './clang-flags.ts';
import type { Clang, Host, Job, Outcome } from './clang-job.ts';
import { assertSourceName } from './clang-words.ts';
import { CompileError } from './compile-error.ts';
import { definitions } from './definitions.ts';
import { absolutePath, candidates, isInside, parseDependencies, plainFolder, plainPath } from './dependencies.ts';
import { IncludeScan } from './include-scan.ts';
import { FileHashes, type Inputs, isFile, type Look, readRegular, realFolder } from './inputs.ts';
import { asksOutside } from './outside-questions.ts';
import { runWithOwnNames } from './own-names.ts';
import { repairPreprocessed } from './repair-preprocessed.ts';
import { readSource, type Source } from './source-kinds.ts';

/** A file and how to compile it. */
export interface Unit {
  readonly source: Source;
  readonly flags: readonly string[];
  /** Folders that clang searches for headers, as plain paths. */
  readonly searched: readonly string[];
  readonly options: CompileOptions;
}

export function readUnits(files: readonly string[], all: CompileOptions, extra: readonly string[], host: Host): Unit[] {
  return files.map((file) => {
    assertSourceName(file);
    const options = optionsOf(file, all);
    const source = readSource(file, host.cwd);
    // Its headers are in the user's folder, not beside the copy that clang reads.
    const here = file === STANDARD_INPUT ? ['-iquote', '.'] : [];
    const flags = [...extra, ...clangFlags(source, options), ...here];
    // A file that is included from the command line is searched for in the current folder.
    const current = options.includes.length > 0 ? [''] : [];
    const { headers, libcxx } = options;
    const ours = source.kind === 'c++' && libcxx !== undefined ? [cxxFolder(headers), libcxx, headers] : [headers];
    const searched = [...current, ...[...searchPaths(options), ...ours].map(plainFolder)];
    return { source, flags, searched, options };
  });
}

/** Everything known about a compilation beforehand. Paths in it are relative to the current folder. */
export function keyOf({ source, flags }: Unit, clang: Clang, host: Host): unknown {
  return [VERSION, clang.id, host.cwd, flags, source.file, hash(source.bytes)];
}

export interface Made {
  readonly ir: string;
  /** Hash of the IR. */
  readonly hash: string;
  /** The names it defines. */
  readonly defines: readonly string[];
  readonly diagnostics: string;
  /** The C files that clang read for it, except its own headers. */
  readonly sources: readonly string[];
  /** Absent if we do not know what the IR was made from: it must then not be cached. */
  readonly inputs?: Inputs;
}

/** Results in the order of `units`. `tracked`: with the inputs of each, which may take a second run. */
export async function runUnits(units: readonly Unit[], clang: Clang, host: Host, tracked: boolean): Promise<Made[]> {
  const scan = new IncludeScan(host.cwd);
  // Replacement files are not tracked.
  const isFollowed = (unit: Unit): boolean =>
    tracked && !unit.flags.includes('-remap-file') && unit.source.file !== STANDARD_INPUT;
  const before = units.map((unit) => (isFollowed(unit) ? predict(unit, clang, scan, host) : undefined));
  const made = await runOnce(units, clang, host, before);
  // Clang read something that we had not looked at before, or that has changed since.
  const again = made.flatMap(({ seen }, i) => (seen === undefined ? [] : [i]));
  if (again.length > 0) {
    const second = await runOnce(
      again.map((i) => units[i]!),
      clang,
      host,
      again.map((i) => made[i]!.seen),
    );
    again.forEach((i, n) => {
      made[i] = second[n]!;
    });
  }
  return made.map(({ seen: _, ...rest }) => rest);
}

/** The state of the file system at some moment. Paths are plain, except those of folders. */
interface Snapshot {
  /** What clang reads; `undefined` for a file that does not exist. */
  readonly files: ReadonlyMap<string, Look | undefined>;
  /** Existing files at paths that clang may have tried but did not read. */
  readonly others: readonly string[];
  readonly absent: readonly string[];
  readonly folders: readonly (readonly [path: string, real: string | undefined])[];
}

/** Before the first run: guesses what clang will read. */
function predict(unit: Unit, clang: Clang, scan: IncludeScan, host: Host): Snapshot {
  const own = clang.headers === undefined ? [] : [clang.headers];
  const files = [unit.source.file, ...unit.options.includes].map(plainPath);
  // libc++ never changes, so its files are not scanned. It may include any of our headers, and some of clang's.
  const fixed = unit.options.libcxx;
  const more = unit.source.kind === 'c++' ? [...listFiles(unit.options.headers), ...own.flatMap(cHeaders)] : [];
  const searched = unit.searched.filter((folder) => folder !== fixed);
  return {
    files: scan.from([...files, ...more], [...searched, ...own]),
    others: [],
    absent: [],
    folders: foldersOf(unit, host),
  };
}

function listFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => plainPath(join(entry.parentPath, entry.name)));
}

/** Those of clang's own headers that libc++ includes. */
function cHeaders(folder: string): readonly string[] {
  return ['float.h', 'limits.h', 'stdarg.h', 'stddef.h', 'stdint.h'].map((name) => plainPath(join(folder, name)));
}

/** After a run: the state of the files that clang read. */
function look(
  read: readonly string[],
  elsewhere: readonly string[],
  folders: Snapshot['folders'],
  { cwd }: Host,
  hashes: FileHashes,
): Snapshot {
  const exists = new Map(elsewhere.map((path) => [path, isFile(absolutePath(path, cwd))]));
  return {
    files: new Map(read.map((path) => [path, hashes.look(absolutePath(path, cwd))])),
    others: elsewhere.filter((path) => exists.get(path) === true),
    absent: elsewhere.filter((path) => exists.get(path) === false),
    folders: folders.map(([path]) => [path, realFolder(path)]),
  };
}

/** Whether nothing has changed since before clang ran: these are then the files that it read, or did not find. */
function wasSame(before: Snapshot, { files, others, folders }: Snapshot): boolean {
  return (
    [...files].every(([path, now]) => now !== undefined && isSame(before.files.get(path), now)) &&
    others.every((path) => before.files.has(path) || before.others.includes(path)) &&
    folders.every(([, real], i) => real !== undefined && before.folders[i]![1] === real)
  );
}

function isSame(before: Look | undefined, now: Look): boolean {
  return before?.hash === now.hash && before.stamp === now.stamp;
}

function inputsOf({ files, absent, folders }: Snapshot, { cwd }: Host): Inputs {
  return {
    files: Array.from(files, ([path, now]) => [absolutePath(path, cwd), now!.hash]),
    absent: absent.map((path) => absolutePath(path, cwd)),
    folders: folders.map(([path, real]) => [path, real!]),
  };
}

function foldersOf({ searched }: Unit, { cwd }: Host): Snapshot['folders'] {
  return searched.map((folder) => {
    const path = folder === '' ? cwd : absolutePath(folder, cwd);
    return [path, realFolder(path)];
  });
}

/** `seen` is the current snapshot, if it differs from the one before the run. */
type Run = Made & { readonly seen?: Snapshot };

async function runOnce(
  units: readonly Unit[],
  clang: Clang,
  host: Host,
  before: readonly (Snapshot | undefined)[],
): Promise<Run[]> {
  const scratch = await mkdtemp(resolve(tmpdir(), 'fencepost-'));
  try {
    const jobs = await Promise.all(units.map((unit, i) => makeJob(unit, resolve(scratch, `${i}`))));
    const headers = units.map(({ options }) => options.headers);
    const outcomes = await runWithOwnNames(clang, jobs, headers, scratch);
    refuseFailures(units, outcomes);
    const hashes = new FileHashes();
    return await Promise.all(
      units.map(async (unit, i): Promise<Run> => {
        const written = await readFile(jobs[i]!.output, 'utf8');
        const ir = jobs[i]!.file === unit.source.file ? written : withName(written, unit.source.file);
        const read = await dependenciesOf(jobs[i]!, unit);
        const fixed = unit.options.libcxx;
        const isFixed = (file: string): boolean =>
          isOwnHeader(file, clang) || (fixed !== undefined && isInside(file, fixed));
        const onDisk = read?.filter((file) => !isFixed(file)) ?? [];
        const sources = isC(unit) ? onDisk : [];
        const { diagnostics } = outcomes[i]!;
        const made: Made = { ir, hash: hash(ir), defines: definitions(ir), diagnostics, sources };
        if (before[i] === undefined || read === undefined || asksOutside(textsOf(unit, onDisk, clang, host)))
          return made;
        const now = look(
          onDisk,
          candidates(read, unit.searched, { fixed, ours: unit.options.headers }),
          before[i].folders,
          host,
          hashes,
        );
        return wasSame(before[i], now) ? { ...made, inputs: inputsOf(now, host) } : { ...made, seen: now };
      }),
    );
  } finally {
    await rm(scratch, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** The IR under another name of its file: of its real one, where clang read a copy. */
export function withName(ir: string, name: string): string {
  const inIr = name.replace(/[^ !#-[\]-~]/gu, (char) =>
    Array.from(Buffer.from(char), (byte) => `\\${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  );
  return ir.replace(/^; ModuleID = .*\n/, '').replace(/^source_filename = .*$/m, () => `source_filename = "${inIr}"`);
}

function isC({ source }: Unit): boolean {
  return source.kind === 'c' || source.kind === 'c++' || source.kind === 'preprocessed';
}

async function makeJob(unit: Unit, scratch: string): Promise<Job> {
  const { source, flags, options } = unit;
  const isNarrow = source.kind === 'preprocessed' && options.target === 'i686';
  const repaired = isNarrow ? repairPreprocessed(source.bytes, source.file) : namedInput(source);
  const file = repaired === undefined ? source.file : `${scratch}.i`;
  if (repaired !== undefined) await writeFile(file, repaired);
  return { flags, file, output: `${scratch}.ll`, ...(isC(unit) ? { dependencies: `${scratch}.d` } : {}) };
}

/** A program read from standard input, with its name. */
function namedInput({ file, bytes }: Source): Buffer | undefined {
  return file === STANDARD_INPUT ? Buffer.concat([Buffer.from(`#line 1 "${file}"\n`), bytes]) : undefined;
}

function refuseFailures(units: readonly Unit[], outcomes: readonly Outcome[]): void {
  const failed = units.filter((_, i) => !outcomes[i]!.ok).map(({ source }) => source.file);
  if (failed.length === 0) return;
  const diagnostics = outcomes.map((outcome) => outcome.diagnostics).join('');
  const header = /'([\w./-]+)' file not found/.exec(diagnostics)?.[1];
  const ours = units.some(({ source }) => source.kind === 'c++') ? "ours and libc++'s" : 'ours';
  const hint =
    header === undefined
      ? ''
      : `: no ${header}; the only system headers are ${ours}, which declare what is modelled; -I adds folders`;
  throw new CompileError('source', `clang rejects ${failed.join(', ')}${hint}`, diagnostics);
}

/**
 * Every file that clang read, as a plain path; `undefined` if clang did not say, or if a name has bytes that we may
 * misread.
 */
async function dependenciesOf(job: Job, { source }: Unit): Promise<readonly string[] | undefined> {
  if (job.dependencies === undefined) return [plainPath(source.file)];
  const rule = await readFile(job.dependencies, 'utf8').catch(() => undefined);
  if (rule === undefined || /\ufffd|[^\P{Cc}\n\r]/u.test(rule)) return undefined;
  // A repaired source has another name.
  return parseDependencies(rule).map((file) => plainPath(file === job.file ? source.file : file));
}

function isOwnHeader(file: string, clang: Clang): boolean {
  return clang.ownHeaders !== undefined && isInside(file, clang.ownHeaders);
}

/** All text that the user controls. Our headers, and clang's, depend only on each other. */
function textsOf({ options }: Unit, read: readonly string[], clang: Clang, { cwd }: Host): readonly string[] {
  const known = [options.headers, clang.headers, options.libcxx].filter((folder) => folder !== undefined);
  const files = read.map((file) => absolutePath(file, cwd));
  const users = files.filter((file) => !known.some((folder) => isInside(file, folder)));
  return [...users.map((file) => readRegular(file)?.bytes.toString('latin1') ?? ''), ...options.defines];
}
