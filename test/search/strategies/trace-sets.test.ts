/**
 * Trace sets written by hand, matched one to one with those that the searches visit: every trace of the figures of
 * [NIDHUGG], given by the source of every load and, where two threads write a location, the order in which their stores
 * reached it.
 *
 *   p1 ← q2    p's first load reads what q's second store wrote;  ← 0: the initial value
 *   x: p1 q1   p's first store to reach x comes before q's first
 */
import { describe, expect, it } from 'vitest';
import { MachineDpor } from '../../../src/explore/dpor/machine/machine-dpor.ts';
import { explore } from '../../../src/explore/explore.ts';
import * as ev from '../../../src/machine/events/event.ts';
import { Machine } from '../../../src/machine/machine.ts';
import type { Model } from '../../../src/models/index.ts';
import { INITIAL, ShashaSnirTrace } from '../../../src/trace/shasha-snir.ts';
import { buildProgram, load, locationsOf, type Sketch, store } from '../../support/sketch.ts';

const [x, y, z] = [0, 1, 2];

interface TraceSet {
  readonly name: string;
  readonly threads: Sketch;
  readonly traces: Readonly<Partial<Record<Model, readonly string[]>>>;
}

const SB = ['p1 ← 0, q1 ← p1', 'p1 ← q1, q1 ← 0', 'p1 ← q1, q1 ← p1'];
const MP = ['q1 ← 0, q2 ← 0', 'q1 ← 0, q2 ← p1', 'q1 ← p2, q2 ← p1'];
const FIG5 = ['p1 ← p1, x: p1 q1', 'p1 ← p1, x: q1 p1', 'p1 ← q1, x: p1 q1'];

const sets: readonly TraceSet[] = [
  {
    name: 'Fig. 1: the idiom of Dekker; with buffers both loads can miss the other store (Fig. 2 to 4)',
    threads: [
      [store(x, 1), load(y)],
      [store(y, 1), load(x)],
    ],
    traces: { sc: SB, tso: [...SB, 'p1 ← 0, q1 ← 0'], pso: [...SB, 'p1 ← 0, q1 ← 0'] },
  },
  {
    name: 'Fig. 5: six orders of load and updates, three traces (Fig. 8 (a), (c), (b))',
    threads: [[store(x, 1), load(x)], [store(x, 2)]],
    traces: { sc: FIG5, tso: FIG5, pso: FIG5 },
  },
  {
    name: 'Fig. 14: the idiom mp; only PSO lets the flag arrive before the message',
    threads: [
      [store(x, 1), store(y, 1)],
      [load(y), load(x)],
    ],
    traces: { sc: MP, tso: MP, pso: [...MP, 'q1 ← p2, q2 ← 0'] },
  },
  {
    name: 'Fig. 10: the idiom of Peterson; Dekker with a third location that both write and read back',
    threads: [
      [store(x, 1), store(z, 1), load(z), load(y)],
      [store(y, 1), store(z, 2), load(z), load(x)],
    ],
    traces: {
      // The thread that writes z last reads its own value; the other may read either. Under SC, the thread that writes
      // z last must see the other's flag, and a thread that reads the other's z has seen everything before it.
      sc: [
        'p1 ← p2, p2 ← 0, q1 ← q2, q2 ← p1, z: p2 q2',
        'p1 ← p2, p2 ← q1, q1 ← q2, q2 ← p1, z: p2 q2',
        'p1 ← q2, p2 ← q1, q1 ← q2, q2 ← p1, z: p2 q2',
        'p1 ← p2, p2 ← q1, q1 ← p2, q2 ← p1, z: q2 p2',
        'p1 ← p2, p2 ← q1, q1 ← q2, q2 ← p1, z: q2 p2',
        'p1 ← p2, p2 ← q1, q1 ← q2, q2 ← 0, z: q2 p2',
      ],
      // Now the loads need not wait for the thread's flag and z to reach memory: the orders forced above are free,
      // unless a thread has read the other's z, which under TSO reaches memory after the other's flag.
      tso: [
        'p1 ← p2, p2 ← 0, q1 ← q2, q2 ← 0, z: p2 q2',
        'p1 ← p2, p2 ← 0, q1 ← q2, q2 ← 0, z: q2 p2',
        'p1 ← p2, p2 ← 0, q1 ← q2, q2 ← p1, z: p2 q2',
        'p1 ← p2, p2 ← 0, q1 ← q2, q2 ← p1, z: q2 p2',
        'p1 ← p2, p2 ← q1, q1 ← q2, q2 ← 0, z: p2 q2',
        'p1 ← p2, p2 ← q1, q1 ← q2, q2 ← 0, z: q2 p2',
        'p1 ← p2, p2 ← q1, q1 ← q2, q2 ← p1, z: p2 q2',
        'p1 ← p2, p2 ← q1, q1 ← q2, q2 ← p1, z: q2 p2',
        'p1 ← q2, p2 ← q1, q1 ← q2, q2 ← 0, z: p2 q2',
        'p1 ← q2, p2 ← q1, q1 ← q2, q2 ← p1, z: p2 q2',
        'p1 ← p2, p2 ← 0, q1 ← p2, q2 ← p1, z: q2 p2',
        'p1 ← p2, p2 ← q1, q1 ← p2, q2 ← p1, z: q2 p2',
      ],
    },
  },
];

/** The traces that the search visits, each in words; stores and loads are numbered separately, per thread. */
function visited({ threads }: TraceSet, model: Model, mode: 'optimal' | 'source'): string[] {
  const machine = new Machine(buildProgram(threads), model);
  const found: string[] = [];
  explore(machine, new MachineDpor(machine, mode), { onExecution: () => found.push(describeTrace(machine, threads)) });
  return found.sort();
}

function describeTrace(machine: Machine, sketch: Sketch): string {
  const trace = new ShashaSnirTrace(machine.events, machine.processes);
  const names = new Map<number, string>([[INITIAL, '0']]);
  const loads: number[] = [];
  trace.threads.forEach((events, thread) => {
    for (const kind of [ev.STORE_EVENT, ev.LOAD_EVENT]) {
      const own = events.filter((event) => machine.events.get(event, ev.E_KIND) === kind);
      for (const [i, event] of own.entries()) names.set(event, `${'pq'[thread]}${i + 1}`);
      if (kind === ev.LOAD_EVENT) loads.push(...own);
    }
  });
  const sources = loads.map((event) => `${names.get(event)} ← ${names.get(trace.sourcesOf(event)[0]!)}`);
  const orders = locationsOf(sketch).flatMap((name, location) => {
    const order = trace.storeOrders().find(({ address }) => address === machine.layout.globals[location]);
    return order === undefined || order.writes.length < 2
      ? []
      : [`${name}: ${order.writes.map((write) => names.get(write)).join(' ')}`];
  });
  return [...sources, ...orders].join(', ');
}

describe.each(sets)('$name', (set) => {
  const cases = Object.entries(set.traces).flatMap(([model, traces]) =>
    (['optimal', 'source'] as const).map((mode) => ({ model: model as Model, mode, traces })),
  );
  it.each(cases)('has its traces under $model, by $mode', ({ model, mode, traces }) => {
    expect(visited(set, model, mode)).toEqual([...traces].sort());
  });
});
