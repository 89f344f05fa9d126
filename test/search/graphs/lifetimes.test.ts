/**
 * Under RC11, every use of memory, and of an object in it, must be ordered with its beginning and its end; otherwise it
 * is a race.
 */
import { describe, expect, it } from 'vitest';
import { check, compileC, verdict } from '../../support/c.ts';
import { DEEP } from '../../support/tier.ts';

const HEAD = `
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <threads.h>
atomic_int flag;
`;

interface Kind {
  readonly name: string;
  readonly declare: string;
  readonly init: string;
  readonly use: string;
  readonly destroy: string;
}

const KINDS: readonly Kind[] = [
  {
    name: 'mutex',
    declare: 'pthread_mutex_t o;',
    init: 'pthread_mutex_init(&o, 0);',
    use: 'pthread_mutex_lock(&o); pthread_mutex_unlock(&o);',
    destroy: 'pthread_mutex_destroy(&o);',
  },
  {
    name: 'recursive mutex of C11',
    declare: 'mtx_t o;',
    init: 'mtx_init(&o, mtx_recursive);',
    use: 'mtx_lock(&o); mtx_lock(&o); mtx_unlock(&o); mtx_unlock(&o);',
    destroy: 'mtx_destroy(&o);',
  },
  {
    name: 'tried mutex',
    declare: 'pthread_mutex_t o;',
    init: 'pthread_mutex_init(&o, 0);',
    use: 'if (!pthread_mutex_trylock(&o)) pthread_mutex_unlock(&o);',
    destroy: 'pthread_mutex_destroy(&o);',
  },
  {
    name: 'condition variable',
    declare: 'pthread_cond_t o;',
    init: 'pthread_cond_init(&o, 0);',
    use: 'pthread_cond_signal(&o);',
    destroy: 'pthread_cond_destroy(&o);',
  },
  {
    name: 'read-write lock',
    declare: 'pthread_rwlock_t o;',
    init: 'pthread_rwlock_init(&o, 0);',
    use: 'pthread_rwlock_rdlock(&o); pthread_rwlock_unlock(&o);',
    destroy: 'pthread_rwlock_destroy(&o);',
  },
  {
    name: 'barrier',
    declare: 'pthread_barrier_t o;',
    init: 'pthread_barrier_init(&o, 0, 1);',
    use: 'pthread_barrier_wait(&o);',
    destroy: 'pthread_barrier_destroy(&o);',
  },
  {
    name: 'semaphore',
    declare: 'sem_t o;',
    init: 'sem_init(&o, 0, 0);',
    use: 'sem_post(&o);',
    destroy: 'sem_destroy(&o);',
  },
  {
    name: 'spin lock',
    declare: 'pthread_spinlock_t o;',
    init: 'pthread_spin_init(&o, 0);',
    use: 'pthread_spin_lock(&o); pthread_spin_unlock(&o);',
    destroy: 'pthread_spin_destroy(&o);',
  },
];

/** Thread f does `first` and then signals this; thread g does `second` once it has seen the signal. */
function passing(declare: string, first: string, second: string, [store, load]: readonly string[], begin = ''): string {
  return `${HEAD}${declare}
void *f(void *u) { ${first} atomic_store_explicit(&flag, 1, memory_order_${store}); return u; }
void *g(void *u) { if (atomic_load_explicit(&flag, memory_order_${load})) { ${second} } return u; }
int main(void) {
  pthread_t a, b; ${begin}
  pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0); pthread_join(a, 0); pthread_join(b, 0);
  return 0;
}`;
}

const ORDERED = ['release', 'acquire'];
const UNORDERED = [
  ['relaxed', 'relaxed'],
  ['release', 'relaxed'],
  ['relaxed', 'acquire'],
];

async function rc11(source: string, advice = false) {
  return check(await compileC(source), 'rc11', { strategy: 'optimal', advice });
}

