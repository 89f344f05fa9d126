/** The classic tests, with every combination of memory orders: whether RC11 allows the outcome that SC forbids. */
import { describe, expect, it } from 'vitest';
import { keyOfSketch, visitGraphs } from '../../support/graphs.ts';
import {
  buildProgram,
  fence,
  type LoadOrder,
  load,
  type Op,
  type Sketch,
  type StoreOrder,
  store,
} from '../../support/sketch.ts';

const [X, Y, Z] = [0, 1, 2];
const LOADS: readonly LoadOrder[] = ['relaxed', 'acquire', 'seq_cst'];
const STORES: readonly StoreOrder[] = ['relaxed', 'release', 'seq_cst'];

interface Classic {
  readonly name: string;
  readonly threads: readonly (readonly ('W' | 'R')[])[];
  readonly locations: readonly (readonly number[])[];
  /**
   * The outcome, as part of the key of an execution: what each read reads; for stores alone, the modification order.
   */
  readonly outcome: readonly string[];
  /** By the orders of the accesses, thread by thread. */
  readonly forbids: (orders: readonly string[]) => boolean;
}

const isSc = (orders: readonly string[]): boolean => orders.every((o) => o === 'seq_cst');
const synchronises = (write: string | undefined, read: string | undefined): boolean =>
  write !== 'relaxed' && read !== 'relaxed';

const CLASSICS: readonly Classic[] = [
  {
    name: 'SB',
    threads: [
      ['W', 'R'],
      ['W', 'R'],
    ],
    locations: [
      [X, Y],
      [Y, X],
    ],
    outcome: ['0.1<init', '1.1<init'],
    forbids: isSc,
  },
  {
    name: 'MP',
    threads: [
      ['W', 'W'],
      ['R', 'R'],
    ],
    locations: [
      [X, Y],
      [Y, X],
    ],
    outcome: ['1.0<0.1', '1.1<init'],
    forbids: ([, y, r]) => synchronises(y, r),
  },
  {
    name: 'LB',
    threads: [
      ['R', 'W'],
      ['R', 'W'],
    ],
    locations: [
      [X, Y],
      [Y, X],
    ],
    outcome: ['0.0<1.1', '1.0<0.1'],
    forbids: () => true,
  },
  {
    name: '2+2W',
    threads: [
      ['W', 'W'],
      ['W', 'W'],
    ],
    locations: [
      [X, Y],
      [Y, X],
    ],
    outcome: ['x:1.1,0.0', 'y:0.1,1.0'],
    forbids: isSc,
  },
  {
    name: 'CoRR',
    threads: [['W'], ['R', 'R']],
    locations: [[X], [X, X]],
    outcome: ['1.0<0.0', '1.1<init'],
    forbids: () => true,
  },
  {
    name: 'IRIW',
    threads: [['W'], ['W'], ['R', 'R'], ['R', 'R']],
    locations: [[X], [Y], [X, Y], [Y, X]],
    outcome: ['2.0<0.0', '2.1<init', '3.0<1.0', '3.1<init'],
    forbids: isSc,
  },
  {
    // The first read is before the second write, so reading x again is coherent with it.
    name: 'WRC',
    threads: [['W'], ['R', 'W'], ['R', 'R']],
    locations: [[X], [X, Y], [Y, X]],
    outcome: ['1.0<0.0', '2.0<1.1', '2.1<init'],
    forbids: ([, , y, r]) => synchronises(y, r),
  },
  {
    name: 'ISA2',
    threads: [
      ['W', 'W'],
      ['R', 'W'],
      ['R', 'R'],
    ],
    locations: [
      [X, Y],
      [Y, Z],
      [Z, X],
    ],
    outcome: ['1.0<0.1', '2.0<1.1', '2.1<init'],
    forbids: ([, y, r, z, s]) => synchronises(y, r) && synchronises(z, s),
  },
  {
    name: 'RWC',
    threads: [['W'], ['R', 'R'], ['W', 'R']],
    locations: [[X], [X, Y], [Y, X]],
    outcome: ['1.0<0.0', '1.1<init', '2.1<init'],
    forbids: isSc,
  },
  {
    // x first, then y, in thread 0; y later, then z, in thread 1; z seen, x not, in thread 2.
    name: 'Z6',
    threads: [
      ['W', 'W'],
      ['W', 'W'],
      ['R', 'R'],
    ],
    locations: [
      [X, Y],
      [Y, Z],
      [Z, X],
    ],
    outcome: ['y:0.1,1.0', '2.0<1.1', '2.1<init'],
    forbids: isZ6Forbidden,
  },
];

