/** Names of places in reports, and which values are called stale. */
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { parseLitmus } from '../../src/frontend/litmus/litmus.ts';
import { Machine } from '../../src/machine/machine.ts';
import type { Model } from '../../src/models/index.ts';
import type { CheckReport } from '../../src/report/schema.ts';
import { blockText } from '../../src/report/story/blocks.ts';
import { traceExecution } from '../../src/report/story/execution.ts';
import { printCheck } from '../../src/report/writers/check.ts';
import { Folder, fencepost } from '../support/fencepost.ts';
import { checkFile, commandReport, reportsOf } from '../support/reports.ts';

const folder = new Folder();
afterAll(() => folder.remove());

async function check(source: string, models: readonly Model[]): Promise<{ report: CheckReport; text: string }> {
  const file = join(folder.path, folder.write('test.c', source));
  const checked = await checkFile(file, models);
  const text = printCheck(reportsOf({ ...checked, file: 'test.c' }, () => undefined));
  return { report: commandReport(checked, () => undefined).results[0]!, text: text.replaceAll(`${folder.path}/`, '') };
}

it('a local variable has its name and the line of its declaration', async () => {
  const { report, text } = await check(
    `#include <pthread.h>
int *shared;
void *f(void *u) {
  (void)u;
  int local = 5;
  shared = &local;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  return *shared;
}
`,
    ['sc'],
  );
  expect(report.error!.notes!.join()).toMatch(
    /^the object: local variable `local`, 4 bytes, declared at \S*test\.c:5:7, ended at \S*test\.c:7/,
  );
  expect(report.trace!.blocks).toEqual([
    { name: '#1', bytes: 4, local: true, variable: 'local', file: expect.stringMatching(/test\.c$/), line: 5 },
  ]);
  expect(text).toContain('#1: local variable `local`, 4 bytes, declared at test.c:5');
});

it.each([
  ['slots[1]', 'int *slots[3]; int a;', 'slots[1] = &a;'],
  ['slots[2].next', 'struct node { int v; struct node *next; } slots[3]; struct node a;', 'slots[2].next = &a;'],
  ['ring.slots[2]', 'struct { int *slots[3]; int last; } ring; int a;', 'ring.slots[2] = &a;'],
  ['ring.in.tail', 'struct { struct { int n; int *tail; } in; int last; } ring; int a;', 'ring.in.tail = &a;'],
  [
    'by[1].at',
    'enum wide { LAST = 0x7fffffffffffLL }; struct { enum wide e[2]; int *at; } by[2]; int a;',
    'by[1].at = &a;',
  ],
])('%s is named after its declaration, and so is what it points to', async (name, variables, store) => {
  const { report } = await check(
    `#include <assert.h>\n${variables}\nint main(void) {\n  ${store}\n  assert(!${name});\n}\n`,
    ['sc'],
  );
  const stores = report.trace!.events.flatMap((e) => (e.kind === 'store' ? [[e.location, e.wrote]] : []));
  expect(stores).toEqual([[name, '&a']]);
});

it('elements of a local array are told apart, and so are places in a block', async () => {
  const { report } = await check(
    `#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct pair { int a, b; } *pairs;
void *f(void *arg) {
  int i = *(int *)arg;
  pairs[i].b = 1;
  return 0;
}
int main(void) {
  pthread_t t[2];
  int id[2] = {0, 1};
  pairs = malloc(2 * sizeof *pairs);
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, f, &id[i]);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  assert(!pairs[1].b);
}
`,
    ['sc'],
  );
  const places = report.trace!.events.flatMap(({ kind, thread, location }) =>
    kind === 'load' && location !== 'pairs' ? [`${thread} ${location}`] : [],
  );
  expect(places).toEqual(expect.arrayContaining(['0.1 id[0] (#1)', '0.2 id[1] (#1)']));
  const stores = report.trace!.events.flatMap(({ kind, thread, location }) =>
    kind === 'store' && thread !== '0' ? [location] : [],
  );
  expect(stores.sort()).toEqual([expect.stringMatching(/b \(#2\+12\)$/), expect.stringMatching(/b \(#2\+4\)$/)]);
  expect(report.trace!.blocks.map(blockText)).toEqual([
    expect.stringMatching(/^local variable `id`, 8 bytes, declared at .*:12$/),
    expect.stringMatching(/^16 bytes, allocated at .*:13$/),
  ]);
});

it('a value is stale only if the buffered store was issued after it', () => {
  const { program } = parseLitmus(
    `X86 stale
{ }
 P0         | P1         ;
 MOV [x],$1 | MOV [x],$2 ;
 MOV EAX,[x]| MOV EAX,[x];
exists (0:EAX=2)
`,
    'stale.litmus',
  );
  const staleOf = (schedule: string) =>
    traceExecution(new Machine(program, 'tso'), schedule).events.find((e) => e.kind === 'load')!.stale;
  // P0's store is buffered; P1's is issued later and reaches memory first: P1 reads the newest value.
  expect(staleOf('0 1 1/ 1')).toBeUndefined();
  // The other way round, it does not.
  expect(staleOf('1 0 1/ 1')).toEqual([{ event: '0#1', thread: 'P0', value: 1 }]);
  expect(staleOf('0 1 0/ 0')).toEqual([{ event: '1#1', thread: 'P1', value: 2 }]);
});

it('robust and fix name what a pointer points to, never its address', async () => {
  for (const command of ['robust', 'fix']) {
    const { stdout } = await fencepost([command, 'examples/treiber-stack.c', '--model', 'pso']);
    expect(stdout).toMatch(/node->next \(#\d\) = #\d \(buffered\)/);
    expect(stdout).not.toMatch(/(?:=|→) \d{3,}/);
  }
});

it('a race is on the place, whatever the program calls it; its replay is the same race', async () => {
  const file = folder.write(
    'race.c',
    `#include <pthread.h>
int balance[2];
static void add(int *where, int n) { *where += n; }
static void *f(void *u) { add(&balance[1], 1); return u; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); add(&balance[1], 2); pthread_join(t, 0); }
`,
  );
  const warned = await fencepost(['check', file, '--model', 'sc', '--no-out'], { cwd: folder.path });
  expect(warned.stdout).toMatch(/^warning: data race on `balance\[1\]`: /m);
  const { stdout } = await fencepost(['check', file, '--model', 'rc11'], { cwd: folder.path });
  expect(stdout).toMatch(/^ {2}race: `balance\[1\]` is /m);
  const run = /fencepost replay (\S+)/.exec(stdout)![1]!;
  const again = await fencepost(['replay', run], { cwd: folder.path });
  expect([again.exit, again.stdout]).toEqual([1, expect.stringContaining('race: `balance[1]` is ')]);
});

it('hunt names the places of a cycle as its execution does', async () => {
  const { stdout } = await fencepost(['hunt', 'programs/mutual-exclusion/dekker.c', '--model', 'tso', '--no-out']);
  expect(stdout.replace(/\s+/g, ' ')).toMatch(
    /21 store flag\[0\] → 23 load flag\[1\] ⇢ 21 store flag\[1\] → 23 load flag\[0\]/,
  );
});

it('pointers in memory have the name of what they point to, also before anybody reads them', async () => {
  const checked = await checkFile('test/golden/dining.c', ['sc']);
  const { places } = commandReport(checked, () => undefined).results[0]!.trace!;
  const seat = places!.find(({ location }) => location === 'seats[2].right')!;
  expect(seat.values.map(({ value }) => value)).toEqual([0, '&forks[3]']);
});
