/** Every violation comes with an execution of the relaxed model that shows it: it replays, and has the cycle. */
import { describe, expect, it } from 'vitest';
import { MachineDpor } from '../../src/explore/dpor/machine/machine-dpor.ts';
import { explore } from '../../src/explore/explore.ts';
import { Replay } from '../../src/explore/replay.ts';
import { parseSchedule } from '../../src/explore/schedule.ts';
import { modelsWith } from '../../src/models/index.ts';
import { Alarms } from '../../src/pipelines/alarms.ts';
import type { Program } from '../../src/program/ir.ts';
import { isAcyclic } from '../../src/trace/cycle.ts';
import { settle } from '../../src/trace/settle.ts';
import { ShashaSnirTrace } from '../../src/trace/shasha-snir.ts';
import { everything, forAll, forAllSketches } from '../support/for-all.ts';
import { ALL_MONITORS, machineFor } from '../support/monitoring.ts';
import { buildProgram } from '../support/sketch.ts';
import { buildSyncProgram, printSyncSketch, racySyncSketches } from '../support/sync-sketch.ts';
import { floor } from '../support/tier.ts';

/** The number of violations of the program, all of which have been checked. */
function showAll(program: Program): number {
  const sc = machineFor(program, 'sc');
  const alarms = new Alarms(sc, { monitors: ALL_MONITORS, models: modelsWith('monitors') });
  explore(sc, new MachineDpor(sc, 'optimal'), {
    followers: [alarms],
    keepGoing: true,
    onExecution: () => alarms.conclude(),
  });
  for (const { model, cycle, harm } of alarms.found) {
    expect(cycle, 'cycle').toBeDefined();
    const machine = machineFor(program, model);
    const replay = new Replay(parseSchedule(machine, cycle!.schedule));
    explore(machine, replay);
    expect(replay.taken).toBe(replay.length);
    expect(isAcyclic(new ShashaSnirTrace(settle(machine.events), machine.processes))).toBe(false);
    if (harm === undefined) continue;
    machine.rollback(0);
    const [found] = explore(machine, new Replay(parseSchedule(machine, harm.schedule))).errors;
    expect(found?.error).toEqual(harm.error);
  }
  return alarms.found.length;
}

describe('executions show violations', () => {
  it('of programs of stores, loads, atomic operations, fences and branches', () => {
    let shown = 0;
    const taken = forAllSketches({ ...everything, threads: 3, totalOps: 7 }, 500, (sketch) => {
      shown += showAll(buildProgram(sketch));
    });
    // Otherwise the generator has become too tame.
    expect(shown).toBeGreaterThan(floor(taken / 50));
  });

  it('of programs with synchronisation of all kinds', () => {
    let shown = 0;
    const taken = forAll({ from: racySyncSketches(), count: 200, print: printSyncSketch }, (sketch) => {
      shown += showAll(buildSyncProgram(sketch));
    });
    expect(shown).toBeGreaterThan(floor(taken / 40));
  });
});
