/** Everything that can be wrong with an input or a program: a clear message for each, and the right exit code. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CheckCommandReport } from '../../../src/report/schema.ts';
import { check, compileC, failureTrace, MODELS, refusal, sourceFolder, verdict } from '../../support/c.ts';
import { WRONG, WRONG_SOURCE } from '../../support/c-wrong.ts';
import { BINARY, ensureBuilt, type Finished, fencepost } from '../../support/fencepost.ts';

beforeAll(ensureBuilt);

/** Runs `fencepost check` in a folder with these files. */
async function checkFiles(files: Record<string, string | Uint8Array>, args: readonly string[]): Promise<Finished> {
  return await fencepost(['check', ...args], { cwd: sourceFolder(files) });
}

describe('check', () => {
  const cases: readonly {
    readonly what: string;
    readonly files: Record<string, string | Uint8Array>;
    readonly args: readonly string[];
    readonly exit: number;
    /** All of standard error. */
    readonly says: string;
  }[] = [
    {
      what: 'a file that does not exist',
      files: { 'a.c': '' },
      args: ['nowhere.c'],
      exit: 2,
      says: 'fencepost: nowhere.c: no such file\n',
    },
    {
      what: 'a folder',
      files: { 'folder.c/a.c': '' },
      args: ['folder.c'],
      exit: 2,
      says: 'fencepost: folder.c: is a folder, not a file\n',
    },
    {
      what: 'a folder whose name has no ending',
      files: { 'src/a.c': '' },
      args: ['src'],
      exit: 2,
      says: 'fencepost: src: is a folder, not a file\n',
    },
    {
      what: 'a binary file',
      files: { 'a.c': new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 3]) },
      args: ['a.c'],
      exit: 2,
      says: 'fencepost: a.c: not a text file: byte 4 is zero\n',
    },
    {
      what: 'bitcode that is none',
      files: { 'a.bc': 'int main(void) { return 0; }' },
      args: ['a.bc'],
      exit: 2,
      says: 'fencepost: a.bc: not LLVM bitcode\n',
    },
    {
      what: 'a file of another kind',
      files: { 'a.py': 'print(1)' },
      args: ['a.py'],
      exit: 2,
      says: 'fencepost: a.py: unknown kind of file; programs are .c, .cpp (also .cc, .cxx, .C), .i (preprocessed C), .ll or .bc (LLVM IR) files\n',
    },
    {
      what: 'preprocessed C++',
      files: { 'a.ii': 'int main() {}' },
      args: ['a.ii'],
      exit: 2,
      says: 'fencepost: a.ii: preprocessed C++ is not supported; programs are .c, .cpp (also .cc, .cxx, .C), .i (preprocessed C), .ll or .bc (LLVM IR) files\n',
    },
    {
      what: 'IR for another machine',
      files: { 'a.ll': 'target triple = "sparcv9-sun-solaris"\ndefine i32 @main() {\n  ret i32 0\n}\n' },
      args: ['a.ll'],
      exit: 2,
      says:
        'fencepost: a.ll: made for sparcv9-sun-solaris; supported are x86_64, i686, aarch64 and riscv64: ' +
        'make it with clang --target=x86_64-linux-gnu -mlong-double-64\n',
    },
    {
      what: 'an empty file',
      files: { 'a.c': '' },
      args: ['a.c'],
      exit: 3,
      says: 'fencepost: a.c:1:1: there is no main: write a driver, a main that starts threads which use this code (`fencepost init` writes one to begin with), or name another function with --entry\n',
    },
    {
      what: 'a file without main',
      files: { 'a.c': 'int foo(void) { return 0; }\n' },
      args: ['a.c'],
      exit: 3,
      says: 'fencepost: a.c:1:1: there is no main: write a driver, a main that starts threads which use this code (`fencepost init` writes one to begin with), or name another function with --entry\n',
    },
    {
      what: 'an entry that does not exist',
      files: { 'a.c': 'int main(void) { return 0; }\n' },
      args: ['a.c', '--entry', 'start'],
      exit: 3,
      says: 'fencepost: a.c:1:1: there is no function start (--entry) to start with\n',
    },
    {
      what: 'an undefined variable',
      files: { 'a.c': 'extern int elsewhere;\nint main(void) {\n  return elsewhere;\n}\n' },
      args: ['a.c'],
      exit: 3,
      says: 'fencepost: a.c:3:10: variable "elsewhere" is not defined, ' + 'and fencepost does not model it\n',
    },
    {
      what: 'inline assembly',
      files: {
        'a.c':
          'int main(void) {\n  int x = 0;\n  __asm__ volatile("cpuid" : "+a"(x) : : "ebx", "ecx", "edx");\n  return x;\n}\n',
      },
      args: ['a.c'],
      exit: 3,
      says: 'fencepost: a.c:3:3: unsupported inline assembly: "cpuid"; the instruction is not modelled\n',
    },
    {
      what: 'a vector',
      files: {
        'a.c':
          'typedef int v4 __attribute__((vector_size(16))); typedef float f4 __attribute__((vector_size(16)));\nv4 g; f4 h;\nint main(void) {\n  h = __builtin_convertvector(g, f4);\n  return 0;\n}\n',
      },
      args: ['a.c'],
      exit: 3,
      says: 'fencepost: a.c:4:7: converting vectors is unsupported\n',
    },
    {
      what: 'a choice among nothing',
      files: { 'a.c': '#include <fencepost.h>\nint main(void) { return fencepost_choose(0); }\n' },
      args: ['a.c'],
      exit: 3,
      says: 'fencepost: a.c:2:25: the number of choices must be from 1 to 2048, and is 0\n',
    },
    {
      what: 'a wide float',
      files: { 'a.c': '__float128 d;\nint main(void) {\n  d = d * 2;\n  return 0;\n}\n' },
      args: ['a.c'],
      exit: 3,
      says: 'fencepost: a.c:3:7: a value of type fp128 is unsupported here\n',
    },
    {
      what: 'a flag that changes the program and that we cannot take',
      files: { 'a.c': 'int main(void) { return 0; }\n' },
      args: ['a.c', '-fopenmp'],
      exit: 2,
      says: 'fencepost: -fopenmp: parallel loops are not supported\n',
    },
    {
      what: 'a strategy for SC under another model',
      files: { 'a.c': 'int main(void) { return 0; }\n' },
      args: ['a.c', '--strategy', 'bounded', '--model', 'tso'],
      exit: 2,
      says: 'fencepost: strategy bounded supports sc, not tso; ' + 'use delays, pct or exhaustive\n',
    },
    {
      what: 'a strategy for SC under PSLO',
      files: { 'a.c': 'int main(void) { return 0; }\n' },
      args: ['a.c', '--strategy', 'bounded', '--model', 'pslo'],
      exit: 2,
      says: 'fencepost: strategy bounded supports sc, not pslo; use delays, pct or exhaustive\n',
    },
    {
      what: 'a clang that is not there',
      files: { 'a.c': 'int main(void) { return 0; }\n' },
      args: ['a.c', '--clang', '/nowhere/clang'],
      exit: 2,
      says: 'fencepost: cannot run /nowhere/clang: no such program\n',
    },
  ];

  it.each(cases)('refuses $what', async ({ files, args, exit, says }) => {
    const run = await checkFiles(files, args);
    expect({ exit: run.exit, stderr: run.stderr, stdout: run.stdout }).toEqual({ exit, stderr: says, stdout: '' });
  });

  it.each([
    [
      'a variable',
      'int x = 1;\nint main(void) { return x; }\n',
      '\nint x = 2;\n',
      /^fencepost: b\.c:2(:[1-9]\d*)?: "x" /,
    ],
    [
      'a function',
      'int f(void) { return 1; }\nint main(void) { return f(); }\n',
      '\nint f(void) { return 2; }\n',
      /^fencepost: b\.c:2(:[1-9]\d*)?: "f" /,
    ],
  ])('refuses %s that two files define', async (_, a, b, says) => {
    const run = await checkFiles({ 'a.c': a, 'b.c': b }, ['a.c', 'b.c']);
    expect(run.stderr).toMatch(says);
    expect(run.stderr).toMatch(/ is defined twice; the other definition is in a\.c(:\d+)*\n$/);
    expect([run.exit, run.stdout]).toEqual([3, '']);
  });

  it('refuses a syntax error, in clang’s own words', async () => {
    const run = await checkFiles({ 'a.c': 'int main(void) {\n  int x = ;\n  return 0;\n}\n' }, ['a.c']);
    expect(run.stderr).toMatch(/^a\.c:2:11: error: expected expression\n/);
    expect(run.stderr).toMatch(/\nfencepost: clang rejects a\.c\n$/);
    expect([run.exit, run.stdout]).toEqual([3, '']);
  });

  it('refuses a missing header, with its place', async () => {
    const run = await checkFiles(
      { 'a.c': '#include <stdio.h>\n#include <windows.h>\nint main(void) { return 0; }\n' },
      ['a.c'],
    );
    expect(run.stderr).toMatch(/^a\.c:2:10: fatal error: 'windows\.h' file not found\n/);
    expect(run.stderr.replace(/\n {2}/g, ' ')).toContain('fencepost: clang rejects a.c: no windows.h; the only system');
    expect(run.exit).toBe(3);
  });

  it('shows warnings, which do not matter', async () => {
    const run = await checkFiles({ 'a.c': 'int main(void) {\n  int x = "text";\n  return 0;\n}\n' }, [
      'a.c',
      '--model',
      'sc',
    ]);
    expect(run.stderr).toMatch(/^a\.c:2:7: warning: /);
    expect([run.exit, run.stdout]).toEqual([
      0,
      expect.stringMatching(/^a\.c under sc: verified \(1 execution\)\n(?:Not checked: .*\n)+Rests on: .*\n .*\n$/),
    ]);
  });

  it('refuses with --json by a problem, in a report that is still JSON', async () => {
    const run = await checkFiles({ 'a.c': 'extern double erf;\nint main(void) {\n  return erf > 0;\n}\n' }, [
      'a.c',
      '--json',
    ]);
    const report = JSON.parse(run.stdout) as CheckCommandReport;
    expect(run.exit).toBe(3);
    expect(report.results).toEqual([]);
    expect(report.problems).toEqual([
      {
        file: 'a.c',
        line: 3,
        column: 10,
        message: 'variable "erf" is not defined, and fencepost does not model it',
      },
    ]);
  });

  it('is not harmed by unreachable code', async () => {
    const source = `double erf(double);
      typedef int v4 __attribute__((vector_size(16)));
      typedef float f4 __attribute__((vector_size(16)));
      f4 unused(v4 a) { return __builtin_convertvector(a, f4); }
      double also_unused(void) { return erf(1.0); }
      int main(void) { return 0; }`;
    expect(verdict(check(await compileC(source), 'sc'))).toBe('verified');
  });

  it.each([
    [
      'setjmp',
      'int setjmp(int *);\nint main(void) { int b[10]; return setjmp(b); }',
      'function "setjmp" is not defined',
    ],
    [
      'a large atomic',
      'struct s { int a[5]; };\n_Atomic struct s g;\nint main(void) { struct s l = g; return l.a[0]; }',
      'function "__atomic_load" is not defined',
    ],
  ])('refuses %s where it is reached', async (_, source, words) => {
    const { bounds } = check(await compileC(source), 'sc');
    expect(bounds).toEqual([expect.stringMatching(/^.*test\.c:[23]:\d+: /)]);
    expect(bounds[0]).toContain(words);
  });

  it.each([
    ['_BitInt', '_BitInt(100) g;\nint main(void) { g = g + 1; return 0; }', '-bit integer'],
    [
      'a 64-bit number of choices',
      '#include <fencepost.h>\nint main(int n, char **v) { return fencepost_choose(n); }',
      '',
    ],
  ])('refuses %s with its place', async (_, source, words) => {
    const error = await refusal(source);
    expect(error.name).toBe('FrontendError');
    expect(error.message).toMatch(/test\.c:[23]:\d+: /);
    expect(error.message).toContain(words);
  });
});

