/** Values that were never written: an error exactly where something depends on them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { check as checkProgram } from '../../../src/api/check.ts';
import { replay } from '../../../src/api/replay.ts';
import { check, compileC, MODELS, sourceFolder, verdict } from '../../support/c.ts';
import { fencepost } from '../../support/fencepost.ts';
import { DEEP } from '../../support/tier.ts';

const ERROR = 'uninitialised: depends on a value that was never written';

const main = (body: string): string => `#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct padded { char c; int i; long l; };
struct bits { unsigned a : 3, b : 5, c : 24; };
union both { int i; char c[4]; };
struct tagged { unsigned i; unsigned char tag; };
static _Atomic(struct tagged) top;
static int zero;
static struct padded copy;
static int second(int *p) { return p[1]; }
static void fill(int *p) { *p = 3; }
static void *thread(void *x) { return x; }
static void *unset(void *x) { long v; if (zero) v = 1; return (void *)v; }
static void *leave(void *x) { long v; if (zero) v = 1; pthread_exit((void *)v); }
int main(void) {
  ${body}
  return 0;
}
`;

/** With generated code, and with the interpreter alone: in the push tier under one of the models. */
async function verdicts(body: string): Promise<string[]> {
  const program = await compileC(main(body), { uninitialised: true });
  return [...MODELS, 'rc11' as const].flatMap((model, i, all) =>
    (DEEP || body.length % all.length === i ? [false, true] : [false]).map((interpret) =>
      verdict(check(program, model, { strategy: 'optimal', interpret, ...(interpret ? {} : { patience: 0 }) })),
    ),
  );
}

describe('a value that nobody wrote decides', () => {
  it.each<[string, string]>([
    ['a branch', 'int *p = malloc(8); if (p[1]) zero = 1; free(p);'],
    ['a comparison with any value', 'int *p = malloc(4); if (*p == 5) zero = 1; free(p);'],
    ['an assertion', 'int *p = malloc(4); int v = *p; free(p); assert(v == 0);'],
    ['an address', 'int **p = malloc(8); zero = **p;'],
    ['an index', 'int a[3] = { 1, 2, 3 }; int *p = malloc(4); zero = a[*p]; free(p);'],
    ['a switch', 'int *p = malloc(4); switch (*p) { case 1: zero = 1; break; default: zero = 2; } free(p);'],
    ['a size', 'int *p = malloc(4); void *q = malloc(*p); free(q); free(p);'],
    ['a call', 'void (**p)(void) = malloc(8); (*p)();'],
    ['a divisor', 'int *p = malloc(4); zero = 7 / *p; free(p);'],
    ['a compare-exchange', 'atomic_int *p = malloc(4); int e = 0; atomic_compare_exchange_strong(p, &e, 1); free(p);'],
    [
      'padding that is compared with known padding',
      'struct tagged a; a.i = 1; a.tag = 2; atomic_store(&top, a); memset(&a, 0, sizeof a); a.i = 1; a.tag = 2; zero = atomic_compare_exchange_strong(&top, &a, a);',
    ],
    [
      'a compare-exchange with nothing defined',
      'atomic_int *p = malloc(4); int e; if (zero) e = 0; atomic_compare_exchange_strong(p, &e, 1); free(p);',
    ],
    ['the condition of a choice', 'int *p = malloc(4); int v = *p ? 1 : 2; free(p); if (v == 1) zero = 1;'],
    ['output', 'int *p = malloc(4); printf("%d\\n", *p); free(p);'],
    ['the end of a string', 'char *p = malloc(4); p[0] = 65; size_t n = strlen(p); free(p); zero = (int)n;'],
    ['a comparison of bytes', 'char *p = calloc(1, 4), *q = malloc(4); zero = memcmp(p, q, 4); free(p); free(q);'],
    ['after arithmetic', 'int *p = malloc(4); int v = (*p + 1) * 2; free(p); if (v > 3) zero = 1;'],
    ['as a floating-point number', 'double *p = malloc(8); if (*p * 0.5 < 1) zero = 1; free(p);'],
    ['after a copy', 'struct padded a, b = a; copy = b; if (copy.i) zero = 1;'],
    ['after memcpy through a global', 'struct padded a; memcpy(&copy, &a, sizeof a); if (copy.l) zero = 1;'],
    ['as an argument', 'int *p = malloc(8); p[0] = 1; int v = second(p); free(p); if (v) zero = 1;'],
    ['a variable', 'int v; if (zero) v = 1; if (v) zero = 2;'],
    ['a variable of 8 bytes', 'long long v; if (zero) v = 1; if (v >> 40) zero = 2;'],
    ['a variable whose address is taken', 'int v; if (zero) fill(&v); if (v) zero = 2;'],
    ['a bit-field', 'struct bits v; v.a = 1; if (v.b) zero = 2;'],
    ['a byte of a union', 'union both v; v.c[1] = 0; if (v.i) zero = 2;'],
    ['what realloc adds', 'int *p = calloc(1, 4); p = realloc(p, 8); int v = p[1]; free(p); assert(v == 0);'],
    ['an array of variable length', 'int n = 3 + zero; int v[n]; v[0] = 1; if (v[2]) zero = 2;'],
    ['a spin lock that was never initialised', 'pthread_spinlock_t *p = malloc(sizeof *p); pthread_spin_lock(p);'],
    [
      'what a thread returns',
      'void *v = 0; pthread_t t; pthread_create(&t, 0, unset, 0); pthread_join(t, &v); if (v) zero = 1;',
    ],
    [
      'what a thread exits with',
      'void *v = 0; pthread_t t; pthread_create(&t, 0, leave, 0); pthread_join(t, &v); if (v) zero = 1;',
    ],
    ['a variable in the second round', 'for (int i = 0; i < 2; i++) { int v; if (i == 0) v = 1; if (v) zero = 2; }'],
    ['a variable after a jump back', 'int n = 0; again:; int v; if (n++ == 0) { v = 1; goto again; } if (v) zero = 2;'],
    ['attributes that were never initialised', 'pthread_mutexattr_t a; pthread_mutex_t m; pthread_mutex_init(&m, &a);'],
    [
      'attributes that were never initialised, read back',
      'pthread_rwlockattr_t a; int v; pthread_rwlockattr_getpshared(&a, &v); if (v) zero = 2;',
    ],
  ])('%s', async (_, body) => {
    for (const found of await verdicts(body)) expect(found).toBe(ERROR);
  });
});

