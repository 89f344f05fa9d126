/**
 * Each rule of Retrace, left out: the comparison with the enumerator notices. The last two rules are about accesses of
 * several sizes; without them, the search itself notices that its order is broken, or has wrong executions.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ALL_RULES, type Rules } from '../../../src/explore/retrace/reversals.ts';
import type { Program } from '../../../src/program/ir.ts';
import { sketches } from '../../support/generate.ts';
import {
  buildOverlapping,
  buildWaiting,
  disagreement,
  overlappingSketches,
  waitingSketches,
} from '../../support/retracing.ts';
import { buildProgram } from '../../support/sketch.ts';
import { buildSyncProgram, lockingSketches } from '../../support/sync-sketch.ts';

const plain = sketches({ threads: 3, totalOps: 6, locations: 2 }).filter((sketch) => sketch.length > 0);

function notices<T>(rule: keyof Rules, from: fc.Arbitrary<T>, build: (sketch: T) => Program): boolean {
  const rules = { ...ALL_RULES, [rule]: false };
  return fc.sample(from, { numRuns: 60, seed: 20260101 }).some((sketch) => {
    try {
      return typeof disagreement(build(sketch), 'sc', rules) === 'string';
    } catch {
      // It cannot take a reversal where it belongs.
      return true;
    }
  });
}

it('is noticed: no test for stars', () => expect(notices('stars', plain, buildProgram)).toBe(true));
it('is noticed: no test for reads that are overwritten', () =>
  expect(notices('overwritten', plain, buildProgram)).toBe(true));
it('is noticed: postponed reads may read anything', () => expect(notices('bounds', plain, buildProgram)).toBe(true));
it('is noticed: what waits at the end is not reversed', () =>
  expect(notices('waiting', lockingSketches(), buildSyncProgram)).toBe(true));
it('is noticed: no late turns', () => expect(notices('late', waitingSketches, buildWaiting)).toBe(true));
it('is noticed: one past only', () => expect(notices('allPasts', overlappingSketches, buildOverlapping)).toBe(true));
it('is noticed: no next turn for what was postponed', () =>
  expect(notices('nextTurn', overlappingSketches, buildOverlapping)).toBe(true));
it('is noticed: reversals in any order', () =>
  expect(notices('units', overlappingSketches, buildOverlapping)).toBe(true));
