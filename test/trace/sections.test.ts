/** Atomic sections are not part of a trace: nothing is claimed that traces cannot show. */
import { describe, expect, it } from 'vitest';
import { check, compileC } from '../support/c.ts';
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
