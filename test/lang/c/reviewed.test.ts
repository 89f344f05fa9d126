/** Findings of reviewers who tried to break the tool. */
import { beforeAll, describe, expect, it } from 'vitest';
import { check, compileC, MODELS, sourceFolder, verdict } from '../../support/c.ts';
import { ensureBuilt, type Finished, fencepost } from '../../support/fencepost.ts';

beforeAll(ensureBuilt);

async function checkFiles(files: Record<string, string>, args: readonly string[]): Promise<Finished> {
  return await fencepost(['check', ...args], { cwd: sourceFolder(files) });
}

const THREADS = '#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\n';

describe('wrong programs that were verified are not any more', () => {
  it.each<[string, string, RegExp]>([
    [
      'a deadlock behind a main that leaves by pthread_exit',
      `static pthread_mutex_t a, b;
       static void *ab(void *_) { pthread_mutex_lock(&a); pthread_mutex_lock(&b); return 0; }
       static void *ba(void *_) { pthread_mutex_lock(&b); pthread_mutex_lock(&a); return 0; }
       int main(void) { pthread_t t; pthread_create(&t, 0, ab, 0); pthread_create(&t, 0, ba, 0); pthread_exit(0); }`,
      /^deadlock/,
    ],
    [
      'a waiting loop behind a main that leaves by pthread_exit',
      `static volatile int flag;
       static void *run(void *_) { while (!flag); return 0; }
       int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); pthread_exit(0); }`,
      /^liveness/,
    ],
    [
      'a local variable of a thread that has ended by pthread_exit, in a function that it called',
      `static int *_Atomic shared;
       static void leave(void) { pthread_exit(0); }
       static void *run(void *_) { int local = 1; shared = &local; leave(); return 0; }
       int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); pthread_join(t, 0); return *shared; }`,
      /^memory/,
    ],
    [
      'a local variable of a main that has ended by pthread_exit',
      `static void *run(void *p) { assert(*(int *)p == 1); return 0; }
       int main(void) { pthread_t t; int local = 1; pthread_create(&t, 0, run, &local); pthread_exit(0); }`,
      /^memory/,
    ],
    [
      'a handler that another thread registers before main returns',
      `static void handler(void) { assert(!"ran"); }
       static void *run(void *_) { atexit(handler); return 0; }
       int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); return 0; }`,
      /^assertion/,
    ],
    [
      'a handler that another thread registers before main calls exit',
      `static void handler(void) { assert(!"ran"); }
       static void *run(void *_) { atexit(handler); return 0; }
       int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); exit(0); }`,
      /^assertion/,
    ],
    [
      'a signal to a condition variable that main destroys meanwhile',
      `static pthread_cond_t c;
       static void *run(void *_) { pthread_cond_signal(&c); return 0; }
       int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); pthread_cond_destroy(&c); pthread_join(t, 0); return 0; }`,
      /^misuse/,
    ],
    [
      'an arrival at a barrier that main destroys meanwhile',
      `static pthread_barrier_t b;
       static void *run(void *_) { pthread_barrier_wait(&b); return 0; }
       int main(void) { pthread_t t; pthread_barrier_init(&b, 0, 1); pthread_create(&t, 0, run, 0);
         pthread_barrier_destroy(&b); pthread_join(t, 0); return 0; }`,
      /^misuse/,
    ],
    [
      'a key that is deleted before its thread ends',
      `static pthread_key_t key; static int ran;
       static void end(void *_) { ran = 1; }
       static void *run(void *_) { pthread_setspecific(key, &ran); return 0; }
       int main(void) { pthread_t t; pthread_key_create(&key, end); pthread_create(&t, 0, run, 0);
         pthread_key_delete(key); pthread_join(t, 0); assert(ran); return 0; }`,
      /^assertion/,
    ],
    [
      'a bug behind a loop that polls with a write in it',
      `#include <semaphore.h>
       static sem_t s; static int d;
       static void *run(void *_) { d = 3; sem_post(&s); return 0; }
       int main(void) { pthread_t t; sem_init(&s, 0, 0); pthread_create(&t, 0, run, 0);
         while (sem_trywait(&s)); assert(d == 4); return 0; }`,
      /^assertion/,
    ],
    [
      'an assumption inside of an atomic section that another thread has to make true',
      `void __VERIFIER_assume(int); void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);
       static volatile int x;
       static void *run(void *_) { x = 1; return 0; }
       int main(void) { pthread_t t; pthread_create(&t, 0, run, 0);
         __VERIFIER_atomic_begin(); __VERIFIER_assume(x == 1); __VERIFIER_atomic_end(); assert(0); return 0; }`,
      /^assertion/,
    ],
  ])('%s', async (_, source, expected) => {
    const program = await compileC(THREADS + source);
    for (const model of MODELS)
      expect(verdict(check(program, model, { strategy: 'optimal' })), model).toMatch(expected);
  });
});

