/**
 * Robustness by exploration: the traces with a cycle that `optimal` finds are exactly those of the model that SC does
 * not allow, and brute force finds the same.
 */
import { describe, expect, it } from 'vitest';
import { Enumerator } from '../../../src/explore/enumerator.ts';
import { explore } from '../../../src/explore/explore.ts';
import { Machine } from '../../../src/machine/machine.ts';
import { type Model, modelsWith } from '../../../src/models/index.ts';
import { CheckRun } from '../../../src/pipelines/check.ts';
import type { ModelResult } from '../../../src/pipelines/model-run.ts';
import type { Program } from '../../../src/program/ir.ts';
import { isAcyclic } from '../../../src/trace/cycle.ts';
import { ShashaSnirTrace } from '../../../src/trace/shasha-snir.ts';
import { traceKey } from '../../../src/trace/trace-key.ts';
import { everything, forAllSketches } from '../../support/for-all.ts';
import { buildProgram, load, type Sketch, store } from '../../support/sketch.ts';
import { floor } from '../../support/tier.ts';

function checkRobust(program: Program): readonly ModelResult[] {
  const run = new CheckRun(program, {
    models: modelsWith('dpor'),
    strategy: 'optimal',
    preemptions: 0,
    seed: 0,
    maxExecutions: undefined,
    maxSteps: undefined,
    maxStates: 0,
    keepGoing: true,
    races: false,
    robust: true,
  });
  while (!run.advance(Number.POSITIVE_INFINITY));
  return run.results;
}

/** Distinct traces with a cycle. */
function cyclicTraces(program: Program, model: Model): number {
  const machine = new Machine(program, model);
  const found = new Set<string>();
  explore(machine, new Enumerator(machine), {
    onExecution: () => {
      if (!isAcyclic(new ShashaSnirTrace(machine.events, machine.processes))) found.add(traceKey(machine));
    },
  });
  return found.size;
}

describe('robustness by exploration', () => {
  it('equals "more traces than SC" and brute force', () => {
    let notRobust = 0;
    forAllSketches({ ...everything, threads: 3, totalOps: 7 }, 200, (sketch) => {
      const program = buildProgram(sketch);
      const [sc, ...relaxed] = checkRobust(program);
      expect(sc).toMatchObject({ robust: true });
      for (const { model, robust, beyondSc, executions, cycle } of relaxed) {
        expect(beyondSc, model).toBe(cyclicTraces(program, model));
        expect(executions - sc!.executions, model).toBe(beyondSc);
        expect(robust, model).toBe(beyondSc === 0);
        expect(cycle !== undefined, model).toBe(!robust);
        notRobust += robust === true ? 0 : 1;
      }
    });
    expect(notRobust).toBeGreaterThan(floor(5));
  });

  it('shows a cycle whose edges meet end to end', () => {
    const sb: Sketch = [
      [store(0, 1), load(1)],
      [store(1, 1), load(0)],
    ];
    const [, tso] = checkRobust(buildProgram(sb));
    const edges = tso!.cycle!.edges.map(({ from, relation, to }) => `${from.name} ${relation} ${to.name}`);
    expect(edges).toEqual(['0#1 program order 0#2', '0#2 conflict 1#1', '1#1 program order 1#2', '1#2 conflict 0#1']);
    expect(tso).toMatchObject({ robust: false, beyondSc: 1, verdict: { kind: 'verified' } });
  });
});
