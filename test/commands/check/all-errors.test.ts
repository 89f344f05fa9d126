/** `--keep-going`: every error that ends an execution is listed. */
import { expect, it } from 'vitest';
import { check, compileC } from '../../support/c.ts';
import { Folder, fencepost } from '../../support/fencepost.ts';

/** Main's failure hides that of `other`, which also fails if it runs first. */
const HIDDEN = `
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static void *other(void *_) {
  y = 1;
  assert(x != 0);
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

it.each(['optimal', 'source', 'enumerate', 'exhaustive'] as const)('misses none with %s', async (strategy) => {
  const program = await compileC({ 'hidden.c': HIDDEN });
  const run = (options = {}) => check(program, 'sc', { strategy, keepGoing: true, monitors: true, ...options });
  const { errors, bounds, enumerated } = run();
  const isDpor = strategy === 'optimal' || strategy === 'source';
  expect(errors.map(({ error }) => error.line).sort()).toEqual([15, 8]);
  expect([bounds, enumerated]).toEqual([[], isDpor ? 'all errors' : undefined]);
  if (isDpor) expect(run({ maxStates: 3 })).toMatchObject({ errors: [{}], bounds: ['states: 3'] });
});

it('says whether the list is complete', async () => {
  const folder = new Folder();
  folder.write('hidden.c', HIDDEN);
  folder.write('fine.c', 'int main(void) { return 0; }');
  const run = async (file: string, ...options: string[]) =>
    (await fencepost(['check', file, '-m', 'sc', '--no-out', ...options], { cwd: folder.path })).stdout.replace(
      /\s+/g,
      ' ',
    );
  const all = await run('hidden.c', '--keep-going');
  expect(all).toContain(
    'strategy optimal, then enumerate (an error ends its execution, and may hide others), no bounds',
  );
  expect(all).toContain('The lists of errors are complete');
  const open = 'There may be more errors than are listed';
  expect(await run('hidden.c', '--keep-going', '--max-states', '3')).toContain(open);
  expect(await run('hidden.c', '--keep-going', '--strategy', 'random')).toContain(open);
  expect(await run('hidden.c')).not.toMatch(/enumerate|errors/);
  expect((await run('fine.c', '--keep-going')).replaceAll(/Not checked:.*?looked for\./gs, '')).not.toMatch(
    /enumerate|errors/,
  );
  folder.remove();
});
