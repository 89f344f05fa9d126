/** Partial store and load order: PSO with loads that may be stale. */
import type { ModelDescription } from './model.ts';
import { PSO } from './pso.ts';

export const PSLO: ModelDescription<'pslo'> = {
  ...PSO,
  name: 'pslo',
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
};
