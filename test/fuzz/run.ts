/**
 * `npm run fuzz -- [--seed N] [--count N | --minutes M] [--jobs N] [--keep-going]`: generated programs, compared for as
 * long as asked. What disagrees is made small and written to `programs/regressions/`; the exit code is then 1.
 */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Tally } from './compare.ts';
import { Coverage } from './coverage.ts';
import { writeRegression } from './regression.ts';
import { type Finding, runSeeds, shrinkFinding, usesNpm } from './session.ts';

const BATCH = 100;
const PROGRESS_MS = 10_000;

interface Report {
  readonly programs: number;
  readonly counts: readonly (readonly [string, number])[];
  readonly pairs: readonly (readonly [string, number])[];
  readonly found: readonly Finding[];
}

if (process.send === undefined) await command();
else process.on('message', (seeds: { first: number; count: number; batch: number }) => void work(seeds));

/** In a process of its own: one batch. */
async function work({ first, count, batch }: { first: number; count: number; batch: number }): Promise<void> {
  const tally = new Tally();
  const coverage = new Coverage();
  const seeds = Array.from({ length: count }, (_, i) => first + i);
  const found: Finding[] = [];
  const kinds = new Set<string>();
  for (const finding of await runSeeds(seeds, tally, coverage, usesNpm(batch))) {
    const { what } = finding.disagreements[0]!;
    // Of a kind one is made small; others most likely have the same cause.
    if (kinds.has(what)) found.push(finding);
    else found.push(await shrinkFinding(finding, new Tally()));
    kinds.add(what);
  }
  const report: Report = { programs: count, counts: [...tally.counts], pairs: coverage.entries, found };
  process.send!(report);
}

async function command(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: '1' },
      count: { type: 'string' },
      minutes: { type: 'string' },
      jobs: { type: 'string', default: '2' },
      'keep-going': { type: 'boolean', default: false },
      matrix: { type: 'boolean', default: false },
    },
  });
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
  if (![first, count, end, jobs].every((n) => n >= 0) || jobs < 1) {
    console.error('usage: npm run fuzz -- [--seed N] [--count N | --minutes M] [--jobs N] [--keep-going] [--matrix]');
    process.exit(2);
  }
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
  const worker = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const child = fork(fileURLToPath(import.meta.url), { execArgv: [...process.execArgv] });
      const next = (): void => {
        const size = Math.min(BATCH, count - given);
        if (stopped || size <= 0 || performance.now() > end) {
          child.disconnect();
          return resolve();
        }
        child.send({ first: first + given, count: size, batch: batch++ });
        given += size;
      };
      child.on('error', reject);
      child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`a job ended with ${code}`))));
      child.on('message', (report: Report) => {
        coverage.merge(report.pairs, report.programs);
        for (const [what, n] of report.counts) tally.add(what, n);
        for (const finding of report.found) {
          const { what, model, detail } = finding.disagreements[0]!;
          const known = kinds.get(what) ?? 0;
          kinds.set(what, known + 1);
          if (known > 0) continue;
          console.log(`seed ${finding.program.seed}, ${model}: ${what}: ${detail.slice(0, 300)}`);
          console.log(`  written to ${writeRegression(finding)}`);
          if (!values['keep-going']) stopped = true;
        }
        next();
      });
      next();
    });
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
