/**
 * Phase 1 against its definition, and against the truth: on generated programs, the labels that it reports are those of
 * all sequences of events that Definitions 2 and 3 of [RELAXER] describe, found one by one; and every execution that SC
 * does not allow has one of the predicted cycles that its model is said to allow.
 */
import { describe, expect, it } from 'vitest';
import { Enumerator } from '../../../src/explore/enumerator.ts';
import { explore } from '../../../src/explore/explore.ts';
import { findInTrace } from '../../../src/explore/relaxer/confirm.ts';
import { accessKind, changes, labelOf } from '../../../src/explore/relaxer/label.ts';
import { Predictor } from '../../../src/explore/relaxer/predict.ts';
import * as ev from '../../../src/machine/events/event.ts';
import { Machine } from '../../../src/machine/machine.ts';
import { modelsWith } from '../../../src/models/index.ts';
import { type FunctionBuilder, int, ProgramBuilder } from '../../../src/program/builder.ts';
import { isAcyclic } from '../../../src/trace/cycle.ts';
import { ShashaSnirTrace } from '../../../src/trace/shasha-snir.ts';
import { Prng } from '../../../src/util/prng.ts';
import { everything, forAllSketches } from '../../support/for-all.ts';
import { buildProgram, type Sketch } from '../../support/sketch.ts';
import { floor } from '../../support/tier.ts';

/** One execution, at random. */
function run(sketch: Sketch, seed: number): Machine {
  const machine = new Machine(buildProgram(sketch), 'sc');
  const prng = new Prng(seed);
  while (machine.enabled() > 0) machine.step(machine.steps.get(prng.below(machine.steps.length)));
  return machine;
}

function predict(machine: Machine, cycleLength: number): Predictor {
  const predictor = new Predictor({ cycleLength, maxCycles: 100_000 });
  predictor.addExecution(machine.events);
  return predictor;
}

interface Access {
  readonly event: number;
  readonly thread: number;
  readonly address: number;
  readonly changes: boolean;
  readonly label: number;
}

function accessesOf({ events }: Machine): readonly Access[] {
  return Array.from({ length: events.length }, (_, event) => event)
    .filter((event) => accessKind(events, event) >= 0)
    .map((event) => ({
      event,
      thread: events.get(event, ev.E_THREAD),
      address: events.get(event, ev.E_ADDRESS),
      changes: changes(events, event),
      label: labelOf(events.get(event, ev.E_SITE), accessKind(events, event)),
    }));
}

const races = (a: Access, b: Access): boolean =>
  a.thread !== b.thread && a.address === b.address && (a.changes || b.changes);

/**
 * The cycles of up to `length` events, by trying all chains. Not those that decompose: two threads that race across the
 * cycle, or two events of one thread on one location; a single event of a thread only where its neighbours do not race.
 */
function bruteForce(machine: Machine, length: number): Set<string> {
  const accesses = accessesOf(machine);
  const found = new Set<string>();
  const extend = (chain: readonly (readonly [Access, Access])[]): void => {
    for (const first of accesses) {
      const before = chain.at(-1)?.[1];
      if (before !== undefined && !races(before, first)) continue;
      if (chain.some(([e]) => e.thread === first.thread)) continue;
      for (const second of accesses) {
        if (second.thread !== first.thread || second.event < first.event) continue;
        if (second !== first && second.address === first.address) continue;
        const next = [...chain, [first, second] as const];
        const closes = next.length > 1 && races(second, next[0]![0]);
        if (closes && isSimple(next)) found.add(canonical(next.flatMap(([e, f]) => [e.label, f.label])));
        if (2 * next.length < length) extend(next);
      }
    }
  };
  extend([]);
  return found;
}

function isSimple(cycle: readonly (readonly [Access, Access])[]): boolean {
  const n = cycle.length;
  return cycle.every(([first, second], i) => {
    const [before, after] = [cycle[(i + n - 1) % n]![1], cycle[(i + 1) % n]![0]];
    // A single event: its two neighbours must exist and must not race.
    if (first === second && (n === 2 || before.changes || after.changes || before.thread === after.thread))
      return false;
    return cycle.every(([e], j) => j === (i + 1) % n || j === i || !races(second, e));
  });
}

function canonical(labels: readonly number[]): string {
  const turns = Array.from({ length: labels.length / 2 }, (_, i) => [
    ...labels.slice(2 * i),
    ...labels.slice(0, 2 * i),
  ]);
  return turns.sort((a, b) => compare(a, b))[0]!.join();
}

