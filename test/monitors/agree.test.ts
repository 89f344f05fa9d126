/**
 * The monitors against brute force, on generated programs. `sober-fixed`, `causal-tso` and `causal-pso` see one
 * execution per trace and must neither miss nor invent a violation; `tso` and `pso` see all interleavings; `sober` may
 * miss some.
 */
import { describe, expect, it } from 'vitest';
import { everything, forAllSketches, SKIPPED } from '../support/for-all.ts';
import type { SketchOptions } from '../support/generate.ts';
import { alarms, robustness } from '../support/monitoring.ts';
import { buildProgram } from '../support/sketch.ts';
import { floor } from '../support/tier.ts';

describe('monitors are right on one execution per trace', () => {
  it.each<[string, number, SketchOptions]>([
    ['small', 450, { ...everything, threads: 3, totalOps: 6 }],
    ['with more locations', 50, { ...everything, threads: 4, totalOps: 8, locations: 3 }],
    ['plain', 30, { threads: 3, totalOps: 8, locations: 2 }],
    ['plain, with four threads', 30, { threads: 4, totalOps: 9, locations: 3 }],
  ])('of generated programs, %s: %d', (_, count, options) => {
    let notRobust = 0;
    const taken = forAllSketches(options, count, (sketch) => {
      const program = buildProgram(sketch);
      const robust = robustness(program);
      if (robust === undefined) return SKIPPED;
      const found = alarms(program, 'optimal');
      expect(found.has('causal-tso'), 'causal-tso').toBe(!robust.tso);
      expect(found.has('sober-fixed'), 'sober-fixed').toBe(!robust.tso);
      expect(found.has('causal-pso'), 'causal-pso').toBe(!robust.pso);
      // These may miss violations, but not invent them.
      if (robust.tso) expect(found.has('tso') || found.has('sober'), 'tso, sober').toBe(false);
      if (robust.pso) expect(found.has('pso'), 'pso').toBe(false);
      notRobust += (robust.tso ? 0 : 1) + (robust.pso ? 0 : 1);
      return undefined;
    });
    expect(notRobust).toBeGreaterThan(floor(taken / 50));
  });
});

describe('monitors are right over all interleavings', () => {
  it.each<[string, number, SketchOptions]>([
    ['small', 150, { ...everything, threads: 3, totalOps: 6 }],
    ['plain', 50, { threads: 3, totalOps: 7, locations: 2 }],
  ])('of generated programs, %s: %d', (_, count, options) => {
    forAllSketches(options, count, (sketch) => {
      const program = buildProgram(sketch);
      const robust = robustness(program);
      if (robust === undefined) return SKIPPED;
      const found = alarms(program, 'exhaustive');
      for (const name of ['tso', 'causal-tso', 'sober-fixed'] as const) expect(found.has(name), name).toBe(!robust.tso);
      for (const name of ['pso', 'causal-pso'] as const) expect(found.has(name), name).toBe(!robust.pso);
      if (robust.tso) expect(found.has('sober'), 'sober').toBe(false);
      return undefined;
    });
  });
});
