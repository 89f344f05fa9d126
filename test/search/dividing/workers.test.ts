/** Worker threads: the results of a shared search are those of a single one. */

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { stoppedFor } from '../../../src/explore/bound.ts';
import { Keeper } from '../../../src/explore/frontier/keeper.ts';
import type { Model } from '../../../src/models/index.ts';
import { CHECK, type CheckChoices } from '../../../src/options/check.ts';
import { HUNT_DEFAULTS, type HuntOptions } from '../../../src/options/hunt.ts';
import { defaultsOf } from '../../../src/options/option.ts';
import { ROBUST, type RobustChoices, type RobustOptions } from '../../../src/options/robust.ts';
import { CheckRun } from '../../../src/pipelines/check.ts';
import type { Helpers } from '../../../src/pipelines/helpers.ts';
import { HuntRun } from '../../../src/pipelines/hunt/hunt.ts';
import type { HuntHelpers, HuntTogether, HuntWork } from '../../../src/pipelines/hunt/together.ts';
import type { ModelResult } from '../../../src/pipelines/model-run.ts';
import { RobustRun } from '../../../src/pipelines/robust.ts';
import type { Together } from '../../../src/pipelines/together.ts';
import type { Program } from '../../../src/program/ir.ts';
import { huntHelpersOf } from '../../../src/workers/hunt-team.ts';
import { helpersOf, resumingHelpers, Team } from '../../../src/workers/team.ts';
import { compileC } from '../../support/c.ts';
import { FAILING_LATE } from '../../support/failing-late.ts';
import { RACING_LATE } from '../../support/racing.ts';
import { restless } from '../../support/restless.ts';
import { DEEP, samples } from '../../support/tier.ts';

const scale = (name: string, n: number): string =>
  `#define N ${n}\n${readFileSync(new URL(`../../../programs/scale/${name}.c`, import.meta.url), 'utf8')}`;

async function run(program: Program, models: readonly Model[], helpers: Helpers | undefined): Promise<CheckRun> {
  const options: CheckChoices = { ...defaultsOf<CheckChoices>(CHECK), models };
  const check = new CheckRun(program, options, helpers);
  while (!check.advance(100)) await check.wait();
  return check;
}

/** Records the helpers. */
function noting(all: Together[], helpers: Helpers): Helpers {
  return {
    ...helpers,
    begin: (work, left) => {
      const together = helpers.begin(work, left);
      all.push(together);
      return together;
    },
  };
}

const without = ({ seconds: _, ...rest }: ModelResult): Omit<ModelResult, 'seconds'> => rest;

/** Fails only if every reader is too early, which is the last execution. */
const FAILING = `
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#define N 8
atomic_int x, late[N];
void *writer(void *a) { x = 1; return 0; }
void *reader(void *a) { if (x) *(atomic_int *)a = 1; return 0; }
int main(void) {
  pthread_t t[N + 1];
  pthread_create(t + N, 0, writer, 0);
  for (int i = 0; i < N; i++) pthread_create(t + i, 0, reader, late + i);
  for (int i = 0; i <= N; i++) pthread_join(t[i], 0);
  int sum = 0;
  for (int i = 0; i < N; i++) sum += late[i];
  assert(sum != 0);
}`;

/** Without an error; if every access were sequentially consistent, there would be nothing to explore. */
const RELAXED = FAILING.replace('assert(sum != 0);', '')
  .replace('x = 1', 'atomic_store_explicit(&x, 1, memory_order_relaxed)')
  .replace('if (x)', 'if (atomic_load_explicit(&x, memory_order_relaxed))');

/** The last execution has an unordered access of another size. */
const UNMODELLED = FAILING.replace('assert(sum != 0);', 'if (sum == 0) unordered();').replace(
  'atomic_int x, late[N];',
  `atomic_int x, late[N];
union { atomic_int word; atomic_char byte; } u;
void *words(void *a) { u.word = 1; return 0; }
static void unordered(void) {
  pthread_t t;
  pthread_create(&t, 0, words, 0);
  u.byte = 1;
  pthread_join(t, 0);
}`,
);

