/** Optimal-DPOR: complete executions per CPU second on `programs/scale`. The numbers of executions are asserted. */
import type { Model } from '../src/models/index.ts';
import type { Case } from './results.ts';
import { searchScaled } from './search.ts';
import type { Measurement, Suite } from './suite.ts';

interface Row {
  readonly program: string;
  readonly n: number;
  readonly traces: Partial<Record<Model, number>>;
  readonly spin?: false;
}

/** From the table of counts in the design document; lastzero(15) is our own. */
const ROWS: readonly Row[] = [
  { program: 'readers', n: 15, traces: { sc: 32768, tso: 32768, pso: 32768 } },
  { program: 'writers', n: 5, traces: { sc: 14400, tso: 14400, pso: 14400 } },
  { program: 'fib', n: 6, traces: { sc: 73789, tso: 226512, pso: 226512 } },
  { program: 'sb-ring', n: 15, traces: { sc: 32767, tso: 32768, pso: 32768 } },
  { program: 'lastzero', n: 15, traces: { sc: 147456 } },
  { program: 'indexer', n: 16, traces: { sc: 32768 } },
  { program: 'fetch-add', n: 8, traces: { sc: 40320 } },
  { program: 'mutex', n: 8, traces: { sc: 40320 } },
  { program: 'mp-ring', n: 8, traces: { pso: 65536 } },
  { program: 'cas-loop', n: 5, traces: { sc: 122880, tso: 122880, pso: 122880 }, spin: false },
];

const CASES = new Map(
  ROWS.flatMap((row) =>
    Object.entries(row.traces).map(([model, traces]) => [
      `${row.program}(${row.n}) ${model}`,
      { ...row, model: model as Model, traces },
    ]),
  ),
);

export const dpor: Suite = {
  name: 'dpor',
  about: 'complete executions per CPU second with Optimal-DPOR, after warm-up; one per trace, as many as expected',
  cases: [...CASES.keys()],
  measure,
  inputs: (name) => {
    const { program, n, model } = CASES.get(name)!;
    return [{ files: [`scale/${program}.c`], defines: [`N=${n}`], model }];
  },
  verify,
};

async function measure(name: string): Promise<Measurement> {
  const { program, n, model, traces, spin } = CASES.get(name)!;
  const { result, largestTree, rates, best } = await searchScaled(
    program,
    n,
    model,
    spin === undefined ? {} : { spin },
  );
  const { executions, blocked, abandoned, errors, bounds } = result;
  if (executions !== traces || blocked !== 0 || abandoned !== 0 || errors.length > 0 || bounds.length > 0) {
    throw new Error(`${name}: ${traces} expected, but ${JSON.stringify(result)}`);
  }
  return {
    counts: { executions, 'largest tree': largestTree },
    rates: { 'executions/s': rates.executions, 'of the fastest search': best.executions, 'its steps/s': best.steps },
  };
}

const MOST_MEGABYTES = 300;
/** How much slower a step may be with store buffers in programs where they change nothing. */
const MOST_FOR_BUFFERS = 1.5;

function verify(cases: readonly Case[]): readonly string[] {
  const large = cases.filter(({ peakMemory }) => peakMemory > MOST_MEGABYTES);
  const slow = [...CASES].flatMap(([name, { program, n, traces, model }]) => {
    const [sc, here] = [`${program}(${n}) sc`, name].map((wanted) => cases.find((c) => c.name === wanted));
    if (model === 'sc' || sc === undefined || here === undefined || CASES.get(sc.name)!.traces !== traces) return [];
    const ratio = sc.rates['its steps/s']! / here.rates['its steps/s']!;
    return ratio > MOST_FOR_BUFFERS ? [`${name}: a step takes ${ratio.toFixed(2)} times what it takes under sc`] : [];
  });
  return [...large.map(({ name, peakMemory }) => `${name}: ${peakMemory} MB`), ...slow];
}
