/** 64-bit programs: pointers with tags, integers of 128 bits, structures in registers, variable arguments, targets. */
import { describe, expect, it } from 'vitest';
import { TARGETS } from '../../../src/frontend/llvm/clang/targets.ts';
import type { Program } from '../../../src/program/ir.ts';
import { check, compileC, MODELS, refusal, runAlone, verdict } from '../../support/c.ts';

describe('128-bit integers', () => {
  const VALUES = [
    0n,
    1n,
    3n,
    63n,
    64n,
    65n,
    127n,
    (1n << 32n) - 1n,
    (1n << 64n) - 1n,
    1n << 64n,
    0x123456789abcdef0fedcba9876543210n,
    (1n << 127n) - 1n,
    1n << 127n,
    (1n << 128n) - 1n,
  ];
  const signed = (value: bigint): bigint => BigInt.asIntN(128, value);
  const bit = (holds: boolean): bigint => (holds ? 1n : 0n);
  const overflows = (a: bigint, b: bigint): boolean => b === 0n || (a === 1n << 127n && signed(b) === -1n);
  const EXPRESSIONS: Readonly<Record<string, (a: bigint, b: bigint) => bigint>> = {
    'a + b': (a, b) => a + b,
    'a - b': (a, b) => a - b,
    'a * b': (a, b) => a * b,
    'a & b': (a, b) => a & b,
    'a | b': (a, b) => a | b,
    'a ^ b': (a, b) => a ^ b,
    '~a': (a) => ~a,
    '-a': (a) => -a,
    'a << (b & 127)': (a, b) => a << (b & 127n),
    'a >> (b & 127)': (a, b) => a >> (b & 127n),
    '(wide)((__int128)a >> (b & 127))': (a, b) => signed(a) >> (b & 127n),
    '(wide)(a < b)': (a, b) => bit(a < b),
    '(wide)(a >= b)': (a, b) => bit(a >= b),
    '(wide)(a == b)': (a, b) => bit(a === b),
    '(wide)(a != b)': (a, b) => bit(a !== b),
    '(wide)((__int128)a < (__int128)b)': (a, b) => bit(signed(a) < signed(b)),
    '(wide)((__int128)a > (__int128)b)': (a, b) => bit(signed(a) > signed(b)),
    '(wide)(__int128)(int)a': (a) => BigInt.asIntN(32, a),
    '(wide)(unsigned)a': (a) => BigInt.asUintN(32, a),
    '(wide)(unsigned long)a': (a) => BigInt.asUintN(64, a),
    'b ? a : 7': (a, b) => (b === 0n ? 7n : a),
    'identity(a)': (a) => a,
  };

  const DIVISIONS: Readonly<Record<string, (a: bigint, b: bigint) => bigint>> = {
    'b ? a / b : a': (a, b) => (b === 0n ? a : a / b),
    'b ? a % b : a': (a, b) => (b === 0n ? a : a % b),
    'quotient(a, b)': (a, b) => (overflows(a, b) ? a : signed(a) / signed(b)),
    'rest(a, b)': (a, b) => (overflows(a, b) ? a : signed(a) % signed(b)),
  };
  const FEW = [0n, 1n, 3n, (1n << 64n) - 1n, 0x123456789abcdef0fedcba9876543210n, 1n << 127n, (1n << 128n) - 1n];

  it.each([
    ['compute', EXPRESSIONS, VALUES],
    ['divide', DIVISIONS, FEW],
  ])('%s what C says', async (_, expressions, values) => {
    const literal = (value: bigint): string =>
      `(wide)0x${(value >> 64n).toString(16)}ul << 64 | 0x${(value & ((1n << 64n) - 1n)).toString(16)}ul`;
    const source = `#include <stdio.h>
typedef unsigned __int128 wide;
static wide values[] = { ${values.map(literal).join(', ')} };
static wide identity(wide x) { return x; }
static int overflows(wide a, wide b) { return b == 0 || (a == (wide)1 << 127 && b == ~(wide)0); }
static wide quotient(wide a, wide b) { return overflows(a, b) ? a : (wide)((__int128)a / (__int128)b); }
static wide rest(wide a, wide b) { return overflows(a, b) ? a : (wide)((__int128)a % (__int128)b); }
static void show(wide x) { printf("%lx %lx\\n", (unsigned long)(x >> 64), (unsigned long)x); }
static void one(wide a, wide b) {
${Object.keys(expressions)
  .map((expression) => `  show(${expression});`)
  .join('\n')}
}
int main(void) {
  for (int i = 0; i < ${values.length}; i++) for (int j = 0; j < ${values.length}; j++) one(values[i], values[j]);
  return 0;
}
`;
    const halves = (value: bigint): string => {
      const bits = BigInt.asUintN(128, value);
      return `${(bits >> 64n).toString(16)} ${(bits & ((1n << 64n) - 1n)).toString(16)}`;
    };
    const wanted = values.flatMap((a) =>
      values.flatMap((b) => Object.values(expressions).map((compute) => halves(compute(a, b)))),
    );
    expect(
      runAlone(await compileC(source))
        .trimEnd()
        .split('\n'),
    ).toEqual(wanted);
  });

  it('are passed as arguments of ...', async () => {
    const source = `#include <assert.h>
#include <stdarg.h>
static long f(int n, ...) {
  va_list l;
  va_start(l, n);
  long sum = 0;
  for (int i = 0; i < n; i++) {
    sum += va_arg(l, int);
    __int128 w = va_arg(l, __int128);
    sum += (long)(w >> 64) * 1000 + (long)w;
  }
  va_end(l);
  return sum;
}
int main(void) { assert(f(2, 1, ((__int128)5 << 64) | 2, 3, ((__int128)7 << 64) | 4) == 12010); return 0; }
`;
    for (const target of ['aarch64', 'riscv64'] as const) {
      expect(verdict(check(await compileC(source, { target }), 'sc')), target).toBe('verified');
    }
    expect((await refusal(source)).message).toContain(
      'an argument of ... with an alignment of 16 bytes is unsupported',
    );
  });

  it('are not divided by zero, nor the smallest one by -1', async () => {
    const dividing = (a: string, by: string): Promise<Program> =>
      compileC(`__int128 a = ${a}, b = ${by}; int main(void) { return (int)(a / b); }`);
    expect(verdict(check(await dividing('7', '0'), 'sc'))).toBe('misuse: division by zero');
    expect(verdict(check(await dividing('(__int128)1 << 127', '-1'), 'sc'))).toContain('division overflow');
    for (const by of ['1', '(__int128)1 << 64', '(__int128)-1 << 64', '0xffffffffffffffffull'])
      expect(verdict(check(await dividing('(__int128)1 << 127', by), 'sc')), by).toBe('verified');
  });

  it('are refused where they are not supported', async () => {
    const { message } = await refusal('int main(int n, char **v) {\n  __int128 x = n; return (int)(double)x; }\n');
    expect(message).toContain(':2:');
    expect(message).toContain('this conversion (sitofp) of a 128-bit integer is unsupported');
  });
});