it.each<[string, string, readonly Model[], 'done' | 'failed' | undefined]>([
  // Its parts are small, so one thread continues with them.
  ['readers', scale('readers', 8), ['sc'], 'done'],
  ['a ring of store buffers', scale('sb-ring', 5), ['tso'], 'done'],
  ['a mutex', scale('mutex', 5), ['pso'], 'done'],
  ['an error', FAILING, ['sc'], 'failed'],
  ['graphs', RELAXED, ['rc11'], 'done'],
  ['what graphs do not model', UNMODELLED, ['rc11'], undefined],
  // Under SC this race is no error; it is what makes RC11 necessary.
  ['a race in one late execution', RACING_LATE, ['sc', 'rc11'], 'done'],
])('several threads have the results of one: %s', async (_, source, models, state) => {
  const program = await compileC(source);
  const alone = await run(program, models, undefined);
  const all: Together[] = [];
  const together = await run(program, models, noting(all, helpersOf(2, 0)!));
  expect(together.results.map(without)).toEqual(alone.results.map(without));
  expect(all.length).toBeGreaterThan(0);
  if (state !== undefined) expect(all.map((one) => one.state)).toContain(state);
});

it.each<[string, string, readonly number[], Model]>([
  ['fib', 'fib', [4, 5, 6], 'tso'],
  ['a mutex', 'mutex', [6, 7, 8], 'sc'],
  ['a ring of store buffers', 'sb-ring', [8, 11, 13], 'pso'],
])('one thread and two in turn have the results of one: %s', async (_, name, sizes, model) => {
  // A small search may be over before the third turn, depending on the machine.
  for (const size of sizes) {
    const program = await compileC(scale(name, size));
    const alone = await run(program, [model], undefined);
    let team: Team | undefined;
    const helpers: Helpers = {
      ...helpersOf(2, 0)!,
      begin: (work, left) => {
        team = new Team(work, 2, Keeper.of(left), undefined, restless());
        return team;
      },
    };
    const together = await run(program, [model], helpers);
    expect(together.results.map(without)).toEqual(alone.results.map(without));
    expect(team).toMatchObject({ state: 'done' });
    if (team!.turns.count > 2) return;
  }
  expect.fail('no search had more than two turns');
});

/** Fails in one late execution, which random ones do not find. A loop that reads might be a waiting loop. */
let place = 0;
const RARELY = FAILING.replace('N 8', 'N 12')
  .replace('for (int i = 0; i < N; i++) sum += late[i];', 'sum = 2 * sum + late[N - 1];'.repeat(12))
  .replace(/late\[N - 1\]/g, () => `late[${place++}]`)
  .replace('sum != 0', 'sum != 0xfc0');

/** Threads around some readers and a writer of what they read. */
const amongReaders = (threads: string, names: readonly string[]): string => `#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
int plain, res;
atomic_int flag, y, z;
static void *read(void *p) { (void)y; return p; }
${threads}
enum { READERS = 11 };
int main(void) {
  pthread_t others[${names.length}], readers[READERS];
  pthread_create(others, 0, ${names[0]}, 0);
  for (int i = 0; i < READERS; i++) pthread_create(readers + i, 0, read, 0);
${names
  .slice(1)
  .map((name, i) => `  pthread_create(others + ${i + 1}, 0, ${name}, 0);`)
  .join('\n')}
  for (int i = 0; i < ${names.length}; i++) pthread_join(others[i], 0);
  for (int i = 0; i < READERS; i++) pthread_join(readers[i], 0);
}
`;

/**
 * In the executions explored first, the flag orders the two accesses, and their order divides all executions evenly.
 */
const RACE_BEHIND_FLAG = amongReaders(
  `static void *publish(void *p) { (void)z; (void)z; plain = 1; flag = 1; return p; }
static void *write(void *p) { y = 1; return p; }
static void *look(void *p) { (void)flag; res = plain; return p; }`,
  ['publish', 'write', 'look'],
);

