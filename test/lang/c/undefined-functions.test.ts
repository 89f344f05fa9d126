/** An undefined function matters only if some execution calls it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { StrategyName } from '../../../src/options/search.ts';
import type { CheckCommandReport, RobustCommandReport } from '../../../src/report/schema.ts';
import { check, compileC, MODELS, sourceFolder, verdict } from '../../support/c.ts';
import { type Finished, Folder, fencepost } from '../../support/fencepost.ts';
import { validateReport } from '../../support/schemas.ts';

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

const REASON = 'function "elsewhere" is not defined, and fencepost does not model it';
const NOTE = 'fencepost: note: the program may call functions that are not defined: elsewhere (test.c:';
const HELP = '); add the files that define them, or --stub NAME[=VALUE] for each\n';

/** Called only in some interleavings. */
const REACHED = threads('if (x == 1 && y == 1) elsewhere(1);');
const THROUGH = threads('if (x == 1 && y == 1) pointer(1);');
/** Called under no model: x is written last, and reads zero first. */
const UNREACHED = threads('if (x == 2) { elsewhere(1); pointer(2); }', 'assert(pointer == elsewhere && pointer != 0);');
/** Called only with store buffers. */
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
    for (const model of MODELS) {
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
  it.each([...EXACT, 'graph', 'bounded', 'random'] as const)('makes the verdict inconclusive: %s', async (strategy) => {
    for (const [text, column] of [
      [REACHED, 25],
      [THROUGH, 25],
    ] as const) {
      const model = strategy === 'bounded' ? ['--model', 'sc'] : ['--model', 'sc,tso'];
      const found = await run('check', text, '--strategy', strategy, ...model, '--json');
      expect(found.exit).toBe(4);
      const report = JSON.parse(found.stdout) as CheckCommandReport;
      expect(validateReport(report)).toEqual([]);
      for (const { verdict, bounds } of report.results) {
        expect([verdict, bounds]).toEqual(['inconclusive', expect.arrayContaining([`test.c:8:${column}: ${REASON}`])]);
      }
    }
  });

  it.each([[], ['--interpret'], ['--no-spin'], ['--unroll', '3'], ['--races']])(
    'has the same exit code, but for a race, with %s',
    async (...args) => {
      const found = await run('check', THROUGH, '--model', 'sc', '--no-out', ...args);
      expect(found.exit).toBe(args[0] === '--races' ? 1 : 4);
    },
  );

  // x is 1 only after main's store. The first execution calls the function before that; the error is in another one.
  it.each([...EXACT, 'graph'] as const)('ends its own execution only: %s', async (strategy) => {
    const text = threads('if (x == 0) elsewhere(1); else assert(0);');
    const found = check(await compileC(text), 'sc', { strategy });
    expect(verdict(found)).toBe('assertion: 0');
    const other = threads('if (x == 1) elsewhere(1); else assert(0);');
    expect(verdict(check(await compileC(other), 'sc', { strategy }))).toBe('assertion: 0');
  });

  it('stops one thread; what the others do is seen', async () => {
    const text = threads('elsewhere(1);', '').replace('pthread_join(t, 0);', 'assert(x == 0);');
    expect(verdict(check(await compileC(text), 'sc', {}))).toBe('assertion: x == 0');
    const harmless = threads('elsewhere(1);', '').replace('pthread_join(t, 0);', 'exit(0);');
    expect(check(await compileC(harmless), 'sc', {}).verdict.kind).toBe('inconclusive');
  });

  it.each([
    ['a join', threads('elsewhere(1);')],
    ['a lock', threads('pthread_mutex_lock(&m); elsewhere(1);', 'pthread_mutex_lock(&m);')],
    ['a loop', threads('elsewhere(1); x = 2;', '').replace('pthread_join(t, 0);', 'while (*(volatile int *)&x != 2);')],
    ['an atomic section', threads('__VERIFIER_atomic_begin(); elsewhere(1);')],
  ])('is no deadlock: %s', async (_, text) => {
    const program = await compileC(
      `extern void __VERIFIER_atomic_begin(void);\n${text}`.replace('static int x', 'pthread_mutex_t m; static int x'),
    );
    for (const model of MODELS) {
      for (const strategy of ['optimal', 'source', 'enumerate'] as const) {
        expect(check(program, model, { strategy }).verdict.kind).toBe('inconclusive');
      }
    }
    expect(check(program, 'sc', { strategy: 'exhaustive' }).verdict.kind).toBe('inconclusive');
  });

  it('lists all functions that could be called, once', async () => {
    const text = threads('if (x == 1) elsewhere(1); if (x == 2) another();').replace(
      'static int x',
      'int another(void); static int x',
    );
    const found = await run('check', text, '--model', 'sc,tso');
    expect(found.exit).toBe(4);
    expect(found.stderr).toMatch(
      /^fencepost: note: the program may call functions that are not defined: elsewhere \(test\.c:8:15\), another \(test\.c:8:41\); add .*\n$/,
    );
    expect(found.stdout).toContain(`test.c under sc: inconclusive: no error in 2 executions, but stopped`);
  });

  it.each(EXACT)('under one model says nothing about the others: %s', async (strategy) => {
    const found = await run('check', RELAXED, '--strategy', strategy, '--model', 'sc,tso,pso', '--json');
    const { results } = JSON.parse(found.stdout) as CheckCommandReport;
    expect(results.map(({ model, verdict }) => `${model} ${verdict}`)).toEqual([
      'sc verified',
      'tso inconclusive',
      'pso inconclusive',
    ]);
    expect([found.exit, found.stderr]).toEqual([4, `${NOTE}12:33${HELP}`]);
  });

  it.each(['robust', 'hunt'])('makes the answer of %s inconclusive', async (command) => {
    const found = await run(command, threads('if (x == 1) elsewhere(1);'), '--json');
    const { results } = JSON.parse(found.stdout) as RobustCommandReport;
    expect([found.exit, new Set(results.map(({ verdict }) => verdict))]).toEqual([4, new Set(['inconclusive'])]);
    expect(found.stderr).toContain(NOTE);
  });

  it('is found where a violation leads', async () => {
    const later = await run('robust', RELAXED, '--model', 'tso', '--json');
    const report = JSON.parse(later.stdout) as RobustCommandReport;
    expect(validateReport(report)).toEqual([]);
    expect([later.exit, report.results[0]!.violations[0]!.undefinedCall]).toMatchObject([1, { line: 12 }]);
    const text = (await run('robust', RELAXED, '--model', 'tso')).stdout;
    expect(text).toContain('continuing from here can call a function that is not defined, at test.c:12');
  });

  it('bounds a fix, if only the relaxed model reaches it', async () => {
    const found = await run('fix', RELAXED, '--model', 'tso,pso');
    expect([found.exit, found.stdout]).toEqual([4, expect.stringContaining('test.c:12:33')]);
  });

  it('makes a serial execution of the operations inconclusive', async () => {
    const text =
      '#include <fencepost.h>\nvoid elsewhere(int);\nint main(void) {\n  fencepost_op_begin("f", 1);\n  elsewhere(1);\n' +
      '  fencepost_op_end(0);\n}\n';
    expect((await run('check', text, '--observations')).exit).toBe(4);
    expect((await run('hunt', text)).exit).toBe(4);
  });

  it('is no violation, whatever the types of the call', async () => {
    const text = threads('int n = ((int (*)(double, char *))pointer)(1.0, 0); return (void *)(long)n;');
    expect(await run('check', text, '--model', 'sc')).toMatchObject({
      exit: 4,
      stdout: expect.stringContaining(`test.c:8:11: function`),
    });
  });

  it('may be the start of a thread, or come from our library', async () => {
    const start =
      'void *elsewhere(void *);\n#include <pthread.h>\nint main(void) { pthread_t t;\n  pthread_create(&t, 0, elsewhere, 0); }\n';
    expect(await run('check', start)).toMatchObject({
      exit: 4,
      stdout: expect.stringContaining('test.c:4:3: function'),
    });
    const sort =
      '#include <stdlib.h>\nint elsewhere(const void *, const void *);\nint main(void) { int a[2] = {2, 1};\n' +
      '  qsort(a, 2, sizeof *a, elsewhere); }\n';
    expect(await run('check', sort)).toMatchObject({
      exit: 4,
      stdout: expect.stringContaining('test.c:4:3: function'),
    });
  });

  it('may come from generated code', async () => {
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
        exit: 4,
        stdout: expect.stringContaining('test.c:6:43: function'),
      });
    }
  });

  it('is not recorded', async () => {
    const folder = new Folder();
    folder.write('test.c', threads('elsewhere(1);'));
    const found = await fencepost(['check', 'test.c', '--record', 'log.jsonl'], { cwd: folder.path });
    expect(found.exit).toBe(4);
    expect(() => readFileSync(join(folder.path, 'log.jsonl'))).toThrow('ENOENT');
    folder.remove();
  });
});

