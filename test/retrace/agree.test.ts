import { describe, expect, it } from 'vitest';
import { everything, forAllSketches, forAll, SKIPPED } from '../support/for-all.ts';
import type { SketchOptions } from '../support/generate.ts';
import { DPOR_MODELS, visit } from '../support/searches.ts';
import { buildProgram, type Sketch } from '../support/sketch.ts';
import type { Model } from '../../src/models/index.ts';
import { buildSyncProgram, printSyncSketch, syncSketches } from '../support/sync-sketch.ts';

function expectSame(found: ReadonlySet<string>, expected: ReadonlySet<string>, what: string): void {
  expect(found.size, what).toBe(expected.size);
  for (const trace of found) if (!expected.has(trace)) expect.fail(`${what}: not a trace of the program`);
}
function expectSameTraces(sketch: Sketch, model: Model): boolean {
  const program = buildProgram(sketch);
  const { distinct, bounds } = visit(program, model, 'enumerate');
  if (bounds.length > 0) return false;
  const found = visit(program, model, 'retrace', 5 * distinct.size + 10);
  expectSame(found.distinct, distinct, `${model}`);
  expect(found.traces.length, `${model}: executions`).toBe(distinct.size);
  return true;
}
const N = Number(process.env['N'] ?? 1);
describe('programs of loads, stores, read-modify-writes, fences and branches', () => {
  it.each<[string, number, SketchOptions]>([
    ['tiny', 80, { ...everything, threads: 2, totalOps: 4 }],
    ['small', 80, { ...everything, threads: 3, totalOps: 6 }],
    ['with more locations', 25, { ...everything, threads: 4, totalOps: 8, locations: 3 }],
    ['plain', 15, { threads: 4, totalOps: 8, locations: 2 }],
    ['large', 8, { ...everything, threads: 5, totalOps: 11, locations: 3 }],
  ])('%s: %d', (_, count, options) => {
    forAllSketches(options, count * N, (sketch) => {
      const compared = DPOR_MODELS.filter((model) => expectSameTraces(sketch, model));
      return compared.length === DPOR_MODELS.length ? undefined : SKIPPED;
    });
  });
});
describe('sync', () => {
  it('20', () => {
    forAll({ from: syncSketches({}), count: 20*N, print: printSyncSketch }, (sketch) => {
      const program = buildSyncProgram(sketch);
      for (const model of DPOR_MODELS) {
        const all = visit(program, model, 'enumerate');
        if (all.bounds.length > 0) return SKIPPED;
        const found = visit(program, model, 'retrace', 5 * all.distinct.size + 1000);
        expect(found.errors > 0, `${model}: errors`).toBe(all.errors > 0);
        if (all.errors > 0) continue;
        expectSame(found.distinct, all.distinct, model);
        expect(found.traces.length, model).toBe(all.distinct.size);
      }
      return undefined;
    });
  });
});
