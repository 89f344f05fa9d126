/**
 * A search as a value: what has been covered and what is left to do. Plain JSON with steps by name, so that it can be
 * written to a file or sent to another process. It does not say what steps do: resuming finds that out by taking them.
 */
export type DporMode = 'source' | 'optimal';

export interface SearchState {
  readonly strategy: DporMode;
  /** The steps of the last execution that the next one shares, as `printSchedule` writes them. */
  readonly prefix: string;
  /**
   * One per depth at which a visible step of the prefix was taken, and one for its end; none once the search is done.
   */
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
