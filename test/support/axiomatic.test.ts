import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AxiomaticModel, axiomaticExecutions } from './axiomatic.ts';
import { sketches } from './generate.ts';
import {
  buildProgram,
  cas,
  type FenceOrder,
  fence,
  ifLast,
  load,
  locationName,
  locationsOf,
  type Op,
  printSketch,
  type RmwOrder,
  registersOf,
  rmw,
  type Sketch,
  type StoreOrder,
  store,
  type Value,
} from './sketch.ts';

const [x, y, z, w] = [0, 1, 2, 3];
const models: readonly AxiomaticModel[] = ['sc', 'tso', 'pso'];

/** Numbers of executions under SC, TSO and PSO. */
function counts(sketch: Sketch): number[] {
  return models.map((model) => axiomaticExecutions(sketch, model).executions);
}

/** The models that allow a final state with all of `parts`, such as `1:r0=1` and `x=2`. */
function allowing(sketch: Sketch, ...parts: string[]): string {
  return models
    .filter((model) =>
      [...axiomaticExecutions(sketch, model).states].some((state) => {
        const all = state.split(',');
        return parts.every((part) => all.includes(part));
      }),
    )
    .join(' ');
}

const SB: Sketch = [
  [store(x, 1), load(y)],
  [store(y, 1), load(x)],
];
const MP: Sketch = [
  [store(x, 1), store(y, 1)],
  [load(y), load(x)],
];

function times<T>(count: number, make: (i: number) => T): T[] {
  return Array.from({ length: count }, (_, i) => make(i));
}