/** Structures of all the kinds that an ABI passes in registers, in memory or in both. */
const STRUCTURES = `#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
struct two { int a, b; };
struct pair { long a; char *b; };
struct mixed { long a; double b; };
struct floats { float x, y; };
struct four { float x, y, z, w; };
struct one { char c; };
struct three { char c[3]; };
struct big { long a[5]; };
struct inner { struct two t; struct floats f; };
static struct two two(struct two x) { struct two y = {x.b, x.a}; return y; }
static struct pair pair(struct pair x) { x.a++; x.b++; return x; }
static struct mixed mixed(struct mixed x, struct mixed y) { struct mixed z = {x.a + y.a, x.b + y.b}; return z; }
static struct floats floats(struct floats x) { struct floats y = {x.y, x.x}; return y; }
static struct four four(struct four x) { struct four y = {x.w, x.z, x.y, x.x}; return y; }
static struct inner inner(struct inner x) { struct inner y = {two(x.t), floats(x.f)}; return y; }
static struct one one(struct one x) { x.c++; return x; }
static struct three three(struct three x) { x.c[2]++; return x; }
static struct big big(struct big x, int n) { x.a[4] += n; return x; }
static long sum(const char *kinds, ...) {
  va_list list, copy;
  va_start(list, kinds);
  va_copy(copy, list);
  long total = 0;
  for (int pass = 0; pass < 2; pass++) {
    for (const char *k = kinds; *k; k++) {
      switch (*k) {
        case 'i': total += pass ? va_arg(copy, int) : va_arg(list, int); break;
        case 'l': total += pass ? va_arg(copy, long) : va_arg(list, long); break;
        case 'd': total += (long)(pass ? va_arg(copy, double) : va_arg(list, double)); break;
        case 's': total += (long)strlen(pass ? va_arg(copy, char *) : va_arg(list, char *)); break;
        case 'p': { struct pair p = pass ? va_arg(copy, struct pair) : va_arg(list, struct pair); total += p.a; break; }
        case 'f': { struct floats f = pass ? va_arg(copy, struct floats) : va_arg(list, struct floats); total += (long)(f.x * 2 + f.y); break; }
        case 'b': { struct big b = pass ? va_arg(copy, struct big) : va_arg(list, struct big); total += b.a[4]; break; }
      }
    }
  }
  va_end(copy);
  va_end(list);
  return total;
}
int main(void) {
  struct two t = two((struct two){1, 2});
  struct pair p = pair((struct pair){1L << 40, "xyz"});
  struct mixed m = mixed((struct mixed){1, 0.5}, (struct mixed){2, 0.25});
  struct one o = one((struct one){'a'});
  struct three h = three((struct three){{'a', 'b', 'c'}});
  struct big b = big((struct big){{1, 2, 3, 4, 5}}, 10);
  struct four f = four((struct four){1, 2, 3, 4});
  struct inner i = inner((struct inner){{1, 2}, {3, 4}});
  assert(f.x == 4 && f.y == 3 && f.z == 2 && f.w == 1 && i.t.a == 2 && i.t.b == 1 && i.f.x == 4 && i.f.y == 3);
  assert(sum("fif", i.f, 1, i.f) == 2 * (11 + 1 + 11));
  struct pair (*pointer)(struct pair) = pair;
  p = pointer(p);
  printf("%d %d|%ld %s|%ld %g|%c|%c|%ld|", t.a, t.b, p.a - (1L << 40), p.b, m.a, m.b, o.c, h.c[2], b.a[4]);
  struct pair q = {1000, "q"};
  printf("%ld|", sum("ildsipbdddddddddiiiiiiib", 1, 2L, 3.0, "four", 5, q, b, 1., 2., 3., 4., 5., 6., 7., 8., 9., 1, 2, 3, 4, 5, 6, 7, b));
  printf("%d %ld %lx %zu %p %s %c %g\\n", -1, -1L << 40, ~0ul, sizeof p, (void *)0x1234, "end", 'c', 2.5);
  return 0;
}
`;
const PRINTED = '2 1|2 z|3 0.75|b|d|15|2236|-1 -1099511627776 ffffffffffffffff 16 0x1234 end c 2.5\n';

