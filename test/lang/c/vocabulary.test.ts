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

  it('of a range: every value of it, and the verdict is bounded by it', async () => {
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

  it('without a range: only an execution that asks for one is cut', async () => {
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

it('assumptions, assertions and atomic sections of ESBMC and CBMC', async () => {
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

it('headers and marks of GenMC and Dat3M, and assert without its header', async () => {
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

it('states of cancellation, as long as nobody cancels', async () => {
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

describe('threads', () => {
  it('of GenMC, with their results', async () => {
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
