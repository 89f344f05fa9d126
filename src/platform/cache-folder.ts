/** Where we keep what earlier runs have made, to save time: in the user's cache folder. */
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';

/**
 * `undefined` if the user turned it off with `FENCEPOST_CACHE=off`. A relative path is ignored, as the XDG specification
 * asks: it would make any folder that a program is checked in a place to keep code in.
 */
export function cacheFolder(env: NodeJS.ProcessEnv): string | undefined {
  if (env['FENCEPOST_CACHE'] === 'off') return undefined;
  const local = process.platform === 'win32' ? env['LOCALAPPDATA'] : undefined;
  const homes = [env['XDG_CACHE_HOME'], local, join(env['HOME'] || homedir(), '.cache')];
  const home = homes.find((path) => path !== undefined && isAbsolute(path));
  return home === undefined ? undefined : join(home, 'fencepost');
}

/**
 * With all the folders it is in, one after the other: where none can be made, Node's own way of doing that may never end.
 * Nobody else gets into it.
 */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Somebody else was faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
