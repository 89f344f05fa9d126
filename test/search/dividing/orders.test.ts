/**
 * A search in parts, by the orders of some pairs of events, visits exactly the traces of a single search, each once. If
 * a pair is not ordered in every execution, some part notices.
 */
import type fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NotByOrders } from '../../../src/explore/dpor/dpor.ts';
import type { EventName, Order } from '../../../src/explore/dpor/job.ts';
import { chooseOrders, partsOf } from '../../../src/explore/dpor/machine/choose-orders.ts';
import { MachineDependence } from '../../../src/explore/dpor/machine/machine-dependence.ts';
import { MachineDpor } from '../../../src/explore/dpor/machine/machine-dpor.ts';
import type { SearchLevel } from '../../../src/explore/dpor/search-state.ts';
import { ALL_SHORTCUTS } from '../../../src/explore/dpor/shortcuts.ts';
import { Exploration, explore } from '../../../src/explore/explore.ts';
import * as ev from '../../../src/machine/events/event.ts';
import { Machine } from '../../../src/machine/machine.ts';
import type { Model } from '../../../src/models/index.ts';
import type { Program } from '../../../src/program/ir.ts';
import { traceKey } from '../../../src/trace/trace-key.ts';
import { Prng } from '../../../src/util/prng.ts';
import { compileC } from '../../support/c.ts';
import { everything, forAll, SKIPPED } from '../../support/for-all.ts';
import { sketches } from '../../support/generate.ts';
import { DPOR_MODELS } from '../../support/searches.ts';
import { buildSizedProgram, sizedSketches } from '../../support/sized-sketch.ts';
import { buildProgram, printSketch } from '../../support/sketch.ts';
import { buildSyncProgram, printSyncSketch, syncSketches } from '../../support/sync-sketch.ts';
import { floor } from '../../support/tier.ts';

interface Sample {
  readonly program: Program;
  toString(): string;
}

const KINDS: readonly [string, number, fc.Arbitrary<Sample>][] = [
  [
    'accesses of one size',
    100,
    sketches({ ...everything, threads: 4, totalOps: 7, locations: 2 })
      .filter((sketch) => sketch.length > 0)
      .map((sketch) => ({ program: buildProgram(sketch), toString: () => printSketch(sketch) })),
  ],
  [
    'accesses of several sizes',
    60,
    sizedSketches(3, 6).map((sketch) => ({ program: buildSizedProgram(sketch), toString: () => sketch.toString() })),
  ],
  [
    'locks, conditions, joins, frees, choices, loops',
    80,
    syncSketches().map((sketch) => ({ program: buildSyncProgram(sketch), toString: () => printSyncSketch(sketch) })),
  ],
];

/** More would take too long. */
const MOST = 150;
const KIND: readonly number[] = [ev.LOAD_EVENT, ev.STORE_EVENT, ev.UPDATE_EVENT];

const NOBODY = {
  propose: (): never => {
    throw new Error('a part shares nothing');
  },
};

const threads = (count: number, functions: string, start: string): string => `
#include <pthread.h>
#include <stdatomic.h>
${functions}
int main(void) {
  pthread_t t[${count}];
  for (long i = 0; i < ${count}; i++) pthread_create(t + i, 0, ${start}, (void *)i);
  for (int i = 0; i < ${count}; i++) pthread_join(t[i], 0);
}`;
const READERS = threads(5, 'atomic_int x; void *run(void *i) { if (i == 0) x = 1; else (void)x; return 0; }', 'run');
const STORE_BUFFERS = threads(
  4,
  'int x[4]; void *run(void *a) { long i = (long)a; x[i] = 1; return (void *)(long)x[(i + 1) % 4]; }',
  'run',
);
const WAITING = threads(2, 'atomic_int x; void *run(void *i) { if (i == 0) x = 1; else while (!x); return 0; }', 'run');

const sums = { searches: 0, exact: 0, refused: 0, stuck: 0, resumed: 0 };

function machineFor(program: Program, model: Model): Machine {
  return new Machine(program, model, program.roots.length === 1 ? { threads: 6 } : {}, { patience: 1 });
}

interface Whole {
  readonly traces: readonly string[];
  /** Pairs of events that race in some execution, and whether every execution orders them. */
  readonly pairs: readonly { readonly order: Order; readonly isDecided: boolean }[];
}