describe('bounds of the machine', () => {
  const bounded: readonly (readonly [string, string, readonly string[], RegExp])[] = [
    [
      'a gigabyte from malloc',
      '#include <stdlib.h>\nint main(void) { char *p = malloc(1 << 30); if (p) p[0] = 1; return 0; }\n',
      [],
      /^a\.c under sc: inconclusive: no error in 0 executions, but stopped .*machine: heap bytes/m,
    ],
    [
      'an infinite loop without any access',
      'int main(void) { for (;;) { } }\n',
      [],
      /^a\.c under sc: inconclusive: no error in 0 executions, but stopped .*machine: local steps[\s\S]*^Next: look at a\.c:1:\d+: there a thread loops without/m,
    ],
    [
      'an infinite loop that counts, with --max-steps',
      'volatile int x;\nint main(void) { for (;;) x = !x; }\n',
      ['--max-steps', '100'],
      /^a\.c under sc: inconclusive: no error in 0 executions, but stopped .*steps per execution: 100/m,
    ],
    [
      'an infinite loop that waits for another thread, with --timeout',
      'int x;\nint main(void) { while (!x) { } return 0; }\n',
      ['--no-spin', '--timeout', '0.5', '--max-steps', '1000000000', '--strategy', 'exhaustive'],
      /^a\.c under sc: inconclusive: no error in 0 executions, but stopped .*time: 0\.5 s/m,
    ],
    [
      'threads without end',
      '#include <pthread.h>\nvoid *f(void *p) { return 0; }\nint main(void) { pthread_t t; for (;;) pthread_create(&t, 0, f, 0); }\n',
      ['--strategy', 'random', '--max-executions', '3'],
      /^a\.c under sc: inconclusive: no error in 0 executions, but stopped .*machine: threads/m,
    ],
  ];
  it.each(bounded)('are named: %s', async (_, source, args, says) => {
    const run = await checkFiles({ 'a.c': source }, ['a.c', '--model', 'sc', ...args]);
    expect(run.stdout).toMatch(says);
    expect([run.exit, run.stderr]).toEqual([4, '']);
  });

  it('an endless loop is cut with the default options too', async () => {
    const run = await checkFiles({ 'a.c': 'volatile int x;\nint main(void) { for (;;) x = !x; }\n' }, [
      'a.c',
      '--model',
      'sc',
    ]);
    expect(run.stdout).toMatch(/^a\.c under sc: inconclusive: no error in 0 executions, but stopped .*: 20000/);
    expect(run.exit).toBe(4);
  });

  it('a loop that waits forever is an error', async () => {
    const run = await checkFiles({ 'a.c': 'volatile int x;\nint main(void) { while (!x) { } return 0; }\n' }, [
      'a.c',
      '--model',
      'sc',
    ]);
    expect(run.stdout).toMatch(
      /^ {2}liveness: thread 0 waits in a loop that never ends\n {4}thread 0 waits at a\.c:2/m,
    );
    expect(run.exit).toBe(1);
  });

  it.each([
    ['in registers', 'int f(int n) { return f(n + 1) + 1; }\nint main(void) { return f(0); }\n'],
    [
      'with arrays',
      'int f(int n) { int a[64]; a[n & 63] = n; return f(n + 1) + a[n & 63]; }\nint main(void) { return f(0); }\n',
    ],
    [
      'with shared variables (with enumerate the states would fill memory first)',
      'int *g;\nint f(int n) { int x = n; g = &x; return f(n + 1) + x; }\nint main(void) { return f(0); }\n',
    ],
    [
      'with a step per call',
      'volatile int v;\nint f(int n) { v = n; return n < 0 ? 0 : f(n + 1) + 1; }\nint main(void) { return f(1); }\n',
    ],
  ])('infinite recursion is a stack overflow: %s', async (_, source) => {
    const run = await checkFiles({ 'a.c': source }, ['a.c', '--model', 'sc', '--strategy', 'exhaustive']);
    expect(run.stdout).toMatch(
      /^a\.c under sc: violation \(1 execution explored\)\n {2}memory: stack overflow in thread 0 at a\.c:\d/,
    );
    expect(run.exit).toBe(1);
  });

  it('deep recursion that ends is not one', async () => {
    const program = await compileC(`#include <assert.h>
      static unsigned sum(unsigned n) { return n == 0 ? 0 : n + sum(n - 1); }
      int main(void) { assert(sum(1000) == 500500); return 0; }`);
    expect(verdict(check(program, 'sc'))).toBe('verified');
  });
});

