/**
 * Accesses of different sizes combined with compare-exchanges: what an operation conflicts with depends on the values
 * that it finds ([decision 16](../../../docs/decisions/0016-dependence.md)). Optimal and source sets against the
 * enumerator.
 */
import { expect, it } from 'vitest';
import { forAll, SKIPPED } from '../../support/for-all.ts';
import { DPOR_MODELS, visit } from '../../support/searches.ts';
import { buildSizedProgram, type SizedSketch, sizedSketches } from '../../support/sized-sketch.ts';

it.each<[number, number, number]>([
  [150, 3, 5],
  [120, 3, 7],
  [15, 4, 8],
])(
  'optimal and source sets find the traces of %d programs of %d threads, %d operations',
  (count, threads, operations) => {
    const from = sizedSketches(threads, operations);
    forAll({ from, count, print: (sketch: SizedSketch) => sketch.toString() }, (sketch) => {
      const program = buildSizedProgram(sketch);
      for (const model of DPOR_MODELS) {
        const all = visit(program, model, 'enumerate');
        if (all.bounds.length > 0) return SKIPPED;
        const optimal = visit(program, model, 'optimal');
        expect([...optimal.distinct].sort(), `${model}, optimal`).toEqual([...all.distinct].sort());
        expect([optimal.traces.length, optimal.asleep], `${model}, optimal`).toEqual([all.distinct.size, 0]);
        const source = visit(program, model, 'source');
        expect([...source.distinct].sort(), `${model}, source`).toEqual([...all.distinct].sort());
        expect(source.traces.length, `${model}, source`).toBe(all.distinct.size);
      }
      return undefined;
    });
  },
);
