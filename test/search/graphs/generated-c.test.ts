/**
 * Generated C programs that combine all features, by execution graphs: under SC, TSO and PSO compared with the
 * simulator and Optimal-DPOR, under RC11 with what these allow. See [compare.ts](../../fuzz/compare.ts).
 */
import { expect, it } from 'vitest';
import { type Plan, simulateAll, Tally } from '../../fuzz/compare.ts';
import { NO_OPTIONS } from '../../fuzz/compare-options.ts';
import { generate } from '../../fuzz/generate.ts';
import { GRAPH_FORMS, graphForm } from '../../fuzz/graph-forms.ts';
import { printFile } from '../../fuzz/print-c.ts';
import { type Chosen, compareAll } from '../../fuzz/session.ts';
import { DEEP, SEED, samples } from '../../support/tier.ts';

const PER_BATCH = DEEP ? 30 : 12;
const PLAN: Plan = {
  source: false,
  enumerate: false,
  exhaustive: false,
  compiled: false,
  noSpin: false,
  check: false,
  robust: false,
  shortcuts: [],
  traces: false,
  asWritten: false,
  npm: false,
  compiledForms: false,
  awaits: false,
  commuting: false,
  shortcutsCommuting: [],
  graph: true,
  monitors: false,
  parts: false,
  ...NO_OPTIONS,
};

it.each(GRAPH_FORMS)('graphs agree with the simulator and Optimal-DPOR in the form %s', async (form) => {
  const tally = new Tally();
  for (let batch = 0; batch < samples(1); batch++) {
    const chosen: Chosen[] = [];
    for (let i = 0; i < PER_BATCH; i++) {
      const program = graphForm(generate((SEED % 1_000_000) * 1000 + batch * PER_BATCH + i), form);
      const simulations = simulateAll(program);
      if (typeof simulations !== 'string') chosen.push({ program, simulations });
    }
    const plans = chosen.map((_, i) => ({ ...PLAN, compiled: i % 4 === 0 }));
    for (const { program, disagreements } of await compareAll(chosen, plans, tally)) {
      const said = disagreements.map(({ what, model, detail }) => `${model}: ${what}: ${detail}`).join('\n');
      expect.fail(`seed ${program.seed}:\n${said}\n${printFile(program)}`);
    }
  }
  if (process.env['COUNTS'] !== undefined) console.log(form, Object.fromEntries(tally.counts));
});