describe('a value that nobody wrote does not decide', () => {
  it.each<[string, string]>([
    ['copying', 'struct padded a, b; a.i = 1; b = a; copy = b; assert(copy.i == 1);'],
    [
      'copying to the heap and back',
      'struct padded a = { 1, 2, 3 }, *p = malloc(sizeof a); *p = a; a = *p; free(p); assert(a.l == 3);',
    ],
    ['memcpy of a part', 'char *p = malloc(8), q[8]; p[0] = 1; memcpy(q, p, 8); free(p); assert(q[0] == 1);'],
    ['bit-fields in a fresh word', 'struct bits v; v.b = 7; v.a = 2; assert(v.a == 2 && v.b == 7);'],
    [
      'bit-fields on the heap',
      'struct bits *p = malloc(sizeof *p); p->a = 2; unsigned v = p->a; free(p); assert(v == 2);',
    ],
    ['a union', 'union both v; v.i = 0; assert(v.c[3] == 0);'],
    ['masking', 'int *p = malloc(4); int v = (*p & 0) | 8; free(p); assert(v == 8);'],
    ['bits that are known', 'int *p = malloc(4); int v = *p | 1; free(p); assert(v != 0);'],
    ['the range of a part', 'unsigned char *p = malloc(1); int v = *p; free(p); assert(v < 256 && v >= 0);'],
    ['arithmetic that nobody looks at', 'int *p = malloc(4); *p += 1; *p = *p * 3 + 1; free(p);'],
    [
      'a read-modify-write',
      'atomic_int *p = malloc(4); atomic_fetch_add(p, 1); atomic_exchange(p, 2); int v = *p; free(p); assert(v == 2);',
    ],
    [
      'a compare-exchange with a copy, padding and all',
      'struct tagged a, b; a.i = 1; a.tag = 2; atomic_store(&top, a); b = atomic_load(&top); a.i = 7; assert(atomic_compare_exchange_strong(&top, &b, a)); b = atomic_load(&top); assert(b.i == 7);',
    ],
    [
      'a compare-exchange with a difference',
      'struct tagged a, b; a.i = 1; a.tag = 2; atomic_store(&top, a); b.i = 2; b.tag = 2; assert(!atomic_compare_exchange_strong(&top, &b, a)); assert(b.i == 1);',
    ],
    ['a variable that is written on all ways', 'int v; if (zero) v = 1; else v = 2; assert(v == 2);'],
    ['a variable that is written where it is used', 'int v; if (!zero) v = 1; if (!zero) assert(v == 1);'],
    ['a variable in a loop', 'int v; for (int i = 0; i < 3; i++) { if (i > 0) assert(v == i - 1); v = i; }'],
    [
      'writing byte by byte',
      'int v, *volatile p = &v; for (int i = 0; i < 4; i++) ((char *)p)[i] = 1; assert(v == 0x01010101);',
    ],
    ['memset', 'struct padded v; memset(&v, 0, sizeof v); assert(v.i == 0 && v.l == 0);'],
    ['calloc', 'int *p = calloc(2, 4); int v = p[1]; free(p); assert(v == 0);'],
    ['snprintf', 'char v[20]; snprintf(v, sizeof v, "%d", 12); assert(strcmp(v, "12") == 0); puts(v);'],
    [
      'sem_init in fresh memory',
      'sem_t *p = malloc(sizeof *p); sem_init(p, 0, 1); sem_wait(p); sem_destroy(p); free(p);',
    ],
    [
      'passing it to a thread',
      'int *p = malloc(4); pthread_t t; pthread_create(&t, 0, thread, p); pthread_join(t, 0); free(p);',
    ],
    [
      'what a thread returns, and nobody looks at',
      'void *v; pthread_t t; pthread_create(&t, 0, unset, 0); pthread_join(t, &v); void *w = v; (void)w;',
    ],
    [
      'a second thread that returns something',
      'void *v; pthread_t t; pthread_create(&t, 0, unset, 0); pthread_join(t, 0); pthread_create(&t, 0, thread, &zero); pthread_join(t, &v); assert(v == &zero);',
    ],
    [
      'a variable that its block writes in each round',
      'for (int i = 0; i < 3; i++) { int v, w = i; v = w; if (i) v = 2; assert(v <= 2); }',
    ],
    [
      'a jump over a declaration, back to where the variable has a value',
      'int n = 0; int v; v = 1; again:; if (n++ < 2) goto again; assert(v == 1);',
    ],
    [
      'a sum with no carry into what is looked at',
      'int *p = malloc(4); int v = ((*p & 3) + 8) >> 3; free(p); assert(v == 1);',
    ],
    ['a difference that is negative', 'int *p = malloc(4); int v = (*p & 7) - 8; free(p); assert(v < 0);'],
    ['waiting with a fresh variable', 'int v; while (zero) ; (void)v;'],
  ])('%s', async (_, body) => {
    for (const found of await verdicts(body)) expect(found).toBe('verified');
  });
});

