/** [MON] Tables 1 and 2 on our versions of its programs (`programs/mon`): up to one and up to two preemptions. */
import { measureRow } from './experiments.ts';
import { MON } from './experiments-table.ts';
import type { Suite } from './suite.ts';

export const mon: Suite = {
  name: 'mon',
  about: "MON's Tables 1 and 2: interleavings up to a number of preemptions, and distinct violations under TSO and PSO",
  cases: MON.map(({ name }) => name),
  measure: (name) =>
    measureRow(MON.find((row) => row.name === name)!, {
      published: ['tso', 'pso'],
      ours: ['causal-tso', 'causal-pso'],
    }),
  // Without the bound on preemptions: executions are not interleavings, so only verdicts and times can be compared.
  inputs: (name) => {
    const { file, defines } = MON.find((row) => row.name === name)!;
    return [{ files: [file], defines, model: 'sc' }];
  },
};
