/**
 * Vectors of sixteen bytes. What is computed with them is compared, lane by lane, with the same program without vectors;
 * how memory is accessed, with assignments of structures of the same bytes.
 */
import { describe, expect, it } from 'vitest';
import { Prng } from '../../../src/util/prng.ts';
import { check, compileC, enumerate, MODELS, refusal, verdict } from '../../support/c.ts';
import { SEED, samples } from '../../support/tier.ts';

const TYPES = ['signed char', 'unsigned char', 'short', 'unsigned', 'int', 'long', 'float', 'double'];
const SIZES: Readonly<Record<string, number>> = { short: 2, unsigned: 4, int: 4, long: 8, float: 4, double: 8 };

interface Generated {
  readonly declarations: string;
  readonly body: string;
}

/** A function that does the same with vectors and with arrays, and compares them. */
function generate(prng: Prng, name: string): Generated {
  const type = TYPES[prng.below(TYPES.length)]!;
  const bytes = [16, 16, 16, 8, 32][prng.below(5)]!;
  const count = bytes / (SIZES[type] ?? 1);
  const isFloat = type === 'float' || type === 'double';
  const vectors = ['a', 'b', 'c'];
  const pick = (): string => vectors[prng.below(vectors.length)]!;
  const number = (): string => `${prng.below(200) - (type.startsWith('unsigned') ? 0 : 100)}`;
  const numbers = (): string => Array.from({ length: count }, number).join(', ');
  const lanes = (text: string): string => `for (int k = 0; k < ${count}; k++) { ${text} }`;
  const statement = (): string => {
    const [to, left, right] = [pick(), pick(), pick()];
    const operators = isFloat ? ['+', '-', '*'] : ['+', '-', '*', '&', '|', '^'];
    const operator = operators[prng.below(operators.length)]!;
    switch (prng.below(8)) {
      case 0: {
        const mask = Array.from({ length: count }, () => prng.below(2 * count));
        const scalars = mask.map(
          (k, lane) => `t[${lane}] = ${k < count ? `${left}s[${k}]` : `${right}s[${k - count}]`};`,
        );
        return `${to} = __builtin_shufflevector(${left}, ${right}, ${mask.join(', ')}); ${scalars.join(' ')} memcpy(${to}s, t, ${bytes});`;
      }
      case 1: {
        const [lane, value] = [prng.below(count), number()];
        return `${to}[${lane}] = ${value}; ${to}s[${lane}] = ${value};`;
      }
      case 2:
        return `{ int at = zero + ${prng.below(count)}; ${to}[at] = ${left}[${count} - 1 - at]; ${to}s[at] = ${left}s[${count} - 1 - at]; }`;
      case 3:
        return `${to} = -${left}; ${lanes(`${to}s[k] = -${left}s[k];`)}`;
      case 4:
        return `${to} = (V_${name}){${numbers()}}; memcpy(${to}s, &${to}, ${bytes});`;
      case 5:
        return `${to} = zero ? ${left} : ${right}; memcpy(${to}s, ${right}s, ${bytes});`;
      case 6:
        return `${to} = same_${name}(${left}); memcpy(${to}s, ${left}s, ${bytes});`;
      default:
        return `${to} = ${left} ${operator} ${right}; ${lanes(`${to}s[k] = ${left}s[k] ${operator} ${right}s[k];`)}`;
    }
  };
  const compared = vectors.map((v) => lanes(`assert(${v}[k] == ${v}s[k]);`)).join('\n  ');
  const inMemory = vectors.map((v) => `memcpy(t, &${v}, ${bytes}); ${lanes(`assert(t[k] == ${v}s[k]);`)}`).join('\n  ');
  return {
    declarations: `typedef ${type} T_${name};
typedef T_${name} V_${name} __attribute__((vector_size(${bytes})));
V_${name} same_${name}(V_${name} v) { return v; }
${vectors.map((v) => `V_${name} ${v}_${name} = {${numbers()}};`).join('\n')}`,
    body: `void ${name}(void) {
  ${vectors.map((v) => `V_${name} ${v} = ${v}_${name}; T_${name} ${v}s[${count}]; memcpy(${v}s, &${v}, ${bytes});`).join('\n  ')}
  T_${name} t[${count}];
  ${Array.from({ length: 8 }, statement).join('\n  ')}
  ${compared}
  ${inMemory}
}`,
  };
}

