/** The search over execution graphs against brute force, under RC11. */
import { describe, expect, it } from 'vitest';
import { everything, forAllSketches, SKIPPED } from '../../support/for-all.ts';
import { keyOfSketch, visitGraphs, withoutPlain } from '../../support/graphs.ts';
import { rc11Executions } from '../../support/rc11.ts';
import { buildProgram, type Sections, type Sketch } from '../../support/sketch.ts';

function compare(sketch: Sketch, sections: Sections = []): unknown {
  const wanted = rc11Executions(sketch, 20_000, sections);
  if (wanted.isCut) return SKIPPED;
  const found = visitGraphs(buildProgram(sketch, 'sketch', sections), keyOfSketch(sketch, true));
  expect(found.result.errors.length > 0).toBe(wanted.races);
  if (wanted.races) return undefined;
  expect([...found.keys].sort()).toEqual([...wanted.keys].sort());
  expect(found.result.executions).toBe(wanted.keys.size);
  return undefined;
}

describe('every graph is visited once', () => {
  it.each([
    [3, 6, 2],
    [4, 7, 2],
    [2, 7, 2],
    [3, 7, 3],
    [3, 6, 1],
  ])('of %i threads, %i operations, %i locations', (threads, totalOps, locations) => {
    forAllSketches({ ...everything, threads, totalOps, locations }, 60, (sketch, seed) =>
      compare(withoutPlain(sketch, seed % 8 === 0)),
    );
  });
});

/** At most one section per thread, which two of three have: at its beginning, at its end, or somewhere. */
function sectionsOf(sketch: Sketch, seed: number): Sections {
  let rest = seed;
  const draw = (n: number): number => {
    const drawn = rest % n;
    rest = Math.floor(rest / n);
    return drawn;
  };
  return sketch.map((ops) => {
    if (ops.length === 0 || draw(3) === 0) return undefined;
    const from = draw(ops.length);
    return [from, from + 1 + draw(ops.length - from)];
  });
}

describe('atomic sections behave as one lock', () => {
  it.each([
    [2, 6, 2],
    [3, 6, 2],
    [3, 6, 3],
  ])('for %i threads, %i operations, %i locations', (threads, totalOps, locations) => {
    forAllSketches({ ...everything, threads, totalOps, locations }, 60, (sketch, seed) =>
      compare(withoutPlain(sketch, seed % 4 === 0), sectionsOf(sketch, seed >> 2)),
    );
  });
});
