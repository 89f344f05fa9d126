/** The effects of our library's functions on memory and time, and on what is explored. */
import { describe, expect, it } from 'vitest';
import { explore } from '../../../src/explore/explore.ts';
import { Replay } from '../../../src/explore/replay.ts';
import { parseSchedule, printSchedule } from '../../../src/explore/schedule.ts';
import { Machine } from '../../../src/machine/machine.ts';
import { Prng } from '../../../src/util/prng.ts';
import { check, compileC, enumerate, globalValue, MODELS, refusal, runAlone, verdict } from '../../support/c.ts';

describe('what orders stores before loads', () => {
  /** Each thread stores to one variable, does something, and loads the other. */
  const storeBuffering = (before: string, between: string): string => `#include <pthread.h>
#include <semaphore.h>
#include <threads.h>
static pthread_mutex_t m[2], free_mutex[2]; static pthread_cond_t c[2]; static pthread_rwlock_t l[2];
static pthread_spinlock_t spin[2]; static pthread_barrier_t barrier[2]; static pthread_once_t once[2];
static sem_t sem[2]; static struct timespec soon;
int x[2], a, b;
static void nothing(void) { }
static void before(int i) { ${before} }
static void between(int i) { ${between} }
static void *first(void *p) { before(0); x[0] = 1; between(0); a = x[1]; return p; }
static void *second(void *p) { before(1); x[1] = 1; between(1); b = x[0]; return p; }
int main(void) {
  pthread_t t, u;
  for (int i = 0; i < 2; i++) { sem_init(&sem[i], 0, 1); pthread_barrier_init(&barrier[i], 0, 1); }
  pthread_create(&t, 0, first, 0);
  pthread_create(&u, 0, second, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}`;
  const cases: readonly (readonly [string, string, boolean, boolean])[] = [
    // what happens before; between; whether both can read 0 under TSO and PSO
    ['', '', true, true],
    ['', 'pthread_mutex_lock(&m[i]);', false, true],
    ['', 'pthread_mutex_trylock(&m[i]);', false, true],
    ['', 'pthread_mutex_timedlock(&m[i], &soon);', false, true],
    ['pthread_mutex_lock(&m[i]);', 'pthread_mutex_unlock(&m[i]);', false, false],
    ['', 'pthread_mutex_destroy(&free_mutex[i]);', true, true],
    ['', 'pthread_cond_signal(&c[i]);', true, true],
    ['', 'pthread_cond_broadcast(&c[i]);', true, true],
    ['pthread_mutex_lock(&m[i]);', 'pthread_cond_timedwait(&c[i], &m[i], &soon);', false, false],
    ['', 'sem_wait(&sem[i]);', false, true],
    ['', 'sem_trywait(&sem[i]);', false, true],
    ['', 'sem_post(&sem[i]);', false, false],
    ['', 'int v; sem_getvalue(&sem[i], &v);', true, true],
    ['', 'pthread_rwlock_rdlock(&l[i]);', false, true],
    ['', 'pthread_rwlock_wrlock(&l[i]);', false, true],
    ['', 'pthread_rwlock_clockrdlock(&l[i], CLOCK_MONOTONIC, &soon);', false, true],
    ['', 'pthread_rwlock_clockwrlock(&l[i], CLOCK_MONOTONIC, &soon);', false, true],
    ['pthread_rwlock_rdlock(&l[i]);', 'pthread_rwlock_unlock(&l[i]);', false, false],
    ['pthread_rwlock_wrlock(&l[i]);', 'pthread_rwlock_unlock(&l[i]);', false, false],
    ['', 'pthread_spin_lock(&spin[i]);', false, true],
    ['pthread_spin_lock(&spin[i]);', 'pthread_spin_unlock(&spin[i]);', true, true],
    ['', 'pthread_barrier_wait(&barrier[i]);', false, false],
    ['', 'pthread_once(&once[i], nothing);', false, false],
    ['pthread_once(&once[i], nothing);', 'pthread_once(&once[i], nothing);', false, true],
    ['', 'mtx_lock(&m[i]);', false, true],
    ['', 'thrd_yield();', true, true],
    ['', 'pthread_self();', true, true],
  ];
  it.each(cases)('is known: %s %s', async (before, between, tso, pso) => {
    const program = await compileC(storeBuffering(before, between));
    const bothReadZero = (model: 'sc' | 'tso' | 'pso'): boolean =>
      enumerate(program, model, ['a', 'b']).outcomes.includes('0 0');
    expect([bothReadZero('sc'), bothReadZero('tso'), bothReadZero('pso')]).toEqual([false, tso, pso]);
  });

  it('no step is needed for what only the library reads', async () => {
    const source = `#include <pthread.h>
static pthread_mutex_t m; static pthread_key_t key; static pthread_attr_t attributes;
int main(void) {
  pthread_attr_init(&attributes);
  pthread_mutex_init(&m, 0);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  pthread_setspecific(key, &m);
  return pthread_getspecific(key) == &m;
}`;
    const machine = new Machine(await compileC(source), 'sc');
    while (machine.enabled() > 0) machine.step(machine.steps.get(0));
    // Steps are: the six words of the attributes, which are the program's memory, so that another thread may read or
    // write them; the check whether another thread holds the mutex being initialised; lock and unlock; the two accesses
    // to the variable `key`, and the check whether the key exists.
    expect(machine.depth).toBe(13);
  });
});

