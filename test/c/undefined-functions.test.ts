/** A function that nobody defines matters exactly if some execution calls it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { StrategyName } from '../../src/options/search.ts';
import type { CheckCommandReport, RobustCommandReport } from '../../src/report/schema.ts';
import { type Finished, Folder, fencepost } from '../cli/fencepost.ts';
import { check, compileC, refusal, sourceFolder, verdict } from '../support/c.ts';
import { validateReport } from '../support/schemas.ts';

const HEAD = `#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
void elsewhere(int);
static void (*pointer)(int) = elsewhere;
static int x, y;
`;

/** Two threads; \`body\` is on line 8, the end of main on line 14. */
function threads(body: string, end = ''): string {
  return `${HEAD}static void *run(void *p) {
  ${body}
  return p;
}
int main(void) {
  pthread_t t; pthread_create(&t, 0, run, 0);
  y = 1; x = 1;
  pthread_join(t, 0); ${end}
}
`;
}

const REASON =
  'function "elsewhere" is not defined, and fencepost does not model it; this call is reached: ' +
  'add the file that defines it, or a definition for the check';

/** Only in some interleavings. */
const REACHED = threads('if (x == 1 && y == 1) elsewhere(1);');
const THROUGH = threads('if (x == 1 && y == 1) pointer(1);');
/** Under no model: x is written last, and reads zero first. */
const UNREACHED = threads('if (x == 2) { elsewhere(1); pointer(2); }', 'assert(pointer == elsewhere && pointer != 0);');
/** Only with store buffers. */
const RELAXED = `${HEAD}static void *run(void *p) { x = 1; int saw = y;
  *(int *)p = saw; return 0; }
int main(void) {
  int theirs = 1, ours; pthread_t t; pthread_create(&t, 0, run, &theirs);
  y = 1; ours = x; pthread_join(t, 0);
  if (ours == 0 && theirs == 0) elsewhere(1);
}
`;

async function run(command: string, text: string, ...args: readonly string[]): Promise<Finished> {
  return await fencepost([command, 'test.c', ...args], { cwd: sourceFolder(text) });
}

const EXACT: readonly StrategyName[] = ['optimal', 'source', 'enumerate', 'exhaustive'];

describe('a call that no execution reaches', () => {
  it.each(EXACT)('leaves the verdict alone: %s', async (strategy) => {
    const program = await compileC(UNREACHED);
    for (const model of ['sc', 'tso', 'pso'] as const) {
      expect(verdict(check(program, model, { strategy }))).toBe('verified');
    }
  });

  it('is no obstacle for the other commands', async () => {
    expect((await run('robust', UNREACHED)).exit).toBe(0);
    expect((await run('fix', UNREACHED, '--model', 'tso,pso')).exit).toBe(0);
    expect((await run('hunt', UNREACHED, '--runs', '3')).exit).toBe(4);
  });

  it('may be a call of a function with too many values', async () => {
    const text =
      'int __VERIFIER_nondet_int(void);\nint main(int n) {\n  return n > 1 ? __VERIFIER_nondet_int() : 0;\n}\n';
    expect((await run('check', text)).exit).toBe(0);
  });
});