describe('errors of programs', () => {
  const lines = WRONG_SOURCE.split('\n');
  const lineOf = (entry: string): number => lines.findIndex((line) => line.endsWith(`// here: ${entry}`)) + 1;
  const source = { 'wrong.c': WRONG_SOURCE };
  it.each(Object.keys(WRONG))('are found under each model, with the place: %s', async (entry) => {
    const program = await compileC(source, { entry });
    for (const model of MODELS) {
      const result = check(program, model, { strategy: 'random', maxExecutions: 300 });
      expect(verdict(result), model).toBe(WRONG[entry]);
      const { error } = result.errors[0]!;
      expect([error.file?.split('/').at(-1), error.line], model).toEqual(['wrong.c', lineOf(entry)]);
      expect(error.column).toBeGreaterThan(0);
    }
  });

  it.each([
    ['late_store', { sc: 'verified', tso: 'verified', pso: 'memory: use after free' }],
    ['hazard', { sc: 'verified', tso: 'memory: use after free', pso: 'memory: use after free' }],
  ] as const)('include a free before a store of another thread has reached memory: %s', async (entry, expected) => {
    const program = await compileC({ 'frees.c': FREES }, { entry });
    for (const model of MODELS)
      expect(verdict(check(program, model, { strategy: 'enumerate' })), model).toBe(expected[model]);
  });

  it('include a local variable that ends while another thread uses it', async () => {
    const program = await compileC(SCOPE_OF_OTHER);
    for (const model of MODELS) {
      expect(verdict(check(program, model, { strategy: 'enumerate' }))).toBe(
        'memory: access to a local variable that has gone out of scope',
      );
    }
  });
});

