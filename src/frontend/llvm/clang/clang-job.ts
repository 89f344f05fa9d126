/** The interface of every clang, whatever its origin. */
import { pathArgument } from './clang-words.ts';

export interface Clang {
  /** Version and origin, in words. */
  readonly name: string;
  /** Differs if the IR it produces may differ. */
  readonly id: string;
  /** Whether it understands libc++'s headers. */
  readonly isForCxx: boolean;
  /** The folder with its own headers, if that is on disk. */
  readonly headers?: string;
  /** Whether it takes seconds to start, and much longer to compile C++. */
  readonly startsSlowly?: true;
  /** Whether it is still the program that `id` was computed from. */
  isUnchanged(): boolean;
  /** A folder with its built-in headers that only it can see. */
  readonly ownHeaders?: string;
  /**
   * Runs all jobs; outcomes are in the jobs' order. Rejects with a `CompileError` if clang cannot be run at all; a job
   * that fails is an outcome.
   */
  run(jobs: readonly Job[]): Promise<readonly Outcome[]>;
}

export interface Job {
  readonly flags: readonly string[];
  readonly file: string;
  /** The absolute path for the IR. */
  readonly output: string;
  /** The absolute path for the names of the files it read, as a make rule. Not for IR. */
  readonly dependencies?: string;
}

export interface Outcome {
  readonly ok: boolean;
  /** Standard error, unchanged, and a line of ours if clang ended abnormally. */
  readonly diagnostics: string;
}

/** The part of the environment that finding and running clang depends on. */
export interface Host {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder that relative paths start from. */
  readonly cwd: string;
  /** Ends clang when it is aborted. */
  readonly signal?: AbortSignal;
}

/** A `--` before a name that looks like an option would not help: clang does not pass it on. */
export function argumentsOf(job: Job): readonly string[] {
  const dependencies = job.dependencies === undefined ? [] : ['-MD', '-MT', 'ir', '-MF', job.dependencies];
  return [...job.flags, ...dependencies, '-o', job.output, pathArgument(job.file)];
}
