/**
 * Source- and Optimal-DPOR against the enumerator, on generated programs: the same traces; with `optimal` each exactly
 * once and none given up. More than a hundred programs in the push tier, thousands in the deep tier, each under
 * three models. Those with many threads and operations matter most, since small ones do not reveal subtle mistakes.
 */
import { describe, expect, it } from 'vitest';
import type { Model } from '../../../src/models/index.ts';
import { everything, forAll, forAllSketches, SKIPPED } from '../../support/for-all.ts';
import type { SketchOptions } from '../../support/generate.ts';
import { DPOR_MODELS, visit } from '../../support/searches.ts';
import { buildProgram, cas, fence, load, rmw, type Sketch, store } from '../../support/sketch.ts';
import { buildSyncProgram, printSyncSketch, syncSketches } from '../../support/sync-sketch.ts';

/** Like `toEqual`, which takes quadratic time on sets. */
function expectSame(found: ReadonlySet<string>, expected: ReadonlySet<string>, what: string): void {
  expect(found.size, what).toBe(expected.size);
  for (const trace of found) if (!expected.has(trace)) expect.fail(`${what}: not a trace of the program`);
}

/** False if the program is too large for the oracle. */
function expectSameTraces(sketch: Sketch, model: Model): boolean {
  const program = buildProgram(sketch);
  const { distinct, bounds } = visit(program, model, 'enumerate');
  // Too large for the oracle.
  if (bounds.length > 0) return false;
  const optimal = visit(program, model, 'optimal');
  expectSame(optimal.distinct, distinct, `${model}, optimal`);
  expect(optimal.traces.length, `${model}, optimal: executions`).toBe(distinct.size);
  expect(optimal.asleep, `${model}, optimal: given up`).toBe(0);
  const source = visit(program, model, 'source');
  expectSame(source.distinct, distinct, `${model}, source`);
  expect(source.traces.length, `${model}, source: complete executions`).toBe(distinct.size);
  return true;
}

describe('optimal and source sets find the traces of programs of loads, stores, read-modify-writes, fences and branches', () => {
  it.each<[string, number, SketchOptions]>([
    ['small', 80, { ...everything, threads: 3, totalOps: 6 }],
    ['with more locations', 25, { ...everything, threads: 4, totalOps: 8, locations: 3 }],
    ['plain', 15, { threads: 4, totalOps: 8, locations: 2 }],
    ['large', 8, { ...everything, threads: 5, totalOps: 11, locations: 3 }],
  ])('if they are %s: %d', (_, count, options) => {
    forAllSketches(options, count, (sketch) => {
      const compared = DPOR_MODELS.filter((model) => expectSameTraces(sketch, model));
      return compared.length === DPOR_MODELS.length ? undefined : SKIPPED;
    });
  });
});

describe('past findings stay mended', () => {
  const [x, y, z] = [0, 1, 2];
  it.each<[string, Sketch]>([
    [
      'a load in the tree whose own store the path has taken to memory',
      [
        [store(x, 1), store(y, 1), load(y)],
        [store(y, 1), store(x, 1, 'release')],
      ],
    ],
    [
      'a load in the sequence whose own store the path has taken to memory',
      [[store(x, 1), load(x), rmw('xchg', y, 1, 'relaxed')], [store(x, 1), load(y), load(x)], [rmw('xchg', x, 1)]],
    ],
    ['a compare-exchange that fails when it comes first', [[store(x, 2)], [load(x)], [cas(x, 2, 1), load(x)]]],
    [
      'an own store that another thread overwrites',
      [[load(x)], [store(z, 1), load(z)], [rmw('xchg', z, 1), store(x, 1)]],
    ],
    [
      'a relaxed read-modify-write behind a release fence',
      [
        [store(x, 1), fence('release'), rmw('add', y, 1, 'relaxed')],
        [rmw('add', y, 1, 'relaxed'), load(x)],
      ],
    ],
    [
      'the same, with stores on both sides',
      [
        [store(x, 1), fence('release'), rmw('add', y, 1, 'relaxed'), store(z, 1)],
        [load(z), rmw('add', y, 1, 'relaxed'), load(x)],
      ],
    ],
    [
      'a source set whose first process comes twice in the sequence',
      [
        [cas(x, 1, 1), load(z)],
        [load(x), store(z, 1), store(x, 1)],
      ],
    ],
  ])('%s', (_, sketch) => {
    for (const model of DPOR_MODELS) expect(expectSameTraces(sketch, model)).toBe(true);
  });
});

describe('optimal and source sets find the traces of programs with mutexes, condition variables, joins, frees, choices and loops', () => {
  function compare(count: number, options: { readonly atomic?: boolean }): void {
    let deadlocks = 0;
    let exhausted = 0;
    const from = syncSketches(options);
    const taken = forAll({ from, count, print: printSyncSketch }, (sketch) => {
      const program = buildSyncProgram(sketch);
      for (const model of DPOR_MODELS) {
        const all = visit(program, model, 'enumerate');
        if (all.bounds.length > 0) return SKIPPED;
        // The oracle's own oracle, if it finishes.
        const every = visit(program, model, 'exhaustive', 2000);
        if (every.bounds.length === 0) {
          exhausted++;
          expectSame(all.distinct, every.distinct, `${model}, enumerate`);
          expect(all.errors > 0, `${model}, enumerate: errors`).toBe(every.errors > 0);
        }
        const most = 50 * all.distinct.size + (options.atomic === true ? 100_000 : 1000);
        for (const search of ['optimal', 'source'] as const) {
          const found = visit(program, model, search, most);
          // An error ends its execution, so other threads do not finish.
          expect(found.errors > 0, `${model}, ${search}: errors`).toBe(all.errors > 0);
          if (all.errors > 0) continue;
          expectSame(found.distinct, all.distinct, `${model}, ${search}`);
          if (search === 'source') continue;
          expect(found.asleep, `${model}: given up`).toBe(0);
          // Sections exclude each other, which traces do not show, so one trace may occur twice.
          if (options.atomic !== true) expect(found.traces.length, model).toBe(all.distinct.size);
        }
        deadlocks += all.deadlocks > 0 ? 1 : 0;
      }
      return undefined;
    });
    // Otherwise the generator has become too tame: one program in ten deadlocks, so few programs may have none.
    if (options.atomic !== true) expect(deadlocks).toBeGreaterThan(taken / 20);
    expect(exhausted).toBeGreaterThan(taken / 2);
  }

  it('in 20 of them', () => compare(20, {}));
  it('in 5 with atomic sections', () => compare(5, { atomic: true }));
});

it('a write may follow more reads than are looked through one by one', () => {
  const reads = Array.from({ length: 24 }, () => load(0));
  const sketch: Sketch = [reads, [store(0, 1), rmw('xchg', 0, 2)]];
  for (const model of DPOR_MODELS) expect(expectSameTraces(sketch, model), model).toBe(true);
});
