/** `--optimise`: what clang's optimiser makes of a program, and how reports mention it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CheckCommandReport } from '../../../src/report/schema.ts';
import { check, compileC, MODELS, sourceFolder, verdict } from '../../support/c.ts';
import { Folder, fencepost } from '../../support/fencepost.ts';
import { validateReport } from '../../support/schemas.ts';

/** The optimiser merges the two loads of x, which another thread changes. */
const RACY = `#include <assert.h>
#include <pthread.h>
static int x;
static void *write(void *p) { x = 1; return p; }
int main(void) {
  pthread_t t; pthread_create(&t, 0, write, 0);
  int first = x, second = x;
  assert(first == second);
  pthread_join(t, 0);
}
`;

/** Atomic accesses stay. */
const BUFFERED = `#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y; static int a, b;
static void *left(void *p) {
  atomic_store_explicit(&x, 1, memory_order_relaxed); a = atomic_load_explicit(&y, memory_order_relaxed); return p;
}
int main(void) {
  pthread_t t; pthread_create(&t, 0, left, 0);
  atomic_store_explicit(&y, 1, memory_order_relaxed); b = atomic_load_explicit(&x, memory_order_relaxed);
  pthread_join(t, 0); assert(a || b);
}
`;

/** The loads become constants; the loop must not become unreachable, since in C it may run forever. */
const ENDLESS = `#include <pthread.h>
static short x, y;
static void *wait(void *p) {
  while (!__atomic_load_n(&x, __ATOMIC_SEQ_CST) || !__atomic_load_n(&y, __ATOMIC_SEQ_CST));
  return p;
}
int main(void) { pthread_t t; pthread_create(&t, 0, wait, 0); }
`;

/** Switches, selects, copies, wide integers, minima, a table, recursion: one thread, so only the result counts. */
const PLAIN = `#include <assert.h>
#include <stdint.h>
#include <string.h>
struct pair { int a, b; char name[9]; };
static int choose(int n) { switch (n & 7) { case 0: return 3; case 1: return 9; case 2: return 1; case 3: return 4;
  case 4: return 1; case 5: return 5; default: return n < 100 ? -1 : n; } }
static unsigned turn(unsigned v, int by) { return v << by | v >> (32 - by); }
static int64_t sum(const struct pair *p, int n) { return n == 0 ? 0 : p->a * (int64_t)p->b + sum(p + 1, n - 1); }
int main(int argc, char **argv) {
  struct pair all[6], copy[6];
  memset(all, 0, sizeof all);
  for (int i = 0; i < 6; i++) { all[i].a = choose(i + argc - 1); all[i].b = i > 3 ? 3 : i; strcpy(all[i].name, "pair"); }
  memcpy(copy, all, sizeof copy);
  assert(memcmp(copy, all, sizeof all) == 0);
  assert(sum(copy, 6) == 9 + 2 + 12 + 3 + 15);
  assert(turn(0x80000001u + (argc - 1), 4) == 0x18u);
  assert((unsigned char)(200 + argc) == 201 && (int8_t)(126 + argc) == 127);
}
`;

const LEVELS = ['1', '2'] as const;

describe('optimised code', () => {
  it.each(LEVELS)('computes the same with level %s', async (optimise) => {
    for (const clang of ['native', 'npm'] as const) {
      expect(verdict(check(await compileC(PLAIN, { optimise, clang }), 'sc'))).toBe('verified');
    }
  });

  it.each(LEVELS)('keeps what atomics promise with level %s', async (optimise) => {
    const program = await compileC(BUFFERED, { optimise });
    expect(MODELS.map((model) => verdict(check(program, model)))).toEqual([
      'verified',
      'assertion: a || b',
      'assertion: a || b',
    ]);
  });

  it.each(LEVELS)('keeps loops that never end with level %s', async (optimise) => {
    for (const clang of ['native', 'npm'] as const) {
      expect(verdict(check(await compileC(ENDLESS, { optimise, clang }), 'sc'))).toBe('inconclusive');
    }
  });

  it('may lack errors of the program as written', async () => {
    expect(verdict(check(await compileC(RACY), 'sc'))).toBe('assertion: first == second');
    expect(verdict(check(await compileC(RACY, { optimise: '2' }), 'sc'))).toBe('verified');
  });

  it('is not taken for the unoptimised code in the cache', async () => {
    const run = async (...args: readonly string[]): Promise<number | null> =>
      (await fencepost(['check', 'test.c', '--model', 'sc', '--no-out', ...args], { cwd: sourceFolder(RACY) })).exit;
    expect([await run(), await run('--optimise', '2'), await run(), await run('--optimise', '2')]).toEqual([
      1, 0, 1, 0,
    ]);
  });
});

describe('reports', () => {
  it('name the optimiser in each verdict, and below', async () => {
    const cwd = sourceFolder(RACY);
    const { stdout } = await fencepost(['check', 'test.c', '--optimise', '2'], { cwd });
    expect(stdout).toMatch(/^test\.c under sc, optimised by clang -O2: verified/);
    expect(stdout.replace(/\n {2}/g, ' ')).toContain(
      "clang's code after -O2: errors that the optimiser removed are not",
    );
    const json = await fencepost(['robust', 'test.c', '--optimise', '1', '--json'], { cwd });
    expect(JSON.parse(json.stdout)).toMatchObject({ input: { optimise: '1' }, results: [{ optimised: '1' }, {}] });
    const hunted = await fencepost(['hunt', 'test.c', '--optimise', '1', '--runs', '2'], { cwd });
    expect(hunted.stdout).toMatch(/^test\.c under tso, optimised by clang -O1: inconclusive/);
  });

  it('are replayed with the same code', async () => {
    const folder = new Folder();
    folder.write('test.c', BUFFERED);
    const saved = await fencepost(['check', 'test.c', '--optimise', '2', '--json', '--no-out'], { cwd: folder.path });
    const report = JSON.parse(saved.stdout) as CheckCommandReport;
    expect(report.input.optimise).toBe('2');
    expect(validateReport(report)).toEqual([]);
    writeFileSync(join(folder.path, 'report.json'), saved.stdout);
    const replayed = await fencepost(['replay', 'report.json', '--model', 'tso'], { cwd: folder.path });
    expect([replayed.exit, replayed.stderr]).toEqual([1, '']);
    expect(replayed.stdout).toMatch(/^test\.c under tso, optimised by clang -O2: violation/);
    writeFileSync(join(folder.path, 'report.json'), saved.stdout.replace('"optimise": "2"', '"optimise": "3 -o x"'));
    expect(readFileSync(join(folder.path, 'report.json'), 'utf8')).toContain('3 -o x');
    expect((await fencepost(['replay', 'report.json'], { cwd: folder.path })).exit).toBe(2);
    folder.remove();
  });

  it.each([
    [['check', 'test.c', '--optimise', '3'], /argument '3' is invalid/],
    [['fix', 'test.c', '--optimise', '2'], /fix takes no --optimise/],
    [['check', 'test.ll', '--optimise', '2'], /test\.ll: --optimise is for C sources/],
  ])('refuse %j', async (args, says) => {
    const cwd = sourceFolder({ 'test.c': RACY, 'test.ll': 'target triple = "i386-linux-gnu"\n' });
    const { exit, stderr } = await fencepost(args, { cwd });
    expect([exit, stderr]).toEqual([2, expect.stringMatching(says)]);
  });
});
