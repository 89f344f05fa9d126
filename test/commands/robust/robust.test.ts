/** `fencepost robust` and `fencepost monitor` as users run them. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MonitorCommandReport, RobustCommandReport } from '../../../src/report/schema.ts';
import { ensureBuilt, Folder, fencepost, REPOSITORY, Running } from '../../support/fencepost.ts';
import { validateReport } from '../../support/schemas.ts';

const folder = new Folder();
beforeAll(ensureBuilt);
afterAll(() => folder.remove());

/** A file in the folder, by its full path. */
const path = (name: string, contents: string): string => join(folder.path, folder.write(name, contents));

describe('--json is as published, with nothing that is not described', () => {
  it.each([
    ['robust', ['robust', 'examples/store-buffering.c']],
    ['robust', ['robust', 'examples/lock-order.c']],
    ['robust', ['robust', 'litmus/n6/n6.litmus']],
    ['monitor', ['monitor', 'docs/examples/store-buffering.jsonl', 'examples/none.log']],
    ['fix', ['fix', 'examples/store-buffering.c', '--model', 'tso']],
    ['fix', ['fix', 'examples/lock-order.c']],
    ['fix', ['fix', 'examples/store-buffering.c', '-D', 'FENCED', '--minimise', '--goal', 'robust']],
    ['hunt', ['hunt', 'examples/store-buffering.c', '--model', 'tso', '--trials', '2']],
  ])('for %s %j', async (command, words) => {
    const report = JSON.parse((await fencepost([...words, '--json'])).stdout) as { command: string };
    expect(report.command).toBe(command);
    expect(validateReport(report)).toEqual([]);
  });
});

const robust = async (...words: string[]): Promise<RobustCommandReport> =>
  JSON.parse((await fencepost(['robust', ...words, '--json'])).stdout) as RobustCommandReport;

