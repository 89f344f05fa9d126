/**
 * Less common ways of waiting: futexes, pipes and event counters; and waits that end in other ways: by cancellation, by
 * the end of a mutex's owner, or spuriously.
 */
import { describe, expect, it } from 'vitest';
import type { Model } from '../../../src/models/index.ts';
import { check, compileC, enumerate, MODELS, type Sources, verdict } from '../../support/c.ts';
import { DEEP } from '../../support/tier.ts';

const ALL: readonly Model[] = ['sc', 'tso', 'pso', 'rc11'];

/** The verdict under every model, which must be the same everywhere; of a deadlock, only that it is one. */
async function everywhere(
  source: Sources,
  entry: string,
  options: { spurious?: number; target?: 'aarch64' | 'riscv64' } = {},
): Promise<string> {
  const program = await compileC(source, { entry, ...options });
  const verdicts = ALL.map((model) => {
    const result = check(program, model, { strategy: 'optimal' });
    if (result.verdict.kind === 'inconclusive') return JSON.stringify(result.verdict.because);
    return verdict(result).replace(/^(deadlock|liveness): .*/, '$1');
  });
  return [...new Set(verdicts)].join(' | ');
}

const HEAD = `#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>
static pthread_t t[4];
static void start(int i, void *(*f)(void *)) { pthread_create(&t[i], 0, f, (void *)(long)i); }
static void join(int n) { for (int i = 0; i < n; i++) pthread_join(t[i], 0); }
`;

