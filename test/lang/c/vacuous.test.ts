/** Programs none of whose executions completes: no search and no report format may claim anything about them. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { printBound } from '../../../src/explore/bound.ts';
import { modelsWith } from '../../../src/models/index.ts';
import type { StrategyName } from '../../../src/options/search.ts';
import type { CheckCommandReport } from '../../../src/report/schema.ts';
import { check, compileC, MODELS, sourceFolder } from '../../support/c.ts';
import { compileCxx } from '../../support/cxx.ts';
import { ensureBuilt, fencepost } from '../../support/fencepost.ts';

beforeAll(ensureBuilt);

const VACUOUS = printBound({ kind: 'vacuous' });

const SOURCE = `#include <fencepost.h>
#include <pthread.h>
static int x, data, stop;
static void *add(void *p) { __atomic_fetch_add(&x, 1, __ATOMIC_SEQ_CST); return p; }
static int sum(void) {
  pthread_t t;
  pthread_create(&t, 0, add, 0);
  add(0);
  pthread_join(t, 0);
  return x;
}
int never(void) { fencepost_assume(sum() == 3); return 0; }
int sometimes(void) { fencepost_assume(sum() == 2 && fencepost_choose(2)); return 0; }
static void *daemon(void *p) { data = 1; while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) { } return p; }
int left_waiting(void) { pthread_t t; pthread_create(&t, 0, daemon, 0); return 0; }
int left_racing(void) { pthread_t t; pthread_create(&t, 0, daemon, 0); data = 2; return 0; }
int main(void) { return never(); }
`;
const entry = (name: string) => compileC({ 'vacuous.c': SOURCE }, { entry: name });

const STRATEGIES: readonly StrategyName[] = ['optimal', 'source', 'enumerate', 'exhaustive', 'bounded', 'random'];

describe('no execution runs to its end', () => {
  it.each(STRATEGIES)('is noticed by %s', async (strategy) => {
    for (const model of strategy === 'bounded' ? (['sc'] as const) : MODELS) {
      const options = { strategy, maxExecutions: strategy === 'random' ? 20 : undefined };
      const { verdict, executions, blocked, bounds } = check(await entry('never'), model, options);
      expect([verdict.kind, executions, blocked > 0], model).toEqual(['inconclusive', 0, true]);
      expect(bounds, model).toContain(VACUOUS);
      if (strategy === 'random') continue;
      expect(check(await entry('sometimes'), model, options).verdict.kind, model).toBe('verified');
    }
  });

  it('is noticed with monitors too, which prove nothing then', async () => {
    for (const model of modelsWith('monitors')) {
      const { how, verdict, bounds } = check(await entry('never'), model, { strategy: 'optimal', monitors: true });
      expect([how, verdict.kind, bounds]).toEqual(['explored', 'inconclusive', [VACUOUS]]);
    }
  });

  it('is said in every form of report, with exit code 4', async () => {
    const cwd = sourceFolder({ 'vacuous.c': SOURCE });
    const run = async (...args: string[]) =>
      await fencepost(['check', 'vacuous.c', '--model', 'sc', '--no-out', ...args], { cwd });
    const json = await run('--json');
    const report = JSON.parse(json.stdout) as CheckCommandReport;
    expect(report.results.map(({ verdict, bounds }) => [verdict, bounds])).toEqual([['inconclusive', [VACUOUS]]]);
    const text = await run();
    expect(text.stdout.replace(/\s+/g, ' ')).toContain(
      'inconclusive: no execution ran to its end (0 executions, 1 blocked: by an assumption), so any answer would be vacuous',
    );
    const forms = [
      await run('--sarif'),
      await run('--junit'),
      await run('--reporter', 'github'),
      await run('--reporter', 'tap'),
    ];
    for (const { stdout } of forms) expect(stdout).toContain(`inconclusive under sc: ${VACUOUS}`);
    for (const { exit } of [json, text, ...forms]) expect(exit).toBe(4);
    const page = join(cwd, 'vacuous.html');
    await run('--html', page);
    expect(readFileSync(page, 'utf8')).toContain(VACUOUS);
    expect((await fencepost(['robust', 'vacuous.c'], { cwd })).exit).toBe(4);
  });
});

describe('a thread that waits when main has returned', () => {
  it('ends with the process: the execution is complete', async () => {
    for (const strategy of ['optimal', 'source', 'enumerate', 'exhaustive'] as const) {
      for (const model of MODELS) {
        const { verdict, executions, blocked } = check(await entry('left_waiting'), model, { strategy });
        expect([verdict.kind, executions > 0, blocked], `${strategy} ${model}`).toEqual(['verified', true, 0]);
      }
    }
  });

  it('and its results are checked', async () => {
    for (const model of MODELS) {
      const { errors } = check(await entry('left_racing'), model, { strategy: 'optimal', races: true });
      expect(errors[0]?.error.kind, model).toBe('race');
    }
  });
});

it("a choice of our library that adds nothing is not the program's assumption", async () => {
  const source = `#include <atomic>
#include <thread>
std::atomic<int> a{0};
int main() { std::thread t([] { a.wait(0); }); a.store(1); a.notify_one(); t.join(); }
`;
  const program = await compileCxx({ 'wait.cpp': source }, { standard: 'c++20' });
  for (const model of MODELS) {
    const { verdict, blockedBy } = check(program, model, { strategy: 'optimal' });
    expect(verdict.kind, model).toBe('verified');
    expect(blockedBy, model).toMatchObject({ assume: 0, covered: expect.toSatisfy((n: number) => n > 0) });
  }
});
