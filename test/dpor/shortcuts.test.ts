/**
 * Each shortcut of the search, turned off: the same traces, each once. Decision 16 has the lemma of each.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SHORTCUT_VARIANTS, type Shortcuts } from '../../src/explore/dpor/shortcuts.ts';
import type { Program } from '../../src/program/ir.ts';
import { everything } from '../support/for-all.ts';
import { sketches } from '../support/generate.ts';
import { DPOR_MODELS, visit } from '../support/searches.ts';
import { buildSizedProgram, sizedSketches } from '../support/sized-sketch.ts';
import { buildProgram, printSketch } from '../support/sketch.ts';
import { buildSyncProgram, printSyncSketch, syncSketches } from '../support/sync-sketch.ts';

interface Sample {
  readonly program: Program;
  toString(): string;
}

const kinds: readonly [string, number, fc.Arbitrary<Sample>][] = [
  [
    'accesses of one size',
    60,
    sketches({ ...everything, threads: 4, totalOps: 7 })
      .filter((sketch) => sketch.length > 0)
      .map((sketch) => ({ program: buildProgram(sketch), toString: () => printSketch(sketch) })),
  ],
  [
    'accesses of several sizes',
    60,
    sizedSketches(3, 6).map((sketch) => ({ program: buildSizedProgram(sketch), toString: () => sketch.toString() })),
  ],
  [
    'locks, conditions, joins, frees, choices, loops',
    30,
    syncSketches().map((sketch) => ({ program: buildSyncProgram(sketch), toString: () => printSyncSketch(sketch) })),
  ],
];

function compare(program: Program, shortcuts: Shortcuts): void {
  for (const model of DPOR_MODELS) {
    const withAll = visit(program, model, 'optimal', 3000);
    if (withAll.bounds.length > 0) continue;
    const optimal = visit(program, model, 'optimal', Number.POSITIVE_INFINITY, shortcuts);
    expect([...optimal.distinct].sort(), `${model}, optimal`).toEqual([...withAll.distinct].sort());
    expect([optimal.traces.length, optimal.asleep, optimal.errors > 0], `${model}, optimal`).toEqual([
      withAll.traces.length,
      withAll.asleep,
      withAll.errors > 0,
    ]);
    const source = visit(program, model, 'source', Number.POSITIVE_INFINITY, shortcuts);
    expect([...source.distinct].sort(), `${model}, source`).toEqual([...withAll.distinct].sort());
  }
}

describe.each(SHORTCUT_VARIANTS)('without $without', ({ shortcuts }) => {
  it.each(kinds)('%s: %d programs', (_, count, samples) => {
    fc.assert(
      fc.property(samples, ({ program }) => compare(program, shortcuts)),
      { numRuns: count },
    );
  });
});
