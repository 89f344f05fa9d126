/** DPOR on a system other than the machine: it visits exactly its Mazurkiewicz traces. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Dpor } from '../../../src/explore/dpor/dpor.ts';
import type { DporMode } from '../../../src/explore/dpor/search-state.ts';
import type { Shortcuts } from '../../../src/explore/dpor/shortcuts.ts';
import { Exhaustive } from '../../../src/explore/exhaustive.ts';
import { ABANDON, NO_STEP, type Strategy } from '../../../src/explore/strategy.ts';
import { type Counters, change, counters, read } from '../../support/counters.ts';
import { SHORTCUT_VARIANTS } from '../../support/shortcuts.ts';

interface Visited {
  readonly traces: readonly string[];
  readonly asleep: number;
}

/** The protocol of strategy.ts, on a bare `Runnable`. */
function run(system: ReturnType<typeof counters>, strategy: Strategy): Visited {
  const { runnable, dependence } = system;
  const traces: string[] = [];
  let asleep = 0;
  for (let keep = strategy.beginExecution(); keep >= 0; keep = strategy.beginExecution()) {
    runnable.rollback(keep);
    dependence.rollback(keep);
    for (;;) {
      if (runnable.enabled() === 0 && strategy.looksForSteps !== true) break;
      const step = strategy.pick(runnable.steps);
      if (step === ABANDON) asleep++;
      if (step === ABANDON || step === NO_STEP) break;
      runnable.step(step);
      strategy.observe(runnable.depth - 1);
    }
    strategy.endExecution();
    if (runnable.enabled() === 0) traces.push(system.trace());
  }
  return { traces, asleep };
}

function search(threads: Counters, mode: DporMode, shortcuts?: Shortcuts): Visited {
  const system = counters(threads);
  return run(system, new Dpor(system, mode, shortcuts));
}

/** Every schedule. */
function all(threads: Counters): Set<string> {
  return new Set(run(counters(threads), new Exhaustive()).traces);
}

const known: readonly [string, number, Counters][] = [
  ['independent threads have one trace', 1, [[change(0)], [change(1)], [change(2), read(2)]]],
  ['readers commute', 1, [[read(0)], [read(0)], [read(0)]]],
  ['n changes of one counter: n!', 24, [[change(0)], [change(0)], [change(0)], [change(0)]]],
  ['one change among n readers: 2^n', 8, [[change(0)], [read(0)], [read(0)], [read(0)]]],
  [
    'two threads of two changes: C(4, 2)',
    6,
    [
      [change(0), change(0)],
      [change(0), change(0)],
    ],
  ],
  [
    'store buffering',
    3,
    [
      [change(0), read(1)],
      [change(1), read(0)],
    ],
  ],
  ['a change and two readers that read elsewhere before', 4, [[change(0)], [read(1), read(0)], [read(2), read(0)]]],
];

describe('counters', () => {
  it.each(known)('have each trace once: %s', (_, count, threads) => {
    const optimal = search(threads, 'optimal');
    expect([optimal.traces.length, optimal.asleep]).toEqual([count, 0]);
    expect(new Set(optimal.traces)).toEqual(all(threads));
    expect(new Set(search(threads, 'source').traces)).toEqual(all(threads));
  });

  const operations = fc.tuple(fc.nat(2), fc.boolean()).map(([counter, changes]) => ({ counter, changes }));
  const systems = fc.array(fc.array(operations, { minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: 3 });
  const variants = [undefined, ...SHORTCUT_VARIANTS.map(({ shortcuts }) => shortcuts)];

  it('if generated, have each trace once, none asleep; with source sets each at least once', () => {
    fc.assert(
      fc.property(systems, fc.constantFrom(...variants), (threads, shortcuts) => {
        const expected = [...all(threads)].sort();
        const optimal = search(threads, 'optimal', shortcuts);
        expect([...optimal.traces].sort()).toEqual(expected);
        expect(optimal.asleep).toBe(0);
        expect([...new Set(search(threads, 'source', shortcuts).traces)].sort()).toEqual(expected);
      }),
      { numRuns: 200 },
    );
  });
});