describe('choices', () => {
  it.each([
    [
      'fencepost_choose',
      '#include <fencepost.h>\nint x; int main(void) { x = fencepost_choose(3); return 0; }',
      '0 1 2',
    ],
    [
      '__VERIFIER_nondet_bool',
      '_Bool __VERIFIER_nondet_bool(void);\nint x; int main(void) { x = __VERIFIER_nondet_bool(); return 0; }',
      '0 1',
    ],
    [
      'fencepost_assume',
      '#include <fencepost.h>\nint x; int main(void) { int n = fencepost_choose(5); fencepost_assume(n % 2 == 0); x = n; return 0; }',
      '0 2 4',
    ],
  ])('%s: all of them are tried', async (_, source, values) => {
    const program = await compileC(source);
    for (const model of MODELS) expect(enumerate(program, model, ['x']).outcomes.join(' '), model).toBe(values);
  });

  it('are part of the schedule, and replayed with it', async () => {
    const source = `#include <assert.h>
#include <fencepost.h>
#include <pthread.h>
static int x;
static void *other(void *p) { x = fencepost_choose(4); return p; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  int mine = fencepost_choose(3), theirs = x;
  pthread_join(t, 0);
  assert(mine != 2 || theirs != 3);
  return 0;
}`;
    const program = await compileC(source);
    for (const model of MODELS) {
      const [found] = check(program, model, { strategy: 'enumerate' }).errors;
      const first = new Machine(program, model);
      const schedule = parseSchedule(first, found!.schedule);
      expect(printSchedule(first, schedule)).toBe(found!.schedule);
      expect(found!.schedule).toMatch(/0:2/);
      expect(found!.schedule).toMatch(/0\.1:3/);
      const again = explore(new Machine(program, model), new Replay(schedule));
      expect(again.errors[0]!.error).toEqual(found!.error);
    }
  });

  it.each(['int', 'uint', 'long', 'pointer', 'double', 'short'])(
    'among all values of %s are not tried',
    async (type) => {
      const source = `int __VERIFIER_nondet_${type}(void);\nint main(void) {\n  return __VERIFIER_nondet_${type}();\n}\n`;
      const { bounds } = check(await compileC(source), 'sc');
      expect(bounds).toEqual([expect.stringMatching(new RegExp(`test\\.c:3:10: __VERIFIER_nondet_${type} `))]);
    },
  );
});

