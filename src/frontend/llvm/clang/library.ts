/** Where our own C is: the headers that programs include, and the library that defines their functions. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { packaged } from '../../../platform/package-folder.ts';

export const HEADERS: string = packaged('include');
const LIBRARY: string = packaged('lib');

/** How places in the library are shown to the user, wherever it is installed. */
export const LIBRARY_NAME = 'fencepost/lib';

/** Clang takes the first `=` for the separator. */
export const LIBRARY_FLAGS: readonly string[] = LIBRARY.includes('=')
  ? []
  : [`-ffile-prefix-map=${LIBRARY}=${LIBRARY_NAME}`];

export function libraryFiles(): readonly string[] {
  const names = readdirSync(LIBRARY).filter((name) => name.endsWith('.c'));
  return names.sort().map((name) => join(LIBRARY, name));
}