const FREES = `#include <pthread.h>
#include <stdlib.h>
static int *node;
static volatile int done, using, retired;

/* Under PSO the flag may overtake the store. */
static void *user(void *_) { *node = 1; done = 1; return 0; }
int late_store(void) {
  pthread_t t;
  node = malloc(4);
  pthread_create(&t, 0, user, 0);
  if (done) free(node);
  return 0;
}

/* A hazard pointer without its fence. */
static void *reader(void *_) {
  using = 1;
  if (!retired) *node = 1;
  return 0;
}
int hazard(void) {
  pthread_t t;
  node = malloc(4);
  pthread_create(&t, 0, reader, 0);
  retired = 1;
  if (!using) free(node);
  return 0;
}
`;

const SCOPE_OF_OTHER = `#include <pthread.h>
static int *pointer;
static void *user(void *_) { *pointer = 1; return 0; }
static void start(void) {
  pthread_t t;
  int local = 0;
  pointer = &local;
  pthread_create(&t, 0, user, 0);
}
int main(void) { start(); return 0; }
`;

describe('deadlocks', () => {
  const DEADLOCKS = `#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t first, second;
static struct account { int balance; pthread_mutex_t lock; } accounts[2];
static pthread_cond_t ready;
static void *backwards(void *_) {
  pthread_mutex_lock(&second);
  pthread_mutex_lock(&first);
  pthread_mutex_unlock(&first);
  pthread_mutex_unlock(&second);
  return 0;
}
int opposite(void) {
  pthread_t t;
  pthread_create(&t, 0, backwards, 0);
  pthread_mutex_lock(&first);
  pthread_mutex_lock(&second);
  pthread_mutex_unlock(&second);
  pthread_mutex_unlock(&first);
  pthread_join(t, 0);
  return 0;
}
int twice(void) {
  pthread_mutex_lock(&first);
  pthread_mutex_lock(&first);
  return 0;
}
static void *keep(void *_) { pthread_mutex_lock(&first); return 0; }
int never_unlocked(void) {
  pthread_t t;
  pthread_create(&t, 0, keep, 0);
  pthread_join(t, 0);
  pthread_mutex_lock(&first);
  return 0;
}
static void *sleeper(void *_) {
  pthread_mutex_lock(&first);
  pthread_cond_wait(&ready, &first);
  pthread_mutex_unlock(&first);
  return 0;
}
int never_signalled(void) {
  pthread_t t;
  pthread_create(&t, 0, sleeper, 0);
  pthread_join(t, 0);
  return 0;
}
int in_struct(void) {
  pthread_mutex_lock(&accounts[1].lock);
  pthread_mutex_lock(&accounts[1].lock);
  return 0;
}
int on_stack(void) {
  pthread_mutex_t mine = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&mine);
  pthread_mutex_lock(&mine);
  return 0;
}
static void *join_main(void *main_thread) { pthread_join(*(pthread_t *)main_thread, 0); return 0; }
int join_each_other(void) {
  pthread_t t, self = pthread_self();
  pthread_create(&t, 0, join_main, &self);
  pthread_join(t, 0);
  return 0;
}
static void *waits(void *_) { pthread_mutex_lock(&first); return 0; }
int main_returns(void) {
  pthread_t t;
  pthread_mutex_lock(&first);
  pthread_create(&t, 0, waits, 0);
  return 0;
}
`;
  const load = (entry: string) => compileC({ 'deadlocks.c': DEADLOCKS }, { entry });

  it.each([
    [
      'opposite',
      'thread 0 waits for the lock second, held by thread 0.1; thread 0.1 waits for the lock first, held by thread 0',
    ],
    ['twice', 'thread 0 waits for the lock first, held by thread 0'],
    ['never_unlocked', 'thread 0 waits for the lock first, held by thread 0.1'],
    ['never_signalled', 'thread 0 waits for thread 0.1 to end; thread 0.1 waits to be woken on ready'],
    ['in_struct', 'thread 0 waits for the lock accounts[1].lock, held by thread 0'],
    ['on_stack', 'thread 0 waits for the lock mine, held by thread 0'],
    ['join_each_other', 'thread 0 waits for thread 0.1 to end; thread 0.1 waits for thread 0 to end'],
  ])('are found, and who waits for whom is said: %s', async (entry, says) => {
    for (const model of MODELS) {
      const result = check(await load(entry), model, { strategy: 'enumerate' });
      expect(verdict(result)).toBe(`deadlock: ${says}`);
    }
  });

  it('says where the locks were taken and where they are waited for', async () => {
    const { error } = check(await load('opposite'), 'sc', { strategy: 'enumerate' }).errors[0]!;
    // The four calls of pthread_mutex_lock: where each mutex was locked, and where a thread waits for it.
    for (const line of [7, 8, 16, 17]) expect(JSON.stringify(error)).toContain(`deadlocks.c:${line}`);
  });

  it('a thread that is still blocked when main has returned is not one', async () => {
    for (const model of MODELS)
      expect(verdict(check(await load('main_returns'), model, { strategy: 'enumerate' }))).toBe('verified');
  });

  it('the trace shows the locks by the user’s lines, not the library’s', async () => {
    const program = await load('opposite');
    const trace = failureTrace(program, check(program, 'sc', { strategy: 'enumerate' }));
    const locks = trace.events.filter(({ kind }) => kind === 'lock');
    expect(locks.map(({ file, line, effect }) => [file?.split('/').at(-1), line, effect])).toEqual([
      ['deadlocks.c', 16, 'lock first'],
      ['deadlocks.c', 7, 'lock second'],
    ]);
  });
});

