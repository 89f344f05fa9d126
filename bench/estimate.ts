/**
 * How good the estimates of the number of executions are, as the progress line shows them: from two seconds or a tenth
 * of the search, whichever is earlier, and then after every further hundredth, up to three tenths.
 */
import type { Model } from '../src/models/index.ts';
import { CHECK, type CheckChoices } from '../src/options/check.ts';
import { defaultsOf } from '../src/options/option.ts';
import { ModelSearch } from '../src/pipelines/model-search.ts';
import type { Case } from './results.ts';
import { cpuSeconds, loadProgram } from './search.ts';
import type { Measurement, Suite } from './suite.ts';

/**
 * Searches of a few seconds, with their numbers of executions; `test/search/strategies/scale.test.ts` has these numbers for smaller
 * sizes.
 */
const CASES = new Map(
  (
    [
      ['readers', 18, 'sc', 2 ** 18],
      ['writers', 6, 'sc', 720 ** 2],
      ['fib', 7, 'sc', 616_227],
      ['fib', 7, 'tso', 2_760_615],
      ['sb-ring', 18, 'sc', 2 ** 18 - 1],
      ['sb-ring', 17, 'tso', 2 ** 17],
      ['lastzero', 17, 'sc', 655_360],
      ['indexer', 17, 'sc', 2 ** 18],
      ['fetch-add', 9, 'sc', 362_880],
      ['mutex', 9, 'sc', 362_880],
      ['mp-ring', 9, 'pso', 2 ** 18],
      ['mp-ring', 9, 'tso', 3 ** 9],
    ] as readonly [string, number, Model, number][]
  ).map(([program, n, model, total]) => [`${program}(${n}) ${model}`, { program, n, model, total }]),
);

export const estimate: Suite = {
  name: 'estimate',
  about:
    'estimated over true number of executions, when a tenth has been searched, and the worst from then on up to three tenths',
  cases: [...CASES.keys()],
  measure,
  inputs: (name) => {
    const { program, n, model } = CASES.get(name)!;
    return [{ files: [`scale/${program}.c`], defines: [`N=${n}`], model }];
  },
  verify,
};

/** CPU seconds. */
const FIRST = 2;
const [TENTH, HUNDREDTH, LAST] = [0.1, 0.01, 0.3];

async function measure(name: string): Promise<Measurement> {
  const { program: file, n, model, total } = CASES.get(name)!;
  const program = await loadProgram([`scale/${file}.c`], [`N=${n}`]);
  const options = { ...defaultsOf<CheckChoices>(CHECK), models: [model], countOrders: true };
  const search = new ModelSearch(program, model, options);
  const started = cpuSeconds();
  let first: number | undefined;
  const ratios: number[] = [];
  for (let next = 0, part = 0; part < LAST && !search.advance(5000); ) {
    part = search.progress.executions / total;
    if (part < next || (part < TENTH && cpuSeconds() - started < FIRST)) continue;
    const asked = search.progress.estimate;
    if (asked !== undefined) first ??= cpuSeconds() - started;
    if (part >= TENTH) ratios.push(asked === undefined ? Number.NaN : asked.executions / total);
    next = part + HUNDREDTH;
  }
  const off = (ratio: number): number => (Number.isNaN(ratio) ? Number.POSITIVE_INFINITY : Math.max(ratio, 1 / ratio));
  const worst = ratios.reduce((a, b) => (off(b) > off(a) ? b : a), 1);
  const text = (ratio: number | undefined): string =>
    ratio === undefined ? 'not asked' : Number.isNaN(ratio) ? 'none' : ratio.toFixed(2);
  return {
    counts: { executions: total },
    rates: {},
    texts: {
      'at a tenth': text(ratios[0]),
      worst: text(worst),
      'first after s': first === undefined ? 'never' : first.toFixed(1),
    },
  };
}

/** Estimates may be off by this factor. */
const MAY_DIFFER = 2;

function verify(cases: readonly Case[]): readonly string[] {
  return cases.flatMap(({ name, texts }) => {
    const worst = Number(texts?.['worst']);
    return worst <= MAY_DIFFER && worst >= 1 / MAY_DIFFER
      ? []
      : [`${name}: an estimate is ${texts?.['worst']} of the true number`];
  });
}
