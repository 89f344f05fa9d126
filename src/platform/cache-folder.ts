/** The folder for results of earlier runs, inside the user's cache folder. */
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';

/**
 * `undefined` if the user turned it off with `FENCEPOST_CACHE=off`. A relative path is ignored, as the XDG
 * specification requires: it would let any folder in which a program is checked provide cached code.
 */
export function cacheFolder(env: NodeJS.ProcessEnv): string | undefined {
  if (env['FENCEPOST_CACHE'] === 'off') return undefined;
  const local = process.platform === 'win32' ? env['LOCALAPPDATA'] : undefined;
  const homes = [env['XDG_CACHE_HOME'], local, join(env['HOME'] || homedir(), '.cache')];
  const home = homes.find((path) => path !== undefined && isAbsolute(path));
  return home === undefined ? undefined : join(home, 'fencepost');
}

/**
 * Makes the folder and its parents one by one, accessible only to the user. Node's own `recursive` may never return
 * where no folder can be created.
 */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process was faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
