/**
 * Independent answers to the same question must agree, on programs that fast-check generates: more than 2,000 in all. A
 * failure prints the seed and the smallest program it could be shrunk to.
 */
import { describe, expect, it } from 'vitest';
import { explore } from '../src/explore/explore.ts';
import { Random } from '../src/explore/random.ts';
import * as ev from '../src/machine/events/event.ts';
import { Machine } from '../src/machine/machine.ts';
import { type Model, modelsWith, operationalModels } from '../src/models/index.ts';
import { findCycle, isAcyclic } from '../src/trace/cycle.ts';
import { ShashaSnirTrace } from '../src/trace/shasha-snir.ts';
import { traceKey } from '../src/trace/trace-key.ts';
import { axiomaticExecutions } from './support/axiomatic.ts';
import { everything, forAllSketches } from './support/for-all.ts';
import { naiveExecutions } from './support/naive.ts';
import { enumerating, exhausting, runSketch } from './support/run.ts';
import { buildProgram, cas, fence, ifLast, load, type Op, rmw, type Sketch, store } from './support/sketch.ts';

const [x, y] = [0, 1];

describe('the machine agrees with the oracles', () => {
  it.each(['sc', 'tso', 'pso'] as const)('%s, by axioms', (model) => {
    forAllSketches({ ...everything, threads: 4, locations: 3, totalOps: 9 }, 90, (sketch) => {
      const axiomatic = axiomaticExecutions(sketch, model);
      const machine = runSketch(sketch, model);
      expect(machine.states).toEqual(axiomatic.states);
      expect(machine.executionKeys).toEqual(axiomatic.keys);
      expect(machine.traceKeys.size).toBe(axiomatic.executions);
    });
  });

  it('pslo, by the naive transcription of its figure', () => {
    forAllSketches({ ...everything, locations: 3, totalOps: 6 }, 150, (sketch) => {
      const naive = naiveExecutions(sketch, 'pslo');
      const machine = runSketch(sketch, 'pslo');
      expect(machine.states).toEqual(naive.states);
      expect(machine.executionKeys).toEqual(naive.keys);
      expect(machine.traceKeys.size).toBe(naive.keys.size);
    });
  });

  it('pso, whose two oracles agree as well', () => {
    forAllSketches({ ...everything, locations: 3, totalOps: 6 }, 60, (sketch) => {
      const { states, keys } = naiveExecutions(sketch, 'pso');
      const axiomatic = axiomaticExecutions(sketch, 'pso');
      expect(states).toEqual(axiomatic.states);
      expect(keys).toEqual(axiomatic.keys);
    });
  });
});

describe('the enumerator agrees with the exhaustive search', () => {
  it.each(operationalModels())('%s', (model) => {
    // Few operations: every interleaving of every commit is tried.
    forAllSketches({ ...everything, totalOps: 5, opsPerThread: 3 }, 60, (sketch) => {
      const memoised = runSketch(sketch, model, enumerating);
      const naive = runSketch(sketch, model, exhausting);
      expect(memoised.states).toEqual(naive.states);
      expect(memoised.traceKeys).toEqual(naive.traceKeys);
      expect(memoised.visited).toBeLessThanOrEqual(naive.visited);
    });
  });
});

describe('a weaker model allows all that a stronger one allows', () => {
  it('SC ⊆ TSO ⊆ PSO ⊆ PSLO, states and traces', () => {
    forAllSketches({ ...everything, locations: 3, totalOps: 6 }, 180, (sketch) => {
      const answers = operationalModels().map((model) => runSketch(sketch, model));
      for (let i = 1; i < answers.length; i++) {
        const [strong, weak] = [answers[i - 1]!, answers[i]!];
        expect([...strong.states].filter((state) => !weak.states.has(state))).toEqual([]);
        expect([...strong.traceKeys].filter((key) => !weak.traceKeys.has(key))).toEqual([]);
      }
    });
  });

  it('and each inclusion is strict', () => {
    const sb: Sketch = [
      [store(x, 1), load(y)],
      [store(y, 1), load(x)],
    ];
    const mp: Sketch = [
      [store(x, 1), store(y, 1)],
      [load(y), load(x)],
    ];
    const mpWithBarrier: Sketch = [[store(x, 1), fence('release'), store(y, 1)], mp[1]!];
    const size = (sketch: Sketch, model: Model): number => runSketch(sketch, model).states.size;
    expect([size(sb, 'sc'), size(sb, 'tso')]).toEqual([3, 4]);
    expect([size(mp, 'tso'), size(mp, 'pso')]).toEqual([3, 4]);
    expect([size(mpWithBarrier, 'pso'), size(mpWithBarrier, 'pslo')]).toEqual([3, 4]);
  });
});

