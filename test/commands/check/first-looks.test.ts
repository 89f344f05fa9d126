/**
 * No model starves: errors of models that wait for their turn are known early, and looks at them change no result. A
 * search without an end in sight says so.
 */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noteEarly, noteNoEnd } from '../../../src/cli/shared/check-notes.ts';
import { stoppedFor } from '../../../src/explore/bound.ts';
import { CHECK, type CheckChoices } from '../../../src/options/check.ts';
import { defaultsOf } from '../../../src/options/option.ts';
import { CheckRun } from '../../../src/pipelines/check.ts';
import type { LookTimes } from '../../../src/pipelines/first-looks.ts';
import type { CheckProgress, ModelResult } from '../../../src/pipelines/model-result.ts';
import { Outlook } from '../../../src/pipelines/outlook.ts';
import type { Program } from '../../../src/program/ir.ts';
import { compileC } from '../../support/c.ts';
import { ensureBuilt, Folder, Running } from '../../support/fencepost.ts';
import { buildSyncProgram, printSyncSketch, syncSketches } from '../../support/sync-sketch.ts';
import { SEED, samples } from '../../support/tier.ts';

/** Two threads write `y` so often that no search ends; what follows comes before that. */
const endless = (before: string, after = ''): string => `
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y, flag, seen;
int data;
void *other(void *p) {
  ${before}
  for (int i = 0; i < 40; i++) atomic_store(&y, i);
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, other, (void *)1);
  pthread_create(&u, 0, other, (void *)2);
  pthread_join(t, 0);
  pthread_join(u, 0);
  ${after}
}`;

/** A data race, which only the model of the language knows as an error. */
const RACE = endless('data = 1;');
/** Fails unless the second thread writes last; a search tries that order of the first stores last. */
const LATE = endless('atomic_store(&x, (long)p);', 'assert(x == 2);');
const STORE_BUFFERING = `
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y, c;
int a, b;
void *other(void *p) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  a = atomic_load_explicit(&y, memory_order_relaxed);
  c++;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  b = atomic_load_explicit(&x, memory_order_relaxed);
  c++;
  pthread_join(t, 0);
  assert(LIMIT);
}`;

const scale = (name: string, n: number): string =>
  `#define N ${n}\n${readFileSync(new URL(`../../../programs/scale/${name}.c`, import.meta.url), 'utf8')}`;

const ALL: Partial<CheckChoices> = { models: ['sc', 'tso', 'pso', 'rc11'] };
const ALWAYS: LookTimes = { begin: 0, part: 1e9, longest: Number.POSITIVE_INFINITY };
const NEVER: LookTimes = { begin: Number.POSITIVE_INFINITY };

function run(program: Program, asked: Partial<CheckChoices>, times: LookTimes): CheckRun {
  return new CheckRun(program, { ...defaultsOf<CheckChoices>(CHECK), ...asked }, undefined, undefined, times);
}

const without = ({ seconds: _, ...rest }: ModelResult): Omit<ModelResult, 'seconds'> => rest;

function ended(check: CheckRun, steps: number): readonly Omit<ModelResult, 'seconds'>[] {
  while (!check.advance(steps));
  return check.results.map(without);
}

const verdicts = (check: CheckRun): readonly string[] =>
  check.results.map(({ model, verdict }) => `${model} ${verdict.kind}`);

describe('an error is known early', () => {
  it('under a model whose turn has not come', async () => {
    const check = run(await compileC(RACE), ALL, ALWAYS);
    while (check.early.length === 0) check.advance(100);
    expect(check.progress?.model).toBe('sc');
    expect(check.early.map(({ model, found }) => [model, found.error.kind])).toEqual([['rc11', 'race']]);
    check.stop(stoppedFor('enough'));
    expect(verdicts(check)).toEqual(['sc inconclusive', 'tso inconclusive', 'pso inconclusive', 'rc11 violation']);
  });

  it('in a random execution; it counts once the search is stopped', async () => {
    const check = run(await compileC(LATE), ALL, ALWAYS);
    while (!check.early.some(({ model }) => model === 'sc')) check.advance(100);
    expect(verdicts(check)).toEqual([]);
    check.stop(stoppedFor('enough'));
    const [sc] = check.results;
    expect(sc).toMatchObject({ model: 'sc', verdict: { kind: 'violation' }, bounds: ['enough'] });
    expect(sc!.errors.map(({ error }) => error.message)).toEqual(['x == 2']);
    // It fails under each model, since each has all executions of SC.
    expect(check.results.map(({ how }) => how)).toEqual(['explored', 'sc', 'sc', 'sc']);
  });

  it('and stands if the search is stopped, with all errors that are known', async () => {
    const program = await compileC(RACE);
    const check = run(program, { ...ALL, models: ['sc', 'rc11'], keepGoing: true }, ALWAYS);
    while (check.early.length === 0) check.advance(100);
    check.stop(stoppedFor('enough'));
    while (!check.advance(100)) check.stop(stoppedFor('enough'));
    expect(verdicts(check)).toEqual(['sc inconclusive', 'rc11 violation']);
  });
});