describe('condition variables', () => {
  const waiter = (keyword: string): string => `#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m; static pthread_cond_t c; static int ready;
static void *wake(void *p) {
  pthread_mutex_lock(&m); ready = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m); return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, wake, 0);
  pthread_mutex_lock(&m);
  ${keyword} (!ready) pthread_cond_wait(&c, &m);
  assert(ready);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}`;
  it.each([
    ['if', 0, 'verified'],
    ['while', 0, 'verified'],
    ['if', 1, 'assertion: ready'],
    ['while', 1, 'verified'],
  ])('%s, woken for no reason %d times', async (keyword, spurious, says) => {
    const program = await compileC(waiter(keyword), { spurious });
    for (const model of MODELS) expect(verdict(check(program, model, { strategy: 'enumerate' })), model).toBe(says);
  });

  it('a timed wait is woken or gives up, and is never a deadlock', async () => {
    const source = `#include <errno.h>
#include <pthread.h>
static pthread_mutex_t m; static pthread_cond_t c; int result = -1, ready;
static struct timespec soon;
static void *wake(void *p) { pthread_mutex_lock(&m); ready = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m); return p; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, wake, 0);
  pthread_mutex_lock(&m);
  if (!ready) result = pthread_cond_timedwait(&c, &m, &soon) == ETIMEDOUT;
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}`;
    const found = enumerate(await compileC(source), 'sc', ['result']);
    expect(found.errors).toEqual([]);
    expect(found.outcomes).toEqual(['-1', '0', '1']);
  });

  it('a signal to a thread that gives up at the same time is not lost for others', async () => {
    const source = `#include <pthread.h>
static pthread_mutex_t m; static pthread_cond_t c; static int waiting; static struct timespec soon; int woken;
static void *timed(void *p) {
  pthread_mutex_lock(&m);
  if (pthread_cond_timedwait(&c, &m, &soon) == 0) woken += 1;
  pthread_mutex_unlock(&m);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, timed, 0);
  pthread_mutex_lock(&m);
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return waiting;
}`;
    expect(enumerate(await compileC(source), 'sc', ['woken']).outcomes).toEqual(['0', '1']);
  });
});

describe('threads', () => {
  it('run functions of any type', async () => {
    const source = `#include <pthread.h>
#include <stdio.h>
static int x;
static void returns_nothing(void *p) { x += (int)p; }
static int returns_int(void) { return ++x; }
int main(void) {
  pthread_t t;
  void *result;
  pthread_create(&t, 0, (void *(*)(void *))returns_nothing, (void *)5);
  pthread_join(t, 0);
  pthread_create(&t, 0, (void *(*)(void *))returns_int, 0);
  pthread_join(t, &result);
  printf("%d %d\\n", x, (int)result);
  return 0;
}`;
    expect(runAlone(await compileC(source))).toBe('6 6\n');
  });

  it('clean up when they exit, the last handler first', async () => {
    const source = `#include <pthread.h>
#include <stdio.h>
static void say(void *text) { printf("%s ", (char *)text); }
static void *thread(void *p) {
  pthread_cleanup_push(say, "third");
  pthread_cleanup_push(say, "never");
  pthread_cleanup_pop(0);
  pthread_cleanup_push(say, "first");
  pthread_cleanup_pop(1);
  pthread_cleanup_push(say, "second");
  if (!p) pthread_exit(0);
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(0);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, thread, 0);
  pthread_join(t, 0);
  pthread_create(&t, 0, thread, &t);
  pthread_join(t, 0);
  return 0;
}`;
    expect(runAlone(await compileC(source))).toBe('first second third first ');
  });

  it('have memory at addresses that depend on their names alone', async () => {
    const source = `#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
unsigned leaf_1, leaf_2, own;
static void *leaf(void *p) { *(unsigned *)p = (uintptr_t)malloc(4); return p; }
static void *node(void *p) { pthread_t t; pthread_create(&t, 0, leaf, p); pthread_join(t, 0); return p; }
int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, node, &leaf_1);
  pthread_create(&b, 0, node, &leaf_2);
  pthread_create(&c, 0, leaf, &own);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
  return 0;
}`;
    const program = await compileC(source);
    const outcomes = new Set<string>();
    for (let seed = 1; seed <= 20; seed++) {
      const machine = new Machine(program, 'tso');
      const prng = new Prng(seed);
      while (machine.enabled() > 0) machine.step(machine.steps.get(prng.below(machine.steps.length)));
      outcomes.add(['leaf_1', 'leaf_2', 'own'].map((name) => globalValue(machine, name)).join(' '));
    }
    expect(outcomes.size).toBe(1);
  });

  it.each([
    ['main returns', 'return 3;'],
    ['exit is called', 'exit(3);'],
  ])('what is registered runs when %s', async (_, end) => {
    const source = `#include <stdio.h>
#include <stdlib.h>
static void first(void) { puts("first"); }
static void last(void) { puts("last"); }
int main(void) { atexit(last); atexit(first); puts("main"); ${end} }`;
    expect(runAlone(await compileC(source))).toBe('main\nfirst\nlast\n');
  });
});

