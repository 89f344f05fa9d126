/**
 * Local variables whose address is passed to functions are private if no function keeps it; then loops that only wait
 * are recognised as waiting (docs/decisions/0040-locals-passed-by-address.md).
 */
import { expect, it } from 'vitest';
import type { CheckOptions } from '../../src/options/check.ts';
import { check, compileC, MODELS, verdict } from '../support/c.ts';

const HEAD = `
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
static atomic_int x, y;
static int plain, *kept;
struct pair { int a, b; };
static _Atomic struct pair whole;
static void get(int *to) { int v = atomic_load(&x); *to = v; }
static void get_deeper(int *to) { get(to); }
static int look(int *to) { *to = atomic_load(&x); return atomic_load(&y); }
static void keep(int *to) { *to = atomic_load(&x); kept = to; }
static int *back(int *to) { *to = atomic_load(&x); return to; }
static void chosen(int *to, int *other) { int *p = atomic_load(&x) ? to : other; *p = 1; }
static void moved(int *to) { to = &plain; *to = atomic_load(&x); }
static void only_at_last(int *to) { int v = atomic_load(&x); if (v == 4) *to = v; }
static void first(struct pair *to) { to->a = atomic_load(&x); }
static struct pair made(void) { struct pair p; int v = atomic_load(&x); p.a = v == 4; p.b = v; return p; }
static void *write_x(void *n) { for (long i = 1; i <= (long)n; i++) atomic_store(&x, (int)i); return 0; }
static void *write_whole(void *n) { for (int i = 1; i <= (long)n; i++) { struct pair p = {i, i}; atomic_store(&whole, p); } return 0; }
`;

/** Two threads that wait, and one that writes 1 to 4. */
function waiting(body: string, writer = 'write_x'): string {
  return `${HEAD}
static void *wait(void *_) { ${body} return 0; }
int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, wait, 0); pthread_create(&t[1], 0, wait, 0); pthread_create(&t[2], 0, ${writer}, (void *)4);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
}`;
}

const OPTIONS = { strategy: 'optimal', monitors: false } satisfies Partial<CheckOptions>;

it.each<[string, string, number]>([
  ['an out-parameter', waiting('int v; do get(&v); while (v < 4);'), 1],
  ['in a loop of its own', waiting('for (;;) { int v; get(&v); if (v == 4) break; }'), 1],
  ['passed on', waiting('int v; do get_deeper(&v); while (v != 4);'), 1],
  [
    'a structure that is loaded whole',
    waiting('struct pair v; do v = atomic_load(&whole); while (v.b != 4);', 'write_whole'),
    1,
  ],
  [
    'a structure that is copied',
    waiting('struct pair v, w; do { v = atomic_load(&whole); w = v; } while (w.a != 4);', 'write_whole'),
    1,
  ],
  ['written at last', waiting('int v = 0; do only_at_last(&v); while (v != 4);'), 1],
  ['a structure that is returned', waiting('for (;;) { struct pair p = made(); if (p.a) break; }'), 1],
  // The variable is read in the next round: each of its values is another state.
  [
    'a variable that is used later',
    waiting('int v, w = 0; do { get(&v); w = w != v ? v : w; } while (v != 4); assert(w == 4);'),
    64,
  ],
  // Nobody observes it (docs/decisions/0047-pauses.md).
  ['a variable used for itself', waiting('int v, w = 0; do { get(&v); w = w != v ? v : w; } while (v != 4);'), 1],
  // Here the round before the last is part of the state, too.
  [
    'of which a part is written',
    waiting('struct pair v = {0, 0}; do { v.b = v.a; first(&v); } while (v.a != 4);'),
    729,
  ],
])('a loop that waits has its number of executions: %s', async (_, source, executions) => {
  const program = await compileC(source);
  for (const model of MODELS) {
    const found = check(program, model, OPTIONS);
    expect([verdict(found), found.executions], model).toEqual(['verified', executions]);
  }
});

/** A value read before a step matters after it: the thread must not mistake the second value for the first. */
it('a variable that is live at a step is not fleeting', async () => {
  const program = await compileC(`${HEAD}
static void *wait(void *_) { int v, w; do { w = look(&v); } while (v == w); assert(v != 2); return 0; }
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, wait, 0); pthread_create(&t[1], 0, write_x, (void *)2);
  pthread_join(t[0], 0); pthread_join(t[1], 0);
}`);
  for (const model of MODELS)
    for (const strategy of ['optimal', 'source', 'enumerate'] as const)
      expect(verdict(check(program, model, { strategy })), `${model}, ${strategy}`).toMatch(/^assertion/);
});

/** The bits that a bit-field store leaves unchanged are part of the next round's state. */
it.each([
  ['of 24 bits', 'unsigned', 24, 'int n = atomic_load(&x); v.a = n;'],
  ['of 48 bits', 'unsigned long', 48, 'int n = atomic_load(&x); v.a = n;'],
  ['of 24 bits, in a function', 'unsigned', 24, 'set(&v);'],
])('a bit-field %s does not replace the whole', async (_, type, width, code) => {
  const program = await compileC(`${HEAD}
struct s { ${type} a : ${width}; unsigned char b; };
static void set(struct s *to) { int n = atomic_load(&x); to->a = n; }
static void *wait(void *_) { struct s v; v.b = 0; do { ${code} assert(v.b == 0); v.b = v.a; } while (v.a != 2); return 0; }
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, wait, 0); pthread_create(&t[1], 0, write_x, (void *)2);
  pthread_join(t[0], 0); pthread_join(t[1], 0);
}`);
  for (const model of MODELS) expect(verdict(check(program, model, OPTIONS)), model).toMatch(/^assertion/);
});

