/**
 * Results add up: for every watcher, a search run in parts, each on its own machine, finds in total what a single
 * search finds, however neighbouring parts are merged.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Bound, Bounds } from '../../src/explore/bound.ts';
import { MachineDpor } from '../../src/explore/dpor/machine/machine-dpor.ts';
import type { SearchState } from '../../src/explore/dpor/search-state.ts';
import { Exploration, explore } from '../../src/explore/explore.ts';
import { Random } from '../../src/explore/random.ts';
import type { Follower } from '../../src/explore/strategy.ts';
import { type SavedTally, Tally } from '../../src/explore/tally.ts';
import type { Watcher } from '../../src/explore/watcher.ts';
import { parseLitmus } from '../../src/frontend/litmus/litmus.ts';
import { Machine } from '../../src/machine/machine.ts';
import { type Model, modelNamed, modelsWith } from '../../src/models/index.ts';
import { causalMonitoring } from '../../src/monitor/monitors.ts';
import { CHECK, type CheckChoices } from '../../src/options/check.ts';
import { defaultsOf } from '../../src/options/option.ts';
import { Alarms, type SavedAlarms } from '../../src/pipelines/alarms.ts';
import { Coverage } from '../../src/pipelines/coverage.ts';
import { RaceFreedom, type SavedRaceFreedom } from '../../src/pipelines/race-freedom.ts';
import { Robustness, type SavedRobustness } from '../../src/pipelines/robustness.ts';
import { watchersOf } from '../../src/pipelines/search-watchers.ts';
import { type SavedLoops, SearchedLoops } from '../../src/pipelines/searched-loops.ts';
import { type SavedWarnings, Warnings } from '../../src/pipelines/warnings.ts';
import type { SavedFindings } from '../../src/pipelines/watchers.ts';
import type { Program } from '../../src/program/ir.ts';
import '../support/copied-model.ts';
import { everything, forAll, SKIPPED } from '../support/for-all.ts';
import { sketches } from '../support/generate.ts';
import { buildProgram, load, printSketch, store } from '../support/sketch.ts';
import { buildSyncProgram, printSyncSketch, syncSketches } from '../support/sync-sketch.ts';
import { floor } from '../support/tier.ts';

interface Watched {
  readonly watcher: Watcher<unknown>;
  readonly loops?: SearchedLoops;
  readonly followers: readonly Follower[];
}

interface Kind {
  readonly name: string;
  readonly model: Model;
  /** Whether loops run on; otherwise they are bounded. */
  readonly isUnbounded?: boolean;
  watch(machine: Machine, dpor: MachineDpor): Watched;
  /** What some samples must show: otherwise a merge that loses it would go unnoticed. */
  readonly shown: Readonly<Record<string, (saved: unknown) => boolean>>;
}

const isSome = (found: readonly unknown[] | undefined): boolean => (found ?? []).length > 0;
const hasAlarm = (saved: unknown): boolean => isSome((saved as SavedAlarms).found);
const hasWarning = (saved: unknown): boolean => isSome(saved as SavedWarnings);
const hasCycle = (saved: unknown): boolean => (saved as SavedRobustness).cyclic > 0;
const hasRace = (saved: unknown): boolean => (saved as SavedRaceFreedom).isOpen;
const hasLoop = (saved: unknown): boolean => isSome(saved as SavedLoops);

const MONITORS = causalMonitoring(modelsWith('monitors'));

function alarms(name: string, firstOnly: boolean): Kind {
  return {
    name,
    model: 'sc',
    watch: (machine, dpor) => {
      const watcher = new Alarms(machine, MONITORS, { firstOnly, order: dpor.happensBefore });
      return { watcher, followers: [watcher] };
    },
    shown: { alarms: hasAlarm },
  };
}

function counts(model: Model): Kind {
  return {
    name: `counts, errors and bounds under ${model}`,
    model,
    watch: () => ({ watcher: new Tally(), followers: [] }),
    shown: {
      errors: (saved) => isSome((saved as SavedTally).errors),
      bounds: (saved) => isSome((saved as SavedTally).bounds),
      blocked: (saved) => (saved as SavedTally).counts.blockedBy.unroll > 0,
    },
  };
}

