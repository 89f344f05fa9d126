/** Places for output are tested before long work, not only after it. */
import { accessSync, constants, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { readStart } from '../../platform/regular-file.ts';

/** A kind of output: what it is called, and how its files begin. */
interface OutputKind {
  readonly what: string;
  readonly begins: RegExp;
}

export const PAGE: OutputKind = {
  what: 'a page',
  begins: /^<!doctype html>[\s\S]*<meta name="generator" content="fencepost">/,
};
export const RECORDING: OutputKind = { what: 'a log', begins: /^(?:FPLOG\0|\{"log": ?"fencepost\/)/ };
export const TRACE_GRAPH: OutputKind = {
  what: 'a graph',
  begins: /^(?:digraph trace \{|\{\s*"schema": "fencepost\/1",\s*"graph":)/,
};

/** Enough to recognise any kind. */
const START = 2048;

/**
 * Why a file must not, or cannot, be written there, as far as that is known now. `inputs` must stay as they are. A file
 * that exists is replaced only if it is of the same kind, or empty: it may be a source, a header, or anything else, also
 * where a link leads to it.
 */
export function unwritable(file: string, inputs: readonly string[], { what, begins }: OutputKind): string | undefined {
  if (file === '-') return 'an output needs a file name; standard output is for the report';
  try {
    if (inputs.some((input) => isSameFile(input, file))) return `${file} is an input; choose another name`;
    const found = statSync(file, { throwIfNoEntry: false });
    if (found?.isDirectory() === true) return `${file} is a folder`;
    if (
      found?.isFile() === true &&
      found.size > 0 &&
      !begins.test(Buffer.from(readStart(file, START)).toString('latin1'))
    )
      return `${file} exists, and is not ${what} of ours; choose another name`;
    accessSync(dirname(file), constants.W_OK);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return `${file} cannot be written: ${code === 'ENOENT' ? `there is no folder ${dirname(file)}` : code}`;
  }
}

/** Whether both names lead to the same file, through links of either kind. */
function isSameFile(one: string, other: string): boolean {
  if (resolve(one) === resolve(other)) return true;
  const [a, b] = [one, other].map((file) => statSync(file, { throwIfNoEntry: false, bigint: true }));
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino;
}
