/**
 * Retrace against the enumerator, on generated programs under SC, TSO and PSO: the same traces, each exactly once. As in
 * `strategies/agree.test.ts`, small programs do not reveal subtle mistakes.
 */
import type fc from 'fast-check';
import { expect, it } from 'vitest';
import { explore } from '../../../src/explore/explore.ts';
import { Retrace } from '../../../src/explore/retrace/retrace.ts';
import { parseSchedule } from '../../../src/explore/schedule.ts';
import { Machine } from '../../../src/machine/machine.ts';
import { refusedProgram } from '../../../src/pipelines/strategies.ts';
import { int, ProgramBuilder, reg } from '../../../src/program/builder.ts';
import type { Dest, Program } from '../../../src/program/ir.ts';
import { everything, forAll, SKIPPED } from '../../support/for-all.ts';
import { sketches } from '../../support/generate.ts';
import {
  buildOverlapping,
  buildWaiting,
  disagreement,
  overlappingSketches,
  printOverlapping,
  printWaiting,
  waitingSketches,
} from '../../support/retracing.ts';
import { DPOR_MODELS } from '../../support/searches.ts';
import { buildSizedProgram, type SizedSketch, sizedSketches } from '../../support/sized-sketch.ts';
import { buildProgram, cas, load, printSketch, rmw, type Sketch, store } from '../../support/sketch.ts';
import { buildSyncProgram, conditionalSyncSketches, printSyncSketch, syncSketches } from '../../support/sync-sketch.ts';

function compare<T>(count: number, from: fc.Arbitrary<T>, build: (sketch: T) => Program, print: (sketch: T) => string) {
  forAll({ from, count, print, compared: 0.9 }, (sketch) => {
    for (const model of DPOR_MODELS) {
      const wrong = disagreement(build(sketch), model);
      if (wrong === SKIPPED) return SKIPPED;
      expect(wrong).toBe(undefined);
    }
    return undefined;
  });
}

const basic = (options: Parameters<typeof sketches>[0]): fc.Arbitrary<Sketch> =>
  sketches(options).filter((sketch) => sketch.length > 0);

it('Retrace finds each trace once in 40 programs of loads, stores, read-modify-writes, fences and branches', () =>
  compare(40, basic({ ...everything, threads: 3, totalOps: 6 }), buildProgram, printSketch));
it('Retrace finds each trace once in 10 programs with more locations', () =>
  compare(10, basic({ ...everything, threads: 4, totalOps: 8, locations: 3 }), buildProgram, printSketch));
it('Retrace finds each trace once in 10 programs of loads and stores', () =>
  compare(10, basic({ threads: 4, totalOps: 8, locations: 2 }), buildProgram, printSketch));
it('Retrace finds each trace once in 15 programs with awaits', () =>
  compare(15, waitingSketches, buildWaiting, printWaiting));
it('Retrace finds each trace once in 15 programs with mutexes, condition variables, joins, frees, choices and loops', () =>
  compare(15, syncSketches({}), buildSyncProgram, printSyncSketch));
it('Retrace finds each trace once in 5 programs with condition variables', () =>
  compare(5, conditionalSyncSketches(), buildSyncProgram, printSyncSketch));
it('Retrace finds each trace once in 25 programs with accesses of several sizes', () =>
  compare(25, sizedSketches(3, 5), buildSizedProgram, (sketch: SizedSketch) => sketch.toString()));
it('Retrace finds each trace once in 5 programs in which nearly all accesses overlap', () =>
  compare(5, overlappingSketches, buildOverlapping, printOverlapping));

it.each<[string, Sketch]>([
  [
    'generated code saves a word that a placed compare-exchange does not write',
    [[rmw('xchg', 0, 2), load(0)], [cas(0, 2, 1)]],
  ],
  ['a load of an own store, in memory or in the buffer', [[store(0, 1), load(0)], [load(0)]]],
])('a past finding stays mended: %s', (_, sketch) => {
  for (const model of DPOR_MODELS) expect(disagreement(buildProgram(sketch), model), model).toBe(undefined);
});

it('an error after a placed read is found, and its schedule replays', () => {
  const builder = new ProgramBuilder('late');
  const [x, y] = [builder.global('x', 'i32'), builder.global('y', 'i32')];
  const writer = builder.function('writer');
  writer.store(x, int(1, 'i32'));
  writer.store(y, int(1, 'i32'));
  writer.return();
  const reader = builder.function('reader');
  const [first, second, sum] = (['a', 'b', 'sum'] as const).map((name) => reader.register(name, 'i32')) as [
    Dest,
    Dest,
    Dest,
  ];
  const isFine = reader.register('fine', 'i1');
  reader.load(first, x);
  reader.load(second, y);
  reader.binary('sub', sum, reg(second), reg(first));
  reader.compare('ne', isFine, reg(sum), int(1, 'i32'));
  reader.assert(reg(isFine), 'y without x');
  reader.return();
  builder.root('writer', writer);
  builder.root('reader', reader);
  const program = builder.build();
  for (const model of DPOR_MODELS) {
    const machine = new Machine(program, model);
    const { errors } = explore(machine, new Retrace(machine));
    expect(errors.length, model).toBe(1);
    const again = new Machine(program, model);
    for (const step of parseSchedule(again, errors[0]!.schedule)) again.step(step);
    expect(again.hasFailed, model).toBe(true);
  }
});

it('programs that it does not search are refused by name', () => {
  const builder = new ProgramBuilder('ends');
  const main = builder.function('main');
  main.add({ op: 'exit', status: int(0, 'i32') });
  builder.root('main', main);
  expect(refusedProgram({ strategy: 'retrace' }, builder.build())).toMatch(/retrace .* ends the program.*optimal/);
  expect(refusedProgram({ strategy: 'optimal' }, builder.build())).toBe(undefined);
  expect(refusedProgram({ strategy: 'retrace' }, buildProgram([[load(0)]]))).toBe(undefined);
});
