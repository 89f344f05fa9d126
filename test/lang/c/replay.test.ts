/** A reported schedule reproduces the same execution: the same events, the same error. Anything else is refused. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { explore } from '../../../src/explore/explore.ts';
import { Replay } from '../../../src/explore/replay.ts';
import { parseSchedule, printSchedule, scheduleOf } from '../../../src/explore/schedule.ts';
import { Machine } from '../../../src/machine/machine.ts';
import type { StrategyName } from '../../../src/options/search.ts';
import type { Program } from '../../../src/program/ir.ts';
import type { CheckCommandReport } from '../../../src/report/schema.ts';
import { traceExecution } from '../../../src/report/story/execution.ts';
import { type CheckedModel, check, compileC, MODELS } from '../../support/c.ts';
import { CLASSICS, CLASSICS_SOURCE } from '../../support/c-classics.ts';
import { WRONG, WRONG_SOURCE } from '../../support/c-wrong.ts';
import { ensureBuilt, Folder, fencepost, REPOSITORY } from '../../support/fencepost.ts';
import { DEEP } from '../../support/tier.ts';

/** Every error is reproduced on another machine from the printed schedule alone. */
function expectSameAgain(program: Program, model: CheckedModel, strategy: StrategyName): number {
  const { errors } = check(program, model, { strategy, keepGoing: true, maxExecutions: 50 });
  for (const { error, schedule } of errors.slice(0, 3)) {
    const machine = new Machine(program, model);
    const steps = parseSchedule(machine, schedule);
    const replay = new Replay(steps);
    const again = explore(machine, replay);
    expect(again.errors).toEqual([{ error, schedule }]);
    expect(replay.taken).toBe(steps.length);
    expect(machine.depth).toBe(steps.length);
    expect(printSchedule(machine, scheduleOf(machine))).toBe(schedule);
    // A machine that has run something else before reproduces the same execution, word for word.
    const used = new Machine(program, model);
    explore(used, new Replay([]));
    for (let i = 0; i < 20 && used.enabled() > 0; i++) used.step(used.steps.get(used.steps.length - 1));
    expect(traceExecution(used, schedule)).toEqual(traceExecution(new Machine(program, model), schedule));
  }
  return errors.length;
}

describe('schedules', () => {
  it.each(CLASSICS.filter(({ expected }) => expected.pso !== 'verified'))(
    'of $entry are replayed',
    async ({ entry, expected }) => {
      const program = await compileC({ 'classics.c': CLASSICS_SOURCE }, { entry });
      for (const model of MODELS.filter((m) => expected[m] !== 'verified')) {
        // Bounded search is for SC, where the deep tier searches at random as well.
        const strategies: StrategyName[] = ['enumerate', model === 'sc' ? 'bounded' : 'random'];
        if (DEEP && model === 'sc') strategies.push('random');
        for (const strategy of strategies) {
          const found = expectSameAgain(program, model, strategy);
          if (strategy === 'enumerate') expect(found).toBeGreaterThan(0);
        }
      }
    },
  );

  // One in six, or all in the deep tier: each is loaded again.
  it.each(Object.keys(WRONG).filter((_, i) => DEEP || i % 6 === 0))('of %s are replayed', async (entry) => {
    const program = await compileC({ 'wrong.c': WRONG_SOURCE }, { entry });
    for (const model of MODELS) expectSameAgain(program, model, 'random');
  });

  it('with choices of values and of the thread that is woken are replayed', async () => {
    const program = await compileC(`#include <assert.h>
      #include <fencepost.h>
      #include <pthread.h>
      pthread_mutex_t m;
      pthread_cond_t c;
      int waiting, woken;
      void *sleeper(void *id) {
        pthread_mutex_lock(&m);
        waiting++;
        pthread_cond_wait(&c, &m);
        woken = *(int *)id;
        pthread_mutex_unlock(&m);
        return 0;
      }
      int main(void) {
        static int ids[] = {1, 2};
        pthread_t t[2];
        for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, sleeper, &ids[i]);
        pthread_mutex_lock(&m);
        fencepost_assume(waiting == 2);
        int guess = fencepost_choose(5);
        pthread_cond_signal(&c);
        pthread_mutex_unlock(&m);
        pthread_mutex_lock(&m);
        assert(!(woken == 2 && guess == 3));
        pthread_cond_broadcast(&c);
        pthread_mutex_unlock(&m);
        return 0;
      }`);
    for (const model of MODELS) {
      const [found] = check(program, model, { strategy: 'enumerate' }).errors;
      expect(found!.schedule).toMatch(/\b0:3\b/);
      expect(found!.schedule).toMatch(/\b0:1\b/);
      expectSameAgain(program, model, 'enumerate');
    }
  });
});