function warnings(model: Model): Kind {
  return {
    name: `warnings under ${model}`,
    model,
    watch: (machine, dpor) => {
      const watcher = new Warnings(machine);
      return { watcher, followers: watcher.follow(dpor) };
    },
    shown: { warnings: hasWarning },
  };
}

function robustness(model: Model): Kind {
  return {
    name: `robustness under ${model}`,
    model,
    watch: () => ({ watcher: new Robustness(), followers: [] }),
    shown: { cycles: hasCycle },
  };
}

const freedom: Kind = {
  name: 'race freedom',
  model: 'sc',
  watch: () => ({ watcher: new RaceFreedom(), followers: [] }),
  shown: { races: hasRace, 'no races': (saved) => !hasRace(saved) },
};

const loops: Kind = {
  name: 'searched loops',
  model: 'sc',
  isUnbounded: true,
  watch: () => {
    const watcher = new SearchedLoops();
    return { watcher, loops: watcher, followers: [] };
  },
  shown: { loops: hasLoop },
};

/** All that `check` watches, as it combines them. */
function everyWatcher(model: Model): Kind {
  const part = (saved: unknown): SavedFindings => saved as SavedFindings;
  return {
    name: `everything under ${model}`,
    model,
    isUnbounded: true,
    watch: (machine, dpor) => {
      const options = { ...defaultsOf<CheckChoices>(CHECK), models: [model], robust: true };
      const search = { program: machine.program, machine, name: 'optimal', strategy: dpor, dpor, options } as const;
      const parts = model === 'sc' ? { watched: { ...MONITORS, firstOnly: true }, freedom: new RaceFreedom() } : {};
      const watchers = watchersOf({ ...search, commuting: false, elapsed: () => 0 }, parts);
      const followers = [
        ...watchers.warnings.follow(dpor),
        ...(watchers.alarms === undefined ? [] : [watchers.alarms]),
      ];
      return { watcher: watchers, loops: watchers.loops, followers };
    },
    shown: {
      warnings: (saved) => hasWarning(part(saved).warnings),
      loops: (saved) => hasLoop(part(saved).loops),
      ...(model === 'sc'
        ? { alarms: (saved) => hasAlarm(part(saved).alarms), races: (saved) => hasRace(part(saved).freedom) }
        : { cycles: (saved) => hasCycle(part(saved).robustness) }),
    },
  };
}

/** The models that allow the most orders. */
const WEAK = modelsWith('dpor').filter((model) => modelNamed(model).buffers === 'location');

const kinds: readonly Kind[] = [
  ...modelsWith('dpor').map(counts),
  ...WEAK.flatMap((model) => [warnings(model), robustness(model), everyWatcher(model)]),
  alarms('alarms', false),
  alarms('first alarms', true),
  freedom,
  loops,
  everyWatcher('sc'),
];

/** Executions of a loop that runs on are cut here. */
const MAX_DEPTH = 40;

/** The results of a watcher after each part of `piece` executions, as another process would get them. */
function inParts(program: Program, kind: Kind, piece: number): unknown[] {
  const saved: unknown[] = [];
  let state: string | undefined;
  for (let isDone = false; !isDone; ) {
    const machine = newMachine(program, kind);
    const dpor =
      state === undefined
        ? new MachineDpor(machine, 'optimal')
        : MachineDpor.restore(machine, JSON.parse(state) as SearchState);
    const { watcher, followers, loops } = kind.watch(machine, dpor);
    const exploration = new Exploration(machine, dpor, {
      keepGoing: true,
      maxExecutions: piece,
      maxDepth: MAX_DEPTH,
      followers,
      onExecution: (m, outcome) => {
        if (outcome !== 'limit') watcher.conclude(m, outcome);
      },
      onCut: (m) => loops?.cut(m),
    });
    exploration.advance(Number.POSITIVE_INFINITY);
    isDone = exploration.result.bounds.every((bound) => bound !== `executions: ${piece}`);
    if (!isDone) state = JSON.stringify(dpor.save());
    saved.push(JSON.parse(JSON.stringify(watcher.save())));
  }
  return saved;
}

function newMachine(program: Program, { model, isUnbounded }: Kind): Machine {
  const loops = isUnbounded === true ? { awaits: true } : { unroll: 2 };
  return new Machine(program, model, program.roots.length === 1 ? { threads: 6 } : {}, { spin: true, ...loops });
}

