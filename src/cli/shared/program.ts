/** The program of a command: loaded, or an error message printed. */
import { type CProgram, type CProgramOptions, loadCProgram } from '../../frontend/llvm/c-program.ts';
import { CompileError } from '../../frontend/llvm/clang/compile-error.ts';
import { HEADERS } from '../../frontend/llvm/clang/library.ts';
import { LlvmError } from '../../frontend/llvm/ir/error.ts';
import { FrontendError } from '../../frontend/llvm/ir/frontend-error.ts';
import type { CompileChoices } from '../../options/compile.ts';
import { keepCompile } from '../../options/kept.ts';
import { readSourceFile, STANDARD_INPUT } from '../../platform/standard-input.ts';
import type { CheckInput, ProblemReport } from '../../report/schema.ts';
import { hashProgram, hashSources } from '../../report/sources.ts';
import { printable } from '../../report/text.ts';
import { findCommands } from './compile-commands.ts';
import { EXIT_NOT_UNDERSTOOD, EXIT_USAGE } from './exit-codes.ts';

export interface Unusable {
  readonly problem: ProblemReport;
  readonly exit: number;
}

/** Throws a `CompileError` if compile_commands.json is asked for and cannot be used. */
export function compileOptions(
  files: readonly string[],
  choices: CompileChoices,
  say: (note: string) => void = sayIt,
): CProgramOptions {
  const { buildPath, target } = choices;
  if (buildPath === undefined) return { ...choices, headers: HEADERS };
  const { notes, ...found } = findCommands(buildPath, files);
  for (const note of notes) say(note);
  return { ...choices, headers: HEADERS, ...found, ...(target === undefined ? {} : { target }) };
}

function sayIt(note: string): void {
  process.stderr.write(`fencepost: ${printable(note)}\n`);
}

/** The program, or the exit code of an error already printed. */
export async function load(files: readonly string[], choices: CompileChoices): Promise<CProgram | Unusable> {
  try {
    return await loadCProgram(files, compileOptions(files, choices));
  } catch (error) {
    return problemOf(files[0]!, error);
  }
}

/** Prints what is wrong with the input, if the error is about it. */
export function problemOf(file: string, error: unknown): Unusable {
  if (error instanceof CompileError) {
    process.stderr.write(`${error.diagnostics}fencepost: ${printable(error.message)}\n`);
    const exit = error.problem === 'file' || error.problem === 'clang' ? EXIT_USAGE : EXIT_NOT_UNDERSTOOD;
    return { problem: { file, message: error.message }, exit };
  }
  if (error instanceof FrontendError) {
    process.stderr.write(`${error.diagnostics}fencepost: ${printable(error.message)}\n`);
    const { file: where, line, column } = error.place;
    return { problem: { file: where, message: error.reason, line, column }, exit: EXIT_NOT_UNDERSTOOD };
  }
  if (error instanceof LlvmError) {
    process.stderr.write(`fencepost: ${printable(error.message)}\n`);
    return { problem: { file, message: error.message }, exit: EXIT_NOT_UNDERSTOOD };
  }
  throw error;
}

type SearchInput = Pick<CheckInput, 'strategy' | 'seed' | 'observations' | 'keepGoing'>;

/** The inputs of the run, for the report. */
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

/** Results that say which code they are about. */
export function withOptimiser<R>(reports: readonly R[], { optimise }: { readonly optimise?: string }): readonly R[] {
  return optimise === undefined ? reports : reports.map((report) => ({ ...report, optimised: optimise }));
}

/** Prints what is wrong with the usage. */
export function usage(message: string): number {
  process.stderr.write(`fencepost: ${message}\n`);
  return EXIT_USAGE;
}

/** `-` is a program on standard input. */
export function namedFiles(files: readonly string[]): readonly string[] {
  return files.map((file) => (file === '-' ? STANDARD_INPUT : file));
}