describe('looks change no result', () => {
  const options: Partial<CheckChoices>[] = [ALL, { ...ALL, monitors: false }, { ...ALL, keepGoing: true }];
  it.each([
    ['an error under TSO', STORE_BUFFERING.replace('LIMIT', 'a || b')],
    ['an error under SC', STORE_BUFFERING.replace('LIMIT', 'c > 2')],
    ['no error', STORE_BUFFERING.replace('LIMIT', '1')],
    ['a lock', scale('mutex', 3)],
  ])('of a program with %s', async (_, source) => {
    const program = await compileC(source);
    for (const asked of options)
      expect(ended(run(program, asked, ALWAYS), 7)).toEqual(ended(run(program, asked, NEVER), 7));
  });

  it('of generated programs, with errors and waits', () => {
    for (const sketch of fc.sample(syncSketches(), { numRuns: samples(10), seed: SEED })) {
      const program = buildSyncProgram(sketch);
      const found = ended(run(program, { ...ALL, monitors: false }, ALWAYS), 3);
      expect(found, printSyncSketch(sketch)).toEqual(ended(run(program, { ...ALL, monitors: false }, NEVER), 3));
    }
  });

  it('and a model that was looked at to its end is verified if the check is stopped', async () => {
    const program = await compileC(`${endless('')}\n`.replace('i < 40', 'i < 2'));
    const check = run(program, ALL, ALWAYS);
    for (let i = 0; i < 40; i++) check.advance(5);
    expect(check.progress?.model).toBe('sc');
    check.stop(stoppedFor('enough'));
    const whole = ended(run(program, { models: ['rc11'] }, NEVER), 100)[0]!;
    const rc11 = check.results.find(({ model }) => model === 'rc11')!;
    expect(without(rc11)).toEqual(whole);
  });
});

describe('the end of a search', () => {
  const at = (seconds: number, executions: number, inAll?: number): CheckProgress => ({
    model: 'sc',
    executions,
    blocked: 0,
    depth: 10,
    seconds,
    estimate: inAll === undefined ? undefined : { executions: inAll, low: inAll, high: inAll },
  });

  it('is in sight while the time left becomes shorter', () => {
    const outlook = new Outlook();
    const found = [30, 60, 120, 240, 480].map((seconds) => outlook.look(at(seconds, seconds, 600)));
    expect(found).toEqual([undefined, undefined, undefined, undefined, undefined]);
  });

  it('is not if the time left grows: said once', () => {
    const outlook = new Outlook();
    const looks = [10, 30, 40, 60, 120].map((seconds) => outlook.look(at(seconds, seconds, 10 * seconds)));
    expect(looks).toEqual([
      undefined,
      undefined,
      undefined,
      { model: 'sc', executions: 60, seconds: 60, inAll: 600, left: 540 },
      undefined,
    ]);
  });

  it('is not if nobody would wait for it', () => {
    const found = new Outlook().look(at(30, 1000, 1e15))!;
    expect(noteNoEnd(found)).toBe(
      'fencepost: note: the end of the search under sc is not in sight: 1,000 executions in 30 seconds, of about ' +
        '10^15, which would take 950,000 years more. Set a bound (--timeout 60), or make the program smaller: ' +
        'docs/inconclusive.md. Ctrl-C shows what was found\n',
    );
  });

  it('is unknown without an estimate, after a minute', () => {
    const outlook = new Outlook();
    expect(outlook.look(at(30, 5))).toBeUndefined();
    expect(noteNoEnd(outlook.look(at(60, 9))!)).toContain('9 executions in 60 seconds, and no estimate of how many');
  });

  it('begins anew with another model', () => {
    const outlook = new Outlook();
    expect(outlook.look(at(30, 1000, 1e15))).toBeDefined();
    expect(outlook.look({ ...at(30, 1000, 1e15), model: 'tso' })).toBeDefined();
  });
});

describe('the command', () => {
  const folder = new Folder();
  beforeAll(ensureBuilt);
  afterAll(() => folder.remove());

  it('says that a model fails while another one is searched, and shows it at the end', async () => {
    folder.write('race.c', RACE);
    const running = new Running(['check', 'race.c', '--no-out', '-j', '1'], { cwd: folder.path });
    await running.says('fencepost: note: rc11 fails: race: ');
    running.child.kill('SIGINT');
    const { exit, stdout, stderr } = await running.end();
    expect(exit).toBe(1);
    expect(stderr).toContain('; sc is still being searched; Ctrl-C ends the search and shows how\n');
    expect(stdout).toContain('race.c under rc11: violation');
  });

  it('names the error in one line', async () => {
    const check = run(await compileC(RACE), { models: ['sc', 'rc11'] }, ALWAYS);
    while (check.early.length === 0) check.advance(100);
    expect(noteEarly(check.early[0]!, undefined)).toMatch(/^fencepost: note: rc11 fails: race: .*; Ctrl-C .*\n$/);
  });
});
