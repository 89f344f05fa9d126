/** The functions that other checkers' programs use. */
import { describe, expect, it } from 'vitest';
import { check, compileC, runAlone, verdict } from '../../support/c.ts';

describe('arbitrary numbers', () => {
  const text = `int __VERIFIER_nondet_int(void); unsigned __VERIFIER_nondet_uint(void); long __VERIFIER_nondet_long(void);
short __VERIFIER_nondet_short(void);
#include <assert.h>
int main(void) {
  int x = __VERIFIER_nondet_int();
  unsigned u = __VERIFIER_nondet_uint();
  long l = __VERIFIER_nondet_long();
  short s = __VERIFIER_nondet_short();
  assert(-2 <= x && x <= 1 && u <= 1 && -2 <= l && l <= 1 && -2 <= s && s <= 1);
  assert(!(x == LEAST && u == 1 && l == 1 && s == -1));
}
`;

  it('of a range have every value of it, and the verdict is bounded by it', async () => {
    const held = check(await compileC(text, { nondet: '-2..1', defines: ['LEAST=-3'] }), 'sc');
    expect([held.verdict.kind, held.bounds, held.executions]).toEqual([
      'inconclusive',
      ['arbitrary numbers: -2..1 (--nondet)'],
      4 * 2 * 4 * 4,
    ]);
    for (const least of [-2, 1]) {
      const found = check(await compileC(text, { nondet: '-2..1', defines: [`LEAST=${least}`] }), 'sc');
      expect(verdict(found)).toContain('assertion: !(x == LEAST');
    }
  });

  it('without a range cut only an execution that asks for one', async () => {
    const { verdict, bounds } = check(await compileC(text, { defines: ['LEAST=0'] }), 'sc');
    expect([verdict.kind, bounds]).toEqual(['inconclusive', [expect.stringContaining('--nondet LO..HI')]]);
  });

  it('of few values are exact, whatever the range', async () => {
    const few = `_Bool __VERIFIER_nondet_bool(void); unsigned char __VERIFIER_nondet_uchar(void); signed char __VERIFIER_nondet_char(void);
short __VERIFIER_nondet_short(void);
int main(void) { return __VERIFIER_nondet_bool() + __VERIFIER_nondet_uchar(); }
`;
    const found = check(await compileC(few, { nondet: '0..0' }), 'sc');
    expect([verdict(found), found.executions]).toEqual(['verified', 512]);
  });

  it('are no bound if the range has all values of the type', async () => {
    const all =
      'signed char __VERIFIER_nondet_int8_t(void);\nint main(void) { return __VERIFIER_nondet_int8_t() > 127; }\n';
    expect((await compileC(all, { nondet: '-128..127' })).nondet).toBeUndefined();
    expect((await compileC(all, { nondet: '-500..500' })).nondet).toBeUndefined();
    expect((await compileC(all, { nondet: '-128..126' })).nondet).toBe('-128..126');
  });

  it('of other types are named', async () => {
    const pointer =
      'void *__VERIFIER_nondet_pointer(void);\nint main(void) { return __VERIFIER_nondet_pointer() != 0; }\n';
    const { bounds } = check(await compileC(pointer, { nondet: '0..1' }), 'sc');
    expect(bounds).toEqual([expect.stringContaining('__VERIFIER_nondet_pointer is not modelled')]);
  });
});

it('assumptions, assertions and atomic sections of ESBMC and CBMC are known', async () => {
  const text = (end: string): string => `#include <pthread.h>
void __ESBMC_assume(_Bool); void __ESBMC_assert(_Bool, const char *);
void __ESBMC_atomic_begin(void); void __ESBMC_atomic_end(void);
void __CPROVER_assume(_Bool); void __CPROVER_assert(_Bool, const char *);
void __CPROVER_atomic_begin(void); void __CPROVER_atomic_end(void);
int x;
void *run(void *p) { __ESBMC_atomic_begin(); x++; x++; __ESBMC_atomic_end(); return p; }
int main(void) {
  pthread_t t; pthread_create(&t, 0, run, 0);
  __CPROVER_atomic_begin(); int saw = x; __CPROVER_atomic_end();
  __ESBMC_assert(saw != 1, "never between");
  ${end}
}
`;
  const answer = async (end: string): Promise<string> => verdict(check(await compileC(text(end)), 'sc'));
  expect(await answer('__CPROVER_assume(saw == 2); __CPROVER_assert(saw == 2, "two");')).toBe('verified');
  expect(await answer('__ESBMC_assume(saw == 2); __CPROVER_assert(saw == 0, "none");')).toBe('assertion: none');
});