const FUTEX = `${HEAD}
#define futex(...) syscall(SYS_futex, __VA_ARGS__)
static atomic_int word, other, passed; static int counter, plain;

/* Drepper's mutex; with \`mark\` 1, its waiters cannot be told from a lock without any. */
static void lock(int mark) {
  int c = 0;
  if (atomic_compare_exchange_strong(&word, &c, 1)) return;
  if (c != 2) c = atomic_exchange(&word, mark);
  while (c != 0) {
    futex(&word, FUTEX_WAIT_PRIVATE, mark, NULL, NULL, 0);
    c = atomic_exchange(&word, mark);
  }
}
static void unlock(void) {
  if (atomic_fetch_sub(&word, 1) == 1) return;
  atomic_store(&word, 0);
  futex(&word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}
static void *good(void *p) { lock(2); counter++; unlock(); return p; }
static void *bad(void *p) { lock(1); counter++; unlock(); return p; }
int mutex(void) { start(0, good); start(1, good); join(2); assert(counter == 2); return 0; }
int bad_mutex(void) { start(0, bad); start(1, bad); join(2); return 0; }

/* The store before a wake-up, and what it was for, is seen by who compares too late or is woken. */
static void *waits(void *p) { while (!atomic_load_explicit(&word, memory_order_acquire)) futex(&word, FUTEX_WAIT, 0, 0); return p; }
int flag(void) {
  start(0, waits);
  atomic_store_explicit(&word, 1, memory_order_release);
  assert(futex(&word, FUTEX_WAKE, 1) <= 1);
  join(1);
  return 0;
}
int never_woken(void) { start(0, waits); atomic_store(&word, 1); join(1); return 0; }

static void *once(void *p) {
  assert(futex(&word, FUTEX_WAIT, 0, 0) == 0 || errno == EAGAIN);
  passed++;
  return p;
}
/* One wake-up wakes any of two, but only one. */
int one_of_two(void) { start(0, once); start(1, once); word = 1; futex(&word, FUTEX_WAKE, 1); join(2); return 0; }
int both(void) { start(0, once); start(1, once); word = 1; futex(&word, FUTEX_WAKE, INT_MAX); join(2); return 0; }

static void *timed(void *p) {
  struct timespec soon = { 0, 1000 };
  int result = (int)futex(&word, FUTEX_WAIT, 0, &soon);
  assert(result == 0 || errno == ETIMEDOUT);
  counter = result;
  return p;
}
int times_out(void) { start(0, timed); long woken = futex(&word, FUTEX_WAKE, 1); join(1); assert((counter == 0) == (woken == 1)); return 0; }
int may_time_out(void) { start(0, timed); futex(&word, FUTEX_WAKE, 1); join(1); assert(counter == 0); return 0; }
int never_times_out(void) { start(0, timed); futex(&word, FUTEX_WAKE, 1); join(1); assert(counter != 0); return 0; }

static void *first_bit(void *p) { futex(&word, FUTEX_WAIT_BITSET, 0, 0, 0, 1); return p; }
int right_bit(void) { start(0, first_bit); word = 1; futex(&word, FUTEX_WAKE_BITSET, INT_MAX, 0, 0, 3); join(1); return 0; }
int wrong_bit(void) { start(0, first_bit); word = 1; futex(&word, FUTEX_WAKE_BITSET, INT_MAX, 0, 0, 2); join(1); return 0; }

static void *queued(void *p) { passed++; futex(&word, FUTEX_WAIT, 0, 0); return p; }
/* Threads are moved to another word, and woken there. */
int moved(void) {
  start(0, queued);
  long count = futex(&word, FUTEX_REQUEUE, 0, 1, &other);
  word = 1;
  if (count == 0) futex(&word, FUTEX_WAKE, 1);
  else assert(futex(&word, FUTEX_WAKE, 1) == 0 && futex(&other, FUTEX_WAKE, 1) == 1);
  join(1);
  return 0;
}
int moved_and_lost(void) { start(0, queued); futex(&word, FUTEX_REQUEUE, 0, 1, &other); word = 1; futex(&word, FUTEX_WAKE, 1); join(1); return 0; }
int one_each(void) {
  start(0, queued); start(1, queued);
  word = 1;
  long count = futex(&word, FUTEX_CMP_REQUEUE, 1, INT_MAX, &other, 1);
  assert(count >= 0 && count <= 2 && futex(&other, FUTEX_WAKE, INT_MAX) == (count == 2));
  join(2);
  return 0;
}
int errors(void) {
  assert(futex(&word, FUTEX_WAIT, 1, 0) == -1 && errno == EAGAIN);
  assert(futex(&word, FUTEX_CMP_REQUEUE, 1, 1, &other, 1) == -1 && errno == EAGAIN);
  assert(futex((char *)&word + 1, FUTEX_WAKE, 1) == -1 && errno == EINVAL);
  assert(futex(&word, FUTEX_WAIT_BITSET, 0, 0, 0, 0) == -1 && errno == EINVAL);
  assert(futex(&word, FUTEX_WAKE, 1) == 0);
  assert(futex(&word, 100, 1) == -1 && errno == ENOSYS);
  return 0;
}
int inherits(void) { return (int)futex(&word, FUTEX_LOCK_PI, 0, 0); }

/* Store buffering around a call. */
int x[2], a, b;
static void *left(void *p) { x[0] = 1; futex(&word, FUTEX_WAKE, 1); a = x[1]; return p; }
static void *right(void *p) { x[1] = 1; futex(&other, FUTEX_WAIT, 1, 0); b = x[0]; return p; }
int buffering(void) { start(0, left); start(1, right); join(2); return 0; }
`;

