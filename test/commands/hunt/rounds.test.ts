/** How a hunt spends its time: rounds, turns of the models, the paper's preset; and which cycles it finds. */

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { stoppedFor } from '../../../src/explore/bound.ts';
import type { RelaxedModel } from '../../../src/models/index.ts';
import { HUNT_DEFAULTS, type HuntOptions, PUBLISHED } from '../../../src/options/hunt.ts';
import { HuntRun } from '../../../src/pipelines/hunt/hunt.ts';
import { biasOf } from '../../../src/pipelines/hunt/options.ts';
import { ownerOf } from '../../../src/pipelines/hunt/owner.ts';
import type { CyclePlace } from '../../../src/pipelines/hunt/result.ts';
import { int, ProgramBuilder } from '../../../src/program/builder.ts';
import type { Program } from '../../../src/program/ir.ts';
import { compileC } from '../../support/c.ts';
import { hunt, loadBenchmark } from '../../support/hunt.ts';
import { buildProgram, fence, ifLast, load, type Sketch, store } from '../../support/sketch.ts';

const [x, y, z] = [0, 1, 2];
const FENCED: Sketch = [
  [store(x, 1), fence(), load(y)],
  [store(y, 1), fence(), load(x)],
];

function huntOf(program: Program, models: readonly RelaxedModel[], options: Partial<HuntOptions> = {}): HuntRun {
  return new HuntRun(program, { ...HUNT_DEFAULTS, runs: 5, trials: 2, attempts: 2, models, ...options });
}

describe('a hunt that goes on', () => {
  it('makes more rounds, with other schedules, until it is stopped', () => {
    const program = buildProgram(FENCED);
    const once = huntOf(program, ['tso']);
    while (!once.advance(1000));
    const run = huntOf(program, ['tso'], { goesOn: true });
    for (let i = 0; i < 10; i++) expect(run.advance(1000)).toBe(false);
    run.stop(stoppedFor('time: 1 s'));
    const [[single], [result]] = [once.results, run.results];
    expect(single).toMatchObject({ ended: 'every trial made', rounds: 1, runs: 5 });
    expect(result!.ended).toBe('time: 1 s');
    expect(result!.rounds).toBeGreaterThan(5);
    expect(result!.runs).toBeGreaterThan(5 * (result!.rounds - 1));
    expect(result!.executions).toBeGreaterThan(5 * single!.executions);
    expect(result!.bounds).toContain('time: 1 s');
    expect(result!.verdict.kind).toBe('inconclusive');
  });

  it('predicts cycles that earlier rounds did not', () => {
    // The second thread is part of a cycle only if it sees z.
    const sketch: Sketch = [
      [store(x, 1), fence(), load(y)],
      [load(z), ifLast(1, [store(y, 1), fence(), load(x)])],
      [store(z, 1)],
    ];
    const program = buildProgram(sketch);
    const predicted = (seed: number): number => {
      const run = huntOf(program, ['tso'], { runs: 1, seed });
      while (!run.advance(1000));
      return run.results[0]!.predicted;
    };
    const seed = [1, 2, 3, 4, 5, 6, 7, 8].find((n) => predicted(n) === 0)!;
    const run = huntOf(program, ['tso'], { runs: 1, seed, goesOn: true });
    run.advance(10_000);
    run.stop(stoppedFor('time: 1 s'));
    expect(run.results[0]!.predicted).toBe(1);
    expect(run.results[0]!.cycles).toHaveLength(1);
    expect(run.results[0]!.cycles[0]!.trials).toBeGreaterThan(2);
  });

  it('ends after the round in which an error is found, unless it is to keep going', async () => {
    const source = readFileSync(new URL('../../../examples/store-buffering.c', import.meta.url), 'utf8');
    const program = await compileC(source);
    const run = huntOf(program, ['tso'], { goesOn: true });
    while (!run.advance(100));
    expect(run.results[0]).toMatchObject({ ended: 'an error found', verdict: { kind: 'violation' } });
    const further = huntOf(program, ['tso'], { goesOn: true, keepGoing: true });
    for (let i = 0; i < 20; i++) expect(further.advance(100)).toBe(false);
  });

  it('ends where nothing can come: in a program with one thread', () => {
    const program = new ProgramBuilder('alone');
    const global = program.global('x', 'i32');
    const only = program.function('main');
    only.store(global, int(1));
    only.return();
    program.root('main', only);
    const run = huntOf(program.build(), ['tso'], { goesOn: true });
    while (!run.advance(1000));
    expect(run.results[0]!.ended).toBe('one thread only, so nothing can be found');
  });

  it('lets all models take turns', () => {
    const run = huntOf(buildProgram(FENCED), ['tso', 'pso', 'pslo'], { trials: 1000, attempts: 1000 });
    run.advance(2000);
    run.stop(stoppedFor('time: 1 s'));
    const executions = run.results.map((r) => r.executions);
    expect(Math.max(...executions) - Math.min(...executions)).toBeLessThanOrEqual(1);
    expect(Math.min(...executions)).toBeGreaterThan(10);
  });
});