it('padding of 16 bytes is like that of 8', async () => {
  const source = (start: string): string => `#include <assert.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>
struct tagged { alignas(16) void *p; unsigned tag; };
static int exchange(struct tagged *p, struct tagged *old, struct tagged *new) {
  return __sync_bool_compare_and_swap((__int128 *)p, *(__int128 *)old, *(__int128 *)new);
}
int main(void) {
  struct tagged *top = aligned_alloc(16, sizeof *top), old, new;
  top->p = 0;
  top->tag = 0;
  ${start};
  new.p = top;
  new.tag = old.tag + 1;
  assert(exchange(top, &old, &new));
  assert(top->tag == 1);
  free(top);
  return 0;
}
`;
  const found = async (start: string): Promise<string> =>
    verdict(check(await compileC(source(start), { uninitialised: true }), 'tso', { strategy: 'enumerate' }));
  expect(await found('old = *top')).toBe('verified');
  expect(await found('memset(&old, 0, sizeof old)')).toBe(ERROR);
});

describe('LLVM IR from an optimiser', () => {
  /** What depends on `%bit`, which is undefined. */
  const source = (body: string): string => `target triple = "x86_64-unknown-linux-gnu"
declare ptr @malloc(i64)
define i32 @main() {
  %p = call ptr @malloc(i64 4)
  %v = load i32, ptr %p
  %bit = icmp eq i32 %v, 3
  ${body}
yes:
  ret i32 0
no:
  ret i32 0
}
`;

  it.each<[string, string, string]>([
    ['a branch', 'br i1 %bit, label %yes, label %no', ERROR],
    ['a select that nobody looks at', '%s = select i1 %bit, i32 1, i32 2\n  br label %yes', 'verified'],
    [
      'a select of which a known bit decides',
      '%s = select i1 %bit, i32 1, i32 3\n  %t = and i32 %s, 1\n  %c = icmp eq i32 %t, 0\n  br i1 %c, label %yes, label %no',
      'verified',
    ],
    [
      'a select that decides',
      '%s = select i1 %bit, i32 1, i32 2\n  %c = icmp eq i32 %s, 1\n  br i1 %c, label %yes, label %no',
      ERROR,
    ],
    ['a frozen value', '%f = freeze i1 %bit\n  br i1 %f, label %yes, label %no', 'verified'],
  ])('has its verdict: %s', async (_, body, expected) => {
    const program = await compileC({ 'a.ll': source(body) }, { uninitialised: true });
    for (const interpret of [false, true])
      expect(verdict(check(program, 'sc', { interpret, ...(interpret ? {} : { patience: 0 }) }))).toBe(expected);
  });
});

