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
