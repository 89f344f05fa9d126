/** A search stores only its current execution and the branches off it, nothing about earlier executions. */
import type { Case } from './results.ts';
import { searchScaled } from './search.ts';
import type { Measurement, Suite } from './suite.ts';

/** Executions of fib(7) under TSO, which has some millions. */
const SIZES: Readonly<Record<string, number>> = { '10^4 executions': 1e4, '10^6 executions': 1e6 };
const MAY_GROW = 20;

export const memory: Suite = {
  name: 'memory',
  about: `peak size after a million executions of fib(7): at most ${MAY_GROW} MB more than after ten thousand`,
  cases: Object.keys(SIZES),
  measure,
  verify,
};

async function measure(name: string): Promise<Measurement> {
  const { result, rates, largestTree } = await searchScaled('fib', 7, 'tso', {
    maxExecutions: SIZES[name]!,
    once: true,
  });
  return {
    counts: { executions: result.executions, 'largest tree': largestTree },
    rates: { 'executions/s': rates.executions },
  };
}

function verify(cases: readonly Case[]): readonly string[] {
  const [few, many] = cases;
  if (few === undefined || many === undefined || many.peakMemory - few.peakMemory < MAY_GROW) return [];
  return [`${few.name}: ${few.peakMemory} MB, ${many.name}: ${many.peakMemory} MB`];
}
