/** Simpler executions: with the same error, never with more switches, and usually with far fewer. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { explore } from '../../src/explore/explore.ts';
import { Replay } from '../../src/explore/replay.ts';
import { parseSchedule } from '../../src/explore/schedule.ts';
import { countSwitches, shrink } from '../../src/explore/shrink.ts';
import * as ev from '../../src/machine/events/event.ts';
import { Machine } from '../../src/machine/machine.ts';
import { type Model, modelsWith } from '../../src/models/index.ts';
import { replayOptions } from '../../src/pipelines/shrink.ts';
import { check, compileC } from '../support/c.ts';
import { REPOSITORY } from '../support/fencepost.ts';
import { checkFile } from '../support/reports.ts';

const MODELS: readonly Model[] = modelsWith('dpor');

/**
 * Programs for which the first execution found has at least twice as many switches as necessary, which was determined
 * by hand or by the search.
 */
const HALVED: readonly (readonly [file: string, model: Model])[] = [
  ['mutual-exclusion/bakery.c', 'tso'],
  ['mutual-exclusion/burns.c', 'tso'],
  ['mutual-exclusion/dekker.c', 'tso'],
  ['mutual-exclusion/kessels.c', 'pso'],
  ['mutual-exclusion/peterson.c', 'pso'],
  ['locks/biased.c', 'tso'],
  ['locks/clh.c', 'pso'],
  ['structures/hazard-pointers.c', 'tso'],
  ['structures/rcu-grace.c', 'pso'],
  ['patterns/idle-flag.c', 'tso'],
  ['patterns/wait-queue.c', 'pso'],
];

/** Some of the programs, each under the first model under which it fails. */
const rows = readFileSync(join(REPOSITORY, 'programs/expected.tsv'), 'utf8')
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((line) => line.split('\t'))
  .map(([file, defines, ...verdicts]) => ({
    file: file!,
    defines: defines === '-' ? [] : defines!.split(' '),
    model: MODELS[verdicts.slice(0, 3).findIndex((v) => v !== 'correct')],
  }))
  .filter((row, i) => row.model !== undefined && i % 8 === 0)
  .map((row) => ({ ...row, model: row.model! }));

function switches(program: Machine['program'], model: Model, kind: Parameters<typeof replayOptions>[0], text: string) {
  const machine = new Machine(program, model, {}, replayOptions(kind, false));
  const replay = new Replay(parseSchedule(machine, text));
  const [found] = explore(machine, replay).errors;
  expect(replay.taken).toBe(replay.length);
  return { count: countSwitches(machine), found: found! };
}

describe('programs of the corpus', () => {
  it.each(rows)('$file $defines under $model: no more switches, the same error', async ({ file, defines, model }) => {
    const { program, found, results } = await checkFile(`programs/${file}`, [model], { defines });
    const [[before], [after]] = [found[0]!.errors, results[0]!.errors] as const;
    const { kind } = before!.error;
    const old = switches(program, model, kind, before!.schedule);
    const now = switches(program, model, kind, after!.schedule);
    expect(now.count).toBeLessThanOrEqual(old.count);
    expect(now.found.error).toEqual(after!.error);
    const { notes: _, ...same } = before!.error;
    expect(now.found.error).toMatchObject(same);
    if (after!.original !== undefined) expect(after!.original).toBe(before!.schedule);
  });

  it.each(HALVED)('%s under %s: at most half the switches', async (file, model) => {
    const { program, found, results } = await checkFile(`programs/${file}`, [model]);
    const [[before], [after]] = [found[0]!.errors, results[0]!.errors] as const;
    const { kind } = before!.error;
    const old = switches(program, model, kind, before!.schedule).count;
    expect(2 * switches(program, model, kind, after!.schedule).count).toBeLessThanOrEqual(old);
  });
});

describe('an execution found by random search', () => {
  const SOURCE = `#include <assert.h>
    #include <pthread.h>
    int x, y, a, b, noise[2];
    void *left(void *_) { for (int i = 0; i < 5; i++) noise[0] += i; x = 1; a = y; return 0; }
    void *right(void *_) { for (int i = 0; i < 5; i++) noise[1] += i; y = 1; b = x; return 0; }
    int main(void) {
      pthread_t t, u;
      pthread_create(&t, 0, left, 0);
      pthread_create(&u, 0, right, 0);
      pthread_join(t, 0);
      pthread_join(u, 0);
      assert(a || b);
      return 0;
    }`;

  // Random search finds others with each seed, and with each clang.
  const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8];
  const ways = (['tso', 'pso'] as const).flatMap((model) => SEEDS.map((seed) => ({ model, seed })));
  it.each(ways)('becomes as simple as possible, under $model, seed $seed', async ({ model, seed }) => {
    const program = await compileC(SOURCE);
    const [found] = check(program, model, { strategy: 'random', seed }).errors;
    const machine = new Machine(program, model);
    const shrunk = shrink(machine, found!.error, found!.schedule);
    // Main, one thread up to its load, all of the other, the store of the first, main.
    expect(countSwitches(machine)).toBe(4);
    // Only one store is late.
    let late = 0;
    for (let e = 0; e < machine.depth; e++) {
      const isStore = machine.events.get(e, ev.E_KIND) === ev.STORE_EVENT;
      if (isStore && machine.events.get(e + 1, ev.E_KIND) !== ev.UPDATE_EVENT) late++;
    }
    expect(late).toBe(1);
    expect(shrunk.error).toEqual(found!.error);
  });

  it('is unchanged if it does not lead to the error, or if the budget is zero', async () => {
    const program = await compileC(SOURCE);
    const [found] = check(program, 'tso', { strategy: 'random' }).errors;
    const { error, schedule } = found!;
    const other = { ...error, message: 'another' };
    expect(shrink(new Machine(program, 'tso'), other, schedule)).toEqual({ error: other, schedule });
    expect(shrink(new Machine(program, 'tso'), error, schedule, { maxSteps: 0 })).toEqual({ error, schedule });
  });

  it('is not even replayed if time is up', async () => {
    const program = await compileC(SOURCE);
    const [found] = check(program, 'tso', { strategy: 'random' }).errors;
    const { error, schedule } = found!;
    const machine = new Machine(program, 'tso');
    expect(shrink(machine, error, schedule, { isLate: () => true })).toEqual({ error, schedule });
    expect(machine.depth).toBe(0);
  });

  it('is the simplest one so far when time runs out', async () => {
    const program = await compileC(SOURCE);
    const [found] = check(program, 'tso', { strategy: 'random' }).errors;
    const { error, schedule } = found!;
    const simplest = shrink(new Machine(program, 'tso'), error, schedule).schedule;
    const before = switches(program, 'tso', error.kind, schedule).count;
    const counts: number[] = [];
    for (let patience = 1; counts.length < 1000; patience++) {
      let polls = 0;
      let afterwards = 0;
      const isLate = (): boolean => {
        if (polls++ < patience) return false;
        afterwards++;
        return true;
      };
      const shrunk = shrink(new Machine(program, 'tso'), error, schedule, { isLate });
      // It stops at once, whatever is left to try; a place has a few candidates.
      expect(afterwards).toBeLessThan(30);
      counts.push(switches(program, 'tso', error.kind, shrunk.schedule).count);
      if (shrunk.schedule === simplest) break;
    }
    // More time never makes it worse, and there are intermediate results.
    expect(counts).toEqual([...counts].sort((a, b) => b - a));
    expect(counts[0]).toBe(before);
    expect(new Set(counts).size).toBeGreaterThan(2);
  });
});
