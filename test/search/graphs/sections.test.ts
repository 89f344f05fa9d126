/** Atomic sections under RC11: one lock for all of them ([models](../../docs/models.md#rc11)). */
import { describe, expect, it } from 'vitest';
import { check, checkAll, compileC, verdict } from '../../support/c.ts';

const HEAD = `
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);
#define SECTION(body) __VERIFIER_atomic_begin(); body __VERIFIER_atomic_end();
#define LOAD(x) atomic_load_explicit(&(x), memory_order_relaxed)
#define STORE(x, v) atomic_store_explicit(&(x), v, memory_order_relaxed)
int x, y; atomic_int a, b;
`;

/** Threads run the texts; main joins them, then runs `end`. */
function program(texts: readonly string[], end = ''): string {
  const functions = texts.map((text, i) => `void *f${i}(void *u) { ${text} return u; }`);
  const create = texts.map((_, i) => `pthread_create(&t[${i}], 0, f${i}, 0);`).join(' ');
  const join = texts.map((_, i) => `pthread_join(t[${i}], 0);`).join(' ');
  return `${HEAD}${functions.join('\n')}\nint main(void) { pthread_t t[${texts.length}]; ${create} ${join} ${end} return 0; }`;
}

async function rc11(texts: readonly string[], end = '') {
  return check(await compileC(program(texts, end)), 'rc11', { strategy: 'optimal' });
}

describe('sections exclude each other', () => {
  it('and their order is part of an execution', async () => {
    const result = await rc11(['SECTION(x++;)', 'SECTION(x++;)', 'SECTION(x++;)'], 'assert(x == 3);');
    expect([verdict(result), result.executions]).toEqual(['verified', 6]);
  });

  it('and so do functions named __VERIFIER_atomic_…', async () => {
    const text = program(['__VERIFIER_atomic_add();', '__VERIFIER_atomic_add();'], 'assert(x == 2);');
    const source = text.replace('int x, y;', 'int x, y; void __VERIFIER_atomic_add(void) { x++; }');
    const result = check(await compileC(source), 'rc11', { strategy: 'optimal' });
    expect([verdict(result), result.executions]).toEqual(['verified', 2]);
  });

  it('a later one sees what an earlier one wrote, and what was written before that', async () => {
    const result = await rc11(['x = 1; SECTION(STORE(a, 1);)', 'int r; SECTION(r = LOAD(a);) if (r) assert(x == 1);']);
    expect(verdict(result)).toBe('verified');
  });
});

describe('what is outside takes no part', () => {
  it('a plain access there races with one inside', async () => {
    const result = await rc11(['SECTION(x = 1;)', 'x = 2;']);
    expect(verdict(result)).toMatch(/^race: /);
  });

  it('atomics there see a section in the middle, which no section does', async () => {
    const write = 'SECTION(STORE(a, 1); STORE(a, 2);)';
    const outside = 'assert(LOAD(a) != 1);';
    expect(verdict(await rc11([write, outside]))).toMatch(/^assertion: /);
    expect(verdict(await rc11([write, `SECTION(${outside})`]))).toBe('verified');
    // Where a section excludes all threads, no thread sees it in the middle.
    const source = await compileC(program([write, outside]));
    expect(verdict(check(source, 'tso', { strategy: 'optimal' }))).toBe('verified');
  });

  it('a section may wait for it: under sc nobody runs then', async () => {
    const source = await compileC(program(['SECTION(while (!LOAD(a));)', 'STORE(a, 1);', 'SECTION(x = 1;)']));
    const results = checkAll(source, { models: ['sc', 'rc11'], strategy: 'optimal', monitors: true });
    expect(results.map((result) => verdict(result).split(':')[0])).toEqual(['liveness', 'verified']);
  });
});

describe('misuse is an error, as elsewhere', () => {
  it.each([
    ['a section in a section', '__VERIFIER_atomic_begin(); SECTION(x = 1;)'],
    ['an end without a beginning', '__VERIFIER_atomic_end();'],
    ["the end of another thread's section", 'if (LOAD(a)) __VERIFIER_atomic_end();'],
  ])('%s', async (_, text) => {
    const result = await rc11([text, 'SECTION(STORE(a, 1);)']);
    expect(verdict(result)).toMatch(/^misuse: atomic section begun twice or ended without beginning/);
  });

  it('others wait for a section that never ends', async () => {
    const result = await rc11(['__VERIFIER_atomic_begin();', 'SECTION(x = 1;)']);
    expect(verdict(result)).toMatch(/^deadlock: .*waits for thread 0\.\d to end its atomic section/);
  });
});

it('a thread that ends in its section is not modelled: on a machine, all others wait from then on', async () => {
  const result = await rc11(['__VERIFIER_atomic_begin(); x = 1;', 'STORE(a, 1);']);
  expect(result.boundedBy).toEqual([expect.objectContaining({ what: 'a thread that ends in an atomic section' })]);
  expect([result.verdict.kind, result.executions]).toEqual(['inconclusive', 0]);
});