describe.each(KINDS)('a $name', ({ name, declare, init, use, destroy }) => {
  // In the push tier one pair of orders that does not synchronise, each in turn; in the deep tier all three.
  const turn = KINDS.findIndex((kind) => kind.name === name) % UNORDERED.length;
  const unordered = UNORDERED.filter((_, i) => DEEP || i === turn);

  it('is initialised before it is used', async () => {
    expect(verdict(await rc11(passing(declare, init, use, ORDERED)))).toBe('verified');
    for (const orders of unordered) {
      const result = await rc11(passing(declare, init, use, orders), true);
      expect(verdict(result)).toMatch(/^race: o is initialised in thread 0.1 at .* and, unordered with it, /);
      expect(result.errors[0]!.error.notes![0]).toMatch(/^to order them, make the (write|read) of `flag`/);
    }
  });

  it('is destroyed after it is used', async () => {
    expect(verdict(await rc11(passing(declare, use, destroy, ORDERED, init)))).toBe('verified');
    for (const orders of unordered) {
      const result = await rc11(passing(declare, use, destroy, orders, init));
      expect(verdict(result)).toMatch(/^race: o.* in thread 0.1 at .* and, unordered with it, destroyed$/);
    }
  });

  it('is initialised in the same way as it is destroyed', async () => {
    const source = passing(declare, `${init} ${use} ${destroy}`, `${init} ${use} ${destroy}`, ORDERED);
    expect(verdict(await rc11(source))).toBe('verified');
  });
});

describe.each([
  ['calloc', 'p = calloc(1, sizeof *p);'],
  ['malloc', 'p = malloc(sizeof *p);'],
])('memory from %s', (_, allocate) => {
  const declare = '_Atomic(atomic_int *) shared;';
  const source = ([store, load]: readonly string[]) =>
    passing(
      declare,
      `atomic_int *p; ${allocate} atomic_store_explicit(&shared, p, memory_order_${store});`,
      `atomic_int *q = atomic_load_explicit(&shared, memory_order_${load}); atomic_load_explicit(q, memory_order_relaxed);`,
      ['relaxed', 'relaxed'],
      'static atomic_int first; shared = &first;',
    );
  it('begins before it is used', async () => {
    for (const orders of UNORDERED) {
      expect(verdict(await rc11(source(orders)))).toMatch(
        /^race: .* is allocated in thread 0.1 at .*, read atomically$/,
      );
    }
    expect(verdict(await rc11(source(ORDERED)))).toBe('verified');
  });
});

it.each([
  ['relaxed', /^race: local is allocated in thread 0 at .*, read atomically$/],
  ['acquire', /^verified$/],
])('a local variable begins before it is used: %s', async (order, expected) => {
  const source = `${HEAD}
_Atomic(atomic_int *) shared;
void *g(void *u) {
  atomic_int *q = atomic_load_explicit(&shared, memory_order_${order});
  if (q) atomic_load_explicit(q, memory_order_relaxed);
  return u;
}
void f(pthread_t a) {
  atomic_int local; atomic_store_explicit(&shared, &local, memory_order_release);
  pthread_join(a, 0);
}
int main(void) { pthread_t a; pthread_create(&a, 0, g, 0); f(a); return 0; }`;
  expect(verdict(await rc11(source))).toMatch(expected);
});

describe.each([
  ['assigned', 'o = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;'],
  ['cleared', 'memset(&o, 0, sizeof o);'],
  ['copied', 'pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER; o = other;'],
])('a mutex that is %s', (_, text) => {
  const use = 'pthread_mutex_lock(&o); pthread_mutex_unlock(&o);';
  it.each([
    ['relaxed', 'relaxed', /^race: o is written/],
    ['release', 'relaxed', /^race: o is written/],
    ['release', 'acquire', /^verified$/],
  ])('is verified only with release and acquire: stored %s, loaded %s', async (store, load, expected) => {
    expect(verdict(await rc11(passing('#include <string.h>\npthread_mutex_t o;', text, use, [store, load])))).toMatch(
      expected,
    );
  });
});

it('a condition variable that is assigned races with its use', async () => {
  const text = 'o = (pthread_cond_t)PTHREAD_COND_INITIALIZER;';
  const source = passing('pthread_cond_t o;', text, 'pthread_cond_signal(&o);', ['relaxed', 'acquire']);
  expect(verdict(await rc11(source))).toMatch(/^race: o is written/);
});