describe('futexes', () => {
  it.each([
    ['mutex', 'verified'],
    ['flag', 'verified'],
    ['both', 'verified'],
    ['times_out', 'verified'],
    ['right_bit', 'verified'],
    ['moved', 'verified'],
    ['one_each', 'verified'],
    ['errors', 'verified'],
  ])('have the verdict of %s: %s', async (entry, expected) => expect(await everywhere(FUTEX, entry)).toBe(expected));

  it.each([
    ['bad_mutex', 'deadlock'],
    ['never_woken', 'deadlock'],
    ['one_of_two', 'deadlock'],
    ['may_time_out', 'assertion: counter == 0'],
    ['never_times_out', 'assertion: counter != 0'],
    ['wrong_bit', 'deadlock'],
    ['moved_and_lost', 'deadlock'],
  ])('have the verdict of %s: %s', async (entry, expected) =>
    expect(await everywhere(FUTEX, entry)).toMatch(new RegExp(`^${expected}$`)),
  );

  it('a futex that inherits priorities is refused by name', async () => {
    expect(await everywhere(FUTEX, 'inherits')).toContain('a futex that inherits priorities');
  });

  it('a call drains the buffers', async () => {
    const program = await compileC(FUTEX, { entry: 'buffering' });
    for (const model of MODELS) expect(enumerate(program, model, ['a', 'b']).outcomes).toEqual(['0 1', '1 0', '1 1']);
  });

  it('may wake for no reason with --spurious', async () => {
    const source = `${FUTEX}
static void *sets(void *p) { word = 1; futex(&word, FUTEX_WAKE, 1); return p; }
int asked(void) { start(0, sets); futex(&word, FUTEX_WAIT, 0, 0); assert(word == 1); join(1); return 0; }`;
    expect(await everywhere(source, 'asked')).toBe('verified');
    expect(await everywhere(source, 'asked', { spurious: 1 })).toBe('assertion: word == 1');
  });
});

const FILES = `${HEAD}
static int p[2], e, data;
static void *byte(void *q) { data = 42; assert(write(p[1], "x", 1) == 1); return q; }
int message(void) {
  char c;
  assert(pipe(p) == 0);
  start(0, byte);
  assert(read(p[0], &c, 1) == 1 && c == 'x' && data == 42);
  join(1);
  return 0;
}
static void *sender(void *q) { int *m = &data; assert(write(p[1], &m, sizeof m) == sizeof m && close(p[1]) == 0); return q; }
int to_the_end(void) {
  int *m;
  assert(pipe(p) == 0);
  start(0, sender);
  assert(read(p[0], &m, sizeof m) == sizeof m && m == &data);
  assert(read(p[0], &m, sizeof m) == 0);
  join(1);
  assert(close(p[1]) == -1 && errno == EBADF);
  return 0;
}
int nobody_writes(void) { char c; assert(pipe(p) == 0); return (int)read(p[0], &c, 1); }
int nobody_reads(void) { assert(pipe(p) == 0); close(p[0]); return (int)write(p[1], "x", 1); }
static char many[65536];
int full(void) { assert(pipe(p) == 0 && write(p[1], many, 65536) == 65536); return (int)write(p[1], many, 1); }
int round(void) {
  assert(pipe(p) == 0);
  for (int i = 0; i < 2; i++) {
    many[39999] = (char)(i + 1);
    assert(write(p[1], many, 40000) == 40000);
    many[39999] = 0;
    assert(read(p[0], many, sizeof many) == 40000 && many[39999] == i + 1);
  }
  return 0;
}
static void *post(void *q) { uint64_t one = 1; data++; assert(write(e, &one, 8) == 8); return q; }
int event(void) {
  uint64_t v;
  e = eventfd(0, 0);
  start(0, post);
  assert(read(e, &v, 8) == 8 && v == 1 && data == 1);
  join(1);
  return 0;
}
int sum(void) {
  eventfd_t v;
  e = eventfd(3, 0);
  assert(eventfd_write(e, 4) == 0 && eventfd_read(e, &v) == 0 && v == 7);
  assert(eventfd_write(e, UINT64_MAX) == -1 && errno == EINVAL);
  return 0;
}
int as_semaphore(void) {
  eventfd_t v;
  e = eventfd(2, EFD_SEMAPHORE);
  assert(eventfd_read(e, &v) == 0 && v == 1 && eventfd_read(e, &v) == 0 && v == 1);
  return eventfd_read(e, &v);
}
int does_not_wait(void) { eventfd_t v; e = eventfd(0, EFD_NONBLOCK); assert(eventfd_read(e, &v) == -1 && errno == EAGAIN); return 0; }
`;