/** The error may come before anything that readers race with. */
const EARLY_ERROR = amongReaders(
  `static void *write(void *p) { flag = 1; y = 1; return p; }
static void *look(void *p) { ${'(void)z; '.repeat(18)}int f = flag; assert(f); return p; }`,
  ['write', 'look'],
);

/** Branches of such searches are single executions, so they start again, divided by orders. */
describe('small branches', () => {
  interface Begun {
    readonly check: CheckRun;
    readonly all: Together[];
  }

  /** Divided as soon as there are enough branches to see that they are small. */
  function begin(program: Program, options: CheckChoices): Begun {
    const all: Together[] = [];
    const helpers = helpersOf(2, 0)!;
    const beginParts: Helpers['beginParts'] = (work, parts) => {
      const together = helpers.beginParts!(work, parts);
      all.push(together);
      return together;
    };
    // The search asks before it is wholly made.
    let made: CheckRun | undefined;
    const after = (): number => ((made?.progress?.executions ?? 0) > 600 ? 0 : Number.POSITIVE_INFINITY);
    const noted = Object.defineProperty({ ...helpers, beginParts, beginModels: undefined }, 'after', { get: after });
    const check = new CheckRun(program, options, noted as unknown as Helpers);
    made = check;
    return { check, all };
  }

  const optionsFor = (model: Model): CheckChoices => ({ ...defaultsOf<CheckChoices>(CHECK), models: [model] });

  it.each<[string, string, Model, boolean]>([
    ['readers', scale('readers', 12), 'sc', false],
    ['a ring of store buffers', scale('sb-ring', 11), 'tso', false],
    ['an error', RARELY, 'sc', true],
    ['a warning of what parts order', RACE_BEHIND_FLAG, 'sc', false],
  ])('have the results of one thread: %s', async (_, source, model, hasError) => {
    const program = await compileC(source);
    const alone = await run(program, [model], undefined);
    const { check, all } = begin(program, optionsFor(model));
    while (!check.advance(100)) await check.wait();
    expect(check.results.map(without)).toEqual(alone.results.map(without));
    expect(all.map(({ results }) => results.some(({ tally }) => tally.errors.length > 0))).toEqual([hasError]);
    // An error in the very last part is found when nothing is left.
    if (!hasError) expect(all[0]!.state).toBe('done');
  });

  it('an error that comes early is reported with --first', async () => {
    const { check, all } = begin(await compileC(EARLY_ERROR), { ...optionsFor('sc'), first: true });
    while (!check.advance(100)) await check.wait();
    expect(check.results[0]!.verdict.kind).toBe('violation');
    expect(all.map(({ results }) => results.some(({ tally }) => tally.errors.length > 0))).toEqual([true]);
  });

  it('what was explored before counts, if they are cut at once', async () => {
    const { check, all } = begin(await compileC(scale('readers', 12)), optionsFor('sc'));
    while (all.length === 0) check.advance(100);
    check.stop(stoppedFor('at once'));
    expect(check.results[0]!.executions).toBeGreaterThan(600);
  });

  it('are saved and resumed', async () => {
    const program = await compileC(scale('readers', 12));
    const options = optionsFor('sc');
    const { check, all } = begin(program, options);
    while (!all.some(({ results }) => results.length > 0)) {
      check.advance(100);
      await check.wait();
    }
    const saved = JSON.parse(JSON.stringify(check.save())) as ReturnType<CheckRun['save']>;
    check.stop(stoppedFor('enough'));
    const resumed = new CheckRun(program, options, resumingHelpers(1));
    resumed.resume(saved);
    while (!resumed.advance(100)) await resumed.wait();
    expect(resumed.results[0]).toMatchObject({ executions: 2 ** 12, verdict: { kind: 'verified' } });
  });
});

