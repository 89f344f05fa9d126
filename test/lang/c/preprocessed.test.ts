/**
 * Files preprocessed with the headers of this machine's own C library instead of ours: the same programs, with its
 * types, static initialisers, inline functions and the names to which it redirects calls.
 */

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { unmodelledCallAmong } from '../../../src/explore/bound.ts';
import { programError } from '../../../src/machine/describe/program-error.ts';
import { Machine } from '../../../src/machine/machine.ts';
import type { Program } from '../../../src/program/ir.ts';
import { Prng } from '../../../src/util/prng.ts';
import { type CheckedModel, check, compileC, MODELS, outputOf, refusal, verdict } from '../../support/c.ts';
import { DEEP, samples } from '../../support/tier.ts';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const isGlibc = existsSync('/usr/include/pthread.h') && existsSync('/usr/include/features.h');
const compilers = ['gcc', 'clang', 'clang-16'].filter((name) => spawnSync(name, ['--version']).status === 0);

function preprocess(compiler: string, file: string, flags: readonly string[] = []): string {
  const run = spawnSync(compiler, ['-E', ...flags, join(FOLDER, file)], { encoding: 'utf8', maxBuffer: 2 ** 26 });
  if (run.status !== 0) throw new Error(run.stderr);
  return run.stdout;
}

function runAtRandom(program: Program, model: CheckedModel, seed: number): string {
  const machine = new Machine(program, model);
  const prng = new Prng(seed);
  while (machine.enabled() > 0) machine.step(machine.steps.get(prng.below(machine.steps.length)));
  if (machine.outcome !== 'complete') throw new Error(`${machine.outcome} ${JSON.stringify(programError(machine))}`);
  return outputOf(machine);
}

describe.runIf(isGlibc).each(compilers)('with %s', (compiler) => {
  it.each([
    ['plainly', []],
    ['with inline functions', ['-O2']],
    ['with checks', ['-O2', '-D_FORTIFY_SOURCE=2']],
  ] as const)('everything at once runs as from its own source, %s', async (_, flags) => {
    const source = preprocess(compiler, 'preprocessed/everything.c', flags);
    expect(source.split('\n').length).toBeGreaterThan(3000);
    const [own, other] = await Promise.all([
      compileC(readFileSync(join(FOLDER, 'preprocessed/everything.c'), 'utf8')),
      compileC({ 'everything.i': source }),
    ]);
    for (const model of MODELS)
      for (const seed of [1, 2]) expect(runAtRandom(other, model, seed)).toBe(runAtRandom(own, model, seed));
  });

  // In the push tier, every other file, with one of the compilers, in turn.
  const files = readdirSync(join(FOLDER, 'manual'))
    .filter((name) => name.endsWith('.c'))
    .filter((_, i) => DEEP || (i % 2 === 0 && compilers[(i / 2) % compilers.length] === compiler));
  it.each(files)('%s has its verdict', async (file) => {
    const expected = /expect: (.*?)(?:;| \*)/.exec(readFileSync(join(FOLDER, 'manual', file), 'utf8'))![1]!;
    const program = await compileC({ 'manual.i': preprocess(compiler, `manual/${file}`) });
    // A wrong program may have several errors, and random search may find any of them first.
    const maxExecutions = /correct/.test(expected) ? samples(10) : 60;
    const result = check(program, 'sc', { strategy: 'random', maxExecutions, keepGoing: true });
    const found = result.errors.map(({ error }) => `${error.kind}: ${error.message}`);
    if (/correct/.test(expected)) expect(verdict(result)).toBe('inconclusive');
    else expect(found.join('\n')).toContain(expected);
  });
});

/** As gcc and clang preprocess aarch64's <signal.h>, <sys/user.h> and <math.h>. */
const AARCH64 = `# 1 "user.c"
# 72 "/usr/include/asm/sigcontext.h" 1 3 4
struct fpsimd_context {
 struct { unsigned int magic, size; } head;
 unsigned int fpsr;
 unsigned int fpcr;
 __uint128_t vregs[32];
};
typedef __signed__ __int128 __s128 __attribute__((aligned(16)));
typedef unsigned __int128 __u128 __attribute__((aligned(16)));
typedef __Float32x4_t __f32x4_t;
typedef __attribute__ ((__neon_vector_type__ (2))) double __f64x2_t;
typedef __SVFloat32_t __sv_f32_t;
typedef __SVBool_t __sv_bool_t;
__attribute__ ((__aarch64_vector_pcs__)) __f32x4_t _ZGVnN4v_cosf (__f32x4_t);
__sv_f32_t _ZGVsMxv_cosf (__sv_f32_t, __sv_bool_t);
static __inline __uint128_t twice (__uint128_t x) { return x + x; }
# 2 "user.c" 2
`;

