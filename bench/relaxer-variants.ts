/**
 * What the cycles in [RELAXER] Table 1 depend on, by small hunts: the contents of fresh memory, the effect of unlocking
 * under PSLO, and the translation of locks into accesses, which the paper's stubs do in a way that it does not print
 * (Sect. 5.1).
 */
import type { RelaxedModel } from '../src/models/index.ts';
import { HUNT_DEFAULTS } from '../src/options/hunt.ts';
import { HuntRun } from '../src/pipelines/hunt/hunt.ts';
import type { CycleResult, HuntResult } from '../src/pipelines/hunt/result.ts';
import { loadProgram } from './search.ts';
import type { Suite } from './suite.ts';

export interface HuntVariant {
  readonly file: string;
  readonly defines: readonly string[];
  readonly junk: boolean;
  readonly models: readonly RelaxedModel[];
}

const ms2 = (
  defines: readonly string[],
  junk = true,
  models: readonly RelaxedModel[] = ['pso', 'pslo'],
): HuntVariant => ({
  ...{ file: 'relaxer/ms2.c', defines, junk, models },
});
const harris = (junk: boolean): HuntVariant => ({ file: 'relaxer/harris.c', defines: [], junk, models: ['pso'] });

/** ms2 with its locks translated in several ways. */
export const LOCKS: Readonly<Record<string, HuntVariant>> = {
  mutexes: ms2([]),
  'compare-and-swap': ms2(['STUBS']),
  'load, compare-and-swap': ms2(['STUBS', 'LOOK']),
  'compare-and-swap that succeeds': ms2(['STUBS', 'AT_ONCE']),
};
const OTHERS: Readonly<Record<string, HuntVariant>> = {
  'ms2, zero': ms2([], false),
  'ms2, fences': ms2(['FENCED'], true, ['pso', 'pslo-unlock', 'pslo']),
  'harris, zero': harris(false),
  'harris, junk': harris(true),
};
const VARIANTS: Readonly<Record<string, HuntVariant>> = { ...LOCKS, ...OTHERS };

export const VARIANT_EFFORT: { readonly runs: number; readonly trials: number; readonly attempts: number } = {
  runs: 100,
  trials: 6,
  attempts: 20,
};
/** The lock functions of `STUBS`. */
const OF_LOCKS = ['acquire', 'release'];

export const relaxerVariants: Suite = {
  name: 'relaxer-variants',
  about: `cycles of RELAXER's ms2 and harris, changed in one way at a time; ${VARIANT_EFFORT.trials} trials of ${VARIANT_EFFORT.attempts} executions`,
  alone: 'it hunts for cycles',
  cases: Object.keys(VARIANTS),
  measure: async (name) => {
    const { file, defines, junk, models } = VARIANTS[name]!;
    const program = await loadProgram([file], defines, { junk });
    const run = new HuntRun(program, { ...HUNT_DEFAULTS, ...VARIANT_EFFORT, models, keepGoing: true });
    while (!run.advance(1_000_000));
    return {
      counts: { predicted: run.results[0]!.predicted, ...Object.fromEntries(run.results.flatMap(countsOf)) },
      rates: {},
      texts: Object.fromEntries(run.results.map((result) => [`${result.model} probability`, probability(result)])),
    };
  },
};

function countsOf({ model, cycles }: HuntResult): readonly (readonly [string, number])[] {
  const confirmed = cycles.filter((cycle) => cycle.confirmed > 0);
  const count = (isMeant: (cycle: CycleResult) => boolean): number => confirmed.filter(isMeant).length;
  return [
    [`${model} confirmed`, confirmed.length],
    [`${model} harmful`, count(({ harmful }) => harmful > 0)],
    [`${model} with a failing trial`, count(({ failedTrials }) => failedTrials > 0)],
    [`${model} of locks`, count(({ places }) => places.some(({ func }) => OF_LOCKS.includes(func)))],
  ];
}

function probability({ cycles }: HuntResult): string {
  const confirmed = cycles.filter((cycle) => cycle.confirmed > 0);
  if (confirmed.length === 0) return '-';
  return (confirmed.reduce((sum, { confirmed: n, trials }) => sum + n / trials, 0) / confirmed.length).toFixed(2);
}