describe('stubs', () => {
  const text = `#include <assert.h>
int number(void); double real(int); char *text(void); void nothing(int, ...); unsigned char byte(void);
int (*pointer)(void) = number;
int main(void) {
  nothing(1, 2);
  assert(number() == -3 && pointer() == -3 && real(1) == 1.5 && text() == 0 && byte() == 255);
}
`;

  it('return their values, and are named in the verdict', async () => {
    const stubs = ['number=-3', 'real=1.5', 'text', 'nothing', 'byte=0xff'];
    const found = await run('check', text, '--model', 'sc', ...stubs.flatMap((stub) => ['--stub', stub]));
    expect(found).toMatchObject({ exit: 0, stderr: '' });
    expect(found.stdout).toContain('with stubs: number=-3, real=1.5, text=0, nothing=0, byte=0xff: verified');
    const folder = sourceFolder(text);
    writeFileSync(join(folder, 'stubs'), `${stubs.join('\n# none\n')}\n`);
    const same = await fencepost(['check', 'test.c', '--model', 'sc', '--stubs', 'stubs'], { cwd: folder });
    expect(same.stdout).toBe(found.stdout);
  });

  it.each([
    ['main', 'it is defined, or modelled by fencepost'],
    ['none', 'the program uses no such function'],
    ['number=x', 'expected NAME or NAME=NUMBER'],
  ])('%s is refused', async (stub, why) => {
    const found = await run('check', text, '--stub', stub);
    expect(found).toMatchObject({ exit: 2, stderr: expect.stringContaining(why) });
  });

  it.each(['byte=256', 'byte=-129', 'number=4294967296', 'number=1.5'])(
    '%s would be cut, and is refused',
    async (stub) => {
      const found = await run('check', text, '--stub', stub);
      expect(found).toMatchObject({ exit: 3, stderr: expect.stringContaining('it does not return such a number') });
    },
  );
});

it('may have the name of a property that every object of JavaScript has', async () => {
  const program = await compileC(`
extern int constructor(int *), valueOf(int *), hasOwnProperty(int *);
static int toString(int *to) { return *to = 0; }
int main(void) { int x = 0; if (toString(&x)) return constructor(&x) + valueOf(&x) + hasOwnProperty(&x); return x; }
`);
  expect(verdict(check(program, 'sc', { strategy: 'optimal' }))).toBe('verified');
});
