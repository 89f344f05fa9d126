/**
 * The reason why SC does not allow an execution, on generated programs: there is one exactly if the trace has a cycle,
 * it names accesses of one thread that took effect out of program order, and those really did.
 */
import { describe, expect, it } from 'vitest';
import { printSchedule, scheduleOf } from '../../src/explore/schedule.ts';
import { DEFAULT_COSTS, forEachInstruction, makeCandidates, type Place } from '../../src/fix/candidates.ts';
import { Constraint } from '../../src/fix/constraint.ts';
import { Machine } from '../../src/machine/machine.ts';
import { traceExecution } from '../../src/report/story/execution.ts';
import { completedTrace } from '../../src/report/story/explain.ts';
import type { TraceReport } from '../../src/report/trace-schema.ts';
import { isAcyclic } from '../../src/trace/cycle.ts';
import { Prng } from '../../src/util/prng.ts';
import { everything, forAllSketches } from '../support/for-all.ts';
import { visitGraphs, withoutPlain } from '../support/graphs.ts';
import { runAtRandom } from '../support/random-run.ts';
import { buildProgram, load, rmw, type Sketch, store } from '../support/sketch.ts';
import { floor, QUICK } from '../support/tier.ts';

/** When the event with this name took effect: a buffered store when it reached memory, or after the end. */
function effectiveAt({ events }: TraceReport, name: string): number {
  const first = events.findIndex((e) => e.event === name);
  if (events[first]!.buffered !== true) return first;
  const update = events.findIndex((e) => e.event === name && e.kind === 'update');
  return update < 0 ? events.length : update;
}

/** For each late store that overwrote another thread's according to the explanation: the event by which it did. */
function overwriting({ events, explanation, cycle }: TraceReport): readonly number[] {
  const stores = new Set(cycle!.flatMap(({ relation, to }) => (relation === 'store order' ? [to.event] : [])));
  return [...explanation![0]!.matchAll(/[Tt]he late `(\w+) = (\w+)` of thread (\S+) then overwrote/g)].map(
    ([, location, value, thread]) => {
      const isIt = (e: (typeof events)[number]): boolean =>
        stores.has(e.event) &&
        e.kind === 'update' &&
        e.thread === thread &&
        e.location === location &&
        String(e.wrote) === value;
      return events.findLastIndex(isIt);
    },
  );
}

/** As in `fix`: whether store–store fences before every instruction would make the execution impossible. */
function barriersPrevent({ program, model }: Machine, schedule: string): boolean {
  const places: Place[] = [];
  forEachInstruction(program, (_, position) => {
    places.push({
      kind: 'point',
      positions: [position],
      location: undefined,
      isInLoop: false,
      kinds: ['store-fence'],
    });
  });
  const candidates = makeCandidates(program, places, DEFAULT_COSTS);
  return new Constraint(candidates, { model: model as 'tso' | 'pso', schedule, changes: [] }).changes.length > 0;
}

const [X, Y] = [0, 1];

it.each<[string, Sketch]>([
  [
    'a store that happened to be early, before a load',
    [
      [store(Y, 1), load(X)],
      [store(X, 1), rmw('xchg', Y, 1, 'relaxed')],
    ],
  ],
  [
    'a load of an own store, between a store and a load',
    [
      [store(Y, 1), load(Y), load(X)],
      [store(X, 1), store(Y, 1)],
    ],
  ],
])('advises a full fence where barriers are not enough under pso: %s', (_, sketch) => {
  const machine = new Machine(buildProgram(sketch), 'pso');
  let checked = 0;
  for (let seed = 0; seed < 200; seed++) {
    machine.rollback(0);
    runAtRandom(machine, new Prng(seed));
    const trace = traceExecution(machine, printSchedule(machine, scheduleOf(machine)));
    if (trace.sequential || barriersPrevent(machine, trace.schedule)) continue;
    checked++;
    expect(trace.explanation!.slice(1).join(' ')).toMatch(/full fence/);
  }
  expect(checked).toBeGreaterThan(0);
});

it('says that a late store overwrote a newer one, exactly if it did', () => {
  const sketch: Sketch = [
    [store(X, 1), load(Y)],
    [store(Y, 1), store(X, 2)],
  ];
  const machine = new Machine(buildProgram(sketch), 'tso');
  const seen = new Set<boolean>();
  for (let seed = 0; seed < 200; seed++) {
    machine.rollback(0);
    runAtRandom(machine, new Prng(seed));
    const trace = traceExecution(machine, printSchedule(machine, scheduleOf(machine)));
    if (trace.sequential) continue;
    // The only cycle: the load read 0, and memory has 1 in the end, or will have.
    const [x, other] = [1, 2].map((wrote) =>
      trace.events.findIndex((e) => e.kind === 'update' && e.wrote === wrote && e.location === 'x'),
    );
    const isOver = other! >= 0 && x! > other!;
    seen.add(isOver);
    expect(overwriting(trace)).toEqual(isOver ? [x] : []);
    if (isOver) expect(trace.explanation![0]).toMatch(/\. The late `x = 1` of thread \S+ then overwrote `x = 2`\.$/);
  }
  expect([...seen].sort()).toEqual([false, true]);
});

