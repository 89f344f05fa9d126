/** The monitors against brute force, on programs with mutexes, condition variables, semaphores, joins, frees and bytes. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alarms, robustness } from '../support/monitoring.ts';
import {
  buildSyncProgram,
  printSyncSketch,
  racySyncSketches,
  type SyncSketch,
  syncSketches,
} from '../support/sync-sketch.ts';

function compare(sketch: SyncSketch): { tso: boolean; pso: boolean } | undefined {
  const program = buildSyncProgram(sketch);
  const robust = robustness(program);
  if (robust === undefined) return undefined;
  const found = alarms(program, 'optimal');
  expect(found.has('causal-tso'), 'causal-tso').toBe(!robust.tso);
  expect(found.has('sober-fixed'), 'sober-fixed').toBe(!robust.tso);
  expect(found.has('causal-pso'), 'causal-pso').toBe(!robust.pso);
  if (robust.tso) expect(found.has('tso') || found.has('sober'), 'tso, sober').toBe(false);
  if (robust.pso) expect(found.has('pso'), 'pso').toBe(false);
  return robust;
}

describe('on one execution per trace', () => {
  it.each<[string, number, fc.Arbitrary<SyncSketch>]>([
    ['synchronisation of all kinds', 300, syncSketches()],
    ['racy', 500, racySyncSketches()],
    ['racy, with atomic sections', 300, racySyncSketches({ atomic: true })],
  ])('%s: %d', (name, count, sketches) => {
    let notRobust = 0;
    let compared = 0;
    const programs = sketches.map((sketch) => ({ sketch, toString: () => printSyncSketch(sketch) }));
    fc.assert(
      fc.property(programs, ({ sketch }) => {
        const robust = compare(sketch);
        if (robust === undefined) return;
        compared++;
        notRobust += (robust.tso ? 0 : 1) + (robust.pso ? 0 : 1);
      }),
      { numRuns: count },
    );
    // Or the generator has become too tame.
    expect(compared).toBeGreaterThan(count / 2);
    if (name.startsWith('racy')) expect(notRobust).toBeGreaterThan(count / 40);
  });
});
