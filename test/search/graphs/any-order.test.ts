/**
 * The search over execution graphs in any order, by any number of workers, some of which vanish, and saved and resumed,
 * visits exactly the executions of a single search, each once, and finds the same errors.
 */
import type fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Exploration, explore } from '../../../src/explore/explore.ts';
import { axiomsOf } from '../../../src/explore/graph/axioms.ts';
import { GraphSearch } from '../../../src/explore/graph/search.ts';
import { printSchedule, scheduleOf } from '../../../src/explore/schedule.ts';
import { Machine } from '../../../src/machine/machine.ts';
import { type Model, modelNamed } from '../../../src/models/index.ts';
import type { Program } from '../../../src/program/ir.ts';
import { searchDivided } from '../../support/any-order.ts';
import { everything, forAll, SKIPPED } from '../../support/for-all.ts';
import { sketches } from '../../support/generate.ts';
import { withoutPlain } from '../../support/graphs.ts';
import { buildProgram, printSketch } from '../../support/sketch.ts';
import { buildSyncProgram, conditionalSyncSketches, printSyncSketch, syncSketches } from '../../support/sync-sketch.ts';

interface Sample {
  readonly program: Program;
  toString(): string;
}

const accesses = sketches({ ...everything, threads: 4, totalOps: 7, locations: 2 })
  .filter((sketch) => sketch.length > 0)
  .map((sketch) => ({ program: buildProgram(withoutPlain(sketch)), toString: () => printSketch(sketch) }));

const synchronised = (from: ReturnType<typeof syncSketches>): fc.Arbitrary<Sample> =>
  from.map((sketch) => ({ program: buildSyncProgram(sketch), toString: () => printSyncSketch(sketch) }));

const KINDS: readonly [string, number, fc.Arbitrary<Sample>][] = [
  ['accesses', 40, accesses],
  ['locks, conditions, joins, choices, loops', 40, synchronised(syncSketches())],
  ['what is done depends on what was read', 20, synchronised(conditionalSyncSketches())],
];

const MODELS: readonly Model[] = ['rc11', 'sc', 'tso', 'pso'];
/** More would take too long. */
const MOST = 150;
const FEW = { threads: 6 };
const PATIENCE = { patience: 1 };
const sums = { divided: 0, lost: 0, searches: 0, pieces: 0 };

const searchOf = (machine: Machine): GraphSearch => new GraphSearch(machine, axiomsOf(modelNamed(machine.model)));
/** A schedule determines what every read reads, and the place of every write. */
const keyOf = (machine: Machine): string => printSchedule(machine, scheduleOf(machine));

function machineFor(program: Program, model: Model): Machine {
  return new Machine(program, model, program.roots.length === 1 ? FEW : {}, { ...PATIENCE, graphs: true });
}

/** Outcome and schedule of every execution; `undefined` if there are too many, or if the search did not finish. */
function alone(program: Program, model: Model): readonly string[] | undefined {
  const machine = machineFor(program, model);
  const traces: string[] = [];
  const { bounds } = explore(machine, searchOf(machine), {
    keepGoing: true,
    maxExecutions: MOST,
    onExecution: (_, outcome) => {
      traces.push(`${outcome} ${keyOf(machine)}`);
    },
  });
  return bounds.length > 0 ? undefined : traces;
}

/** The same when the search moves to a new machine after every `piece` executions. */
function inPieces(program: Program, model: Model, piece: number): readonly string[] {
  const traces: string[] = [];
  let saved: string | undefined;
  for (let isDone = false; !isDone; sums.pieces++) {
    const machine = machineFor(program, model);
    const search = searchOf(machine);
    if (saved !== undefined) search.resume(JSON.parse(saved));
    const exploration = new Exploration(machine, search, {
      keepGoing: true,
      onExecution: (_, outcome) => {
        traces.push(`${outcome} ${keyOf(machine)}`);
      },
    });
    do isDone = exploration.advanceExecutions(piece);
    while (!isDone && search.isReplaying);
    saved = JSON.stringify(search.save().levels);
  }
  return traces;
}

describe('parts in any order visit what the whole search visits', () => {
  it.each(KINDS)('of %s: %d programs', (_, count, from) => {
    forAll({ from, count, print: String, compared: 0.5 }, ({ program }, seed) => {
      let compared = 0;
      for (const [i, model] of MODELS.entries()) {
        const expected = alone(program, model);
        if (expected === undefined) continue;
        compared++;
        const workers = 1 + ((seed + i) % 4);
        const found = searchDivided(program, model, {
          workers,
          seed: seed + i,
          maxExecutions: 3 * MOST,
          machine: { ...PATIENCE, graphs: true },
          key: keyOf,
          search: searchOf,
        });
        expect([...found.traces].sort(), `${model}, ${workers} workers`).toEqual([...expected].sort());
        expect(inPieces(program, model, 1 + ((seed + i) % 5)), `${model}, in pieces`).toEqual(expected);
        sums.searches++;
        sums.divided += found.divided;
        sums.lost += found.lost;
      }
      return compared === 0 ? SKIPPED : undefined;
    });
  });

  // Otherwise nothing has been tested.
  it('jobs were divided and lost, and searches resumed', () => {
    expect(sums.divided).toBeGreaterThan(sums.searches / 2);
    expect(sums.lost).toBeGreaterThan(sums.searches / 4);
    expect(sums.pieces).toBeGreaterThan(2 * sums.searches);
  });
});