describe('known numbers of executions', () => {
  const known: readonly { name: string; sketch: Sketch; executions: readonly [number, number, number] }[] = [
    { name: 'SB', sketch: SB, executions: [3, 4, 4] },
    { name: 'MP', sketch: MP, executions: [3, 3, 4] },
    {
      name: 'n6',
      sketch: [
        [store(x, 1), load(x), load(y)],
        [store(y, 2), store(x, 2)],
      ],
      executions: [4, 5, 6],
    },
    { name: 'NIDHUGG Fig. 5', sketch: [[store(x, 1), load(x)], [store(x, 2)]], executions: [3, 3, 3] },
    {
      name: '2+2W',
      sketch: [
        [store(x, 1), store(y, 2)],
        [store(y, 1), store(x, 2)],
      ],
      executions: [3, 3, 4],
    },
    {
      name: 'IRIW',
      sketch: [[store(x, 1)], [store(y, 1)], [load(x), load(y)], [load(y), load(x)]],
      executions: [15, 15, 15],
    },
    { name: 'CoRR', sketch: [[store(x, 1)], [load(x), load(x)]], executions: [3, 3, 3] },
    {
      name: 'LB',
      sketch: [
        [load(x), store(y, 1)],
        [load(y), store(x, 1)],
      ],
      executions: [3, 3, 3],
    },
    {
      name: 'WRC',
      sketch: [[store(x, 1)], [load(x), store(y, 1)], [load(y), load(x)]],
      executions: [7, 7, 7],
    },
    {
      // A load before the store, so that the store is absent when the oracle adds the other thread's load.
      name: 'SB with a load first',
      sketch: [
        [store(x, 1), load(y)],
        [load(z), store(y, 1), load(x)],
      ],
      executions: [3, 4, 4],
    },
    { name: 'RWC', sketch: [[store(x, 1)], [load(x), load(y)], [store(y, 1), load(x)]], executions: [7, 8, 8] },
    { name: 'readers(6)', sketch: [[store(x, 1)], ...times(6, () => [load(x)])], executions: [64, 64, 64] },
    // Each thread's store may be forwarded or not, which must not count as two executions.
    { name: 'writers(3)', sketch: times(3, (i) => [store(x, i + 1), load(x)]), executions: [36, 36, 36] },
    {
      name: '4 writers, one reader',
      sketch: [...times(4, (i) => [store(x, i + 1)]), [load(x)]],
      executions: [120, 120, 120],
    },
    { name: 'SB ring(4)', sketch: times(4, (i) => [store(i, 1), load((i + 1) % 4)]), executions: [15, 16, 16] },
    {
      // 3^n - 2^n, 3^n and 4^n, as in the design's figures for 5 and 8.
      name: 'MP ring(3)',
      sketch: times(3, (i) => [store(i, 1), store(3 + i, 1), load(3 + ((i + 1) % 3)), load((i + 1) % 3)]),
      executions: [19, 27, 64],
    },
    { name: 'fetch_add(5)', sketch: times(5, () => [rmw('add', x, 1, 'relaxed')]), executions: [120, 120, 120] },
    { name: 'no operations', sketch: [[], []], executions: [1, 1, 1] },
  ];
  it.each(known)('are right for $name', ({ sketch, executions }) => {
    expect(counts(sketch)).toEqual(executions);
  });

  // Figures of the x86 corpus (expected.tsv) for all its tests with XCHG in which PSO is not SC.
  const exchange = (location: number, value: number) => rmw('xchg', location, value, 'seq_cst');
  const corpus: readonly { name: string; sketch: Sketch; executions: readonly [number, number, number] }[] = [
    {
      name: '2+2W+po+mfence-rmw',
      sketch: [
        [store(x, 2), store(y, 1)],
        [store(y, 2), fence(), exchange(x, 1)],
      ],
      executions: [3, 3, 4],
    },
    {
      name: '2+2W+po+po-rmw',
      sketch: [
        [store(x, 2), store(y, 1)],
        [store(y, 2), exchange(x, 1)],
      ],
      executions: [3, 3, 4],
    },
    {
      name: 'MP+po+rmw-mfence',
      sketch: [
        [store(x, 1), store(y, 1)],
        [exchange(y, 2), fence(), load(x)],
      ],
      executions: [3, 3, 4],
    },
    {
      name: 'MP+po+rmw-po',
      sketch: [
        [store(x, 1), store(y, 1)],
        [exchange(y, 2), load(x)],
      ],
      executions: [3, 3, 4],
    },
    {
      name: 'R+mfence-rmw+po',
      sketch: [
        [store(x, 1), fence(), exchange(y, 1)],
        [store(y, 2), load(x)],
      ],
      executions: [3, 4, 4],
    },
    {
      name: 'R+mfence-rmw+rfi-po',
      sketch: [
        [store(x, 1), fence(), exchange(y, 1)],
        [store(y, 2), load(y), load(x)],
      ],
      executions: [4, 5, 5],
    },
    {
      name: 'R+po-rmw+po',
      sketch: [
        [store(x, 1), exchange(y, 1)],
        [store(y, 2), load(x)],
      ],
      executions: [3, 4, 4],
    },
    {
      name: 'R+po-rmw+rfi-po',
      sketch: [
        [store(x, 1), exchange(y, 1)],
        [store(y, 2), load(y), load(x)],
      ],
      executions: [4, 5, 5],
    },
    {
      name: 'RR+WR+rmw-mfence+po',
      sketch: [
        [exchange(x, 1), fence(), load(y)],
        [store(y, 1), load(x)],
      ],
      executions: [3, 4, 4],
    },
    {
      name: 'RR+WR+rmw-mfence+rfi-po',
      sketch: [
        [exchange(x, 1), fence(), load(y)],
        [store(y, 1), load(y), load(x)],
      ],
      executions: [3, 4, 4],
    },
    {
      name: 'RR+WR+rmw-po+po',
      sketch: [
        [exchange(x, 1), load(y)],
        [store(y, 1), load(x)],
      ],
      executions: [3, 4, 4],
    },
    {
      name: 'RR+WR+rmw-po+rfi-po',
      sketch: [
        [exchange(x, 1), load(y)],
        [store(y, 1), load(y), load(x)],
      ],
      executions: [3, 4, 4],
    },
    {
      name: 'RW+WR+rmw-po+po',
      sketch: [
        [exchange(x, 1), store(y, 1)],
        [store(y, 2), load(x)],
      ],
      executions: [3, 4, 4],
    },
    {
      name: 'RW+WR+rmw-po+rfi-po',
      sketch: [
        [exchange(x, 1), store(y, 1)],
        [store(y, 2), load(y), load(x)],
      ],
      executions: [4, 5, 5],
    },
    {
      name: 'S+po+po-rmw',
      sketch: [
        [store(x, 2), store(y, 1)],
        [load(y), exchange(x, 1)],
      ],
      executions: [3, 3, 4],
    },
    {
      name: 'S+po+rmw-po',
      sketch: [
        [store(x, 2), store(y, 1)],
        [exchange(y, 2), store(x, 1)],
      ],
      executions: [3, 3, 4],
    },
  ];
  it.each(corpus)('are right for the x86 corpus: $name', ({ sketch, executions }) => {
    expect(counts(sketch)).toEqual(executions);
  });
});