describe('pipes and event counters', () => {
  it.each(['message', 'to_the_end', 'event', 'sum', 'does_not_wait'])('are right: %s', async (entry) =>
    expect(await everywhere(FILES, entry)).toBe('verified'),
  );

  it.each([
    ['nobody_writes', 'deadlock'],
    ['nobody_reads', 'assertion: killed by SIGPIPE'],
    ['as_semaphore', 'deadlock'],
  ])('have the verdict of %s: %s', async (entry, expected) =>
    expect(await everywhere(FILES, entry)).toMatch(new RegExp(`^${expected}$`)),
  );

  // Tens of thousands of steps.
  it.runIf(DEEP)('a pipe has room for 65,536 bytes, again and again', async () => {
    const long = { strategy: 'optimal', maxSteps: 200_000 } as const;
    expect(verdict(check(await compileC(FILES, { entry: 'full' }), 'sc', long))).toMatch(/^deadlock/);
    expect(verdict(check(await compileC(FILES, { entry: 'round' }), 'sc', long))).toBe('verified');
  });
});

const CANCEL = `${HEAD}
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static sem_t s; static int ready, p[2]; static void *result;
static void unlock(void *q) { pthread_mutex_unlock(q); }
static void *cond(void *q) {
  pthread_mutex_lock(&m);
  pthread_cleanup_push(unlock, &m);
  while (!ready) pthread_cond_wait(&c, &m);
  pthread_cleanup_pop(1);
  return q;
}
static void *forgets(void *q) { pthread_mutex_lock(&m); while (!ready) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m); return q; }
static void *sem(void *q) { sem_wait(&s); return q; }
static void *tests(void *q) { for (;;) pthread_testcancel(); return q; }
static void *joins(void *q) { pthread_join(t[1], 0); return q; }
static void *reads(void *q) { char b; read(p[0], &b, 1); return q; }
static void *sleeps(void *q) { for (;;) sleep(1); return q; }
static void *disabled(void *q) { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, 0); sem_wait(&s); return q; }
static void *postpones(void *q) {
  int old;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
  pthread_testcancel();
  ready = 1;
  pthread_setcancelstate(old, 0);
  return q;
}
static void *wakes(void *q) { pthread_mutex_lock(&m); ready = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m); return q; }
static void *asynchronous(void *q) { pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0); return q; }
static int cancel(void *(*f)(void *)) { start(0, f); pthread_cancel(t[0]); pthread_join(t[0], &result); return result == PTHREAD_CANCELED; }

int from_cond(void) { assert(cancel(cond)); pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return 0; }
int forgotten(void) { assert(cancel(forgets)); pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return 0; }
int from_sem(void) { sem_init(&s, 0, 0); assert(cancel(sem)); return 0; }
int from_test(void) { assert(cancel(tests)); return 0; }
int from_sleep(void) { assert(cancel(sleeps)); return 0; }
int from_read(void) { pipe(p); assert(cancel(reads)); return 0; }
int from_join(void) { sem_init(&s, 0, 0); start(1, sem); assert(cancel(joins)); sem_post(&s); pthread_join(t[1], 0); return 0; }
int while_disabled(void) { sem_init(&s, 0, 0); assert(cancel(disabled)); return 0; }
int after_all(void) { assert(!cancel(postpones) && ready == 1); return 0; }
int either(void) { start(1, wakes); cancel(cond); pthread_join(t[1], 0); return 0; }
int only_cancelled(void) { start(1, wakes); assert(cancel(cond)); pthread_join(t[1], 0); return 0; }
int only_woken(void) { start(1, wakes); assert(!cancel(cond)); pthread_join(t[1], 0); return 0; }
int at_once(void) { cancel(asynchronous); return 0; }
int two_waiters(void) {
  start(1, cond);
  start(0, cond);
  pthread_cancel(t[0]);
  pthread_mutex_lock(&m); ready = 1; pthread_cond_broadcast(&c); pthread_mutex_unlock(&m);
  join(2);
  return 0;
}
`;

