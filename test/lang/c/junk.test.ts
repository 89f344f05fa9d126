/** `--junk`: memory that was never written is not zero. Everything else stays the same. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { check, compileC, MODELS, sourceFolder, verdict } from '../../support/c.ts';
import { fencepost } from '../../support/fencepost.ts';
import { expectNoFalseAlarm, harmful, hunt } from '../../support/hunt.ts';

const main = (body: string): string => `#include <assert.h>
#include <stdlib.h>
#include <string.h>
struct pair { int a; short b; char c; };
static int global;
static _Thread_local int local_to_thread;
static void fill(int *p) { *p = 3; }
int main(void) {
  ${body}
  return 0;
}
`;

describe('with junk', () => {
  it.each<[string, string]>([
    ['malloc', 'int *p = malloc(4); int v = *p; free(p); assert(v == (int)0x59595959);'],
    ['aligned_alloc', 'int *p = aligned_alloc(64, 64); int v = p[15]; free(p); assert(v == (int)0x59595959);'],
    [
      'what realloc adds',
      'char *p = calloc(1, 4); p = realloc(p, 8); int v = p[3] == 0 && p[4] == (char)0x59; free(p); assert(v);',
    ],
    ['a scalar', 'int v; assert(v == (int)0x59595959);'],
    ['a wide scalar', 'long long v; assert((unsigned long long)v == 0x5959595959595959);'],
    ['a narrow scalar', 'unsigned char v; assert(v == 0x59);'],
    ['a floating-point scalar', 'double v; unsigned long long w; memcpy(&w, &v, 8); assert(w == 0x5959595959595959);'],
    [
      'a local whose address is taken',
      'int v, *volatile p = &v; assert(*p == (int)0x59595959); fill(p); assert(v == 3);',
    ],
    ['a structure', 'struct pair v; assert(v.a == (int)0x59595959 && v.b == (short)0x5959 && v.c == (char)0x59);'],
    ['an array of variable length', 'int n = 3; n += global; int v[n]; assert(v[2] == (int)0x59595959);'],
  ])('%s is junk, and zero without it', async (_, body) => {
    const verdicts = await Promise.all(
      [true, false].map(async (junk) => verdict(check(await compileC(main(body), { junk }), 'sc'))),
    );
    expect(verdicts[0]).toBe('verified');
    expect(verdicts[1]).toContain('assertion');
  });

  it.each<[string, string]>([
    ['calloc', 'int *p = calloc(2, 4); int v = p[0] | p[1]; free(p); assert(v == 0);'],
    ['a global', 'assert(global == 0);'],
    ['a thread-local variable', 'assert(local_to_thread == 0);'],
    [
      'the rest of an initialiser',
      'struct pair v = { 1 }; int w[4] = { 1 }; assert(v.b == 0 && v.c == 0 && w[3] == 0);',
    ],
    ['a local of a block that was assigned', 'for (int i = 0; i < 2; i++) { int v = 0; assert(v == 0); v = i; }'],
  ])('%s is zero', async (_, body) => {
    expect(verdict(check(await compileC(main(body), { junk: true }), 'sc'))).toBe('verified');
  });

  it('generated code and the interpreter agree', async () => {
    const program = await compileC(main('int v; int *p = malloc(8); int w = p[1] ^ v; free(p); assert(w == 0);'), {
      junk: true,
    });
    for (const model of MODELS)
      for (const interpret of [true, false])
        expect(verdict(check(program, model, { strategy: 'optimal', interpret }))).toBe('verified');
  });
});

/** Initialises each object, uses it, destroys it: in memory from malloc, and as a local variable. */
const OBJECTS = `#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <threads.h>
struct all {
  pthread_mutex_t mutex; pthread_cond_t condition; pthread_rwlock_t lock; pthread_spinlock_t spin; sem_t semaphore;
  pthread_barrier_t barrier; pthread_mutexattr_t mutex_attributes; pthread_attr_t attributes; mtx_t c11; cnd_t c11_condition;
  pthread_condattr_t condition_attributes; pthread_rwlockattr_t lock_attributes; pthread_barrierattr_t barrier_attributes;
};
static void *nothing(void *x) { return x; }
static void use(struct all *a) {
  assert(pthread_mutexattr_init(&a->mutex_attributes) == 0);
  assert(pthread_mutex_init(&a->mutex, &a->mutex_attributes) == 0);
  assert(pthread_condattr_init(&a->condition_attributes) == 0);
  assert(pthread_cond_init(&a->condition, &a->condition_attributes) == 0);
  assert(pthread_rwlockattr_init(&a->lock_attributes) == 0);
  assert(pthread_rwlock_init(&a->lock, &a->lock_attributes) == 0);
  assert(pthread_spin_init(&a->spin, PTHREAD_PROCESS_PRIVATE) == 0);
  assert(sem_init(&a->semaphore, 0, 1) == 0);
  assert(pthread_barrierattr_init(&a->barrier_attributes) == 0);
  assert(pthread_barrier_init(&a->barrier, &a->barrier_attributes, 1) == 0);
  assert(pthread_attr_init(&a->attributes) == 0);
  assert(mtx_init(&a->c11, mtx_plain) == thrd_success && cnd_init(&a->c11_condition) == thrd_success);
  assert(pthread_mutex_lock(&a->mutex) == 0 && pthread_cond_signal(&a->condition) == 0);
  assert(pthread_mutex_unlock(&a->mutex) == 0 && pthread_mutex_trylock(&a->mutex) == 0);
  assert(pthread_mutex_unlock(&a->mutex) == 0);
  assert(pthread_rwlock_rdlock(&a->lock) == 0 && pthread_rwlock_unlock(&a->lock) == 0);
  assert(pthread_rwlock_wrlock(&a->lock) == 0 && pthread_rwlock_unlock(&a->lock) == 0);
  assert(pthread_spin_lock(&a->spin) == 0 && pthread_spin_unlock(&a->spin) == 0);
  int value;
  assert(sem_wait(&a->semaphore) == 0 && sem_post(&a->semaphore) == 0);
  assert(sem_getvalue(&a->semaphore, &value) == 0 && value == 1);
  assert(pthread_barrier_wait(&a->barrier) == PTHREAD_BARRIER_SERIAL_THREAD);
  assert(mtx_lock(&a->c11) == thrd_success && cnd_signal(&a->c11_condition) == thrd_success);
  assert(mtx_unlock(&a->c11) == thrd_success);
  pthread_t thread;
  assert(pthread_create(&thread, &a->attributes, nothing, a) == 0);
  void *result;
  assert(pthread_join(thread, &result) == 0 && result == a);
  assert(pthread_mutex_destroy(&a->mutex) == 0 && pthread_cond_destroy(&a->condition) == 0);
  assert(pthread_rwlock_destroy(&a->lock) == 0 && pthread_spin_destroy(&a->spin) == 0);
  assert(sem_destroy(&a->semaphore) == 0 && pthread_barrier_destroy(&a->barrier) == 0);
}
int main(void) {
  struct all *heap = malloc(sizeof *heap), local;
  use(heap);
  use(&local);
  free(heap);
  return 0;
}
`;

