/** Programs that use everything the runtime intercepts: they run as usual, and their logs are consistent. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { placeViolations } from '../../../src/cli/shared/places.ts';
import { SPAWN_EVENT } from '../../../src/machine/events/event.ts';
import { REPOSITORY } from '../../support/fencepost.ts';
import { ALL_MONITORS } from '../../support/monitoring.ts';
import { compilersOf, Recorded } from '../../support/recorded.ts';
import { DEEP } from '../../support/tier.ts';

const LIBRARY = readFileSync(new URL('library.cpp', import.meta.url), 'utf8');
const EARLY = readFileSync(new URL('early.c', import.meta.url), 'utf8');
const EVERYTHING = readFileSync(new URL('everything.c', import.meta.url), 'utf8');

describe.each(compilersOf('C'))('%s: threads, locks, signals, the heap', (_, compiler) => {
  const recorded = new Recorded(compiler, 'everything.c', EVERYTHING, ['-O1']);
  afterAll(() => recorded.remove());

  it.each([
    ['exit', 0, null],
    ['abort', null, 'SIGABRT'],
    ['kill', null, 'SIGKILL'],
    ['segv', null, 'SIGSEGV'],
  ])('leaves a log that is possible: %s', (how, exit, signal) => {
    const run = recorded.run([how]);
    expect(run.stdout).toBe('fine\n');
    expect([run.exit, run.signal]).toEqual([exit, signal]);
    expect(run.stderr).toContain(`fencepost: recording to ${recorded.log}\n`);
    const stream = recorded.monitor(ALL_MONITORS);
    expect(stream.count).toBeGreaterThan(2000);
    expect(placeViolations(recorded.log, stream.violations, stream.modules).violations).toEqual([]);
  });

  it('gives a child of fork a log of its own', () => {
    recorded.run();
    const [child] = readdirSync(recorded.folder).filter((name) => name.startsWith('run.log.'));
    expect(recorded.monitor(ALL_MONITORS, join(recorded.folder, child!)).count).toBeGreaterThan(5);
  });

  it('ends where it is told to, and records nothing where it is told so', () => {
    expect(recorded.run([], { FENCEPOST_LOG_LIMIT: '1000' }).stderr).toContain('recording ends');
    expect(recorded.monitor().count).toBeLessThanOrEqual(1000);
    expect(recorded.run([], { FENCEPOST_LOG: '' })).toMatchObject({ exit: 0, stdout: 'fine\n', stderr: '' });
    for (const name of ['/no/such/folder/x', '/dev/full']) {
      const notThere = `this run is not recorded, because its log cannot be written: ${name}\n`;
      expect(recorded.run([], { FENCEPOST_LOG: name }).stderr).toBe(`fencepost: ${notThere}`);
    }
    const foreign = join(recorded.folder, 'notes.txt');
    writeFileSync(foreign, 'mine\n');
    const notOurs = `this run is not recorded, because a file that is no log has the name of its log: ${foreign}\n`;
    expect(recorded.run([], { FENCEPOST_LOG: foreign }).stderr).toBe(`fencepost: ${notOurs}`);
    expect(readFileSync(foreign, 'utf8')).toBe('mine\n');
    const notANumber = 'this run is not recorded, because FENCEPOST_LOG_LIMIT is not a number of events: 10k\n';
    expect(recorded.run([], { FENCEPOST_LOG_LIMIT: '10k' }).stderr).toBe(`fencepost: ${notANumber}`);
  });
});

it.each(compilersOf('C'))(
  '%s: a handler is recorded once its thread has begun, no number is used twice',
  (_, compiler) => {
    const recorded = new Recorded(compiler, 'early.c', EARLY, ['-O1']);
    expect(recorded.run()).toMatchObject({ exit: 0, stdout: '330 handled\n' });
    recorded.monitor();
    const created = new Set<number>();
    const others = new Set<number>();
    recorded.read({
      event: ({ operation, thread, other }) => {
        if (operation === SPAWN_EVENT) created.add(other);
        if (!created.has(thread)) others.add(thread);
      },
      site: () => {},
      name: () => {},
    });
    expect([...created]).toEqual([1]);
    // The main thread; the timer's own threads, which nobody joins, have numbers of their own.
    expect(Math.min(...others)).toBe(0);
    expect(others.has(1)).toBe(false);
    expect(others.size).toBeGreaterThanOrEqual(4);
    recorded.remove();
  },
);

// With one compiler in the push tier: compiling the library with the runtime takes seconds.
describe.each(compilersOf('C++').slice(0, DEEP ? 2 : 1))('%s: the library of C++', (_, compiler) => {
  it('leaves logs that are possible, one for each process', () => {
    // Atomics of 16 bytes are calls of libatomic without -mcx16.
    const recorded = new Recorded(compiler, 'library.cpp', LIBRARY, ['-std=c++20', '-O1', '-mcx16']);
    expect(recorded.run()).toMatchObject({ exit: 0, stdout: 'fine\nfine\n' });
    const logs = readdirSync(recorded.folder).filter((name) => name.startsWith('run.log'));
    expect(logs).toHaveLength(2);
    for (const log of logs) {
      const stream = recorded.monitor(ALL_MONITORS, join(recorded.folder, log));
      expect(stream.count).toBeGreaterThan(10_000);
      expect(placeViolations(recorded.log, stream.violations, stream.modules).violations).toEqual([]);
    }
    recorded.remove();
  });
});

/** Rounds of each thread. */
const TIMES = DEEP ? 100_000 : 30_000;

// With one compiler: the point is the large log.
describe.each(compilersOf('C++').slice(0, 1))('%s: the asymmetric lock', (_, compiler) => {
  const file = join(REPOSITORY, 'examples/asymmetric-lock.cpp');
  const source = readFileSync(file, 'utf8');
  const line = (text: string): number => source.split('\n').findIndex((known) => known.includes(text)) + 1;
  const expected = [`asymmetric-lock.cpp:${line('owner.load(')}`, `asymmetric-lock.cpp:${line('owner.store(true')}`];

  it('has one violation per model, at the two lines that are at fault', () => {
    const recorded = new Recorded(compiler, 'asymmetric-lock.cpp', source, ['-O2']);
    // How often the two meet depends on the machine.
    for (let run = 0; run < 20; run++) {
      expect(recorded.run([`${TIMES}`])).toMatchObject({ exit: 0, stdout: `${2 * TIMES} of ${2 * TIMES}\n` });
      const stream = recorded.monitor();
      expect(stream.count).toBeGreaterThan(10 * TIMES);
      const { violations, changed } = placeViolations(recorded.log, stream.violations, stream.modules);
      expect(changed).toEqual([]);
      if (violations.length === 0) continue;
      expect(violations.map(({ model, variable }) => [model, variable])).toEqual([
        ['tso', 'owner'],
        ['pso', 'owner'],
      ]);
      for (const { event, write } of violations) {
        expect([event, write].map((place) => place!.replace(/^.*\//, ''))).toEqual(expected);
      }
      recorded.remove();
      return;
    }
    throw new Error('the two threads never met in 20 runs');
  });

  it.runIf(DEEP)('has none with the fence', () => {
    const recorded = new Recorded(compiler, 'asymmetric-lock.cpp', source, ['-O2', '-DFENCE']);
    expect(recorded.run()).toMatchObject({ exit: 0 });
    const stream = recorded.monitor();
    expect(stream.count).toBeGreaterThan(1_000_000);
    expect(stream.violations).toEqual([]);
    recorded.remove();
  });
});
