/** Compiles and reads a program within a time limit: of clang, which is ended, and of our reader, which is interrupted. */
import { type CProgram, type CProgramOptions, loadCProgram } from '../frontend/llvm/c-program.ts';
import { TimeIsUp } from '../platform/time-limit.ts';

/** `seconds`: the limit, if there is one. When the time is up, aborts `stop` with the reason, and throws some error. */
export async function loadWithin(
  files: readonly string[],
  options: CProgramOptions,
  seconds: number | undefined,
  stop: AbortController,
): Promise<CProgram> {
  const { signal } = stop;
  if (seconds === undefined) return loadCProgram(files, { ...options, signal });
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