describe('types of aarch64', () => {
  it('are known where they are declared', async () => {
    const source = `${AARCH64}extern int printf(const char *, ...);
struct mixed { char a; __uint128_t b; short c; __f32x4_t v; _Float128 q; int d; } one = {1, 2, 3, {0}, 0, 4}, two;
union { __u128 wide; unsigned long long half[2]; } both = {((__uint128_t)5 << 64) + 7};
int main(void) {
  struct fpsimd_context context = {{1, 2}, 3, 4}, copy = context;
  two = one;
  printf("%d %d %d|", (int)sizeof context, (int)__builtin_offsetof(struct fpsimd_context, vregs), copy.fpcr);
  printf("%d %d|%d %d %d|", (int)sizeof one, (int)__builtin_offsetof(struct mixed, d), two.a, two.c, two.d);
  printf("%d %d\\n", (int)both.half[0], (int)both.half[1]);
  return 0;
}
`;
    expect(runAtRandom(await compileC({ 'user.i': source }), 'sc', 1)).toBe('528 16 4|96 80|1 3 4|7 5\n');
  });

  it('128-bit integers are computed with', async () => {
    const body = '__uint128_t x = n; __builtin_printf("%d %d\\n", (int)(x * x), (int)twice(n)); return 0;';
    const program = await compileC({ 'user.i': `${AARCH64}int main(void) { int n = 3;\n  ${body} }\n` });
    expect(runAtRandom(program, 'sc', 1)).toBe('9 6\n');
  });

  it.each([
    ['__uint128_t x = n; return (int)(double)x;', 'this conversion (uitofp) of a 128-bit integer is unsupported'],
  ])('%s is refused', async (body, reason) => {
    const { message } = await refusal({ 'user.i': `${AARCH64}int main(void) { int n = 1;\n  ${body} }\n` });
    expect(message).toContain(reason);
    expect(message).toMatch(/user\.c:3:/);
  });
});

describe.runIf(isGlibc && compilers.length > 0)('types of a 64-bit machine', () => {
  it.each([
    ['x86_64', '1'],
    ['i686', '0'],
  ] as const)('keep their width where the name says it, on %s', async (target, isLong) => {
    const source = `#include <inttypes.h>
#include <stdio.h>
#include <stdint.h>
int main(void) { int64_t x = INT64_MAX; uint64_t y = x; printf("%d %" PRId64 " %" PRIu64 "|%s", (int)sizeof x, x, y + 1, "end");
  printf(" %d\\n", _Generic(x, long: 1, default: 0)); return 0; }`;
    const run = spawnSync(compilers[0]!, ['-E', '-x', 'c', '-'], { input: source, encoding: 'utf8' });
    const program = await compileC({ 'wide.i': run.stdout }, { target });
    expect(runAtRandom(program, 'sc', 1)).toBe(`8 9223372036854775807 9223372036854775808|end ${isLong}\n`);
  });

  it('unsupported parts are refused with their place, if they are reached', async () => {
    const source = '#include <stdio.h>\nint main(void) {\n  char *mode = "r";\n  return fopen("file", mode) == 0;\n}\n';
    const run = spawnSync(compilers[0]!, ['-E', '-x', 'c', '-'], { input: source, encoding: 'utf8' });
    const { verdict, boundedBy } = check(await compileC({ 'file.i': run.stdout }), 'sc');
    expect([verdict.kind, unmodelledCallAmong(boundedBy)]).toMatchObject([
      'inconclusive',
      { reason: expect.stringMatching(/^function "fopen(64)?" is not defined/), place: { line: 4 } },
    ]);
  });
});

/** A `pthread_mutex_t` of the program's own, declared as in a preprocessed file. */
describe('a smaller type of mutex', () => {
  const file = (type: string, main: string): string => `
typedef ${type} pthread_mutex_t;
typedef unsigned long pthread_t;
typedef struct { int a[1]; } pthread_mutexattr_t;
extern int pthread_mutexattr_init(pthread_mutexattr_t *), pthread_mutexattr_settype(pthread_mutexattr_t *, int);
extern int pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *), pthread_mutex_destroy(pthread_mutex_t *);
extern int pthread_mutex_lock(pthread_mutex_t *), pthread_mutex_unlock(pthread_mutex_t *);
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *), pthread_join(pthread_t, void **);
extern void *malloc(unsigned long);
extern void __assert_fail(const char *, const char *, unsigned, const char *);
pthread_mutex_t m;
int x;
void *f(void *u) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return u; }
int main(void) { ${main} }
`;
  const TWO = `pthread_t s, t; pthread_create(&s, 0, f, 0); pthread_create(&t, 0, f, 0);
pthread_join(s, 0); pthread_join(t, 0); if (x != 2) __assert_fail("x == 2", "m.i", 1, "main"); return 0;`;

  it.each(['struct { int a[1]; }', 'int', 'struct { long a, b; }', 'union { int a; char b[16]; }'])(
    'is a mutex: %s',
    async (type) => {
      const program = await compileC({ 'm.i': file(type, `pthread_mutex_init(&m, 0); ${TWO}`) });
      for (const model of MODELS) expect(verdict(check(program, model))).toBe('verified');
    },
  );

  it('may lie at the end of its object', async () => {
    const main = 'pthread_mutex_t *p = malloc(sizeof *p); pthread_mutex_init(p, 0); pthread_mutex_lock(p);';
    const program = await compileC({
      'm.i': file('int', `${main} pthread_mutex_unlock(p); pthread_mutex_destroy(p);`),
    });
    expect(verdict(check(program, 'sc'))).toBe('verified');
    const outside = await compileC({ 'm.i': file('int', 'pthread_mutex_lock(malloc(2));') });
    expect(verdict(check(outside, 'sc'))).toMatch(/^memory: /);
  });

  it('has no kind: a program that gives it one gets no verdict', async () => {
    const main = 'pthread_mutexattr_t a; pthread_mutexattr_init(&a); pthread_mutexattr_settype(&a, 1);';
    const program = await compileC({ 'm.i': file('int', `${main} pthread_mutex_init(&m, &a); return 0;`) });
    const { verdict: answer, bounds } = check(program, 'sc');
    expect([answer.kind, bounds.join()]).toEqual(['inconclusive', expect.stringContaining('has no room for one')]);
  });

  it('is refused with its line if it has no room for a mutex at all', async () => {
    await expect(compileC({ 'm.i': file('char', 'pthread_mutex_lock(&m);') })).rejects.toThrow(
      /m\.i:2: unsupported: a pthread_mutex_t of 1 bytes; at least 4 are needed/,
    );
  });
});
