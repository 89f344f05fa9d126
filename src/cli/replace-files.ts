/** Changes files of the user's: each as a whole or not at all, and none if one of them cannot be. */
import {
  accessSync,
  constants,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';

/** Texts in Latin-1. */
export interface FileChange {
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

/** What keeps the files from being changed, in words; `undefined` once they have been. */
export function replaceFiles(changes: readonly FileChange[]): string | undefined {
  for (const { file, before } of changes) {
    const reason = whyNot(file, before);
    if (reason !== undefined) return `${file} was not changed, nor any other file: ${reason}`;
  }
  const written: { readonly scratch: string; readonly path: string }[] = [];
  try {
    for (const { file, after } of changes) {
      const path = realpathSync(file);
      const scratch = `${path}.fencepost-${process.pid}`;
      written.push({ scratch, path });
      writeFileSync(scratch, after, { encoding: 'latin1', mode: statSync(path).mode & 0o777, flag: 'wx' });
    }
    for (const { scratch, path } of written) renameSync(scratch, path);
    return undefined;
  } catch (error) {
    for (const { scratch } of written) rmSync(scratch, { force: true });
    return `cannot write: ${error instanceof Error ? error.message : error}`;
  }
}

function whyNot(file: string, before: string): string | undefined {
  try {
    const path = realpathSync(file);
    const user = process.getuid?.();
    if (user !== undefined && statSync(path).uid !== user) return 'it belongs to somebody else';
    accessSync(path, constants.W_OK);
    accessSync(dirname(path), constants.W_OK);
    if (readFileSync(path, 'latin1') !== before) return 'it has changed since it was read';
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
