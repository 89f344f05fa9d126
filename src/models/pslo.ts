/** Partial store and load order: PSO with loads that may be stale. */
export const PSLO = {
  name: 'pslo',
  buffers: 'location',
  atomicsWaitFor: 'own bytes',
  heedsBarriers: true,
  loadsMayBeStale: true,
  capabilities: {
    check: false,
    dpor: false,
    bounded: false,
    litmus: true,
    monitors: false,
    robust: false,
    fix: false,
    hunt: true,
  },
  why: {
    check: 'pslo is for litmus tests and hunt',
    dpor: 'there is no happens-before for stale loads',
  },
} as const;
