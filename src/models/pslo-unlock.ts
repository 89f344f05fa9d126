import type { ModelHelp } from './model.ts';
import { PSLO } from './pslo.ts';

const HELP: ModelHelp = {
  ...PSLO.help,
  title: 'The same as pslo, but unlocking orders loads too',
  allows: PSLO.help.allows.replace('of its thread', 'of its thread (here, also the last unlock)'),
};

/** PSLO in which unlocking a mutex is also a load–load barrier, as one remark of [RELAXER] (Sect. 5.4) has it. */
export const PSLO_UNLOCK = {
  name: 'pslo-unlock',
  buffers: 'location',
  atomicsWaitFor: 'own bytes',
  heedsBarriers: true,
  loadsMayBeStale: true,
  unlockOrdersLoads: true,
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