describe('cancellation', () => {
  it.each([
    'from_cond',
    'from_sem',
    'from_test',
    'from_sleep',
    'from_read',
    'from_join',
    'after_all',
    'either',
    'two_waiters',
  ])('is right: %s', async (entry) => expect(await everywhere(CANCEL, entry)).toBe('verified'));

  it.each([
    ['forgotten', 'deadlock'],
    ['while_disabled', 'liveness'],
    ['only_cancelled', 'assertion: cancel\\(cond\\)'],
    ['only_woken', 'assertion: !cancel\\(cond\\)'],
  ])('has the verdict of %s: %s', async (entry, expected) =>
    expect(await everywhere(CANCEL, entry)).toMatch(new RegExp(`^${expected}$`)),
  );

  it('asynchronous cancellation is refused by name', async () => {
    expect(await everywhere(CANCEL, 'at_once')).toContain('asynchronous cancellation (PTHREAD_CANCEL_ASYNCHRONOUS)');
  });
});

const ROBUST = `${HEAD}
static pthread_mutex_t m; static pthread_cond_t c = PTHREAD_COND_INITIALIZER; static int data;
static void init(int robust) {
  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a);
  assert(pthread_mutexattr_setrobust(&a, robust) == 0);
  pthread_mutex_init(&m, &a);
}
static void *dies(void *q) { pthread_mutex_lock(&m); data++; return q; }
int recovers(void) {
  init(PTHREAD_MUTEX_ROBUST);
  start(0, dies);
  int e = pthread_mutex_lock(&m);
  assert(e == 0 || (e == EOWNERDEAD && data == 1));
  assert(pthread_mutex_consistent(&m) == (e ? 0 : EINVAL));
  assert(pthread_mutex_unlock(&m) == 0);
  join(1);
  assert(pthread_mutex_trylock(&m) == (e ? 0 : EOWNERDEAD));
  return 0;
}
int is_lost(void) {
  init(PTHREAD_MUTEX_ROBUST);
  start(0, dies);
  join(1);
  assert(pthread_mutex_lock(&m) == EOWNERDEAD && pthread_mutex_unlock(&m) == 0);
  assert(pthread_mutex_lock(&m) == ENOTRECOVERABLE && pthread_mutex_unlock(&m) == EPERM);
  return 0;
}
int goes_well(void) { init(PTHREAD_MUTEX_ROBUST); start(0, dies); assert(pthread_mutex_lock(&m) == 0); return 0; }
int goes_wrong(void) { init(PTHREAD_MUTEX_ROBUST); start(0, dies); assert(pthread_mutex_lock(&m) == EOWNERDEAD); return 0; }
int stalls(void) { init(PTHREAD_MUTEX_STALLED); start(0, dies); join(1); pthread_mutex_lock(&m); return 0; }
static void *waits(void *q) {
  int e = pthread_mutex_lock(&m);
  while (!data && !e) e = pthread_cond_wait(&c, &m);
  assert(e == EOWNERDEAD && pthread_mutex_consistent(&m) == 0 && pthread_mutex_unlock(&m) == 0);
  return q;
}
static void *signals(void *q) { pthread_mutex_lock(&m); data = 1; pthread_cond_signal(&c); pthread_exit(q); }
int in_a_wait(void) { init(PTHREAD_MUTEX_ROBUST); start(0, signals); start(1, waits); join(2); return 0; }
`;

describe('robust mutexes', () => {
  it.each(['recovers', 'is_lost', 'in_a_wait'])('are right: %s', async (entry) =>
    expect(await everywhere(ROBUST, entry)).toBe('verified'),
  );

  it.each([
    ['goes_well', 'assertion: pthread_mutex_lock\\(&m\\) == 0'],
    ['goes_wrong', 'assertion: pthread_mutex_lock\\(&m\\) == EOWNERDEAD'],
    ['stalls', 'deadlock'],
  ])('have the verdict of %s: %s', async (entry, expected) =>
    expect(await everywhere(ROBUST, entry)).toMatch(new RegExp(`^${expected}$`)),
  );
});

