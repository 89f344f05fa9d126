/** The advice of `check` for a failing execution agrees with `fix`. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Machine } from '../../../src/machine/machine.ts';
import { traceExecution } from '../../../src/report/story/execution.ts';
import { check, compileC, failureTrace, sourceFolder } from '../../support/c.ts';
import { fixFile } from '../../support/fix-c.ts';

const program = (globals: string, first: string, second: string): string =>
  `#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n${globals}\n` +
  `static void *first(void *p) {\n${first}\n  return p;\n}\n` +
  `int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, first, 0);\n${second}\n  pthread_join(t, 0);\n}\n`;

const READ = '  if (atomic_load_explicit(&ready, memory_order_relaxed)) assert(data == 1);';
const MP = 'int data; atomic_int ready, answer;';

const FULL =
  'put a full fence between them: `atomic_thread_fence(memory_order_seq_cst)`, here between lines 13 and 14 and between lines 6 and 7.';

describe('advice', () => {
  it.each([
    [
      'a read-modify-write',
      program(MP, '  data = 1;\n  atomic_exchange_explicit(&ready, 1, memory_order_relaxed);', READ),
      ['release'],
      'To keep a store before a later read-modify-write, make the read-modify-write of `ready` (line 7, now relaxed) a release operation (`memory_order_release`), or put a release fence between them.',
    ],
    [
      'one that acquires',
      program(MP, '  data = 1;\n  atomic_fetch_add_explicit(&ready, 1, memory_order_acquire);', READ),
      ['release'],
      'To keep a store before a later read-modify-write, make the read-modify-write of `ready` (line 7, now acquire) a release operation (`memory_order_acq_rel`), or put a release fence between them.',
    ],
    [
      'a lock',
      program(
        'int data; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;',
        '  data = 1;\n  pthread_mutex_lock(&m);\n  pthread_mutex_unlock(&m);',
        '  if (pthread_mutex_trylock(&m)) assert(data == 1);\n  else pthread_mutex_unlock(&m);',
      ),
      ['store-fence'],
      'To keep a store before a later lock, put a release fence between them, here between lines 6 and 7.',
    ],
    [
      'a store, though a load comes too early as well',
      program(
        MP,
        '  data = 1;\n  atomic_store_explicit(&ready, 1, memory_order_relaxed);\n  (void)atomic_load_explicit(&answer, memory_order_relaxed);',
        `  if (atomic_load_explicit(&ready, memory_order_relaxed)) {\n    atomic_store_explicit(&answer, 1, memory_order_relaxed);\n    atomic_thread_fence(memory_order_seq_cst);\n    assert(data == 1);\n  }`,
      ),
      ['release'],
      'To keep two stores in order, make the second, `ready = 1` (line 7, now relaxed), a release store (`memory_order_release`), or put a release fence between them.',
    ],
    [
      'a load',
      program(
        'atomic_int x, y; int a, b;',
        '  atomic_store_explicit(&x, 1, memory_order_relaxed);\n  a = atomic_load_explicit(&y, memory_order_relaxed);',
        '  atomic_store_explicit(&y, 1, memory_order_relaxed);\n  b = atomic_load_explicit(&x, memory_order_relaxed);\n  pthread_join(t, 0);\n  assert(a || b);\n  pthread_create(&t, 0, first, 0);',
      ),
      ['full-fence', 'full-fence'],
      `To keep a store before a later load, ${FULL}`,
    ],
  ])('is given before %s', async (_, text, kinds, advice) => {
    const compiled = await compileC(text);
    const { explanation } = failureTrace(compiled, check(compiled, 'pso', { strategy: 'optimal' }));
    // The sentence before it, under PSO, says why TSO does not have the execution.
    expect(explanation!.at(-1)).toBe(advice);
    const result = await fixFile(join(sourceFolder(text), 'test.c'), { models: ['pso'] });
    expect(result.kind === 'fixed' && result.changes.map(({ kind }) => kind)).toEqual(kinds);
  });
});

describe('statements that look like the fence that is missing', () => {
  const SB = (between: string): string =>
    program(
      'atomic_int x, y; int a, b;\nstatic int calls;\n#define FENCE()\nstatic void count(void) { calls++; }',
      `  atomic_store_explicit(&x, 1, memory_order_relaxed);\n  ${between}\n  a = atomic_load_explicit(&y, memory_order_relaxed);`,
      '  atomic_store_explicit(&y, 1, memory_order_seq_cst);\n  b = atomic_load_explicit(&x, memory_order_relaxed);\n  pthread_join(t, 0);\n  assert(a || b);\n  pthread_create(&t, 0, first, 0);',
    );

  const adviceFor = async (between: string): Promise<string> => {
    const text = SB(between);
    const compiled = await compileC(text);
    const [found] = check(compiled, 'tso', { strategy: 'optimal' }).errors;
    const lines = text.split('\n');
    const story = traceExecution(new Machine(compiled, 'tso'), found!.schedule, (_, line) => lines[line - 1]);
    return story.explanation!.at(-1)!;
  };

  it('are named if they have left no instruction', async () => {
    expect(await adviceFor('FENCE();')).toMatch(
      / between lines 9 and 11\. \(`FENCE\(\);` in line 10 did not act as a full fence here\.\)$/,
    );
  });

  it.each(['count();', 'a = 0;', ';'])('%s is none', async (between) => {
    expect(await adviceFor(between)).toMatch(/ between lines 9 and 11\.$/);
  });
});
