/** A search stores only its current execution and the branches off it, nothing about earlier executions. */
import type { Case } from './results.ts';
import { graphSearch, searchFile, searchScaled } from './search.ts';
import type { Measurement, Suite } from './suite.ts';

interface Size {
  readonly model: 'tso' | 'rc11';
  readonly executions: number;
}

/** Executions of fib(7), which has some millions. */
const SIZES: Readonly<Record<string, Size>> = {
  '10^4 executions': { model: 'tso', executions: 1e4 },
  '10^6 executions': { model: 'tso', executions: 1e6 },
  '10^4 graphs, rc11': { model: 'rc11', executions: 1e4 },
  '10^5 graphs, rc11': { model: 'rc11', executions: 1e5 },
  '3 · 10^5 graphs, rc11': { model: 'rc11', executions: 3e5 },
  '10^6 graphs, rc11': { model: 'rc11', executions: 1e6 },
};
const MAY_GROW = 20;

export const memory: Suite = {
  name: 'memory',
  about: `peak size after a million executions of fib(7): at most ${MAY_GROW} MB more than after ten thousand`,
  cases: Object.keys(SIZES),
  measure,
  alone: 'it cuts searches after a number of executions',
  verify,
};

async function measure(name: string): Promise<Measurement> {
  const { model, executions: maxExecutions } = SIZES[name]!;
  const options = { maxExecutions, once: true } as const;
  const { result, rates, largestTree } =
    model === 'rc11'
      ? await searchFile('../bench/programs/graph/fib.c', 7, model, options, graphSearch)
      : await searchScaled('fib', 7, model, options);
  return {
    counts: { executions: result.executions, 'largest tree': largestTree },
    rates: { 'executions/s': rates.executions },
  };
}

function verify(cases: readonly Case[]): readonly string[] {
  return (['tso', 'rc11'] as const).flatMap((model) => {
    const own = cases.filter(({ name }) => SIZES[name]?.model === model);
    const [few, many] = [own[0], own.at(-1)];
    if (few === undefined || many === undefined || many.peakMemory - few.peakMemory < MAY_GROW) return [];
    return [`${few.name}: ${few.peakMemory} MB, ${many.name}: ${many.peakMemory} MB`];
  });
}