it('headers and marks of GenMC and Dat3M are known, and assert without its header', async () => {
  const text = (value: number): string => `#include <genmc.h>
#include <dat3m.h>
int main(void) {
  __VERIFIER_loop_bound(3);
  for (int i = 0; i < 5; i++) { __VERIFIER_loop_begin(); __VERIFIER_spin_start(); __VERIFIER_spin_end(i); }
  int x = ${value};
  assert(x == 1);
  return 0;
}
`;
  expect(verdict(check(await compileC(text(1)), 'sc'))).toBe('verified');
  expect(verdict(check(await compileC(text(0)), 'sc'))).toBe('assertion: assert');
});

it('states of cancellation are known, as long as nobody cancels', async () => {
  const text = (end: string): string => `#include <assert.h>
#include <pthread.h>
int main(void) {
  int old;
  assert(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old) == 0 && old == PTHREAD_CANCEL_ENABLE);
  assert(pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old) == 0 && old == PTHREAD_CANCEL_DEFERRED);
  assert(pthread_setcancelstate(7, 0) != 0);
  pthread_testcancel();
  ${end}
}
`;
  expect(verdict(check(await compileC(text('')), 'sc'))).toBe('verified');
  const { verdict: answer, bounds } = check(await compileC(text('pthread_cancel(pthread_self());')), 'sc');
  // Only deferred cancellation is modelled.
  const reason = expect.stringContaining('not modelled (asynchronous cancellation');
  expect([answer.kind, bounds]).toEqual(['inconclusive', [reason]]);
});

it.each(['fork', 'vfork', 'setjmp'])('%s is named where it is called', async (name) => {
  const call = { fork: 'fork()', vfork: 'vfork()', setjmp: 'setjmp(b)' }[name]!;
  const text = `#include <setjmp.h>\n#include <unistd.h>\njmp_buf b;\nint main(int n) { return n > 1 ? 0 : (int)${call}; }\n`;
  const { bounds } = check(await compileC(text), 'sc');
  const reason =
    name === 'setjmp' ? 'is not defined' : 'starts another process; only threads of one process are modelled';
  expect(bounds).toEqual([expect.stringContaining(`function "${name}" ${reason}`)]);
});

describe('hazard pointers of GenMC', () => {
  const text = (read: string): string => `#include <genmc.h>
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
struct node { int value; };
static _Atomic(struct node *) top;
static void *reader(void *p) {
  __VERIFIER_hp_t *pointer = __VERIFIER_hp_alloc();
  struct node *node = ${read};
  if (node) assert(node->value == 5);
  __VERIFIER_hp_free(pointer);
  return p;
}
static void *taker(void *p) {
  struct node *node = atomic_load(&top);
  __VERIFIER_helped_CAS(atomic_compare_exchange_strong(&top, &node, 0));
  __VERIFIER_hp_retire(node);
  return p;
}
int main(void) {
  struct node *node = malloc(sizeof *node);
  node->value = 5;
  atomic_init(&top, node);
  pthread_t a = __VERIFIER_spawn(reader, 0), b = __VERIFIER_spawn(taker, 0);
  __VERIFIER_join(a); __VERIFIER_join(b);
}
`;

  it('keep what they protect, under every model', async () => {
    const program = await compileC(text('__VERIFIER_hp_protect(pointer, &top)'));
    // There are too many schedules to run every one, as tests do otherwise.
    for (const model of ['sc', 'tso', 'pso', 'rc11'] as const)
      expect(verdict(check(program, model, { strategy: model === 'rc11' ? 'graph' : 'optimal' }))).toBe('verified');
  });

  it('do not keep what they do not protect, or no longer', async () => {
    for (const read of ['atomic_load(&top)', '__VERIFIER_hp_protect(pointer, &top); __VERIFIER_hp_clear(pointer)']) {
      const program = await compileC(text(read));
      expect(verdict(check(program, 'sc'))).toBe('memory: use after free');
      expect(verdict(check(program, 'rc11'))).toMatch(/^race: node->value is read .* freed/);
    }
  });

  it('need the fence: without one, x86 lets the second look overtake the announcement', async () => {
    const program = await compileC(
      `${text('protect(&mine)')}`
        .replace(
          'static void *reader',
          `static _Atomic(void *) mine;
static struct node *protect(_Atomic(void *) *announced) {
  struct node *node = atomic_load(&top);
  atomic_store_explicit(announced, node, memory_order_release);
  return atomic_load(&top) == node ? node : 0;
}
static void *reader`,
        )
        .replace('__VERIFIER_hp_retire(node)', 'if (atomic_load(&mine) != node) free(node)'),
    );
    expect(verdict(check(program, 'sc'))).toBe('verified');
    expect(verdict(check(program, 'tso'))).toBe('memory: use after free');
  });

  it('free what was protected when its thread retires something else', async () => {
    const program = await compileC(`#include <genmc.h>
#include <stdlib.h>
int main(void) {
  __VERIFIER_hp_t *pointer = __VERIFIER_hp_alloc();
  int *object = malloc(sizeof *object), *place = object;
  *object = 1;
  int *kept = __VERIFIER_hp_protect(pointer, &place);
  __VERIFIER_hp_retire(object);
  int first = *kept;
  __VERIFIER_hp_clear(pointer);
  __VERIFIER_hp_retire(malloc(1));
  return first + *kept;
}
`);
    expect(check(program, 'sc').errors).toMatchObject([{ error: { message: 'use after free', line: 12 } }]);
  });
});

