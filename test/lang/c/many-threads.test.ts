/** More than 64 threads: searches start with room for few, and must find the same with more. */
import { expect, it } from 'vitest';
import { check } from '../../../src/api/check.ts';
import { hunt } from '../../../src/api/hunt.ts';
import { replay } from '../../../src/api/replay.ts';
import { robust } from '../../../src/api/robust.ts';
import { modelsWith } from '../../../src/models/index.ts';

/** Store buffering by the last two of N + 2 threads. */
const source = `#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
static atomic_int x, y;
static int a, b;
static void *nothing(void *p) { return p; }
static void *first(void *p) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  a = atomic_load_explicit(&y, memory_order_relaxed);
  return p;
}
static void *second(void *p) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  b = atomic_load_explicit(&x, memory_order_relaxed);
  return p;
}
int main(void) {
  pthread_t t, u;
  for (int i = 0; i < N; i++) { pthread_create(&t, 0, nothing, 0); pthread_join(t, 0); }
  pthread_create(&t, 0, first, 0);
  pthread_create(&u, 0, second, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(a || b);
}
`;
const MODELS = modelsWith('dpor');

async function counts(count: number, options: Parameters<typeof check>[1]): Promise<unknown> {
  const { input, results } = await check(
    { source },
    { defines: [`N=${count}`, 'NDEBUG'], monitors: false, ...options },
  );
  return [input.manyThreads, ...results.map(({ model, verdict, executions }) => `${model} ${verdict} ${executions}`)];
}

it('with 70 threads before, there are as many executions as with none', async () => {
  const [few, ...found] = (await counts(0, { models: [...MODELS, 'rc11'] })) as unknown[];
  expect([few, found]).toEqual([undefined, ['sc verified 3', 'tso verified 4', 'pso verified 4', 'rc11 verified 4']]);
  expect(await counts(70, { models: [...MODELS, 'rc11'] })).toEqual([true, ...found]);
});

it('the enumerator agrees, under PSLO too', async () => {
  const models = [...MODELS, 'pslo'] as const;
  const [, ...found] = (await counts(0, { models, strategy: 'enumerate' })) as unknown[];
  expect(await counts(70, { models, strategy: 'enumerate' })).toEqual([true, ...found]);
});

it('failing executions replay, and robust and hunt find them too', async () => {
  const defines = ['N=70'];
  const report = await check({ source }, { defines, models: ['tso'] });
  expect(report.results.map(({ verdict }) => verdict)).toEqual(['violation']);
  expect(await replay(report, { source })).toHaveLength(1);
  expect((await robust({ source }, { defines, models: ['tso'] })).results[0]!.verdict).toBe('violation');
  const hunted = await hunt({ source }, { defines, models: ['tso'], runs: 5, trials: 5 });
  expect(hunted.results[0]!.verdict).toBe('violation');
});

it('512 have room, and more are a bound', async () => {
  expect(await counts(509, { models: ['sc'] })).toEqual([true, 'sc verified 3']);
  const { results } = await check({ source }, { defines: ['N=510'], models: ['sc'] });
  expect(results.map(({ verdict, bounds }) => [verdict, bounds])).toEqual([['inconclusive', ['machine: threads']]]);
});

it('local variables have less room if there may be many threads, which is a bound and no error', async () => {
  const text = (bytes: number): string => `#include <pthread.h>
static void *run(void *p) { volatile char a[${bytes}]; a[${bytes} - 1] = 1; return p; }
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, run, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
}
`;
  const said = async (bytes: number): Promise<unknown> => {
    const { results } = await check({ source: text(bytes) }, { models: ['sc'] });
    return results.map(({ verdict, bounds }) => [verdict, bounds]);
  };
  expect(await said(1_200_000)).toEqual([['verified', []]]);
  expect(await said(3_000_000)).toEqual([
    [
      'inconclusive',
      ['machine: local variables (thread 0.1, program.c:2:43; with room for 64 threads, each has 2000000 bytes)'],
    ],
  ]);
});
