/** The block in which a `memset`, `memcpy` or assignment goes through memory: in a loop, but none of the program. */
import type { Block } from './ir.ts';

export const COPY_BODY = 'copy.body';

export function isCopyBlock({ name }: Block): boolean {
  return name === COPY_BODY;
}
