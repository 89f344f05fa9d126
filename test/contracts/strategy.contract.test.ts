/**
 * The contract of every strategy, and of the loop that calls it (`explore/strategy.ts`): each strategy runs inside a
 * wrapper that watches both sides of the protocol, in the mode used by `check`: a strategy that can find steps itself
 * does so, and the machine runs generated code from the first step on. The interpreter must give the same executions.
 */

import { describe, expect, it } from 'vitest';
import { type Bound, stoppedFor } from '../../src/explore/bound.ts';
import { Bounded } from '../../src/explore/bounded.ts';
import { Delayed } from '../../src/explore/delayed.ts';
import { MachineDpor } from '../../src/explore/dpor/machine/machine-dpor.ts';
import { Enumerator } from '../../src/explore/enumerator.ts';
import { Exhaustive } from '../../src/explore/exhaustive.ts';
import { Exploration, type ExplorationResult, type ExploreOptions, explore } from '../../src/explore/explore.ts';
import { Pct } from '../../src/explore/pct.ts';
import { Pos } from '../../src/explore/pos.ts';
import { Random } from '../../src/explore/random.ts';
import { Replay } from '../../src/explore/replay.ts';
import { parseSchedule, printSchedule, scheduleOf } from '../../src/explore/schedule.ts';
import { ABANDON, type Follower, NO_STEP, type Strategy } from '../../src/explore/strategy.ts';
import * as ev from '../../src/machine/events/event.ts';
import { Machine, type MachineOptions } from '../../src/machine/machine.ts';
import type { Step } from '../../src/machine/state/process.ts';
import { type Model, modelNamed, modelsWith, operationalModels } from '../../src/models/index.ts';
import { int, ProgramBuilder } from '../../src/program/builder.ts';
import type { Program } from '../../src/program/ir.ts';
import { traceKey } from '../../src/trace/trace-key.ts';
import { IntVector } from '../../src/util/int-vector.ts';
import '../support/copied-model.ts';
import { everything, forAllSketches } from '../support/for-all.ts';
import { buildProgram, load, type Sketch, store } from '../support/sketch.ts';

/** Add each new strategy here. */
const strategies: readonly {
  readonly name: string;
  readonly make: (machine: Machine) => Strategy;
  /** Whether the strategy claims to be exhaustive. */
  readonly covers: boolean;
  readonly models: readonly Model[];
}[] = [
  { name: 'exhaustive', make: () => new Exhaustive(), covers: true, models: operationalModels() },
  { name: 'enumerate', make: (machine) => new Enumerator(machine), covers: true, models: operationalModels() },
  { name: 'optimal', make: (machine) => new MachineDpor(machine, 'optimal'), covers: true, models: modelsWith('dpor') },
  { name: 'source', make: (machine) => new MachineDpor(machine, 'source'), covers: true, models: modelsWith('dpor') },
  { name: 'bounded', make: () => new Bounded(99), covers: true, models: modelsWith('bounded') },
  { name: 'delays', make: () => new Delayed(9999), covers: true, models: operationalModels() },
  { name: 'pct', make: () => new Pct(7, 12, 3), covers: false, models: operationalModels() },
  { name: 'pos', make: (machine) => new Pos(machine, 7, 12), covers: false, models: operationalModels() },
  { name: 'random', make: () => new Random(7, 12), covers: false, models: operationalModels() },
  { name: 'replay', make: (machine) => new Replay(someSchedule(machine)), covers: false, models: operationalModels() },
];

/** A complete execution of the machine's program, on a separate machine. */
function someSchedule(machine: Machine): readonly Step[] {
  const other = new Machine(machine.program, machine.model);
  let schedule = '';
  explore(other, new Random(3, 1), {
    onExecution: () => {
      schedule = printSchedule(other, scheduleOf(other));
    },
  });
  return parseSchedule(machine, schedule);
}

/** `expect`, fast enough to be called at every step. */
function must(condition: boolean, what: string): void {
  if (!condition) expect.fail(what);
}