it('what GenMC is told about accesses are the accesses; waits of Dat3M are loops', async () => {
  const text = (bound: number): string => `#include <genmc.h>
#include <dat3m.h>
#include <assert.h>
#include <stdatomic.h>
static atomic_int x, flag;
static int count;
static void *other(void *p) { x = 1; atomic_store_explicit(&flag, 1, memory_order_release); return p; }
int main(void) {
  pthread_t t = __VERIFIER_spawn(other, 0);
  await_while(atomic_load_explicit(&flag, memory_order_acquire) == 0);
  int old = __VERIFIER_speculative_read(x), one = 1;
  assert(old == 1);
  __VERIFIER_final_write(x = 2);
  __VERIFIER_local_write(count = 3);
  assert(x == 2 && count == 3);
  assert(!__VERIFIER_final_CAS(atomic_compare_exchange_strong(&x, &one, 5)) && one == 2);
  assert(__VERIFIER_confirming_CAS(atomic_compare_exchange_strong(&x, &one, 5)));
  __VERIFIER_optional(count++; count++);
  await_while(count < 9) { count++; }
  assert(count == ${bound});
  __VERIFIER_join(t);
}
`;
  for (const model of ['sc', 'rc11'] as const) {
    expect(verdict(check(await compileC(text(9)), model))).toBe('verified');
    expect(verdict(check(await compileC(text(8)), model))).toBe('assertion: count == 8');
  }
});

describe('threads', () => {
  it('of GenMC have their results', async () => {
    const text = `#include <genmc.h>
#include <assert.h>
static int x;
static void *set(void *p) { x++; return p; }
int main(void) {
  __VERIFIER_thread_t t = __VERIFIER_spawn(set, &x);
  assert(__VERIFIER_join(t) == &x && x == 1);
  pthread_t u = __VERIFIER_spawn_symmetric(set, 0, t);
  assert(__VERIFIER_join_symmetric(u) == 0 && x == 2 && __VERIFIER_thread_self() == pthread_self());
}
`;
    const program = await compileC(text);
    for (const model of ['sc', 'rc11'] as const) expect(verdict(check(program, model))).toBe('verified');
  });

  it('have attributes that can be read back', async () => {
    const text = `#include <pthread.h>
#include <errno.h>
#include <stdio.h>
int main(void) {
  pthread_attr_t a;
  size_t size;
  int n;
  struct sched_param p = {5};
  pthread_attr_init(&a);
  pthread_attr_getstacksize(&a, &size); printf("%zu ", size);
  pthread_attr_getguardsize(&a, &size); printf("%zu ", size);
  pthread_attr_setguardsize(&a, 8192); pthread_attr_getguardsize(&a, &size); printf("%zu ", size);
  pthread_attr_getscope(&a, &n); printf("%d ", n);
  pthread_attr_getinheritsched(&a, &n); printf("%d ", n);
  pthread_attr_setinheritsched(&a, PTHREAD_EXPLICIT_SCHED); pthread_attr_getinheritsched(&a, &n); printf("%d ", n);
  pthread_attr_getschedpolicy(&a, &n); printf("%d ", n);
  pthread_attr_setschedpolicy(&a, SCHED_RR); pthread_attr_getschedpolicy(&a, &n); printf("%d ", n);
  n = pthread_attr_setschedparam(&a, &p); pthread_attr_getschedparam(&a, &p);
  printf("%d %d %d ", n, p.sched_priority, pthread_attr_setschedpolicy(&a, 77) == EINVAL);
  printf("%d %d\\n", sched_get_priority_min(SCHED_FIFO), sched_get_priority_max(SCHED_FIFO));
}
`;
    // As glibc prints it on Linux.
    expect(runAlone(await compileC(text))).toBe('8388608 4096 8192 0 0 1 0 2 0 5 1 1 99\n');
  });
});

describe('alarm', () => {
  const text = `#include <unistd.h>
#include <signal.h>
#include <assert.h>
static void handler(int signal) { (void)signal; }
int main(int count, char **arguments) {
  if (HANDLES) signal(SIGUSR1, handler);
  assert(alarm(5) == 0);
  assert(alarm(0) == 5);
  return 0;
}
`;

  it('without a handler, ends executions early, which shows nothing new', async () => {
    expect(verdict(check(await compileC(text.replace(/.*HANDLES.*\n/, '')), 'sc'))).toBe('verified');
  });

  it('with one, is not modelled', async () => {
    const { bounds } = check(await compileC(text, { defines: ['HANDLES=1'] }), 'sc');
    expect(bounds).toEqual([expect.stringContaining('alarm in a program that handles signals')]);
  });
});
