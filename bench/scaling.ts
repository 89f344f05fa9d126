/** Whether an event costs more in a larger program: the same programs in four sizes. */
import type { Model } from '../src/models/index.ts';
import type { Case } from './results.ts';
import { searchScaled } from './search.ts';
import type { Measurement, Suite } from './suite.ts';

const PROGRAMS: readonly { readonly program: string; readonly model: Model; readonly sizes: readonly number[] }[] = [
  { program: 'readers', model: 'tso', sizes: [9, 11, 13, 15] },
  { program: 'fib', model: 'tso', sizes: [3, 4, 5, 6] },
  { program: 'sb-ring', model: 'tso', sizes: [9, 11, 13, 15] },
  { program: 'mp-ring', model: 'pso', sizes: [5, 6, 7, 8] },
];

const CASES = new Map(
  PROGRAMS.flatMap(({ program, model, sizes }) =>
    sizes.map((n) => [`${program}(${n}) ${model}`, { program, model, n }]),
  ),
);

export const scaling: Suite = {
  name: 'scaling',
  about:
    'time per event over four sizes. events/s counts all events of all executions, ' +
    'steps/s those that were run and not kept from the execution before',
  cases: [...CASES.keys()],
  measure,
  inputs: (name) => {
    const { program, n, model } = CASES.get(name)!;
    return [{ files: [`scale/${program}.c`], defines: [`N=${n}`], model }];
  },
  verify,
};

async function measure(name: string): Promise<Measurement> {
  const { program, n, model } = CASES.get(name)!;
  const { result, events, best } = await searchScaled(program, n, model);
  return {
    counts: { executions: result.executions, 'events/execution': Math.round((events / result.executions) * 10) / 10 },
    rates: { 'events/s': best.events, 'steps/s': best.steps },
  };
}

/** The slowest size may take this much longer per step than the fastest. */
const MAY_DIFFER = 1.5;

function verify(cases: readonly Case[]): readonly string[] {
  return PROGRAMS.flatMap(({ program, model }) => {
    const rates = cases
      .filter(({ name }) => name.startsWith(`${program}(`) && name.endsWith(` ${model}`))
      .map((c) => c.rates['steps/s']!);
    const ratio = Math.max(...rates) / Math.min(...rates);
    return ratio > MAY_DIFFER
      ? [`${program} ${model}: time per step differs by ${ratio.toFixed(2)} over its sizes`]
      : [];
  });
}