/** `undefined` if there are too many executions, or if one ends in an error, so that others depend on the order. */
function whole(program: Program, model: Model): Whole | undefined {
  const machine = machineFor(program, model);
  const nameOf = (event: number): EventName => ({
    thread: machine.events.get(event, ev.E_THREAD),
    index: machine.events.get(event, ev.E_INDEX),
    isUpdate: machine.events.get(event, ev.E_KIND) === ev.UPDATE_EVENT,
  });
  const traces: string[] = [];
  const found = new Map<string, Order>();
  const decided = new Map<string, number>();
  const search = (look: (order: MachineDependence) => void): ReturnType<typeof explore> => {
    machine.rollback(0);
    const onExecution = (): void => {
      const order = new MachineDependence(machine, ALL_SHORTCUTS);
      order.catchUp();
      look(order);
    };
    return explore(machine, new MachineDpor(machine, 'optimal'), { keepGoing: true, maxExecutions: MOST, onExecution });
  };
  let isFit = true;
  const { bounds } = search((order) => {
    if (machine.outcome === 'error' || machine.outcome === 'deadlock') isFit = false;
    traces.push(`${machine.outcome} ${traceKey(machine)}`);
    const { races } = order;
    for (let r = 0; r < races.length; r += 2) {
      const [a, b] = [races.get(r), races.get(r + 1)];
      if (![a, b].every((event) => KIND.includes(machine.events.get(event, ev.E_KIND)))) continue;
      const names = [nameOf(a), nameOf(b)];
      names.sort((x, y) => x.thread - y.thread);
      found.set(JSON.stringify(names), { first: names[0]!, second: names[1]! });
    }
  });
  if (!isFit || bounds.length > 0) return undefined;
  search((order) => {
    for (const [key, { first, second }] of found) {
      const isOrdered = order.areOrdered(order.eventNamed(first), order.eventNamed(second));
      if (isOrdered) decided.set(key, (decided.get(key) ?? 0) + 1);
    }
  });
  const pairs = [...found].map(([key, pair]) => ({ order: pair, isDecided: decided.get(key) === traces.length }));
  return { traces, pairs };
}

/**
 * The traces of all parts, each on machines that vanish; `undefined` if a part noticed that the search cannot be
 * divided this way.
 */
function inParts(program: Program, model: Model, orders: readonly Order[], prng: Prng): readonly string[] | undefined {
  const traces: string[] = [];
  try {
    for (const part of partsOf(orders)) {
      let own: readonly SearchLevel[] | undefined;
      for (let isDone = false; !isDone; ) {
        const machine = machineFor(program, model);
        const dpor = new MachineDpor(machine, 'optimal');
        dpor.take(JSON.parse(JSON.stringify({ shared: [], own, orders: part })), NOBODY);
        const onExecution = (): void => {
          traces.push(`${machine.outcome} ${traceKey(machine)}`);
        };
        const exploration = new Exploration(machine, dpor, { keepGoing: true, onExecution });
        isDone = exploration.advanceExecutions(1 + prng.below(40));
        expect(exploration.result.abandoned).toBe(dpor.stuck);
        sums.stuck += dpor.stuck;
        own = dpor.save().levels;
        isDone ||= own.length === 0;
        if (!isDone) sums.resumed++;
      }
    }
  } catch (error) {
    if (error instanceof NotByOrders) return undefined;
    throw error;
  }
  return traces;
}

describe('parts by orders visit what the whole search visits', () => {
  it.each(KINDS)('of %s: %d programs', (_, count, from) => {
    forAll({ from, count, print: String, compared: 0.3 }, ({ program }, seed) => {
      let compared = 0;
      const prng = new Prng(seed);
      for (const model of DPOR_MODELS) {
        const all = whole(program, model);
        if (all === undefined || all.pairs.length === 0) continue;
        compared++;
        const decided = all.pairs.filter(({ isDecided }) => isDecided);
        const pairs = decided.length > 0 && prng.below(4) > 0 ? decided : all.pairs;
        const chosen = new Set(Array.from({ length: 1 + prng.below(3) }, () => pairs[prng.below(pairs.length)]!));
        const found = inParts(
          program,
          model,
          [...chosen].map(({ order }) => order),
          prng,
        );
        const isDecided = [...chosen].every((pair) => pair.isDecided);
        sums.searches++;
        sums[isDecided ? 'exact' : 'refused']++;
        const expected = isDecided ? [...all.traces].sort() : undefined;
        expect(found === undefined ? undefined : [...found].sort(), `${model} ${JSON.stringify([...chosen])}`).toEqual(
          expected,
        );
      }
      return compared === 0 ? SKIPPED : undefined;
    });
  });

  it.each<[string, string, Model, readonly number[]]>([
    ['a writer and readers', READERS, 'sc', [4, 4, 4, 4]],
    ['store buffers', STORE_BUFFERS, 'tso', [4, 4, 4, 4]],
    ['threads that wait', WAITING, 'sc', []],
  ])('choose pairs: %s', async (_, source, model, sizes) => {
    const program = await compileC(source);
    const machine = new Machine(program, model, {}, { spin: true, awaits: true });
    const orders = chooseOrders(machine, ALL_SHORTCUTS, 2, 1000);
    expect(orders).toHaveLength(sizes.length === 0 ? 0 : 2);
    const found = sizes.map((__, i) => {
      const dpor = new MachineDpor(machine, 'optimal');
      machine.rollback(0);
      dpor.take({ shared: [], orders: partsOf(orders)[i]! }, NOBODY);
      return explore(machine, dpor).executions;
    });
    expect(found).toEqual(sizes);
  });

  // Otherwise nothing has been tested.
  it('searches were divided and refused, parts were stuck and resumed', () => {
    expect(sums.exact).toBeGreaterThan(floor(sums.searches / 2));
    expect(sums.refused).toBeGreaterThan(floor(0));
    expect(sums.stuck).toBeGreaterThan(floor(sums.searches / 20));
    expect(sums.resumed).toBeGreaterThan(floor(sums.searches / 20));
  });
});
