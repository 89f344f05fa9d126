/** Where our own C is: the headers that programs include, and the library that defines their functions. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { packaged } from '../../../platform/package-folder.ts';
import { HEADERS_NAME } from './clang-flags.ts';

export const HEADERS: string = packaged('include');
const LIBRARY: string = packaged('lib');

/** The folder of the library in places shown to the user, wherever it is installed. */
export const LIBRARY_NAME = 'fencepost/lib';

/** Keeps the package's location out of the library's IR. Clang splits at the first `=`. */
export const LIBRARY_FLAGS: readonly string[] = [
  [LIBRARY, LIBRARY_NAME],
  [HEADERS, HEADERS_NAME],
].flatMap(([folder, name]) => (folder!.includes('=') ? [] : [`-ffile-prefix-map=${folder}=${name}`]));

export function libraryFiles(folder: string = LIBRARY): readonly string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.c'));
  return names.sort().map((name) => join(folder, name));
}