it('a bit-field of a variable that is a register changes its own bits', async () => {
  const program = await compileC(`${HEAD}
struct s { unsigned a : 24; unsigned char b; };
int main(void) { unsigned w = 0xaa000000; ((struct s *)&w)->a = 5; assert(w == 0xaa000005); }`);
  expect(verdict(check(program, 'sc', OPTIONS))).toBe('verified');
});

it('follows addresses through few calls in a row, and does not fail for many', async () => {
  const chain = Array.from({ length: 1200 }, (_, i) => `static void f${i + 1}(int *p) { f${i}(p); }`).join('\n');
  const program = await compileC(`${HEAD}
static void f0(int *p) { *p = atomic_load(&x); }
${chain}
int main(void) { int v = 1; f1200(&v); f50(&v); assert(v == 0); }`);
  expect(verdict(check(program, 'sc', OPTIONS))).toBe('verified');
});

/** Another thread gets the address: its store must be seen. */
it.each([
  ['stored', 'keep(&v);'],
  ['stored by whoever it is returned to', 'kept = back(&v);'],
  ['in a global variable', 'kept = &v; get(&v);'],
  ['in an atomic', 'static _Atomic(int *) p; atomic_store(&p, &v); kept = atomic_load(&p);'],
  ['in a structure', 'struct { int *p; } s = {&v}; kept = s.p;'],
  ['copied as bytes', 'int *p = &v; memcpy(&kept, &p, sizeof p);'],
])('an address that is kept is seen by others: %s', async (_, code) => {
  const program = await compileC(`${HEAD}
static void *other(void *_) { *kept = 7; return 0; }
int main(void) {
  pthread_t t;
  int v = 0;
  ${code}
  pthread_create(&t, 0, other, 0);
  int before = v;
  pthread_join(t, 0);
  assert(v == 7);
  assert(before != 7);
}`);
  for (const model of MODELS) expect(verdict(check(program, model, OPTIONS)), model).toMatch(/^assertion.*before/);
});

it.each([
  ['chosen between', 'int v = 0, w = 0; chosen(&v, &w); assert(v == 0 && w == 1);'],
  ['overwritten in the function', 'int v = 5; atomic_store(&x, 3); moved(&v); assert(v == 5 && plain == 3);'],
  ['passed twice', 'int v = 5; chosen(&v, &v); assert(v == 1);'],
  ['beyond the variable', 'int v = 0; get(&v + 1);', 'memory'],
])('a pointer has its verdict: %s', async (_, code, expected = 'verified') => {
  const program = await compileC(`${HEAD}\nint main(void) { ${code} }`);
  for (const sharedLocals of [false, true]) {
    const compiled = await compileC(`${HEAD}\nint main(void) { ${code} }`, { sharedLocals });
    expect(verdict(check(compiled, 'tso', OPTIONS)).split(':')[0]).toBe(expected);
  }
  expect(verdict(check(program, 'pso', OPTIONS)).split(':')[0]).toBe(expected);
});

/** The address is computed in a block that comes later in the text: accesses are still local. */
it.each(['%p', '%own'])('blocks may be in another order: %s', async (base) => {
  const program = await compileC({
    'order.ll': `
@x = global i32 0
@y = global i32 0
@r1 = global i32 0
@r2 = global i32 0
declare void @abort() noreturn
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_join(i64, ptr)
define i32 @get(ptr %p) {
entry:
  %own = alloca [2 x i32]
  store i32 0, ptr ${base}
  br label %def
use:
  store i32 1, ptr %q
  br label %out
def:
  %q = getelementptr i32, ptr ${base}, i64 0
  br label %use
out:
  %r = load i32, ptr ${base}
  ret i32 %r
}
define ptr @a(ptr %u) {
  %v = alloca i32
  store i32 0, ptr %v
  store atomic i32 1, ptr @x monotonic, align 4
  %l = load atomic i32, ptr @y monotonic, align 4
  %r = call i32 @get(ptr %v)
  %n = sub i32 1, %r
  %s = add i32 %l, %n
  store i32 %s, ptr @r1
  fence seq_cst
  ret ptr null
}
define ptr @b(ptr %u) {
  store atomic i32 1, ptr @y monotonic, align 4
  %l = load atomic i32, ptr @x monotonic, align 4
  store i32 %l, ptr @r2
  ret ptr null
}
define i32 @main() {
  %s = alloca i64
  %t = alloca i64
  %k1 = call i32 @pthread_create(ptr %s, ptr null, ptr @a, ptr null)
  %k2 = call i32 @pthread_create(ptr %t, ptr null, ptr @b, ptr null)
  %s1 = load i64, ptr %s
  %t1 = load i64, ptr %t
  %j1 = call i32 @pthread_join(i64 %s1, ptr null)
  %j2 = call i32 @pthread_join(i64 %t1, ptr null)
  %a = load i32, ptr @r1
  %b = load i32, ptr @r2
  %o = or i32 %a, %b
  %c = icmp ne i32 %o, 0
  br i1 %c, label %ok, label %bad
bad:
  call void @abort()
  unreachable
ok:
  ret i32 0
}
`,
  });
  for (const strategy of ['optimal', 'enumerate'] as const) {
    const found = MODELS.map((model) => verdict(check(program, model, { strategy })).split(':')[0]);
    expect(found, strategy).toEqual(['verified', 'assertion', 'assertion']);
  }
});
