/** The functions that other programs import: docs/api.md. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  check,
  fix,
  format,
  hunt,
  InputError,
  litmus,
  matchers,
  type Progress,
  ReplayError,
  replay,
  robust,
  UsageError,
} from '../../src/index.ts';
import { REPORTERS } from '../../src/options/output.ts';

/** Store buffering: fails on machines with store buffers, and has no data race under RC11. */
const SB = `#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static int a, b;
static void *left(void *unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  a = atomic_load_explicit(&y, memory_order_relaxed);
  return NULL;
}
static void *right(void *unused) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  b = atomic_load_explicit(&x, memory_order_relaxed);
  return NULL;
}
int main(void) {
  pthread_t one, other;
  pthread_create(&one, NULL, left, NULL);
  pthread_create(&other, NULL, right, NULL);
  pthread_join(one, NULL);
  pthread_join(other, NULL);
  assert(a == 1 || b == 1);
}
`;
const sb = { source: SB, name: 'sb.c' };
/** More executions than a test can wait for. */
const LONG = `#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *run(void *unused) { for (int i = 0; i < 30; i++) x = x + i; return NULL; }
int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, run, NULL);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
}
`;

describe('check', () => {
  it('answers for a text, under its name alone', async () => {
    const before = readdirSync(tmpdir()).filter((name) => name.startsWith('fencepost-text-')).length;
    const report = await check(sb);
    expect(report.results.map(({ model, verdict }) => [model, verdict])).toEqual([
      ['sc', 'verified'],
      ['tso', 'violation'],
      ['pso', 'violation'],
      ['rc11', 'violation'],
    ]);
    expect(report.results[1]!.error).toMatchObject({ kind: 'assertion', file: 'sb.c', line: 22 });
    expect(JSON.stringify(report)).not.toContain(tmpdir());
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('fencepost-text-')).length).toBe(before);
  });

  it('answers for files', async () => {
    const report = await check('examples/store-buffering.c', { models: ['tso'] });
    expect(report.input.files).toEqual(['examples/store-buffering.c']);
    expect(report.results.map(({ verdict }) => verdict)).toEqual(['violation']);
  });

  it('stops when it is told to, and says so', async () => {
    const controller = new AbortController();
    const seen: Progress[] = [];
    const report = await check(
      { source: LONG },
      {
        models: ['sc'],
        signal: controller.signal,
        onProgress: (progress) => {
          seen.push(progress);
          controller.abort();
        },
      },
    );
    expect(report.results).toMatchObject([{ verdict: 'inconclusive', bounds: ['interrupted'] }]);
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({ command: 'check', model: 'sc' });
  });

  it('does nothing after an abort', async () => {
    const report = await check(sb, { models: ['tso'], signal: AbortSignal.abort() });
    expect(report.results).toMatchObject([{ verdict: 'inconclusive', executions: 0 }]);
  });

  it.each<[string, object]>([
    ['unknown option "model" (did you mean "models"?)', { model: 'tso' }],
    ['models: Unknown memory model "vax"', { models: ['vax'] }],
    ['timeout: ', { timeout: 'soon' }],
    ['races: expected true or false', { races: 'yes' }],
    ['defines: expected a list of texts', { defines: 'X' }],
    ['signal: expected an AbortSignal', { signal: {} }],
    ['onProgress: expected a function', { onProgress: 1 }],
    ['expected an object of options', null as unknown as object],
  ])('refuses %s', async (message, options) => {
    const error = await check(sb, options).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UsageError);
    expect((error as Error).message).toContain(message);
  });

  it.each([undefined, null, 7, {}, [1], []])('refuses %j as a program', async (program) => {
    await expect(check(program as unknown as string)).rejects.toBeInstanceOf(UsageError);
  });

  it.each<[string, { line: number; column: number; message: RegExp }]>([
    [
      'int main(void) {\n  return undeclared;\n}',
      { line: 2, column: 10, message: /^program\.c:2:10: clang rejects program\.c: use of undeclared identifier/ },
    ],
    [
      '#include <nothing.h>',
      { line: 1, column: 10, message: /^program\.c:1:10: clang rejects .*: no nothing\.h; the/ },
    ],
    [
      'int main(void) {\n  int x;\n  __asm__("cpuid" : "=a"(x));\n  return x;\n}',
      { line: 3, column: 3, message: /^program\.c:3:3: .*cpuid/ },
    ],
  ])('says what is wrong with %s, and where', async (source, { message, ...place }) => {
    const error = await check({ source }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(InputError);
    const input = error as InputError;
    expect(input).toMatchObject({ file: 'program.c', ...place });
    expect(input.message).toMatch(message);
    expect(`${input.diagnostics}${input.message}`).not.toContain(tmpdir());
  });
});

