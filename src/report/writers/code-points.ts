/** Columns as editors count them, in characters (code points); clang counts bytes. */
import { readSourceFile } from '../../platform/standard-input.ts';

/** Converts a column from clang, counted from 1; unchanged if the file or line cannot be read. */
export type ColumnOf = (file: string, line: number, column: number) => number;

export function codePointColumns(): ColumnOf {
  /** Lines of files, decoded with one character per byte. */
  const files = new Map<string, readonly string[]>();
  return (file, line, column) => {
    let lines = files.get(file);
    if (lines === undefined) {
      lines = readBytes(file).split('\n');
      files.set(file, lines);
    }
    const text = lines[line - 1];
    if (text === undefined || column < 1 || column > text.length + 1) return column;
    return [...Buffer.from(text.slice(0, column - 1), 'latin1').toString('utf8')].length + 1;
  };
}

function readBytes(file: string): string {
  try {
    return readSourceFile(file).toString('latin1');
  } catch {
    return '';
  }
}
