/** Small helpers for text in columns. */

/** Fills with spaces to `width` characters (code points, not UTF-16 units). */
function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - [...text].length));
}

/** `1 test`, `2 tests`. */
export function plural(count: number, noun: string): string {
  return `${groupThousands(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Rows of cells as lines, every column as wide as its widest cell. */
export function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, [...cell].length);
  }
  return rows.map((row) => {
    const cells = row.map((cell, column) => pad(cell, widths[column]!));
    return cells.join('  ').trimEnd();
  });
}

export function shorten(text: string, length: number): string {
  const characters = [...text];
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`;
}

/** Makes control characters and direction marks in untrusted text harmless for a terminal. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is being replaced
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, (c) => {
    const code = c.charCodeAt(0).toString(16);
    return code.length > 2 ? `\\u${code.padStart(4, '0')}` : `\\x${code.padStart(2, '0')}`;
  });
}

/** 1234567 → 1,234,567. By hand, because loading a locale takes longer than most checks. */
export function groupThousands(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}
