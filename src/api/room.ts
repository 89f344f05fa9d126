/** Searches begin with room for few threads, and begin again with more if an execution needs it. */
import { TooManyThreads } from '../machine/state/default-limits.ts';
import type { CompileChoices } from '../options/compile.ts';

/** Runs `body`, with other choices if it has too many threads for these. The warnings have been shown then. */
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
