/** Where we keep what earlier runs have made, to save time: in the user's cache folder. */
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/** `undefined` if the user turned it off with `FENCEPOST_CACHE=off`. */
export function cacheFolder(env: NodeJS.ProcessEnv, cwd: string): string | undefined {
  if (env['FENCEPOST_CACHE'] === 'off') return undefined;
  const local = process.platform === 'win32' ? env['LOCALAPPDATA'] : undefined;
  const home = env['XDG_CACHE_HOME'] || local || join(env['HOME'] || homedir(), '.cache');
  return resolve(cwd, home, 'fencepost');
}

/** With all the folders it is in, one after the other: where none can be made, Node's own way of doing that may never end. */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Somebody else was faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
