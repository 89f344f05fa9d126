/** Atomic sections are not part of a trace: nothing is claimed that traces cannot show. Sections that do not end. */
import { describe, expect, it } from 'vitest';
import { check, checkAll, compileC, MODELS, verdict } from '../support/c.ts';
import { ensureBuilt, Folder, fencepost } from '../support/fencepost.ts';

/** a = 0, b = 1, c = 0 is possible with store buffers only, and yet the trace has no cycle. */
const SECTION = `
#include <assert.h>
#include <pthread.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
static int x, z, a, b, c;
static void *t1(void *_) { __VERIFIER_atomic_begin(); a = x; b = z; __VERIFIER_atomic_end(); return 0; }
static void *t2(void *_) { x = 1; c = z; return 0; }
static void *t3(void *_) { z = 1; return 0; }
int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, t1, 0);
  pthread_create(&t[1], 0, t2, 0);
  pthread_create(&t[2], 0, t3, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  assert(ASSERTED);
  return 0;
}
`;

describe('a program with an atomic section', () => {
  it('is not called robust because its traces have no cycle', async () => {
    const program = await compileC(SECTION.replace('ASSERTED', '1'));
    const [sc, tso] = (['sc', 'tso'] as const).map((model) =>
      check(program, model, { strategy: 'optimal', robust: true }),
    );
    expect([sc!.executions, tso!.executions]).toEqual([7, 8]);
    expect(tso!.robust).toBe(null);
  });

  it('does not say that sc allows an execution that it does not allow', async () => {
    await ensureBuilt();
    const folder = new Folder();
    folder.write('section.c', SECTION.replace('ASSERTED', '!(a == 0 && b == 1 && c == 0)'));
    const { exit, stdout } = await fencepost(['check', 'section.c'], { cwd: folder.path });
    expect([exit, stdout]).toEqual([1, expect.stringContaining('under sc: verified')]);
    expect(stdout).not.toContain('the same can happen under sc');
    folder.remove();
  });
});

describe('a section that main does not end', () => {
  const program = (thread: string, main: string): string => `
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
static atomic_int x, y;
static void *f(void *u) { ${thread} return u; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); __VERIFIER_atomic_begin(); ${main} }
`;
  /** One execution per order of the section and the other thread's write, and nothing that waits. */
  const returning = program('x = 2; y = x;', 'x = 1; return 0;');

  it.each(['optimal', 'source', 'enumerate', 'exhaustive'] as const)(
    'ends with the process, by %s',
    async (strategy) => {
      const compiled = await compileC(returning);
      expect(MODELS.map((model) => verdict(check(compiled, model, { strategy })))).toEqual(
        MODELS.map(() => 'verified'),
      );
    },
  );

  it.each(['random', 'pct', 'pos', 'delays'] as const)('is no error of a run, by %s', async (strategy) => {
    const compiled = await compileC(returning);
    const results = MODELS.map((model) => check(compiled, model, { strategy, maxExecutions: 50 }));
    expect(results.flatMap(({ errors }) => errors)).toEqual([]);
    expect(Math.min(...results.map(({ executions }) => executions))).toBeGreaterThan(0);
  });

  it('ends with the process under rc11, where others go on meanwhile', async () => {
    const result = check(await compileC(returning), 'rc11', { strategy: 'optimal' });
    expect(verdict(result)).toBe('verified');
    const inside = program('assert(x != 1);', 'x = 1; return 0;');
    // No thread of a machine sees the inside of a section.
    const results = checkAll(await compileC(inside), { models: ['sc', 'rc11'], strategy: 'optimal', monitors: true });
    expect(results.map((one) => verdict(one).split(':')[0])).toEqual(['verified', 'assertion']);
  });

  it('ends with the process although a thread sleeps that the section would have woken', async () => {
    const result = checkAll(await compileC(program('while (!x);', 'x = 1; return 0;')), { models: MODELS });
    expect(result.map(verdict)).toEqual(MODELS.map(() => 'verified'));
  });

  it('is an error as soon as main only ends its thread, or waits', async () => {
    for (const [main, kind] of [
      ['x = 1; pthread_exit(0);', /^deadlock: .*waits for thread 0 to end its atomic section/],
      ['pthread_join(t, 0); return 0;', /^deadlock: .*waits for thread 0 to end its atomic section/],
      ['while (!x); return 0;', /^(?:deadlock|liveness): /],
    ] as const) {
      const results = checkAll(await compileC(program('x = 2;', main)), { models: MODELS });
      for (const result of results) expect(verdict(result)).toMatch(kind);
    }
  });

  it('is an error if another thread ends in one, since main may not have returned yet', async () => {
    const source = program('__VERIFIER_atomic_begin(); x = 1;', 'y = 1; return 0;');
    const outside = source.replace('__VERIFIER_atomic_begin(); y = 1;', 'y = 1;');
    for (const result of checkAll(await compileC(outside), { models: MODELS }))
      expect(verdict(result)).toMatch(/^deadlock: .*waits for thread 0.1 to end its atomic section/);
  });
});
