/**
 * [RELAXER] Table 1 on our versions of its benchmarks (`programs/relaxer`), ours next to the paper's; and how long phase 1
 * takes on a run of a million events. The paper's counts depend on its sources and schedules, so only the shape of
 * the table is asserted.
 */

import { fileURLToPath } from 'node:url';
import { Biased } from '../src/explore/relaxer/biased.ts';
import { Predictor } from '../src/explore/relaxer/predict.ts';
import { runOnce } from '../src/explore/relaxer/trial.ts';
import { Machine } from '../src/machine/machine.ts';
import { HUNT_DEFAULTS } from '../src/options/hunt.ts';
import { HuntRun } from '../src/pipelines/hunt/hunt.ts';
import type { HuntResult } from '../src/pipelines/hunt/result.ts';
import { Prng } from '../src/util/prng.ts';
import type { Case } from './results.ts';
import { cpuSeconds, loadProgram } from './search.ts';
import type { Measurement, Suite } from './suite.ts';

/** The paper's columns. */
const MODELS = ['tso', 'pso', 'pslo'] as const;

interface Row {
  readonly name: string;
  readonly isStructure: boolean;
  readonly predicted: number;
  /** Per model, as in the paper. */
  readonly confirmed: string;
  readonly harmful: string;
  readonly probability: string;
}

const ROWS: readonly Row[] = [
  row('dekker', false, 112, '47 45 69', '39 38 65', '0.69 0.81 0.84'),
  row('bakery', false, 222, '36 75 100', '33 68 96', '0.85 0.84 0.82'),
  row('msn', true, 459, '0 117 144', '0 117 144', '- 0.84 0.72'),
  row('ms2', true, 75, '0 2 5', '0 2 5', '- 1.00 0.57'),
  row('lazylist', true, 192, '0 8 10', '0 8 9', '- 0.96 0.62'),
  row('harris', true, 172, '0 54 49', '0 48 49', '- 0.35 0.68'),
  row('snark', true, 1800, '0 647 404', '0 419 191', '- 0.60 0.59'),
];

function row(
  name: string,
  isStructure: boolean,
  predicted: number,
  confirmed: string,
  harmful: string,
  probability: string,
): Row {
  return { name, isStructure, predicted, confirmed, harmful, probability };
}

const PHASE_ONE = 'phase 1, 10^6 events';
/** What the suite asserts. */
const MAX_SECONDS = 10;
const MAX_MEGABYTES = 1000;
const MIN_PROBABILITY = 0.6;

/** The paper has 30 trials of 100 executions each. */
const TRIALS = 10;
const ATTEMPTS = 20;

export const relaxer: Suite = {
  name: 'relaxer',
  about: "RELAXER's Table 1, per program under TSO, PSO, PSLO; in brackets what the paper has",
  cases: [PHASE_ONE, ...ROWS.map(({ name }) => name)],
  measure: (name) => (name === PHASE_ONE ? measurePhaseOne() : measureRow(ROWS.find((r) => r.name === name)!)),
  verify,
};

async function measureRow({ name, predicted, confirmed, harmful, probability }: Row): Promise<Measurement> {
  const program = await loadProgram([`relaxer/${name}.c`], []);
  const started = cpuSeconds();
  const run = new HuntRun(program, {
    ...HUNT_DEFAULTS,
    models: MODELS,
    trials: TRIALS,
    attempts: ATTEMPTS,
    keepGoing: true,
  });
  while (!run.advance(1_000_000));
  const { results } = run;
  const seconds = cpuSeconds() - started;
  const per = (text: (result: HuntResult) => string | number): string => results.map(text).join(' ');
  const ours = (isMeant: (cycle: HuntResult['cycles'][number]) => boolean): string =>
    per(({ cycles }) => cycles.filter(isMeant).length);
  const executions = results.reduce((sum, result) => sum + result.executions, 0);
  return {
    counts: { predicted: results[0]!.predicted, executions },
    rates: { 'per s': Math.round(executions / seconds) },
    texts: {
      'predicted (paper)': `${results[0]!.predicted} (${predicted})`,
      possible: per(({ cycles }) => cycles.length),
      'confirmed (paper)': `${ours((c) => c.confirmed > 0)} (${confirmed})`,
      'harmful (paper)': `${ours((c) => c.harmful > 0)} (${harmful})`,
      'probability (paper)': `${per(meanProbability)} (${probability})`,
      'CPU s': seconds.toFixed(1),
    },
  };
}

/** Averaged over the cycles that were confirmed at least once, as in the paper. */
function meanProbability({ cycles }: HuntResult): string {
  const feasible = cycles.filter((c) => c.confirmed > 0);
  if (feasible.length === 0) return '-';
  return (feasible.reduce((sum, c) => sum + c.confirmed / c.trials, 0) / feasible.length).toFixed(2);
}

async function measurePhaseOne(): Promise<Measurement> {
  const file = fileURLToPath(new URL('programs/phase-one.c', import.meta.url));
  const program = await loadProgram([file], ['ROUNDS=60000']);
  const machine = new Machine(program, 'sc', {}, { spin: true });
  const bias = { probability: 0, storeDelay: 0, loadDelay: 0, barrierWait: true };
  runOnce(machine, new Biased(machine, [], new Prng(1), bias), 1_000_000, undefined);
  const predictor = new Predictor(HUNT_DEFAULTS);
  const started = cpuSeconds();
  predictor.addExecution(machine.events);
  const seconds = cpuSeconds() - started;
  return {
    counts: { predicted: predictor.cycles.length, executions: 1 },
    // Events in this case, executions in the others.
    rates: { 'per s': Math.round(machine.depth / seconds) },
    texts: {
      'predicted (paper)': `${predictor.cycles.length} (-)`,
      possible: '-',
      'confirmed (paper)': '-',
      'harmful (paper)': '-',
      'probability (paper)': '-',
      'CPU s': seconds.toFixed(1),
    },
  };
}

/** Ours, out of a column of three per model. */
function ours(text: string | undefined): readonly string[] {
  return (text ?? '').split(' (')[0]!.split(' ');
}

function verify(cases: readonly Case[]): readonly string[] {
  const wrong: string[] = [];
  const means: number[][] = MODELS.map(() => []);
  for (const { name, texts, peakMemory } of cases) {
    if (name === PHASE_ONE) {
      if (Number(texts?.['CPU s']) > MAX_SECONDS) wrong.push(`${name}: more than ${MAX_SECONDS} s`);
      if (peakMemory > MAX_MEGABYTES) wrong.push(`${name}: more than ${MAX_MEGABYTES} MB`);
      continue;
    }
    const confirmed = ours(texts?.['confirmed (paper)']).map(Number);
    const { isStructure } = ROWS.find((r) => r.name === name)!;
    if (isStructure && confirmed[0] !== 0) wrong.push(`${name}: cycles under tso, where the paper has none`);
    for (const [i, model] of MODELS.entries()) {
      if ((!isStructure || model !== 'tso') && confirmed[i] === 0) wrong.push(`${name}: no cycle under ${model}`);
      if (confirmed[i]! > 0) means[i]!.push(Number(ours(texts?.['probability (paper)'])[i]));
    }
  }
  for (const [i, model] of MODELS.entries()) {
    const mean = means[i]!.reduce((sum, p) => sum + p, 0) / means[i]!.length;
    if (!(mean >= MIN_PROBABILITY))
      wrong.push(`${model}: cycles are confirmed with probability ${mean.toFixed(2)} only`);
  }
  return wrong;
}
