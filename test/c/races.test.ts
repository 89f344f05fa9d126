/** Data races on plain accesses: both accesses are named, and what orders them is seen. */
import { describe, expect, it } from 'vitest';
import { check, compileC, MODELS, verdict } from '../support/c.ts';

/** Two threads run `body` with `i` 0 and 1; what is shared is `data`. */
const two = (body: string, setUp = ''): string => `#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
static pthread_mutex_t m; static pthread_rwlock_t l; static pthread_spinlock_t spin; static pthread_barrier_t barrier;
static pthread_once_t once; static sem_t s; static atomic_int flag; static int data, *pointer;
static void initialise(void) { data = 1; }
static void *thread(void *p) {
  int i = (int)p;
  (void)i;
  ${body}
  return 0;
}
int main(void) {
  pthread_t t;
  ${setUp}
  pthread_create(&t, 0, thread, (void *)1);
  thread((void *)0);
  pthread_join(t, 0);
  return 0;
}`;
const LINE = 11;

describe('with a race', () => {
  it.each([
    ['two stores', 'data = i;', ''],
    ['a load and a store', 'if (i) data = 1; else if (data) abort();', ''],
    ['a store and a free', 'if (i) free(pointer); else if (pointer) { *pointer = 1; }', 'pointer = malloc(4);'],
    ['readers that write', 'pthread_rwlock_rdlock(&l); data++; pthread_rwlock_unlock(&l);', ''],
    ['different locks', 'if (i) pthread_mutex_lock(&m); else pthread_spin_lock(&spin); data++;', ''],
    [
      'a relaxed flag',
      'if (i) { data = 1; atomic_store_explicit(&flag, 1, memory_order_relaxed); } else if (atomic_load(&flag)) data = 2;',
      '',
    ],
    ['a semaphore with room for two', 'sem_wait(&s); data++; sem_post(&s);', 'sem_init(&s, 0, 2);'],
    ['an early store and a once', 'if (i) data = 2; else pthread_once(&once, initialise);', ''],
  ])('%s', async (_, body, setUp) => {
    const program = await compileC(two(body, setUp));
    for (const model of MODELS) {
      const [found] = check(program, model, { strategy: 'random', maxExecutions: 200, races: true }).errors;
      // A free that comes first may be found as what it is.
      if (found?.error.kind === 'memory') continue;
      expect(found?.error.kind, model).toBe('race');
      expect(found!.error.message).toMatch(
        /^data race: .* in thread 0(\.1)? at .*test\.c:\d+:\d+, and .* in thread 0(\.1)? at .*test\.c:\d+:\d+, with nothing to order them$/,
      );
      expect([LINE, 7]).toContain(found!.error.line);
    }
  });
});

describe('without a race', () => {
  it.each([
    ['a mutex', 'pthread_mutex_lock(&m); data++; pthread_mutex_unlock(&m);', ''],
    [
      'a timed lock',
      'struct timespec now = {0, 0}; if (pthread_mutex_timedlock(&m, &now) == 0) { data++; pthread_mutex_unlock(&m); }',
      '',
    ],
    [
      'a read-write lock',
      'if (i) { pthread_rwlock_wrlock(&l); data++; } else { pthread_rwlock_rdlock(&l); flag = data; } pthread_rwlock_unlock(&l);',
      '',
    ],
    ['a spin lock', 'pthread_spin_lock(&spin); data++; pthread_spin_unlock(&spin);', ''],
    ['a semaphore', 'sem_wait(&s); data++; sem_post(&s);', 'sem_init(&s, 0, 1);'],
    [
      'a barrier',
      'if (i) data = 1; pthread_barrier_wait(&barrier); if (!i) data = 2;',
      'pthread_barrier_init(&barrier, 0, 2);',
    ],
    ['once', 'pthread_once(&once, initialise); flag = data;', ''],
    [
      'an acquired flag',
      'if (i) { data = 1; atomic_store_explicit(&flag, 1, memory_order_release); } else if (atomic_load(&flag)) data = 2;',
      '',
    ],
    ['atomics', 'flag++;', ''],
    ['two loads', 'if (data) abort();', ''],
  ])('%s', async (_, body, setUp) => {
    const program = await compileC(two(body, setUp));
    for (const model of MODELS) {
      expect(verdict(check(program, model, { strategy: 'enumerate', races: true })), model).toBe('verified');
    }
  });
});