/** The argument for a strategy that finds steps itself. */
const NOTHING = new IntVector();

/** Forwards everything to a strategy, and checks that it and its caller follow the protocol. */
class Watched implements Strategy {
  readonly name: string;
  begun = 0;
  private readonly inner: Strategy;
  private readonly machine: Machine;
  isRunning = false;
  private hasEnded = false;
  private picked: Step | undefined;
  /** Enabled steps by the steps that led there. */
  private readonly enabled = new Map<string, string>();

  constructor(inner: Strategy, machine: Machine) {
    this.inner = inner;
    this.name = inner.name;
    this.machine = machine;
  }

  get incomplete(): Bound | undefined {
    return this.inner.incomplete;
  }

  get looksForSteps(): boolean {
    return this.inner.looksForSteps === true;
  }

  beginExecution(): number {
    must(!this.isRunning, 'the last execution has been ended');
    const keep = this.inner.beginExecution();
    if (keep < 0) {
      this.hasEnded = true;
    } else {
      must(!this.hasEnded, 'an ended search does not go on');
      must(keep <= this.machine.depth, 'only steps that were taken can be kept');
      this.isRunning = true;
      this.begun++;
    }
    return keep;
  }

  pick(steps: IntVector): Step | typeof ABANDON | typeof NO_STEP {
    must(this.isRunning, 'picks within an execution');
    must(this.picked === undefined, 'what was picked before has been observed');
    if (this.looksForSteps) {
      // Steps have not been computed yet: we do that only after one has been picked.
      const step = this.inner.pick(NOTHING);
      const isOver = this.machine.enabled() === 0;
      must(isOver === (step === NO_STEP), 'it has overlooked no step');
      return isOver ? NO_STEP : this.accept(step, this.machine.steps);
    }
    return this.accept(this.inner.pick(steps), steps);
  }

  /** Records the steps that are enabled here, and which one was picked. */
  private accept(step: number, steps: IntVector): Step | typeof ABANDON {
    const list = [...steps.words.subarray(0, steps.length)];
    must(list.length > 0, 'there is something to pick');
    must(new Set(list).size === list.length, 'steps are different');
    const here = scheduleOf(this.machine).join();
    const before = this.enabled.get(here) ?? list.join();
    must(before === list.join(), 'the same steps lead to the same steps');
    this.enabled.set(here, before);
    if (step === ABANDON) return step;
    must(list.includes(step), 'picks one of the enabled steps');
    this.picked = step;
    return step;
  }

  observe(event: number): void {
    must(event === this.machine.depth - 1, 'events are numbered by depth');
    must(this.machine.events.get(event, ev.E_STEP) === this.picked, 'the event is that of the step picked');
    this.picked = undefined;
    this.inner.observe(event);
  }

  endExecution(): void {
    must(this.isRunning, 'an execution is ended once');
    must(this.picked === undefined, 'what was picked has been observed');
    this.isRunning = false;
    this.inner.endExecution();
  }

  /** Checks that the search has ended, and stays ended. */
  checkEnd(): void {
    expect(this.isRunning).toBe(false);
    expect(this.hasEnded).toBe(true);
    expect(this.beginExecution()).toBeLessThan(0);
    expect(this.beginExecution()).toBeLessThan(0);
  }
}

/** Observes events like a monitor; must always know exactly the events of the current execution. */
class Listener implements Follower {
  known = 0;
  observe(event: number): void {
    must(event === this.known, 'events come one after the other');
    this.known++;
  }
  rollback(depth: number): void {
    must(depth <= this.known, 'only what is known can be forgotten');
    this.known = depth;
  }
}

interface Run {
  readonly result: ExplorationResult;
  readonly schedules: readonly string[];
  readonly watched: Watched;
}

