/** Places for output are tested before long work, not only after it. */
import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Why no file can be written there, as far as that is known now. */
export function unwritable(file: string): string | undefined {
  try {
    if (statSync(file, { throwIfNoEntry: false })?.isDirectory() === true) return `${file} is a folder`;
    accessSync(dirname(file), constants.W_OK);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return `${file} cannot be written: ${code === 'ENOENT' ? `there is no folder ${dirname(file)}` : code}`;
  }
}
