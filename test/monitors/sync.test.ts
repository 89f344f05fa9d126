/**
 * The monitors against brute force, on programs with mutexes, condition variables, semaphores, joins, frees and bytes.
 */
import type fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasSections } from '../../src/pipelines/strategies.ts';
import { int, ProgramBuilder, reg } from '../../src/program/builder.ts';
import type { Program } from '../../src/program/ir.ts';
import { forAll, SKIPPED } from '../support/for-all.ts';
import { ALL_MONITORS, alarms, robustness, tracesOf } from '../support/monitoring.ts';
import {
  buildSyncProgram,
  printSyncSketch,
  racySyncSketches,
  type SyncOp,
  type SyncSketch,
  syncSketches,
} from '../support/sync-sketch.ts';
import { floor } from '../support/tier.ts';

function compare(sketch: SyncSketch): { tso: boolean; pso: boolean } | undefined {
  const program = buildSyncProgram(sketch);
  const robust = robustness(program);
  if (robust === undefined) return undefined;
  const found = alarms(program, 'optimal');
  expect(found.has('sober-fixed'), 'sober-fixed').toBe(!robust.tso);
  // They may miss what atomic sections cause; then `check` does not rely on them.
  const isComplete = !hasSections(program);
  if (isComplete || robust.tso) expect(found.has('causal-tso'), 'causal-tso').toBe(!robust.tso);
  if (isComplete || robust.pso) expect(found.has('causal-pso'), 'causal-pso').toBe(!robust.pso);
  if (robust.tso) expect(found.has('tso') || found.has('sober'), 'tso, sober').toBe(false);
  if (robust.pso) expect(found.has('pso'), 'pso').toBe(false);
  return robust;
}

describe('monitors are right on one execution per trace', () => {
  it.each<[string, number, fc.Arbitrary<SyncSketch>]>([
    ['synchronisation of all kinds', 25, syncSketches()],
    ['racy', 45, racySyncSketches()],
    ['racy, with atomic sections', 12, racySyncSketches({ atomic: true })],
  ])('of programs, %s: %d', (name, count, sketches) => {
    let notRobust = 0;
    // One in three is wrong, or too large for brute force.
    const taken = forAll({ from: sketches, count, print: printSyncSketch, compared: 0.5 }, (sketch) => {
      const robust = compare(sketch);
      if (robust === undefined) return SKIPPED;
      notRobust += (robust.tso ? 0 : 1) + (robust.pso ? 0 : 1);
      return undefined;
    });
    // Otherwise the generator has become too tame.
    if (name === 'racy') expect(notRobust).toBeGreaterThan(floor(taken / 40));
  });
});

describe('past findings stay mended', () => {
  const [store0, store1] = [
    { op: 'store', at: 0 },
    { op: 'store', at: 1 },
  ] as const;
  const [load0, load1] = [
    { op: 'load', at: 0 },
    { op: 'load', at: 1 },
  ] as const;
  const signal = { op: 'signal', condition: 0 } as const;
  it.each<[string, SyncOp[][], SyncOp[]]>([
    [
      'a signal comes before what the woken thread does next',
      [
        [
          { op: 'await', condition: 0 },
          { op: 'tryLocked', mutex: 0, body: [load1] },
        ],
        [store1, signal],
      ],
      [],
    ],
    [
      'a load waits for an own store of one of its bytes',
      [[store1], [{ op: 'locked', mutex: 0, body: [{ op: 'storeByte', at: 1 }, load1] }]],
      [],
    ],
    [
      'a load waits for an own store of one of its bytes that another has overwritten',
      [[{ op: 'locked', mutex: 0, body: [store0] }], [{ op: 'storeByte', at: 0 }, load0]],
      [store0],
    ],
    ['signals order but do not wait for stores', [[signal, signal], [{ op: 'locked', mutex: 0, body: [signal] }]], []],
    [
      'sections are seen as a whole',
      [[{ op: 'atomic', body: [store1] }, load0], [{ op: 'atomic', body: [store0, load1] }]],
      [],
    ],
    [
      'both loads of a section see the other section',
      [[{ op: 'atomic', body: [load0, load1] }], [{ op: 'atomic', body: [store0, store1] }]],
      [],
    ],
    [
      'stores of others reach memory before a section or after it',
      [
        [
          { op: 'atomic', body: [store0, load1] },
          { op: 'storeByte', at: 0 },
        ],
        [{ op: 'storeByte', at: 1 }, store0, { op: 'down' }],
      ],
      [],
    ],
  ])('%s', (_, threads, main) => {
    expect(compare({ threads, main, joins: false })).toBeDefined();
  });
});

