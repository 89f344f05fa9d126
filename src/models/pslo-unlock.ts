/** PSLO in which unlocking a mutex is a load–load barrier too, as one remark of [RELAXER] (Sect. 5.4) has it. */
export const PSLO_UNLOCK = {
  name: 'pslo-unlock',
  buffers: 'location',
  atomicsWaitFor: 'own bytes',
  heedsBarriers: true,
  loadsMayBeStale: true,
  unlockOrdersLoads: true,
  isAxiomatic: false,
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
