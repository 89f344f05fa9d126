/**
 * What an execution costs in larger programs with store buffers: CPU time per execution, over sizes that each add two
 * threads.
 */
import type { Model } from '../src/models/index.ts';
import { searchScaled } from './search.ts';
import type { Measurement, Suite } from './suite.ts';

const CASES = new Map(
  (
    [
      ['mp-ring', 5, 'tso'],
      ['mp-ring', 7, 'tso'],
      ['mp-ring', 9, 'tso'],
      ['sb-ring', 11, 'tso'],
      ['sb-ring', 13, 'tso'],
      ['sb-ring', 15, 'tso'],
    ] as readonly [string, number, Model][]
  ).map(([program, n, model]) => [`${program}(${n}) ${model}`, { program, n, model }]),
);

export const growth: Suite = {
  name: 'growth',
  about: 'CPU time per execution with store buffers, over sizes with two threads more each',
  cases: [...CASES.keys()],
  measure,
  inputs: (name) => {
    const { program, n, model } = CASES.get(name)!;
    return [{ files: [`scale/${program}.c`], defines: [`N=${n}`], model }];
  },
};

async function measure(name: string): Promise<Measurement> {
  const { program, n, model } = CASES.get(name)!;
  const { result, rates, best } = await searchScaled(program, n, model);
  return {
    counts: { executions: result.executions },
    rates: { 'executions/s': rates.executions, 'of the fastest search': best.executions },
  };
}