it('the heap limit says how much was requested', async () => {
  const source = '#include <stdlib.h>\nint main(void) { char *p = malloc(123456789); p[0] = 1; return 0; }';
  expect(check(await compileC(source), 'sc').bounds).toEqual([
    'machine: heap bytes (123456789 more asked for; a thread has 8000000 in all)',
  ]);
});

it('the heap has more room where there are few threads', async () => {
  const source = `#include <pthread.h>
#include <stdlib.h>
static void *fill(void *p) { for (int i = 0; i < 7; i++) ((char *)malloc(1 << 20))[5] = 1; return p; }
int few(void) { pthread_t t; pthread_create(&t, 0, fill, 0); fill(0); return pthread_join(t, 0); }
int many(void) { for (int i = 0; i < 3; i++) { pthread_t t; pthread_create(&t, 0, fill, 0); pthread_join(t, 0); } return 0; }`;
  expect(check(await compileC(source, { entry: 'few' }), 'sc').verdict.kind).toBe('verified');
  const { bounds } = check(await compileC(source, { entry: 'many' }), 'sc');
  expect(bounds).toEqual(['machine: heap bytes (1048576 more asked for; a thread has 2000000 in all)']);
});

it('clocks advance, each thread has its own, and random numbers repeat', async () => {
  const source = `#include <assert.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
int main(void) {
  struct timespec a, b;
  struct timeval v;
  clock_gettime(CLOCK_MONOTONIC, &a);
  time_t before = time(NULL);
  sleep(3);
  assert(time(NULL) - before >= 3);
  clock_gettime(CLOCK_MONOTONIC, &b);
  assert(b.tv_sec > a.tv_sec);
  assert(gettimeofday(&v, NULL) == 0 && v.tv_sec >= b.tv_sec);
  srand(7);
  int x = rand(), y = rand();
  srand(7);
  assert(x != y && rand() == x && rand() == y && x >= 0);
  return 0;
}`;
  expect(runAlone(await compileC(source))).toBe('');
});

describe('barriers', () => {
  it.each(['malloc(sizeof *b)', '&at_home'])('the serial thread may destroy and free one: %s', async (made) => {
    const source = `#include <pthread.h>
#include <stdlib.h>
static pthread_barrier_t at_home, *b;
static void *run(void *x) {
  if (pthread_barrier_wait(b)) { pthread_barrier_destroy(b); if (b != &at_home) free(b); }
  return x;
}
int main(void) {
  pthread_t t;
  b = ${made};
  pthread_barrier_init(b, 0, 2);
  pthread_create(&t, 0, run, 0);
  run(0);
  pthread_join(t, 0);
  return 0;
}`;
    for (const model of MODELS) {
      for (const strategy of ['optimal', 'enumerate'] as const)
        expect(verdict(check(await compileC(source), model, { strategy })), `${model} ${strategy}`).toBe('verified');
    }
  });
});

it('locks and waits refuse clocks that measure no time of day, even if they could go on at once', async () => {
  const source = `#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <time.h>
int main(void) {
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, held = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t c = PTHREAD_COND_INITIALIZER;
  sem_t s;
  sem_init(&s, 0, 1);
  struct timespec never = {1000000000, 0};
  clockid_t cpu = CLOCK_PROCESS_CPUTIME_ID;
  printf("%d ", pthread_mutex_clocklock(&m, cpu, &never) == EINVAL);
  int result = sem_clockwait(&s, cpu, &never);
  printf("%d ", result == -1 && errno == EINVAL);
  pthread_mutex_lock(&held);
  printf("%d ", pthread_cond_clockwait(&c, &held, cpu, &never) == EINVAL);
  pthread_mutex_unlock(&held);
  printf("%d %d\\n", pthread_mutex_clocklock(&m, CLOCK_MONOTONIC, &never), sem_clockwait(&s, CLOCK_REALTIME, &never));
  return 0;
}
`;
  // As glibc prints it.
  for (const target of ['x86_64', 'i686'] as const)
    expect(runAlone(await compileC(source, { target }))).toBe('1 1 1 0 0\n');
});