describe('robust', () => {
  it.each([
    ['not robust', ['examples/store-buffering.c'], 1],
    ['not robust across a join', ['programs/regressions/store-across-join.c', '--monitor', 'sober-fixed'], 1],
    ['not robust, but harmless', ['examples/spsc-ring.c', '--model', 'tso'], 1],
    ['robust', ['examples/store-buffering.c', '-D', 'FENCED'], 0],
    ['wrong under SC', ['examples/lock-order.c'], 1],
    ['a bound', ['examples/store-buffering.c', '-D', 'FENCED', '-s', 'bounded', '--preemptions', '0'], 4],
    ['chance', ['examples/store-buffering.c', '-D', 'FENCED', '-s', 'random', '--max-executions', '5'], 4],
    ['sober alone', ['examples/store-buffering.c', '-D', 'FENCED', '--monitor', 'sober'], 4],
    ['no such monitor', ['examples/store-buffering.c', '--monitor', 'sobre'], 2],
    ['a monitor that misses with this strategy', ['examples/store-buffering.c', '--monitor', 'tso'], 2],
    ['no monitor for this model', ['examples/store-buffering.c', '--monitor', 'causal-tso', '--model', 'pso'], 2],
    ['an option of another strategy', ['examples/store-buffering.c', '--preemptions', '3'], 2],
    ['a log instead of the report', ['examples/store-buffering.c', '--record', '-'], 2],
    ['no such file', ['examples/none.c'], 2],
  ])('says by its exit code: %s', async (_, words, exit) => {
    expect((await fencepost(['robust', ...words])).exit).toBe(exit);
  });

  it('says which bound it stopped at', async () => {
    const { stdout } = await fencepost([
      'robust',
      'examples/store-buffering.c',
      '-D',
      'FENCED',
      '-s',
      'bounded',
      '--preemptions',
      '0',
    ]);
    expect(stdout).toContain('under tso: inconclusive: no violation');
    expect(stdout).toContain('preemptions: 0');
  });

  it('gives each violation with its cycle and its consequence', async () => {
    const { results } = await robust('examples/store-buffering.c', '--model', 'tso');
    expect(results).toHaveLength(1);
    const [{ verdict, robust: isRobust, violations, monitors } = results[0]!] = results;
    expect({ verdict, isRobust, monitors }).toEqual({
      verdict: 'violation',
      isRobust: false,
      monitors: ['causal-tso'],
    });
    expect(violations.map(({ event, write }) => [event!.line, write!.line])).toEqual([
      [36, 26],
      [28, 34],
    ]);
    for (const { harmful, error, cycle } of violations) {
      expect(harmful).toBe(true);
      expect(error!.kind).toBe('assertion');
      expect(cycle.edges).toHaveLength(4);
    }
  });

  it('counts a pair of places once, however many monitors see it, and says which do', async () => {
    const { stdout } = await fencepost([
      'robust',
      'programs/sober/n6.c',
      '--model',
      'tso',
      '--strategy',
      'exhaustive',
      '--monitor',
      'causal-tso,sober,sober-fixed,tso',
    ]);
    expect(stdout).toContain('2 distinct violations (10 sc executions)');
    const rows = stdout.replace(/\d+\.\d\d s/g, 'S').match(/^ {2}.*(sober-fixed|alarm|before n6).*$/gm)!;
    expect(rows.slice(0, 6).map((row) => row.trim().split(/ {2,}/))).toEqual([
      ['sober', 'sober-fixed', 'tso', 'causal-tso'],
      ['alarm in executions, of 10', '0', '2', '1', '1'],
      ['first alarm in execution', '–', '1', '1', '1'],
      ['first alarm after', '–', 'S', 'S', 'S'],
      ['1. n6.c:16 before n6.c:23', '–', 'yes', 'yes', 'yes'],
      ['2. n6.c:26 before n6.c:14', '–', 'yes', '–', '–'],
    ]);
  });

  it('counts executions with an alarm, up to the first', async () => {
    const words = ['examples/store-buffering.c', '--model', 'tso', '--strategy', 'exhaustive'];
    const [all, few] = [await robust(...words), await robust(...words, '--first')];
    const [{ executions, statistics, bounds } = all.results[0]!] = all.results;
    expect(bounds).toEqual([]);
    expect(statistics).toHaveLength(1);
    expect(statistics![0]).toMatchObject({ monitor: 'causal-tso', first: { execution: 1 } });
    expect(statistics![0]!.borderline).toBeGreaterThan(1);
    expect(statistics![0]!.borderline).toBeLessThan(executions);
    expect(few.results[0]).toMatchObject({
      verdict: 'violation',
      robust: false,
      executions: 1,
      bounds: ['first alarm'],
    });
    expect(few.results[0]!.violations).toHaveLength(1);
    const { stdout, exit } = await fencepost(['robust', ...words, '--first']);
    expect(stdout).toContain('there may be more violations: stopped (first alarm)');
    expect(stdout).toMatch(/^ {2}alarm in 1 of 1 execution, first in execution 1 after \d\.\d\d s$/m);
    expect(exit).toBe(1);
  });

  it('explores a model that has no alarm to the end, even with --first', async () => {
    const { results } = await robust('examples/message-passing.c', '--first');
    expect(results.map(({ model, robust: isRobust, bounds }) => [model, isRobust, bounds])).toEqual([
      ['tso', true, []],
      ['pso', false, []],
    ]);
  });

  it('takes litmus tests, each as a program', async () => {
    const { results } = await robust('litmus/SB/SB.litmus', 'litmus/MP/MP.litmus', '--model', 'tso');
    expect(results.map(({ file, robust: isRobust }) => [file, isRobust])).toEqual([
      ['litmus/SB/SB.litmus', false],
      ['litmus/MP/MP.litmus', true],
    ]);
    expect(results[0]!.violations.map(({ event, write }) => [event!.text, write!.text])).toEqual([
      ['MOV EAX,[x]', 'MOV [x],$1'],
      ['MOV EAX,[y]', 'MOV [y],$1'],
    ]);
    expect((await fencepost(['robust', 'litmus/SB/SB.litmus', 'examples/store-buffering.c'])).exit).toBe(2);
    const wrong = path('wrong.litmus', 'X86 wrong\n{ }\n P0 ;\n FOO ;\n');
    expect((await fencepost(['robust', wrong, 'litmus/MP/MP.litmus', '--model', 'tso'])).exit).toBe(3);
  });

  it('finds no failure by continuing from harmless violations', async () => {
    const { violations } = (await robust('examples/spsc-ring.c', '--model', 'tso')).results[0]!;
    expect(violations.length).toBeGreaterThan(0);
    for (const { harmful } of violations) expect(harmful).toBe(false);
  });

  it('has no answer for a program that calls an undefined function', async () => {
    const file = path('none.c', 'int main(void) { return g(); }\n');
    expect((await fencepost(['robust', file])).exit).toBe(4);
  });

  it('proves nothing about atomic sections', async () => {
    const file = path(
      'section.c',
      'void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);\n' +
        'int main(void) { __VERIFIER_atomic_begin(); __VERIFIER_atomic_end(); return 0; }\n',
    );
    const { exit, stdout } = await fencepost(['robust', file]);
    expect(stdout).toContain('atomic sections');
    expect(exit).toBe(4);
  });
});

