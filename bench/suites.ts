/** The table of suites: a new one is a file beside this one and its name here. */
import { core } from './core.ts';
import { dpor } from './dpor.ts';
import { memory } from './memory.ts';
import { nidhugg } from './nidhugg.ts';
import { scaling } from './scaling.ts';
import { startup } from './startup.ts';
import type { Suite } from './suite.ts';

export const suites: readonly Suite[] = [core, dpor, memory, nidhugg, scaling, startup];