describe('what makes a PSLO thread forget old values', () => {
  const z = 2;
  /** Message passing with the stores in order: only a stale load of x can break it. */
  const breaks = (...reader: Op[]): boolean => {
    const sketch: Sketch = [[store(x, 1), fence('release'), store(y, 1)], reader];
    return [...runSketch(sketch, 'pslo').states].some((state) => /1:r0=1.*,1:r\d=0,x=1/.test(state));
  };
  const between = (op: Op): boolean => breaks(load(y), op, load(x));

  it.each<[string, boolean, () => boolean]>([
    ['nothing in between', true, () => breaks(load(y), load(x))],
    ['an acquire load of y', false, () => breaks(load(y, 'acquire'), load(x))],
    ['a seq_cst load of y', false, () => breaks(load(y, 'seq_cst'), load(x))],
    ['an acquire load of x itself, which comes too late', true, () => breaks(load(y), load(x, 'acquire'))],
    ['an acquire fence', false, () => between(fence('acquire'))],
    ['a release fence', true, () => between(fence('release'))],
    ['an acq_rel fence', false, () => between(fence('acq_rel'))],
    ['a full fence', false, () => between(fence('seq_cst'))],
    ['a relaxed exchange elsewhere', true, () => between(rmw('xchg', z, 1, 'relaxed'))],
    ['an acquire exchange elsewhere', false, () => between(rmw('xchg', z, 1, 'acquire'))],
    ['a release exchange elsewhere', true, () => between(rmw('xchg', z, 1, 'release'))],
    ['an acq_rel exchange elsewhere', false, () => between(rmw('xchg', z, 1, 'acq_rel'))],
    ['a seq_cst exchange elsewhere', false, () => between(rmw('xchg', z, 1, 'seq_cst'))],
    ['a compare-exchange that succeeds, acquire', false, () => between(cas(z, 0, 1, 'acquire', 'relaxed'))],
    ['one that fails, with a relaxed failure order', true, () => between(cas(z, 5, 1, 'acquire', 'relaxed'))],
    ['one that fails, with an acquire failure order', false, () => between(cas(z, 5, 1, 'acquire', 'acquire'))],
    ['a seq_cst store elsewhere, by its fence', false, () => between(store(z, 1, 'seq_cst'))],
    ['a release store elsewhere', true, () => between(store(z, 1, 'release'))],
  ])('%s: the message can be missed: %s', (_, expected, answer) => {
    expect(answer()).toBe(expected);
  });
});

describe('full fences everywhere', () => {
  const fenced = (ops: readonly Op[]): Op[] =>
    ops.flatMap((op) => [op.op === 'ifLast' ? ifLast(op.value, fenced(op.then), fenced(op.else)) : op, fence()]);

  it('make TSO, PSO and PSLO equal to SC', () => {
    forAllSketches({ ...everything, locations: 3, totalOps: 5 }, 72, (sketch) => {
      const withFences = sketch.map(fenced);
      const sc = runSketch(withFences, 'sc');
      for (const model of modelsWith('hunt')) {
        const weak = runSketch(withFences, model);
        expect(weak.states, model).toEqual(sc.states);
        expect(weak.traceKeys, model).toEqual(sc.traceKeys);
      }
    });
  });
});

