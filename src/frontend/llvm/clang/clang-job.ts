/** What every clang can do, wherever it comes from. */
import { pathArgument } from './clang-words.ts';

export interface Clang {
  /** For people: version and origin. */
  readonly name: string;
  /** Different if the IR it makes may be different. */
  readonly id: string;
  /** The folder with its own headers, if it is one on the disk. */
  readonly headers?: string;
  /** Whether it is still the program that `id` was made of. */
  isUnchanged(): boolean;
  /** A folder that exists only for it, with headers that are part of it. */
  readonly ownHeaders?: string;
  /**
   * Runs all jobs and answers in their order. Rejects with a `CompileError` if clang cannot be run at all; a job
   * that fails is an outcome.
   */
  run(jobs: readonly Job[]): Promise<readonly Outcome[]>;
}

export interface Job {
  readonly flags: readonly string[];
  readonly file: string;
  /** Where the IR goes; an absolute path. */
  readonly output: string;
  /** Where the names of the files that were read go, as a make rule; an absolute path. Not for IR. */
  readonly dependencies?: string;
}

export interface Outcome {
  readonly ok: boolean;
  /** Standard error, unchanged, and a line of ours if clang did not end by itself. */
  readonly diagnostics: string;
}

/** The part of the world that finding and running clang depends on. */
export interface Host {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What relative paths are relative to. */
  readonly cwd: string;
}

/** `--` before a name that looks like an option does not help, because clang forgets it. */
export function argumentsOf(job: Job): readonly string[] {
  const dependencies = job.dependencies === undefined ? [] : ['-MD', '-MT', 'ir', '-MF', job.dependencies];
  return [...job.flags, ...dependencies, '-o', job.output, pathArgument(job.file)];
}