describe.each(TARGETS)('%s', (target) => {
  it('has structures and variable arguments', async () => {
    const printed = runAlone(await compileC(STRUCTURES, { target }));
    const narrow = PRINTED.replace('-1099511627776 ffffffffffffffff 16', '0 ffffffff 8');
    if (target !== 'i686') expect(printed).toBe(PRINTED);
    else expect(printed.slice(printed.indexOf('|3 '))).toBe(narrow.slice(narrow.indexOf('|3 ')));
  });

  it('has its macros and sizes', async () => {
    const macro = { x86_64: '__x86_64__', i686: '__i386__', aarch64: '__aarch64__', riscv64: '__riscv' }[target];
    const bytes = target === 'i686' ? 4 : 8;
    const source = `#include <stdint.h>
#include <stddef.h>
#ifndef ${macro}
#error wrong machine
#endif
_Static_assert(sizeof(void *) == ${bytes} && sizeof(long) == ${bytes} && sizeof(size_t) == ${bytes}, "");
int main(void) { return 0; }
`;
    expect(runAlone(await compileC(source, { target }))).toBe('');
  });
});

const THREADS = `#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
`;

describe('a long long that is not atomic', () => {
  const source = (type: string): string => `${THREADS}
static ${type} x;
static void *run(void *argument) { x = -1; return argument; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  long long seen = x;
  assert(seen == 0 || seen == -1);
  pthread_join(t, 0);
  assert(x == -1);
  return 0;
}
`;

  // On these targets gcc and clang write it with two instructions.
  it.each([
    ['i686', 'long long', 'assertion'],
    ['i686', 'volatile long long', 'assertion'],
    ['i686', '_Atomic long long', 'verified'],
    ['i686', 'volatile double', 'verified'],
    ['i686', 'long', 'verified'],
    ['x86_64', 'volatile long long', 'verified'],
  ] as const)('may be torn on a narrow machine: %s, %s: %s', async (target, type, expected) => {
    const program = await compileC(source(type), { target });
    for (const model of MODELS) expect(verdict(check(program, model))).toContain(expected);
  });
});