function run(
  program: Program,
  model: Model,
  make: (machine: Machine) => Strategy,
  options: ExploreOptions = {},
  drive: (exploration: Exploration) => void = (e) => expect(e.advance(Number.POSITIVE_INFINITY)).toBe(true),
  engine: MachineOptions = { patience: 0 },
): Run {
  const machine = new Machine(program, model, {}, engine);
  const watched = new Watched(make(machine), machine);
  const listener = new Listener();
  const schedules: string[] = [];
  const exploration = new Exploration(machine, watched, {
    ...options,
    followers: [listener],
    onExecution: (_, outcome) => {
      must(outcome !== 'running', 'an execution is over');
      must(listener.known === machine.depth, 'followers know the whole execution');
      schedules.push(printSchedule(machine, scheduleOf(machine)));
    },
  });
  drive(exploration);
  return { result: exploration.result, schedules, watched };
}

const small = { ...everything, totalOps: 4, opsPerThread: 3 };

const sb: Sketch = [
  [store(0, 1), load(1)],
  [store(1, 1), load(0)],
];

/** Two threads add to a counter without a lock; main asserts that no update was lost. Has errors, and a blocked end. */
function lossy(): Program {
  const p = new ProgramBuilder('lossy');
  const x = p.global('x', 'i32');
  const add = p.function('add');
  const r = add.register('r', 'i32');
  add.load(r, x);
  add.binary('add', r, r, int(1));
  add.store(x, r);
  add.return();
  const main = p.function('main');
  const [t1, t2, sum] = [main.register('t1', 'i32'), main.register('t2', 'i32'), main.register('sum', 'i32')];
  const [choice, fine] = [main.register('choice', 'i32'), main.register('fine', 'i1')];
  main.choose(choice, 2);
  main.compare('eq', fine, choice, int(0));
  main.assume(fine);
  main.spawn(t1, add);
  main.spawn(t2, add);
  main.join(t1);
  main.join(t2);
  main.load(sum, x);
  main.compare('eq', fine, sum, int(2));
  main.assert(fine, 'x == 2');
  main.return();
  p.root('main', main);
  return p.build();
}

/** The traces of complete executions. */
function tracesOf(program: Program, model: Model, make: (machine: Machine) => Strategy): string[] {
  const machine = new Machine(program, model);
  const traces = new Set<string>();
  explore(machine, make(machine), { keepGoing: true, onExecution: () => traces.add(traceKey(machine)) });
  return [...traces].sort();
}

