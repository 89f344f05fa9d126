/** The functions that other checkers' programs use. */
import { describe, expect, it } from 'vitest';
import { check, compileC, verdict } from '../support/c.ts';

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
  // Cancellation is modelled now, where it is deferred.
  const reason = expect.stringContaining('not modelled (asynchronous cancellation');
  expect([answer.kind, bounds]).toEqual(['inconclusive', [reason]]);
});

it.each(['fork', 'alarm', 'setjmp'])('%s is named where it is called', async (name) => {
  const call = { fork: 'fork()', alarm: 'alarm(1)', setjmp: 'setjmp(b)' }[name]!;
  const text = `#include <setjmp.h>\n#include <unistd.h>\njmp_buf b;\nint main(int n) { return n > 1 ? 0 : (int)${call}; }\n`;
  const { bounds } = check(await compileC(text), 'sc');
  expect(bounds).toEqual([expect.stringContaining(`function "${name}" is not defined`)]);
});
