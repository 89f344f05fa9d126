import type { ModelHelp } from './model.ts';

const HELP: ModelHelp = {
  title: 'Partial store order',
  where: 'SPARC in PSO mode',
  allows:
    'As tso, but with a buffer for each location: stores of one thread to different locations reach memory in any order. A ' +
    'release store or a release fence keeps them in order. Loads are never reordered with each other.',
  machine: 'SPARC',
  use:
    'To see which stores must stay in order, with an execution that shows why. A failure here is a warning for ARM and POWER; ' +
    'success is no proof for them, because they reorder loads too: ask rc11.',
  example: {
    title: 'Message passing. data and ready are 0 at first.',
    code: ['thread 1      thread 2', 'data = 42;    r = ready;', 'ready = 1;    s = data;'],
    outcome:
      'r == 1 and s == 0 is possible: ready overtakes data. tso forbids it, and so does a release store to ready.',
    litmus: 'litmus/MP/MP.litmus',
  },
};

/** Partial store order: stores of a thread to different locations reach memory in any order that barriers allow. */
export const PSO = {
  name: 'pso',
  buffers: 'location',
  atomicsWaitFor: 'own bytes',
  heedsBarriers: true,
  loadsMayBeStale: false,
  unlockOrdersLoads: false,
  isAxiomatic: false,
  axioms: 'buffers',
  language: undefined,
  isDefault: true,
  help: HELP as ModelHelp,
  capabilities: {
    check: true,
    dpor: true,
    bounded: false,
    litmus: true,
    monitors: true,
    robust: true,
    fix: true,
    hunt: true,
    graph: true,
  },
} as const;
