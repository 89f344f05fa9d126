/**
 * How much a run of the tests tries (CONTRIBUTING.md, "Tiers"). Every day: fixed seeds, so that a run says the same twice,
 * and samples that fit into minutes. Deep: `npm run test:deep`, which draws a seed and says which, and takes far more samples.
 */
export const DEEP: boolean = process.env['TEST_TIER'] === 'deep';

/** What everything random in the tests starts from. */
export const SEED: number = Number(process.env['TEST_SEED'] ?? 20_260_101);

/** Samples of the deep tier for each one of every day. */
const TIMES = Number(process.env['TEST_TIMES'] ?? 20);

/** How many samples to take where `count` are taken every day. */
export function samples(count: number): number {
  return DEEP ? count * TIMES : count;
}
