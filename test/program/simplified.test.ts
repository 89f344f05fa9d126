/**
 * Simplifying, inlining and sharing words must not change verdicts. Each program had a wrong one while they were being
 * written.
 */
import { expect, it } from 'vitest';
import { check, compileC, MODELS } from '../support/c.ts';

async function answers(source: string): Promise<readonly unknown[]> {
  const program = await compileC({ 'a.c': source });
  return [...MODELS, 'rc11' as const].map((model) => {
    const strategy = model === 'rc11' ? 'graph' : 'optimal';
    const { verdict, errors, warnings } = check(program, model, { strategy });
    return errors[0]?.error.message ?? warnings[0]?.message ?? verdict.kind;
  });
}

const EVERYWHERE = [...MODELS, 'rc11'];

it.each([
  ['pthread_mutex_t', 'pthread_mutex_lock(&x); pthread_mutex_unlock(&x);'],
  ['pthread_rwlock_t', 'pthread_rwlock_rdlock(&x); pthread_rwlock_unlock(&x);'],
  ['pthread_cond_t', 'pthread_cond_signal(&x);'],
  ['sem_t', 'sem_post(&x);'],
])('a thread-local %s that is zero is initialised', async (type, use) => {
  const source = `#include <pthread.h>\n#include <semaphore.h>\nstatic _Thread_local ${type} x;\nint main(void) { ${use} }\n`;
  expect(await answers(source)).toEqual(EVERYWHERE.map(() => 'verified'));
});

it('a thread-local barrier is initialised once', async () => {
  const source = `#include <pthread.h>
static _Thread_local pthread_barrier_t b;
int main(void) { pthread_barrier_init(&b, 0, 1); pthread_barrier_init(&b, 0, 1); }
`;
  const found = await answers(source);
  for (const text of found) expect(text).toContain('initialisation of a barrier that is initialised already');
});

it('functions that lock a mutex may call themselves thousands of times', async () => {
  const source = `#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int down(int n) {
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  return n == 0 ? 0 : down(n - 1) + 1;
}
int main(void) { return down(2000) == -1; }
`;
  const program = await compileC({ 'a.c': source });
  expect(check(program, 'sc').verdict.kind).toBe('verified');
});

it('a block whose address is in a variable is no leak', async () => {
  const source = `#include <stdlib.h>
#include <stdatomic.h>
atomic_int x;
int main(void) {
  char *p = malloc(4);
  p[0] = 1;
  int i = x, j = x + i;
  exit(j);
}
`;
  expect(await answers(source)).toEqual(EVERYWHERE.map(() => 'verified'));
});

it('functions that lock a mutex may call themselves through the library', async () => {
  const source = `#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, one[1];
int down(int n);
int compare(const void *a, const void *b) { return down(*(const int *)a); }
int down(int n) {
  pthread_mutex_lock(&m);
  x++;
  pthread_mutex_unlock(&m);
  int next = n - 1;
  if (n > 0) bsearch(&next, one, 1, sizeof next, compare);
  return 0;
}
int main(void) { down(1000); assert(x == 1001); }
`;
  const program = await compileC({ 'a.c': source });
  expect(check(program, 'sc').verdict.kind).toBe('verified');
});

it('arrivals at a barrier are merged in functions that call themselves, too', async () => {
  const source = `#include <pthread.h>
static pthread_barrier_t b;
static void rounds(int n) {
  if (n == 0) return;
  pthread_barrier_wait(&b);
  rounds(n - 1);
}
static void *run(void *u) { rounds(2); return u; }
int main(void) {
  pthread_t t[3];
  pthread_barrier_init(&b, 0, 4);
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, run, 0);
  rounds(2);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
}
`;
  const { verdict, executions } = check(await compileC({ 'a.c': source }), 'sc', { strategy: 'optimal' });
  expect([verdict.kind, executions]).toEqual(['verified', 1]);
});

it.each([
  [300_000, 'verified'],
  [7_000_000, 'verified'],
  [9_000_000, 'stack overflow'],
])('a local array of %i bytes: %s', async (bytes, expected) => {
  const source = `int main(void) {\n  volatile char a[${bytes}];\n  a[${bytes - 1}] = 1;\n  return a[${bytes - 1}] - 1;\n}\n`;
  const { verdict, errors } = check(await compileC({ 'a.c': source }), 'sc');
  expect(errors[0]?.error.message ?? verdict.kind).toBe(expected);
});