/** The ABI of Linux on i386. */
describe('on i686, structures', () => {
  const head = `#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
`;
  it('have their layout', async () => {
    const source = `${head}struct s { char c; long long x; double d; char e; };
struct u { char c; _Atomic long long x; char e; };
struct in { int i; struct s s; long long a[2]; };
_Static_assert(offsetof(struct s, x) == 4 && offsetof(struct s, d) == 12 && sizeof(struct s) == 24, "i386");
_Static_assert(offsetof(struct u, x) == 8 && sizeof(struct u) == 24 && _Alignof(double) == 4, "i386");
_Static_assert(sizeof(struct in) == 44, "i386");
static struct s g = {1, 1ll << 40, 2.5, 3}; static struct in n = {1, {2, -3, 4.5, 5}, {6, 7}};
static struct u at;
static long long sum(int k, ...) { va_list l; va_start(l, k); long long r = 0; for (int i = 0; i < k; i++) { r += va_arg(l, int); r += va_arg(l, long long); r += (long long)va_arg(l, double); struct s v = va_arg(l, struct s); r += v.x + (int)v.d; } va_end(l); return r; }
static struct s twice(struct s a) { a.x *= 2; a.d *= 2; return a; }
static void *t(void *_) { at.x += 1ll << 33; __atomic_fetch_add(&n.a[0], 1ll << 35, 5); return 0; }
int main(void) {
  assert(g.c == 1 && g.x == 1ll << 40 && g.d == 2.5 && g.e == 3);
  struct s c = g, *h = malloc(sizeof *h); memcpy(h, &c, sizeof c); h->d += 1; h->x++;
  assert(h->d == 3.5 && h->x == (1ll << 40) + 1 && ((char *)h)[20] == 3);
  assert(sum(1, 1, 2ll, 3.5, c) == 1 + 2 + 3 + (1ll << 40) + 2);
  c = twice(c); assert(c.x == 1ll << 41 && c.d == 5);
  assert(n.s.x == -3 && n.s.d == 4.5 && n.a[1] == 7); free(h);
  pthread_t p; pthread_create(&p, 0, t, 0); at.x += 5; __atomic_fetch_add(&n.a[0], 1, 5); pthread_join(p, 0);
  assert(at.x == (1ll << 33) + 5 && n.a[0] == 7 + (1ll << 35));
  return 0;
}
`;
    const program = await compileC(source, { target: 'i686' });
    for (const model of ['sc', 'tso', 'pso', 'rc11'] as const)
      expect(verdict(check(program, model, { strategy: 'optimal' }))).toBe('verified');
  });

  it.each([
    ['double', 'assertion'],
    ['long long', 'assertion'],
    ['_Atomic long long', 'verified'],
    ['__attribute__((aligned(8))) double', 'verified'],
  ])('may be torn with a member %s: %s', async (type, expected) => {
    const source = `${head}static struct { int first; volatile ${type} x; } s;
static void *run(void *_) { s.x = 0.1 * 3 * 10; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); __typeof__(0 ? s.x : s.x) seen = s.x; assert(seen == 0 || seen == (__typeof__(seen))(0.1 * 3 * 10)); pthread_join(t, 0); return 0; }
`.replaceAll('0.1 * 3 * 10', type.endsWith('double') ? '1.0 / 3' : '-1');
    const program = await compileC(source, { target: 'i686' });
    for (const model of MODELS) expect(verdict(check(program, model))).toContain(expected);
  });

  it('have atomic operations on members that are aligned to 4', async () => {
    const source = `${head}static struct { int first; long long x; } s;
int main(void) {
  long long e = 1ll << 40;
  __atomic_store_n(&s.x, e, 5); assert(__atomic_load_n(&s.x, 5) == e);
  assert(__atomic_compare_exchange_n(&s.x, &e, 5, 0, 5, 5) && !__atomic_compare_exchange_n(&s.x, &e, 6, 0, 5, 0) && e == 5);
  assert(__atomic_exchange_n(&s.x, 7, 3) == 5 && __atomic_fetch_add(&s.x, 1, 0) == 7 && __atomic_fetch_sub(&s.x, 3, 0) == 8);
  assert(__atomic_fetch_or(&s.x, 8, 0) == 5 && __atomic_fetch_and(&s.x, 9, 0) == 13 && __atomic_fetch_xor(&s.x, 3, 0) == 9);
  assert(s.x == 10); return 0;
}
`;
    expect(verdict(check(await compileC(source, { target: 'i686' }), 'sc'))).toBe('verified');
  });
});

