/** The advice of `check` against an error under RC11: stronger orders, but only if they are sufficient. */
import { describe, expect, it } from 'vitest';
import { check as checkSource } from '../../../src/api/check.ts';
import { check, compileC, verdict } from '../../support/c.ts';

const HEAD = `
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#define relaxed memory_order_relaxed
#define acquire memory_order_acquire
#define release memory_order_release
#define acq_rel memory_order_acq_rel
#define LOAD(x, o) atomic_load_explicit(&(x), o)
#define STORE(x, v, o) atomic_store_explicit(&(x), v, o)
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
atomic_int f, g; int d, a, b;
`;

/** One thread for each body. */
function program(bodies: readonly string[], end = ''): string {
  const threads = bodies.map((body, i) => `void *t${i}(void *u) { ${body} return u; }\n`).join('');
  const create = bodies.map((_, i) => `pthread_create(&t[${i}], 0, t${i}, 0);`).join(' ');
  const join = bodies.map((_, i) => `pthread_join(t[${i}], 0);`).join(' ');
  return `${HEAD}${threads}int main(void) { pthread_t t[${bodies.length}]; ${create} ${join} ${end} return 0; }`;
}

/** Without the places. */
async function adviceFor(source: string): Promise<readonly string[]> {
  const { errors } = check(await compileC(source), 'rc11', { strategy: 'optimal', advice: true });
  expect(errors).toHaveLength(1);
  return (errors[0]!.error.notes ?? []).map((note) => note.replaceAll(/ \(line [\d:]+\)/g, ''));
}

describe('a race', () => {
  it.each<[string, readonly string[], string]>([
    [
      'through a third thread',
      ['d = 1; STORE(f, 1, release);', 'if (LOAD(f, relaxed)) STORE(g, 1, release);', 'if (LOAD(g, acquire)) d = 2;'],
      'to order them, make the read of `f` an acquire',
    ],
    [
      'through a third thread, with three weak orders',
      ['d = 1; STORE(f, 1, release);', 'if (LOAD(f, relaxed)) STORE(g, 1, relaxed);', 'if (LOAD(g, relaxed)) d = 2;'],
      'to order them, make the read of `f` an acquire, the write of `g` a release and the read of `g` an acquire',
    ],
    [
      'through a read-modify-write, which continues the release sequence',
      [
        'd = 1; STORE(f, 1, relaxed);',
        'atomic_fetch_add_explicit(&f, 1, relaxed);',
        'if (LOAD(f, acquire) == 2) d = 2;',
      ],
      'to order them, make the write of `f` a release',
    ],
    [
      'after a compare-exchange that fails',
      [
        'd = 1; STORE(f, 1, release);',
        'int e = 0; if (!atomic_compare_exchange_strong_explicit(&f, &e, 2, acq_rel, relaxed)) d = 2;',
      ],
      'to order them, make the failure order of the compare-exchange of `f` an acquire',
    ],
    [
      'after a read-modify-write',
      ['d = 1; atomic_fetch_add_explicit(&f, 1, relaxed);', 'if (atomic_exchange_explicit(&f, 0, relaxed)) d = 2;'],
      'to order them, make the read-modify-write of `f` a release and the read-modify-write of `f` an acquire',
    ],
  ])('is advised against: %s', async (_, bodies, expected) => {
    expect(await adviceFor(program(bodies))).toEqual([expected]);
  });

  it('that no order prevents gets no such advice', async () => {
    // The second thread ignores what it has read.
    expect(await adviceFor(program(['d = 1; STORE(f, 1, relaxed);', '(void)LOAD(f, relaxed); d = 2;']))).toEqual([]);
  });

  it('that only our library could prevent gets no such advice', async () => {
    const bodies = ['d = 1; pthread_rwlock_wrlock(&lock);', 'if (pthread_rwlock_tryrdlock(&lock)) d = 2;'];
    expect(await adviceFor(program(bodies))).toEqual([]);
  });
});

it('advises against other errors too, and the advice is enough', async () => {
  const bodies = (o: string) => [`STORE(f, 1, ${o}); a = LOAD(g, ${o});`, `STORE(g, 1, ${o}); b = LOAD(f, ${o});`];
  const [advice] = await adviceFor(program(bodies('relaxed'), 'assert(a || b);'));
  expect(advice).toMatch(/^to prevent it, make (the (read|write) of `[fg]`(, | and )?){4} seq_cst$/);
  const mended = program(bodies('memory_order_seq_cst'), 'assert(a || b);');
  expect(verdict(check(await compileC(mended), 'rc11', { strategy: 'optimal' }))).toBe('verified');
});

it('is not given where other steps between the accesses make another execution', async () => {
  const twice = 'STORE(f, 1, relaxed); pthread_detach(pthread_self()); pthread_detach(pthread_self());';
  const source = program([twice]).replace('pthread_join', '(void)LOAD(f, relaxed); pthread_join');
  const { results } = await checkSource({ source }, { models: ['rc11'], keepGoing: true });
  expect(results.map(({ verdict, error }) => [verdict, error?.kind])).toEqual([['violation', 'misuse']]);
});
