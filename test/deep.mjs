/**
 * `npm run test:deep`: the tests with a fresh seed and far more samples. Prints the seed.
 *
 *   npm run test:deep -- [--seed N] [--times N] [FILE …]
 */
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';

/** @type {(why: string) => never} */
const refuse = (why) => {
  console.error(`${why}\nusage: npm run test:deep -- [--seed N] [--times N] [FILE …]`);
  process.exit(2);
};

const parse = () => {
  try {
    return parseArgs({ options: { seed: { type: 'string' }, times: { type: 'string' } }, allowPositionals: true });
  } catch (error) {
    return refuse(/** @type {Error} */ (error).message);
  }
};

const { values, positionals } = parse();
const seed = values.seed ?? `${Math.floor(Math.random() * 2 ** 31)}`;
const times = values.times ?? '20';
for (const [name, value] of Object.entries({ seed, times })) {
  if (!/^\d+$/.test(value)) refuse(`--${name} takes a whole number, not "${value}"`);
}
console.log(`seed ${seed}, ${times} samples for each one of every day`);
const env = { ...process.env, TEST_TIER: 'deep', TEST_SEED: seed, TEST_TIMES: times };
const child = spawn('npx', ['vitest', 'run', ...positionals], { env, stdio: 'inherit' });
child.on('exit', (code) => {
  console.log(`that was seed ${seed}`);
  process.exitCode = code ?? 1;
});