it('a deadlock in a pipe names where the pipe was made', async () => {
  const program = await compileC(`${HEAD}
int main(void) {
  int p[2]; char c;
  pipe(p);
  return (int)read(p[0], &c, 1);
}
`);
  const line = HEAD.split('\n').length + 3;
  const found = verdict(check(program, 'sc', { strategy: 'optimal' }));
  expect(found).toMatch(/^deadlock: thread 0 waits for a change of the pipe or event counter made at /);
  expect(found).toMatch(new RegExp(`/test\\.c:${line}:3$`));
});

describe('weak compare-exchanges', () => {
  const source = `${HEAD}
static atomic_int x;
static void *adds(void *p) { int old = 0; while (!atomic_compare_exchange_weak(&x, &old, old + 1)) {} return p; }
int loop(void) { start(0, adds); start(1, adds); join(2); assert(x == 2); return 0; }
int once(void) { int old = 0; assert(atomic_compare_exchange_weak(&x, &old, 1)); return 0; }
int twice(void) { int old = 0; assert(atomic_compare_exchange_weak(&x, &old, 1) || (old == 0 && atomic_compare_exchange_weak(&x, &old, 1))); return 0; }
int strong(void) { int old = 0; assert(atomic_compare_exchange_strong(&x, &old, 1)); return 0; }
`;
  it('fail for no reason with --spurious, once per thread', async () => {
    const failed = 'assertion: atomic_compare_exchange_weak(&x, &old, 1)';
    expect(await everywhere(source, 'once')).toBe('verified');
    expect(await everywhere(source, 'once', { spurious: 1 })).toBe(failed);
    expect(await everywhere(source, 'twice', { spurious: 1 })).toBe('verified');
    expect(await everywhere(source, 'strong', { spurious: 1 })).toBe('verified');
    expect(await everywhere(source, 'loop', { spurious: 1 })).toBe('verified');
  });

  it.each([
    ['aarch64', 'ldaxr %w0, %2; STORE %w1, %w3, %2', 'cbnz %w1, 1b', 'stlxr', '+Q'],
    ['aarch64', 'ldxr %w0, %2; STORE %w1, %w3, %2', 'cbnz %w1, 1b', 'stxr', '+Q'],
    ['riscv64', 'lr.w %0, %2; STORE %1, %3, %2', 'bnez %1, 1b', 'sc.w', '+A'],
  ] as const)('and so do store-exclusives: %s, %s', async (target, text, again, store, memory) => {
    const tried = `int o, s; __asm__ volatile("${text.replace('STORE', store)}" : "=&r"(o), "=&r"(s), "${memory}"(x) : "r"(1) : "memory");`;
    const retried = tried.replace('("', '("1: ').replace('" :', `; ${again}" :`);
    const exclusives = `${HEAD}
static int x;
int once(void) { ${tried} assert(s == 0); return 0; }
int failed(void) { ${tried} assert(x == (s == 0)); return 0; }
int twice(void) { { ${tried} if (s == 0) return 0; } { ${tried} assert(s == 0 && x == 1); } return 0; }
int loop(void) { ${retried} assert(s == 0 && x == 1); return 0; }
`;
    expect(await everywhere(exclusives, 'once', { target })).toBe('verified');
    expect(await everywhere(exclusives, 'once', { target, spurious: 1 })).toBe('assertion: s == 0');
    expect(await everywhere(exclusives, 'failed', { target, spurious: 1 })).toBe('verified');
    expect(await everywhere(exclusives, 'twice', { target, spurious: 1 })).toBe('verified');
    expect(await everywhere(exclusives, 'loop', { target, spurious: 1 })).toBe('verified');
  });
});
