/** Loads the program of a command, or prints an error message. */
import { loadWithin } from '../../api/load.ts';
import { compileOptions, inputProblem } from '../../api/program.ts';
import type { CProgram } from '../../frontend/llvm/c-program.ts';
import type { CompileChoices } from '../../options/compile.ts';
import { STANDARD_INPUT } from '../../platform/standard-input.ts';
import type { ProblemReport } from '../../report/schema.ts';
import { printable } from '../../report/text.ts';
import { EXIT_INCONCLUSIVE, EXIT_NOT_UNDERSTOOD, EXIT_USAGE } from './exit-codes.ts';
import { Interrupt } from './interrupt.ts';
import { Progress, type ProgressLine } from './progress.ts';

export interface Unusable {
  readonly problem: ProblemReport;
  readonly exit: number;
}

/** The program, or the exit code of an error that has been printed. Ctrl-C and the timeout, in seconds, end clang. */
export async function load(
  files: readonly string[],
  choices: CompileChoices & { readonly timeout?: number },
): Promise<CProgram | Unusable> {
  const compiling = new Compiling(files[0]!);
  const { signal } = compiling.stop;
  try {
    const options = { ...compileOptions(files, choices, sayIt), onCompile: (clang: string) => compiling.with(clang) };
    const program = await loadWithin(files, options, choices.timeout, compiling.stop);
    return signal.aborted ? stopped(files[0]!, signal) : program;
  } catch (error) {
    return signal.aborted ? stopped(files[0]!, signal) : problemOf(files[0]!, error);
  }
}

function stopped(file: string, { reason }: AbortSignal): Unusable {
  const message = String(reason);
  process.stderr.write(`fencepost: ${printable(file)}: ${message}\n`);
  return { problem: { file, message }, exit: EXIT_INCONCLUSIVE };
}

/** Shows that clang is running, if it takes long, and ends it on Ctrl-C. */
class Compiling {
  private readonly progress = new Progress();
  private readonly started = performance.now();
  readonly stop = new AbortController();
  private readonly file: string;

  constructor(file: string) {
    this.file = file;
  }

  /**
   * While `clang` runs, until the function returned is called. Signals are ours only then: reading what clang made lets
   * nothing else run, and a listener would keep Ctrl-C from ending it.
   */
  with(clang: string): () => void {
    const interrupt = new Interrupt(() => this.stop.abort('interrupted while it was compiled'));
    const line = (): ProgressLine => {
      const seconds = `: ${Math.round((performance.now() - this.started) / 1000)} s`;
      return { before: 'compile ', path: this.file, after: [` with ${clang}${seconds}`, seconds] };
    };
    // The timer must not keep the process alive.
    const timer = setInterval(() => this.progress.update(line), 100).unref();
    return () => {
      clearInterval(timer);
      interrupt.dispose();
      this.progress.clear();
    };
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
