/**
 * A copy of a model under another name is the same model: every command finds and says the same, apart from the name.
 * So everything that a model needs follows from its description.
 */
// Before everything that reads the registry when it is loaded.
import '../support/copied-model.ts';

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { check, fix, format, hunt, litmus, type Report, replay, robust } from '../../src/index.ts';
import { Machine } from '../../src/machine/machine.ts';
import { type Model, modelNamed, type StoreBufferModel } from '../../src/models/index.ts';
import type { Capability } from '../../src/models/model.ts';
import { graphReport, printDot } from '../../src/report/graph.ts';
import { traceExecution } from '../../src/report/story/execution.ts';
import { chronologicalEdges } from '../../src/trace/chronological.ts';
import { compileC, sourceFolder } from '../support/c.ts';
import { COPIES } from '../support/copied-model.ts';

const TWO_THREADS = `
int main(void) {
  pthread_t one, other;
  pthread_create(&one, NULL, left, NULL);
  pthread_create(&other, NULL, right, NULL);
  pthread_join(one, NULL);
  pthread_join(other, NULL);
  assert(a == 1 || b == 1);
}
`;

const INCLUDES = `#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
`;

/** Fails wherever stores wait. */
const storeBuffering = (order: string): string => `${INCLUDES}
static atomic_int x, y;
static int a, b;
static void *left(void *unused) {
  atomic_store_explicit(&x, 1, memory_order_${order});
  a = atomic_load_explicit(&y, memory_order_${order});
  return NULL;
}
static void *right(void *unused) {
  atomic_store_explicit(&y, 1, memory_order_${order});
  b = atomic_load_explicit(&x, memory_order_${order});
  return NULL;
}
${TWO_THREADS}`;

/** Fails where stores overtake each other. */
const MESSAGE_PASSING = `${INCLUDES}
static atomic_int data, ready;
static int a = 1, b = 1;
static void *left(void *unused) {
  atomic_store_explicit(&data, 1, memory_order_relaxed);
  atomic_store_explicit(&ready, 1, memory_order_relaxed);
  return NULL;
}
static void *right(void *unused) {
  if (atomic_load_explicit(&ready, memory_order_relaxed) == 1) {
    a = atomic_load_explicit(&data, memory_order_relaxed);
    b = a;
  }
  return NULL;
}
${TWO_THREADS}`;

/** A data race, which is an error of the language only. */
const RACE = `${INCLUDES}
static int a = 1, b;
static void *left(void *unused) { b = 1; return NULL; }
static void *right(void *unused) { b = 2; return NULL; }
${TWO_THREADS}`;

const PROGRAMS = {
  'store buffering': storeBuffering('relaxed'),
  'message passing': MESSAGE_PASSING,
  'store buffering, in order': storeBuffering('seq_cst'),
  race: RACE,
};
type Named = keyof typeof PROGRAMS;
const FAILING: readonly Named[] = ['store buffering', 'message passing'];

/** A file, so that the program is the same however often it is compiled. */
const fileOf = (name: Named): string => join(sourceFolder({ 'program.c': PROGRAMS[name] }), 'program.c');

const withCapability = (capability: Capability): readonly (readonly [Model, Model])[] =>
  COPIES.filter(([copied]) => modelNamed(copied).capabilities[capability]);

/** Rows of a copy, its original, and the name of a program. */
const cases = (
  capability: Capability,
  names: readonly Named[] = Object.keys(PROGRAMS) as Named[],
): readonly (readonly [Model, Model, Named])[] =>
  withCapability(capability).flatMap(([copied, original]) => names.map((name) => [copied, original, name] as const));

/** Everything that a report says, as data and as text, under the name of the original. */
function said(report: Report, [copied, original]: readonly Model[]): string {
  const data = JSON.stringify(report, (key, value: unknown) => (/seconds/i.test(key) ? 0 : value), 1);
  return renamed(`${data}\n${format(report)}\n${format(report, 'sarif')}`, copied!, original!)
    .replaceAll(/[\d.]+ (?:ms|s)\b/g, 'some time')
    .replaceAll(/\b[0-9a-f]{12}\b/g, 'the hash of an error and its model')
    .replaceAll(/-+/g, '-')
    .replaceAll(/\s+/g, ' ');
}

