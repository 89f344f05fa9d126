/** The answer of each monitor for the well-known idioms, on one execution per trace and over all interleavings. */
import { describe, expect, it } from 'vitest';
import type { MonitorName } from '../../src/monitor/monitors.ts';
import { alarms, robustness } from '../support/monitoring.ts';
import { buildProgram, fence, ifLast, load, rmw, type Sketch, store } from '../support/sketch.ts';

const [x, y, z] = [0, 1, 2];
const TSO: readonly MonitorName[] = ['sober', 'sober-fixed', 'tso', 'causal-tso'];
const PSO: readonly MonitorName[] = ['pso', 'causal-pso'];
const BOTH: readonly MonitorName[] = [...TSO, ...PSO];
const NEITHER: readonly MonitorName[] = [];

/** Enters the critical section if the other's flag is down, and writes z there. */
const enter = (own: number, other: number, between: Sketch[number] = []): Sketch[number] => [
  store(own, 1),
  ...between,
  load(other),
  ifLast(0, [load(z), store(z, 1)]),
];

describe('the answers of the monitors, over all interleavings', () => {
  it.each<[string, readonly MonitorName[], Sketch]>([
    [
      'SB',
      BOTH,
      [
        [store(x, 1), load(y)],
        [store(y, 1), load(x)],
      ],
    ],
    [
      'SB with fences',
      NEITHER,
      [
        [store(x, 1), fence(), load(y)],
        [store(y, 1), fence(), load(x)],
      ],
    ],
    [
      'SB with one fence',
      BOTH,
      [
        [store(x, 1), fence(), load(y)],
        [store(y, 1), load(x)],
      ],
    ],
    [
      'SB with store–store barriers',
      BOTH,
      [
        [store(x, 1), fence('release'), load(y)],
        [store(y, 1), fence('release'), load(x)],
      ],
    ],
    [
      'SB with seq_cst stores',
      NEITHER,
      [
        [store(x, 1, 'seq_cst'), load(y)],
        [store(y, 1, 'seq_cst'), load(x)],
      ],
    ],
    [
      'SB with relaxed exchanges',
      NEITHER,
      [
        [rmw('xchg', x, 1, 'relaxed'), load(y)],
        [rmw('xchg', y, 1, 'relaxed'), load(x)],
      ],
    ],
    [
      'MP',
      PSO,
      [
        [store(x, 1), store(y, 1)],
        [load(y), load(x)],
      ],
    ],
    [
      'MP with a release store',
      NEITHER,
      [
        [store(x, 1), store(y, 1, 'release')],
        [load(y), load(x)],
      ],
    ],
    [
      'MP with a release fence',
      NEITHER,
      [
        [store(x, 1), fence('release'), store(y, 1)],
        [load(y), load(x)],
      ],
    ],
    [
      'MP with a relaxed exchange',
      PSO,
      [
        [store(x, 1), rmw('xchg', y, 1, 'relaxed')],
        [load(y), load(x)],
      ],
    ],
    [
      'MP with a relaxed exchange behind a barrier',
      NEITHER,
      [
        [store(x, 1), fence('release'), rmw('xchg', y, 1, 'relaxed')],
        [load(y), load(x)],
      ],
    ],
    [
      '2+2W',
      PSO,
      [
        [store(x, 1), store(y, 2)],
        [store(y, 1), store(x, 2)],
      ],
    ],
    [
      '2+2W with barriers',
      NEITHER,
      [
        [store(x, 1), fence('release'), store(y, 2)],
        [store(y, 1), fence('release'), store(x, 2)],
      ],
    ],
    [
      'R',
      BOTH,
      [
        [store(x, 1), store(y, 1)],
        [store(y, 2), load(x)],
      ],
    ],
    [
      'R with a fence before the load',
      PSO,
      [
        [store(x, 1), store(y, 1)],
        [store(y, 2), fence(), load(x)],
      ],
    ],
    ['IRIW', NEITHER, [[store(x, 1)], [store(y, 1)], [load(x), load(y)], [load(y), load(x)]]],
    ['Dekker', BOTH, [enter(x, y), enter(y, x)]],
    ['Dekker with fences', NEITHER, [enter(x, y, [fence()]), enter(y, x, [fence()])]],
    ['Peterson', BOTH, [peterson(x, y, 1), peterson(y, x, 2)]],
    ['Peterson with a fence before the flag is read', PSO, [peterson(x, y, 1, true), peterson(y, x, 2, true)]],
    ['one thread', NEITHER, [[store(x, 1), store(y, 1), load(x), load(y)]]],
  ])('are known: %s, for %s', (_, expected, sketch) => {
    const program = buildProgram(sketch);
    expect(robustness(program)).toEqual({ tso: !expected.includes('tso'), pso: !expected.includes('pso') });
    expect(alarms(program, 'exhaustive')).toEqual(new Set(expected));
    for (const name of ['sober-fixed', 'causal-tso', 'causal-pso'] as const) {
      expect(alarms(program, 'optimal').has(name), name).toBe(expected.includes(name));
    }
  });

  it("x86-TSO's n6: the published SOBER misses it, the other five find it", () => {
    const program = buildProgram([
      [store(x, 1), load(x), load(y)],
      [store(y, 2), store(x, 2)],
    ]);
    expect(robustness(program)).toEqual({ tso: false, pso: false });
    expect(alarms(program, 'exhaustive')).toEqual(new Set(['sober-fixed', 'tso', 'pso', 'causal-tso', 'causal-pso']));
    expect(alarms(program, 'optimal')).not.toContain('sober');
    for (const name of ['sober-fixed', 'causal-tso', 'causal-pso'] as const) {
      expect(alarms(program, 'optimal')).toContain(name);
    }
  });
});

/** One attempt; `z` is the turn. */
function peterson(own: number, other: number, turn: number, isFenced = false): Sketch[number] {
  return [store(own, 1), store(z, turn), ...(isFenced ? [fence()] : []), load(other), load(z)];
}
