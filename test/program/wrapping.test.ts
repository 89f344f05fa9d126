/**
 * A loop that only pauses is dropped if it surely ends. One that ends only when its number wraps around does not count:
 * on a real machine the thread hangs there. Found by a reviewer: such programs were verified.
 */
import { expect, it } from 'vitest';
import { check, compileC } from '../support/c.ts';

const verdictOf = async (body: string): Promise<string> => {
  const source = `#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
static atomic_int x, y;
static void down(int n) { while (n--) sched_yield(); }
static void downLong(long n) { for (long i = n; i != 0; i--) ; }
static void up(int n) { for (int i = 0; i < n; i++) sched_yield(); }
static void *a(void *u) { ${body} y = 1; return 0; }
static void *b(void *u) { x = 1; return 0; }
int main(void) {
  pthread_t p, q;
  pthread_create(&p, 0, a, 0);
  pthread_create(&q, 0, b, 0);
  pthread_join(p, 0);
  pthread_join(q, 0);
}
`;
  const program = await compileC(source);
  return check(program, 'sc', { strategy: 'optimal', spin: true }).verdict.kind;
};

it.each([
  'for (long i = 1; i > 0; i++) ;',
  'if (x) for (int i = 1; i > 0; i++) sched_yield();',
  'down(x - 1);',
  'if (x) for (int i = 5; i != 3; i++) ;',
  'if (x) for (unsigned long i = 1; i != 0; i++) sched_yield();',
  'if (x) for (unsigned i = 9; i > 3; i++) sched_yield();',
  'if (x) for (int i = 9; i <= 9; i--) ;',
  'downLong(x - 1);',
])('a loop that ends only by wrapping around is not dropped: %s', async (body) => {
  expect(await verdictOf(body)).not.toBe('verified');
});

it.each([
  'up(x + 3);',
  'up(x - 1);',
  'for (int i = 1000000; i > 0; i--) sched_yield();',
  'for (int i = 0; 1000000 >= i; i++) sched_yield();',
])('a loop that goes towards its bound is dropped, however long it is: %s', async (body) => {
  expect(await verdictOf(body)).toBe('verified');
});
