/** [RELAXER] Fig. 1 and 2: programs with an assertion that fails only under a relaxed memory model. */
import { describe, expect, it } from 'vitest';
import { Exhaustive } from '../../src/explore/exhaustive.ts';
import { type ExplorationResult, explore } from '../../src/explore/explore.ts';
import { Replay } from '../../src/explore/replay.ts';
import { parseSchedule } from '../../src/explore/schedule.ts';
import { Machine } from '../../src/machine/machine.ts';
import type { Model } from '../../src/models/index.ts';
import { type FunctionBuilder, int, ProgramBuilder } from '../../src/program/builder.ts';
import type { Program } from '../../src/program/ir.ts';
import { validate } from '../../src/program/validate.ts';

/** `main` creates both threads, joins them, and continues with what they returned. */
function withMain(
  builder: ProgramBuilder,
  threads: readonly FunctionBuilder[],
  rest: (main: FunctionBuilder, results: readonly number[]) => void,
): Program {
  const main = builder.function('main');
  const handles = threads.map((_, i) => main.register(`thread${i + 1}`, 'i32'));
  const results = threads.map((_, i) => main.register(`t${i + 1}`, 'i32'));
  threads.forEach((thread, i) => {
    main.spawn(handles[i]!, thread);
  });
  handles.forEach((handle, i) => {
    main.join(handle, results[i]!);
  });
  rest(main, results);
  main.return();
  builder.root('main', main);
  const program = builder.build();
  expect(validate(program)).toEqual([]);
  return program;
}

/** thread 1: `x = 1; t1 = y`, thread 2: `y = 1; t2 = x`, then `assert(t1 == 1 || t2 == 1)`. */
function figure1(): Program {
  const builder = new ProgramBuilder('RELAXER Fig. 1');
  const x = builder.global('x', 'i32');
  const y = builder.global('y', 'i32');
  const threads = [
    [x, y],
    [y, x],
  ].map(([written, read], i) => {
    const thread = builder.function(`thread${i + 1}`, [], { result: 'i32' });
    const t = thread.register('t', 'i32');
    thread.store(written!, int(1));
    thread.load(t, read!);
    thread.return(t);
    return thread;
  });
  return withMain(builder, threads, (main, [t1, t2]) => {
    const [first, second] = [main.register('first', 'i1'), main.register('second', 'i1')];
    main.compare('eq', first, t1!, int(1));
    main.compare('eq', second, t2!, int(1));
    main.binary('or', first, first, second);
    main.assert(first, 't1 == 1 || t2 == 1');
  });
}

/** thread 1: `x = 1; y = 1; done = 1`, thread 2: `if (done) { if (x == 0) ERROR; local = y; }` */
function figure2(): Program {
  const builder = new ProgramBuilder('RELAXER Fig. 2');
  const x = builder.global('x', 'i32');
  const y = builder.global('y', 'i32');
  const done = builder.global('done', 'i32');
  const thread1 = builder.function('thread1');
  for (const location of [x, y, done]) thread1.store(location, int(1));
  thread1.return();
  const thread2 = builder.function('thread2');
  const [value, condition] = [thread2.register('value', 'i32'), thread2.register('condition', 'i1')];
  const [inside, end] = [thread2.block('inside'), thread2.block('end')];
  thread2.load(value, done);
  thread2.compare('ne', condition, value, int(0));
  thread2.branch(condition, inside, end);
  thread2.startBlock(inside);
  thread2.load(value, x);
  thread2.compare('ne', condition, value, int(0));
  thread2.location = { file: 'figure2.c', line: 6, column: 5 };
  thread2.assert(condition, 'ERROR');
  thread2.location = undefined;
  thread2.load(thread2.register('local', 'i32'), y);
  thread2.jump(end);
  thread2.startBlock(end);
  thread2.return();
  return withMain(builder, [thread1, thread2], () => {});
}

function search(program: Program, model: Model): ExplorationResult {
  return explore(new Machine(program, model), new Exhaustive());
}

/** Another machine needs only the schedule to reach the same end. */
function expectToReplay(program: Program, model: Model, found: ExplorationResult): void {
  const [{ error, schedule }] = found.errors as [ExplorationResult['errors'][number]];
  const machine = new Machine(program, model);
  const steps = parseSchedule(machine, schedule);
  const replay = new Replay(steps);
  const again = explore(machine, replay);
  expect(replay.taken).toBe(steps.length);
  expect(again.errors).toEqual([{ error, schedule }]);
}

describe('RELAXER Fig. 1: "error under relaxed memory model TSO, but correct with sequentially-consistent memory"', () => {
  const program = figure1();

  it('holds under SC: whichever load runs last sees the other store', () => {
    const { errors, bounds } = search(program, 'sc');
    expect({ errors, bounds }).toEqual({ errors: [], bounds: [] });
  });

  it.each(['tso', 'pso', 'pslo'] as const)('fails under %s, and again on replay', (model) => {
    const found = search(program, model);
    expect(found.errors.map(({ error }) => error)).toEqual([
      { kind: 'assertion', message: 't1 == 1 || t2 == 1', thread: '0' },
    ]);
    expect(found.bounds).toEqual(['first error']);
    expectToReplay(program, model, found);
  });
});

describe('RELAXER Fig. 2: "correct under sequential consistency, but with an error under relaxed memory model PSO"', () => {
  const program = figure2();

  it.each(['sc', 'tso'] as const)('holds under %s: done comes after x, and so does the load of x', (model) => {
    const { errors, bounds } = search(program, model);
    expect({ errors, bounds }).toEqual({ errors: [], bounds: [] });
  });

  it.each(['pso', 'pslo'] as const)('fails under %s, and again on replay', (model) => {
    const found = search(program, model);
    expect(found.errors.map(({ error }) => error)).toEqual([
      { kind: 'assertion', message: 'ERROR', thread: '0.2', file: 'figure2.c', line: 6, column: 5 },
    ]);
    expectToReplay(program, model, found);
  });
});