describe('computing with lanes', () => {
  const seeds = Array.from({ length: samples(6) }, (_, k) => SEED + k);
  it.each(seeds)('is what it is without vectors (seed %i)', async (seed) => {
    const prng = new Prng(seed);
    const parts = Array.from({ length: 8 }, (_, k) => generate(prng, `f${k}`));
    const source = `#include <assert.h>
#include <string.h>
int zero;
${parts.map(({ declarations, body }) => `${declarations}\n${body}`).join('\n')}
int main(void) { ${parts.map((_, k) => `f${k}();`).join(' ')} }
`;
    const options = { languageFlags: ['-fwrapv'] };
    expect(verdict(check(await compileC(source, options), 'sc')), source).toBe('verified');
    expect(verdict(check(await compileC(source, { ...options, target: 'aarch64' }), 'sc')), source).toBe('verified');
  });

  it('comparisons are vectors of bits, which select and are numbers', async () => {
    const text = `target triple = "x86_64-linux-gnu"
@a = global <4 x i32> <i32 1, i32 -2, i32 3, i32 4>, align 16
@b = global <4 x i32> <i32 1, i32 2, i32 -3, i32 4>, align 16
declare void @abort()
define i32 @main() {
  %a = load <4 x i32>, ptr @a, align 16
  %b = load <4 x i32>, ptr @b, align 16
  %less = icmp slt <4 x i32> %a, %b
  %same = icmp eq <4 x i32> %a, %b
  %either = or <4 x i1> %less, %same
  %bits = bitcast <4 x i1> %either to i4
  %minimum = select <4 x i1> %less, <4 x i32> %a, <4 x i32> %b
  %second = extractelement <4 x i32> %minimum, i64 1
  %third = extractelement <4 x i32> %minimum, i64 2
  %wide = bitcast <4 x i32> %minimum to i128
  %low = trunc i128 %wide to i64
  %doubles = bitcast i128 %wide to <2 x i64>
  %first = extractelement <2 x i64> %doubles, i32 0
  %1 = icmp eq i4 %bits, -5
  %2 = icmp eq i32 %second, -2
  %3 = icmp eq i32 %third, -3
  %4 = icmp eq i64 %low, %first
  %5 = icmp eq i64 %low, -8589934591
  %12 = and i1 %1, %2
  %123 = and i1 %12, %3
  %1234 = and i1 %123, %4
  %all = and i1 %1234, %5
  br i1 %all, label %fine, label %wrong
wrong:
  call void @abort()
  unreachable
fine:
  ret i32 0
}
`;
    expect(verdict(check(await compileC({ 'a.ll': text }), 'sc'))).toBe('verified');
  });

  it('a lane that there is not is an error', async () => {
    const source = `typedef int v4 __attribute__((vector_size(16)));
v4 v = {1, 2, 3, 4}; int n = 4;
int main(void) { return v[n]; }`;
    expect(verdict(check(await compileC(source), 'sc'))).toMatch(/a lane of a vector of 4/);
  });
});

