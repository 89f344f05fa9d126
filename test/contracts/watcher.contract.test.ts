/**
 * Results add up: for every watcher, a search run in parts, each on its own machine, finds in total what a single
 * search finds, however neighbouring parts are merged.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Bound, Bounds } from '../../src/explore/bound.ts';
import { MachineDpor } from '../../src/explore/dpor/machine/machine-dpor.ts';
import type { SearchState } from '../../src/explore/dpor/search-state.ts';
import { Exploration } from '../../src/explore/explore.ts';
import type { Follower } from '../../src/explore/strategy.ts';
import { Tally } from '../../src/explore/tally.ts';
import type { Watcher } from '../../src/explore/watcher.ts';
import { Machine } from '../../src/machine/machine.ts';
import { type Model, modelNamed, modelsWith } from '../../src/models/index.ts';
import { causalMonitor } from '../../src/monitor/monitors.ts';
import { Alarms } from '../../src/pipelines/alarms.ts';
import { Robustness } from '../../src/pipelines/robustness.ts';
import { Warnings } from '../../src/pipelines/warnings.ts';
import type { Program } from '../../src/program/ir.ts';
import '../support/copied-model.ts';
import { everything } from '../support/for-all.ts';
import { sketches } from '../support/generate.ts';
import { buildProgram } from '../support/sketch.ts';
import { buildSyncProgram, syncSketches } from '../support/sync-sketch.ts';

interface Watched {
  readonly watcher: Watcher<unknown>;
  readonly followers: readonly Follower[];
}

interface Kind {
  readonly name: string;
  readonly model: Model;
  watch(machine: Machine, dpor: MachineDpor): Watched;
  /** An empty one to merge into. */
  empty(machine: Machine): Watcher<unknown>;
}

const MONITORS = modelsWith('monitors').map(causalMonitor);

function alarmKind(name: string, firstOnly: boolean): Kind {
  return {
    name,
    model: 'sc',
    watch: (machine, dpor) => {
      const watcher = new Alarms(machine, MONITORS, { firstOnly, order: dpor.happensBefore });
      return { watcher, followers: [watcher] };
    },
    empty: (machine) => new Alarms(machine, MONITORS, { firstOnly }),
  };
}

function counts(model: Model): Kind {
  return {
    name: `counts, errors and bounds under ${model}`,
    model,
    watch: () => ({ watcher: new Tally(), followers: [] }),
    empty: () => new Tally(),
  };
}

function warnings(model: Model): Kind {
  return {
    name: `warnings under ${model}`,
    model,
    watch: (machine, dpor) => {
      const watcher = new Warnings(machine);
      return { watcher, followers: [watcher.follow(dpor)] };
    },
    empty: (machine) => new Warnings(machine),
  };
}

function robustness(model: Model): Kind {
  return {
    name: `robustness under ${model}`,
    model,
    watch: () => ({ watcher: new Robustness(), followers: [] }),
    empty: () => new Robustness(),
  };
}

/** The models that allow the most orders. */
const WEAK = modelsWith('dpor').filter((model) => modelNamed(model).buffers === 'location');

const kinds: readonly Kind[] = [
  ...modelsWith('dpor').map(counts),
  ...WEAK.flatMap((model) => [warnings(model), robustness(model)]),
  alarmKind('alarms', false),
  alarmKind('first alarms', true),
];

/** The results of a watcher after each part of `piece` executions, as another process would get them. */
function inParts(program: Program, kind: Kind, piece: number): unknown[] {
  const saved: unknown[] = [];
  let state: string | undefined;
  for (let isDone = false; !isDone; ) {
    const machine = newMachine(program, kind.model);
    const dpor =
      state === undefined
        ? new MachineDpor(machine, 'optimal')
        : MachineDpor.restore(machine, JSON.parse(state) as SearchState);
    const { watcher, followers } = kind.watch(machine, dpor);
    const exploration = new Exploration(machine, dpor, {
      keepGoing: true,
      maxExecutions: piece,
      followers,
      onExecution: (m, outcome) => {
        if (outcome !== 'limit') watcher.conclude(m, outcome);
      },
    });
    exploration.advance(Number.POSITIVE_INFINITY);
    isDone = exploration.result.bounds.every((bound) => bound !== `executions: ${piece}`);
    if (!isDone) state = JSON.stringify(dpor.save());
    saved.push(JSON.parse(JSON.stringify(watcher.save())));
  }
  return saved;
}

function newMachine(program: Program, model: Model): Machine {
  return new Machine(program, model, program.roots.length === 1 ? { threads: 6 } : {}, { spin: true, unroll: 3 });
}

function merge(kind: Kind, program: Program, parts: readonly unknown[]): unknown {
  const watcher = kind.empty(newMachine(program, kind.model));
  for (const part of parts) watcher.merge(part);
  return JSON.parse(JSON.stringify(watcher.save()));
}

const programs = fc.oneof(
  sketches({ ...everything, threads: 3, totalOps: 6 }).map(buildProgram),
  syncSketches().map(buildSyncProgram),
);

describe.each(kinds)('$name', (kind) => {
  it('of the parts of a search are those of the whole, however they are merged', () => {
    fc.assert(
      fc.property(programs, fc.integer({ min: 1, max: 4 }), fc.nat(), (program, piece, at) => {
        const [whole, ...rest] = inParts(program, kind, 300);
        if (rest.length > 0) return;
        const parts = inParts(program, kind, piece);
        expect(merge(kind, program, parts)).toEqual(whole);
        const cut = at % (parts.length + 1);
        const halves = [parts.slice(0, cut), parts.slice(cut)].map((half) => merge(kind, program, half));
        expect(merge(kind, program, halves)).toEqual(whole);
      }),
      { numRuns: 25 },
    );
  });
});

it('bounds: each once, in order of occurrence', () => {
  const [a, b, c]: readonly Bound[] = [
    { kind: 'unroll', limit: 3, place: undefined },
    { kind: 'steps', limit: 3, forLackOfMemory: false },
    { kind: 'stopped', why: 'interrupted' },
  ];
  const bounds = new Bounds();
  for (const part of [[a!, b!], [], [b!, c!, a!]]) bounds.merge(part);
  expect(bounds.save()).toEqual([a, b, c]);
});
