/** The values that a failing assertion mentions, and the calls that lead there. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { EndReport } from '../../src/report/trace-schema.ts';
import { checkFile, reportsOf } from '../support/reports.ts';

const folder = mkdtempSync(join(tmpdir(), 'fencepost-values-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function endOf(code: string): Promise<EndReport | undefined> {
  const file = join(folder, 'values.c');
  writeFileSync(file, `#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\n${code}`);
  const [report] = reportsOf(await checkFile(file, ['sc']), () => undefined);
  return report?.trace?.ends[0];
}

const valuesOf = async (code: string): Promise<Readonly<Record<string, unknown>>> =>
  Object.fromEntries(((await endOf(code))?.values ?? []).map(({ name, value }) => [name, value]));

it('has local variables that only the simplified program has lost', async () => {
  const code = `int shared = 11;
int main(void) { int h = shared; int m = h - h; long big = -5000000000; unsigned char c = 200; assert(h + c + big == m); return 0; }`;
  expect(await valuesOf(code)).toEqual({ h: 11, m: 0, big: -5000000000, c: 200 });
});

it('has parameters, variables whose address was taken, and floating point', async () => {
  const code = `static void set(int *where) { *where = 7; }
static void test(double d, unsigned u) { int x = 1; set(&x); assert(x > d && u == 0); }
int main(void) { test(7.5, 4000000000u); return 0; }`;
  expect(await valuesOf(code)).toEqual({ x: 7, d: '7.5', u: 4000000000 });
});

it('has places that were read, by their own names, and what pointers point to', async () => {
  const code = `struct node { int key; struct node *next; } nodes[3];
static void test(struct node *n, struct node *m) { assert(n->key == 1 && m == 0); }
int main(void) { nodes[2].key = 1; test(&nodes[2], &nodes[1]); return 0; }`;
  expect(await valuesOf(code)).toEqual({ 'nodes[2].key': 1, m: '&nodes[1]' });
});

it('leaves out names that two variables have, and members with the name of a variable', async () => {
  const code = `struct s { int w, x; } s;
int main(void) { int x = 5; { int i = 1; x += i; } { int i = 2; assert(s.x == i); } return x; }`;
  expect(await valuesOf(code)).toEqual({ 's.x': 0 });
});

it('has the calls that lead to the assertion', async () => {
  const end = await endOf(`int shared;
static void inner(int n) { assert(shared == n); }
static void outer(int n) {
  inner(n + 1);
}
int main(void) {
  outer(1);
  return 0;
}`);
  expect(end?.stack?.map((call) => [call.function, call.line])).toEqual([
    ['inner', 5],
    ['outer', 7],
    ['main', 10],
  ]);
  expect(end?.values).toEqual([
    { name: 'shared', value: 0 },
    { name: 'n', value: 2 },
  ]);
});
