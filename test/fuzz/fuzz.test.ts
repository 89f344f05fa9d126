/**
 * 2,000 generated programs at fixed seeds, each compared in many ways, with every pair of features among them. `npm run fuzz`
 * goes on with other seeds.
 */
import { expect, it } from 'vitest';
import { Tally } from './compare.ts';
import { Coverage } from './coverage.ts';
import { printFile } from './print-c.ts';
import { runSeeds } from './session.ts';

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
  for (let seed = 1; seed <= PROGRAMS; seed += PER_BATCH) {
    const seeds = Array.from({ length: PER_BATCH }, (_, i) => seed + i);
    const [first] = await runSeeds(seeds, tally, coverage);
    if (first === undefined) continue;
    const { program, disagreements } = first;
    const said = disagreements.map(({ what, model, detail }) => `${model}: ${what}: ${detail}`).join('\n');
    expect.fail(`npm run fuzz -- --seed ${program.seed} --count 1 makes this small:\n${said}\n${printFile(program)}`);
  }
  expect(coverage.empty).toEqual([]);
  for (const [what, floor] of Object.entries(FLOORS)) {
    expect(tally.counts.get(what) ?? 0, what).toBeGreaterThanOrEqual(floor);
  }
  // Programs that are too large, or never end, are replaced by others; few are.
  const replaced = [...tally.counts].filter(([what]) => what.startsWith('replaced'));
  expect(replaced.reduce((sum, [, n]) => sum + n, 0)).toBeLessThan(PROGRAMS / 4);
});
