/** Total store order: stores of a thread reach memory late, in program order. */
export const TSO = {
  name: 'tso',
  buffers: 'thread',
  atomicsWaitFor: 'all',
  heedsBarriers: false,
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
