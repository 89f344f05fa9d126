import type { ModelHelp } from './model.ts';

const HELP: ModelHelp = {
  title: 'Partial store and load order',
  where: 'no real machine',
  allows:
    'As pso, and a load may return a value that memory held earlier, back to the last acquire, lock or fence of its ' +
    'thread. So loads seem to be reordered with each other. It allows more than any machine we know.',
  machine: undefined,
  use:
    'For experiments: it is the model of the RELAXER paper. For real code, use rc11. A failure that only this model ' +
    'finds may be impossible in practice. Programs must be very small, because all their states are enumerated.',
  example: {
    title: 'Message passing with a store-store fence. data and ready are 0 at first.',
    code: [
      'thread 1                  thread 2',
      'data = 42;                r = ready;',
      'store-store fence;        s = data;',
      'ready = 1;',
    ],
    outcome:
      'r == 1 and s == 0 is possible: the load of data is stale. pso forbids it, and so does an acquire load of ready.',
    litmus: 'litmus/MP/MP+sfence+po.litmus',
  },
};

/**
 * Partial store and load order: PSO with loads that may be stale. Unlocking a mutex orders stores only, as in [RELAXER]
 * Sect. 5.1.
 */
export const PSLO = {
  name: 'pslo',
  buffers: 'location',
  atomicsWaitFor: 'own bytes',
  heedsBarriers: true,
  loadsMayBeStale: true,
  unlockOrdersLoads: false,
  isAxiomatic: false,
  axioms: 'buffers',
  language: undefined,
  isDefault: false,
  help: HELP as ModelHelp,
  capabilities: {
    check: true,
    dpor: false,
    bounded: false,
    litmus: true,
    monitors: false,
    robust: true,
    fix: false,
    hunt: true,
    graph: false,
  },
  why: {
    dpor: 'there is no happens-before for stale loads',
  },
} as const;
