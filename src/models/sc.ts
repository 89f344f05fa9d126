/** Sequential consistency: every operation acts on memory at once. The reference for the other models. */
export const SC = {
  name: 'sc',
  buffers: 'none',
  atomicsWaitFor: 'nothing',
  heedsBarriers: false,
  loadsMayBeStale: false,
  unlockOrdersLoads: false,
  isAxiomatic: false,
  capabilities: {
    check: true,
    dpor: true,
    bounded: true,
    litmus: true,
    monitors: false,
    robust: false,
    fix: false,
    hunt: false,
    graph: true,
  },
  why: {
    hunt: 'sc executions have no cycles, so there is nothing to hunt; use check',
  },
} as const;
