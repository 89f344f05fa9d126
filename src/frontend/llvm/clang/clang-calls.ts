/** Calls of the npm package's clang: arguments and answers. */
import { argumentsOf, type Host, type Job, type Outcome } from './clang-job.ts';

/** Where clang's own headers appear; no such folder exists on disk. */
export const RESOURCES: string = '/fencepost-clang';

/** Sent by `clang-run.mjs`. */
export interface Answer {
  readonly ok: boolean;
  /** Standard output and standard error. */
  readonly text: string;
  /** Why clang ended abnormally. */
  readonly crash?: string;
}

export function callsOf(jobs: readonly Job[], { cwd }: Host): readonly string[][] {
  const always = ['--no-default-config', '-resource-dir', RESOURCES, `-working-directory=${toVirtual(cwd)}`];
  return jobs.map((job) => [...always, ...argumentsOf(job).map(toVirtual)]);
}

export function outcomeOf({ ok, text, crash }: Answer, name: string): Outcome {
  return { ok, diagnostics: crash === undefined ? text : `${text}${name}: ${crash}\n` };
}

/**
 * WASI paths are POSIX paths: drive `C:` is the folder `/c`. Only a few options contain a path: see `clang-flags.ts`.
 */
function toVirtual(argument: string): string {
  const isOption = argument.startsWith('-') && !argument.startsWith('-ffile-prefix-map=');
  if (process.platform !== 'win32' || isOption) return argument;
  return argument.replace(/(?<=^|=)([A-Za-z]):/, (_, drive: string) => `/${drive.toLowerCase()}`).replaceAll('\\', '/');
}
