/** The hash used for everything that is kept or compared. */
import { createHash } from 'node:crypto';

/** For keys and contents alike. */
export function hash(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}
