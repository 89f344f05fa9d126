/**
 * The search over execution graphs against Optimal-DPOR: under SC the same traces, each once, and the same deadlocks;
 * under TSO and PSO as many traces, and on sketches those of the axiomatic oracle.
 */
import type fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StoreBuffers } from '../../../src/explore/graph/buffers.ts';
import { modelNamed } from '../../../src/models/index.ts';
import { traceKey } from '../../../src/trace/trace-key.ts';
import { axiomaticExecutions } from '../../support/axiomatic.ts';
import { everything, forAll, forAllSketches, SKIPPED } from '../../support/for-all.ts';
import { type Axioms, keyOfSketch, SC, visitGraphs } from '../../support/graphs.ts';
import { visit } from '../../support/searches.ts';
import { buildProgram } from '../../support/sketch.ts';
import {
  buildSyncProgram,
  conditionalSyncSketches,
  printSyncSketch,
  racySyncSketches,
  type SyncOp,
  type SyncSketch,
  syncSketches,
} from '../../support/sync-sketch.ts';

/**
 * Operations that graphs treat differently: a failed trylock is ordered with other operations, a free is not, and bytes
 * of words are refused.
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

const SKETCHES: readonly (readonly [string, fc.Arbitrary<SyncSketch>])[] = [
  ['locks, conditions, semaphores, creation and joins', syncSketches()],
  ['little that orders', racySyncSketches()],
  ['what is done depends on what was read', conditionalSyncSketches()],
];

function withoutOthers(from: fc.Arbitrary<SyncSketch>): fc.Arbitrary<SyncSketch> {
  return from.map((s) => ({ ...s, threads: s.threads.map(without), main: without(s.main) }));
}

it.each(SKETCHES)('has the traces of Optimal-DPOR under SC: %s', (_, from) => {
  forAll({ from: withoutOthers(from), count: 80, print: printSyncSketch }, compare);
});

describe.each(['tso', 'pso'] as const)('under %s', (model) => {
  const axioms: Axioms = (graph) => new StoreBuffers(graph, modelNamed(model).buffers === 'location');

  it('has the executions of the oracle', () => {
    forAllSketches({ ...everything, threads: 3, totalOps: 7, locations: 2 }, 100, (sketch) => {
      const found = visitGraphs(buildProgram(sketch), keyOfSketch(sketch), axioms);
      expect([...found.keys].sort()).toEqual([...axiomaticExecutions(sketch, model).keys].sort());
    });
  });

  it.each(SKETCHES)('has as many as Optimal-DPOR: %s', (_, from) => {
    forAll({ from: withoutOthers(from), count: 40, print: printSyncSketch }, (sketch) => {
      const program = buildSyncProgram(sketch);
      const optimal = visit(program, model, 'optimal', 5000);
      if (optimal.bounds.length > 0) return SKIPPED;
      const graphs = visitGraphs(program, (_search, _machine, outcome) => outcome, axioms);
      expect([...graphs.keys].sort()).toEqual(optimal.traces.map((trace) => trace.split(' ')[0]).sort());
      return undefined;
    });
  });
});
