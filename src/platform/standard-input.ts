/**
 * A program that is read from standard input. Standard input can be read only once, and a report that is replayed
 * brings its own copy, so the text is kept here for everything that would read a file.
 */
import { readFileSync } from 'node:fs';

/** Its name in reports. */
export const STANDARD_INPUT = '<stdin>';

let text: Buffer | undefined;

/** Sets the text that would come from standard input, from a report that has kept it. */
export function rememberStandardInput(bytes: Uint8Array): void {
  text = Buffer.from(bytes);
}

/** The contents of a source file, or of standard input. Throws what `readFileSync` throws. */
export function readSourceFile(file: string): Buffer {
  if (file !== STANDARD_INPUT) return readFileSync(file);
  text ??= readFileSync(0);
  return text;
}