it('reports any error with --first', async () => {
  const program = await compileC(FAILING_LATE);
  const options: CheckChoices = { ...defaultsOf<CheckChoices>(CHECK), models: ['sc'], monitors: false };
  const search = async (first: boolean): Promise<[ModelResult, Together[]]> => {
    const all: Together[] = [];
    const check = new CheckRun(program, { ...options, first }, noting(all, helpersOf(2, 0)!));
    while (!check.advance(100)) await check.wait();
    return [check.results[0]!, all];
  };
  const [found, all] = await search(true);
  expect(found.verdict).toEqual({ kind: 'violation' });
  // The search that found it need not know whether it comes first.
  expect(all).toHaveLength(1);
  const [alone] = await search(false);
  expect(found.errors.map(({ error }) => error)).toEqual(alone.errors.map(({ error }) => error));
});

/** Many threads created one after the other; waiting loops; a race; an error that takes luck to find. */
const LUCK = `
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#define N 4
int plain;
atomic_int x[N], seen;
void *other(void *a) {
  int i = (int)(long)a;
  atomic_store_explicit(&x[i], 1, memory_order_relaxed);
  atomic_store_explicit(&x[(i + 1) % N], 2, memory_order_relaxed);
  if (i == 1) plain = 1;
  if (atomic_load_explicit(&x[(i + 2) % N], memory_order_relaxed) == 1) seen++;
  for (int n = 0; n < seen; n++) x[i]++;
  return malloc(1);
}
int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++) pthread_create(t + i, 0, other, (void *)i);
  if (seen == 3) plain = 2;
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  assert(seen < LIMIT);
}`;

/** Each team takes part of a second to start. */
const RUNS: readonly [string, Model, number, Partial<CheckChoices>][] = [
  ['errors, and on', 'pso', 4, { keepGoing: true }],
  ['an error', 'tso', 4, {}],
  ['runs that are cut', 'sc', 9, { maxSteps: 40 }],
];

describe.each(['random', 'pct', 'pos'] as const)('%s', (strategy) => {
  it.each(DEEP || strategy === 'random' ? RUNS : RUNS.slice(0, 1))(
    'has the results of one thread: %s',
    async (_, model, limit, more) => {
      const program = await compileC(LUCK.replace('LIMIT', String(limit)));
      const options: CheckChoices = {
        ...defaultsOf<CheckChoices>(CHECK),
        models: DEEP ? ['sc', 'tso', 'pso'] : [model],
        strategy,
        maxExecutions: samples(500),
        ...more,
      };
      const search = async (helpers?: Helpers): Promise<unknown> => {
        const check = new CheckRun(program, options, helpers);
        while (!check.advance(100)) await check.wait();
        return check.results.map(without);
      };
      let teams = 0;
      const { beginRuns, ...helpers } = helpersOf(2, 0)!;
      const noted: Helpers['beginRuns'] = (work, left) => {
        teams++;
        return beginRuns!(work, left);
      };
      expect(await search({ ...helpers, beginRuns: noted })).toEqual(await search());
      expect(teams).toBeGreaterThan(0);
    },
  );
});

/** The error needs both threads to be late, which the first round does not try often enough. */
const BOTH_LATE = `
#include <assert.h>
#include <pthread.h>
int x, y, a, b, z;
void *one(void *_) { x = 1; a = y; z++; return 0; }
void *two(void *_) { y = 1; b = x; z++; return 0; }
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, one, 0);
  pthread_create(&t, 0, two, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  assert(a + b > 0);
}`;

