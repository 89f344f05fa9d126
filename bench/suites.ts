/** The table of suites: to add one, add a file beside this one and its name here. */
import { core } from './core.ts';
import { dpor } from './dpor.ts';
import { idle } from './idle.ts';
import { memory } from './memory.ts';
import { mon } from './mon.ts';
import { monitors } from './monitors.ts';
import { nidhugg } from './nidhugg.ts';
import { relaxer } from './relaxer.ts';
import { scaling } from './scaling.ts';
import { sober } from './sober.ts';
import { startup } from './startup.ts';
import type { Suite } from './suite.ts';
import { threads } from './threads.ts';
import { viewer } from './viewer.ts';

export const suites: readonly Suite[] = [
  core,
  dpor,
  idle,
  memory,
  mon,
  monitors,
  nidhugg,
  relaxer,
  scaling,
  sober,
  startup,
  threads,
  viewer,
];