describe('correct programs that were not verified are now', () => {
  it.each([
    [
      'a local variable that is used by what pthread_exit runs, and before it',
      `static int *_Atomic shared; static pthread_key_t key;
       static void end(void *value) { assert(*(int *)value == 1); }
       static void *other(void *_) { return 0; }
       static void *run(void *_) { int local = 1; pthread_setspecific(key, &local);
         pthread_t t; pthread_create(&t, 0, other, &local); pthread_join(t, 0); pthread_exit(0); }
       int main(void) { pthread_t t; pthread_key_create(&key, end); pthread_create(&t, 0, run, 0); pthread_join(t, 0); return 0; }`,
    ],
    [
      'numbers that are too large for a float',
      `#include <errno.h>
       int main(void) { errno = 0; strtof("1e40", 0); assert(errno == ERANGE); errno = 0; strtof("1e30", 0); assert(errno == 0); return 0; }`,
    ],
    [
      'structures passed through ...',
      `#include <stdarg.h>
       struct small { char a, b, c; };
       struct large { int d[20]; short s; };
       static int sum(int n, ...) {
         va_list list; va_start(list, n);
         struct small p = va_arg(list, struct small); int k = va_arg(list, int);
         struct large q = va_arg(list, struct large); double x = va_arg(list, double);
         va_end(list);
         return p.a * 100 + p.b * 10 + p.c + k * 1000 + q.d[19] * 10000 + q.s * 100000 + (int)x * 1000000;
       }
       int main(void) { struct small p = {1, 2, 3}; struct large q = {{0}, 6}; q.d[19] = 5;
         assert(sum(1, p, 4, q, 7.0) == 7654123); return 0; }`,
    ],
    [
      'a structure passed by value that the callee changes',
      `struct s { int a[10]; };
       static struct s g;
       static int change(struct s p) { int sum = 0; for (int i = 0; i < 10; i++) { p.a[i] += i; sum += p.a[i]; } return sum; }
       int main(void) { assert(change(g) == 45 && g.a[9] == 0); return 0; }`,
    ],
    ['the environment', 'int main(int argc, char **argv, char **environment) { assert(!*environment); return 0; }'],
    [
      'unlocking a recursive mutex that one does not hold',
      `#include <errno.h>
       static pthread_mutex_t m;
       int main(void) { pthread_mutexattr_t a; pthread_mutexattr_init(&a);
         pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE); pthread_mutex_init(&m, &a);
         assert(pthread_mutex_unlock(&m) == EPERM); return 0; }`,
    ],
    [
      'sleeping until a given time',
      `#include <time.h>
       int main(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); t.tv_sec += 5;
         clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, 0);
         struct timespec now; clock_gettime(CLOCK_MONOTONIC, &now); assert(now.tv_sec >= t.tv_sec); return 0; }`,
    ],
  ])('%s', async (_, source) => {
    expect(verdict(check(await compileC(THREADS + source), 'sc', { strategy: 'optimal' }))).toBe('verified');
  });
});

describe('functions that are declared wrongly or not at all', () => {
  it.each([
    ['exit', 'int main(void) { exit(0); }\n', 0],
    ['__VERIFIER_assume', 'int main(void) { __VERIFIER_assume(1); return 0; }\n', 0],
    ['reach_error', 'int main(void) { reach_error(); return 0; }\n', 1],
    [
      'a choice as int',
      'int __VERIFIER_nondet_bool(); int main(void) { int x = __VERIFIER_nondet_bool(); return x > 1; }\n',
      0,
    ],
  ])('%s runs', async (_, source, exit) => {
    expect((await checkFiles({ 'a.c': source }, ['a.c', '--model', 'sc'])).exit).toBe(exit);
  });

  it('is refused with its place where the types are incompatible', async () => {
    const files = {
      'a.c': 'int f(int a) { return a; }\n',
      'b.c': 'double f(double);\nint main(void) { return f(1.5); }\n',
    };
    const run = await checkFiles(files, ['a.c', 'b.c']);
    expect(run.stderr).toContain('b.c:2:25: f is called with types that do not match its definition (f64 and i32)');
    expect(run.exit).toBe(3);
  });
});

it('an unknown conversion of printf gives no verdict', async () => {
  const run = await checkFiles({ 'a.c': '#include <stdio.h>\nint main(void) { printf("%y %d", 5, 7); return 0; }\n' }, [
    'a.c',
  ]);
  expect(run.stdout.replace(/\n {2}/g, ' ')).toContain('machine: printf conversion not modelled (%y, a.c:2:18)');
  expect(run.exit).toBe(4);
});

it('an access beyond an object names the object', async () => {
  const program = await compileC(
    '#include <stdlib.h>\nint main(void) { char *p = malloc(8); *(int *)(p + 8) = 1; free(p); return 0; }',
  );
  const [found] = check(program, 'sc', { strategy: 'optimal' }).errors;
  expect(found?.error.notes).toEqual([expect.stringMatching(/^the nearest object: 8 bytes, allocated at .*:2:\d+$/)]);
});

it('a thread that waits forever is found by random search, too', async () => {
  const program = await compileC(`${THREADS}static volatile int flag, other;
    static void *run(void *_) { flag = 1; while (!other); return 0; }
    int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); while (!flag); pthread_join(t, 0); return 0; }`);
  for (const strategy of ['random', 'bounded'] as const) {
    expect(verdict(check(program, 'sc', { strategy })), strategy).toMatch(/^liveness/);
  }
});