describe('memory', () => {
  const HEAD = `#include <assert.h>
#include <pthread.h>
#include <string.h>
typedef int v4 __attribute__((vector_size(16)));
typedef long v2 __attribute__((vector_size(16)));
struct four { int a, b, c, d; } __attribute__((aligned(ALIGN)));
struct four x, y = {1, 1, 1, 1}; int r;
`;
  const program = (copy: string, threads: string): string => `${HEAD}
static void copy(struct four *to, const struct four *from) { ${copy} }
${threads}
int main(void) { pthread_t t; pthread_create(&t, 0, writer, 0); reader(); pthread_join(t, 0); }
`;
  const TORN = `static void *writer(void *u) { copy(&x, &y); return u; }
static void reader(void) { struct four z; copy(&z, &x); r = z.a + 2 * z.b + 4 * z.c + 8 * z.d; }`;

  it.each([
    [4, 'v4'],
    [8, 'v2'],
    [16, 'v4'],
  ])('is accessed like the bytes of a copy (alignment %i, %s)', async (align, type) => {
    const defines = [`ALIGN=${align}`];
    const own = `typedef ${type} v __attribute__((aligned(ALIGN))); *(v *)to = *(const v *)from;`;
    const vector = await compileC(program(own, TORN), { defines });
    const bytes = await compileC(program('*to = *from;', TORN), { defines });
    for (const model of ['sc', 'tso', 'pso'] as const) {
      const [ours, theirs] = [vector, bytes].map((one) => enumerate(one, model, ['r']));
      expect([...ours!.outcomes].sort()).toEqual([...theirs!.outcomes].sort());
      expect(ours!.outcomes.length).toBeGreaterThan(2);
    }
    for (const model of MODELS) expect(verdict(check(vector, model))).toBe(verdict(check(bytes, model)));
    expect(verdict(check(vector, 'rc11'))).toMatch(/^race/);
  });

  it('of pointers and of variables whose addresses are passed in lanes is shared', async () => {
    const text = `target triple = "x86_64-linux-gnu"
@kept = global [2 x ptr] zeroinitializer, align 16
@n = global i32 5
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_join(i64, ptr)
declare void @abort()
define ptr @write(ptr %u) {
  %all = load <2 x ptr>, ptr @kept, align 16
  %p = extractelement <2 x ptr> %all, i64 1
  store i32 7, ptr %p, align 4
  ret ptr %u
}
define i32 @main() {
  %x = alloca i32, align 4
  %t = alloca i64, align 8
  store i32 1, ptr %x, align 4
  %both = insertelement <2 x ptr> <ptr @n, ptr poison>, ptr %x, i64 1
  store <2 x ptr> %both, ptr @kept, align 16
  %1 = call i32 @pthread_create(ptr %t, ptr null, ptr @write, ptr null)
  %id = load i64, ptr %t, align 8
  %2 = call i32 @pthread_join(i64 %id, ptr null)
  %now = load i32, ptr %x, align 4
  %first = load ptr, ptr @kept, align 8
  %n = load i32, ptr %first, align 4
  %sum = add i32 %n, %now
  %is = icmp eq i32 %sum, 12
  br i1 %is, label %fine, label %wrong
wrong:
  call void @abort()
  unreachable
fine:
  ret i32 0
}
`;
    expect(verdict(check(await compileC({ 'a.ll': text }), 'sc'))).toBe('verified');
  });

  it('a vector that is never written has no value', async () => {
    const source = `typedef int v4 __attribute__((vector_size(16)));
int main(void) { v4 v; v[0] = 1; if (v[LANE]) return 1; return 0; }`;
    const verdicts = [0, 1].map(async (lane) =>
      verdict(check(await compileC(source, { defines: [`LANE=${lane}`], uninitialised: true }), 'sc')),
    );
    expect(await Promise.all(verdicts)).toEqual(['verified', expect.stringMatching(/^uninit/)]);
  });
});

it.each([
  [
    'an atomic load',
    '%v = load atomic <4 x i32>, ptr @g seq_cst, align 16',
    'an atomic access to a vector is unsupported',
  ],
  [
    'one of eight bytes',
    '%v = load atomic <2 x i32>, ptr @g seq_cst, align 8',
    'an atomic access to a vector is unsupported',
  ],
  [
    'an atomic store',
    'store atomic <4 x i32> zeroinitializer, ptr @g release, align 16',
    'an atomic access to a vector is unsupported',
  ],
  ['a conversion', '%v = sitofp <4 x i32> zeroinitializer to <4 x float>', 'converting vectors is unsupported'],
  [
    'an intrinsic',
    '%v = call <2 x i32> @llvm.smax.v2i32(<2 x i32> zeroinitializer, <2 x i32> zeroinitializer)',
    'unsupported intrinsic: llvm.smax.v2i32; of vectors, only arithmetic and copies are modelled',
  ],
  ['one with gaps', '%v = load <3 x i8>, ptr @g, align 4', 'a value of type vector is unsupported here'],
  ['bits in memory', '%v = load <8 x i1>, ptr @g, align 1', 'a vector of bits in memory is unsupported'],
])('%s is refused, with its place', async (_, instruction, message) => {
  const text = `target triple = "x86_64-linux-gnu"
@g = global [16 x i8] zeroinitializer, align 16
declare <2 x i32> @llvm.smax.v2i32(<2 x i32>, <2 x i32>)
define i32 @main() {
  ${instruction}
  ret i32 0
}
`;
  const error = await refusal({ 'a.ll': text });
  expect(error.message).toContain(message);
});