describe('replay', () => {
  it('fails again as the report says', async () => {
    const report = await check(sb, { models: ['tso'] });
    const [again] = await replay(report, { source: SB });
    expect(again!.error).toMatchObject({ message: report.results[0]!.error!.message, line: 22 });
  });

  it('says that the program has changed', async () => {
    const report = await check(sb, { models: ['tso'] });
    const changed = replay(report, { source: SB.replace('a == 1', 'a >= 0') });
    await expect(changed).rejects.toBeInstanceOf(ReplayError);
  });
});

it('robust shows the two reordered pairs of store buffering', async () => {
  const report = await robust(sb, { models: ['tso'] });
  expect(report.results.map(({ robust, violations }) => [robust, violations.length])).toEqual([[false, 2]]);
});

it('fix proves a patch, and changes no file', async () => {
  const report = await fix(sb, { models: ['tso'] });
  expect(report.results[0]).toMatchObject({ outcome: 'fixed', verdict: 'verified' });
  expect(format(report)).toMatch(/^--- a\/sb\.c\n\+\+\+ b\/sb\.c\n[\s\S]*^\+.*seq_cst/m);
});

it('a patch for a text names it without its temporary folder, wherever the caller is', async () => {
  const cwd = process.cwd();
  // Here the temporary folder would be `../fencepost-text-…`.
  const beside = mkdtempSync(join(tmpdir(), 'fencepost-beside-'));
  process.chdir(beside);
  try {
    const report = await fix(sb, { models: ['tso'] });
    expect(report.results[0]).toMatchObject({ patchFolder: '.' });
    expect(format(report)).toMatch(/^--- a\/sb\.c\n\+\+\+ b\/sb\.c\n/m);
    expect(format(report)).not.toContain('patch -p1');
  } finally {
    process.chdir(cwd);
    rmSync(beside, { recursive: true });
  }
});

it('hunt finds the cycle', async () => {
  const report = await hunt(sb, { models: ['tso'] });
  expect(report.results.map(({ verdict }) => verdict)).toEqual(['violation']);
});

describe('litmus', () => {
  const source =
    'X86 SB\n{ x=0; y=0; }\nP0 | P1 ;\nMOV [x],$1 | MOV [y],$1 ;\nMOV EAX,[y] | MOV EAX,[x] ;\nexists (0:EAX=0 /\\ 1:EAX=0)\n';

  it('has the states of a text', async () => {
    const report = await litmus({ source, name: 'SB.litmus' });
    expect(report.results.map(({ model, states }) => [model, states.length])).toEqual([
      ['sc', 3],
      ['tso', 4],
      ['pso', 4],
    ]);
    expect(format(report)).toContain('SB  (SB.litmus)');
  });

  it('says where a text is no test', async () => {
    const error = await litmus({ source: 'X86 SB\n{ x=0 }\nP0 ;\nNONSENSE ;\n' }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(InputError);
  });

  it('goes on where a file is no test', async () => {
    const report = await litmus(['examples/store-buffering.c', 'litmus/SB/SB.litmus'], { models: ['sc'] });
    expect(report.problems).toMatchObject([{ file: 'examples/store-buffering.c', line: 1 }]);
    expect(report.results).toHaveLength(1);
  });
});

it.each<[string, (file: string) => Promise<unknown>]>([
  ['check', check],
  ['robust', robust],
  ['fix', fix],
  ['hunt', hunt],
  ['litmus', litmus],
])('%s throws an InputError for a file that is not there', async (_, ask) => {
  const error = await ask('nope.c').catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(InputError);
  expect(error).toMatchObject({ file: 'nope.c', message: expect.stringMatching(/^nope\.c: no such file/) });
});

describe('what is no report is refused', () => {
  it.each([{}, undefined, { input: {} }])('%j', async (report) => {
    const given = report as unknown as Awaited<ReturnType<typeof check>>;
    await expect(replay(given)).rejects.toBeInstanceOf(UsageError);
    expect(() => format(given)).toThrow(UsageError);
  });
});

describe('format', () => {
  it.each(REPORTERS)('writes %s', async (as) => {
    const report = await check(sb, { models: ['tso'] });
    expect(format(report, as)).toContain('sb.c');
  });
});

describe('matchers', () => {
  it('pass and fail as the program does', async () => {
    expect((await matchers.toBeVerified(sb, { models: ['sc'] })).pass).toBe(true);
    const failed = await matchers.toBeVerified(sb, { models: ['tso'] });
    expect(failed.pass).toBe(false);
    expect(failed.message()).toMatch(/expected the program to be verified[\s\S]*under tso: violation/);
    expect((await matchers.toFail(sb, { models: ['tso'], message: 'a == 1' })).pass).toBe(true);
    expect((await matchers.toFail(sb, { models: ['tso'], message: /deadlock/ })).pass).toBe(false);
  });

  it('take a bound for a failure', async () => {
    expect((await matchers.toBeVerified({ source: LONG }, { models: ['sc'], maxExecutions: 5 })).pass).toBe(false);
  });
});
