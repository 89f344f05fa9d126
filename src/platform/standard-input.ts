/**
 * A program that is read from standard input. Standard input can be read only once, and a report that is replayed
 * brings its own copy, so the text is kept here for everything that would read a file.
 */
import { readFileSync } from 'node:fs';
import { readRegularFile } from './regular-file.ts';

/** Its name in reports. */
export const STANDARD_INPUT = '<stdin>';

let text: Buffer | undefined;

/** Sets the text that would come from standard input, from a report that has kept it. */
export function rememberStandardInput(bytes: Uint8Array): void {
  text = Buffer.from(bytes);
}

/** In bytes. No handwritten source is this large; reading it would only fill memory. */
export const MAX_SOURCE: number = 64 * 1024 * 1024;

/**
 * The contents of a source file, or of standard input. Throws an `Unreadable`: names of files may come from a report, or
 * from debug information, and could be those of devices.
 */
export function readSourceFile(file: string): Buffer {
  if (file !== STANDARD_INPUT) return readRegularFile(file, MAX_SOURCE);
  text ??= readFileSync(0);
  return text;
}
