/** Searches start with room for few threads, and start again with room for many if an execution needs it. */
import { TooManyThreads } from '../machine/state/default-limits.ts';
import type { CompileChoices } from '../options/compile.ts';

/**
 * Runs `body`; if the program has too many threads, runs it again with room for them and without repeating warnings.
 */
export async function withRoom<C extends CompileChoices, R>(
  choices: C,
  body: (choices: C, isAgain: boolean) => Promise<R>,
): Promise<R> {
  try {
    return await body(choices, false);
  } catch (error) {
    if (!(error instanceof TooManyThreads)) throw error;
  }
  return body({ ...choices, manyThreads: true, warnings: false }, true);
}
