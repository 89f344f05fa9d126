/** A check can be saved at any time and resumed elsewhere: the results are those of a single run. */

import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { describeProgram, describeSources, KeptCheck, readSavedCheck } from '../../../src/cli/shared/saved-check.ts';
import { stoppedFor } from '../../../src/explore/bound.ts';
import { Keeper } from '../../../src/explore/frontier/keeper.ts';
import type { Model } from '../../../src/models/index.ts';
import { CHECK, type CheckChoices } from '../../../src/options/check.ts';
import { defaultsOf } from '../../../src/options/option.ts';
import { CheckRun, type SavedCheck } from '../../../src/pipelines/check.ts';
import type { Helpers } from '../../../src/pipelines/helpers.ts';
import type { ModelResult } from '../../../src/pipelines/model-run.ts';
import type { PartResult, SavedTogether } from '../../../src/pipelines/together.ts';
import type { Program } from '../../../src/program/ir.ts';
import { type DoneJob, JobRunner } from '../../../src/workers/job-runner.ts';
import { helpersOf, resumingHelpers } from '../../../src/workers/team.ts';
import { compileC } from '../../support/c.ts';
import { NOT_RACING, RACING_EARLY, RACING_LATE } from '../../support/racing.ts';

const source = (path: string, n?: number): string =>
  `${n === undefined ? '' : `#define N ${n}\n`}${readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')}`;

function optionsFor(models: readonly Model[], more: Partial<CheckChoices> = {}): CheckChoices {
  return { ...defaultsOf<CheckChoices>(CHECK), models, ...more };
}

const without = ({ seconds: _, ...rest }: ModelResult): Omit<ModelResult, 'seconds'> => rest;

const copy = (saved: SavedCheck): SavedCheck => JSON.parse(JSON.stringify(saved)) as SavedCheck;

/** Continues in a new run after every `piece` steps. */
function inPieces(program: Program, options: CheckChoices, piece: number): readonly ModelResult[] {
  let saved: SavedCheck | undefined;
  for (;;) {
    const check = new CheckRun(program, options);
    if (saved !== undefined) check.resume(saved);
    // A search that starts again must get further than before.
    for (let n = 0; n < 3; n++) if (check.advance(piece)) return check.results;
    saved = copy(check.save());
    piece += 20;
  }
}

const RELAXED = `
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
void *add(void *a) {
  int v = atomic_load_explicit(&x, memory_order_relaxed);
  atomic_store_explicit(&x, v + 1, memory_order_relaxed);
  return 0;
}
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(t + i, 0, add, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
}`;

