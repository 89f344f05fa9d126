/** Why a text is not LLVM IR that we understand: what was found, where in the `.ll` text, and what was expected. */
export class LlvmError extends Error {
  readonly file: string;
  /** Lines and columns count from 1. */
  readonly line: number;
  readonly column: number;
  /** The offending text, shortened and with control characters escaped. */
  readonly found: string;
  readonly expected: string;

  constructor(file: string, line: number, column: number, found: string, expected: string) {
    const shown = shorten(found);
    super(`${file}:${line}:${column}: found "${shown}", expected ${expected}`);
    this.name = 'LlvmError';
    this.file = file;
    this.line = line;
    this.column = column;
    this.found = shown;
    this.expected = expected;
  }
}

const MAX_SHOWN = 60;

/** LLVM writes plain ASCII: any other character is shown as its code. */
function shorten(text: string): string {
  const shown = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN - 3)}...` : text;
  return shown.replace(/[^ -~]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
