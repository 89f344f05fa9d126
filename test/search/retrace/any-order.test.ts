/**
 * Retrace in any order, by any number of workers in fresh engines, some of which vanish: exactly the traces of one
 * search, each once. Every job is a path of its own and passes through JSON.
 */
import type fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Retrace } from '../../../src/explore/retrace/retrace.ts';
import type { Program } from '../../../src/program/ir.ts';
import { type Divided, searchDivided } from '../../support/any-order.ts';
import { everything, forAll, SKIPPED } from '../../support/for-all.ts';
import { sketches } from '../../support/generate.ts';
import {
  buildOverlapping,
  buildWaiting,
  overlappingSketches,
  printOverlapping,
  printWaiting,
  retraced,
  waitingSketches,
} from '../../support/retracing.ts';
import { DPOR_MODELS } from '../../support/searches.ts';
import { buildSizedProgram, sizedSketches } from '../../support/sized-sketch.ts';
import { buildProgram, printSketch } from '../../support/sketch.ts';
import { buildSyncProgram, conditionalSyncSketches, printSyncSketch, syncSketches } from '../../support/sync-sketch.ts';

interface Sample {
  readonly program: Program;
  toString(): string;
}

const sample = <T>(from: fc.Arbitrary<T>, build: (sketch: T) => Program, print: (sketch: T) => string) =>
  from.map((sketch): Sample => ({ program: build(sketch), toString: () => print(sketch) }));

const basic = (options: Parameters<typeof sketches>[0]) => sketches(options).filter((sketch) => sketch.length > 0);

const KINDS: readonly [string, number, fc.Arbitrary<Sample>][] = [
  [
    'accesses of one size',
    100,
    sample(basic({ ...everything, threads: 4, totalOps: 7, locations: 2 }), buildProgram, printSketch),
  ],
  ['loads and stores', 50, sample(basic({ threads: 4, totalOps: 9, locations: 2 }), buildProgram, printSketch)],
  ['awaits', 50, sample(waitingSketches, buildWaiting, printWaiting)],
  ['locks, conditions, joins, frees, choices, loops', 60, sample(syncSketches(), buildSyncProgram, printSyncSketch)],
  ['condition variables', 20, sample(conditionalSyncSketches(), buildSyncProgram, printSyncSketch)],
  ['accesses of several sizes', 50, sample(sizedSketches(3, 6), buildSizedProgram, String)],
  ['accesses that overlap', 20, sample(overlappingSketches, buildOverlapping, printOverlapping)],
];

/** More would take too long. */
const MOST = 150;

const sums = { divided: 0, lost: 0, searches: 0 };

function note({ divided, lost }: Divided): void {
  sums.searches++;
  sums.divided += divided;
  sums.lost += lost;
}

describe('parts in any order visit what the whole search visits', () => {
  it.each(KINDS)('of %s: %d programs', (_, count, samples) => {
    forAll({ from: samples, count, print: String, compared: 0.5 }, ({ program }, seed) => {
      let compared = 0;
      for (const [i, model] of DPOR_MODELS.entries()) {
        const { traces: expected, errors, bounds } = retraced(program, model, MOST);
        // An error ends the search.
        if (errors > 0 || bounds.length > 0) continue;
        compared++;
        const workers = 1 + ((seed + i) % 4);
        const found = searchDivided(program, model, {
          workers,
          seed: seed + i,
          maxExecutions: 3 * MOST,
          isList: true,
          search: (machine) => new Retrace(machine),
        });
        expect([...found.traces].sort(), `${model}, ${workers} workers`).toEqual([...expected].sort());
        note(found);
      }
      return compared === 0 ? SKIPPED : undefined;
    });
  });

  // Otherwise nothing has been tested.
  it('jobs were divided and lost', () => {
    expect(sums.divided).toBeGreaterThan(sums.searches / 2);
    expect(sums.lost).toBeGreaterThan(sums.searches / 4);
  });
});
