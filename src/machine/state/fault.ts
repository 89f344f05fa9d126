/** Ends the execution with an error of the program or a limit of ours, as words of the state. */
import { H_ERROR, H_ERROR_DETAIL, H_ERROR_SITE, H_ERROR_THREAD, H_LIMIT } from './layout.ts';
import type { State } from './state.ts';

/** `error` is one of the codes of `error.ts`; only the first one counts. */
export function fail(state: State, error: number, thread: number, site: number, detail = 0): void {
  if (hasStopped(state)) return;
  state.set(H_ERROR, error);
  state.set(H_ERROR_THREAD, thread);
  state.set(H_ERROR_SITE, site);
  state.set(H_ERROR_DETAIL, detail);
}

/** `detail` and `site` say more about some limits. */
export function reachLimit(state: State, limit: number, detail = 0, site = 0): void {
  if (hasStopped(state)) return;
  state.set(H_LIMIT, limit);
  state.set(H_ERROR_DETAIL, detail);
  state.set(H_ERROR_SITE, site);
}

export function hasStopped(state: State): boolean {
  return state.words[H_ERROR] !== 0 || state.words[H_LIMIT] !== 0;
}
