/**
 * The model of C11 and C++20, as repaired by Lahav, Vafeiadis, Kang, Hur and Dreyer (PLDI 2017): [RC11]. Its axioms are in
 * `explore/graph/rc11.ts`; the machine only carries out the choices that are consistent.
 */
export const RC11 = {
  name: 'rc11',
  buffers: 'none',
  atomicsWaitFor: 'nothing',
  heedsBarriers: false,
  loadsMayBeStale: true,
  unlockOrdersLoads: false,
  isAxiomatic: true,
  capabilities: {
    check: true,
    dpor: false,
    bounded: false,
    litmus: true,
    monitors: false,
    robust: false,
    fix: true,
    hunt: false,
    graph: true,
  },
  why: {
    dpor: 'its executions are graphs, which explore/graph explores',
    monitors: 'its executions are graphs, for which no monitor is known; use check',
    robust: 'rc11 has execution graphs, not schedules of a machine; use check',
    hunt: 'rc11 has execution graphs, not schedules of a machine; use check',
  },
} as const;
