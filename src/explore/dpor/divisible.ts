/** A search that others can help with: what is left of it is plain data, and it can go on with a part of another. */
import type { Job, Proposals } from './job.ts';
import type { SearchLevel } from './search-state.ts';

export interface Divisible {
  /** What is left, between two executions. */
  save(): { readonly levels: readonly SearchLevel[] };
  /** The way to what is left has yet to be gone; until then it cannot be saved. */
  readonly isReplaying: boolean;
  /** Goes on with what is left of a saved search. */
  resume(levels: readonly SearchLevel[]): void;
  /** Goes on with a job. */
  take(job: Job, proposals: Proposals): void;
}