function compare(a: readonly number[], b: readonly number[]): number {
  const i = a.findIndex((x, k) => x !== b[k]);
  return i < 0 ? 0 : a[i]! - b[i]!;
}

describe('prediction', () => {
  it.each([
    [4, 300],
    [6, 200],
    [8, 60],
  ])('finds exactly the cycles of up to %i events that the definition has', (length, numRuns) => {
    let count = 0;
    forAllSketches({ ...everything, threads: 4, totalOps: 9, locations: 3 }, numRuns, (sketch, seed) => {
      const machine = run(sketch, seed);
      const expected = bruteForce(machine, length);
      expect(new Set(predict(machine, length).cycles.map(({ labels }) => labels.join()))).toEqual(expected);
      count += expected.size;
    });
    expect(count).toBeGreaterThan(0);
  });

  it.each(modelsWith('hunt'))(
    'finds those of every execution beyond SC under %s, and knows that the model can have them',
    (model) => {
      let count = 0;
      // Without branches, all executions have the same accesses, so one run is enough for the prediction.
      const options = { ...everything, branches: false, cas: false, threads: 3, totalOps: 6, locations: 2 };
      const property = (sketch: Sketch, seed: number): void => {
        const { cycles } = predict(run(sketch, seed), 8);
        const machine = new Machine(buildProgram(sketch), model);
        explore(machine, new Enumerator(machine), {
          onExecution() {
            const trace = new ShashaSnirTrace(machine.events, machine.processes);
            const confirmed = cycles.filter(({ labels }) => findInTrace(trace, labels) !== undefined);
            const isBeyondSc = !isAcyclic(trace);
            expect(confirmed.length > 0).toBe(isBeyondSc);
            if (!isBeyondSc) return;
            count++;
            expect(confirmed.filter(({ models }) => !models.has(model))).toEqual([]);
          },
        });
      };
      forAllSketches(options, 150, property);
      expect(count).toBeGreaterThan(floor(0));
    },
  );

  it('finds a cycle of 8 events in which the last link has only its fourth best location left', () => {
    const program = new ProgramBuilder('shared places');
    const cells = ['a', 'b', 'c', 'd'].map((name) => program.global(name, 'i32'));
    /** All calls of it are the same place in the program. */
    const access = (name: string, isStore: boolean): FunctionBuilder => {
      const f = program.function(name, [{ name: 'at', type: 'i32' }]);
      if (isStore) f.store(0, int(1));
      else f.load(f.register('value', 'i32'), 0);
      f.return();
      return f;
    };
    const thread = (name: string, ...calls: readonly [boolean, string][]): void => {
      const f = program.function(name);
      const [first, last] = [access(`${name} first`, true), access(`${name} last`, false)];
      for (const [isFirst, at] of calls) {
        for (const cell of at) f.call(undefined, isFirst ? first : last, [cells['abcd'.indexOf(cell)]!]);
      }
      f.return();
      program.root(name, f);
    };
    // One thread's last access races with the next one's first: at a, at b, at c, and then at any of the four.
    thread('t0', [true, 'abcd'], [false, 'a']);
    thread('t1', [true, 'a'], [false, 'b']);
    thread('t2', [true, 'b'], [false, 'c']);
    thread('t3', [true, 'c'], [false, 'abcd']);
    const machine = new Machine(program.build(), 'sc');
    while (machine.enabled() > 0) machine.step(machine.steps.get(0));
    const threads = (labels: readonly number[]): number =>
      new Set(labels.map((l) => machine.code.sites[l >> 2]!.func)).size;
    const longest = predict(machine, 8).cycles.filter(({ labels }) => labels.length === 8 && threads(labels) === 8);
    expect(longest).toHaveLength(1);
    expect(bruteForce(machine, 8).has(canonical(longest[0]!.labels))).toBe(true);
  });

  it('stops at the largest number of cycles, and says so', () => {
    const sketch: Sketch = [
      Array.from({ length: 6 }, (_, i) => ({ op: 'store', location: i % 3, value: 1, order: 'plain' })),
      Array.from({ length: 6 }, (_, i) => ({ op: 'load', location: i % 3, order: 'plain' })),
    ];
    const machine = run(sketch, 1);
    const all = predict(machine, 4);
    expect(all.isCut).toBe(false);
    const some = new Predictor({ cycleLength: 4, maxCycles: 5 });
    some.addExecution(machine.events);
    expect(some.isCut).toBe(true);
    expect(some.cycles).toHaveLength(5);
    expect(all.cycles.length).toBeGreaterThan(5);
  });
});
