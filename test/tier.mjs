/**
 * Runs the tests of a tier (CONTRIBUTING.md, "Tiers"): `npm test`, `npm run test:push`, `npm run test:deep`.
 *
 *   npm test -- [FILE …]
 *   npm run test:deep -- [--seed N] [--times N] [FILE …]
 */
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';

const TIERS = ['quick', 'push', 'deep'];

/** @type {(why: string) => never} */
const refuse = (why) => {
  console.error(`${why}\nusage: node test/tier.mjs ${TIERS.join('|')} [--seed N] [--times N] [FILE …]`);
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
const [asked, ...files] = positionals;
if (!TIERS.includes(asked)) refuse(`${asked}: not a tier`);
// Who names a file wants all of it.
const tier = asked === 'quick' && files.length > 0 ? 'push' : asked;
const seed = values.seed ?? (tier === 'deep' ? `${Math.floor(Math.random() * 2 ** 31)}` : undefined);
const { times } = values;
for (const [name, value] of Object.entries({ seed, times })) {
  if (value !== undefined && !/^\d+$/.test(value)) refuse(`--${name} takes a whole number, not "${value}"`);
}
if (tier === 'deep') console.log(`seed ${seed}, ${times ?? 20} samples for each one of the push tier`);
const env = {
  ...process.env,
  TEST_TIER: tier,
  ...(seed === undefined ? {} : { TEST_SEED: seed }),
  ...(times === undefined ? {} : { TEST_TIMES: times }),
};
const child = spawn('npx', ['vitest', 'run', ...files], { env, stdio: 'inherit' });
child.on('exit', (code) => {
  if (tier === 'deep') console.log(`that was seed ${seed}`);
  process.exitCode = code ?? 1;
});
