/** The program of a call: files, or a source text. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, sep } from 'node:path';
import type { CProgram, CProgramOptions } from '../frontend/llvm/c-program.ts';
import { searchPaths } from '../frontend/llvm/clang/clang-flags.ts';
import { CompileError } from '../frontend/llvm/clang/compile-error.ts';
import { HEADERS } from '../frontend/llvm/clang/library.ts';
import { LlvmError } from '../frontend/llvm/ir/error.ts';
import { FrontendError } from '../frontend/llvm/ir/frontend-error.ts';
import { type CompileChoices, findsUninitialised } from '../options/compile.ts';
import { keepCompile } from '../options/kept.ts';
import { readSourceFile, STANDARD_INPUT } from '../platform/standard-input.ts';
import { hashProgram } from '../program/hash.ts';
import type { CheckInput, ProblemReport } from '../report/schema.ts';
import { hashSources } from '../report/sources.ts';
import { findCommands } from './compile-commands.ts';
import { InputError, UsageError } from './errors.ts';
import { loadWithin } from './load.ts';

/** A source text that is not in a file. */
export interface SourceText {
  readonly source: string;
  /** Its name in reports; the extension determines the language. */
  readonly name?: string;
}

/** A file, the files of one program, or a text. */
export type ProgramInput = string | readonly string[] | SourceText;

const NO_PROGRAM = 'expected a file, a list of files, or { source: "…" }';

/** Runs `body` on the files of the input, with the folder that the paths in a patch are relative to. A text gets a temporary file, which reports show by its name alone. */
export async function withFiles<R>(
  input: ProgramInput,
  defaultName: string,
  body: (files: readonly string[], folder: string) => Promise<R>,
): Promise<R> {
  if (typeof input === 'string' || Array.isArray(input)) {
    const files: readonly unknown[] = typeof input === 'string' ? [input] : input;
    if (files.length === 0) throw new UsageError('no files are given');
    if (!files.every((file) => typeof file === 'string')) throw new UsageError(NO_PROGRAM);
    return body(files, process.cwd());
  }
  // JavaScript callers may pass anything.
  const { source, name = defaultName } = (input ?? {}) as SourceText;
  if (typeof source !== 'string') throw new UsageError(NO_PROGRAM);
  if (name !== basename(name) || name === '') throw new UsageError(`name: expected the name of a file, not "${name}"`);
  const folder = mkdtempSync(join(tmpdir(), 'fencepost-text-'));
  const hidden = `${folder}${sep}`;
  try {
    writeFileSync(join(folder, name), source);
    return withoutPath(await body([join(folder, name)], folder), hidden);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const { file, line, column, message, diagnostics } = error;
    const problem = {
      file,
      message,
      ...(line === undefined ? {} : { line }),
      ...(column === undefined ? {} : { column }),
    };
    throw new InputError(withoutPath(problem, hidden), diagnostics.replaceAll(hidden, ''));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The same value, without the folder in its texts. */
function withoutPath<T>(value: T, folder: string): T {
  if (typeof value === 'string') return value.replaceAll(folder, '') as T;
  if (Array.isArray(value)) return value.map((item) => withoutPath(item, folder)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withoutPath(item, folder)])) as T;
}

/**
 * Throws a `CompileError` if compile_commands.json is requested and cannot be used, or if options exclude each other.
 */
export function compileOptions(
  files: readonly string[],
  choices: CompileChoices,
  say: (note: string) => void = () => {},
): CProgramOptions {
  const { buildPath, target, junk, uninitialised } = choices;
  if (junk === true && uninitialised === true)
    throw new CompileError('file', '--junk and --uninitialised cannot be combined; drop one of the two');
  const own = { ...choices, uninitialised: findsUninitialised(choices), headers: HEADERS };
  if (buildPath === undefined) {
    sayMissing(searchPaths(own), say);
    return own;
  }
  const { notes, ...found } = findCommands(buildPath, files);
  for (const note of notes) say(note);
  sayMissing([...searchPaths(own), ...[...found.ofFiles.values()].flatMap(searchPaths)], say);
  return { ...own, ...found, ...(target === undefined ? {} : { target }) };
}

