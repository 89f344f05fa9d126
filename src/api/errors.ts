/** What the functions of the API throw. Anything else they throw is a defect of ours. */
import type { ProblemReport } from '../report/schema.ts';

/** An invalid option or combination of options; the message says what to change. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A program or test that cannot be read, compiled or modelled. */
export class InputError extends Error {
  override readonly name = 'InputError';
  readonly file: string;
  /** The place, if known; if the compiler reports several errors, that of the first. */
  readonly line: number | undefined;
  readonly column: number | undefined;
  /** What the compiler printed. */
  readonly diagnostics: string;

  constructor({ file, message, line, column }: ProblemReport, diagnostics = '') {
    const place = [file, line, column].filter((part) => part !== undefined).join(':');
    super(message.startsWith(file) ? message : `${place}: ${message}`);
    this.file = file;
    this.line = line;
    this.column = column;
    this.diagnostics = diagnostics;
  }
}

/** An execution that cannot be replayed: the program has changed, or the report was edited. */
export class ReplayError extends Error {
  override readonly name = 'ReplayError';
}
