/**
 * How much a test run tries (CONTRIBUTING.md, "Tiers"). Quick: every kind of test, ten samples of each property, on any
 * machine. Push: everything, with fixed seeds and as many samples as CI has minutes for. Deep: a fresh seed, which is
 * printed, and far more samples. `test/tiers.ts` lists the files that quick leaves out.
 */
export type Tier = 'quick' | 'push' | 'deep';

/** Files that are run by name, with `npx vitest run FILE`, are run as in CI. */
export const TIER: Tier = (process.env['TEST_TIER'] as Tier | undefined) ?? 'push';
if (!['quick', 'push', 'deep'].includes(TIER)) throw new Error(`TEST_TIER=${TIER}: must be quick, push or deep`);

export const QUICK: boolean = TIER === 'quick';
export const DEEP: boolean = TIER === 'deep';

/** The seed for everything random in the tests. */
export const SEED: number = Number(process.env['TEST_SEED'] ?? 20_260_101);

/** Samples of a property in the quick tier. */
const FEW = 10;
/** Deep-tier samples per sample of the push tier. */
const TIMES = Number(process.env['TEST_TIMES'] ?? 20);

/** How many samples to take where the push tier takes `count`. */
export function samples(count: number): number {
  if (QUICK) return Math.min(count, FEW);
  return DEEP ? count * TIMES : count;
}

/** For `toBeGreaterThan`: in so many samples of the push tier something was seen. Ten samples need not show it. */
export function floor(count: number): number {
  return QUICK ? -1 : count;
}
