/** A block of memory, described in words. */
import { asCode } from '../../util/code-text.ts';
import type { BlockReport } from '../trace-schema.ts';

/** `8 bytes, allocated at a.c:3`; ``local variable `id`, 8 bytes, declared at a.c:3``. */
export function blockText({ bytes, local, variable, file, line }: BlockReport): string {
  const size = `${bytes} byte${bytes === 1 ? '' : 's'}`;
  const where = file === undefined ? '' : ` at ${file}:${line}`;
  if (local !== true) return `${size}${where === '' ? '' : `, allocated${where}`}`;
  const what = variable === undefined ? 'a local object' : `local variable ${asCode(variable)}`;
  return `${what}, ${size}${where === '' ? '' : `, declared${where}`}`;
}