it('objects that are initialised work in junk', async () => {
  const program = await compileC(OBJECTS, { junk: true });
  for (const model of MODELS) expect(verdict(check(program, model, { strategy: 'optimal' })), model).toBe('verified');
});

/** A node whose link becomes visible before its contents; zero is a legal content. */
const PARTIAL = `#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct node { int is_deleted; };
static struct node *volatile list;
static void *add(void *unused) {
  struct node *node = malloc(sizeof *node);
  node->is_deleted = 0;
  FENCE;
  list = node;
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, add, 0);
  struct node *node = list;
  if (node) assert(!node->is_deleted);
  pthread_join(thread, 0);
  free(list);
  return 0;
}
`;

describe('partial initialisation', () => {
  const FENCE = '__atomic_thread_fence(__ATOMIC_RELEASE)';

  it('shows under PSO, with junk only', async () => {
    const verdicts = async (fence: string, junk: boolean): Promise<readonly string[]> => {
      const program = await compileC(PARTIAL, { junk, defines: [`FENCE=${fence}`] });
      return (['sc', 'tso', 'pso', 'pslo'] as const).map((model) =>
        verdict(check(program, model, { strategy: 'optimal' })),
      );
    };
    const fails = 'assertion: !node->is_deleted';
    expect(await verdicts('', false)).toEqual(['verified', 'verified', 'verified', 'verified']);
    expect(await verdicts('', true)).toEqual(['verified', 'verified', fails, fails]);
    expect(await verdicts(FENCE, true)).toEqual(['verified', 'verified', 'verified', fails]);
  });

  it('makes the cycle of a hunt harmful, with junk only', async () => {
    for (const junk of [false, true]) {
      const program = await compileC(PARTIAL, { junk, defines: ['FENCE='] });
      const result = hunt(program, 'pso', { runs: 20, trials: 5 });
      expectNoFalseAlarm(program, result);
      expect(harmful(result).length > 0).toBe(junk);
    }
  });

  it('is named in verdicts and reports, and replayed with junk', async () => {
    const folder = sourceFolder({ 'partial.c': PARTIAL });
    const args = ['partial.c', '--model', 'pso', '-D', 'FENCE='];
    for (const command of ['check', 'hunt', 'robust']) {
      const { stdout, exit } = await fencepost([command, ...args, '--junk'], { cwd: folder });
      expect(stdout).toContain('partial.c under pso, with junk in fresh memory: ');
      expect(exit).toBe(1);
      if (command === 'robust') continue;
      const [, kept] = /fencepost replay (\S+)/.exec(stdout)!;
      const report = JSON.parse(readFileSync(join(folder, kept!, 'result.json'), 'utf8'));
      expect(report.input.junk).toBe(true);
      const again = await fencepost(['replay', kept!], { cwd: folder });
      expect(again.stdout).toContain('assertion: `!node->is_deleted`');
    }
    const fixed = await fencepost(['fix', ...args, '--junk'], { cwd: folder });
    expect(fixed.stdout).toContain('safe under pso, with junk in fresh memory');
    const { stdout } = await fencepost(['check', ...args], { cwd: folder });
    expect(stdout).toContain('partial.c under pso: ');
  });
});
