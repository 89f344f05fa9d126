/**
 * Accesses of different sizes: one that overlaps two stores can come after one and before the other, and close a cycle
 * by itself. The monitors do not decide such programs, so `check` explores them.
 */

import { describe, expect, it } from 'vitest';
import { modelsWith } from '../../src/models/index.ts';
import { CheckRun } from '../../src/pipelines/check.ts';
import { RobustRun } from '../../src/pipelines/robust.ts';
import { compileC } from '../support/c.ts';

const HEAD = '#include <pthread.h>\n#include <assert.h>\n#include <string.h>\n';
const MAIN = (after: string): string =>
  'int main(void) { pthread_t t, s; pthread_create(&t, 0, a, 0); pthread_create(&s, 0, b, 0);\n' +
  `  pthread_join(t, 0); pthread_join(s, 0); ${after} return 0; }\n`;
const TWO_BYTES = 'union { unsigned char c[4]; short h; int w; } u; int r;\n';
const BOTH = 'void *a(void *p) { u.c[0] = 1; u.c[1] = 1; return p; }\n';

describe.each<[string, string, readonly string[]]>([
  [
    'one wide load',
    `${HEAD}${TWO_BYTES}${BOTH}void *b(void *p) { short h = u.h; assert(h != 0x0100); return p; }\n${MAIN('')}`,
    ['pso'],
  ],
  [
    'one wide store',
    `${HEAD}${TWO_BYTES}void *a(void *p) { u.c[0] = 1; r = u.c[1]; return p; }\nvoid *b(void *p) { u.h = 0x0202; return p; }\n${MAIN('assert(!(r == 0 && u.h == 0x0201));')}`,
    ['tso', 'pso'],
  ],
  [
    'one wide store over two',
    `${HEAD}${TWO_BYTES}${BOTH}void *b(void *p) { u.h = 0x0202; return p; }\n${MAIN('assert(u.h != 0x0201);')}`,
    ['pso'],
  ],
  [
    'one wide atomic operation',
    `${HEAD}${TWO_BYTES}${BOTH}void *b(void *p) { int w = __atomic_fetch_add(&u.w, 0, __ATOMIC_SEQ_CST); assert(w != 0x0100); return p; }\n${MAIN('')}`,
    ['pso'],
  ],
  [
    'a copy of a structure',
    `${HEAD}struct pair { short data, ready; } s;\nvoid *a(void *p) { s.data = 7; s.ready = 1; return p; }\nvoid *b(void *p) { struct pair c; memcpy(&c, &s, sizeof c); assert(!c.ready || c.data == 7); return p; }\n${MAIN('')}`,
    ['pso'],
  ],
])('%s', (_, source, wrong) => {
  const options = {
    preemptions: 2,
    seed: 1,
    maxExecutions: undefined,
    maxSteps: undefined,
    maxStates: 100_000,
    keepGoing: false,
    spin: true,
  };

  it.each([true, false])('is checked, with monitors: %s', async (monitors) => {
    const models = modelsWith('dpor');
    const check = new CheckRun(await compileC(source), {
      ...options,
      models,
      strategy: 'optimal',
      races: false,
      monitors,
    });
    while (!check.advance(1_000_000));
    const violated = check.results.filter(({ verdict }) => verdict.kind === 'violation').map(({ model }) => model);
    expect(violated).toEqual(wrong);
  });

  it.each(['optimal', 'bounded', 'exhaustive'] as const)('is not called robust (%s)', async (strategy) => {
    const robust = new RobustRun(await compileC(source), {
      ...options,
      models: ['tso', 'pso'],
      monitors: strategy === 'optimal' ? ['causal-tso', 'causal-pso'] : ['tso', 'pso', 'sober-fixed'],
      strategy,
    });
    while (!robust.advance(1_000_000));
    for (const { model, verdict } of robust.results) {
      if (wrong.includes(model)) expect(verdict.kind).not.toBe('verified');
    }
  });
});
