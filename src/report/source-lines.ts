/** Quotes source files, each read once. */
import { readSourceFile } from '../platform/standard-input.ts';

/** Lines of the user's files, to quote; `undefined` if the file or line cannot be read. */
export type SourceLines = (file: string, line: number) => string | undefined;

export function sourceLines(): SourceLines {
  const files = new Map<string, readonly string[]>();
  return (file, line) => {
    let lines = files.get(file);
    if (lines === undefined) {
      try {
        lines = readSourceFile(file).toString('utf8').split(/\r?\n/);
      } catch {
        lines = [];
      }
      files.set(file, lines);
    }
    return lines[line - 1];
  };
}
