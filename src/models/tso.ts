/** Total store order: stores of a thread reach memory late, in program order. */
import type { ModelDescription } from './model.ts';

export const TSO: ModelDescription<'tso'> = {
  name: 'tso',
  buffers: 'thread',
  atomicsWaitFor: 'all',
  heedsBarriers: false,
  loadsMayBeStale: false,
  capabilities: {
    check: true,
    dpor: true,
    bounded: false,
    litmus: true,
    monitors: true,
    robust: true,
    fix: true,
    hunt: true,
  },
};
