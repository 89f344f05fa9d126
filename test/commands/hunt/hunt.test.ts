/** `fencepost hunt` from outside: its output, its exit codes, and that `fencepost replay` reproduces the execution. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { modelsWith } from '../../../src/models/index.ts';
import type { HuntCommandReport } from '../../../src/report/schema.ts';
import { ensureBuilt, Folder, fencepost, REPOSITORY } from '../../support/fencepost.ts';

const folder = new Folder();
const report = join(folder.path, 'report.json');

beforeAll(async () => {
  await ensureBuilt();
  // For the cache of the tests: see test/support/c.ts.
  await import('../../support/c.ts');
});
afterAll(() => folder.remove());

const SB = 'examples/store-buffering.c';
/** A cycle of three threads: y is late; x = 1 comes between the two reads of x and is the only event of its thread. */
const THREE_THREADS = `#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y, r1, r2, r3;
#define set(v, n) atomic_store_explicit(&v, n, memory_order_relaxed)
#define get(v) atomic_load_explicit(&v, memory_order_relaxed)
static void *first(void *_) { set(y, 1); set(r1, get(x)); return 0; }
static void *second(void *_) { set(r2, get(x)); set(r3, get(y)); return 0; }
static void *third(void *_) { set(x, 1); return 0; }
int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_create(&c, 0, third, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
  return 0;
}
`;
const QUICK = ['--runs', '10', '--trials', '3'];

describe('fencepost hunt', () => {
  it('ranks cycles, shows the failing execution, and exits with 1', async () => {
    const { exit, stdout } = await fencepost(['hunt', SB, '--model', 'tso', '--no-out', ...QUICK]);
    const flat = stdout.replace(/\n +(?! )/g, ' ');
    expect(flat).toMatch(
      /under tso: violation \(1 cycle predicted from 10 SC runs, 1 possible under tso, 1 confirmed, 1 harm/,
    );
    expect(stdout).toContain('assertion: `saw_other[0] || saw_other[1]`');
    expect(flat).toMatch(
      /1 +harmful +\d of 3 .*26 store flag\[0\] → 28 load flag\[1\] ⇢ 34 store flag\[1\] → 36 load flag\[0\] ⇢/,
    );
    expect(exit).toBe(1);
  });

  it('says that finding nothing proves nothing, never "verified", and exits with 4', async () => {
    const { exit, stdout } = await fencepost(['hunt', SB, '-D', 'FENCED', ...QUICK]);
    expect(stdout.replace(/\s+/g, ' ')).toContain('inconclusive: no error found, which proves nothing (');
    expect(stdout).not.toContain('verified');
    expect(exit).toBe(4);
  });

  it.each([
    [
      ['--model', 'sc'],
      'sc does not support hunt: its executions have no cycles, so there is nothing to hunt; use check; expected one of',
    ],
    [['--cycle-length', '5'], 'Expected an even number from 4 to 16'],
    [['--probability', '2'], 'Expected a number from 0 to 1'],
    [['--trials', '0'], 'Expected a whole number of at least 1'],
    [['--as-published', '--trials', '3'], '--as-published sets --trials; drop one of the two'],
  ])('refuses %j', async (flags, message) => {
    const { exit, stderr } = await fencepost(['hunt', SB, ...flags]);
    expect(stderr).toContain(message);
    expect(exit).toBe(2);
  });

  it('reports a program that already fails under SC as such', async () => {
    const { exit, stdout } = await fencepost([
      'hunt',
      'programs/patterns/check-then-act.c',
      '--model',
      'tso,pso',
      '--runs',
      '200',
    ]);
    expect(stdout).toContain('under tso: violation: already fails under sc');
    expect(stdout).toContain('under pso: violation: already fails under sc');
    expect(exit).toBe(1);
  });

  it('tells the cycles of the harness from those of the program', async () => {
    const words = ['hunt', join(REPOSITORY, 'programs/relaxer/dekker.c'), '--model', 'pso', ...QUICK];
    const { stdout } = await fencepost([...words, '--harness', 'counter'], { cwd: folder.path });
    // What is printed and what is kept come from the same run.
    const kept = /^Replay: fencepost replay (fencepost-out\/\S+) /m.exec(stdout)![1]!;
    const json = readFileSync(join(folder.path, kept, 'result.json'), 'utf8');
    const { input, results } = JSON.parse(json) as HuntCommandReport;
    expect(input.harness).toEqual(['counter']);
    const isOfHarness = ({ places }: (typeof results)[0]['cycles'][0]): boolean =>
      places.some(({ variable }) => variable === 'counter');
    expect(results[0]!.cycles.filter((c) => (c.owner === 'harness') !== isOfHarness(c))).toEqual([]);
    expect(results[0]!.cycles.filter(isOfHarness).length).toBeGreaterThan(0);
    expect(stdout.replace(/\s+/g, ' ')).toMatch(/\d+ \(\d+ of the program, \d+ of the harness\) confirmed/);
    const plain = await fencepost(['hunt', SB, '--model', 'tso', '--no-out', ...QUICK]);
    expect(plain.stdout).toContain('confirmed');
    expect(plain.stdout).not.toContain('of the harness');
    const unknown = await fencepost([...words, '--harness', 'counter', '--harness', 'nosuch']);
    expect([unknown.exit, unknown.stderr]).toEqual([
      2,
      'fencepost: --harness nosuch: the program has no function, variable or file of that name\n',
    ]);
  });

  it('uses the time it is given, in rounds, and says why it ended', async () => {
    const words = ['hunt', SB, '-D', 'FENCED', '--model', 'tso', ...QUICK];
    const flat = (await fencepost([...words, '--timeout', '1'])).stdout.replace(/\s+/g, ' ');
    expect(flat).toMatch(/; time: 1 s, in round \d+\)/);
    expect((await fencepost(words)).stdout.replace(/\s+/g, ' ')).toContain('; every trial made)');
    const found = await fencepost(['hunt', SB, '--model', 'tso', '--no-out', '--timeout', '60', ...QUICK]);
    expect(found.stdout.replace(/\s+/g, ' ')).toContain('; an error found)');
  });

  it('stops when time is up, and says so', async () => {
    const { exit, stdout } = await fencepost([
      'hunt',
      'programs/relaxer/lazylist.c',
      '--model',
      'tso',
      '--timeout',
      '0.5',
    ]);
    expect(stdout.replace(/\s+/g, ' ')).toContain('time: 0.5 s');
    expect(exit).toBe(4);
  });
});

