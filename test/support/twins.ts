/**
 * The tests of `litmus/` as sketches, so that the oracles, which read sketches, can determine the rows of
 * `litmus/expected.tsv`. They are kept in step by hand: one operation here for each access and fence there.
 */
import { cas, fence, ifLast, load, type Op, rmw, type Sketch, store } from './sketch.ts';

/** A final state of the sketch by name: `0:r0` is what the first read of thread 0 saw, `x` a location. */
export type SketchState = Readonly<Record<string, number>>;

export interface Twin {
  readonly sketch: Sketch;
  /** Where the value of each name of the litmus test's states is found in the sketch's state. */
  readonly names: Readonly<Record<string, string | ((state: SketchState) => number | string)>>;
  /** The test's filter. Only for sketches in which no two executions have the same state. */
  readonly filter?: (state: SketchState) => boolean;
  /** False if the two differ under PSLO; then the oracle does not provide that row. */
  readonly pslo?: false;
}

const [x, y, z, a, b] = [0, 1, 2, 2, 3];
const [mfence, sfence, lfence] = [fence('seq_cst'), fence('release'), fence('acquire')];
const xchg = (location: number, value: number) => rmw('xchg', location, value);
const add = (location: number, value: number) => rmw('add', location, value);

const bothEax = { '0:EAX': '0:r0', '1:EAX': '1:r0' };
const sb = (...between: Op[]): Twin => ({
  sketch: [
    [store(x, 1), ...between, load(y)],
    [store(y, 1), ...between, load(x)],
  ],
  names: bothEax,
});
const mp = (writer: readonly Op[], reader: readonly Op[]): Twin => ({
  sketch: [writer, reader],
  names: { '1:EAX': '1:r0', '1:EBX': '1:r1' },
});
const writes = (...ops: Op[]): Twin['sketch'][number] => [store(x, 1), ...ops, store(y, 1)];
const reads = (...ops: Op[]): Twin['sketch'][number] => [load(y), ...ops, load(x)];
const w22 = (first: readonly Op[], second: readonly Op[]): Twin => ({
  sketch: [first, second],
  names: { x: 'x', y: 'y' },
});
const iriw = (...between: Op[]): Twin => ({
  sketch: [[store(x, 1)], [store(y, 1)], [load(x), ...between, load(y)], [load(y), ...between, load(x)]],
  names: { '2:EAX': '2:r0', '2:EBX': '2:r1', '3:EAX': '3:r0', '3:EBX': '3:r1' },
});
const wrc = (...between: Op[]): Twin => ({
  sketch: [[store(x, 1)], [load(x), store(y, 1)], [load(y), ...between, load(x)]],
  names: { '1:EAX': '1:r0', '2:EAX': '2:r0', '2:EBX': '2:r1' },
});
const n6 = (...behind: Op[]): Twin => ({
  sketch: [
    [store(x, 1), ...behind, load(x), load(y)],
    [store(y, 2), store(x, 2)],
  ],
  names: { '0:EAX': '0:r0', '0:EBX': '0:r1', x: 'x' },
});
const r = (first: readonly Op[], second: readonly Op[]): Twin => ({
  sketch: [
    [store(x, 1), ...first, store(y, 1)],
    [store(y, 2), ...second, load(x)],
  ],
  names: { '1:EAX': '1:r0', y: 'y' },
});
const s = (...between: Op[]): Twin => ({
  sketch: [
    [store(x, 2), ...between, store(y, 1)],
    [load(y), store(x, 1)],
  ],
  names: { '1:EAX': '1:r0', x: 'x' },
});

/** `INC [x]`, where x was 0 or 1. */
const increment: readonly Op[] = [load(x), ifLast(0, [store(x, 1)], [store(x, 2)])];

/** Two tries at the lock y; inside, x is incremented. Registers: r0 first try, r2 second try. */
const spinlock = (...beforeRelease: Op[]): Twin => {
  const critical: readonly Op[] = [...increment, ...beforeRelease, store(y, 0)];
  const thread = [xchg(y, 1), ifLast(0, critical, [xchg(y, 1), ifLast(0, critical)])];
  const got = (t: number) => (state: SketchState) => Number(state[`${t}:r0`] === 0 || state[`${t}:r2`] === 0);
  return { sketch: [thread, thread], names: { '0:EDX': got(0), '1:EDX': got(1), x: 'x' } };
};

