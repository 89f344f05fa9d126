/** Time that models do not need goes back to those that do; and what SC's verdict is if its time was not enough. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { outOfTime } from '../../../src/explore/bound.ts';
import type { Model } from '../../../src/models/index.ts';
import { CheckRun } from '../../../src/pipelines/check.ts';
import type { ModelResult } from '../../../src/pipelines/model-run.ts';
import { withSubsets } from '../../../src/pipelines/subsets.ts';
import { check, checkOptions, compileC } from '../../support/c.ts';

const RING = `
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
void __VERIFIER_assume(int);
static atomic_int x, y, z;
static int a, b, c;
static void *f(void *u) { x = 1; a = y; return u; }
static void *g(void *u) { y = 1; b = z; return u; }
static void *h(void *u) { z = 1; c = x; return u; }
int main(void) {
  pthread_t s, t, r;
  pthread_create(&s, 0, f, 0); pthread_create(&t, 0, g, 0); pthread_create(&r, 0, h, 0);
  pthread_join(s, 0); pthread_join(t, 0); pthread_join(r, 0);
  CHECK
  return 0;
}
`;
const RIGHT = RING.replace('CHECK', 'assert(x + y + z == 3);');
const MODELS = ['sc', 'tso', 'pso'] as const;

/** In milliseconds: more than the share of any model. */
const SHARE = 4600;
let now = 0;
beforeEach(() => {
  now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => vi.restoreAllMocks());

/**
 * The models have nine seconds together. When one in `slow` has taken its first steps, its share passes; once all have,
 * and `isCut`, the time is over.
 */
async function inTurns(source: string, slow: readonly Model[], isCut = false): Promise<readonly ModelResult[]> {
  const run = new CheckRun(await compileC(source), checkOptions({ models: MODELS, strategy: 'optimal' }), undefined, 9);
  const begun = new Set<string>();
  while (!run.advance(20)) {
    const model = run.progress?.model as Model | undefined;
    if (isCut && begun.size === slow.length) run.stop(outOfTime(9));
    else if (model !== undefined && slow.includes(model) && !begun.has(model)) {
      begun.add(model);
      now += SHARE;
    }
  }
  return run.results;
}

const summary = (results: readonly ModelResult[]): readonly unknown[] =>
  results.map(({ verdict, how, bounds }) => [verdict.kind, how, ...bounds].join(' '));

it('a model that was too slow continues when the others are done', async () => {
  const results = await inTurns(RIGHT, ['tso']);
  expect(summary(results)).toEqual(MODELS.map(() => 'verified explored'));
  const alone = check(await compileC(RIGHT), 'tso', { strategy: 'optimal' });
  expect(results[1]!.executions).toBe(alone.executions);
  // It had not run while pso did.
  expect(results[1]!.seconds).toBeCloseTo(SHARE / 1000, 6);
});

it('several that were too slow continue, too, and an error that one finds then decides the others', async () => {
  expect(summary(await inTurns(RIGHT, ['tso', 'pso']))).toEqual(MODELS.map(() => 'verified explored'));
  const late = RING.replace('CHECK', 'assert(a + b + c != 3 || x + y + z != 3);');
  const results = await inTurns(late, ['sc', 'tso', 'pso']);
  expect(summary(results)).toEqual(['violation explored', 'violation sc', 'violation sc']);
});

it('sc need not continue where the search of a larger model has shown it right', async () => {
  const results = await inTurns(RIGHT, ['sc']);
  expect(summary(results)).toEqual(['verified subset', 'verified explored', 'verified explored']);
  expect(results[0]!.subsetOf).toBe('tso');
  const alone = check(await compileC(RIGHT), 'sc', { strategy: 'optimal' });
  expect(results[0]!.executions).toBeLessThan(alone.executions);
});

it('says how much time a model had if it was not enough', async () => {
  expect(summary(await inTurns(RIGHT, ['tso', 'pso'], true))).toEqual([
    'verified explored',
    'inconclusive explored time: 4.6 of 9 s',
    'inconclusive explored time: 4.6 of 9 s',
  ]);
});

it('sc follows from tso and pso only where it must', async () => {
  const program = await compileC(RIGHT);
  const tso = check(program, 'tso', { strategy: 'optimal' });
  const run = new CheckRun(program, checkOptions({ models: ['sc'], strategy: 'optimal' }));
  run.advance(60);
  run.stop(outOfTime(1));
  const [sc] = run.results;
  expect([sc!.verdict.kind, sc!.executions > 0]).toEqual(['inconclusive', true]);
  const options = checkOptions({ models: ['sc', 'tso'] });
  const kind = (results: readonly ModelResult[], others = options, where = program): string =>
    withSubsets(results, others, where).find(({ model }) => model === 'sc')!.verdict.kind;
  expect(kind([sc!, tso])).toBe('verified');
  expect(kind([sc!, { ...tso, model: 'pso' }])).toBe('verified');
  // Not where it does not.
  const open = 'inconclusive';
  expect(kind([sc!, { ...tso, verdict: { kind: open, because: ['states: 1'] } }])).toBe(open);
  expect(kind([sc!, { ...tso, how: 'robust' }])).toBe(open);
  expect(kind([sc!, { ...tso, model: 'rc11' }])).toBe(open);
  expect(kind([{ ...sc!, executions: 0 }, tso])).toBe(open);
  const boundedBy = [{ kind: 'unmodelled call', reason: 'f is not defined', place: undefined }] as const;
  expect(kind([{ ...sc!, boundedBy }, tso])).toBe(open);
  expect(kind([sc!, tso], { ...options, races: true })).toBe(open);
  expect(kind([sc!, tso], { ...options, observations: true })).toBe(open);
  const fences = await compileC(
    '#include <linux/membarrier.h>\n#include <sys/syscall.h>\n#include <unistd.h>\nint main(void) { return (int)syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0); }',
  );
  expect(kind([sc!, tso], options, fences)).toBe(open);
});