describe('fencepost replay of a hunt', () => {
  it('finds the saved run in its folder', async () => {
    const words = ['hunt', join(REPOSITORY, SB), '--model', 'tso', ...QUICK];
    const { stdout } = await fencepost(words, { cwd: folder.path });
    const kept = /^Replay: fencepost replay (fencepost-out\/\S+) \[--step\]$/m.exec(stdout)![1]!;
    expect(readFileSync(join(folder.path, kept, 'schedule.txt'), 'utf8')).toMatch(/^tso assertion: 0.*\n$/);
    expect(stdout).toBe(
      `${readFileSync(join(folder.path, kept, 'report.txt'), 'utf8')}Replay: fencepost replay ${kept} [--step]\n`,
    );
    for (const line of stdout.split('\n').filter((l) => !l.startsWith('Replay'))) {
      expect([...line].length).toBeLessThanOrEqual(100);
    }
    const again = await fencepost(['replay', kept], { cwd: folder.path });
    expect([again.exit, again.stderr]).toEqual([1, '']);
    expect(again.stdout).toContain('assertion: `saw_other[0] || saw_other[1]`');
    // As in `check`, and with its sources.
    const { input, results } = JSON.parse(readFileSync(join(folder.path, kept, 'result.json'), 'utf8'));
    expect(input.sources).toHaveLength(1);
    expect(results[0].error.id).toMatch(/^[0-9a-f]{12}$/);
    const other = (await fencepost([...words, '--seed', '2'], { cwd: folder.path })).stdout;
    expect(other).toContain('Replay: ');
    expect(other).not.toContain(kept);
    expect((await fencepost([...words, '--no-out'], { cwd: folder.path })).stdout).not.toContain('Replay: ');
  });

  it('names an event once if its thread has no other in the cycle', async () => {
    const words = ['hunt', 'litmus-like.c', '--model', 'tso', '--cycle-length', '6', '--json', ...QUICK];
    folder.write('litmus-like.c', THREE_THREADS);
    const { stdout } = await fencepost(words, { cwd: folder.path });
    writeFileSync(report, stdout);
    const { results } = JSON.parse(stdout) as HuntCommandReport;
    const number = results[0]!.cycles.findIndex(({ events = [] }) => events.length > new Set(events).size) + 1;
    expect(number).toBeGreaterThan(0);
    const { stdout: shown } = await fencepost(['replay', report, '--cycle', String(number)], { cwd: folder.path });
    const steps = /cycle: ([^(]*)/.exec(shown)![1]!.match(/\d+/g)!.slice(0, -1);
    expect(new Set(steps).size).toBe(steps.length);
    const text = (
      await fencepost(
        words.filter((w) => w !== '--json'),
        { cwd: folder.path },
      )
    ).stdout;
    expect(text.replace(/\n +/g, ' ')).not.toMatch(/(\d+ (?:store|load) \w+) → \1 ⇢/);
  });

  it.each(modelsWith('hunt'))('shows the same error and the same cycle again under %s', async (model) => {
    const { stdout } = await fencepost(['hunt', SB, '--model', model, '--json', ...QUICK]);
    const { results, command } = JSON.parse(stdout) as HuntCommandReport;
    expect(command).toBe('hunt');
    expect(results[0]).toMatchObject({
      model,
      verdict: 'violation',
      how: 'hunted',
      predicted: 1,
      confirmed: 1,
      harmful: 1,
    });
    writeFileSync(report, stdout);
    const error = await fencepost(['replay', report]);
    expect(error.stdout.replace(/\n {4}/g, ' ')).toContain(`runs it): ${results[0]!.error!.schedule}\n`);
    expect(error.exit).toBe(1);
    const cycle = await fencepost(['replay', report, '--cycle', '1']);
    expect(cycle.stdout.replace(/\n {4}/g, ' ')).toContain(`schedule: ${results[0]!.cycles[0]!.schedule}\n`);
    expect(cycle.stdout).toMatch(/cycle: \d+ → \d+ ⇢ \d+ → \d+ ⇢ \d+ /);
    expect(cycle.exit).toBe(0);
  });

  it('shows results that no serial execution has again', async () => {
    const { stdout } = await fencepost([
      'hunt',
      'programs/relaxer/ms2.c',
      '-D',
      'SMALL',
      '--model',
      'pso',
      '--no-uninitialised',
      '--json',
      ...QUICK,
    ]);
    writeFileSync(report, stdout);
    const { exit, stdout: again } = await fencepost(['replay', report]);
    expect(again.replace(/\s+/g, ' ')).toContain(
      'no serial execution of the operations has these results: 0.1: enqueue(1) = 0; 0.2: dequeue(0) = 0',
    );
    expect(exit).toBe(1);
  });

  it('refuses a missing cycle, and reports without failures', async () => {
    writeFileSync(report, (await fencepost(['hunt', SB, '-D', 'FENCED', '--json', ...QUICK])).stdout);
    expect((await fencepost(['replay', report, '--cycle', '1'])).stderr).toContain(
      'has a cycle number 1 with an execution',
    );
    const { exit, stderr } = await fencepost(['replay', report]);
    expect(stderr).toContain('the report has no failing execution; --cycle 1 replays');
    expect(exit).toBe(2);
  });

  it('refuses a schedule that does not show the cycle', async () => {
    const { stdout } = await fencepost(['hunt', SB, '--model', 'tso', '--json', ...QUICK]);
    const damaged = JSON.parse(stdout);
    damaged.results[0].cycles[0].schedule = '0*2 0.1*2';
    writeFileSync(report, JSON.stringify(damaged));
    const { exit, stderr } = await fencepost(['replay', report, '--cycle', '1']);
    expect(stderr).toContain('replay under tso does not show the cycle');
    expect(exit).toBe(2);
  });
});

describe('fencepost check --observations', () => {
  it('refuses a program that marks no operations', async () => {
    const { exit, stderr } = await fencepost(['check', SB, '--observations']);
    expect(stderr).toContain('the program marks no operations');
    expect(exit).toBe(2);
  });

  it('can be replayed', async () => {
    const flags = ['-D', 'SMALL', '--model', 'pso', '--observations', '--no-uninitialised', '--json'];
    writeFileSync(report, (await fencepost(['check', 'programs/relaxer/ms2.c', ...flags])).stdout);
    const { exit, stdout } = await fencepost(['replay', report]);
    expect(stdout).toContain('serial, 1 operation differs');
    expect(exit).toBe(1);
  });
});
