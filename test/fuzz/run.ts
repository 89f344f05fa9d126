/**
 * `npm run fuzz -- [--seed N] [--count N | --minutes M] [--jobs N] [--keep-going]`: generated programs, compared for as
 * long as requested. Disagreements are shrunk and written to `programs/regressions/`; the exit code is then 1.
 * `--alarming` lists seeds of small programs that monitors of both models find not robust, for `fuzz.test.ts`.
 */
import { parseArgs } from 'node:util';
import { Tally } from './compare.ts';
import { Coverage } from './coverage.ts';
import { Job, type Report } from './job.ts';
import { writeRegression } from './regression.ts';

const BATCH = 100;
/** One in this many batches is also compiled by the clang from npm. */
const NPM_EVERY = 10;
const PROGRESS_MS = 10_000;

await command();

function refuse(why: string): never {
  const usage =
    'npm run fuzz -- [--seed N] [--count N | --minutes M] [--jobs N] [--keep-going] [--matrix] [--alarming]';
  console.error(`${why}\nusage: ${usage}`);
  process.exit(2);
}

function parse() {
  try {
    return parseArgs({
      options: {
        seed: { type: 'string', default: '1' },
        count: { type: 'string' },
        minutes: { type: 'string' },
        jobs: { type: 'string', default: '2' },
        'keep-going': { type: 'boolean', default: false },
        matrix: { type: 'boolean', default: false },
        alarming: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    return refuse((error as Error).message);
  }
}

async function command(): Promise<void> {
  const { values } = parse();
  const first = Number(values.seed);
  const end =
    values.minutes === undefined ? Number.POSITIVE_INFINITY : performance.now() + Number(values.minutes) * 60_000;
  const count =
    values.count === undefined
      ? values.minutes === undefined
        ? 2000
        : Number.POSITIVE_INFINITY
      : Number(values.count);
  const jobs = Number(values.jobs);
  if (![first, count, end, jobs].every((n) => n >= 0) || jobs < 1)
    refuse('numbers must not be negative, nor jobs zero');
  if (values.alarming) return listAlarming(first, count);
  const tally = new Tally();
  const coverage = new Coverage();
  const kinds = new Map<string, number>();
  const started = performance.now();
  let given = 0;
  let batch = 0;
  let stopped = false;
  const print = (): void => {
    const seconds = (performance.now() - started) / 1000;
    const rate = (coverage.programs / seconds).toFixed(1);
    const found = [...kinds.values()].reduce((a, b) => a + b, 0);
    console.log(`${seconds.toFixed(0)} s: ${coverage.programs} programs, ${rate} per second, ${found} disagreements`);
  };
  const progress = setInterval(print, PROGRESS_MS);
  const take = ({ programs, counts, pairs, found }: Report): void => {
    coverage.merge(pairs, programs);
    for (const [what, n] of counts) tally.add(what, n);
    for (const finding of found) {
      const { what, model, detail } = finding.disagreements[0]!;
      const known = kinds.get(what) ?? 0;
      kinds.set(what, known + 1);
      if (known > 0) continue;
      console.log(`seed ${finding.program.seed}, ${model}: ${what}: ${detail.slice(0, 300)}`);
      console.log(`  written to ${writeRegression(finding)}`);
      if (!values['keep-going']) stopped = true;
    }
  };
  const worker = async (): Promise<void> => {
    const job = new Job();
    while (!stopped && given < count && performance.now() <= end) {
      const size = Math.min(BATCH, count - given);
      const start = first + given;
      given += size;
      const seeds = Array.from({ length: size }, (_, i) => start + i);
      take(await job.run({ seeds, npm: batch++ % NPM_EVERY === 0 }));
    }
    job.end();
  };
  try {
    await Promise.all(Array.from({ length: jobs }, worker));
  } finally {
    clearInterval(progress);
  }
  print();
  report(tally, coverage, values.matrix);
  for (const [what, n] of kinds) console.log(`DISAGREEMENT ${n} × ${what}`);
  process.exitCode = kinds.size > 0 ? 1 : 0;
}

function report(tally: Tally, coverage: Coverage, matrix: boolean): void {
  if (matrix) console.log(coverage.matrix());
  const { pairs, empty } = coverage;
  console.log(`pairs of features: ${pairs.length}, empty: ${empty.length}`);
  console.log(
    `  emptiest: ${pairs
      .slice(0, 8)
      .map(([pair, n]) => `${pair} (${n})`)
      .join(', ')}`,
  );
  console.log('compared, per program and model:');
  for (const [what, n] of [...tally.counts].sort()) console.log(`  ${String(n).padStart(8)} ${what}`);
}

async function listAlarming(first: number, count: number): Promise<void> {
  const job = new Job();
  for (let seed = first; seed < first + count; seed++) {
    const { counts } = await job.run({ seeds: [seed], npm: false });
    const names = counts.map(([name]) => name);
    const kinds = [/exhaustive, not robust/, /figure of tso, with an alarm/, /figure of pso, with an alarm/];
    const found = kinds.map((kind) => names.filter((name) => kind.test(name)).length);
    if (found.every((n) => n > 0)) console.log(`${seed}: ${found.join(', ')}`);
  }
  job.end();
}
