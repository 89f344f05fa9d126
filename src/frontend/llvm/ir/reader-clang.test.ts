/** Reads the output of a real clang. Skipped if there is none of version 15 or newer. */
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { SEED } from '../../../../test/support/tier.ts';
import { Prng } from '../../../util/prng.ts';
import { LlvmError } from './error.ts';
import type { DType, LFunction, LInstruction, Module, Place } from './module.ts';
import { readModule } from './reader.ts';

const MUTANTS = 300;
const FLAGS = '--target=i386-linux-gnu -malign-double -std=gnu17 -nostdlibinc -g -S -emit-llvm -x c -o - -'.split(' ');
const LEVELS: readonly (readonly string[])[] = [['-O0', '-Xclang', '-disable-O0-optnone'], ['-O1'], ['-O2']];
const CANDIDATES = [process.env['FENCEPOST_CLANG'], 'clang', ...[19, 18, 17, 16, 15].map((n) => `clang-${n}`)];

const clang = CANDIDATES.find((path) => path !== undefined && path !== '' && isUsable(path));
if (clang === undefined) {
  console.warn(
    `reader-clang.test.ts: skipped, because no clang of version 15 or newer was found (${CANDIDATES.join(' ')})`,
  );
}

function isUsable(path: string): boolean {
  const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' });
  const version = Number(/clang version (\d+)/.exec(stdout ?? '')?.[1]);
  return version >= 15 && spawnSync(path, FLAGS, { input: 'int x;' }).status === 0;
}

