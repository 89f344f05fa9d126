/**
 * [NIDHUGG] Table 1 on our versions of its programs (`programs/nidhugg`): the verdicts under each of the three models,
 * next to the paper's. The verdicts are asserted. The paper's seconds are from another machine, for other versions of
 * the programs and larger bounds, and only show which programs were hard then; `?` where the text is illegible. Traces
 * are counted as in the paper (`--count-orders`).
 */
import { CheckRun } from '../src/pipelines/check.ts';
import type { ModelResult } from '../src/pipelines/model-run.ts';
import { MODELS, ROWS } from './nidhugg-table.ts';
import { cpuSeconds, loadProgram } from './search.ts';
import type { Measurement, Suite } from './suite.ts';

export const nidhugg: Suite = {
  name: 'nidhugg',
  about: "NIDHUGG's Table 1, per program under SC, TSO, PSO; * where an error ended the search",
  cases: ROWS.map(({ name }) => name),
  measure,
  inputs: (name) => {
    const { files, defines } = ROWS.find((row) => row.name === name)!;
    return MODELS.map((model) => ({ files, defines, model }));
  },
};

async function measure(name: string): Promise<Measurement> {
  const { files, defines, verdicts, paper, printed } = ROWS.find((row) => row.name === name)!;
  const program = await loadProgram(files, defines);
  const results: ModelResult[] = [];
  const times: number[] = [];
  for (const model of MODELS) {
    const started = cpuSeconds();
    const run = new CheckRun(program, {
      models: [model],
      strategy: 'optimal',
      preemptions: 0,
      seed: 1,
      maxExecutions: undefined,
      maxSteps: undefined,
      maxStates: 0,
      keepGoing: false,
      races: false,
      countOrders: true,
    });
    while (!run.advance(1_000_000));
    results.push(run.results[0]!);
    times.push(cpuSeconds() - started);
  }
  const found = results.map(({ verdict }) => (verdict.kind === 'verified' ? 'correct' : verdict.kind));
  const expected = verdicts.map((verdict) => (verdict === 'error' ? 'violation' : verdict));
  if (found.join() !== expected.join()) throw new Error(`${name}: ${verdicts.join()} expected, but ${found.join()}`);
  const perModel = (text: (result: ModelResult, index: number) => string): string => results.map(text).join('  ');
  const star = (index: number): string => (verdicts[index] === 'error' ? '*' : '');
  return {
    counts: {
      // If an error ends the search, the time depends on the order of the search.
      traces: results.reduce((sum, { executions }, i) => sum + (verdicts[i] === 'error' ? 0 : executions), 0),
    },
    rates: {},
    texts: {
      'paper says': paper === '-' ? '-' : verdicts.join(' '),
      'we say': found.join(' '),
      executions: perModel(({ executions }, i) => `${executions}${star(i)}`),
      blocked: perModel(({ blocked }) => `${blocked}`),
      'CPU s': times.map((time) => time.toFixed(2)).join('  '),
      'paper s': printed?.nidhugg ?? '-',
    },
  };
}
