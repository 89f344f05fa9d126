/**
 * A search that can be divided among workers: what is left of it is plain data, and it can continue a part of another.
 */
import type { Job, Proposals } from './job.ts';
import type { SearchLevel } from './search-state.ts';

export interface Divisible {
  /** What is left; only between two executions. */
  save(): { readonly levels: readonly SearchLevel[] };
  /** The path to what is left has yet to be replayed; until then it cannot be saved. */
  readonly isReplaying: boolean;
  /** Continues a saved search. */
  resume(levels: readonly SearchLevel[]): void;
  /** Starts or continues a job. */
  take(job: Job, proposals: Proposals): void;
}