describe('results', () => {
  it('names states by registers, then locations', () => {
    expect([...axiomaticExecutions(SB, 'sc').states].sort()).toEqual([
      '0:r0=0,1:r0=1,x=1,y=1',
      '0:r0=1,1:r0=0,x=1,y=1',
      '0:r0=1,1:r0=1,x=1,y=1',
    ]);
  });

  it('names executions by sources and coherence, not counting fences', () => {
    const sketch = [[store(x, 1), fence(), rmw('add', x, 1)], [cas(x, 1, 3)]];
    expect([...axiomaticExecutions(sketch, 'tso').keys].sort()).toEqual([
      '0.1<0.0,1.0<0.1;x:0.0,0.1',
      '0.1<0.0,1.0<init;x:0.0,0.1',
      '0.1<1.0,1.0<0.0;x:0.0,1.0,0.1',
    ]);
  });

  it('follows branches and the value last read', () => {
    const sketch = [[store(x, 2)], [load(x), ifLast(2, [store(y, 'last'), load(y)], [load(z)]), store(w, 'last')]];
    expect(registersOf(sketch)).toEqual([0, 3]);
    for (const model of models) {
      expect([...axiomaticExecutions(sketch, model).states].sort()).toEqual([
        '1:r0=0,1:r1=0,1:r2=0,x=2,y=0,z=0,w=0',
        '1:r0=2,1:r1=2,1:r2=0,x=2,y=2,z=0,w=2',
      ]);
    }
  });
});

describe('coherence and causality hold in every model', () => {
  it('CoRR, LB and WRC have no strange outcome', () => {
    expect(allowing([[store(x, 1)], [load(x), load(x)]], '1:r0=1', '1:r1=0')).toBe('');
    const LB = [
      [load(x), store(y, 1)],
      [load(y), store(x, 1)],
    ];
    expect(allowing(LB, '0:r0=1', '1:r0=1')).toBe('');
    const WRC = [[store(x, 1)], [load(x), store(y, 1)], [load(y), load(x)]];
    expect(allowing(WRC, '1:r0=1', '2:r0=1', '2:r1=0')).toBe('');
  });

  it('a thread sees its own newest store', () => {
    expect(allowing([[store(x, 1), store(x, 2), load(x)]], '0:r0=1')).toBe('');
    expect(allowing([[store(x, 1), load(x)]], '0:r0=0')).toBe('');
  });

  it('two compare-exchanges do not both win', () => {
    const sketch = [[cas(x, 0, 1, 'relaxed', 'relaxed')], [cas(x, 0, 2, 'relaxed', 'relaxed')]];
    expect(allowing(sketch, '0:r0=0', '1:r0=0')).toBe('');
    expect(counts(sketch)).toEqual([2, 2, 2]);
  });
});

describe('stores before later stores', () => {
  const reader = [load(y), load(x)];
  const stale = ['1:r0=1', '1:r1=0'];

  it.each<[StoreOrder, string]>([
    ['plain', 'pso'],
    ['relaxed', 'pso'],
    ['release', ''],
    ['seq_cst', ''],
  ])('MP with a %s store on the flag', (order, allowed) => {
    expect(allowing([[store(x, 1), store(y, 1, order)], reader], ...stale)).toBe(allowed);
  });

  it.each<[FenceOrder, string]>([
    ['acquire', 'pso'],
    ['release', ''],
    ['acq_rel', ''],
    ['seq_cst', ''],
  ])('MP with a fence(%s) between the stores', (order, allowed) => {
    const sketch = [[store(x, 1), fence(order), store(y, 1)], reader];
    expect(allowing(sketch, ...stale)).toBe(allowed);
    expect(counts(sketch)).toEqual([3, 3, allowed === '' ? 3 : 4]);
  });

  it('a release store keeps nothing behind itself, but its barrier does', () => {
    const writer = [store(x, 1), store(z, 1, 'release'), store(y, 1)];
    expect(allowing([writer, [load(y), load(z)]], ...stale)).toBe('pso');
    expect(allowing([writer, [load(y), load(x)]], ...stale)).toBe('');
  });

  it('a seq_cst store keeps everything behind itself', () => {
    expect(allowing([[store(x, 1, 'seq_cst'), store(y, 1)], reader], ...stale)).toBe('');
  });

  it('barriers chain', () => {
    const writer = [store(x, 1), fence('release'), store(z, 1), fence('acq_rel'), store(y, 1)];
    expect(allowing([writer, reader], ...stale)).toBe('');
    expect(allowing([writer, [load(y), load(z)]], ...stale)).toBe('');
  });
});

