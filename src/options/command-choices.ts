/** Options that only commands have: the API takes its threads and files from the program that calls it. */
export interface CommandChoices {
  /** Threads that search; all cores unless given. */
  readonly jobs?: number;
  /** A file to save the search in, and one to resume it from. */
  readonly save?: string;
  readonly resume?: string;
  /** The address of a Redis whose workers search. */
  readonly redis?: string;
  /** The log in which to record an execution. */
  readonly record?: string;
  /** Change the files of the program. */
  readonly write: boolean;
  /** A file of costs. */
  readonly cost?: string;
}