it.each<[string, Partial<HuntOptions>]>([
  ['one round', {}],
  ['several rounds, until there is an error', { goesOn: true, trials: 1, attempts: 1, runs: 3, probability: 0.01 }],
])('a hunt of %s has the results of one thread', async (_, more) => {
  const program = await compileC(BOTH_LATE);
  const options = { ...HUNT_DEFAULTS, models: ['tso', 'pso'] as const, runs: 20, trials: 4, attempts: 3, ...more };
  const hunt = async (helpers?: HuntHelpers): Promise<unknown> => {
    const run = new HuntRun(program, options, helpers);
    while (!run.advance(1)) await run.wait();
    return JSON.parse(JSON.stringify(run.results, (key, value) => (/seconds/i.test(key) ? undefined : value)));
  };
  let teams = 0;
  const { begin, after } = huntHelpersOf(2, 0)!;
  const noted = (work: HuntWork): HuntTogether => {
    teams++;
    return begin(work);
  };
  const together = await hunt({ after, begin: noted });
  expect(together).toEqual(await hunt());
  expect(together).toMatchObject([{ verdict: { kind: 'violation' } }, { verdict: { kind: 'violation' } }]);
  expect(teams).toBe(1);
});

it('a hunt that is stopped has what was found so far', async () => {
  const program = await compileC(BOTH_LATE.replace('> 0', '>= 0'));
  const options = { ...HUNT_DEFAULTS, models: ['tso'] as const, goesOn: true };
  const run = new HuntRun(program, options, huntHelpersOf(2, 0));
  while (run.progress.confirmed === 0 && !run.advance(100)) await run.wait();
  run.stop(stoppedFor('enough'));
  while (!run.advance(100)) await run.wait();
  const [result] = run.results;
  expect(result).toMatchObject({ verdict: { kind: 'inconclusive' }, ended: 'enough' });
  expect(result!.cycles[0]!.confirmed).toBeGreaterThan(0);
});

it('stops at any time, with what was found so far', async () => {
  const program = await compileC(scale('readers', 14));
  const check = new CheckRun(program, { ...defaultsOf<CheckChoices>(CHECK), models: ['sc'] }, helpersOf(2, 0));
  for (let n = 0; n < 5; n++) {
    check.advance(200);
    await check.wait();
  }
  check.stop(stoppedFor('enough'));
  const [result] = check.results;
  expect(result!.verdict).toEqual({ kind: 'inconclusive', because: ['enough'] });
  expect(check.advance(1)).toBe(true);
});

it('gives every model its share of the time', async () => {
  const program = await compileC(scale('readers', 22));
  const options: CheckChoices = { ...defaultsOf<CheckChoices>(CHECK), models: ['sc', 'tso', 'pso'] };
  const check = new CheckRun(program, options, undefined, 0.9);
  // Whose share is over is put aside, and continues when all have had theirs, for as long as there is time at all.
  const end = performance.now() + 4000;
  while (performance.now() < end) check.advance(100);
  check.stop(stoppedFor('enough'));
  expect(check.results.map(({ verdict }) => verdict.kind)).toEqual(['inconclusive', 'inconclusive', 'inconclusive']);
  for (const { executions } of check.results) expect(executions).toBeGreaterThan(0);
});

/** `robust` counts the executions with an alarm, so it is divided only while there is none. */
it.each<[string, string, boolean]>([
  ['robust', scale('mutex', 5), true],
  ['not robust', scale('sb-ring', 5), false],
])('robust has the results of one thread: %s', async (_, source, isRobust) => {
  const program = await compileC(source);
  const options: RobustOptions = {
    ...defaultsOf<RobustChoices>(ROBUST),
    models: ['tso', 'pso'],
    monitors: ['causal-tso', 'causal-pso'],
    maxStates: 1000,
    keepGoing: false,
  };
  const judge = async (helpers: Helpers | undefined): Promise<unknown> => {
    const run = new RobustRun(program, options, helpers);
    while (!run.advance(100)) await run.wait();
    const times = new Set(['seconds', 'first']);
    return JSON.parse(JSON.stringify(run.results, (key, value) => (times.has(key) ? undefined : value)));
  };
  const all: Together[] = [];
  expect(await judge(noting(all, helpersOf(2, 0)!))).toEqual(await judge(undefined));
  expect(all.some(({ state }) => state === 'done')).toBe(isRobust);
});