function merge(kind: Kind, program: Program, parts: readonly unknown[]): unknown {
  const machine = newMachine(program, kind);
  const { watcher } = kind.watch(machine, new MachineDpor(machine, 'optimal'));
  for (const part of parts) watcher.merge(part);
  return JSON.parse(JSON.stringify(watcher.save()));
}

/** One thread waits in a loop, or runs round it for ever; the other may let it go. */
const looping = fc
  .tuple(
    fc.constantFrom('MOV [y],$1', 'MOV EBX,[y]', 'XCHG [y],EBX', 'MOV EBX,[x]'),
    fc.array(fc.constantFrom('MOV [x],$1', 'MOV [y],$1', 'MOV EAX,[y]'), { maxLength: 2 }),
  )
  .map(([body, other]) => {
    const rows = ['MOV EBX,$1', `L: ${body}`, 'MOV EAX,[x]', 'CMP EAX,$1', 'JNE L'].map(
      (op, i) => `${op} | ${other[i] ?? ''}`,
    );
    return `X86 loop\n{ }\n P0 | P1 ;\n${rows.map((row) => ` ${row} ;\n`).join('')}exists (true)\n`;
  });

interface Sample {
  readonly program: Program;
  readonly text: string;
}

const samplesOf = <T>(from: fc.Arbitrary<T>, print: (sample: T) => string, build: (sample: T) => Program) =>
  from.map((sample): Sample => ({ program: build(sample), text: print(sample) }));

const programs = fc.oneof(
  samplesOf(
    sketches({ ...everything, threads: 3, totalOps: 6 }).filter(({ length }) => length > 0),
    printSketch,
    (sketch) => buildProgram(sketch),
  ),
  samplesOf(
    sketches({ threads: 2, totalOps: 7 }).filter(({ length }) => length > 0),
    printSketch,
    (sketch) => buildProgram(sketch),
  ),
  samplesOf(syncSketches(), printSyncSketch, (sketch) => buildSyncProgram(sketch)),
  samplesOf(
    looping,
    (text) => text,
    (text) => parseLitmus(text, 'loops.litmus').program,
  ),
);

describe.each(kinds)('$name', (kind) => {
  it('of the parts of a search are those of the whole, however they are merged', () => {
    const shown = new Map(Object.keys(kind.shown).map((what) => [what, 0]));
    forAll({ from: programs, count: 25, print: ({ text }) => text, compared: 0.9 }, ({ program }, seed) => {
      const [whole, ...rest] = inParts(program, kind, 300);
      if (rest.length > 0) return SKIPPED;
      const parts = inParts(program, kind, 1 + (seed % 4));
      for (const [what, isShown] of Object.entries(kind.shown))
        if (isShown(whole)) shown.set(what, shown.get(what)! + 1);
      expect(merge(kind, program, parts)).toEqual(whole);
      const cut = seed % (parts.length + 1);
      const halves = [parts.slice(0, cut), parts.slice(cut)].map((half) => merge(kind, program, half));
      expect(merge(kind, program, halves)).toEqual(whole);
      return undefined;
    });
    for (const [what, times] of shown) expect(times, `samples with ${what}`).toBeGreaterThan(floor(0));
  });
});

it('coverage: what parts have collected adds up, in the order of runs', () => {
  const program = buildProgram([
    [store(0, 1), load(1)],
    [store(1, 1), load(0)],
  ]);
  const runs = 40;
  const cover = (coverage: Coverage, from: number, to: number): void => {
    const machine = new Machine(program, 'tso');
    const random = new Random(1, to);
    random.next = from;
    explore(machine, random, { onExecution: (m) => coverage.conclude(m) });
  };
  const whole = new Coverage();
  cover(whole, 0, runs);
  const [one, other] = [new Coverage(), new Coverage()];
  other.collect();
  cover(one, 0, 15);
  cover(other, 15, runs);
  one.add(other.collect());
  expect(one.result).toEqual(whole.result);
  expect(whole.result).toMatchObject({
    runs,
    traces: expect.toSatisfy((traces: number) => traces > 2 && traces < runs),
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