describe('check --no-monitors', () => {
  it('gives the same verdicts', async () => {
    const verdicts = async (...words: string[]): Promise<string[]> =>
      (
        JSON.parse((await fencepost(['check', 'examples/treiber-stack.c', ...words, '--json'])).stdout) as {
          results: { model: string; verdict: string; how: string }[];
        }
      ).results.map(({ model, verdict, how }) => `${model} ${verdict} ${how}`);
    const explored = [
      'sc verified explored',
      'tso verified explored',
      'pso violation explored',
      'rc11 violation explored',
    ];
    expect(await verdicts('--no-monitors')).toEqual(explored);
    // Its loops may wait, and the monitors must see all reads.
    expect(await verdicts()).toEqual(explored);
    expect(await verdicts('--count-orders')).toEqual(explored.with(1, 'tso verified robust'));
  });

  it('a store that comes after the free of its block is found without it', async () => {
    const file = path('late.c', LATE_STORE);
    for (const words of [[], ['--no-monitors']]) {
      const { stdout, exit } = await fencepost(['check', file, ...words]);
      expect(exit).toBe(1);
      expect(stdout).toMatch(/under tso: verified/);
      expect(stdout).toMatch(/under pso: violation[^\n]*\n\s+memory: /);
    }
    const [tso, pso] = (await robust(file)).results;
    expect([tso!.robust, pso!.robust]).toEqual([true, false]);
  });
});

