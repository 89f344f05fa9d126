/**
 * Models that other threads search at the same time: the results are those of one thread, in the order in which the
 * models were given.
 */

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { stoppedFor } from '../../../src/explore/bound.ts';
import type { Model } from '../../../src/models/index.ts';
import { CHECK, type CheckChoices } from '../../../src/options/check.ts';
import { defaultsOf } from '../../../src/options/option.ts';
import { CheckRun, type SavedCheck } from '../../../src/pipelines/check.ts';
import type { Helpers } from '../../../src/pipelines/helpers.ts';
import type { ModelResult } from '../../../src/pipelines/model-run.ts';
import type { ModelsElsewhere } from '../../../src/pipelines/models-elsewhere.ts';
import type { Program } from '../../../src/program/ir.ts';
import { ModelsTeam } from '../../../src/workers/models-team.ts';
import { helpersOf } from '../../../src/workers/team.ts';
import { compileC } from '../../support/c.ts';
import { buildSyncProgram, printSyncSketch, syncSketches } from '../../support/sync-sketch.ts';
import { DEEP, SEED, samples } from '../../support/tier.ts';

const scale = (name: string, n: number): string =>
  `#define N ${n}\n${readFileSync(new URL(`../../../programs/scale/${name}.c`, import.meta.url), 'utf8')}`;

/** Fails under `tso` and `pso`, and only there. */
const STORE_BUFFERING = `
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y, a, b, c;
void *other(void *p) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  a = atomic_load_explicit(&y, memory_order_relaxed);
  return 0;
}
void *more(void *p) { for (int i = 0; i < 2; i++) c = c + 1; return 0; }
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, other, 0);
  pthread_create(&u, 0, more, 0);
  for (int i = 0; i < 2; i++) c = c + 1;
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  b = atomic_load_explicit(&x, memory_order_relaxed);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(LIMIT);
}`;

const SECTIONS = `
#include <pthread.h>
#include <stdatomic.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
atomic_int x, y;
void *other(void *p) {
  for (int i = 0; i < 3; i++) { __VERIFIER_atomic_begin(); x++; y++; __VERIFIER_atomic_end(); }
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  other(0);
  return 0;
}`;

type Asked = Partial<CheckChoices> & { readonly models: readonly Model[] };
const optionsFor = (asked: Asked): CheckChoices => ({ ...defaultsOf<CheckChoices>(CHECK), ...asked });

/** Three threads from the start, for whole models only; records the searches run elsewhere. */
function threads(all: ModelsElsewhere[], more: Partial<Helpers> = {}): Helpers {
  const helpers = helpersOf(3, 0)!;
  return {
    ...helpers,
    beginModels: (work, jobs) => {
      const elsewhere = new ModelsTeam(work, jobs, 2, { note: 0, keep: 0 });
      vi.spyOn(elsewhere, 'end');
      all.push(elsewhere);
      return elsewhere;
    },
    ...more,
  };
}

const without = ({ seconds: _, ...rest }: ModelResult): Omit<ModelResult, 'seconds'> => rest;

async function ended(check: CheckRun): Promise<readonly Omit<ModelResult, 'seconds'>[]> {
  while (!check.advance(100)) await check.wait();
  return check.results.map(without);
}

