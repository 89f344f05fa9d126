/** Where race freedom makes the search under RC11 unnecessary, RC11 has the executions of SC and no race. */
import type fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MachineDpor } from '../../../src/explore/dpor/machine/machine-dpor.ts';
import { explore } from '../../../src/explore/explore.ts';
import { Machine } from '../../../src/machine/machine.ts';
import { RaceFreedom } from '../../../src/pipelines/race-freedom.ts';
import type { Instruction, Program } from '../../../src/program/ir.ts';
import { everything, forAll, forAllSketches } from '../../support/for-all.ts';
import { visitGraphs } from '../../support/graphs.ts';
import { buildProgram } from '../../support/sketch.ts';
import {
  buildSyncProgram,
  conditionalSyncSketches,
  printSyncSketch,
  racySyncSketches,
  type SyncSketch,
  syncSketches,
} from '../../support/sync-sketch.ts';
import { floor } from '../../support/tier.ts';

/** With other orders: every atomic access becomes seq_cst; plain ones too, where the location is even. */
function strengthen(program: Program, locations: (global: number) => boolean): Program {
  const change = (i: Instruction): Instruction => {
    if (i.op === 'fence' || !('order' in i)) return i;
    const isPlain = i.order === 'plain' || i.order === 'volatile';
    const isChosen = 'address' in i && i.address.kind === 'global' && locations(i.address.index);
    if (isPlain && !isChosen) return i;
    return { ...i, order: 'seq_cst', ...('failureOrder' in i ? { failureOrder: 'seq_cst' } : {}) } as Instruction;
  };
  const functions = program.functions.map((f) => ({
    ...f,
    blocks: f.blocks.map((b) => ({ ...b, body: b.body.map(change) })),
  }));
  return { ...program, functions } as Program;
}

let freed = 0;

function compare(program: Program): void {
  const machine = new Machine(program, 'sc', program.roots.length === 1 ? { threads: 6 } : {}, { interpret: true });
  const freedom = new RaceFreedom();
  const sc = explore(machine, new MachineDpor(machine, 'optimal'), {
    keepGoing: true,
    maxExecutions: 2000,
    onExecution: () => freedom.conclude(machine),
  });
  if (!freedom.holds || sc.errors.length > 0 || sc.bounds.length > 0) return;
  freed++;
  const rc11 = visitGraphs(program, () => '');
  if (rc11.result.bounds.length > 0) return;
  expect(rc11.result.errors).toEqual([]);
  expect(rc11.result.executions).toBe(sc.executions);
  expect(rc11.result.blocked).toBe(sc.blocked);
}

const SKETCHES: readonly (readonly [string, fc.Arbitrary<SyncSketch>])[] = [
  ['locks, conditions, semaphores, creation and joins', syncSketches()],
  ['little that orders', racySyncSketches()],
  ['what is done depends on what was read', conditionalSyncSketches()],
];

describe('programs without races have the executions of SC', () => {
  it.each(SKETCHES)('with %s', (_, from) => {
    forAll({ from, count: 150, print: printSyncSketch }, (sketch) => {
      compare(strengthen(buildSyncProgram(sketch), () => true));
      compare(strengthen(buildSyncProgram(sketch), (global) => global % 2 === 0));
    });
  });

  it('with accesses alone', () => {
    forAllSketches({ ...everything, threads: 3, totalOps: 7, locations: 3 }, 200, (sketch) => {
      compare(strengthen(buildProgram(sketch), () => true));
      compare(strengthen(buildProgram(sketch), (global) => global > 0));
    });
  });

  it('and were generated often', () => {
    expect(freed).toBeGreaterThan(floor(300));
  });
});
