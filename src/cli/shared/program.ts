/** Loads the program of a command, or prints an error message. */
import { compileOptions, inputProblem } from '../../api/program.ts';
import { type CProgram, loadCProgram } from '../../frontend/llvm/c-program.ts';
import type { CompileChoices } from '../../options/compile.ts';
import { STANDARD_INPUT } from '../../platform/standard-input.ts';
import type { ProblemReport } from '../../report/schema.ts';
import { printable } from '../../report/text.ts';
import { EXIT_NOT_UNDERSTOOD, EXIT_USAGE } from './exit-codes.ts';
import { Progress, type ProgressLine } from './progress.ts';

export interface Unusable {
  readonly problem: ProblemReport;
  readonly exit: number;
}

/** The program, or the exit code of an error that has been printed. */
export async function load(files: readonly string[], choices: CompileChoices): Promise<CProgram | Unusable> {
  const compiling = new Compiling(files[0]!);
  try {
    const options = compileOptions(files, choices, sayIt);
    return await loadCProgram(files, { ...options, onCompile: (clang) => compiling.with(clang) });
  } catch (error) {
    compiling.end();
    return problemOf(files[0]!, error);
  } finally {
    compiling.end();
  }
}

/**
 * Shows that clang is running, if it takes long: the clang from npm needs seconds to start, and much longer for C++.
 */
class Compiling {
  private readonly progress = new Progress();
  private readonly started = performance.now();
  private readonly file: string;
  private timer: NodeJS.Timeout | undefined;

  constructor(file: string) {
    this.file = file;
  }

  with(clang: string): void {
    clearInterval(this.timer);
    const line = (): ProgressLine => {
      const seconds = `: ${Math.round((performance.now() - this.started) / 1000)} s`;
      return { before: 'compile ', path: this.file, after: [` with ${clang}${seconds}`, seconds] };
    };
    this.timer = setInterval(() => this.progress.update(line), 100);
    // The timer must not keep the process alive.
    this.timer.unref();
  }

  end(): void {
    clearInterval(this.timer);
    this.progress.clear();
  }
}

function sayIt(note: string): void {
  process.stderr.write(`fencepost: ${printable(note)}\n`);
}

/** Prints what is wrong with the input. Rethrows errors that are not about the input. */
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

/** `-` stands for a program on standard input. */
export function namedFiles(files: readonly string[]): readonly string[] {
  return files.map((file) => (file === '-' ? STANDARD_INPUT : file));
}
