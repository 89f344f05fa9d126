import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { axiomaticExecutions } from './support/axiomatic.ts';
import { sketches } from './support/generate.ts';
import { runSketch } from './support/run.ts';

const everything = { rmw: true, cas: true, fences: true, orders: true, branches: true };

describe('the machine agrees with the axiomatic oracle', () => {
  it.each(['sc', 'tso', 'pso'] as const)('%s', (model) => {
    fc.assert(
      fc.property(sketches({ ...everything, threads: 4, locations: 3, totalOps: 9 }), (sketch) => {
        const axiomatic = axiomaticExecutions(sketch, model);
        const machine = runSketch(sketch, model);
        expect(machine.states).toEqual(axiomatic.states);
        expect(machine.executionKeys).toEqual(axiomatic.keys);
        expect(machine.traceKeys.size).toBe(axiomatic.executions);
      }),
      { numRuns: 1000 },
    );
  });
});
