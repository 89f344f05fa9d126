/** Places for output are tested before long work, not only after it. */
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Why a file must not, or cannot, be written there, as far as that is known now. `inputs` must stay as they are. */
export function unwritable(file: string, inputs: readonly string[]): string | undefined {
  if (file === '-') return 'an output needs a file name; standard output is for the report';
  if (inputs.some((input) => realPath(input) === realPath(file))) return `${file} is an input; choose another name`;
  try {
    if (statSync(file, { throwIfNoEntry: false })?.isDirectory() === true) return `${file} is a folder`;
    accessSync(dirname(file), constants.W_OK);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return `${file} cannot be written: ${code === 'ENOENT' ? `there is no folder ${dirname(file)}` : code}`;
  }
}

function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return resolve(file);
  }
}
