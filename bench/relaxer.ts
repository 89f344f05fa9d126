/**
 * [RELAXER] Table 1 on our versions of its benchmarks (`programs/relaxer`), our numbers next to the paper's; and how
 * long phase 1 takes on a run of a million events. The paper's counts depend on its sources and schedules, so only the
 * shape of the table is asserted.
 */

import { fileURLToPath } from 'node:url';
import { stoppedFor } from '../src/explore/bound.ts';
import { Biased } from '../src/explore/relaxer/biased.ts';
import { Predictor } from '../src/explore/relaxer/predict.ts';
import { runOnce } from '../src/explore/relaxer/trial.ts';
import { Machine } from '../src/machine/machine.ts';
import { HUNT_DEFAULTS, type HuntOptions, PUBLISHED } from '../src/options/hunt.ts';
import { HuntRun } from '../src/pipelines/hunt/hunt.ts';
import type { CycleOwner, CycleResult, HuntResult } from '../src/pipelines/hunt/result.ts';
import { Prng } from '../src/util/prng.ts';
import { linesOf } from './lines.ts';
import type { Case } from './results.ts';
import { cpuSeconds, loadProgram } from './search.ts';
import type { Measurement, Suite } from './suite.ts';

/** The paper's columns. */
const MODELS = ['tso', 'pso', 'pslo'] as const;

interface Row {
  readonly name: string;
  readonly isStructure: boolean;
  /** The paper's numbers; where there are three, per model. */
  readonly lines: number;
  readonly phaseOne: string;
  readonly phaseTwo: string;
  readonly predicted: number;
  readonly confirmed: string;
  readonly harmful: string;
  readonly probability: string;
}

const ROWS: readonly Row[] = [
  row('dekker', false, 39, '1.133', '1.904 2.004 2.477', 112, '47 45 69', '39 38 65', '0.69 0.81 0.84'),
  row('bakery', false, 31, '2.285', '4.346 3.554 5.409', 222, '36 75 100', '33 68 96', '0.85 0.84 0.82'),
  row('msn', true, 78, '2.037', '1.183 1.380 1.682', 459, '0 117 144', '0 117 144', '- 0.84 0.72'),
  row('ms2', true, 60, '1.033', '1.847 2.438 1.781', 75, '0 2 5', '0 2 5', '- 1.00 0.57'),
  row('lazylist', true, 116, '1.936', '2.675 2.945 3.122', 192, '0 8 10', '0 8 9', '- 0.96 0.62'),
  row('harris', true, 150, '4.366', '2.775 3.393 3.767', 172, '0 54 49', '0 48 49', '- 0.35 0.68'),
  row('snark', true, 143, '6.260', '1.664 0.989 1.180', 1800, '0 647 404', '0 419 191', '- 0.60 0.59'),
];

function row(
  name: string,
  isStructure: boolean,
  lines: number,
  phaseOne: string,
  phaseTwo: string,
  predicted: number,
  confirmed: string,
  harmful: string,
  probability: string,
): Row {
  return { name, isStructure, lines, phaseOne, phaseTwo, predicted, confirmed, harmful, probability };
}

/** The variable that the harness of the mutual exclusion algorithms protects, and the files of the others. */
const HARNESS = ['counter', 'queue.h', 'set.h', 'main'];

const PHASE_ONE = 'phase 1, 10^6 events';
/** What the suite asserts. */
const MAX_SECONDS = 10;
const MAX_MEGABYTES = 1000;
const MIN_PROBABILITY = 0.6;

/** Executions per test script in the paper, whose times are for one script. */
const SCRIPT = PUBLISHED.attempts;

type Effort = Pick<HuntOptions, 'runs' | 'trials' | 'attempts' | 'asPublished'>;

/** A fifteenth of the paper's effort where a cycle is not confirmed. */
const QUICK: Effort = { runs: 100, trials: 10, attempts: 20, asPublished: false };

/** CPU seconds per program; all of `PUBLISHED` takes hours. */
export const PUBLISHED_SECONDS = 120;