describe.each(strategies)('$name', ({ name, make, covers, models }) => {
  const model = models.includes('tso') ? 'tso' : 'sc';

  it.each(models)('follows the protocol and terminates under %s', (model) => {
    forAllSketches(small, 25, (sketch) => {
      const { result, schedules, watched } = run(buildProgram(sketch), model, make);
      watched.checkEnd();
      expect(result.executions).toBe(schedules.length);
      expect(result.executions + result.abandoned).toBe(watched.begun);
      expect(result.bounds.length === 0).toBe(covers);
    });
  });

  it.skipIf(!covers).each(models)('visits every trace that the enumerator visits, under %s', (model) => {
    forAllSketches(small, 25, (sketch) => {
      const program = buildProgram(sketch);
      expect(tracesOf(program, model, make)).toEqual(tracesOf(program, model, (machine) => new Enumerator(machine)));
    });
  });

  it.each(models)('runs the same executions with the interpreter under %s', (model) => {
    for (const program of [buildProgram(sb), ...(model === 'pslo' ? [] : [lossy()])]) {
      const generated = run(program, model, make, { keepGoing: true });
      const interpreted = run(program, model, make, { keepGoing: true }, undefined, { interpret: true });
      expect(interpreted.schedules).toEqual(generated.schedules);
      expect(interpreted.result).toEqual(generated.result);
    }
  });

  it.each(models)(
    'says in `incomplete` whether it covers everything, and that is a bound of the search, under %s',
    (model) => {
      const { result, watched } = run(buildProgram(sb), model, make);
      expect(watched.name).toBe(name);
      expect(watched.incomplete === undefined).toBe(covers);
      expect(result.boundedBy).toEqual(covers ? [] : [watched.incomplete]);
    },
  );

  it.each([1, 2, 7])('gives the same results in pieces of %i steps', (piece) => {
    for (const program of [buildProgram(sb), lossy()]) {
      for (const options of [{}, { keepGoing: true }, { maxExecutions: 5, keepGoing: true }, { maxDepth: 5 }]) {
        const whole = run(program, model, make, options);
        const pieces = run(program, model, make, options, (exploration) => {
          let before = 0;
          while (!exploration.advance(piece)) {
            must(exploration.result.steps === before + piece, 'a piece has as many steps as were asked for');
            before = exploration.result.steps;
          }
          expect(exploration.advance(piece)).toBe(true);
        });
        expect(pieces.result).toEqual(whole.result);
        expect(pieces.schedules).toEqual(whole.schedules);
      }
    }
  });

  it.each(models)('does not go beyond a number of executions, and says so, under %s', (model) => {
    const all = run(buildProgram(sb), model, make);
    const { result, watched } = run(buildProgram(sb), model, make, { maxExecutions: 1 });
    const cut = all.result.executions > 1;
    expect(result.executions).toBe(1);
    expect(result.bounds.includes('executions: 1')).toBe(cut);
    if (!cut) watched.checkEnd();
  });

  it('does not report a bound that was just sufficient', () => {
    const all = run(buildProgram(sb), model, make);
    const { result } = run(buildProgram(sb), model, make, { maxExecutions: all.result.executions });
    // A search that gives up executions cannot know that all remaining ones would be given up too.
    if (all.result.abandoned === 0) expect(result).toEqual(all.result);
    else expect(result.bounds).toEqual([`executions: ${all.result.executions}`]);
  });

  it.each(models)('does not go deeper than it may, and says so, under %s', (model) => {
    // Two stores, two loads, and the commits, if stores wait in buffers.
    const depth = modelNamed(model).buffers === 'none' ? 4 : 6;
    const { result, schedules } = run(buildProgram(sb), model, make, { maxDepth: depth - 1 });
    expect(schedules).toEqual([]);
    expect(result.executions).toBe(0);
    expect(result.bounds).toContain(`steps per execution: ${depth - 1}`);
    const enough = run(buildProgram(sb), model, make, { maxDepth: depth });
    expect(enough.result).toEqual(run(buildProgram(sb), model, make).result);
  });

  it.each([0, 1, 5])('can be stopped after %i steps, and says why', (steps) => {
    const { result, watched } = run(buildProgram(sb), model, make, {}, (exploration) => {
      expect(exploration.advance(steps)).toBe(false);
      exploration.stop(stoppedFor('enough'));
      expect(exploration.advance(1000)).toBe(true);
      exploration.stop(stoppedFor('again'));
    });
    expect(result.steps).toBe(steps);
    expect(result.bounds).toContain('enough');
    expect(result.bounds).not.toContain('again');
    // An execution that was cut short does not count as seen.
    expect(watched.isRunning).toBe(steps > 0);
  });

  it.each(models)('runs a program that has nothing to do, under %s', (model) => {
    const { result, watched } = run(buildProgram([[], []]), model, make);
    expect(result).toMatchObject({ blocked: 0, abandoned: 0, steps: 0, errors: [] });
    expect(result.executions).toBe(watched.begun);
    watched.checkEnd();
  });
});