describe('pointers', () => {
  it('keep tags in their upper bits, in atomics too', async () => {
    const source = `${THREADS}
struct node { int value; };
static _Atomic(struct node *) head;
static struct node *tagged(struct node *p, uint64_t tag) { return (struct node *)((uintptr_t)p | tag << 48); }
static struct node *plain(struct node *p) { return (struct node *)((uintptr_t)p & 0xffffffffffff); }
static uint64_t tag(struct node *p) { return (uintptr_t)p >> 48; }
static void *run(void *argument) {
  struct node *n = malloc(sizeof *n);
  n->value = 1;
  struct node *old = atomic_load(&head);
  while (!atomic_compare_exchange_strong(&head, &old, tagged(n, tag(old) + 1)));
  return argument;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, run, 0);
  pthread_create(&b, 0, run, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(tag(head) == 2 && plain(head)->value == 1 && plain(head) != head);
  return 0;
}
`;
    const program = await compileC(source);
    for (const model of MODELS) expect(verdict(check(program, model))).toBe('verified');
  });

  it.each([
    ['with a tag', '*(int *)((uintptr_t)&x | 1ul << 48) = 1;'],
    ['that wraps to an object in 32 bits', 'char *p = (char *)&x; p[1ul << 32] = 1;'],
    ['whose member would wrap', 'struct { char c[1ul << 32]; char d; } *p = (void *)&x; p->d = 1;'],
    ['of all ones', '*(int *)-4l = 1;'],
  ])('%s are no addresses', async (_, statement) => {
    const program = await compileC(`${THREADS}int x[4]; int main(void) { ${statement} return 0; }`);
    expect(verdict(check(program, 'sc'))).toMatch(/address|outside|null/);
  });

  it('may be in constants, as older clangs write them', async () => {
    const source = `${THREADS}
static int x[4];
extern int nobody __attribute__((weak));
int main(void) {
  int low = (int)(long)&x[1];
  char byte = (char)(uintptr_t)x;
  unsigned long tagged = (uintptr_t)x | 1ul << 60;
  assert((int)(uintptr_t)x + 4 == low && byte == (char)low - 4 && tagged >> 60 == 1 && (int)tagged == low - 4);
  assert(&nobody == 0 && &x[1] != &x[2] && (unsigned)(uintptr_t)x == (unsigned)low - 4);
  return 0;
}
`;
    expect(verdict(check(await compileC(source), 'sc'))).toBe('verified');
  });

  it('before an object come back to it', async () => {
    const source = `${THREADS}
struct list { struct list *next; };
struct item { char pad[1 << 20]; struct list link; };
static struct list head = { &head };
int main(void) {
  struct item *i = (struct item *)((char *)head.next - offsetof(struct item, link));
  assert(&i->link == &head && i->link.next == &head);
  return 0;
}
`.replace('<stdint.h>', '<stdint.h>\n#include <stddef.h>');
    expect(verdict(check(await compileC(source), 'sc'))).toBe('verified');
  });

  it('to functions have low bits to spare, and are called', async () => {
    const source = `${THREADS}
static int f(int x) { return x + 1; }
int main(void) {
  int (*p)(int) = f;
  uintptr_t bits = (uintptr_t)p | 1;
  assert(((uintptr_t)p & 7) == 0 && ((int (*)(int))(bits & ~(uintptr_t)1))(2) == 3);
  return 0;
}
`;
    expect(verdict(check(await compileC(source), 'sc'))).toBe('verified');
  });

  it('that are too large for memory are not allocated', async () => {
    const source = `${THREADS}int main(void) { char *p = malloc((1ul << 32) + 8); if (p) p[8] = 1; return 0; }`;
    expect(verdict(check(await compileC(source), 'sc'))).not.toBe('verified');
  });
});

