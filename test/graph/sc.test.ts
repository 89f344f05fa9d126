/** The search over execution graphs against Optimal-DPOR, under SC: the same traces, each once, and the same deadlocks. */
import { expect, it } from 'vitest';
import { traceKey } from '../../src/trace/trace-key.ts';
import { forAll } from '../support/for-all.ts';
import { SC, visitGraphs } from '../support/graphs.ts';
import { visit } from '../support/searches.ts';
import {
  buildSyncProgram,
  conditionalSyncSketches,
  printSyncSketch,
  racySyncSketches,
  type SyncOp,
  type SyncSketch,
  syncSketches,
} from '../support/sync-sketch.ts';

/**
 * What graphs have in another form: a failed trylock is ordered with other operations, a free is not, and bytes of words
 * are refused.
 */
const OTHERS: ReadonlySet<string> = new Set(['tryLocked', 'freeHeap', 'useHeap', 'storeByte', 'atomic']);

function without(ops: readonly SyncOp[]): readonly SyncOp[] {
  return ops.filter(({ op }) => !OTHERS.has(op)).map((op) => ('body' in op ? { ...op, body: without(op.body) } : op));
}

function compare(sketch: SyncSketch): void {
  const program = buildSyncProgram(sketch);
  const optimal = visit(program, 'sc', 'optimal');
  const graphs = visitGraphs(program, (_, machine, outcome) => `${outcome} ${traceKey(machine)}`, SC);
  expect(graphs.result.bounds).toEqual([]);
  expect([...graphs.keys].sort()).toEqual([...optimal.traces].sort());
}

it.each([
  ['locks, conditions, semaphores, creation and joins', syncSketches()],
  ['little that orders', racySyncSketches()],
  ['what is done depends on what was read', conditionalSyncSketches()],
] as const)('%s', (_, from) => {
  const clean = from.map((s) => ({ ...s, threads: s.threads.map(without), main: without(s.main) }));
  forAll({ from: clean, count: 150, print: printSyncSketch }, compare);
});
