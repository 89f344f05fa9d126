/** Old values under PSLO, in words. */
import { expect, it } from 'vitest';
import { printWhy } from '../../src/report/writers/check.ts';
import { check, compileC, failureTrace } from '../support/c.ts';

const program = (reader: string): string => `
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *other(void *_) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_store_explicit(&y, 1, memory_order_release);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
${reader}
  return 0;
}
`;
const READ_X = 'atomic_load_explicit(&x, memory_order_relaxed)';
const RELAXED = `  int r = atomic_load_explicit(&y, memory_order_relaxed);
  assert(!r || ${READ_X});`;

async function reasons(reader: string): Promise<readonly string[]> {
  const compiled = await compileC({ 'stale.c': program(reader) });
  const result = check(compiled, 'pslo', { strategy: 'enumerate' });
  return result.errors.length === 0 ? [result.verdict.kind] : printWhy(failureTrace(compiled, result));
}

it('a load that missed a newer write is named, with what would have forbidden it', async () => {
  const [why, how, remedy, ...rest] = await reasons(RELAXED);
  expect(why).toBe(
    'Why (marked ●): thread 0 read `x` as 0 (line 16), an old value, though `x = 1` by thread 0.1 (line 8) had reached memory: as if that ' +
      'load had run before it read `y` as 1 (line 15). Thread 0.1 wrote `x = 1` (line 8) and then wrote `y = 1` (line 9).',
  );
  expect(how).toMatch(/^A load may return a value that the location had earlier/);
  expect(remedy).toBe(
    'To keep a load before a later load, make the first an acquire operation (`memory_order_acquire`), or put an acquire ' +
      'fence or the locking of a mutex between them.',
  );
  expect(rest).toEqual([]);
});

it.each([
  ['an acquire load', RELAXED.replace('(&y, memory_order_relaxed)', '(&y, memory_order_acquire)')],
  ['an acquire fence', RELAXED.replace('assert', 'atomic_thread_fence(memory_order_acquire); assert')],
  ['a lock', RELAXED.replace('assert', 'pthread_mutex_lock(&m); pthread_mutex_unlock(&m); assert')],
])('%s forbids it', async (_, reader) => {
  expect(await reasons(reader)).toEqual(['verified']);
});

it('an acquire read-modify-write would do too', async () => {
  const rmw = RELAXED.replace('load_explicit(&y, ', 'fetch_add_explicit(&y, 0, ');
  expect((await reasons(rmw)).join(' ')).toContain(
    'To keep a read-modify-write before a later load, make the first an acquire operation',
  );
});