describe('stores before later loads', () => {
  const relaxed = ['0:r0=0', '1:r0=0'];

  it('a store–store barrier allows more than a full fence', () => {
    const between = (order: FenceOrder) => [
      [store(x, 1), fence(order), load(y)],
      [store(y, 1), fence(order), load(x)],
    ];
    expect(counts(between('acquire'))).toEqual([3, 4, 4]);
    expect(counts(between('release'))).toEqual([3, 4, 4]);
    expect(counts(between('acq_rel'))).toEqual([3, 4, 4]);
    expect(counts(between('seq_cst'))).toEqual([3, 3, 3]);
  });

  it('only the seq_cst order of a store is a full fence, and that of a load is none', () => {
    const ordered = (order: StoreOrder) => [
      [store(x, 1, order), load(y, 'seq_cst')],
      [store(y, 1, order), load(x, 'seq_cst')],
    ];
    expect(counts(ordered('relaxed'))).toEqual([3, 4, 4]);
    expect(counts(ordered('release'))).toEqual([3, 4, 4]);
    expect(counts(ordered('seq_cst'))).toEqual([3, 3, 3]);
  });

  it('a seq_cst store is a full fence for the stores before it too', () => {
    const sketch = [
      [store(x, 1), store(z, 1, 'seq_cst'), load(y)],
      [store(y, 1), store(w, 1, 'seq_cst'), load(x)],
    ];
    expect(allowing(sketch, ...relaxed)).toBe('');
  });
});

describe('stores before later read-modify-writes', () => {
  const weak: readonly RmwOrder[] = ['relaxed', 'acquire'];
  const strong: readonly RmwOrder[] = ['release', 'acq_rel', 'seq_cst'];
  const stale = ['1:r0=1', '1:r1=0'];
  const relaxed = ['0:r1=0', '1:r1=0'];

  it('strong ones wait for all stores, weak ones under PSO only for their location', () => {
    const mp = (order: RmwOrder) => [
      [store(x, 1), rmw('xchg', y, 1, order)],
      [load(y), load(x)],
    ];
    const sb = (order: RmwOrder) => [
      [store(x, 1), rmw('add', z, 1, order), load(y)],
      [store(y, 1), rmw('add', w, 1, order), load(x)],
    ];
    for (const order of weak) {
      expect(allowing(mp(order), ...stale), order).toBe('pso');
      expect(allowing(sb(order), ...relaxed), order).toBe('pso');
    }
    for (const order of strong) {
      expect(allowing(mp(order), ...stale), order).toBe('');
      expect(allowing(sb(order), ...relaxed), order).toBe('');
    }
    const own = [
      [store(x, 1), rmw('add', x, 0, 'relaxed'), load(y)],
      [store(y, 1), rmw('add', y, 0, 'relaxed'), load(x)],
    ];
    expect(allowing(own, ...relaxed)).toBe('');
  });

  it('weak ones wait for the stores before the last barrier', () => {
    const fenced = [store(x, 1), fence('release'), rmw('xchg', y, 1, 'relaxed')];
    expect(allowing([fenced, [load(y), load(x)]], ...stale)).toBe('');
    const released = [store(x, 1), store(z, 1, 'release'), rmw('xchg', y, 1, 'relaxed')];
    expect(allowing([released, [load(y), load(x)]], ...stale)).toBe('');
    expect(allowing([released, [load(y), load(z)]], ...stale)).toBe('pso');
  });

  it('a weak one does not keep later stores behind the earlier ones', () => {
    const writer = [store(x, 1), rmw('add', z, 1, 'relaxed'), store(y, 1)];
    expect(allowing([writer, [load(y), load(x)]], ...stale)).toBe('pso');
    expect(allowing([writer, [load(y), load(z)]], ...stale)).toBe('');
  });

  it('a compare-exchange waits as the stronger of its two orders requires, whatever its outcome', () => {
    const exchange = (expected: number, order: RmwOrder, failureOrder: 'relaxed' | 'acquire' | 'seq_cst') => [
      [store(x, 1), cas(z, expected, 1, order, failureOrder), load(y)],
      [store(y, 1), cas(w, expected, 1, order, failureOrder), load(x)],
    ];
    for (const expected of [0, 2]) {
      for (const order of weak) {
        expect(allowing(exchange(expected, order, 'relaxed'), ...relaxed), order).toBe('pso');
        expect(allowing(exchange(expected, order, 'seq_cst'), ...relaxed), order).toBe('');
      }
      for (const order of strong) expect(allowing(exchange(expected, order, 'relaxed'), ...relaxed), order).toBe('');
    }
  });

  it('a failed compare-exchange never forwards', () => {
    const sketch = [
      [store(x, 1), cas(x, 2, 0, 'relaxed', 'relaxed'), load(y)],
      [store(y, 1), cas(y, 2, 0, 'relaxed', 'relaxed'), load(x)],
    ];
    expect(allowing(sketch, ...relaxed)).toBe('');
  });
});