export const relaxer: Suite = suiteWith('relaxer', QUICK, '10 trials of 20 executions');
export const relaxerPublished: Suite = suiteWith(
  'relaxer-published',
  PUBLISHED,
  `30 trials of 100 executions, none given up, as in the paper, or what ${PUBLISHED_SECONDS} s per program allow`,
  PUBLISHED_SECONDS,
);

function suiteWith(name: string, effort: Effort, about: string, limit?: number): Suite {
  return {
    name,
    about: `RELAXER's Table 1, per program under TSO, PSO, PSLO; in brackets what the paper has; ${about}`,
    alone: 'it hunts for cycles',
    cases: [PHASE_ONE, ...ROWS.map((r) => r.name)],
    measure: (c) => (c === PHASE_ONE ? measurePhaseOne() : measureRow(ROWS.find((r) => r.name === c)!, effort, limit)),
    verify,
  };
}

async function measureRow(paper: Row, effort: Effort, limit: number | undefined): Promise<Measurement> {
  const file = `relaxer/${paper.name}.c`;
  // Fresh memory is arbitrary where the paper's programs ran.
  const program = await loadProgram([file], [], { junk: true });
  const started = cpuSeconds();
  const options = { ...HUNT_DEFAULTS, ...effort, models: MODELS, harness: HARNESS, keepGoing: true };
  const run = new HuntRun(program, options);
  const isLate = (): boolean => limit !== undefined && cpuSeconds() - started > limit;
  while (!run.advance(100_000)) if (isLate()) run.stop(stoppedFor('CPU seconds'));
  const { results } = run;
  const seconds = cpuSeconds() - started;
  const per = (text: (result: HuntResult) => string | number): string => results.map(text).join(' ');
  const count = (isMeant: (cycle: CycleResult) => boolean): string =>
    per(({ cycles }) => cycles.filter(isMeant).length);
  const confirmedOf = (owner: CycleOwner): string => count((c) => c.confirmed > 0 && c.owner === owner);
  const executions = results.reduce((sum, result) => sum + result.executions, 0);
  const [{ predicted, predictionSeconds }] = [results[0]!];
  const script = (result: HuntResult): string =>
    result.executions === 0 ? '-' : ((result.seconds / result.executions) * SCRIPT).toFixed(3);
  return {
    // With a limit, the number of executions depends on the machine.
    counts: { predicted, ...(limit === undefined ? { executions } : {}) },
    rates: { 'per s': Math.round(executions / seconds) },
    texts: {
      trials: per(trialsEach),
      'lines (paper)': `${linesOf(file)} (${paper.lines})`,
      'phase 1 s (paper)': `${predictionSeconds.toFixed(3)} (${paper.phaseOne})`,
      'phase 2 s (paper)': `${per(script)} (${paper.phaseTwo})`,
      'predicted (paper)': `${predicted} (${paper.predicted})`,
      possible: per(({ cycles }) => cycles.length),
      'confirmed (paper)': `${count((c) => c.confirmed > 0)} (${paper.confirmed})`,
      'of mutexes': confirmedOf('mutexes'),
      'of the harness': confirmedOf('harness'),
      'harmful (paper)': `${count((c) => c.harmful > 0)} (${paper.harmful})`,
      'with a failing trial': count((c) => c.failedTrials > 0),
      'probability (paper)': `${per(meanProbability)} (${paper.probability})`,
      'CPU s': seconds.toFixed(1),
    },
  };
}

/** The number of trials of the cycle with the fewest. */
function trialsEach({ cycles }: HuntResult): number {
  return Math.min(...cycles.map(({ trials }) => trials));
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
      trials: '-',
      'lines (paper)': '-',
      'phase 1 s (paper)': `${seconds.toFixed(3)} (-)`,
      'phase 2 s (paper)': '-',
      'predicted (paper)': `${predictor.cycles.length} (-)`,
      possible: '-',
      'confirmed (paper)': '-',
      'of mutexes': '-',
      'of the harness': '-',
      'harmful (paper)': '-',
      'with a failing trial': '-',
      'probability (paper)': '-',
      'CPU s': seconds.toFixed(1),
    },
  };
}

/** Our numbers, per model, from a column that also has the paper's. */
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