function renamed(text: string, copied: Model, original: Model): string {
  return text.replaceAll(copied, original).replaceAll(copied.toUpperCase(), original.toUpperCase());
}

async function expectSame(copied: Model, original: Model, run: (model: Model) => Promise<Report>): Promise<void> {
  const [own, expected] = [await run(copied), await run(original)];
  expect(JSON.stringify(own)).toContain(copied);
  expect(said(own, [copied, original])).toBe(said(expected, [copied, original]));
}

it.each(cases('check', [...FAILING, 'race']))('check says of %s what it says of %s: %s', (copied, original, name) =>
  expectSame(copied, original, (model) => check(fileOf(name), { models: ['sc', model], monitors: false })),
);

it.each(cases('check', ['message passing', 'store buffering, in order']))(
  'monitors and race freedom prove of %s what they prove of %s: %s',
  (copied, original, name) => expectSame(copied, original, (model) => check(fileOf(name), { models: [model] })),
);

it.each(withCapability('robust'))('check --robust and --keep-going say of %s what they say of %s', (copied, original) =>
  expectSame(copied, original, (model) =>
    check(fileOf('message passing'), { models: [model], robust: true, keepGoing: true, monitors: false }),
  ),
);

it.each(cases('graph', ['message passing']))(
  'check --strategy graph says of %s what it says of %s: %s',
  (copied, original, name) =>
    expectSame(copied, original, (model) => check(fileOf(name), { models: [model], strategy: 'graph' })),
);

it.each(cases('monitors', ['message passing']))('robust says of %s what it says of %s: %s', (copied, original, name) =>
  expectSame(copied, original, (model) => robust(fileOf(name), { models: [model as StoreBufferModel] })),
);

it.each(cases('fix', ['store buffering']))('fix says of %s what it says of %s: %s', (copied, original, name) =>
  expectSame(copied, original, (model) => fix(fileOf(name), { models: [model as 'tso'] })),
);

it.each(withCapability('fix'))('fix --minimise says of %s what it says of %s', (copied, original) =>
  expectSame(copied, original, (model) =>
    fix(fileOf('store buffering, in order'), { models: [model as 'tso'], minimise: true }),
  ),
);

it.each(withCapability('monitors'))('fix --goal robust says of %s what it says of %s', (copied, original) =>
  expectSame(copied, original, (model) => fix(fileOf('message passing'), { models: [model as 'tso'], goal: 'robust' })),
);

it.each(cases('hunt', ['store buffering']))('hunt says of %s what it says of %s: %s', (copied, original, name) =>
  expectSame(copied, original, (model) => hunt(fileOf(name), { models: [model] })),
);

it.each(withCapability('litmus'))('litmus says of %s what it says of %s', async (copied, original) => {
  for (const file of ['C/MP+rel+rlx', 'C/SB']) {
    const source = readFileSync(new URL(`../../litmus/${file}.litmus`, import.meta.url), 'utf8');
    await expectSame(copied, original, (model) =>
      litmus({ source, name: 'test.litmus' }, { models: [model], traces: true }),
    );
  }
});

it.each(withCapability('check'))('replay says of %s what it says of %s', async (copied, original) => {
  const report = await check(fileOf('store buffering'), { models: [copied], monitors: false });
  const asOriginal = JSON.parse(renamed(JSON.stringify(report), copied, original)) as typeof report;
  const again = await Promise.all([report, asOriginal].map((of) => replay(of)));
  expect(again[0]).toHaveLength(1);
  const [own, expected] = again.map((results) => said({ ...report, results }, [copied, original]));
  expect(own).toBe(expected);
});

it.each(withCapability('dpor'))('replay --graph says of %s what it says of %s', async (copied, original) => {
  const program = await compileC(PROGRAMS['store buffering']);
  const { results } = await check(fileOf('store buffering'), { models: [original], monitors: false });
  const { schedule } = results[0]!.error!;
  const [own, expected] = [copied, original].map((model) => {
    const machine = new Machine(program, model);
    const trace = traceExecution(machine, schedule);
    const graph = graphReport('program.c', model, trace, chronologicalEdges(machine));
    return renamed(`${JSON.stringify(graph)}\n${printDot(graph)}`, copied, original);
  });
  expect(own).toBe(expected);
});
