/**
 * [SOBER] Fig. 4(a) and 4(b) on our versions of its programs (`programs/sober`). The paper counts interleavings and
 * borderline runs of the programs without fences, and times the verification of the fenced ones, with SOBER and with
 * CHESS alone.
 */
import { measureRow } from './experiments.ts';
import { SOBER } from './experiments-table.ts';
import type { Suite } from './suite.ts';

export const sober: Suite = {
  name: 'sober',
  about: "SOBER's Fig. 4: interleavings up to a number of preemptions, those that trip a monitor, and the time",
  cases: SOBER.map(({ name }) => name),
  measure: (name) =>
    measureRow(SOBER.find((row) => row.name === name)!, { published: ['sober'], ours: ['causal-tso'] }),
  // Without the bound on preemptions: executions are not interleavings, so only verdicts and times can be compared.
  inputs: (name) => {
    const { file, defines } = SOBER.find((row) => row.name === name)!;
    return [{ files: [file], defines, model: 'sc' }];
  },
};