describe('read-write locks with a clock', () => {
  const CLOCKS = `#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static struct timespec past = {1, 0}, wrong = {1, 1000000000};
static void *other(void *writes) {
  printf("%d ", pthread_rwlock_clockrdlock(&l, CLOCK_MONOTONIC, &past) == (writes ? ETIMEDOUT : 0));
  if (!writes) pthread_rwlock_unlock(&l);
  printf("%d ", pthread_rwlock_clockwrlock(&l, CLOCK_REALTIME, &past) == ETIMEDOUT);
  if (writes) printf("%d ", pthread_rwlock_clockrdlock(&l, CLOCK_REALTIME, &wrong) == EINVAL);
  printf("%d\\n", pthread_rwlock_clockwrlock(&l, CLOCK_MONOTONIC, &wrong) == EINVAL);
  return 0;
}
static void ask(void *writes) { pthread_t t; pthread_create(&t, 0, other, writes); pthread_join(t, 0); }
int main(void) {
  printf("%d ", pthread_rwlock_clockrdlock(&l, CLOCK_MONOTONIC, &past));
  printf("%d ", pthread_rwlock_clockrdlock(&l, CLOCK_REALTIME, &past));
  ask(0);
  pthread_rwlock_unlock(&l);
  pthread_rwlock_unlock(&l);
  printf("%d ", pthread_rwlock_clockwrlock(&l, CLOCK_MONOTONIC, &past));
  ask(&l);
  pthread_rwlock_unlock(&l);
  printf("%d ", pthread_rwlock_clockwrlock(&l, CLOCK_PROCESS_CPUTIME_ID, &past) == EINVAL);
  printf("%d ", pthread_rwlock_clockrdlock(&l, CLOCK_MONOTONIC_RAW, &past) == EINVAL);
  printf("%d\\n", pthread_rwlock_destroy(&l));
  return 0;
}
`;

  it.each(['x86_64', 'i686'] as const)('have the results of glibc, for %s', async (target) => {
    // As glibc prints it on Linux.
    expect(runAlone(await compileC(CLOCKS, { target }))).toBe('0 0 1 1 1\n0 1 1 1 1\n1 1 0\n');
  });
});

describe('attributes of condition variables, read-write locks and barriers', () => {
  const ATTRIBUTES = `#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>
int main(void) {
  pthread_condattr_t c; pthread_rwlockattr_t l; pthread_barrierattr_t b; clockid_t clock; int shared;
#define SHOW(getter, attributes, value) value = -1, printf("%d ", getter(&attributes, &value)), printf("%d ", (int)value)
#define SHOW_ALL SHOW(pthread_condattr_getclock, c, clock); SHOW(pthread_condattr_getpshared, c, shared); \\
  SHOW(pthread_rwlockattr_getpshared, l, shared); SHOW(pthread_barrierattr_getpshared, b, shared); printf("\\n")
  pthread_condattr_init(&c); pthread_rwlockattr_init(&l); pthread_barrierattr_init(&b);
  SHOW_ALL;
  pthread_condattr_setclock(&c, CLOCK_MONOTONIC); pthread_rwlockattr_setpshared(&l, PTHREAD_PROCESS_SHARED);
  SHOW_ALL;
  pthread_condattr_setpshared(&c, PTHREAD_PROCESS_SHARED); pthread_barrierattr_setpshared(&b, PTHREAD_PROCESS_SHARED);
  SHOW_ALL;
  printf("%d %d ", pthread_condattr_setclock(&c, CLOCK_THREAD_CPUTIME_ID) == EINVAL, pthread_condattr_setpshared(&c, 2) == EINVAL);
  printf("%d %d\\n", pthread_rwlockattr_setpshared(&l, -1) == EINVAL, pthread_barrierattr_setpshared(&b, 2) == EINVAL);
  SHOW_ALL;
  pthread_condattr_setclock(&c, CLOCK_REALTIME); pthread_rwlockattr_setpshared(&l, PTHREAD_PROCESS_PRIVATE);
  SHOW_ALL;
  pthread_condattr_setpshared(&c, PTHREAD_PROCESS_PRIVATE); pthread_barrierattr_init(&b);
  SHOW_ALL;
}
`;

  it.each(['x86_64', 'i686'] as const)('can be read back, for %s', async (target) => {
    // As glibc prints it on Linux.
    expect(runAlone(await compileC(ATTRIBUTES, { target })).split('\n')).toEqual([
      '0 0 0 0 0 0 0 0 ',
      '0 1 0 0 0 1 0 0 ',
      '0 1 0 1 0 1 0 1 ',
      '1 1 1 1',
      '0 1 0 1 0 1 0 1 ',
      '0 0 0 1 0 0 0 1 ',
      '0 0 0 0 0 0 0 0 ',
      '',
    ]);
  });
});