/** Processes messages of the threads, but does not continue the search here. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20));
}

const ALL: Asked = { models: ['sc', 'tso', 'pso', 'rc11'], monitors: false };

describe('models at once have the results of each alone', () => {
  it.each<[string, string, Asked]>([
    ['searches that can be saved, but not divided', scale('mutex', 4), { ...ALL, strategy: 'source' }],
    ['searches that cannot be saved', SECTIONS, { models: ['sc', 'tso', 'pso'], monitors: false }],
    ['an error under one of them', STORE_BUFFERING.replace('LIMIT', 'a || b'), { ...ALL, strategy: 'source' }],
    ['an error under SC', STORE_BUFFERING.replace('LIMIT', 'c > 2'), { ...ALL, strategy: 'source' }],
    [
      'an error under SC, which comes later',
      STORE_BUFFERING.replace('LIMIT', 'c > 2'),
      { ...ALL, models: ['pso', 'sc', 'tso'], strategy: 'source' },
    ],
    ['SC decides', scale('mutex', 4), { models: ['tso', 'pso'], monitors: true, strategy: 'source' }],
  ])('for %s', async (name, source, asked) => {
    const program = await compileC(source);
    const all: ModelsElsewhere[] = [];
    const found = await ended(new CheckRun(program, optionsFor(asked), threads(all)));
    expect(found).toEqual(await ended(new CheckRun(program, optionsFor(asked))));
    expect(found.map(({ model }) => model)).toEqual(asked.models);
    // Models that must wait for SC do wait.
    expect(all).toHaveLength(name === 'SC decides' ? 0 : 1);
    // Threads that are not ended would keep the command running.
    for (const { end } of all) expect(end).toHaveBeenCalled();
  });

  it.runIf(DEEP)('and searches come back, to be divided', async () => {
    const program = await compileC(scale('mutex', 7));
    const options = optionsFor({ models: ['tso', 'pso'], monitors: false });
    const all: ModelsElsewhere[] = [];
    const divided: Model[] = [];
    const helpers = helpersOf(3, 0)!;
    // The first search turns out not to be divisible.
    const begin: Helpers['begin'] = (work, left) => {
      divided.push(work.model);
      const together = helpers.begin(work, left);
      if (divided.length === 1) together.stop();
      return together;
    };
    const check = new CheckRun(program, options, threads(all, { begin }));
    while (all.length === 0) check.advance(100);
    all[0]!.callBack();
    await until(() => !all[0]!.isBusy);
    expect(all[0]!.saved('pso')).toBeDefined();
    expect(await ended(check)).toEqual(await ended(new CheckRun(program, options)));
    expect(divided).toEqual(['tso', 'pso']);
  });

  it('and if a thread fails, the search goes on here', async () => {
    const program = await compileC(scale('mutex', 4));
    const options = optionsFor({ ...ALL, strategy: 'source' });
    const all: ModelsElsewhere[] = [];
    const helpers = threads(all);
    const beginModels: Helpers['beginModels'] = (work, jobs) =>
      helpers.beginModels!({ ...work, program: undefined as never }, jobs);
    const found = await ended(new CheckRun(program, options, { ...helpers, beginModels }));
    expect(found).toEqual(await ended(new CheckRun(program, options)));
    expect(all.map(({ isBusy }) => isBusy)).toEqual([false]);
  });
});

describe('a check in the middle', () => {
  const options = optionsFor({ models: ['tso', 'pso'], monitors: false, strategy: 'source' });

  /** Runs until the second model has been searched elsewhere for a while. */
  async function begun(program: Program): Promise<CheckRun> {
    const all: ModelsElsewhere[] = [];
    const check = new CheckRun(program, options, threads(all));
    while (all.length === 0) check.advance(100);
    await until(() => all[0]!.saved('pso') !== undefined || !all[0]!.isRunning('pso'));
    expect(all[0]!.saved('pso')).toBeDefined();
    return check;
  }

  it('stops with what is known of each model', async () => {
    const check = await begun(await compileC(scale('mutex', 9)));
    check.stop(stoppedFor('enough'));
    expect(check.results.map(({ model, bounds }) => [model, bounds])).toEqual([
      ['tso', ['enough']],
      ['pso', ['enough']],
    ]);
    for (const { executions } of check.results) expect(executions).toBeGreaterThan(0);
  });

  it('is saved and resumed, with one thread or several', async () => {
    const program = await compileC(scale('mutex', 7));
    const check = await begun(program);
    const saved = JSON.parse(JSON.stringify(check.save())) as SavedCheck;
    check.stop(stoppedFor('enough'));
    expect(saved.begun?.map(({ model }) => model)).toEqual(['pso']);
    const alone = new CheckRun(program, options);
    alone.resume(saved);
    const all: ModelsElsewhere[] = [];
    const together = new CheckRun(program, options, threads(all));
    together.resume(saved);
    const whole = await ended(new CheckRun(program, options));
    expect(await ended(alone)).toEqual(whole);
    expect(await ended(together)).toEqual(whole);
    expect(all).toHaveLength(1);
  });
});

/** A divided search may give its warnings in another order. */
function sorted(result: ModelResult): Omit<ModelResult, 'seconds'> {
  const warnings = result.warnings.toSorted((a, b) => (a.message < b.message ? -1 : 1));
  return { ...without(result), warnings };
}

it.runIf(DEEP)('models of generated programs at once have the results of each alone', async () => {
  let spread = 0;
  for (const sketch of fc.sample(syncSketches(), { numRuns: samples(2), seed: SEED })) {
    const program = buildSyncProgram(sketch);
    for (const strategy of ['source', 'optimal'] as const) {
      for (const monitors of [false, true]) {
        const options = optionsFor({ models: ['sc', 'tso', 'pso', 'rc11'], monitors, strategy });
        const all: ModelsElsewhere[] = [];
        const check = new CheckRun(program, options, threads(all));
        while (!check.advance(1)) await check.wait();
        const found = check.results.map(sorted);
        const alone = new CheckRun(program, options);
        await ended(alone);
        expect(found, printSyncSketch(sketch)).toEqual(alone.results.map(sorted));
        spread += all.length;
      }
    }
  }
  expect(spread).toBeGreaterThan(0);
});