/** Location y is the pointer, 1 if it points to the data x and 0 if to `none`, which is z. */
const publish = (...between: Op[]): Twin => ({
  sketch: [writes(...between), [load(y), ifLast(1, [load(x)], [load(z)])]],
  names: {
    '1:rax': (state) => (state['1:r0'] === 1 ? 'data' : 'none'),
    '1:ebx': (state) => state[state['1:r0'] === 1 ? '1:r1' : '1:r2']!,
  },
});

export const twins: Readonly<Record<string, Twin>> = {
  'SB/SB': sb(),
  'SB/SB+mfences': sb(mfence),
  'SB/SB+mfence+po': {
    sketch: [
      [store(x, 1), mfence, load(y)],
      [store(y, 1), load(x)],
    ],
    names: bothEax,
  },
  'SB/SB+sfences': sb(sfence),
  'SB/SB+lfences': sb(lfence),
  'SB/SB+xchgs': {
    sketch: [
      [xchg(x, 1), load(y)],
      [xchg(y, 1), load(x)],
    ],
    names: { '0:EAX': '0:r1', '1:EAX': '1:r1' },
  },
  'SB/SB+lock-adds': {
    sketch: [
      [store(x, 1), add(a, 0), load(y)],
      [store(y, 1), add(b, 0), load(x)],
    ],
    names: { '0:EAX': '0:r1', '1:EAX': '1:r1' },
  },
  'SB/SB+cmpxchg-fails': {
    sketch: [
      [store(x, 1), cas(a, 1, 2), load(y)],
      [store(y, 1), cas(b, 1, 2), load(x)],
    ],
    names: { '0:ECX': '0:r1', '1:ECX': '1:r1' },
  },
  'SB/SB+rfi-pos': {
    sketch: [
      [store(x, 1), load(x), load(y)],
      [store(y, 1), load(y), load(x)],
    ],
    names: { '0:EAX': '0:r0', '0:EBX': '0:r1', '1:EAX': '1:r0', '1:EBX': '1:r1' },
  },
  'SB/3.SB': {
    sketch: [
      [store(x, 1), load(y)],
      [store(y, 1), load(z)],
      [store(z, 1), load(x)],
    ],
    names: { ...bothEax, '2:EAX': '2:r0' },
  },
  'SB/SB-x64': { ...sb(), names: { '0:rax': '0:r0', '1:rax': '1:r0' } },

  'MP/MP': mp(writes(), reads()),
  'MP/MP+sfence+po': mp(writes(sfence), reads()),
  'MP/MP+po+lfence': mp(writes(), reads(lfence)),
  'MP/MP+sfence+lfence': mp(writes(sfence), reads(lfence)),
  'MP/MP+mfences': mp(writes(mfence), reads(mfence)),
  'MP/MP+xchg+po': mp([store(x, 1), xchg(y, 1)], reads()),
  'MP/MP+sfence+branch': mp(writes(sfence), [load(y), ifLast(1, [load(x)])]),
  'MP/MP-x64': { sketch: [writes(), reads()], names: { '1:al': '1:r0', '1:ebx': '1:r1' } },

  '2+2W/2+2W': w22([store(x, 2), store(y, 1)], [store(y, 2), store(x, 1)]),
  '2+2W/2+2W+sfences': w22([store(x, 2), sfence, store(y, 1)], [store(y, 2), sfence, store(x, 1)]),
  '2+2W/2+2W+sfence+po': w22([store(x, 2), sfence, store(y, 1)], [store(y, 2), store(x, 1)]),
  '2+2W/2+2W+xchgs': w22([store(x, 2), xchg(y, 1)], [store(y, 2), xchg(x, 1)]),

  'IRIW/IRIW': iriw(),
  'IRIW/IRIW+lfences': iriw(lfence),
  'WRC/WRC': wrc(),
  'WRC/WRC+po+lfence': wrc(lfence),
  'n6/n6': n6(),
  'n6/n6+mfence': n6(mfence),

  'LB/LB': {
    sketch: [
      [load(x), store(y, 1)],
      [load(y), store(x, 1)],
    ],
    names: bothEax,
  },
  'LB/LB+datas': {
    sketch: [
      [load(x), store(y, 'last')],
      [load(y), store(x, 'last')],
    ],
    names: { ...bothEax, x: 'x', y: 'y' },
  },

  'R/R': r([], []),
  'R/R+po+mfence': r([], [mfence]),
  'R/R+sfence+po': r([sfence], []),
  'R/R+sfence+mfence': r([sfence], [mfence]),
  'S/S': s(),
  'S/S+sfence+po': s(sfence),

  'coherence/CoRR': mp([store(x, 1)], [load(x), load(x)]),
  'coherence/CoRR2': {
    sketch: [[store(x, 1)], [store(x, 2)], [load(x), load(x)], [load(x), load(x)]],
    names: iriw().names,
  },
  'coherence/CoWR': { sketch: [[store(x, 1), load(x)], [store(x, 2)]], names: { '0:EAX': '0:r0', x: 'x' } },

  'RMW/inc': { sketch: [increment, increment], names: { x: 'x' } },
  'RMW/lock-inc': { sketch: [[add(x, 1)], [add(x, 1)]], names: { x: 'x' } },
  'RMW/lock-incq-x64': { sketch: [[add(x, 1)], [add(x, 1)]], names: { x: (state) => state['x']! - 1 } },
  'RMW/cmpxchg': { sketch: [[cas(x, 0, 1)], [cas(x, 0, 2)]], names: { ...bothEax, x: 'x' } },
  'RMW/xadd': { sketch: [[add(x, 1)], [add(x, 1)], [add(x, 1)]], names: { ...bothEax, '2:EAX': '2:r0', x: 'x' } },

  'loops/MP+retry': {
    sketch: [writes(), [load(y), ifLast(0, [load(y)]), load(x)]],
    names: { '1:EAX': (state) => state[state['1:r0'] === 0 ? '1:r1' : '1:r0']!, '1:EBX': '1:r2' },
  },
  'loops/spinlock': spinlock(),
  'loops/spinlock+sfence': spinlock(sfence),

  'pointers/publish': publish(),
  'pointers/publish+sfence': publish(sfence),
  'pointers/array': {
    // x is a[0] and y is a[1].
    sketch: [
      [store(y, 7), store(x, 1)],
      [load(x), ifLast(1, [load(y)], [load(x)])],
    ],
    names: {
      '1:EAX': '1:r0',
      '1:EBX': (state) => state[state['1:r0'] === 1 ? '1:r1' : '1:r2']!,
      'a[0]': 'x',
      'a[1]': 'y',
    },
  },

  // The byte always comes from the thread itself, since no other thread writes x, so its width makes no difference.
  'mixed/forward-byte': {
    sketch: [
      [store(x, 0x101), load(x), load(y)],
      [store(y, 1), load(x)],
    ],
    names: { '0:al': (state) => (state['0:r0']! >> 8) & 0xff, '0:ebx': '0:r1', '1:eax': '1:r0' },
  },
  // A load that waits for the only store behaves like one after a fence, except that it does not reset the store
  // histories.
  'mixed/overlap-waits': {
    sketch: [
      [store(x, 1), mfence, load(x), load(y)],
      [store(y, 1), mfence, load(x)],
    ],
    names: { '0:ebx': '0:r1', '1:eax': '1:r0' },
    pslo: false,
  },
  'mixed/no-tearing': { sketch: [[store(x, 0x1010101)], [load(x)]], names: { '1:eax': '1:r0' } },
  // Bytes that no access has in common are separate locations: x is the upper byte here, y the lower one.
  'mixed/bytes-apart': {
    sketch: [
      [store(x, 1), store(y, 2)],
      [load(y), load(x)],
    ],
    names: { '1:al': '1:r0', '1:bl': '1:r1' },
  },
  'mixed/neighbours': {
    sketch: [[store(x, 1)], [store(y, 2)]],
    names: { x: (state) => state['x']! + 256 * state['y']! },
  },
  // The upper byte has one store and no load; x is the lower one.
  'mixed/half-over-whole': { sketch: [[store(x, 1)], [store(x, 2)]], names: { x: (state) => 0x100 + state['x']! } },

  'format/filter': { ...sb(), filter: (state) => state['0:r0'] === 0 },
  'format/locations': { ...sb(), names: { '0:EAX': '0:r0', '1:EBX': '1:r0', x: 'x' } },
  'format/forall': sb(),
  'format/operators': {
    sketch: [writes(), [load(x), load(y)]],
    names: { '1:EAX': '1:r0', '1:EBX': '1:r1', x: 'x', y: 'y' },
  },
  'format/old-header': { ...sb(mfence), names: { '0:EAX': '0:r0', '1:ECX': '1:r0' } },
};
