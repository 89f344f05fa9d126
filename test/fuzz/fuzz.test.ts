/**
 * 2,000 generated programs at fixed seeds, each compared in many ways, with every pair of features among them. `npm run fuzz`
 * goes on with other seeds.
 */
import { expect, it } from 'vitest';
import { Tally } from './compare.ts';
import { Coverage } from './coverage.ts';
import { Job } from './job.ts';
import { printFile } from './print-c.ts';

const PROGRAMS = 2000;
const PER_BATCH = 100;

/** Comparisons that there must be at least, so that none becomes rare unnoticed; one is of one program under one model. */
const FLOORS: Readonly<Record<string, number>> = {
  optimal: 4500,
  source: 2200,
  enumerate: 900,
  exhaustive: 250,
  'generated code': 500,
  'no spin': 250,
  'as written': 350,
  'traces of the simulator': 500,
  'check: explored': 500,
  'check: robust': 300,
  robustness: 600,
};

it(`${PROGRAMS} programs: all answers agree, and every pair of features is met`, async () => {
  const tally = new Tally();
  const coverage = new Coverage();
  const job = new Job();
  try {
    for (let first = 1; first <= PROGRAMS; first += PER_BATCH) {
      const { programs, counts, pairs, found } = await job.run({ first, count: PER_BATCH, npm: false });
      coverage.merge(pairs, programs);
      for (const [what, n] of counts) tally.add(what, n);
      for (const { program, disagreements } of found) {
        const said = disagreements.map(({ what, model, detail }) => `${model}: ${what}: ${detail}`).join('\n');
        expect.fail(`seed ${program.seed}:\n${said}\n${printFile(program)}`);
      }
    }
  } finally {
    job.end();
  }
  expect(coverage.empty).toEqual([]);
  for (const [what, floor] of Object.entries(FLOORS)) {
    expect(tally.counts.get(what) ?? 0, what).toBeGreaterThanOrEqual(floor);
  }
  // Programs that are too large, or never end, are replaced by others; few are.
  const replaced = [...tally.counts].filter(([what]) => what.startsWith('replaced'));
  expect(replaced.reduce((sum, [, n]) => sum + n, 0)).toBeLessThan(PROGRAMS / 4);
});