describe('another thread', () => {
  /** A node that is published before its contents, of which zero is a legal one. */
  const PUBLISHED = (body: string): string => `#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct node { atomic_int value; };
static _Atomic(struct node *) list;
static int seen;
static void *publish(void *x) {
  struct node *node = malloc(sizeof *node);
  atomic_store_explicit(&node->value, 0, memory_order_relaxed);
  atomic_store_explicit(&list, node, ORDER);
  return x;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, publish, 0);
  ${body}
  pthread_join(t, 0);
  return seen;
}
`;
  const look = `struct node *node = atomic_load_explicit(&list, memory_order_acquire);
  if (node) if (atomic_load_explicit(&node->value, memory_order_relaxed) == 1) seen = 1;`;

  it('finds a store that is still in a buffer, with every search', async () => {
    for (const strategy of ['optimal', 'source', 'enumerate', 'exhaustive'] as const) {
      const found = async (order: string): Promise<string[]> => {
        const program = await compileC(PUBLISHED(look), {
          uninitialised: true,
          defines: [`ORDER=memory_order_${order}`],
        });
        return MODELS.map((model) => verdict(check(program, model, { strategy })));
      };
      expect(await found('relaxed'), strategy).toEqual(['verified', 'verified', ERROR]);
      expect(await found('release'), strategy).toEqual(['verified', 'verified', 'verified']);
    }
  });

  it('may wait for what was never written: the read is not idle', async () => {
    // The flag is set by the other thread; before that it has no value.
    const source = `#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int *flag;
static void *set(void *x) { atomic_store(flag, 1); return x; }
int main(void) {
  flag = malloc(sizeof *flag);
  INIT;
  pthread_t t;
  pthread_create(&t, 0, set, 0);
  while (!atomic_load(flag)) ;
  pthread_join(t, 0);
  free(flag);
  return 0;
}
`;
    for (const strategy of ['optimal', 'source', 'enumerate'] as const) {
      for (const model of MODELS) {
        const found = async (init: string): Promise<string> =>
          verdict(
            check(await compileC(source, { uninitialised: true, defines: [`INIT=${init}`] }), model, { strategy }),
          );
        expect(await found('(void)0'), `${model} ${strategy}`).toBe(ERROR);
        expect(await found('atomic_init(flag, 0)'), `${model} ${strategy}`).toBe('verified');
      }
    }
  });

  /** Bits that were never written are zero, too: a round that changes them still counts as a change. */
  it.each([
    ['a local variable', 'int s = 0, u; while (!s) { get(&s, &u); if (atomic_load(&x)) break; }'],
    ['a structure', 'struct pair s = {0, 0}, u; for (;;) { if (s.a) break; s = u; if (atomic_load(&x)) break; }'],
    ['an exchange', 'int u; for (;;) { if (atomic_exchange(&y, u)) break; if (atomic_load(&x)) break; }'],
    [
      'a compare-exchange',
      'int u, e; for (;;) { if (atomic_load(&y)) break; e = 0; atomic_compare_exchange_strong(&y, &e, u); if (atomic_load(&x)) break; }',
    ],
  ])('waits for nothing if a round makes something undefined: %s', async (_, code) => {
    const program = await compileC(
      `#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
struct pair { int a, b; };
static void get(int *to, int *from) { *to = *from; }
static void *wait(void *_) { ${code} return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, wait, 0);
  atomic_store(&x, 1);
  pthread_join(t, 0);
  return 0;
}
`,
      { uninitialised: true },
    );
    for (const model of [...MODELS, 'rc11' as const])
      for (const interpret of [false, true])
        expect(
          verdict(check(program, model, { strategy: 'optimal', interpret, ...(interpret ? {} : { patience: 0 }) })),
          model,
        ).toBe(ERROR);
  });

  it('sees the same number of executions as with zeroes, if nothing is wrong', async () => {
    const source = PUBLISHED(look);
    for (const model of [...MODELS, 'rc11' as const]) {
      const counts = await Promise.all(
        [false, true].map(async (uninitialised) => {
          const program = await compileC(source, { uninitialised, defines: ['ORDER=memory_order_release'] });
          const { verdict: kind, executions, blocked } = check(program, model, { strategy: 'optimal' });
          return [kind.kind, executions, blocked];
        }),
      );
      expect(counts[0], model).toEqual(counts[1]);
    }
  });
});