describe('generated sketches', () => {
  const options = { rmw: true, cas: true, fences: true, orders: true, branches: true };

  it('TSO allows every execution and state of SC, and PSO those of TSO', () => {
    fc.assert(
      fc.property(sketches({ ...options, threads: 4, locations: 3 }), (sketch) => {
        const [sc, tso, pso] = models.map((model) => axiomaticExecutions(sketch, model));
        for (const [strong, weak] of [
          [sc!, tso!],
          [tso!, pso!],
        ] as const) {
          expect([...strong.keys].filter((key) => !weak.keys.has(key))).toEqual([]);
          expect([...strong.states].filter((state) => !weak.states.has(state))).toEqual([]);
        }
        // Each execution is enumerated once.
        for (const all of [sc!, tso!, pso!]) expect(all.executions).toBe(all.keys.size);
        expect(sc!.executions).toBeGreaterThan(0);
      }),
      { numRuns: 500 },
    );
  });

  it('a full fence between all operations restores SC', () => {
    fc.assert(
      fc.property(sketches({ rmw: true, cas: true, orders: true, totalOps: 7 }), (sketch) => {
        const fenced = sketch.map((ops) => ops.flatMap((op) => [op, fence()]));
        for (const model of ['tso', 'pso'] as const) {
          expect(axiomaticExecutions(fenced, model).keys).toEqual(axiomaticExecutions(sketch, 'sc').keys);
        }
      }),
    );
  });

  it('are relaxed often enough to be worth running', () => {
    const sample = fc.sample(sketches(options), { numRuns: 500, seed: 1 });
    const relaxed = sample.filter((sketch) => {
      const [sc, , pso] = counts(sketch);
      return sc !== pso;
    });
    expect(relaxed.length).toBeGreaterThan(25);
  });

  it.each([1, 2, 3, 4])('shrink until no operation can be left out (seed %i)', (seed) => {
    const isRelaxed = (sketch: Sketch) => {
      const [sc, tso] = counts(sketch);
      return sc !== tso;
    };
    const { counterexample } = fc.check(
      fc.property(sketches({ ...options, threads: 4, locations: 3 }), (sketch) => !isRelaxed(sketch)),
      { numRuns: 10_000, seed },
    );
    const [smallest] = counterexample!;
    expect(isRelaxed(smallest)).toBe(true);
    for (const [thread, ops] of smallest.entries()) {
      for (const op of ops) {
        const smaller = smallest.with(
          thread,
          ops.filter((other) => other !== op),
        );
        expect(isRelaxed(smaller), printSketch(smallest)).toBe(false);
      }
    }
  });

  it('the executions of SC are those of all interleavings', () => {
    fc.assert(
      fc.property(sketches({ ...options, threads: 4, locations: 3, totalOps: 6 }), (sketch) => {
        expect(axiomaticExecutions(sketch, 'sc').keys).toEqual(interleavings(sketch));
      }),
      { numRuns: 200 },
    );
  });
});

