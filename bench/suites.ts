/** The table of suites: to add one, add a file beside this one and its name here. */
import { bakery } from './bakery.ts';
import { core } from './core.ts';
import { dpor } from './dpor.ts';
import { idle } from './idle.ts';
import { memory } from './memory.ts';
import { mon } from './mon.ts';
import { monitors } from './monitors.ts';
import { nidhugg } from './nidhugg.ts';
import { nidhuggSet } from './nidhugg-set.ts';
import { pairs } from './pairs.ts';
import { relaxer, relaxerPublished } from './relaxer.ts';
import { relaxerVariants } from './relaxer-variants.ts';
import { scaling } from './scaling.ts';
import { sober } from './sober.ts';
import { startup } from './startup.ts';
import type { Suite } from './suite.ts';
import { takequeue } from './takequeue.ts';
import { threads } from './threads.ts';
import { viewer } from './viewer.ts';

export const suites: readonly Suite[] = [
  bakery,
  core,
  dpor,
  idle,
  memory,
  mon,
  monitors,
  nidhugg,
  nidhuggSet,
  pairs,
  relaxer,
  relaxerPublished,
  relaxerVariants,
  scaling,
  sober,
  startup,
  takequeue,
  threads,
  viewer,
];
