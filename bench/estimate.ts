/**
 * How good the estimates of the number of executions are, as whoever looks at the progress line sees them: from two seconds on, five
 * times a second.
 */
import type { Model } from '../src/models/index.ts';
import { CHECK, type CheckChoices } from '../src/options/check.ts';
import { defaultsOf } from '../src/options/option.ts';
import { ModelSearch } from '../src/pipelines/model-search.ts';
import type { Case } from './results.ts';
import { loadProgram } from './search.ts';
import type { Measurement, Suite } from './suite.ts';

/** Searches of some seconds. */
const CASES = new Map(
  (
    [
      ['readers', 18, 'sc'],
      ['writers', 6, 'sc'],
      ['fib', 7, 'sc'],
      ['fib', 7, 'tso'],
      ['sb-ring', 18, 'sc'],
      ['sb-ring', 17, 'tso'],
      ['lastzero', 17, 'sc'],
      ['indexer', 18, 'sc'],
      ['fetch-add', 9, 'sc'],
      ['mutex', 9, 'sc'],
      ['mp-ring', 9, 'pso'],
      ['mp-ring', 9, 'tso'],
    ] as readonly [string, number, Model][]
  ).map(([program, n, model]) => [`${program}(${n}) ${model}`, { program, n, model }]),
);

export const estimate: Suite = {
  name: 'estimate',
  about: 'estimated over true number of executions, when a tenth has been searched, and the worst from then on',
  cases: [...CASES.keys()],
  measure,
  verify,
};

const FIRST = 2;
const EVERY = 0.2;

async function measure(name: string): Promise<Measurement> {
  const { program: file, n, model } = CASES.get(name)!;
  const program = await loadProgram([`scale/${file}.c`], [`N=${n}`]);
  const options = { ...defaultsOf<CheckChoices>(CHECK), models: [model], countOrders: true };
  const search = new ModelSearch(program, model, options);
  const shown: { readonly executions: number; readonly seconds: number; readonly estimate: number | undefined }[] = [];
  for (let next = FIRST; !search.advance(20_000); ) {
    if (search.elapsed < next) continue;
    const { executions, seconds, estimate } = search.progress;
    shown.push({ executions, seconds, estimate: estimate?.executions });
    next = search.elapsed + EVERY;
  }
  const { executions: total } = search.result;
  const late = shown.filter(({ executions }) => executions >= total / 10).map(({ estimate }) => estimate);
  const ratios = late.map((one) => (one === undefined ? Number.NaN : one / total));
  const off = (ratio: number): number => (Number.isNaN(ratio) ? Number.POSITIVE_INFINITY : Math.max(ratio, 1 / ratio));
  const worst = ratios.reduce((a, b) => (off(b) > off(a) ? b : a), 1);
  const first = shown.find((one) => one.estimate !== undefined);
  const text = (ratio: number | undefined): string =>
    ratio === undefined ? 'not asked' : Number.isNaN(ratio) ? 'none' : ratio.toFixed(2);
  return {
    counts: { executions: total },
    rates: {},
    texts: {
      'at a tenth': text(ratios[0]),
      worst: text(worst),
      'first after s': first === undefined ? 'never' : first.seconds.toFixed(1),
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