describe('the command', () => {
  it('gives the worst exit code, a report for people, and what was printed', async () => {
    const source = `#include <assert.h>
#include <pthread.h>
#include <stdio.h>
int x, y, a, b;
void *left(void *_) {
  x = 1;
  a = y;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, left, 0);
  y = 1;
  b = x;
  pthread_join(t, 0);
  printf("a=%d b=%d\\n", a, b);
  assert(a == 1 || b == 1);
  return 0;
}
`;
    const run = await checkFiles({ 'sb.c': source }, ['sb.c']);
    expect(run.exit).toBe(1);
    expect(run.stderr).toBe('');
    expect(run.stdout).toMatch(/^sb\.c under sc: verified \(\d+ executions\)$/m);
    expect(run.stdout).toMatch(/^sb\.c under tso: violation \(\d+ executions? explored\)$/m);
    expect(run.stdout).toMatch(/^ {2}assertion: `a == 1 \|\| b == 1` in thread 0 at sb\.c:17:3$/m);
    expect(run.stdout).toMatch(/^ +thread 0: main +thread 0\.1: left$/m);
    expect(run.stdout).toMatch(/^ +13: y = 1;\n +2● +y = 1 goes into the buffer\n +14: b = x;\n +3● +reads x: 0$/m);
    expect(run.stdout).toMatch(/^ +┄┄ not in memory yet: y = 1 of thread 0 \(memory holds 0\) ┄+$/m);
    expect(run.stdout).toMatch(/^ {2}output:\n {4}a=0 b=0$/m);
    expect(run.stdout).toMatch(/^ {2}schedule \(`replay` runs it\): 0.*$/m);
  });

  it('is an executable file', () => {
    expect(readFileSync(BINARY, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
  });
});
