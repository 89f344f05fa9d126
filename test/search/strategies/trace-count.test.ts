/** Estimates of the number of traces by random executions: unbiased, and soon close to the true number. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MachineDpor } from '../../../src/explore/dpor/machine/machine-dpor.ts';
import { TraceCount } from '../../../src/explore/dpor/machine/trace-count.ts';
import { ALL_SHORTCUTS } from '../../../src/explore/dpor/shortcuts.ts';
import { explore } from '../../../src/explore/explore.ts';
import { Machine, type MachineOptions } from '../../../src/machine/machine.ts';
import type { Model } from '../../../src/models/index.ts';
import type { Program } from '../../../src/program/ir.ts';
import { compileC } from '../../support/c.ts';
import { everything, forAll, SKIPPED } from '../../support/for-all.ts';
import { sketches } from '../../support/generate.ts';
import { DPOR_MODELS } from '../../support/searches.ts';
import { buildProgram, printSketch } from '../../support/sketch.ts';
import { buildSyncProgram, printSyncSketch, syncSketches } from '../../support/sync-sketch.ts';

const scale = (name: string, n: number): Promise<Program> =>
  compileC(`#define N ${n}\n${readFileSync(new URL(`../../../programs/scale/${name}.c`, import.meta.url), 'utf8')}`);

/** Steps of random executions. */
function estimated(program: Program, model: Model, steps: number, options: MachineOptions = {}): TraceCount {
  const count = new TraceCount(new Machine(program, model, {}, options), ALL_SHORTCUTS, 10_000);
  for (let n = 0; n < steps && !count.isOver; n += 1000) count.advance(1000);
  return count;
}

it.each<[string, number, Model, number]>([
  ['readers', 16, 'sc', 65_536],
  ['fib', 6, 'tso', 226_512],
  ['sb-ring', 13, 'sc', 8191],
  ['lastzero', 9, 'sc', 1536],
  ['mutex', 5, 'sc', 120],
  ['mp-ring', 7, 'pso', 16_384],
  ['cas-loop', 4, 'tso', 1536],
])('the estimate is near the number of traces of %s(%d) under %s', async (name, n, model, traces) => {
  const options = name === 'cas-loop' ? { spin: false } : {};
  const { estimate } = estimated(await scale(name, n), model, 100_000, options);
  expect(estimate!.traces).toBeGreaterThan(traces / 1.5);
  expect(estimate!.traces).toBeLessThan(traces * 1.5);
});

it('the estimate has a large error where single executions weigh too much', async () => {
  expect(estimated(await scale('indexer', 15), 'sc', 100_000).estimate!.error).toBeGreaterThan(0.4);
});

it('there is no estimate from few executions', async () => {
  const program = await scale('readers', 16);
  expect(estimated(program, 'sc', 1000).estimate).toBeUndefined();
});

/** More would take too long. */
const MOST = 500;

describe('the estimate is right on average', () => {
  it.each([
    [
      'accesses',
      sketches({ ...everything, threads: 3, totalOps: 7, locations: 2 })
        .filter((sketch) => sketch.length > 0)
        .map((sketch) => ({ program: buildProgram(sketch), toString: () => printSketch(sketch) })),
    ],
    [
      'locks, conditions, joins, frees, choices, loops',
      syncSketches().map((sketch) => ({
        program: buildSyncProgram(sketch),
        toString: () => printSyncSketch(sketch),
      })),
    ],
  ])('for programs of %s', (_, from) => {
    forAll<{ readonly program: Program; toString(): string }>(
      { from, count: 5, print: String, compared: 0.5 },
      ({ program }) => {
        let compared = 0;
        for (const model of DPOR_MODELS) {
          const machine = new Machine(program, model);
          const { executions, errors, bounds } = explore(machine, new MachineDpor(machine, 'optimal'), {
            maxExecutions: MOST,
          });
          if (errors.length > 0 || bounds.length > 0 || executions < 2) continue;
          const { estimate } = estimated(program, model, 40_000);
          if (estimate === undefined) continue;
          compared++;
          expect(Math.abs(estimate.traces - executions)).toBeLessThan(6 * estimate.error * executions + 1e-6);
        }
        return compared === 0 ? SKIPPED : undefined;
      },
    );
  });
});
