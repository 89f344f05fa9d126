/**
 * Replaces the contents of the user's files: each completely or not at all, and none if one of them cannot be changed.
 */
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

/** `before` and `after` are decoded as Latin-1. */
interface FileChange {
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

/** Replaces the files and returns `undefined`, or returns why they cannot be changed. */
export function replaceFiles(changes: readonly FileChange[]): string | undefined {
  const obstacle = findObstacle(changes);
  if (obstacle !== undefined) return obstacle;
  const prepared: Prepared[] = [];
  const replaced: Prepared[] = [];
  try {
    for (const change of changes) prepared.push(prepare(change, change.after));
    // Checked again, since a user may have saved one of the files while the others were written.
    const late = findObstacle(changes);
    if (late !== undefined) return late;
    for (const one of prepared) {
      renameSync(one.scratch, one.path);
      replaced.push(one);
    }
    return undefined;
  } catch (error) {
    for (const { change, path } of replaced) renameSync(prepare(change, change.before).scratch, path);
    return `cannot write: ${error instanceof Error ? error.message : error}`;
  } finally {
    for (const { scratch } of prepared) rmSync(scratch, { force: true });
  }
}

/** The new text is written to `scratch`, beside the file, and then renamed. */
interface Prepared {
  readonly change: FileChange;
  readonly path: string;
  readonly scratch: string;
}

function prepare(change: FileChange, text: string): Prepared {
  const path = realpathSync(change.file);
  const scratch = `${path}.fencepost-${process.pid}`;
  writeFileSync(scratch, text, { encoding: 'latin1', mode: statSync(path).mode & 0o777, flag: 'wx' });
  return { change, path, scratch };
}

function findObstacle(changes: readonly FileChange[]): string | undefined {
  for (const { file, before } of changes) {
    const reason = whyNot(file, before);
    if (reason !== undefined) return `no file was changed: ${file}: ${reason}`;
  }
  return undefined;
}

function whyNot(file: string, before: string): string | undefined {
  try {
    const path = realpathSync(file);
    const user = process.getuid?.();
    if (user !== undefined && statSync(path).uid !== user) return 'it belongs to another user';
    accessSync(path, constants.W_OK);
    accessSync(dirname(path), constants.W_OK);
    if (readFileSync(path, 'latin1') !== before) return 'it has changed since it was read';
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