describe('a store–store barrier is exact', () => {
  /** Places of the updates in the log, by thread and store; and for each thread its stores and barriers in order. */
  function checkOrder(machine: Machine): void {
    const { events } = machine;
    const updated = new Map<string, number>();
    const place = (e: number): string => `${events.get(e, ev.E_THREAD)}#${events.get(e, ev.E_INDEX)}`;
    for (let e = 0; e < events.length; e++) if (events.get(e, ev.E_KIND) === ev.UPDATE_EVENT) updated.set(place(e), e);
    for (const thread of new ShashaSnirTrace(events, machine.processes).threads) {
      /** The latest update of the stores before the last barrier, and of those after it. */
      let before = -1;
      let behind = -1;
      for (const e of thread) {
        const instruction = machine.code.sites[events.get(e, ev.E_SITE)]!.instruction;
        const kind = events.get(e, ev.E_KIND);
        const order = 'order' in instruction ? instruction.order : 'plain';
        const isBarrier = ['release', 'acq_rel', 'seq_cst'].includes(order);
        if (isBarrier && (kind === ev.FENCE_EVENT || kind === ev.STORE_EVENT)) {
          before = Math.max(before, behind);
          behind = -1;
        }
        if (kind !== ev.STORE_EVENT) continue;
        const update = updated.get(place(e))!;
        expect(update, `${place(e)} stays behind the barrier`).toBeGreaterThan(before);
        behind = Math.max(behind, update);
      }
    }
  }

  it.each(['pso', 'pslo'] as const)('%s: no store after it reaches memory before one before it', (model) => {
    // Mostly stores and barriers, so that there is something to reorder.
    const options = { fences: true, orders: true, locations: 3, totalOps: 8, threads: 2, opsPerThread: 6 };
    forAllSketches(options, 90, (sketch) => {
      const machine = new Machine(buildProgram(sketch), model);
      explore(machine, new Random(1, 10), {
        onExecution: (_, outcome) => {
          expect(outcome).toBe('complete');
          checkOrder(machine);
        },
      });
    });
  });

  it('allows strictly more than a full fence: in SB the thread continues', () => {
    const sb = (between: Op): Sketch => [
      [store(x, 1), between, load(y)],
      [store(y, 1), between, load(x)],
    ];
    for (const model of ['pso', 'pslo'] as const) {
      const barrier = runSketch(sb(fence('release')), model).states;
      const full = runSketch(sb(fence('seq_cst')), model).states;
      expect([...full].filter((state) => !barrier.has(state))).toEqual([]);
      expect([...barrier].filter((state) => !full.has(state))).toEqual(['0:r0=0,1:r0=0,x=1,y=1']);
    }
  });

  it('holds back only later stores: those before it may still be reordered', () => {
    // x and y in any order, then z: a flush in place of the barrier would allow the same, a FIFO buffer would not.
    const z = 2;
    const sketch: Sketch = [
      [store(x, 1), store(y, 1), fence('release'), store(z, 1)],
      [load(z), load(y), load(x)],
      [load(y), load(x)],
    ];
    const states = [...runSketch(sketch, 'pso').states];
    expect(states.some((state) => state.includes('2:r0=1,2:r1=0'))).toBe(true);
    expect(states.filter((state) => /1:r0=1,1:r1=(0,1:r2=.|1,1:r2=0)/.test(state))).toEqual([]);
  });
});

describe('robust means the same by cycles and by counting', () => {
  it.each(modelsWith('dpor'))('%s: a trace is acyclic exactly if SC allows it', (model) => {
    forAllSketches({ ...everything, locations: 3, totalOps: 7 }, 90, (sketch) => {
      const sc = runSketch(sketch, 'sc').traceKeys;
      const machine = new Machine(buildProgram(sketch), model);
      const keys = new Set<string>();
      let robust = true;
      explore(machine, enumerating(machine), {
        onExecution: () => {
          const trace = new ShashaSnirTrace(machine.events, machine.processes);
          const key = traceKey(machine);
          keys.add(key);
          const acyclic = isAcyclic(trace);
          expect(acyclic).toBe(sc.has(key));
          robust &&= acyclic;
          checkCycle(trace, acyclic);
        },
      });
      expect(robust).toBe(keys.size === sc.size);
    });
  });

  /** Edges that form a cycle, each of them an edge of the trace. */
  function checkCycle(trace: ShashaSnirTrace, acyclic: boolean): void {
    const cycle = findCycle(trace);
    expect(cycle === undefined).toBe(acyclic);
    if (cycle === undefined) return;
    const edges = new Set<string>();
    trace.forEachEdge((from, to, relation) => edges.add(`${from} ${relation} ${to}`));
    cycle.forEach(({ from, to, relation }, i) => {
      expect(to).toBe(cycle[(i + 1) % cycle.length]!.from);
      const thread = trace.threads.find((events) => events.includes(from))!;
      const inOrder = thread.includes(to) && thread.indexOf(from) < thread.indexOf(to);
      expect(relation === 'program order' ? inOrder : edges.has(`${from} ${relation} ${to}`)).toBe(true);
    });
    const events = cycle.map(({ from }) => from);
    expect(new Set(events).size).toBe(cycle.length);
    expect(cycle[0]!.from).toBe(Math.min(...events));
  }
});