describe('exhaustive', () => {
  /** All schedules from the machine's current state, by plain recursion. */
  function allSchedules(machine: Machine): string[] {
    const count = machine.enabled();
    if (count === 0) return [printSchedule(machine, scheduleOf(machine))];
    const steps = [...machine.steps.words.subarray(0, count)];
    const { depth } = machine;
    return steps.flatMap((step) => {
      machine.step(step);
      const found = allSchedules(machine);
      machine.rollback(depth);
      return found;
    });
  }

  it.each(operationalModels())('runs every schedule exactly once under %s', (model) => {
    forAllSketches(small, 25, (sketch) => {
      const { schedules } = run(buildProgram(sketch), model, () => new Exhaustive());
      expect(schedules).toEqual(allSchedules(new Machine(buildProgram(sketch), model)));
      expect(new Set(schedules).size).toBe(schedules.length);
    });
  });

  it('counts errors and blocked executions, and continues if requested', () => {
    const program = lossy();
    const first = run(program, 'sc', () => new Exhaustive());
    expect(first.result.errors).toHaveLength(1);
    expect(first.result.bounds).toEqual(['first error']);
    const all = run(program, 'sc', () => new Exhaustive(), { keepGoing: true });
    // Of the 6 orders of two loads and two stores, the 2 in which one thread finishes before the other starts are
    // right. Threads may also start while main creates them, which makes more of each, and one choice blocks.
    expect(all.result.blocked).toBe(1);
    expect(all.result.bounds).toEqual([]);
    expect(all.result.errors.length).toBeGreaterThan(0);
    expect(all.result.executions).toBe(all.schedules.length - 1);
    for (const { error } of all.result.errors) expect(error).toMatchObject({ kind: 'assertion', message: 'x == 2' });
  });
});

describe('enumerate', () => {
  it('stops at a number of states, and says so', () => {
    const program = buildProgram(sb);
    let states = 0;
    const all = run(program, 'tso', (machine) => new Enumerator(machine));
    for (let max = 1; all.result.executions > 0; max++) {
      const cut = run(program, 'tso', (machine) => new Enumerator(machine, max));
      cut.watched.checkEnd();
      if (cut.result.bounds.length === 0) {
        // With a large enough bound nothing may be missing.
        expect(cut.result).toEqual(all.result);
        states = max;
        break;
      }
      expect(cut.result.bounds).toEqual([`states: ${max}`]);
      expect(cut.result.executions).toBeLessThanOrEqual(all.result.executions);
    }
    expect(states).toBeGreaterThan(10);
  });
});

describe('random', () => {
  const schedules = (seed: number, runs: number): readonly string[] =>
    run(buildProgram(sb), 'pslo', () => new Random(seed, runs)).schedules;

  it('makes the same runs from the same seed, and others from another', () => {
    expect(schedules(1, 20)).toEqual(schedules(1, 20));
    expect(schedules(1, 20)).not.toEqual(schedules(2, 20));
  });

  it('makes the requested number of runs, and the n-th does not depend on that number', () => {
    expect(schedules(1, 0)).toEqual([]);
    expect(schedules(1, 20)).toHaveLength(20);
    expect(schedules(1, 20).slice(0, 5)).toEqual(schedules(1, 5));
  });

  it('makes the same n-th run, whatever happened in the runs before it', () => {
    const steps = new IntVector();
    for (let step = 0; step < 1000; step++) steps.push(step);
    const secondRun = (picksInFirst: number): number[] => {
      const random = new Random(5, 2);
      random.beginExecution();
      for (let i = 0; i < picksInFirst; i++) random.pick(steps);
      random.endExecution();
      random.beginExecution();
      return [random.pick(steps), random.pick(steps), random.pick(steps)];
    };
    expect(secondRun(0)).toEqual(secondRun(7));
  });

  it('reaches every final state of a small program', () => {
    const machine = new Machine(buildProgram(sb), 'tso');
    const states = new Set<string>();
    explore(machine, new Random(1, 300), {
      onExecution: () => states.add(`${machine.register(0, 0)[0]}${machine.register(1, 0)[0]}`),
    });
    expect([...states].toSorted()).toEqual(['00', '01', '10', '11']);
  });
});

describe('replay', () => {
  it('stops where the schedule ends, or does not match', () => {
    const machine = new Machine(buildProgram(sb), 'tso');
    const short = new Replay(parseSchedule(machine, '0 1'));
    expect(explore(machine, short)).toMatchObject({ executions: 0, abandoned: 1, steps: 2 });
    expect(short.taken).toBe(2);
    machine.rollback(0);
    const wrong = new Replay(parseSchedule(machine, '0 1/ 1'));
    expect(explore(machine, wrong)).toMatchObject({ executions: 0, abandoned: 1, steps: 1 });
    expect(wrong.taken).toBe(1);
  });
});