/** The keys of all interleavings, found by running them: a check of the enumeration, which is shared by all models. */
function interleavings(sketch: Sketch): Set<string> {
  const keys = new Set<string>();
  interface State {
    readonly threads: readonly {
      readonly ops: readonly Op[];
      readonly last: number;
      readonly reads: readonly string[];
    }[];
    readonly accesses: readonly number[];
    readonly memory: readonly (readonly { readonly name: string; readonly value: number }[])[];
  }
  const run = (state: State): void => {
    let done = true;
    for (const [t, thread] of state.threads.entries()) {
      const [op, ...ops] = thread.ops;
      if (op === undefined) continue;
      done = false;
      const next = { ...thread, ops };
      if (op.op === 'ifLast') next.ops = [...(op.value === thread.last ? op.then : op.else), ...ops];
      let { accesses, memory } = state;
      if ('location' in op) {
        const name = `${t}.${accesses[t]}`;
        const writes = memory[op.location]!;
        const old = writes.at(-1)?.value ?? 0;
        const value = (of: Value) => (of === 'last' ? thread.last : of);
        let written: number | undefined;
        if (op.op === 'store') written = value(op.value);
        if (op.op === 'rmw') written = op.operator === 'add' ? old + value(op.value) : value(op.value);
        if (op.op === 'cas' && old === value(op.expected)) written = value(op.desired);
        if (op.op !== 'store') {
          next.last = old;
          next.reads = [...thread.reads, `${name}<${writes.at(-1)?.name ?? 'init'}`];
        }
        if (written !== undefined) memory = memory.with(op.location, [...writes, { name, value: written }]);
        accesses = accesses.with(t, accesses[t]! + 1);
      }
      run({ threads: state.threads.with(t, next), accesses, memory });
      // Fences and branches need no second order: they are invisible to other threads.
      if (!('location' in op)) return;
    }
    if (!done) return;
    const coherence = state.memory.map((writes, l) => `${locationName(l)}:${writes.map(({ name }) => name).join(',')}`);
    keys.add([state.threads.flatMap((thread) => thread.reads).join(','), ...coherence].join(';'));
  };
  run({
    threads: sketch.map((ops) => ({ ops, last: 0, reads: [] })),
    accesses: sketch.map(() => 0),
    memory: locationsOf(sketch).map(() => []),
  });
  return keys;
}

describe('sketches', () => {
  const sketch: Sketch = [
    [store(y, 'last', 'release'), rmw('add', x, 1, 'relaxed'), ifLast(0, [load(y)], [cas(x, 1, 2), fence('release')])],
    [load(x, 'acquire')],
  ];

  it('are built with register k as rk and locations as globals', () => {
    const program = buildProgram(sketch);
    expect(program.globals.map((global) => global.name)).toEqual(['x', 'y']);
    expect(program.roots.map((root) => [root.name, program.functions[root.function]!.name])).toEqual([
      ['P0', 'P0'],
      ['P1', 'P1'],
    ]);
    const [P0, P1] = program.functions;
    expect(P0!.registers.map((register) => register.name)).toEqual(['r0', 'r1', 'r2', 'last', 'taken']);
    expect(P0!.blocks.map((block) => `${block.name}: ${block.body.map((i) => i.op).join(' ')}`)).toEqual([
      'entry: store rmw move compare branch',
      'then0: load move jump',
      'else0: cmpxchg move fence jump',
      'end0: return',
    ]);
    expect(P1!.registers.map((register) => register.name)).toEqual(['r0']);
    expect(P1!.blocks.map((block) => block.body.map((i) => i.op))).toEqual([['load', 'return']]);
  });

  it('print as columns', () => {
    expect(printSketch(sketch).split('\n')).toEqual([
      'P0                                      | P1',
      'y = last (release)                      | r0 = x (acquire)',
      'r0 = add x, 1 (relaxed)                 |',
      'if last == 0 {                          |',
      '  r1 = y                                |',
      '} else {                                |',
      '  r2 = cas x, 1 -> 2 (seq_cst, seq_cst) |',
      '  fence (release)                       |',
      '}                                       |',
    ]);
  });
});