function compile(source: string, level: readonly string[] = LEVELS[0]!): string {
  const { status, stdout, stderr } = spawnSync(clang!, [...level, '-w', ...FLAGS], {
    input: source,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

const SOURCES: Readonly<Record<string, string>> = {
  structs: `
struct node { int value; struct node *next; char tag[3]; };
static struct node pool[4] = {{1, &pool[1], "ab"}};
struct __attribute__((packed)) packed { char c; int i; } pk = {1, 2};
struct flexible { int n; int data[]; };
int sum(struct node *n) { int s = 0; while (n) { s += n->value; n = n->next; } return s + pool[2].tag[1]; }
struct node copy(struct node *n) { struct node m = *n; return m; }
int last(struct flexible *f) { return f->data[f->n - 1]; }`,
  'bit-fields': `
struct bits { unsigned a : 3, b : 5; int c : 20; long long d : 40; _Bool e : 1; } g;
void f(struct bits *p) { p->a = 2; p->b++; g.c -= p->a; p->d = g.d + 1; p->e = !p->e; }`,
  unions: `
union u { int i; float f; char c[8]; struct { short lo, hi; }; } x = { .f = 1.5f };
int f(union u *p) { p->lo = 3; return p->i + x.c[2]; }`,
  arrays: `
int matrix[3][4]; double weights[] = {0.5, 1e300, -0.0};
int f(int i, int j) { int local[2][5] = {{1, 2}, {3}}; matrix[i][j] = local[1][0]; return matrix[2][j]; }`,
  atomics: `
#include <stdatomic.h>
#include <stdbool.h>
_Atomic char c; _Atomic short s; _Atomic int i; _Atomic long long l; _Atomic(void *) p; atomic_bool b;
_Atomic double d; _Atomic float f; atomic_flag flag = ATOMIC_FLAG_INIT; struct pair { int a, b; }; _Atomic struct pair pp;
_Atomic struct { int a[5]; } large; int plain; volatile int v;
int loads(void) {
  return atomic_load_explicit(&i, memory_order_relaxed) + atomic_load_explicit(&i, memory_order_consume) +
         atomic_load_explicit(&c, memory_order_acquire) + atomic_load(&s) + l + b + (p != 0) + (int)d;
}
void stores(void) {
  atomic_store_explicit(&i, 1, memory_order_relaxed); atomic_store_explicit(&s, 2, memory_order_release);
  c = 3; l = 4; p = &i; b = true; d = 1.5; f = 2; struct pair x = {1, 2}; pp = x; x = pp; v = v + 1; atomic_init(&i, 9);
}
int modify(void) {
  int r = atomic_fetch_add_explicit(&i, 1, memory_order_relaxed) + atomic_fetch_sub_explicit(&s, 1, memory_order_acquire);
  r += atomic_fetch_and_explicit(&c, 1, memory_order_release) + atomic_fetch_or_explicit(&i, 2, memory_order_acq_rel);
  r += atomic_fetch_xor(&l, 1) + atomic_exchange(&i, 3); i++; --l; i *= 3; d += 1; f -= 1;
  r += __sync_fetch_and_add(&plain, 1) + __sync_lock_test_and_set(&plain, 1) + __sync_fetch_and_nand(&plain, 1);
  __sync_lock_release(&plain); r += __sync_fetch_and_max(&plain, 4) + __atomic_fetch_min(&plain, 3, __ATOMIC_RELAXED);
  return r + atomic_flag_test_and_set_explicit(&flag, memory_order_acquire);
}
int exchange(void) {
  int e = 1; long long el = 2; void *ep = 0; struct pair x = pp;
  int r = atomic_compare_exchange_strong(&i, &e, 5);
  r += atomic_compare_exchange_weak_explicit(&l, &el, 6, memory_order_acq_rel, memory_order_acquire);
  r += atomic_compare_exchange_strong_explicit(&p, &ep, &r, memory_order_release, memory_order_relaxed);
  r += __sync_bool_compare_and_swap(&plain, 1, 2); large = large;
  return r + atomic_compare_exchange_strong(&pp, &x, x);
}
void fences(void) {
  atomic_thread_fence(memory_order_acquire); atomic_thread_fence(memory_order_release);
  atomic_thread_fence(memory_order_acq_rel); atomic_thread_fence(memory_order_seq_cst);
  atomic_signal_fence(memory_order_seq_cst); __sync_synchronize();
}`,
  varargs: `
#include <stdarg.h>
struct s { int a[3]; }; int printf(const char *, ...);
int sum(int n, ...) {
  va_list ap, aq; va_start(ap, n); va_copy(aq, ap); int r = 0;
  for (int i = 0; i < n; i++) r += va_arg(ap, int);
  r += va_arg(aq, double) + va_arg(aq, long long) + va_arg(aq, struct s).a[1]; va_end(aq); va_end(ap); return r;
}
int f(void) { struct s s = {{1}}; return printf("%d %f\\n", 1, 2.0) + sum(1, 2, 3.0, 4ll, s); }`,
  switch: `
int f(long long x, unsigned char c) {
  switch (x) { case 1: case 2: return 4; case -5: x++; break; case 0x123456789LL: return 8; case 10 ... 12: return 1; default: x--; }
  switch (c) { case 200: return 3; }
  return (int)x;
}`,
  'computed goto': `
int f(int k) { static void *table[] = {&&one, &&two}; goto *table[k & 1]; one: k++; two: return k * 3; }`,
  'function pointers': `
static int twice(int x) { return 2 * x; } int (*table[2])(int) = {twice}; typedef int (*fn)(int);
fn pick(int i) { return table[i]; } int f(int (*g)(int), int i) { return g(i) + pick(i)(3) + (*table)(1) + ((int (*)())twice)(4); }
int other(int) __attribute__((alias("f"), weak)); extern int weak(void) __attribute__((weak)); int w(void) { return weak ? weak() : 0; }`,
  floats: `
double d = 0.1, infinite = __builtin_inf(), none = __builtin_nan(""); float g = 0.1f; long double ld = 1.25L;
double f(double x, float y, int i, unsigned u, long long l) {
  x = -x + i + u + l; y = (float)x * y / 2 - 1; ld = ld * 2 + x; l = (long long)x + (unsigned)y;
  return (x < y) + (x == y) + (x != x) + !x + __builtin_fabs(x) + __builtin_sqrt(x) + (double)ld + (int)l;
}
_Complex double c(_Complex double z) { return z * z; }`,
  integers: `
unsigned f(unsigned a, int b, long long c, unsigned long long e, signed char s, unsigned short h, char *p) {
  unsigned r = a / 3 + a % 5 + (a << 2) + (a >> 3) + (b >> 2) + b / 7 + b % 9 + ~a; int o;
  r ^= (unsigned)c & 0xff; r |= e / 3 + e % 7 + (c >> 33) + c * c; r += s + h + (p != 0) + (p - (char *)0) + (unsigned long)p;
  r += __builtin_popcount(a) + __builtin_clz(a) + __builtin_ctz(a) + __builtin_bswap32(a) + __builtin_expect(a, 1);
  r += __builtin_add_overflow(b, 3, &o) + __builtin_mul_overflow(a, 3u, &a) + __builtin_abs(b) + (a ? b : o) + (a && b || c);
  return r + *(p + 3) + 9223372036854775807ll % r;
}
_BitInt(37) wide(_BitInt(37) x) { return x + 1; }`,
  'thread-local': `
_Thread_local int a = 3; static _Thread_local long long b; extern _Thread_local int c;
int f(void) { static _Thread_local int d; return a++ + b + c + d--; }`,
  'inline assembly': `
__asm__(".globl xyz"); int named __asm__("odd name");
int f(int a) {
  int r; __asm__ volatile("mfence" ::: "memory"); __asm__ volatile("" ::: "memory"); __asm__("movl %1, %0" : "=r"(r) : "r"(a));
  __asm__ volatile("incl %0" : "+m"(named)); __asm__ volatile("pause"); return r;
}`,
  'static locals and strings': `
const char *names[] = {"one", "two\\n\\"q\\"\\\\", "caf\\xc3\\xa9\\0x"}; int wide[] = {L'x'}; __attribute__((section("mine"))) int there;
int next(void) { static int count = 5; static const char text[] = "text"; { static int count; count++; } return ++count + text[1]; }
const char *where(void) { return __func__; }`,
  'initialisers with addresses': `
int matrix[3][4]; int *cell = &matrix[1][2]; struct s { int a; char c[6]; struct s *self; } x = {1, "abc", &x}, *q = &x + 1;
char *middle = &x.c[2]; unsigned long number = (unsigned long)&x; int distance = &matrix[2][1] - &matrix[0][0];
void f(void); void (*pf)(void) = f; void *const pv = (char *)f; extern int outside[]; int *po = &outside[-3];`,
  'variable-length arrays': `
int f(int n) { int v[n]; for (int i = 0; i < n; i++) v[i] = i; int w[n][n + 1]; w[1][2] = sizeof v; char *p = __builtin_alloca(n); *p = 1; return v[n - 1] + w[1][2]; }
int g(int n, int a[n]) { return a[n - 1]; }`,
  'structs by value': `
struct small { int a, b; }; struct large { int a[5]; }; struct one { float x; };
struct small mk(int a) { struct small s = {a, a + 1}; return s; } struct large ml(void) { struct large l = {{1}}; return l; }
int take(struct small s, struct large l, struct one o) { return s.b + l.a[2] + (int)o.x; }
int f(void) { struct one o = {1}; return take(mk(3), ml(), o); }`,
  'booleans, enums and compound literals': `
#include <stdbool.h>
enum color { RED, GREEN = 5, BLUE } col = BLUE; typedef enum { ON, OFF } state; state s = OFF; struct p { int x, y; } *g = &(struct p){1, 2};
bool f(bool a, unsigned char b, signed char c, enum color e) { bool r = a && b || c > 3; r ^= e == GREEN; struct p q = (struct p){b, c}; return r == (q.x > s); }`,
  loops: `
int f(int n) {
  int r = 0; for (;;) { for (int i = 0; i < n; i++) { if (i == r) goto out; if (i & 1) continue; r++; } do { r += 2; if (r == 7) break; } while (r < n); }
out: while (r-- > 0) n++; return ({ int t = n; t * 2; }) + (n ?: 3);
}
__attribute__((noreturn)) void die(void) { __builtin_trap(); } int unreachable(int x) { if (x) return 1; __builtin_unreachable(); }
__attribute__((constructor)) static void first(void) {} static inline int inl(int x) { return x; } int g(void) { return inl(1); }
void *memset(void *, int, unsigned); void *memcpy(void *, const void *, unsigned); void h(char *p) { char b[64] = {0}; memset(b, 1, 9); memcpy(p, b, 64); }`,
};

describe.skipIf(clang === undefined)('what clang writes', () => {
  describe.each(Object.entries(SOURCES))('%s', (_name, source) => {
    it('is understood at -O0', () => {
      const module = readModule(compile(source), 'test.ll');
      expect(instructions(module).filter((i) => i.op === 'unsupported')).toEqual([]);
      expect(json(module)).not.toContain('"unsupported"');
      for (const f of module.functions.values()) {
        if (f.blocks.length > 0 && !f.name.startsWith('_GLOBAL')) expect(f.place?.file).toBe('<stdin>');
      }
    });

    it.each(LEVELS.slice(1))('is read at %s', (...level) => {
      expect(readModule(compile(source, level), 'test.ll').functions.size).toBeGreaterThan(0);
    });
  });

  const one = (name: string) => readModule(compile(SOURCES[name]!), 'test.ll');

  it('keeps memory orders', () => {
    const { functions } = one('atomics');
    expect(orders(functions.get('loads')!)).toEqual(
      'monotonic acquire acquire seq_cst seq_cst seq_cst seq_cst seq_cst'.split(' '),
    );
    expect(orders(functions.get('modify')!).slice(0, 4)).toEqual(['monotonic', 'acquire', 'release', 'acq_rel']);
    expect(operations(functions.get('fences')!).filter((i) => i.op === 'fence')).toMatchObject([
      { order: 'acquire', singleThread: false },
      { order: 'release', singleThread: false },
      { order: 'acq_rel', singleThread: false },
      { order: 'seq_cst', singleThread: false },
      { order: 'seq_cst', singleThread: true },
      { order: 'seq_cst', singleThread: false },
    ]);
    expect(operations(functions.get('exchange')!).filter((i) => i.op === 'cmpxchg')).toMatchObject([
      { weak: false, order: 'seq_cst', failureOrder: 'seq_cst' },
      { weak: true, order: 'acq_rel', failureOrder: 'acquire' },
      { weak: false, order: 'release', failureOrder: 'monotonic' },
      { weak: false, order: 'seq_cst', failureOrder: 'seq_cst' },
      { weak: false, order: 'seq_cst', failureOrder: 'seq_cst' },
    ]);
  });

  it('knows places', () => {
    const module = readModule(compile('int x, y;\nvoid f(int n) {\n  x = 1;\n    y = n;\n}\n'), 'test.ll');
    const f = module.functions.get('f')!;
    const places = new Map<string, Place | undefined>();
    for (const i of operations(f)) {
      if (i.op === 'store' && i.address.kind === 'global') places.set(i.address.name, i.place);
    }
    expect(f.place).toEqual({ file: '<stdin>', line: 2, column: 0 });
    expect(places.get('x')).toEqual({ file: '<stdin>', line: 3, column: 5 });
    expect(places.get('y')).toEqual({ file: '<stdin>', line: 4, column: 7 });
    expect(variable(f, 'n').place).toEqual({ file: '<stdin>', line: 2, column: 12 });
    expect(module.globals.get('y')!.variable).toMatchObject({ name: 'y', place: { line: 1 } });
  });

  it('knows types of variables', () => {
    const structs = one('structs');
    const pool = structs.globals.get('pool')!.variable!;
    expect(pool).toMatchObject({ name: 'pool', place: { file: '<stdin>', line: 3, column: 0 } });
    expect(pool).not.toHaveProperty('scope');
    expect(describeType(pool.type, 2)).toBe('struct node {value@0:32 int, next@32:32 *, tag@64:24 char[3]}[4]');
    expect(describeType(variable(structs.functions.get('sum')!, 'n').type, 1)).toBe('struct node*');
    expect(describeType(one('bit-fields').globals.get('g')!.variable!.type, 2)).toBe(
      'struct bits {a@0:3 bit unsigned int, b@3:5 bit unsigned int, c@8:20 bit int, d@64:40 bit long long, e@104:1 bit _Bool}',
    );
    expect(describeType(one('unions').globals.get('x')!.variable!.type, 2)).toBe(
      'union u {i@0:32 int, f@0:32 float, c@0:64 char[8], @0:32 struct  {lo@0:16 short, hi@16:16 short}}',
    );
    const enums = one('booleans, enums and compound literals');
    expect(describeType(enums.globals.get('s')!.variable!.type, 1)).toBe('enum state');
    const vla = variable(one('variable-length arrays').functions.get('f')!, 'w').type;
    expect(describeType(vla, 1)).toBe('int[?][?]');
  });

  it('knows the function of a static local', () => {
    const { globals } = one('static locals and strings');
    const found = Array.from(globals.values(), (g) => g.variable).filter((v) => v?.name === 'count');
    expect(found).toMatchObject([
      { scope: 'next', place: { line: 3 } },
      { scope: 'next', place: { line: 3 } },
    ]);
    const strings = Array.from(globals.values(), ({ init }) => (init?.kind === 'string' ? decode(init.bytes) : ''));
    expect(strings).toEqual(expect.arrayContaining(['one\0', 'two\n"q"\\\0', 'caf\u00e9\0x\0', 'text\0']));
  });

  it('knows how structs are passed', () => {
    const { functions } = one('structs by value');
    expect(functions.get('ml')!.parameters).toMatchObject([{ sret: { kind: 'named', name: 'struct.large' } }]);
    expect(functions.get('take')!.parameters.map((p) => p.byval)).toContainEqual({
      kind: 'named',
      name: 'struct.large',
    });
    const calls = operations(functions.get('f')!).filter((i) => i.op === 'call');
    const take = calls.find((i) => i.callee.kind === 'global' && i.callee.name === 'take')!;
    expect(take.arguments.map((p) => p.byval)).toContainEqual({ kind: 'named', name: 'struct.large' });
  });

  it(`gives nothing but LlvmErrors when it is mutated (${MUTANTS} times)`, () => {
    const random = new Prng(SEED);
    const samples = ['structs', 'atomics', 'switch', 'computed goto'].map((name) => compile(SOURCES[name]!));
    for (let i = 0; i < MUTANTS; i++) {
      const text = mutate(samples[i % samples.length]!, random);
      try {
        readModule(text, 'mutant.ll');
      } catch (error) {
        if (!(error instanceof LlvmError)) throw new Error(`seed ${SEED}, mutant ${i}: ${error}\n${text}`);
      }
    }
  });
});

function operations(f: LFunction): LInstruction[] {
  return f.blocks.flatMap((block) => block.body);
}

function instructions(module: Module): LInstruction[] {
  return Array.from(module.functions.values()).flatMap(operations);
}

function orders(f: LFunction): string[] {
  return operations(f).flatMap((i) => ('order' in i && i.order !== undefined ? [i.order] : []));
}

function variable(f: LFunction, name: string) {
  const found = Array.from(f.variables.values()).find((v) => v.name === name);
  if (found === undefined) throw new Error(`no variable ${name} in ${f.name}`);
  return found;
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function json(module: Module): string {
  const show = (_key: string, value: unknown) => {
    if (typeof value === 'bigint') return String(value);
    return value instanceof Map ? Array.from(value) : value;
  };
  return JSON.stringify(module, show);
}

/** Roughly as C would write it; with members to the given depth. */
function describeType(type: DType | undefined, depth: number): string {
  if (type === undefined) return 'void';
  switch (type.kind) {
    case 'base':
      return type.name;
    case 'pointer':
      return depth > 0 ? `${describeType(type.target(), 0)}*` : '*';
    case 'array':
      return describeType(type.element(), depth) + type.counts.map((count) => `[${count ?? '?'}]`).join('');
    case 'struct':
    case 'union': {
      if (depth < 2) return `${type.kind} ${type.name}`;
      const members = type.members().map((m) => {
        const inner = m.type?.kind === 'pointer' ? '*' : describeType(m.type, depth);
        return `${m.name}@${m.bitOffset}:${m.bits}${m.isBitField ? ' bit' : ''} ${inner}`;
      });
      return `${type.kind} ${type.name} {${members.join(', ')}}`;
    }
    default:
      return `${type.kind} ${type.name}`;
  }
}

function mutate(text: string, random: Prng): string {
  const lines = text.split('\n');
  const line = random.below(lines.length);
  const old = lines[line]!;
  const at = random.below(old.length + 1);
  const other = lines[random.below(lines.length)]!;
  switch (random.below(5)) {
    case 0:
      return text.slice(0, random.below(text.length));
    case 1:
      return lines.toSpliced(line, 1).join('\n');
    case 2:
      return lines.with(line, old.slice(0, at) + old.slice(at + 1)).join('\n');
    case 3:
      return lines.with(line, old.slice(0, at) + other.slice(random.below(other.length + 1))).join('\n');
    default:
      return lines.toSpliced(line, 0, other).join('\n');
  }
}
