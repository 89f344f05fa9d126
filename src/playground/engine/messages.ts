/** What the page and the engine tell each other. */

export interface Program {
  /** A name without a folder; its ending says what it is. */
  readonly name: string;
  readonly text: string;
}

export type Request =
  | {
      readonly kind: 'run';
      /** The first is what is asked about; the others are more of its sources, and its headers. */
      readonly files: readonly Program[];
      /** Those of the command line. */
      readonly args: readonly string[];
      /** Width of the text, in characters. */
      readonly columns: number;
    }
  /** As Ctrl-C does. */
  | { readonly kind: 'stop' };

/** What the command wrote, in the order in which it was written. */
export interface Chunk {
  readonly isDiagnostic: boolean;
  readonly text: string;
}

export interface Outcome {
  readonly exit: number;
  readonly output: readonly Chunk[];
  /** The page that `--html` would write, if there is something to show. */
  readonly page?: string;
  /** The files as they are now: `fix --write` changes them. */
  readonly files: readonly Program[];
  /** The folder of the run, if it was kept for `replay`. */
  readonly kept?: string;
}

export type Answer =
  | { readonly kind: 'progress'; readonly text: string }
  /** Bytes so far and in all; only when something has to come from the network. */
  | { readonly kind: 'loading'; readonly what: string; readonly loaded: number; readonly total: number }
  /** While clang runs, nothing else can. */
  | { readonly kind: 'compiling'; readonly isRunning: boolean }
  | { readonly kind: 'done'; readonly outcome: Outcome };
