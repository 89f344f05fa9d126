/** Partial store order: stores of a thread to different locations reach memory in any order that barriers allow. */
export const PSO = {
  name: 'pso',
  buffers: 'location',
  atomicsWaitFor: 'own bytes',
  heedsBarriers: true,
  loadsMayBeStale: false,
  unlockOrdersLoads: false,
  isAxiomatic: false,
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