describe.each(['tso', 'pso'] as const)('%s', (model) => {
  it('explains executions that SC does not allow, and no others', () => {
    let cyclic = 0;
    forAllSketches(everything, 300, (sketch, seed) => {
      const machine = new Machine(buildProgram(sketch), model);
      for (let run = 0; run < 5; run++) {
        machine.rollback(0);
        runAtRandom(machine, new Prng(seed, run));
        const isSequential = isAcyclic(completedTrace(machine));
        const trace = traceExecution(machine, printSchedule(machine, scheduleOf(machine)));
        expect(trace.sequential).toBe(isSequential);
        expect(trace.cycle === undefined).toBe(isSequential);
        expect(trace.explanation === undefined).toBe(isSequential);
        if (isSequential) continue;
        cyclic++;
        const swapped = trace.cycle!.filter(
          ({ from, relation, to }) =>
            relation === 'program order' && effectiveAt(trace, to.event) < effectiveAt(trace, from.event),
        );
        expect(swapped.length).toBeGreaterThan(0);
        expect(trace.explanation![0]!.split(' before its ').length - 1).toBe(swapped.length);
        for (const update of overwriting(trace)) {
          const { thread, address, wrote, overwrote } = trace.events[update]!;
          const before = trace.events
            .slice(0, update)
            .findLast((e) => e.address === address && e.wrote !== undefined && e.buffered !== true);
          expect([before?.thread === thread, before?.wrote, overwrote === wrote]).toEqual([false, overwrote, false]);
        }
        const advice = trace.explanation!.slice(1).join(' ');
        const isCheap = model === 'pso' && barriersPrevent(machine, trace.schedule);
        expect(/full fence/.test(advice), `${seed} ${run}: ${advice}`).toBe(!isCheap);
        trace.cycle!.forEach(({ to }, i, edges) => {
          expect(edges[(i + 1) % edges.length]!.from.event).toBe(to.event);
        });
      }
    });
    expect(cyclic).toBeGreaterThan(floor(0));
  });
});

describe('under rc11', () => {
  /** Whether each edge leads to where the next one begins. */
  const isClosed = (cycle: TraceReport['cycle']): boolean =>
    cycle!.every(({ to }, i) => to.event === cycle![(i + 1) % cycle!.length]!.from.event);

  it('an execution that sc does not allow has a closed cycle, through a read or write that is not of the newest', () => {
    let beyond = 0;
    let newest = 0;
    const weakest = new Set<string>();
    forAllSketches({ orders: true, threads: 3, totalOps: 8, locations: 2 }, 80, (sketch) => {
      const program = buildProgram(withoutPlain(sketch));
      visitGraphs(program, (_, machine) => {
        if (machine.depth === 0) return '';
        const schedule = printSchedule(machine, scheduleOf(machine));
        const isSequential = isAcyclic(completedTrace(machine));
        const story = traceExecution(new Machine(program, 'rc11'), schedule);
        expect(story.sequential).toBe(isSequential);
        expect(story.cycle === undefined).toBe(isSequential);
        if (isSequential) return '';
        beyond++;
        expect(isClosed(story.cycle)).toBe(true);
        const told = story.explanation!.join(' ');
        expect(told).toMatch(/^thread .*\. No interleaving of the threads gives all of this\./);
        // Every access that is named is in the rows; what is newer was written, and not read.
        for (const [, thread, location, value, newer] of told.matchAll(
          /hread ([\w.]*\w) (?:[^.]* and then )?read `(\w+)` as (\d+)[^,.]*(?:, which thread \S+ wrote)?, a value from before thread \S+ `\w+ = (\d+)`/g,
        )) {
          const read = story.events.findIndex(
            (e) => e.thread === thread && e.location === location && String(e.read) === value,
          );
          const write = story.events.findIndex((e) => e.location === location && String(e.wrote) === newer);
          expect([read >= 0, write >= 0]).toEqual([true, true]);
          newest++;
        }
        // An order that is too weak is one.
        expect(told).not.toMatch(
          /(?:release|acq_rel|seq_cst)\) is not a release|(?:acquire|acq_rel|seq_cst)\) is not an acquire/,
        );
        for (const [, weak] of told.matchAll(/\((\w+)\) is not an? /g)) weakest.add(weak!);
        return '';
      });
    });
    expect(beyond).toBeGreaterThan(floor(20));
    expect(newest).toBeGreaterThan(floor(20));
    if (!QUICK) expect(weakest).toContain('relaxed');
  });
});