describe('fencepost replay', async () => {
  const folder = new Folder();
  const inFolder = { cwd: folder.path };
  beforeAll(ensureBuilt);
  afterAll(() => folder.remove());

  async function report(
    name: string,
    args: readonly string[],
  ): Promise<{ path: string; text: string; report: CheckCommandReport }> {
    const run = await fencepost(['check', '--json', ...args], inFolder);
    expect(run.stderr).toBe('');
    folder.write(name, run.stdout);
    return { path: name, text: run.stdout, report: JSON.parse(run.stdout) as CheckCommandReport };
  }

  const examples = readdirSync(join(REPOSITORY, 'examples')).filter((name) => name.endsWith('.c'));
  it.each(examples)('shows the same execution as check: examples/%s', async (name) => {
    folder.write(name, readFileSync(join(REPOSITORY, 'examples', name)));
    const { report: made } = await report(`${name}.json`, [name]);
    // So wide that no sentence wraps.
    vi.stubEnv('COLUMNS', '400');
    const shown = await fencepost(['check', name], inFolder);
    const replayed = await fencepost(['replay', `${name}.json`], inFolder);
    vi.unstubAllEnvs();
    if (made.results.every((r) => r.error === undefined)) {
      expect([replayed.exit, replayed.stdout]).toEqual([2, '']);
      expect(replayed.stderr).toContain('no failing execution');
      return;
    }
    expect([replayed.exit, replayed.stderr]).toEqual([1, '']);
    // Only the number of executions differs, and the warnings and the summary, which are about all of them.
    const tables = (text: string): string[] =>
      text
        .replace(/^What holds where:\n( {2}.*\n)*/gm, '')
        .replace(/^warning:.*(\n {2}.*)*/gm, '')
        .split('\n')
        .filter((line) => line.startsWith('  '));
    // `check` shows a failure that several models share only once; `replay` shows each.
    const [all, once] = [tables(replayed.stdout), tables(shown.stdout)];
    const isTold = (line: string): boolean => /^ {2}the same \w+.*, for the same reason as under /.test(line);
    if (!once.some(isTold)) return expect(all).toEqual(once);
    let at = 0;
    for (const line of once.filter((text) => !isTold(text))) {
      at = all.indexOf(line, at) + 1;
      expect(at, `${line} is not in\n${all.join('\n')}`).toBeGreaterThan(0);
    }
  });

  it('repeats an execution with defines, include paths, arguments, another entry and another standard', async () => {
    folder.write('sub/limit.h', '#define LIMIT 3\n');
    folder.write('forced.h', '#define FORCED 1\n');
    folder.write(
      'options.c',
      `#include <assert.h>
#include <string.h>
#include "limit.h"
int start(int argc, char **argv) {
  assert(argc != LIMIT || strcmp(argv[1], NAME) || !FORCED || __STDC_VERSION__ != 199901L);
  return 0;
}
`,
    );
    const flags = ['-D', 'NAME="x y"', '-I', 'sub', '--include', 'forced.h', '--std', 'c99', '--entry', 'start'];
    const { report: made } = await report('options.json', ['options.c', ...flags, '--arg', 'x y', '--arg', '']);
    expect(made.results.map((r) => r.verdict)).toEqual(['violation', 'violation', 'violation', 'violation']);
    expect(await fencepost(['replay', 'options.json'], inFolder)).toMatchObject({ exit: 1, stderr: '' });
  });

  const TWO_ERRORS = `
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static void *other(void *p) { y = 1; assert(x); return p; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  x = 1;
  assert(y);
  pthread_join(t, 0);
}
`;
  const SB = `#include <assert.h>
#include <pthread.h>
int x, y, a, b;
void *left(void *_) { x = 1; a = y; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, left, 0);
  y = 1;
  b = x;
  pthread_join(t, 0);
  assert(a || b);
  return 0;
}
`;
  it('repeats random runs, of all errors that were saved', async () => {
    folder.write('sb.c', SB);
    const args = ['sb.c', '--strategy', 'random', '--model', 'tso,pso', '--keep-going', '--max-executions', '200'];
    const { report: made } = await report('random.json', args);
    expect(made.results.map((r) => r.verdict)).toEqual(['violation', 'violation']);
    expect(await fencepost(['replay', 'random.json'], inFolder)).toMatchObject({ exit: 1, stderr: '' });
  });

  it('repeats all errors of a model, or one of them', async () => {
    folder.write('two.c', TWO_ERRORS);
    await report('two.json', ['two.c', '--model', 'sc,tso', '--keep-going']);
    const lines = async (...args: string[]): Promise<readonly string[]> => {
      const { stdout } = await fencepost(['replay', 'two.json', ...args], inFolder);
      return [...stdout.matchAll(/^ {2}assertion: `(\w+)/gm)].map(([, name]) => name!);
    };
    const all = await lines();
    expect(all.length).toBe(4);
    expect(new Set(all)).toEqual(new Set(['x', 'y']));
    expect(await lines('--model', 'sc', '--error', '2')).toEqual([all[1]]);
    const graph = (...args: string[]) => fencepost(['replay', 'two.json', '--graph', 'g.dot', ...args], inFolder);
    expect((await graph()).stderr).toBe(
      'fencepost: there are 3 other executions: 1 under sc, 2 under tso; choose one with --model and --error\n',
    );
    expect((await graph('--error', '2')).stderr).toBe(
      'fencepost: there is another execution, under tso; choose it with --model\n',
    );
    expect((await graph('--error', '3')).exit).toBe(2);
  });

  it('is refused when the program no longer matches', async () => {
    folder.write('changed.c', SB);
    await report('changed.json', ['changed.c']);
    folder.write('changed.c', SB.replace('b = x;', '__sync_synchronize(); b = x;'));
    const changed = await fencepost(['replay', 'changed.json'], inFolder);
    expect([changed.exit, changed.stdout]).toEqual([2, '']);
    expect(changed.stderr).toMatch(/^fencepost: replay under tso gives .* have the sources changed\?$/m);
    folder.write('changed.c', 'int main(void) {');
    expect(await fencepost(['replay', 'changed.json'], inFolder)).toMatchObject({ exit: 3, stdout: '' });
  });

  describe('refuses with exit code 2 and one line', () => {
    it.each<[string, string | Uint8Array]>([
      ['nothing', ''],
      ['no JSON', '{ "schema": '],
      ['a binary file', new Uint8Array([0, 1, 2, 255])],
      ['another document', '{"name": "package"}'],
      ['a list', '[]'],
      ['null', 'null'],
      ['a number', '42'],
      ['a report of another version', '{"schema": "fencepost/99", "command": "check", "results": []}'],
      ['a report of another command', '{"schema": "fencepost/1", "command": "litmus", "results": [], "problems": []}'],
      ['a report without input', '{"schema": "fencepost/1", "command": "check", "results": []}'],
      ['a report with a null input', '{"schema": "fencepost/1", "command": "check", "input": null, "results": []}'],
    ])('%s', async (_, contents) => {
      folder.write('bad.json', contents);
      const run = await fencepost(['replay', 'bad.json'], inFolder);
      expect(run.stderr).toMatch(/^fencepost: bad\.json: .+\n$/);
      expect([run.exit, run.stdout]).toEqual([2, '']);
    });

    it('a missing file, a folder', async () => {
      expect(await fencepost(['replay', 'nowhere.json'], inFolder)).toMatchObject({ exit: 2, stdout: '' });
      expect(await fencepost(['replay', '.'], inFolder)).toMatchObject({ exit: 2, stdout: '' });
    });

    let made: string | undefined;
    // biome-ignore lint/suspicious/noExplicitAny: reports are broken on purpose
    type Change = (report: any) => void;
    const changes: readonly (readonly [string, Change])[] = [
      ['a result that is null', (r) => r.results.push(null)],
      ['an error that is null', (r) => Object.assign(r.results[0], { error: null })],
      ['an error without a schedule', (r) => delete r.results[0].error.schedule],
      ['an error of no kind', (r) => Object.assign(r.results[0].error, { kind: 7, message: {} })],
      ['an unknown model', (r) => Object.assign(r.results[0], { model: 'rmo' })],
      ['no files', (r) => Object.assign(r.input, { files: [] })],
      ['files that are numbers', (r) => Object.assign(r.input, { files: [1] })],
      ['an entry that is a list', (r) => Object.assign(r.input, { entry: ['main'] })],
      ['a standard that is a number', (r) => Object.assign(r.input, { standard: 11 })],
      ['another error', (r) => Object.assign(r.results[0].error, { message: 'something else' })],
      ['an empty schedule', (r) => Object.assign(r.results[0].error, { schedule: '' })],
      [
        'half a schedule',
        (r) => Object.assign(r.results[0].error, { schedule: r.results[0].error.schedule.slice(0, 12) }),
      ],
      ['a schedule of words', (r) => Object.assign(r.results[0].error, { schedule: 'over the hills' })],
      [
        'a schedule with a thread that does not exist',
        (r) => Object.assign(r.results[0].error, { schedule: '0 0.9 0' }),
      ],
      [
        'a schedule with a location that does not exist',
        (r) => Object.assign(r.results[0].error, { schedule: '0 0/nothing' }),
      ],
      [
        'a schedule with strange locations',
        (r) => Object.assign(r.results[0].error, { schedule: '0 0/@ 0/@99999999999 0/x[99]' }),
      ],
      ['a schedule with a choice that does not exist', (r) => Object.assign(r.results[0].error, { schedule: '0:99' })],
      ['an endless schedule', (r) => Object.assign(r.results[0].error, { schedule: '0*999999999 '.repeat(20) })],
    ];
    it.each(changes)('%s', async (_, change) => {
      folder.write('sb.c', SB);
      made ??= (await report('good.json', ['sb.c', '--model', 'tso'])).text;
      const good = JSON.parse(made);
      change(good);
      writeFileSync(join(folder.path, 'bad.json'), JSON.stringify(good));
      const run = await fencepost(['replay', 'bad.json'], inFolder);
      expect(run.stderr).toMatch(/^fencepost: .+\n$/);
      expect([run.exit, run.stdout]).toEqual([2, '']);
    });
  });
});
