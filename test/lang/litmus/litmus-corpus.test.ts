/**
 * 487 x86 tests that we did not write, with their states and numbers of executions under SC, TSO and PSO from two
 * independent simulators (see the README beside them). They live outside the repository.
 */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseLitmus } from '../../../src/frontend/litmus/litmus.ts';
import type { Model } from '../../../src/models/index.ts';
import { type LitmusResult, LitmusRun } from '../../../src/pipelines/litmus.ts';

const corpus = new URL('../../../../shared/corpora/x86-dat3m/', import.meta.url);
const present = existsSync(corpus);
if (!present) console.warn(`skipped: no litmus tests at ${corpus.pathname}`);

interface Row {
  readonly file: string;
  readonly quantifier: string;
  readonly model: Model;
  readonly holds: boolean;
  readonly states: readonly string[];
  readonly executions: number;
}

function readRows(): Row[] {
  const [, ...lines] = readFileSync(new URL('expected.tsv', corpus), 'utf8').trimEnd().split('\n');
  return lines.map((line) => {
    const [file, , quantifier, model, holds, states, executions] = line.split('\t') as [string, ...string[]];
    return {
      file,
      quantifier: quantifier!,
      model: model as Model,
      holds: holds === 'yes',
      states: states!.split(' | ').map(sortNames).sort(),
      executions: Number(executions),
    };
  });
}

function run(file: string, model: Model): LitmusResult {
  const run = new LitmusRun(parseLitmus(readFileSync(new URL(file, corpus), 'utf8'), file), model);
  run.advance(Number.POSITIVE_INFINITY);
  return run.result;
}

function printStates({ test, states }: LitmusResult): string[] {
  return states
    .map(({ values }) => sortNames(test.observed.map(({ label }, i) => `${label}=${values[i]}`).join(',')))
    .sort();
}

/** The order of names within a state is irrelevant. */
function sortNames(state: string): string {
  return state.split(',').sort().join(',');
}

describe.skipIf(!present)('the x86 tests of Dartagnan', () => {
  const rows = present ? readRows() : [];
  const scExecutions = new Map(rows.filter(({ model }) => model === 'sc').map((row) => [row.file, row.executions]));

  it.each(['sc', 'tso', 'pso'] as const)('have the published states, answers and executions under %s', (model) => {
    const own = rows.filter((row) => row.model === model);
    expect(own).toHaveLength(487);
    for (const { file, quantifier, holds, states, executions } of own) {
      const result = run(file, model);
      expect(result.bounds, file).toEqual([]);
      expect(result.test.condition?.quantifier, file).toBe(quantifier);
      expect(printStates(result), file).toEqual(states);
      expect(result.holds, file).toBe(holds);
      expect(result.executions, file).toBe(executions);
      // SC traces are acyclic. A weaker model allows all of them, and a test is robust if it has no others.
      expect(result.robust, file).toBe(executions === scExecutions.get(file));
    }
  });
});