/** A compiler passes over a folder for headers that does not exist; it may be a slip of the pen. */
function sayMissing(folders: readonly string[], say: (note: string) => void): void {
  const missing = [...new Set(folders)].filter((folder) => !existsSync(folder));
  if (missing.length > 0) say(`note: no such folder, so no headers are looked for there: ${missing.join(', ')}`);
}

/** Throws an `InputError`, also if compiling and reading take longer than the timeout, in seconds. */
export async function loadProgram(
  files: readonly string[],
  choices: CompileChoices & { readonly timeout?: number },
): Promise<CProgram> {
  const stop = new AbortController();
  try {
    return await loadWithin(files, compileOptions(files, choices), choices.timeout, stop);
  } catch (error) {
    if (stop.signal.aborted) throw new InputError({ file: files[0]!, message: String(stop.signal.reason) }, '');
    const problem = inputProblem(files[0]!, error);
    throw problem === undefined ? error : new InputError(problem.problem, problem.diagnostics);
  }
}

interface InputProblem {
  readonly problem: ProblemReport;
  readonly diagnostics: string;
  /** The compiler cannot be used, or a file cannot be read; the program itself is not at fault. */
  readonly isUsage: boolean;
}

/** What is wrong with the input, if the error is about it. */
export function inputProblem(file: string, error: unknown): InputProblem | undefined {
  if (error instanceof CompileError) {
    const isUsage = error.problem === 'file' || error.problem === 'clang';
    const problem = error.problem === 'source' ? sourceProblem(file, error) : { file, message: error.message };
    return { problem, diagnostics: error.diagnostics, isUsage };
  }
  if (error instanceof FrontendError) {
    const { file: where, line, column } = error.place;
    return {
      problem: { file: where, message: error.reason, line, column },
      diagnostics: error.diagnostics,
      isUsage: false,
    };
  }
  if (error instanceof LlvmError) return { problem: { file, message: error.message }, diagnostics: '', isUsage: false };
  return undefined;
}

/** The place and message of clang's first error. */
function sourceProblem(file: string, { message, diagnostics }: CompileError): ProblemReport {
  const [, where, line, column, what] = /^(.+?):(\d+):(\d+): (?:fatal )?error: (.*)$/m.exec(diagnostics) ?? [];
  if (where === undefined) return { file, message };
  // With a colon, the message already gives a reason.
  const reason = /^clang rejects [^:]*$/.test(message) ? `${message}: ${what}` : message;
  return { file: where, line: Number(line), column: Number(column), message: reason };
}

type SearchInput = Pick<CheckInput, 'strategy' | 'seed' | 'observations' | 'keepGoing'>;

/** The inputs of the run, for its report. */
export function inputOf(
  files: readonly string[],
  choices: CompileChoices,
  { strategy, seed, ...flags }: SearchInput,
  loaded: CProgram | undefined,
): CheckInput {
  return {
    files,
    ...keepCompile(choices),
    ...flags,
    strategy,
    seed,
    clang: loaded?.clang ?? '',
    ...(files.includes(STANDARD_INPUT) ? { stdinSource: readSourceFile(STANDARD_INPUT).toString('utf8') } : {}),
    ...(loaded === undefined
      ? {}
      : { sources: hashSources(files, loaded.program), program: hashProgram(loaded.program) }),
  };
}

/** Adds the optimiser's level to results, which says which code they are about. */
export function withOptimiser<R>(reports: readonly R[], { optimise }: { readonly optimise?: string }): readonly R[] {
  return optimise === undefined ? reports : reports.map((report) => ({ ...report, optimised: optimise }));
}
