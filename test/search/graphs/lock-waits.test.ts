/**
 * Skipped graphs with locks (lock-waits.ts) contain nothing new: the search has the traces of Optimal-DPOR under SC,
 * and under RC11 the same executions as without skipping.
 */
import { expect, it } from 'vitest';
import { traceKey } from '../../../src/trace/trace-key.ts';
import { everything, forAll, forAllSketches, SKIPPED } from '../../support/for-all.ts';
import { keyOfSketch, RC11, SC, visitGraphs } from '../../support/graphs.ts';
import { visit } from '../../support/searches.ts';
import { buildProgram } from '../../support/sketch.ts';
import { buildSyncProgram, lockingSketches, printSyncSketch } from '../../support/sync-sketch.ts';
import { floor } from '../../support/tier.ts';

const SAMPLE = { from: lockingSketches(), count: 60, print: printSyncSketch };

it('has the traces of Optimal-DPOR under SC', () => {
  forAll(SAMPLE, (sketch) => {
    const program = buildSyncProgram(sketch);
    const optimal = visit(program, 'sc', 'optimal', 3000);
    if (optimal.bounds.length > 0) return SKIPPED;
    const graphs = visitGraphs(program, (_, machine, outcome) => `${outcome} ${traceKey(machine)}`, SC);
    expect([...graphs.keys].sort()).toEqual([...optimal.traces].sort());
    return undefined;
  });
});

it('loses nothing under RC11', () => {
  let fewer = 0;
  forAll(SAMPLE, (sketch) => {
    const program = buildSyncProgram(sketch, 'relaxed');
    // Under SC it has fewer executions.
    if (visit(program, 'sc', 'optimal', 300).bounds.length > 0) return SKIPPED;
    const key: Parameters<typeof visitGraphs>[1] = (_, machine, outcome) => `${outcome} ${traceKey(machine)}`;
    const all = visitGraphs(program, key, RC11, { knowsLocks: false, knowsRivals: false });
    const some = visitGraphs(program, key, RC11);
    expect([...some.keys].sort()).toEqual([...all.keys].sort());
    expect(some.result.errors.map(({ error }) => error.kind)).toEqual(all.result.errors.map(({ error }) => error.kind));
    if (some.result.abandoned < all.result.abandoned) fewer++;
    return undefined;
  });
  expect(fewer).toBeGreaterThan(floor(0));
});

it('loses nothing by leaving out read-modify-writes that have no place', () => {
  let fewer = 0;
  forAllSketches({ ...everything, threads: 3, totalOps: 8, locations: 1 }, 250, (sketch) => {
    const program = buildProgram(sketch);
    const all = visitGraphs(program, keyOfSketch(sketch), RC11, { knowsRivals: false });
    const some = visitGraphs(program, keyOfSketch(sketch), RC11);
    expect([...some.keys].sort()).toEqual([...all.keys].sort());
    if (some.result.abandoned < all.result.abandoned) fewer++;
  });
  expect(fewer).toBeGreaterThan(floor(0));
});