it('a woken thread may still be in a timed wait when the condition variable is destroyed', async () => {
  const source = `${HEAD}
#include <time.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c; int isSet, waits;
void *f(void *u) {
  struct timespec t = {0, 0};
  pthread_mutex_lock(&m); waits = 1; if (!isSet) pthread_cond_timedwait(&c, &m, &t); pthread_mutex_unlock(&m);
  return u;
}
int main(void) {
  pthread_t a; pthread_cond_init(&c, 0); pthread_create(&a, 0, f, 0);
  pthread_mutex_lock(&m); isSet = 1; pthread_cond_broadcast(&c); pthread_cond_destroy(&c); pthread_mutex_unlock(&m);
  pthread_join(a, 0);
  return 0;
}`;
  expect(verdict(await rc11(source))).toBe('verified');
});

describe('the machines', () => {
  const MUTEX = KINDS[0]!;
  const heap = (orders: readonly string[]) =>
    passing(
      'pthread_mutex_t *o;',
      'pthread_mutex_init(o, 0);',
      'pthread_mutex_lock(o); pthread_mutex_unlock(o);',
      orders,
      'o = malloc(sizeof *o);',
    );

  it.each(['sc', 'tso'] as const)('%s initialises in order', async (model) => {
    for (const source of [
      heap(['relaxed', 'relaxed']),
      passing(MUTEX.declare, MUTEX.init, MUTEX.use, ['relaxed', 'relaxed']),
    ]) {
      const program = await compileC(source);
      for (const strategy of ['graph', 'optimal', 'enumerate'] as const) {
        expect(verdict(check(program, model, { strategy }))).toBe('verified');
      }
    }
  });

  it('pso does not, and graphs do not model that', async () => {
    const program = await compileC(heap(['relaxed', 'relaxed']));
    for (const strategy of ['optimal', 'enumerate'] as const) {
      expect(verdict(check(program, 'pso', { strategy }))).toMatch(/^(misuse|memory): /);
    }
    const result = check(program, 'pso', { strategy: 'graph' });
    expect(verdict(result)).toBe('inconclusive');
    expect(result.bounds[0]).toMatch(/^not modelled: the beginning or end of an object/);
    expect(verdict(check(await compileC(heap(ORDERED)), 'pso', { strategy: 'graph' }))).toBe('verified');
  });
});

describe('a plain write over an object that another thread uses is a race', () => {
  const source = (declare: string, use: string, byte: string) =>
    `${HEAD}${declare}
_Static_assert(sizeof(pthread_mutex_t) == 20 && sizeof(pthread_cond_t) == 4, "as in src/explore/graph/fields.ts");
char *byte; int behind;
void *f(void *u) { ${use} return u; }
void *g(void *u) { *byte = 0; return u; }
int main(void) {
  pthread_t a, b; byte = ${byte};
  pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0); pthread_join(a, 0); pthread_join(b, 0);
  return 0;
}`;
  const MUTEX = 'struct { pthread_mutex_t o; char next; } s = { PTHREAD_MUTEX_INITIALIZER, 0 };';
  const CONDITION = 'struct { pthread_cond_t o; char next; } s = { PTHREAD_COND_INITIALIZER, 0 };';
  const LOCK = 'pthread_mutex_lock(&s.o); pthread_mutex_unlock(&s.o);';
  it.each([
    ['the first byte of a mutex', MUTEX, LOCK, '(char *)&s.o'],
    ['a byte in its middle', MUTEX, LOCK, '(char *)&s.o + 6'],
    ['its last byte', MUTEX, LOCK, '(char *)&s.o + 19'],
    ['the last byte of a condition variable', CONDITION, 'pthread_cond_signal(&s.o);', '(char *)&s.o + 3'],
  ])('be it %s', async (_, declare, use, byte) => {
    const result = check(await compileC(source(declare, use, byte)), 'rc11', { strategy: 'optimal' });
    expect(verdict(result)).toMatch(/^race: /);
  });

  it.each([
    ['what is behind a mutex', MUTEX, LOCK],
    ['what is behind a condition variable', CONDITION, 'pthread_cond_signal(&s.o);'],
  ])('but not %s', async (_, declare, use) => {
    const result = check(await compileC(source(declare, use, '&s.next')), 'rc11', { strategy: 'optimal' });
    expect(verdict(result)).toBe('verified');
  });
});
