/** The table of suites: to add one, add a file beside this one and its name here. */
import { core } from './core.ts';
import { dpor } from './dpor.ts';
import { estimate } from './estimate.ts';
import { fairness } from './fairness.ts';
import { graph } from './graph.ts';
import { growth } from './growth.ts';
import { jobs } from './jobs.ts';
import { memory } from './memory.ts';
import { mon } from './mon.ts';
import { monitors } from './monitors.ts';
import { nidhugg } from './nidhugg.ts';
import { nidhuggSet } from './nidhugg-set.ts';
import { openCells } from './open-cells.ts';
import { pairs } from './pairs.ts';
import { profile } from './profile.ts';
import { relaxer, relaxerPublished } from './relaxer.ts';
import { relaxerVariants } from './relaxer-variants.ts';
import { scaling } from './scaling.ts';
import { sober } from './sober.ts';
import { startup } from './startup.ts';
import type { Suite } from './suite.ts';
import { takequeue } from './takequeue.ts';
import { threads } from './threads.ts';
import { thrille } from './thrille.ts';
import { viewer } from './viewer.ts';

export const suites: readonly Suite[] = [
  core,
  dpor,
  estimate,
  fairness,
  graph,
  growth,
  jobs,
  memory,
  mon,
  monitors,
  nidhugg,
  nidhuggSet,
  openCells,
  pairs,
  profile,
  relaxer,
  relaxerPublished,
  relaxerVariants,
  scaling,
  sober,
  startup,
  takequeue,
  threads,
  thrille,
  viewer,
];