describe('monitor', () => {
  it('shows on Ctrl-C what it has found, which is never a proof', async () => {
    const log = readFileSync(join(REPOSITORY, 'docs/examples/store-buffering.jsonl'), 'utf8');
    const interrupted = async (input: string): Promise<[number | null, MonitorCommandReport]> => {
      const run = new Running(['monitor', '-', '--json'], { input });
      await run.says('events');
      run.child.kill('SIGINT');
      const { exit, stdout } = await run.end();
      return [exit, JSON.parse(stdout) as MonitorCommandReport];
    };
    const [bad, found] = await interrupted(log);
    expect([bad, found.results[0]!.verdict, found.results[0]!.bounds]).toEqual([
      1,
      'violation',
      ['one recorded execution', 'interrupted'],
    ]);
    const [open, nothing] = await interrupted(`${log.split('\n').slice(0, 3).join('\n')}\n`);
    expect([open, nothing.results[0]!.verdict, nothing.results[0]!.bounds[1]]).toEqual([
      4,
      'inconclusive',
      'interrupted',
    ]);
  });

  it.each(['run.log', 'run.jsonl'])('reads what robust records: %s', async (name) => {
    const log = join(folder.path, name);
    expect((await fencepost(['robust', 'examples/store-buffering.c', '--record', log])).exit).toBe(1);
    const { exit, stdout } = await fencepost(['monitor', log, '--json']);
    expect(exit).toBe(1);
    const { results } = JSON.parse(stdout) as MonitorCommandReport;
    expect(results[0]!.violations.map(({ model, event, write }) => [model, event, write])).toEqual([
      ['tso', 'examples/store-buffering.c:36:18', 'examples/store-buffering.c:26:3'],
      ['pso', 'examples/store-buffering.c:36:18', 'examples/store-buffering.c:26:3'],
    ]);
    for (const { witness } of results[0]!.violations) {
      const lines = witness!.cycle.map(({ place, effect, relation }) => [place?.split(':')[1], effect, relation]);
      expect(lines).toEqual([
        ['36', expect.stringMatching(/^load /), 'conflict'],
        ['26', expect.stringMatching(/^store /), 'program order'],
        ['28', expect.stringMatching(/^load /), 'conflict'],
        ['34', expect.stringMatching(/^store /), 'program order'],
      ]);
      expect(witness!.execution.at(-1)).toMatchObject({ number: witness!.cycle[1]!.number, step: 'reaches memory' });
    }
  });

  it('cannot show a witness of what it can read only once', () => {
    const log = join(REPOSITORY, 'docs/examples/store-buffering.jsonl');
    const main = join(REPOSITORY, 'dist/cli/main.js');
    const { stdout, status } = spawnSync(process.execPath, [main, 'monitor', '-'], {
      input: readFileSync(log),
      encoding: 'utf8',
    });
    expect(status).toBe(1);
    expect(stdout.match(/no cycle and no execution shown: standard input cannot be read again/g)).toHaveLength(1);
  });

  it('reads what check records, and proves nothing by it', async () => {
    const log = join(folder.path, 'check.log');
    expect((await fencepost(['check', 'examples/store-buffering.c', '-D', 'FENCED', '--record', log])).exit).toBe(0);
    const { exit, stdout } = await fencepost(['monitor', log]);
    expect(stdout).toContain('inconclusive: no violation');
    expect(exit).toBe(4);
  });

  it('is told which execution check records', async () => {
    const which = async (file: string, ...args: string[]): Promise<string> => {
      const log = join(folder.path, 'which.log');
      const { stderr } = await fencepost(['check', file, '--no-out', '--record', log, ...args]);
      return stderr.slice(stderr.indexOf(': ', stderr.indexOf('which.log')) + 2);
    };
    expect(await which('examples/store-buffering.c')).toBe('causal-tso raises an alarm in it\n');
    expect(await which('examples/store-buffering.c', '--model', 'sc', '--seed', '4')).toBe(
      'a random one (seed 4), since none with an alarm or an error is known\n',
    );
    expect(await which('examples/lock-order.c', '--model', 'sc')).toMatch(/^it fails: deadlock: /);
  });

  it.each([
    ['nothing there', 'none.log', 2],
    ['a folder', '.', 2],
    ['an empty file', 'empty.log', 3],
    ['a C program', join(REPOSITORY, 'examples/dekker.c'), 3],
    ['a broken log', 'broken.log', 3],
  ])('says by its exit code: %s', async (_, name, exit) => {
    folder.write('empty.log', '');
    folder.write('broken.log', 'FPLOG\0\x01\0\0\0\0\0\0\0\0\0\x63');
    const run = await fencepost(['monitor', name], { cwd: folder.path });
    expect(run.stderr).toContain(name);
    expect(run.exit).toBe(exit);
  });

  it('cannot record where nothing can be written', async () => {
    const { exit, stderr } = await fencepost([
      'robust',
      'examples/dekker.c',
      '--record',
      join(folder.path, 'no/such/x.log'),
    ]);
    expect(exit).toBe(2);
    expect(stderr).toContain('cannot be written');
  });

  const compiler = ['clang-16', 'clang', 'gcc', 'cc'].find((name) => spawnSync(name, ['--version']).status === 0);
  if (compiler === undefined && process.env['CI'] === 'true') throw new Error('under CI there must be a C compiler');
  if (compiler === undefined) console.warn('no C compiler: what a real program recorded is not read');
  it.skipIf(compiler === undefined).each([
    ['', 1],
    ['FENCE', 4],
  ])('reads what a real program recorded: -D%s', async (define, exit) => {
    const source = path('real.c', REAL);
    const program = join(folder.path, 'real');
    const flags = ['-Wall', '-Wextra', '-Werror', '-I', join(REPOSITORY, 'log'), '-pthread', '-o', program];
    execFileSync(compiler!, [...flags, ...(define === '' ? [] : [`-D${define}`]), source]);
    execFileSync(program, { cwd: folder.path });
    expect(existsSync(join(folder.path, 'real.log'))).toBe(true);
    expect(readFileSync(join(folder.path, 'real.log')).length).toBeGreaterThan(300);
    const run = await fencepost(['monitor', join(folder.path, 'real.log')]);
    expect(run.exit).toBe(exit);
    if (define === '') expect(run.stdout).toContain('real.c:10');
  });
});

