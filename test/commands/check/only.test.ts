/** `--only`: which kinds of errors count. */
import { beforeAll, describe, expect, it } from 'vitest';
import { check, compileC } from '../../support/c.ts';
import { ensureBuilt, Folder, fencepost } from '../../support/fencepost.ts';

/** Two threads lock in opposite order; then an assertion fails. */
const BOTH = `
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void *other(void *_) {
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  pthread_join(t, 0);
  assert(ASSERTED);
  return 0;
}
`;
const LOOP = `
#include <pthread.h>
static _Atomic int flag;
int main(void) {
  while (!flag);
  return 0;
}
`;
const MEMORY = 'int main(void) { int *p = 0; return *p; }';

describe('--only', () => {
  const kinds = async (
    source: string,
    only: 'assertions' | 'deadlocks' | 'liveness',
    strategy: 'optimal' | 'source' | 'enumerate' | 'exhaustive',
  ) => {
    const program = await compileC({ 'only.c': source });
    const { verdict, errors } = check(program, 'sc', { strategy, keepGoing: true, monitors: true, only: [only] });
    return [verdict.kind, ...errors.map(({ error }) => error.kind)];
  };
  const failing = BOTH.replace('ASSERTED', '0');

  it.each(['optimal', 'enumerate', 'exhaustive'] as const)('counts what it names, with %s', async (strategy) => {
    expect(await kinds(failing, 'assertions', strategy)).toEqual(['violation', 'assertion']);
    expect(await kinds(failing, 'deadlocks', strategy)).toEqual(['violation', 'deadlock']);
    expect(await kinds(failing, 'liveness', strategy)).toEqual(['verified']);
    expect(await kinds(LOOP, 'liveness', strategy)).toEqual(['violation', 'liveness']);
    expect(await kinds(LOOP, 'assertions', strategy)).toEqual(['verified']);
  });

  it.each(['optimal', 'source', 'enumerate', 'exhaustive'] as const)(
    'sees what threads could have done before an assertion that does not count, with %s',
    async (strategy) => {
      const late = (then: string): string => `
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static int *nowhere;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *other(void *_) {
  y = 1;
  if (x == 0) { ${then} }
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  x = 1;
  assert(y != 0);
  pthread_join(t, 0);
  return 0;
}
`;
      expect(await kinds(late('pthread_mutex_lock(&m); pthread_mutex_lock(&m);'), 'deadlocks', strategy)).toEqual([
        'violation',
        'deadlock',
      ]);
      expect(await kinds(late('*nowhere = 1;'), 'deadlocks', strategy)).toEqual(['violation', 'memory']);
    },
  );

  it('never leaves out memory errors', async () => {
    expect(await kinds(MEMORY, 'deadlocks', 'optimal')).toEqual(['violation', 'memory']);
  });
});

describe('the command', () => {
  const folder = new Folder();
  beforeAll(ensureBuilt);

  it('names what was checked', async () => {
    folder.write('both.c', BOTH.replace('ASSERTED', '1'));
    const run = (...options: string[]) => fencepost(['check', 'both.c', '-m', 'sc', ...options], { cwd: folder.path });
    const only = await run('--only', 'assertions,liveness');
    expect([only.exit, only.stdout]).toEqual([
      0,
      expect.stringContaining('under sc, assertions and liveness only: verified'),
    ]);
    expect((await run()).exit).toBe(1);
    expect(JSON.parse((await run('--only', 'assertions', '--json')).stdout).results[0].only).toEqual(['assertions']);
    const wrong = await run('--only', 'races');
    expect([wrong.exit, wrong.stderr]).toEqual([
      2,
      expect.stringContaining('expected one of assertions, deadlocks, liveness'),
    ]);
    folder.remove();
  });
});