describe('a check in pieces', () => {
  it.each<[string, string, CheckChoices, number]>([
    ['all models', source('programs/scale/sb-ring.c', 4), optionsFor(['sc', 'tso', 'pso', 'rc11']), 40],
    ['graphs', RELAXED, optionsFor(['rc11']), 20],
    ['without monitors', source('programs/scale/mutex.c', 4), optionsFor(['sc', 'pso'], { monitors: false }), 90],
    ['an error under TSO', source('examples/store-buffering.c'), optionsFor(['sc', 'tso', 'rc11']), 3],
    ['all errors', source('examples/store-buffering.c'), optionsFor(['sc', 'tso'], { keepGoing: true }), 3],
    ['robustness', source('programs/scale/sb-ring.c', 3), optionsFor(['tso'], { robust: true }), 20],
    // Under SC it is no error; it is what makes RC11 necessary.
    ['a race in the first execution', RACING_EARLY, optionsFor(['sc', 'rc11']), 90],
    ['a lock that waits', source('programs/scale/cas-loop.c', 3), optionsFor(['sc', 'tso']), 10],
  ])('has the results of the whole: %s', async (_, text, options, piece) => {
    const program = await compileC(text);
    const whole = new CheckRun(program, options);
    whole.advance(Number.POSITIVE_INFINITY);
    while (!whole.advance(1_000_000));
    expect(inPieces(program, options, piece).map(without)).toEqual(whole.results.map(without));
  });

  it.each<[string, string, Model, number]>([
    ['DPOR', source('programs/scale/mutex.c', 6), 'sc', 720],
    // The stores can come in any order; in each, a load's sources are the initial value and the stores before that of
    // its own thread.
    ['graphs', RELAXED.replaceAll('3', '5'), 'rc11', 120 * 120],
  ])('counts the same while others work on it, saved again, then by one: %s', async (_, text, model, executions) => {
    const program = await compileC(text);
    const options = optionsFor([model], { monitors: false });
    const together = new CheckRun(program, options, helpersOf(2, 0));
    for (let n = 0; n < 4; n++) {
      together.advance(300);
      await together.wait();
    }
    const saved = copy(together.save());
    together.stop(stoppedFor('elsewhere'));
    expect(saved.current?.search.together).toBeDefined();
    const again = new CheckRun(program, options, resumingHelpers(1));
    again.resume(saved);
    const savedAgain = copy(again.save());
    again.stop(stoppedFor('elsewhere'));
    const check = new CheckRun(program, options, resumingHelpers(1));
    check.resume(savedAgain);
    while (!check.advance(300)) await check.wait();
    expect(check.results.map((result) => [result.verdict.kind, result.executions])).toEqual([['verified', executions]]);
  });

  it('comes to its end if it is resumed by one, in slices that are too short for a hand-over', async () => {
    const program = await compileC(source('programs/scale/mutex.c', 6));
    const options = optionsFor(['sc'], { monitors: false });
    const together = new CheckRun(program, options, helpersOf(2, 0));
    together.advance(1);
    let saved = copy(together.save());
    together.stop(stoppedFor('elsewhere'));
    expect(saved.current?.search.together).toBeDefined();
    for (let slice = 1; ; slice++) {
      const check = new CheckRun(program, options, resumingHelpers(1));
      check.resume(saved);
      await check.wait();
      if (check.advance(1)) {
        expect(check.results.map((result) => [result.verdict.kind, result.executions])).toEqual([['verified', 720]]);
        return;
      }
      saved = copy(check.save());
      check.stop(stoppedFor('elsewhere'));
      expect(slice, 'each slice has at least one execution').toBeLessThanOrEqual(720);
    }
  });

  /** A worker that has just done the rest of the search when that is saved. */
  const justDone: Helpers['begin'] = (work, left) => {
    const keeper = Keeper.of(left);
    const runner = new JobRunner(work, keeper);
    const results: PartResult[] = [];
    for (let id = keeper.largest; id !== undefined; id = keeper.largest) {
      runner.take(keeper.take(id));
      let done: DoneJob | undefined;
      while (done === undefined) done = runner.advance(() => false);
      results.push(done.part);
      keeper.handOver(id, done.left, false);
    }
    const save = (): SavedTogether => ({ frontier: keeper.save(), results, jobs: results.length });
    return { state: 'running', results, executions: 0, save, stop: () => {}, wait: () => Promise.resolve() };
  };

  it.each<[string, string, ModelResult['how']]>([
    ['a race that a worker has found makes RC11 necessary', RACING_LATE, 'explored'],
    ['if workers have found no race, RC11 is not', NOT_RACING, 'robust'],
  ])('knows that %s', async (_, text, how) => {
    const program = await compileC(text);
    const options = optionsFor(['sc', 'rc11']);
    const together = new CheckRun(program, options, { ...helpersOf(2, 0)!, begin: justDone });
    expect(together.advance(100)).toBe(false);
    const saved = copy(together.save());
    expect(saved.current?.search.together?.results).toHaveLength(1);
    const check = new CheckRun(program, options, resumingHelpers(1));
    check.resume(saved);
    while (!check.advance(300)) await check.wait();
    expect(check.results.map((result) => [result.verdict.kind, result.how])).toEqual([
      ['verified', 'explored'],
      [how === 'robust' ? 'verified' : 'violation', how],
    ]);
  });

  // The fifth child of a thread other than main takes any free slot.
  it.each<[Model]>([['sc'], ['rc11']])('under %s, it begins again if slots of threads are not fixed', async (model) => {
    const text = (children: number): string => `
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
void *nothing(void *a) { atomic_fetch_add_explicit(&x, 1, memory_order_relaxed); return 0; }
void *parent(void *a) {
  pthread_t t[${children}];
  int y = atomic_load_explicit(&x, memory_order_relaxed);
  for (int i = 0; i < ${children}; i++) pthread_create(t + i, 0, nothing, 0);
  return y ? a : 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, parent, 0);
  nothing(0);
  pthread_join(t, 0);
}`;
    for (const [children, isSaved] of [
      [2, true],
      [5, false],
    ] as const) {
      const check = new CheckRun(await compileC(text(children)), optionsFor([model], { countOrders: true }));
      expect(check.advance(30)).toBe(false);
      expect(check.save().current !== undefined).toBe(isSaved);
    }
  });
});