describe('known limits', () => {
  it('what sections exclude is not part of a trace, so neither cycles nor the causal monitors show all that TSO adds', () => {
    // Under TSO the load can return 0 while x = 1 of the section is still overwritten, but no cycle shows it.
    const program = buildSyncProgram({
      threads: [
        [
          {
            op: 'atomic',
            body: [
              { op: 'store', at: 0 },
              { op: 'store', at: 1 },
            ],
          },
        ],
        [
          { op: 'store', at: 0 },
          { op: 'load', at: 1 },
        ],
      ],
      main: [],
      joins: false,
    });
    const [sc, tso] = [tracesOf(program, 'sc')!, tracesOf(program, 'tso')!];
    expect(tso.all.size).toBeGreaterThan(sc.all.size);
    expect(tso.cyclic).toBe(0);
    // SOBER's definition does.
    expect(alarms(program, 'optimal')).toEqual(new Set(['sober', 'sober-fixed']));
  });
});

describe('a thread that waits forever under SC, after main has returned,', () => {
  it('and would not under TSO is a violation, though it has no event', () => {
    const program = buildWaitForEver();
    expect(robustness(program)).toEqual({ tso: false, pso: false });
    expect(alarms(program, 'optimal')).toEqual(new Set(ALL_MONITORS));
  });
});

describe('a store that can commit after another thread has freed its block', () => {
  it.each<['relaxed' | 'release', boolean]>([
    ['relaxed', true],
    ['release', false],
  ])('is a violation under PSO, with a %s store behind it: %s', (order, isViolation) => {
    const program = buildLateStore(order);
    expect(tracesOf(program, 'sc')!.errors).toBe(0);
    expect(tracesOf(program, 'pso')!.errors > 0).toBe(isViolation);
    expect(alarms(program, 'optimal')).toEqual(new Set(isViolation ? ['pso', 'causal-pso'] : []));
  });
});

/** T1: *h = 1; y = 1. T2: if (y) free(h). */
function buildLateStore(order: 'relaxed' | 'release'): Program {
  const program = new ProgramBuilder('late store');
  const [h, y] = [program.global('h', 'i32'), program.global('y', 'i32')];
  const main = program.function('main');
  program.root('main', main);
  const user = program.function('T1');
  user.load(user.register('block', 'i32'), h);
  user.store(reg(0), int(1, 'i32'));
  user.store(y, int(1, 'i32'), order);
  user.return();
  const freer = program.function('T2');
  const [block, isSet, flag] = [
    freer.register('block', 'i32'),
    freer.register('set', 'i1'),
    freer.register('flag', 'i32'),
  ];
  const [then, end] = [freer.block('then'), freer.block('end')];
  freer.load(block, h);
  freer.load(flag, y);
  freer.compare('eq', isSet, reg(flag), int(1, 'i32'));
  freer.branch(reg(isSet), then, end);
  freer.startBlock(then);
  freer.add({ op: 'free', what: 'heap', address: reg(block) });
  freer.jump(end);
  freer.startBlock(end);
  freer.return();
  const allocated = main.register('block', 'i32');
  main.add({ op: 'allocate', what: 'heap', dest: allocated, size: int(4, 'i32') });
  main.store(h, reg(allocated), 'seq_cst');
  main.spawn(main.register('t1', 'i32'), user);
  main.spawn(main.register('t2', 'i32'), freer);
  main.return();
  return program.build();
}

/** T1: s = 0; r = y. T2: y = 1; fence; wait until s = 1. Initially, s is 1. */
function buildWaitForEver(): Program {
  const program = new ProgramBuilder('wait');
  const [s, y] = [program.global('s', 'i32', [1]), program.global('y', 'i32')];
  const main = program.function('main');
  program.root('main', main);
  const first = program.function('T1');
  first.store(s, int(0, 'i32'));
  first.load(first.register('r', 'i32'), y);
  first.return();
  const second = program.function('T2');
  second.store(y, int(1, 'i32'), 'seq_cst');
  second.add({
    op: 'await',
    dest: second.register('r', 'i32'),
    success: second.register('held', 'i1'),
    address: s,
    predicate: 'eq',
    bound: int(1, 'i32'),
    operator: 'none',
    value: int(0, 'i32'),
    order: 'relaxed',
    blocks: true,
  });
  second.return();
  main.spawn(main.register('t1', 'i32'), first);
  main.spawn(main.register('t2', 'i32'), second);
  main.return();
  return program.build();
}
