/** The table of suites. */
import { core } from './core.ts';
import type { Suite } from './suite.ts';

export const suites: readonly Suite[] = [core];
