/** The program of a command: loaded, or an error message printed. */
import { compileOptions, inputProblem } from '../../api/program.ts';
import { type CProgram, loadCProgram } from '../../frontend/llvm/c-program.ts';
import type { CompileChoices } from '../../options/compile.ts';
import { STANDARD_INPUT } from '../../platform/standard-input.ts';
import type { ProblemReport } from '../../report/schema.ts';
import { printable } from '../../report/text.ts';
import { EXIT_NOT_UNDERSTOOD, EXIT_USAGE } from './exit-codes.ts';

export interface Unusable {
  readonly problem: ProblemReport;
  readonly exit: number;
}

/** The program, or the exit code of an error already printed. */
export async function load(files: readonly string[], choices: CompileChoices): Promise<CProgram | Unusable> {
  try {
    return await loadCProgram(files, compileOptions(files, choices, sayIt));
  } catch (error) {
    return problemOf(files[0]!, error);
  }
}

function sayIt(note: string): void {
  process.stderr.write(`fencepost: ${printable(note)}\n`);
}

/** Prints what is wrong with the input, if the error is about it. */
export function problemOf(file: string, error: unknown): Unusable {
  const found = inputProblem(file, error);
  if (found === undefined) throw error;
  const { problem, diagnostics, isUsage } = found;
  process.stderr.write(`${diagnostics}fencepost: ${printable((error as Error).message)}\n`);
  return { problem, exit: isUsage ? EXIT_USAGE : EXIT_NOT_UNDERSTOOD };
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
