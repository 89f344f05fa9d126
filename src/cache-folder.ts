/** Where we keep what earlier runs have made, to save time: in the user's cache folder. */
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** `undefined` if the user turned it off with `FENCEPOST_CACHE=off`. */
export function cacheFolder(env: NodeJS.ProcessEnv, cwd: string): string | undefined {
  if (env['FENCEPOST_CACHE'] === 'off') return undefined;
  const local = process.platform === 'win32' ? env['LOCALAPPDATA'] : undefined;
  const home = env['XDG_CACHE_HOME'] || local || join(env['HOME'] || homedir(), '.cache');
  return resolve(cwd, home, 'fencepost');
}
