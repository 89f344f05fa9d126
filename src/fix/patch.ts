/** Edits as patches that `patch -p1` and `git apply` accept. Neither follows `..` or symbolic links. */
import { realpathSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import type { FileEdits } from './source-file.ts';
import { applyEdits, unifiedDiff } from './text.ts';

/** Texts in Latin-1: a character is a byte. */
export interface Patch {
  readonly file: string;
  readonly before: string;
  readonly after: string;
  readonly diff: string;
}

export interface Patches {
  readonly patches: readonly Patch[];
  /** The folder that their paths are relative to: `here`, or its nearest parent that contains all the files. */
  readonly folder: string;
}

export function makePatches(edits: FileEdits, here: string = process.cwd()): Patches {
  const files = [...edits].map(([file, own]) => ({ file, own, path: realPath(resolve(here, file.name)) }));
  let folder = realPath(here);
  while (files.some(({ path }) => !isInside(path, folder)) && dirname(folder) !== folder) folder = dirname(folder);
  const patches = files.map(({ file: { name, text }, own, path }): Patch => {
    const bytes = Buffer.from(relative(folder, path)).toString('latin1');
    return { file: name, before: text, after: applyEdits(text, own), diff: unifiedDiff(bytes, text, own) };
  });
  return { patches, folder };
}

function isInside(path: string, folder: string): boolean {
  return relative(folder, path).split(sep)[0] !== '..';
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