describe('the file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fencepost-saved-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'search');
  const sourceFile = join(folder, 'program.c');

  it('is refused if it is cut short, altered, of another version or something else', async () => {
    writeFileSync(sourceFile, source('programs/scale/mutex.c', 5));
    const program = await compileC(source('programs/scale/mutex.c', 5));
    const check = new CheckRun(program, optionsFor(['sc']));
    const kept = new KeptCheck(file, { question: 1 }, [sourceFile], program);
    const task = kept.task(check);
    expect(task.advance(100)).toBe(false);
    task.stop(stoppedFor('enough'));
    kept.end();
    const saved = readSavedCheck<unknown>(file);
    expect('problem' in saved ? saved.problem : saved.asked).toEqual({ question: 1 });
    const text = readFileSync(file, 'utf8');
    const refused = (other: string): string => {
      writeFileSync(join(folder, 'other'), other);
      const read = readSavedCheck<unknown>(join(folder, 'other'));
      return 'problem' in read ? read.problem.replace(folder, '') : 'read';
    };
    expect(refused(text)).toBe('read');
    expect(refused(text.slice(0, -20))).toBe('/other is cut short or was altered; start a new search');
    expect(refused(text.replace('"complete":', '"complete":1'))).toBe(
      '/other is cut short or was altered; start a new search',
    );
    expect(refused(text.replace(/"version":"[^"]*"/, '"version":"0.0.0-other"'))).toMatch(
      /is from fencepost 0.0.0-other/,
    );
    expect(refused(text.replace(/"code":"[^"]*"/, '"code":"other"'))).toMatch(/is from another build of fencepost/);
    expect(refused('int main(void) {}\n')).toBe('/other is not a search that check --save has written');
    expect(KeptCheck.problem(join(folder, 'other'), [])).toMatch(/exists, and is not a saved search/);
    expect(KeptCheck.problem(file, [])).toBeUndefined();
  });

  it('is refused if a source, by its name, or the program has changed', async () => {
    const saved = readSavedCheck<unknown>(file);
    if ('problem' in saved) throw new Error(saved.problem);
    expect(describeSources(saved)).toBeUndefined();
    expect(describeProgram(saved, await compileC(source('programs/scale/mutex.c', 4)))).toMatch(
      /compiled program differs/,
    );
    writeFileSync(sourceFile, source('programs/scale/mutex.c', 6));
    expect(describeSources(saved)).toMatch(/program\.c has changed since the saved search; start a new search$/);
  });

  it('is gone once the search has ended by itself', async () => {
    const program = await compileC(source('programs/scale/mutex.c', 3));
    const kept = new KeptCheck(file, {}, [sourceFile], program);
    const task = kept.task(new CheckRun(program, optionsFor(['sc'])));
    while (!task.advance(1000));
    kept.end();
    const why = 'there is no such file; a finished search removes its file';
    expect(readSavedCheck(file)).toEqual({ problem: `cannot read ${file}: ${why}` });
  });
});

describe.skipIf(!existsSync('/dev/full'))('a search on a full disk', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fencepost-full-'));
  const file = join(folder, 'kept');
  /** What is written before it replaces the file. */
  const part = `${file}.${process.pid}`;
  afterAll(() => rmSync(folder, { recursive: true }));

  /** What is said while the search is stopped, on a full disk or not. */
  async function stop(keeping: KeptCheck<unknown>, check: CheckRun, isFull: boolean): Promise<string> {
    if (isFull) symlinkSync('/dev/full', part);
    const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    try {
      keeping.task(check).stop(stoppedFor('time: 1 s'));
      return said.mock.calls.map(([text]) => text).join('');
    } finally {
      said.mockRestore();
    }
  }

  it('keeps its verdict, says that it is not saved, and leaves no file', async () => {
    const program = await compileC(source('programs/scale/mutex.c', 4));
    const begin = (): CheckRun => {
      const check = new CheckRun(program, optionsFor(['sc']));
      check.advance(20);
      return check;
    };
    const [first, second] = [begin(), begin()];
    const keeping = new KeptCheck(file, {}, [], program);
    expect(await stop(keeping, first, true)).toBe(
      `fencepost: the search cannot be saved: cannot write ${file}: the disk is full\n`,
    );
    expect([existsSync(file), existsSync(part)]).toEqual([false, false]);
    expect(first.results[0]!.verdict).toEqual({ kind: 'inconclusive', because: ['time: 1 s'] });
    // An earlier file stays, and can be resumed.
    expect(await stop(new KeptCheck(file, {}, [], program), second, false)).toMatch(/^fencepost: to resume: /);
    const before = readFileSync(file, 'utf8');
    expect(await stop(new KeptCheck(file, {}, [], program), begin(), true)).toMatch(
      /to resume from where it was last saved: /,
    );
    expect([readFileSync(file, 'utf8') === before, existsSync(part)]).toEqual([true, false]);
  });
});
