/** The table of suites. */
import { core } from './core.ts';
import { dpor } from './dpor.ts';
import { memory } from './memory.ts';
import { nidhugg } from './nidhugg.ts';
import { relaxer } from './relaxer.ts';
import { scaling } from './scaling.ts';
import type { Suite } from './suite.ts';

export const suites: readonly Suite[] = [core, dpor, memory, nidhugg, relaxer, scaling];
