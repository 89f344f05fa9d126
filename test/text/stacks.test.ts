/** Call stacks at events, what happens before there are threads, and names of several files. */
import { afterAll, expect, it } from 'vitest';
import type { CheckReport } from '../../src/report/schema.ts';
import { cellsOf, stackText } from '../../src/report/story/cells.ts';
import { printCheck } from '../../src/report/writers/check.ts';
import { check, compileC, failureTrace, forgetPrograms } from '../support/c.ts';

afterAll(forgetPrograms);

const NESTED = `#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int shared, other;
static void put(atomic_int *where, int value) { atomic_store_explicit(where, value, memory_order_relaxed); }
static void push(int value) {
  put(&shared, value);
  put(&other, value);
}
static void *worker(void *unused) {
  push(1);
  atomic_fetch_add(&other, 1);
  return unused;
}
int main(void) {
  pthread_t thread;
  put(&shared, 5);
  put(&shared, 0);
  pthread_create(&thread, 0, worker, 0);
  assert(shared == 0);
  pthread_join(thread, 0);
  return 0;
}
`;

const trace = async (model: 'sc' | 'tso') => {
  const program = await compileC(NESTED);
  return failureTrace(program, check(program, model));
};

it('has the calls at each event, innermost first, with their places', async () => {
  const { events } = await trace('sc');
  const stores = events.filter(({ thread, kind }) => thread === '0.1' && kind === 'store');
  const [first] = stores;
  expect(first?.stack?.map((call) => [call.function, call.line])).toEqual([
    ['put', 5],
    ['push', 7],
    ['worker', 11],
  ]);
  // In a thread's own function there is no call to show.
  for (const { thread, kind, stack } of events) if (thread === '0' && kind === 'load') expect(stack).toBeUndefined();
});

it('gives the update of a buffered store the calls of the store', async () => {
  const { events } = await trace('tso');
  const update = events.find(({ kind, thread }) => kind === 'update' && thread === '0.1');
  expect(update?.stack?.map((call) => call.function)).toEqual(['put', 'push', 'worker']);
});

it('folds what happens before the first thread is created', async () => {
  const told = await trace('sc');
  expect(told.setUp).toBe(2);
  const cells = cellsOf(told);
  expect(cells[0]?.text).toBe('thread 0 (main): set-up, before there are other threads, 2 steps');
  expect(cells.filter(({ text }) => text.includes('= 5'))).toEqual([]);
  // The user's line, not that of the function that does the store.
  const cell = cells.find(({ thread }) => thread === '0.1');
  expect(cell?.calls).toBe('in push, called by worker');
  expect(cell?.heading).toMatch(/^7: /);
});

it('does not fold a program without threads', async () => {
  const program = await compileC('#include <assert.h>\nint x; int main(void) { x = 1; assert(x == 2); return 0; }\n');
  const told = failureTrace(program, check(program, 'sc'));
  expect(told.setUp).toBeUndefined();
});

it('names the files of a program once, if they are several', () => {
  const report = (file: string, model: string): CheckReport =>
    ({
      file,
      model,
      verdict: 'verified',
      how: 'explored',
      executions: 1,
      blocked: 0,
      robust: null,
      seconds: 0,
      bounds: [],
      warnings: [],
    }) as unknown as CheckReport;
  const several = printCheck([report('a.c b.c', 'sc'), report('a.c b.c', 'tso')]);
  expect(several).toContain('a.c b.c:\nunder sc: verified (1 execution)\nunder tso: verified (1 execution)');
  expect(printCheck([report('a.c', 'sc')])).toContain('a.c under sc: verified');
});

it('ends deep stacks of recursive functions', async () => {
  const program = await compileC(`#include <assert.h>
#include <stdatomic.h>
static atomic_int calls;
static void again(int n) {
  calls++;
  if (n > 0) again(n - 1);
}
int main(void) {
  again(40);
  assert(calls == 0);
  return 0;
}
`);
  const { events } = failureTrace(program, check(program, 'sc'));
  const stacks = events
    .filter(({ kind }) => kind === 'rmw')
    .map(({ stack = [] }) => stack.map((call) => call.function));
  expect(stacks[10]).toEqual([...Array(11).fill('again'), 'main']);
  expect(stacks[40]).toEqual([...Array(8).fill('again'), '…']);
  const text = (names: readonly string[]): string => stackText(names.map((name) => ({ function: name })));
  expect(text(stacks[10]!)).toBe('again, called by again, by again, by again, by …, by main');
  expect(text(stacks[40]!)).toBe('again, called by again, by again, by again, by …');
});
