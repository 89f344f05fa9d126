/** What every clang can do, whatever its origin. */
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
  /** It takes seconds to start, and much longer to compile C++. */
  readonly startsSlowly?: true;
  /** Whether it is still the program that `id` was computed from. */
  isUnchanged(): boolean;
  /** A folder that only it can see, with its built-in headers. */
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
  /** Where the IR goes; an absolute path. */
  readonly output: string;
  /** Where the names of the files it read go, as a make rule; an absolute path. Not for IR. */
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
  /** What relative paths are relative to. */
  readonly cwd: string;
}

/** A `--` before a name that looks like an option does not help: clang does not pass it on. */
export function argumentsOf(job: Job): readonly string[] {
  const dependencies = job.dependencies === undefined ? [] : ['-MD', '-MT', 'ir', '-MF', job.dependencies];
  return [...job.flags, ...dependencies, '-o', job.output, pathArgument(job.file)];
}