describe('the report', () => {
  const source = `#include <stdlib.h>
int main(void) {
  int *p = malloc(8);
  int v = p[1];
  if (v == 3) return 1;
  int w;
  if (v == 4) w = 1;
  free(p);
  return w;
}
`;

  it('has the place of the use, of the read and of the allocation', async () => {
    const folder = sourceFolder({ 'use.c': source });
    const { stdout, exit } = await fencepost(['check', 'use.c', '--model', 'sc'], { cwd: folder });
    expect(stdout).toContain('uninitialised: depends on a value that was never written, in thread 0 at use.c:5:7');
    expect(stdout).toContain('the value was read at use.c:4:11');
    expect(stdout).toContain('from 8 bytes, allocated at use.c:3:12');
    expect(exit).toBe(1);
  });

  it('says if it was off', async () => {
    const folder = sourceFolder({ 'use.c': source });
    const off = ['use.c', '--model', 'tso', '--no-uninitialised'];
    for (const command of ['check', 'robust', 'hunt']) {
      const { stdout } = await fencepost([command, ...off], { cwd: folder });
      expect(stdout).toContain('use.c under tso, with zeroes in fresh memory: ');
    }
    expect((await fencepost(['fix', ...off], { cwd: folder })).stdout).toContain(
      'safe under tso, with zeroes in fresh memory',
    );
    expect((await fencepost(['robust', 'litmus/SB/SB.litmus', '--model', 'tso'])).stdout).not.toContain('fresh memory');
  });

  it('cannot be combined with junk', async () => {
    const folder = sourceFolder({ 'use.c': source });
    const both = await fencepost(['check', 'use.c', '--junk', '--uninitialised'], { cwd: folder });
    expect([both.exit, both.stderr]).toEqual([
      2,
      'fencepost: --junk and --uninitialised cannot be combined; drop one of the two\n',
    ]);
    for (const junk of [
      ['--junk'],
      ['--junk', '--no-uninitialised'],
      ['--uninitialised', '--no-uninitialised', '--junk'],
    ]) {
      const { stdout } = await fencepost(['check', 'use.c', '--model', 'sc', ...junk], { cwd: folder });
      expect(stdout).toContain('use.c under sc, with junk in fresh memory: verified');
    }
  });
});

describe('a kept run', () => {
  /** Fails with zeroes in fresh memory, and depends on them. */
  const source = `#include <assert.h>
#include <stdlib.h>
int main(void) {
  int *p = malloc(4);
  int v = *p;
  free(p);
  assert(v != 0);
  return 0;
}
`;
  const run = async (folder: string, ...options: string[]): Promise<string> => {
    const args = ['check', 'use.c', '--model', 'sc', ...options];
    const { stdout } = await fencepost(args, { cwd: folder });
    return join(folder, /fencepost replay (\S+)/.exec(stdout)![1]!);
  };

  it('is replayed with what it was made with', async () => {
    const folder = sourceFolder({ 'use.c': source });
    const kept = await run(folder);
    expect((await fencepost(['replay', kept], { cwd: folder })).stdout).toContain('uninitialised:');
    const report = JSON.parse(readFileSync(join(kept, 'result.json'), 'utf8'));
    expect(report.input.uninitialised).toBe(true);
    expect((await replay(report, { source })).map(({ error }) => error!.kind)).toEqual(['uninitialised']);
  });

  it('has zeroes if it was made with them, also when they were the default', async () => {
    const folder = sourceFolder({ 'use.c': source });
    const kept = await run(folder, '--no-uninitialised');
    expect((await fencepost(['replay', kept], { cwd: folder })).stdout).toContain('assertion: `v != 0`');
    const report = JSON.parse(readFileSync(join(kept, 'result.json'), 'utf8'));
    expect(report.input).not.toHaveProperty('uninitialised');
    expect((await replay(report, { source })).map(({ error }) => error!.kind)).toEqual(['assertion']);
  });

  it('is found by the functions of the package, too', async () => {
    const kinds = async (options: Parameters<typeof checkProgram>[1]): Promise<unknown[]> =>
      (await checkProgram({ source }, { models: ['sc'], ...options })).results.map(({ error }) => error?.kind);
    expect(await kinds({})).toEqual(['uninitialised']);
    expect(await kinds({ uninitialised: false })).toEqual(['assertion']);
    expect(await kinds({ junk: true })).toEqual([undefined]);
    await expect(kinds({ junk: true, uninitialised: true })).rejects.toThrow('cannot be combined');
  });
});
