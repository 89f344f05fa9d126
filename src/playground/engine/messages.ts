/** The messages between the page and the engine. */

export interface Program {
  /** A name without a folder; the extension determines the kind. */
  readonly name: string;
  readonly text: string;
}

export type Request =
  | {
      readonly kind: 'run';
      /** The first file is the program; the others are its further sources and its headers. */
      readonly files: readonly Program[];
      /** The command's arguments. */
      readonly args: readonly string[];
      /** Width of the text, in characters. */
      readonly columns: number;
    }
  /** Like Ctrl-C. */
  | { readonly kind: 'stop' };

/** A piece of the command's output, in the order in which it was written. */
export interface Chunk {
  readonly isDiagnostic: boolean;
  readonly text: string;
}

export interface Outcome {
  readonly exit: number;
  readonly output: readonly Chunk[];
  /** The page that `--html` writes, if there is something to show. */
  readonly page?: string;
  /** The files after the command, since `fix --write` changes them. */
  readonly files: readonly Program[];
  /** The folder of the run, if it was saved for `replay`. */
  readonly kept?: string;
}

export type Answer =
  | { readonly kind: 'progress'; readonly text: string }
  /** Bytes so far and in total; sent only if something has to come from the network. */
  | { readonly kind: 'loading'; readonly what: string; readonly loaded: number; readonly total: number }
  /** While clang runs, the engine can do nothing else. */
  | { readonly kind: 'compiling'; readonly isRunning: boolean }
  | { readonly kind: 'done'; readonly outcome: Outcome };
