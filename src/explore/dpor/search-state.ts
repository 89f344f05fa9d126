/**
 * A search as a value: what has been covered and what is left to do. Plain JSON, with steps by
 * their names, so that it can be written down and handed to another process. What a step does is not in it: whoever takes
 * the search up finds that out by taking it.
 */
export type DporMode = 'source' | 'optimal';

export interface SearchState {
  readonly strategy: DporMode;
  /** The steps of the last execution that the next one shares, as `printSchedule` writes them. */
  readonly prefix: string;
  /** One for each depth at which a visible step of the prefix was taken, and one for its end; none once all is done. */
  readonly levels: readonly SearchLevel[];
}

export interface SearchLevel {
  readonly depth: number;
  readonly sleep: readonly string[];
  /** What is still to be explored from here, in order; not the prefix itself. */
  readonly branches: readonly Branch[];
}

export interface Branch {
  readonly step: string;
  readonly children: readonly Branch[];
}
