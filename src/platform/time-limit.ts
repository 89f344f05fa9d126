/**
 * Ends synchronous work when its time is up. V8 interrupts whatever runs, in every loop and regular expression, so
 * that no loop needs to look at a clock. What was interrupted is left as it was at that moment: the caller must drop
 * everything that the work has begun to change. See
 * [decision 48](../../docs/decisions/0048-reading-is-interrupted.md).
 */
import { createContext, Script } from 'node:vm';

/** The time for some work is up. */
export class TimeIsUp extends Error {
  override readonly name = 'TimeIsUp';
}

/** The result of the work, which must not be asynchronous. `deadline` is a value of `performance.now()`. */
export function finishBy<T>(deadline: number, work: () => T): T {
  const left = Math.ceil(deadline - performance.now());
  if (left <= 0) throw new TimeIsUp('no time is left');
  // Timers take no longer time than this, of 24 days.
  if (left >= 2 ** 31) return work();
  let result: { readonly value: T } | undefined;
  const run = (): void => {
    result = { value: work() };
  };
  try {
    new Script('run()').runInContext(createContext({ run }), { timeout: left });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw new TimeIsUp('the time is up');
  }
  return result!.value;
}
