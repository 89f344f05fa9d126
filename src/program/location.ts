/** A place in the user's source. Lines and columns count from 1. */
export interface Location {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** The source text at this place, when the front-end knows it. */
  readonly text?: string;
  /** What is accessed there, as the user wrote it: `head->next`. */
  readonly variable?: string;
  /**
   * Present if `variable` is known to be a pointer: the path from its target to the first scalar there. `.next` if it
   * points to structures that begin with `next`, empty if it points to scalars.
   */
  readonly pointee?: string;
}

export function printLocation(location: Location): string {
  // Column 0: unknown.
  return `${location.file}:${location.line}${location.column > 0 ? `:${location.column}` : ''}`;
}
