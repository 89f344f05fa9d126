/**
 * A search as a value: what has been covered and what is left to do. Plain JSON, so that it can be written to a file or
 * sent to another process. Actions are text that means the same on every instance of the same system.
 */
export type DporMode = 'source' | 'optimal';

export interface SearchState {
  readonly strategy: DporMode;
  /**
   * The prefix that the next execution shares with the last one, a level for each visible step; empty once nothing is
   * left.
   */
  readonly levels: readonly SearchLevel[];
}

export interface SearchLevel {
  /** What has been finished here, and now sleeps. */
  readonly finished: readonly string[];
  /** What the prefix does here; absent at its end. */
  readonly step?: string;
  /**
   * Nothing was prescribed below that step when it was first taken: everything that starts with it is explored there.
   */
  readonly isFree?: boolean;
  /** What is still to be explored from here, in order; not the step itself. */
  readonly branches: readonly Branch[];
}

/** A branch without children is free. */
export interface Branch {
  readonly action: string;
  readonly children: readonly Branch[];
  /** It is free although it has children: another worker has begun it. */
  readonly isFree?: boolean;
  /** What has been finished below it, and sleeps there. */
  readonly finished?: readonly string[];
  /** It has no children, and another worker has explored it. It keeps its place, and covers what it covered. */
  readonly isDone?: boolean;
}

/** Whether nothing is left to do there. */
export function isDoneBranch(branch: Branch): boolean {
  const left = [branch];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (next.children.length === 0 && next.isDone !== true) return false;
    for (const child of next.children) left.push(child);
  }
  return true;
}