describe('sizes that do not fit 32 bits', () => {
  it.each([
    ['char a[16]; __builtin_memset(a, 0, (1ul << 32) + 4);', /outside|bounds/],
    ['static char a[16], b[16]; __builtin_memcpy(a, b, (1ul << 32) + 4);', /outside|bounds/],
    ['static char a[16]; char (*p)[1l << 32] = (void *)a; long i = 1; p[i][0] = 3;', /outside|address/],
    ['void *p; assert(posix_memalign(&p, 1ul << 32, 16) != 0);', /^verified$/],
    ['void *p = 0; assert(sscanf("0x7fffffffffff", "%p", &p) == 1 && p == (void *)0x7fffffffffff);', /^verified$/],
  ])('are not cut to 32 bits: %s', async (statements, expected) => {
    const program = await compileC(`${THREADS}#include <stdio.h>\nint main(void) { ${statements} return 0; }\n`);
    expect(verdict(check(program, 'sc'))).toMatch(expected);
  });

  it('are no sizes of local variables', async () => {
    const { message } = await refusal('int main(void) { char h[1l << 32]; h[1] = 1; return h[1]; }\n');
    expect(message).toContain('the variable h has 4294967296 bytes');
  });
});

it('small vectors may be constants', async () => {
  const source = `#include <assert.h>
#include <stdarg.h>
struct pair { float a, b; };
static float f(int n, ...) { va_list l; va_start(l, n); struct pair s = va_arg(l, struct pair); va_end(l); return s.a + s.b * 3; }
int main(void) { struct pair p = {1, 2}; assert(f(0, p) == 7); return 0; }
`;
  expect(verdict(check(await compileC(source, { optimise: '1' }), 'sc'))).toBe('verified');
});

describe('results of threads', () => {
  it('have 64 bits; an int is one too', async () => {
    const source = `${THREADS}
#include <threads.h>
static void *wide(void *x) { return (void *)((uintptr_t)x << 40 | 5); }
static int narrow(void *x) { return (int)(intptr_t)x - 8; }
static void *leaves(void *x) { pthread_exit((void *)((uintptr_t)x << 33)); }
int main(void) {
  pthread_t t;
  void *r;
  pthread_create(&t, 0, wide, (void *)3);
  pthread_join(t, &r);
  assert((uintptr_t)r == ((3ul << 40) | 5));
  pthread_create(&t, 0, leaves, (void *)3);
  pthread_join(t, &r);
  assert((uintptr_t)r == 3ul << 33);
  thrd_t u;
  int n;
  thrd_create(&u, narrow, (void *)3);
  thrd_join(u, &n);
  assert(n == -5);
  return 0;
}
`;
    expect(verdict(check(await compileC(source), 'sc'))).toBe('verified');
  });
});