describe('a call that some execution reaches', () => {
  it.each([...EXACT, 'bounded', 'random'] as const)('is refused: %s', async (strategy) => {
    for (const [text, column] of [
      [REACHED, 25],
      [THROUGH, 25],
    ] as const) {
      const found = await run('check', text, '--strategy', strategy, '--json');
      expect(found.stderr).toBe(`fencepost: test.c:8:${column}: ${REASON}\n`);
      expect(found.exit).toBe(3);
      const { results, problems } = JSON.parse(found.stdout) as CheckCommandReport;
      expect(results).toEqual([]);
      expect(problems).toEqual([{ file: 'test.c', line: 8, column, message: REASON }]);
    }
  });

  it.each([[], ['--interpret'], ['--no-spin'], ['--unroll', '3'], ['--races']])('with %s', async (...args) => {
    expect((await run('check', THROUGH, ...args)).exit).toBe(3);
  });

  it('prints no verdict', async () => {
    expect(await run('check', REACHED)).toMatchObject({ exit: 3, stdout: '' });
  });

  it.each(EXACT)('under one model says nothing about the others: %s', async (strategy) => {
    const found = await run('check', RELAXED, '--strategy', strategy, '--json');
    const { results } = JSON.parse(found.stdout) as CheckCommandReport;
    expect(results.map(({ model, verdict }) => `${model} ${verdict}`)).toEqual(['sc verified']);
    expect([found.exit, found.stderr]).toEqual([3, `fencepost: test.c:12:33: ${REASON}\n`]);
  });

  it('before any error hides it, and after one leaves it standing', async () => {
    const text = threads('elsewhere(1);', 'assert(0);');
    expect(await run('check', text, '--no-out')).toMatchObject({ exit: 3, stdout: '' });
    const early = threads('assert(x == 0); if (y == 1) elsewhere(1);');
    const first = await run('check', early, '--model', 'sc', '--no-out', '--json');
    const all = await run('check', early, '--model', 'sc', '--no-out', '--json', '--keep-going');
    expect(validateReport(JSON.parse(all.stdout))).toEqual([]);
    expect([first.exit, all.exit]).toEqual([expect.toBeOneOf([1, 3]), 3]);
    for (const { results } of [first, all].map(({ stdout }) => JSON.parse(stdout) as CheckCommandReport)) {
      expect(results.filter(({ verdict }) => verdict !== 'violation')).toEqual([]);
    }
  });

  it.each(['robust', 'hunt', 'fix'])('is refused by %s', async (command) => {
    const found = await run(command, REACHED, '--json');
    expect([found.exit, found.stderr]).toEqual([3, `fencepost: test.c:8:25: ${REASON}\n`]);
    expect(JSON.parse(found.stdout)).toMatchObject({ results: [], problems: [{ line: 8, message: REASON }] });
  });

  it('is printed once by robust and hunt, and found where a violation leads', async () => {
    const early = await run('robust', threads('y = 2; if (x == 1) elsewhere(1);'));
    expect([early.exit, early.stderr.split(REASON).length, early.stdout.includes(REASON)]).toEqual([3, 2, false]);
    expect(early.stdout).not.toContain('inconclusive');
    const later = await run('robust', RELAXED, '--model', 'tso', '--json');
    const report = JSON.parse(later.stdout) as RobustCommandReport;
    expect(validateReport(report)).toEqual([]);
    expect([later.exit, report.results[0]!.violations[0]!.undefinedCall]).toMatchObject([1, { line: 12 }]);
    const text = (await run('robust', RELAXED, '--model', 'tso')).stdout;
    expect(text).toContain('continuing from here can call a function that is not defined, at test.c:12');
    const hunted = await run('hunt', RELAXED, '--no-out');
    expect(hunted).toMatchObject({ exit: 3, stdout: '', stderr: `fencepost: test.c:12:33: ${REASON}\n` });
  });

  it('is refused by fix if only the relaxed model reaches it', async () => {
    const found = await run('fix', RELAXED, '--model', 'tso,pso');
    expect([found.exit, found.stderr]).toEqual([3, expect.stringContaining('test.c:12:33')]);
  });

  it('in a serial execution of the operations', async () => {
    const text =
      '#include <fencepost.h>\nvoid elsewhere(int);\nint main(void) {\n  fencepost_op_begin("f", 1);\n  elsewhere(1);\n' +
      '  fencepost_op_end(0);\n}\n';
    expect((await run('check', text, '--observations')).exit).toBe(3);
    expect((await run('hunt', text)).exit).toBe(3);
  });

  it('is no violation, whatever the types of the call', async () => {
    const text = threads('int n = ((int (*)(double, char *))pointer)(1.0, 0); return (void *)(long)n;');
    expect(await run('check', text)).toMatchObject({ exit: 3, stderr: `fencepost: test.c:8:11: ${REASON}\n` });
  });

  it('as the start of a thread, or called by our library', async () => {
    const start =
      'void *elsewhere(void *);\n#include <pthread.h>\nint main(void) { pthread_t t;\n  pthread_create(&t, 0, elsewhere, 0); }\n';
    expect(await run('check', start)).toMatchObject({ exit: 3, stderr: `fencepost: test.c:4:3: ${REASON}\n` });
    const sort =
      '#include <stdlib.h>\nint elsewhere(const void *, const void *);\nint main(void) { int a[2] = {2, 1};\n' +
      '  qsort(a, 2, sizeof *a, elsewhere); }\n';
    expect(await run('check', sort)).toMatchObject({ exit: 3, stderr: `fencepost: test.c:4:3: ${REASON}\n` });
  });

  it('from generated code', async () => {
    const text = `void elsewhere(int);
static void nothing(int n) { }
static volatile int n;
int main(void) {
  void (*f[2])(int) = {nothing, elsewhere};
  for (int i = 0; i < 3000; i++) { n = i; f[i == 2999](i); }
}
`;
    for (const args of [[], ['--interpret']]) {
      expect(await run('check', text, '--model', 'sc', ...args)).toMatchObject({
        exit: 3,
        stderr: `fencepost: test.c:6:43: ${REASON}\n`,
      });
    }
  });

  it('in a replay, whose program has changed', async () => {
    const folder = new Folder();
    const failing = threads('if (x == 1 && y == 1) assert(0);');
    folder.write('test.c', failing);
    const saved = await fencepost(['check', 'test.c', '--json', '--no-out'], { cwd: folder.path });
    expect(saved.exit).toBe(1);
    writeFileSync(join(folder.path, 'report.json'), saved.stdout);
    expect(readFileSync(join(folder.path, 'test.c'), 'utf8')).toBe(failing);
    folder.write('test.c', REACHED);
    const replayed = await fencepost(['replay', 'report.json'], { cwd: folder.path });
    expect([replayed.exit, replayed.stderr]).toEqual([3, expect.stringContaining(`test.c:8:25: ${REASON}`)]);
    folder.remove();
  });

  it('is not recorded', async () => {
    const folder = new Folder();
    folder.write('test.c', threads('elsewhere(1);'));
    const found = await fencepost(['check', 'test.c', '--record', 'log.jsonl'], { cwd: folder.path });
    expect(found.exit).toBe(3);
    expect(() => readFileSync(join(folder.path, 'log.jsonl'))).toThrow('ENOENT');
    folder.remove();
  });
});

it('the address of a weak function is not known to be null or not', async () => {
  const text = 'void maybe(void) __attribute__((weak));\nint main(void) { if (maybe) maybe(); }\n';
  expect((await refusal(text)).message).toContain('test.c:2:22: weak function "maybe" is not defined');
});