describe('initialisation', () => {
  /** Main does `after` once the thread that uses the object has been created. */
  const late = (type: string, init: string, use: string, after: boolean): string => `#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
static ${type} *p;
static void *run(void *x) { ${use} return x; }
int main(void) {
  pthread_t t;
  p = malloc(sizeof *p);
  ${after ? '' : init}
  pthread_create(&t, 0, run, 0);
  ${after ? init : ''}
  pthread_join(t, 0);
  return 0;
}`;

  it.each([
    ['pthread_mutex_t', 'pthread_mutex_init(p, 0);', 'pthread_mutex_lock(p);', 'mutex'],
    ['pthread_cond_t', 'pthread_cond_init(p, 0);', 'pthread_cond_signal(p);', 'condition variable'],
    ['pthread_rwlock_t', 'pthread_rwlock_init(p, 0);', 'pthread_rwlock_rdlock(p);', 'read-write lock'],
    ['sem_t', 'sem_init(p, 0, 1);', 'sem_wait(p);', 'semaphore'],
  ])('is missing for a %s if it comes too late', async (type, init, use, what) => {
    for (const model of MODELS) {
      expect(verdict(check(await compileC(late(type, init, use, true)), model, { strategy: 'optimal' })), model).toBe(
        `misuse: use of a ${what} that has not been initialised`,
      );
      expect(verdict(check(await compileC(late(type, init, use, false)), model, { strategy: 'optimal' })), model).toBe(
        'verified',
      );
    }
  });

  it('is not required in preprocessed files, whose initialisers are those of another libc', async () => {
    const source = `typedef union { struct { int a[6]; } data; char size[24]; } pthread_mutex_t;
extern int pthread_mutex_lock(pthread_mutex_t *);
int main(void) { pthread_mutex_t m = { { { 0, 0, 0, 0, 0, 0 } } }; return pthread_mutex_lock(&m); }
`;
    expect(verdict(check(await compileC({ 'test.i': source }), 'sc', { strategy: 'optimal' }))).toBe('verified');
  });
});

it('a variable that is too large is refused', async () => {
  const error = await refusal('int a[300000000];\nint main(void) { return a[0]; }');
  expect(error.message).toMatch(/test\.c:1: the variable a has 1200000000 bytes; at most 67108864 are possible/);
});

it('a thread held back by an atomic section is reported as waiting for it', async () => {
  const source = `#include <pthread.h>
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
static int x;
static void *run(void *p) { x = 1; return p; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  __VERIFIER_atomic_begin();
  pthread_join(t, 0);
  __VERIFIER_atomic_end();
  return 0;
}`;
  expect(verdict(check(await compileC(source), 'sc', { strategy: 'enumerate' }))).toBe(
    'deadlock: thread 0 waits for thread 0.1 to end; thread 0.1 waits for thread 0 to end its atomic section',
  );
});