describe('atomic objects of 16 bytes', () => {
  /** A pointer and a counter that are exchanged together: the classic remedy against ABA. */
  const STACK = `${THREADS}
struct top { void *pointer; uintptr_t count; };
static _Atomic struct top top;
static void *run(void *argument) {
  struct top old = {0}, new;
  do {
    new.pointer = argument;
    new.count = old.count + 1;
  } while (!atomic_compare_exchange_strong(&top, &old, new));
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, run, &a);
  pthread_create(&b, 0, run, &b);
  struct top seen = {0};
  atomic_compare_exchange_strong(&top, &seen, seen);
  assert((seen.pointer == 0) == (seen.count == 0));
  pthread_join(a, 0);
  pthread_join(b, 0);
  atomic_compare_exchange_strong(&top, &seen, seen);
  assert(seen.count == 2 && (seen.pointer == &a || seen.pointer == &b));
  return 0;
}
`;

  it('are read and exchanged as a whole', async () => {
    const program = await compileC(STACK);
    for (const model of MODELS) expect(verdict(check(program, model)), model).toBe('verified');
  });

  it('get no answer in C11, where they are no locks', async () => {
    expect(verdict(check(await compileC(STACK), 'rc11'))).toBe('inconclusive');
  });

  it.each([
    [
      'atomic',
      'atomic_store(&x, 1); r = (int)atomic_fetch_add(&y, 0);',
      'atomic_store(&y, 1); s = (int)atomic_fetch_add(&x, 0);',
      'verified',
    ],
    [
      'plain',
      '*(volatile wide *)&x = 1; r = (int)*(volatile wide *)&y;',
      '*(volatile wide *)&y = 1; s = (int)*(volatile wide *)&x;',
      /assertion/,
    ],
  ])('%s ones have their verdict in store buffering under TSO', async (_, first, second, expected) => {
    const source = `${THREADS}
typedef __int128 wide;
static _Atomic wide x, y;
static int r, s;
static void *run(void *_) { ${first} return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); ${second} pthread_join(t, 0); assert(r || s); return 0; }
`;
    const found = verdict(check(await compileC(source), 'tso'));
    if (typeof expected === 'string') expect(found).toBe(expected);
    else expect(found).toMatch(expected);
  });

  it('are not torn; plain ones are', async () => {
    const source = (load: string): string => `${THREADS}
typedef unsigned __int128 wide;
static _Atomic wide x;
static void *run(void *_) { atomic_exchange(&x, ~(wide)0); atomic_fetch_add(&x, 1); return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  wide seen = ${load};
  assert((unsigned long)seen == (unsigned long)(seen >> 64));
  pthread_join(t, 0);
  assert(atomic_fetch_or(&x, 0) == 0);
  return 0;
}
`;
    expect(verdict(check(await compileC(source('atomic_fetch_or(&x, 0)')), 'sc'))).toBe('verified');
    expect(verdict(check(await compileC(source('*(volatile wide *)&x')), 'sc'))).toMatch(/assertion/);
  });

  it.each([
    ['atomic_exchange_explicit(&x, 1, memory_order_acquire)', 'an atomic operation of 16 bytes must be seq_cst here'],
    ['atomic_load(&x)', 'an atomic load of this size is unsupported'],
  ])('%s is refused', async (expression, reason) => {
    const { message } = await refusal(
      `${THREADS}static _Atomic __int128 x;\nint main(void) { return (int)${expression}; }\n`,
    );
    expect(message).toContain(reason);
  });
});
