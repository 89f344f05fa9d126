/** Names for the changes of `fix`; for the terminal and the viewer. */
import type { ChangeReport } from '../schema.ts';

export const CHANGE_NAMES: Readonly<Record<ChangeReport['kind'], string>> = {
  'full-fence': 'full fence',
  'store-fence': 'store-store fence',
  'acquire-fence': 'acquire fence',
  release: 'release order',
  acquire: 'acquire order',
  'acquire-failure': 'acquire order for failure',
  seq_cst: 'seq_cst order',
};
