/**
 * How much a test run tries (CONTRIBUTING.md, "Tiers"). Everyday: fixed seeds, so that runs are reproducible, and few
 * enough samples for minutes. Deep: `npm run test:deep`, which draws and prints a seed, and takes far more samples.
 */
export const DEEP: boolean = process.env['TEST_TIER'] === 'deep';

/** The seed for everything random in the tests. */
export const SEED: number = Number(process.env['TEST_SEED'] ?? 20_260_101);

/** Deep-tier samples per everyday sample. */
const TIMES = Number(process.env['TEST_TIMES'] ?? 20);

/** How many samples to take where the everyday tier takes `count`. */
export function samples(count: number): number {
  return DEEP ? count * TIMES : count;
}
