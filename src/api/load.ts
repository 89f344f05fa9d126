/** Compiles and reads a program within a time limit: of clang, which is ended, and of our reader, which is interrupted. */
import { type CProgram, type CProgramOptions, loadCProgram } from '../frontend/llvm/c-program.ts';
import { TimeIsUp } from '../platform/time-limit.ts';

/**
 * Seconds that compiling and reading may take in any case: a short limit is meant for the search, and clang alone may
 * need seconds on a busy machine.
 */
const LEAST = 10;

/** `timeout`: the limit in seconds, if there is one. When the time is up, aborts `stop` with the reason, and throws some error. */
export async function loadWithin(
  files: readonly string[],
  options: CProgramOptions,
  timeout: number | undefined,
  stop: AbortController,
): Promise<CProgram> {
  const { signal } = stop;
  if (timeout === undefined) return loadCProgram(files, { ...options, signal });
  const seconds = Math.max(timeout, LEAST);
  const end = (): void => stop.abort(`inconclusive: time: ${seconds} s, used up before it was compiled and read`);
  const deadline = performance.now() + seconds * 1000;
  const timer = setTimeout(end, Math.min(seconds * 1000, 2 ** 31 - 1));
  try {
    return await loadCProgram(files, { ...options, signal, deadline });
  } catch (error) {
    if (error instanceof TimeIsUp) end();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