/** The second thread starts its part after the first has finished its own, so the log is always the same. */
const REAL = `#define FENCEPOST_LOG_IMPLEMENTATION
#include "fencepost-log.h"
static int flag[2], done[2], *block;
static _Atomic int sum;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *run(void *argument) {
  long me = (long)argument;
  FENCEPOST_STORE(&flag[me], 1, relaxed);
#ifdef FENCE
  FENCEPOST_FENCE(seq_cst);
#endif
#line 10
  int seen = FENCEPOST_LOAD(&flag[1 - me], relaxed);
  FENCEPOST_LOCK(&mutex);
  FENCEPOST_STORE(&sum, FENCEPOST_LOAD(&sum, plain) + seen, plain);
  FENCEPOST_UNLOCK(&mutex);
  int expected = 0;
  while (!FENCEPOST_COMPARE_EXCHANGE(&done[me], &expected, 2, acq_rel)) expected = 0;
  (void)FENCEPOST_FETCH_ADD(&done[me], 1, seq_cst);
  return 0;
}
int main(void) {
  pthread_t first, second;
  if (fencepost_log_open("real.log")) return 1;
  block = malloc(sizeof *block);
  FENCEPOST_STORE(block, 7, plain);
  FENCEPOST_CREATE(&first, 0, run, (void *)0);
  /* Not a join: nothing orders the two threads. */
  while (FENCEPOST_EXCHANGE(block, 7, relaxed) && __atomic_load_n(&done[0], __ATOMIC_SEQ_CST) != 3) ;
  FENCEPOST_CREATE(&second, 0, run, (void *)1);
  FENCEPOST_JOIN(first, 0);
  FENCEPOST_JOIN(second, 0);
  FENCEPOST_FREE(block, sizeof *block);
  return fencepost_log_close() ? 1 : 0;
}
`;

const LATE_STORE = `#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static int *block;
static atomic_int ready;
static void *user(void *unused) {
  (void)unused;
  *block = 1;
  atomic_store_explicit(&ready, 1, memory_order_relaxed);
  return 0;
}
int main(void) {
  pthread_t thread;
  block = malloc(sizeof *block);
  if (!block) return 0;
  pthread_create(&thread, 0, user, 0);
  if (atomic_load_explicit(&ready, memory_order_relaxed)) free(block);
  pthread_join(thread, 0);
  return 0;
}
`;
