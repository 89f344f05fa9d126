/** Why a text is not a litmus test that we accept: what was found, where, and what was expected. */
export class LitmusError extends Error {
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
    this.name = 'LitmusError';
    this.file = file;
    this.line = line;
    this.column = column;
    this.found = shown;
    this.expected = expected;
  }
}

const MAX_SHOWN = 40;

/** Safe to print on one line of a terminal, whatever bytes the text contains. */
export function shorten(text: string): string {
  // Truncate before escaping character by character: the text can be a line of a megabyte.
  const characters = Array.from(text.slice(0, 2 * MAX_SHOWN + 2));
  const shown = characters.length > MAX_SHOWN ? [...characters.slice(0, MAX_SHOWN - 1), '…'] : characters;
  return shown.map(escapeControl).join('');
}

function escapeControl(character: string): string {
  const code = character.codePointAt(0)!;
  switch (character) {
    case '\n':
      return '\\n';
    case '\r':
      return '\\r';
    case '\t':
      return '\\t';
  }
  const invisible = code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0xd800 && code < 0xe000);
  if (invisible || code === 0x2028 || code === 0x2029 || code === 0xfeff || (code >= 0x202a && code <= 0x202e)) {
    return `\\u${code.toString(16).padStart(4, '0')}`;
  }
  return character;
}