it('every cycle gets a trial before one gets a second', async () => {
  const program = await loadBenchmark('dekker', ['ROUNDS=1']);
  const run = huntOf(program, ['pso'], { runs: 20, trials: 1000, attempts: 2, asPublished: true, keepGoing: true });
  run.advance(20_000);
  run.stop(stoppedFor('time: 1 s'));
  const trials = run.results[0]!.cycles.map((c) => c.trials);
  expect(trials.length).toBeGreaterThan(5);
  expect(Math.max(...trials) - Math.min(...trials)).toBeLessThanOrEqual(1);
  expect(Math.min(...trials)).toBeGreaterThan(0);
});

describe('as published', () => {
  it('no cycle is given up', () => {
    const program = buildProgram(FENCED);
    const trials = (options: Partial<HuntOptions>) =>
      hunt(program, 'tso', { ...options, runs: 5, attempts: 1 }).cycles.map((c) => c.trials);
    expect(trials({})).toEqual([10]);
    expect(trials(PUBLISHED)).toEqual([30]);
  });

  it('nothing waits at barriers under PSLO, as in Fig. 9; under TSO and PSO it does, as in Fig. 7 and 8', () => {
    const waits = (options: Partial<HuntOptions>) =>
      (['tso', 'pso', 'pslo'] as const).map(
        (model) => biasOf({ ...HUNT_DEFAULTS, models: [model], ...options }, model, 1).barrierWait,
      );
    expect(waits({})).toEqual([true, true, true]);
    expect(waits(PUBLISHED)).toEqual([true, true, false]);
    expect(waits({ barrierWait: false })).toEqual([false, false, false]);
  });
});

describe('whose cycle it is', () => {
  const place = (access: string, func: string, variable?: string): CyclePlace => ({
    access,
    func,
    location: { file: 'lib/queue.c', line: 1, column: 1, ...(variable === undefined ? {} : { variable }) },
  });
  const plain = [place('load', 'pop', 'head->next'), place('store', 'push', 'head')];

  it.each<[string, string, readonly CyclePlace[], readonly string[]]>([
    ['program', 'plain accesses', plain, []],
    ['mutexes', 'one lock', [...plain, place('synchronisation', 'push', 'lock')], []],
    ['harness', 'a function of the harness', plain, ['push']],
    ['harness', 'a variable of the harness', plain, ['head']],
    ['program', 'a pointer to it', plain.slice(0, 1), ['head']],
    ['harness', 'an element', [place('store', 'push', 'seen[1]')], ['seen']],
    ['harness', 'a file', plain, ['queue.c']],
    ['harness', 'a lock of the harness', [place('synchronisation', 'push', 'lock')], ['lock']],
    ['program', 'other names', plain, ['pus', 'queue', 'next']],
  ])('is known: the %s, for %s', (owner, _, places, harness) => {
    expect(ownerOf(places, harness)).toBe(owner);
  });

  it('is told apart in a hunt', async () => {
    const program = await loadBenchmark('dekker', ['ROUNDS=1']);
    const owners = (harness: readonly string[]): readonly string[] =>
      hunt(program, 'pso', { runs: 20, trials: 1, attempts: 1, harness }).cycles.map((c) => c.owner);
    expect(new Set(owners([]))).toEqual(new Set(['program']));
    expect(new Set(owners(['counter']))).toEqual(new Set(['program', 'harness']));
  });
});
