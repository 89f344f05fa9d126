/**
 * An access that fails is the last event of its execution, and has done nothing: it has not written memory, though its
 * kind says that it writes. Every error is found, made simpler and reported under every model.
 */
import { describe, expect, it } from 'vitest';
import { check } from '../../src/api/check.ts';
import { hunt } from '../../src/api/hunt.ts';
import { modelsWith } from '../../src/models/index.ts';

const ACCESSES: readonly (readonly [what: string, code: string, kind: string])[] = [
  ['a store to freed memory', 'int *p = malloc(4); free(p); *p = 1;', 'memory'],
  ['a load of freed memory', 'int *p = malloc(4); *p = 0; free(p); x = *p;', 'memory'],
  [
    'an atomic store to freed memory',
    'int *p = malloc(4); free(p); __atomic_store_n(p, 1, __ATOMIC_RELAXED);',
    'memory',
  ],
  [
    'a seq_cst store to freed memory',
    'int *p = malloc(4); free(p); __atomic_store_n(p, 1, __ATOMIC_SEQ_CST);',
    'memory',
  ],
  [
    'an exchange in freed memory',
    'int *p = malloc(4); free(p); __atomic_exchange_n(p, 1, __ATOMIC_SEQ_CST);',
    'memory',
  ],
  ['a free of the middle of a block', 'char *p = malloc(8); free(p + 4);', 'memory'],
  ['a realloc of the middle of a block', 'char *p = malloc(8); p = realloc(p + 4, 9);', 'memory'],
  ['a second free', 'int *p = malloc(4); free(p); free(p);', 'memory'],
  ['a store through a null pointer', '*(int *volatile *)&null = 0; *null = 1;', 'memory'],
  ['a store past the end', 'int *volatile p = array; p[5] = 1;', 'memory'],
  ['a store of eight bytes past the end', '*(long long *)(array + 1) = 1;', 'memory'],
  ['a store to a local variable of a thread that has ended', 'pthread_join(t, 0); *local = 1;', 'memory'],
  ['memset past the end', 'memset(array, 0, 12);', 'memory'],
  ['an unlock of an unlocked mutex', 'pthread_mutex_unlock(&m);', 'misuse'],
  ['a join of an unknown thread', 'pthread_join(99, 0);', 'misuse'],
];

const program = (code: string): string => `#include <pthread.h>
#include <stdlib.h>
#include <string.h>
static int x, array[2], *null, *local;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *other(void *_) { int mine = 0; x = 1; local = &mine; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, other, 0); ${code} return 0; }
`;

/** The free fails only where stores were late, behind a cycle of the hunt: its trace is examined, too. */
const LATE = `#include <pthread.h>
#include <stdlib.h>
static _Atomic int x, y, z;
static void *other(void *_) {
  __c11_atomic_store(&x, 1, __ATOMIC_RELAXED);
  __c11_atomic_store(&z, 1 + __c11_atomic_load(&y, __ATOMIC_RELAXED), __ATOMIC_RELAXED);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  __c11_atomic_store(&y, 1, __ATOMIC_RELAXED);
  int r = __c11_atomic_load(&x, __ATOMIC_RELAXED);
  if (r == 0 && __c11_atomic_load(&z, __ATOMIC_RELAXED) == 1) { char *p = malloc(8); free(p + 4); }
  pthread_join(t, 0);
  return 0;
}
`;

it('a free that fails behind a cycle is an error for hunt', async () => {
  const { results } = await hunt({ source: LATE }, { models: ['tso'] });
  expect(results.map(({ verdict }) => verdict)).toEqual(['violation']);
});

describe.each(ACCESSES)('%s', (_, code, kind) => {
  it.each(['optimal', 'source', 'enumerate', 'random'] as const)('is an error for strategy %s', async (strategy) => {
    const models = modelsWith('check').filter((model) => strategy === 'optimal' || model !== 'rc11');
    const { results } = await check({ source: program(code) }, { models, strategy, maxExecutions: 1000 });
    expect(results.map(({ model, error, verdict }) => [model, verdict, error?.kind])).toEqual(
      models.map((model) => [model, 'violation', model === 'rc11' ? expect.stringMatching(`${kind}|race`) : kind]),
    );
  });

  it('is an error for hunt', async () => {
    const { results } = await hunt({ source: program(code) }, { runs: 3, trials: 2 });
    expect(new Set(results.map(({ verdict }) => verdict))).toEqual(new Set(['violation']));
  });
});
