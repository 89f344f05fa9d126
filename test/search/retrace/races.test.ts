/**
 * Accesses that can happen at the same time: Retrace finds them while it adds events, in parts of executions that are
 * in no real order. They are those of the happens-before of complete executions, and those of Optimal-DPOR.
 */
import type fc from 'fast-check';
import { expect, it } from 'vitest';
import { MachineDpor } from '../../../src/explore/dpor/machine/machine-dpor.ts';
import { type ExploreOptions, explore } from '../../../src/explore/explore.ts';
import { Retrace } from '../../../src/explore/retrace/retrace.ts';
import type { Follower, Strategy } from '../../../src/explore/strategy.ts';
import * as ev from '../../../src/machine/events/event.ts';
import { Machine } from '../../../src/machine/machine.ts';
import type { Model } from '../../../src/models/index.ts';
import type { Program } from '../../../src/program/ir.ts';
import { HappensBefore } from '../../../src/trace/happens-before.ts';
import { RacesOfSearch, RacesOfTrace, SimultaneousAccesses } from '../../../src/trace/simultaneous.ts';
import { everything, forAll, SKIPPED } from '../../support/for-all.ts';
import { sketches } from '../../support/generate.ts';
import {
  buildOverlapping,
  buildWaiting,
  overlappingSketches,
  printOverlapping,
  printWaiting,
  waitingSketches,
} from '../../support/retracing.ts';
import { DPOR_MODELS } from '../../support/searches.ts';
import { buildSizedProgram, sizedSketches } from '../../support/sized-sketch.ts';
import { buildProgram, printSketch } from '../../support/sketch.ts';
import { buildSyncProgram, printSyncSketch, syncSketches } from '../../support/sync-sketch.ts';

type Attach = (machine: Machine, strategy: Strategy, accesses: SimultaneousAccesses) => readonly Follower[];

const MOST = 400;

/** Pairs of sites, sorted; `undefined` if the search did not cover everything. */
function racesOf(
  program: Program,
  model: Model,
  make: (machine: Machine) => Strategy,
  attach: Attach,
): readonly string[] | undefined {
  const machine = new Machine(program, model, program.roots.length === 1 ? { threads: 6 } : {}, { patience: 1 });
  const found = new Set<string>();
  const accesses = new SimultaneousAccesses(machine, (first, second) => {
    const sites = [first, second].map((event) => machine.events.get(event, ev.E_SITE));
    found.add(sites.sort((a, b) => a - b).join(' '));
  });
  const strategy = make(machine);
  const options: ExploreOptions = { keepGoing: true, maxExecutions: MOST };
  let hasFailed = false;
  const { bounds } = explore(machine, strategy, {
    ...options,
    followers: attach(machine, strategy, accesses),
    onExecution: (_, outcome) => {
      hasFailed ||= outcome === 'error';
    },
  });
  return bounds.length > 0 || hasFailed ? undefined : [...found].sort();
}

const itself: Attach = (_, strategy, accesses) => {
  strategy.watchRaces!(accesses);
  return [];
};
const ofTraces: Attach = (machine, _, accesses) => [new RacesOfTrace(new HappensBefore(machine), accesses)];
const ofSearch: Attach = (_, strategy, accesses) => [
  new RacesOfSearch((strategy as MachineDpor).happensBefore, accesses),
];

const sums = { programs: 0, races: 0 };

function compare(program: Program): typeof SKIPPED | undefined {
  let compared = 0;
  for (const model of DPOR_MODELS) {
    const retrace = (machine: Machine): Strategy => new Retrace(machine);
    const found = racesOf(program, model, retrace, itself);
    if (found === undefined) continue;
    compared++;
    sums.programs++;
    sums.races += found.length;
    expect(found, `${model}, of traces`).toEqual(racesOf(program, model, retrace, ofTraces));
    const optimal = (machine: Machine): Strategy => new MachineDpor(machine, 'optimal');
    expect(found, `${model}, of optimal`).toEqual(racesOf(program, model, optimal, ofSearch));
  }
  return compared === 0 ? SKIPPED : undefined;
}

const check = <T>(count: number, from: fc.Arbitrary<T>, build: (sketch: T) => Program, print: (sketch: T) => string) =>
  forAll({ from, count, print, compared: 0.2 }, (sketch) => compare(build(sketch)));

it('loads, stores, read-modify-writes, fences', () =>
  check(
    100,
    sketches({ ...everything, threads: 4, totalOps: 7 }).filter((sketch) => sketch.length > 0),
    buildProgram,
    printSketch,
  ));
it('locks, conditions, joins, frees, choices, loops', () =>
  check(60, syncSketches(), buildSyncProgram, printSyncSketch));
it('several sizes', () => check(60, sizedSketches(3, 6), buildSizedProgram, String));
it('accesses that overlap', () => check(20, overlappingSketches, buildOverlapping, printOverlapping));

it('awaits', () => check(60, waitingSketches, buildWaiting, printWaiting));

it('there were races', () => {
  expect(sums.races).toBeGreaterThan(sums.programs);
});