/**
 * A cycle of seq_cst events from x over y and back, where thread 1 reaches thread 2 by synchronisation or by seq_cst.
 */
function isZ6Forbidden([x, y, y1, z, r, s]: readonly string[]): boolean {
  return [x, y, y1, s].every((o) => o === 'seq_cst') && synchronises(z, r);
}

function combinations(kinds: readonly ('W' | 'R')[]): readonly (readonly string[])[] {
  return kinds.reduce<string[][]>(
    (all, kind) => all.flatMap((orders) => (kind === 'W' ? STORES : LOADS).map((order) => [...orders, order])),
    [[]],
  );
}

function sketchOf({ threads, locations }: Classic, orders: readonly string[]): Sketch {
  let next = 0;
  return threads.map((kinds, t) =>
    kinds.map((kind, i): Op => {
      const order = orders[next++]!;
      const location = locations[t]![i]!;
      return kind === 'W' ? store(location, t + 1, order as StoreOrder) : load(location, order as LoadOrder);
    }),
  );
}

function allows(sketch: Sketch, outcome: readonly string[]): boolean {
  const { keys } = visitGraphs(buildProgram(sketch), keyOfSketch(sketch));
  return keys.some((key) => outcome.every((part) => key.split(/[,;](?=\d+\.\d+<|\w:|$)/).includes(part)));
}

describe.each(CLASSICS)('$name', (classic) => {
  it('has the textbook answer for every combination of orders', () => {
    for (const orders of combinations(classic.threads.flat())) {
      expect([orders.join(), allows(sketchOf(classic, orders), classic.outcome)]).toEqual([
        orders.join(),
        !classic.forbids(orders),
      ]);
    }
  });
});

describe('fences have the textbook answer', () => {
  const relaxed = (location: number): Op => load(location, 'relaxed');
  const set = (location: number): Op => store(location, 1, 'relaxed');
  it.each<[string, Sketch, readonly string[], boolean]>([
    [
      'SB, full fences',
      [
        [set(X), fence(), relaxed(Y)],
        [set(Y), fence(), relaxed(X)],
      ],
      ['0.1<init', '1.1<init'],
      false,
    ],
    [
      'SB, acq_rel fences',
      [
        [set(X), fence('acq_rel'), relaxed(Y)],
        [set(Y), fence('acq_rel'), relaxed(X)],
      ],
      ['0.1<init', '1.1<init'],
      true,
    ],
    [
      'MP, release and acquire fences',
      [
        [set(X), fence('release'), set(Y)],
        [relaxed(Y), fence('acquire'), relaxed(X)],
      ],
      ['1.0<0.1', '1.1<init'],
      false,
    ],
    [
      'MP, a release fence alone',
      [
        [set(X), fence('release'), set(Y)],
        [relaxed(Y), relaxed(X)],
      ],
      ['1.0<0.1', '1.1<init'],
      true,
    ],
    [
      'IRIW, full fences',
      [[set(X)], [set(Y)], [relaxed(X), fence(), relaxed(Y)], [relaxed(Y), fence(), relaxed(X)]],
      ['2.0<0.0', '2.1<init', '3.0<1.0', '3.1<init'],
      false,
    ],
  ])('in %s', (_, sketch, outcome, isAllowed) => {
    expect(allows(sketch, outcome)).toBe(isAllowed);
  });
});
