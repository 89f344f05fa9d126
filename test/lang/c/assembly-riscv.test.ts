/**
 * Compares RISC-V's instructions with C11: what each is, and what it is not. `test/support/assembly.ts` has the
 * program.
 */
import { describe, expect, it } from 'vitest';
import { type Row, testRows } from '../../support/assembly.ts';
import { compileC, refusal, runAlone } from '../../support/c.ts';

const SIZES = [
  ['w', 'x', 'int'],
  ['d', 'x64', 'long long'],
  ['b', 'x8', 'signed char'],
  ['h', 'x16', 'short'],
] as const;

const LOADS_AND_STORES: readonly Row[] = [
  ...SIZES.map(
    ([size, x, type]) =>
      ({
        name: `s${size} and l${size}`,
        asm: [
          `A("s${size} %1, %0" : "=m"(${x}) : "r"((${type})-1) : "memory")`,
          `${type} v; A("s${size} %2, (%1); l${size} %0, %3" : "=&r"(v) : "r"(&x128), "r"((${type})3), "m"(${x}) : "memory"); r = v`,
        ],
        c: [
          `STORE((${type} *)&${x}, -1, RELAXED)`,
          `STORE((${type} *)&x128, 3, RELAXED); r = LOAD((${type} *)&${x}, RELAXED)`,
        ],
        not: [
          `STORE((${type} *)&${x}, -1, SEQ_CST)`,
          `STORE((${type} *)&x128, 3, SEQ_CST); r = LOAD((${type} *)&${x}, SEQ_CST)`,
        ],
        under: 'tso',
      }) as const,
  ),
  {
    name: 'lbu',
    asm: ['STORE(&x8, -1, RELAXED)', 'long v; A("lbu %0, 0(%1)" : "=r"(v) : "r"(&x8) : "memory"); r = v'],
    c: ['STORE(&x8, -1, RELAXED)', 'r = (unsigned char)LOAD(&x8, RELAXED)'],
    not: ['STORE(&x8, -1, RELAXED)', 'long v; A("lb %0, 0(%1)" : "=r"(v) : "r"(&x8) : "memory"); r = v'],
    under: 'sc',
  },
];

/** The letters of an order, the order, and a different one. */
const ORDERS = [
  ['', 'RELAXED', 'RELEASE'],
  ['.aq', 'ACQUIRE', 'ACQ_REL'],
  ['.rl', 'RELEASE', 'RELAXED'],
  ['.aqrl', 'ACQ_REL', 'RELAXED'],
] as const;

const AMOS: readonly Row[] = (
  [
    ['swap', 'SWAP(&x, ME, O)'],
    ['add', 'ADD(&x, ME, O)'],
    ['and', 'AND(&x, ME, O)'],
    ['or', 'OR(&x, ME, O)'],
    ['xor', 'XOR(&x, ME, O)'],
    ['max', '__atomic_fetch_max(&x, ME, __ATOMIC_O)'],
    ['min', '__atomic_fetch_min(&x, ME, __ATOMIC_O)'],
    ['maxu', '__atomic_fetch_max((unsigned *)&x, ME, __ATOMIC_O)'],
    ['minu', '__atomic_fetch_min((unsigned *)&x, ME, __ATOMIC_O)'],
  ] as const
).flatMap(([name, c], n) =>
  // All orders of the first two, one of each of the others.
  ORDERS.filter((_, k) => n < 2 || k === n % 4).map(([letters, order, not]) => ({
    name: `amo${name}.w${letters}`,
    asm: `int o; A("amo${name}.w${letters} %0, %z2, %1" : "=r"(o), "+A"(x) : "rJ"(ME) : "memory"); r = o`,
    c: `r = ${c.replace('O)', `${order})`)}`,
    not: `r = ${c.replace('O)', `${not})`)}`,
    under: 'pso' as const,
  })),
);

/** `amoadd` without letters is not a fence in C's terms either: message passing through it fails. */
const LANGUAGE: readonly Row[] = [
  {
    name: 'amoadd.w under rc11',
    asm: 'int o; A("amoadd.w %0, %2, (%1)" : "=r"(o) : "r"(&x), "r"(ME) : "memory"); r = o',
    c: 'r = ADD(&x, ME, RELAXED)',
    not: 'r = ADD(&x, ME, ACQ_REL)',
    under: 'rc11',
  },
  {
    name: 'amoadd.d',
    asm: 'long long o; A("amoadd.d.aqrl %0, %2, %1" : "=r"(o), "+A"(x64) : "r"((long long)ME << 33) : "memory"); r = o >> 33',
    c: 'r = ADD(&x64, (long long)ME << 33, ACQ_REL) >> 33',
    not: 'long long o = LOAD(&x64, RELAXED); STORE(&x64, o + ((long long)ME << 33), RELAXED); r = o >> 33',
    under: 'sc',
  },
  {
    name: 'amoswap.w to the zero register',
    asm: 'A("amoswap.w.rl zero, %1, %0" : "+A"(x) : "r"(ME) : "memory")',
    c: 'SWAP(&x, ME, RELEASE)',
    not: 'STORE(&x, ME, RELEASE)',
    under: 'tso',
  },
];

const LOOPS: readonly Row[] = [
  ...(
    [
      ['', '', 'RELAXED', 'RELEASE'],
      ['.aq', '', 'ACQUIRE', 'ACQ_REL'],
      ['', '.rl', 'RELEASE', 'RELAXED'],
      ['.aqrl', '.aqrl', 'ACQ_REL', 'RELAXED'],
    ] as const
  ).map(([a, l, order, not]) => ({
    name: `lr.w${a} and sc.w${l}, adding`,
    asm: `int o, n, s; A("1: lr.w${a} %0, %3; add %1, %0, %4; sc.w${l} %2, %1, %3; bnez %2, 1b" : "=&r"(o), "=&r"(n), "=&r"(s), "+A"(x) : "r"(ME) : "memory"); r = o`,
    c: `r = ADD(&x, ME, ${order})`,
    not: `r = ADD(&x, ME, ${not})`,
    under: 'pso' as const,
  })),
  {
    name: 'a loop that adds twice',
    asm: 'long o, s; A("0: lr.d %0, %2; add %1, %0, %3; add %1, %1, %3; sc.d %1, %1, %2; bnez %1, 0b" : "=&r"(o), "=&r"(s), "+A"(x64) : "r"((long)ME) : "memory"); r = o',
    c: 'long long o, e; do e = o = LOAD(&x64, RELAXED); while (!CAS(&x64, &e, o + ME + ME, RELAXED, RELAXED)); r = o',
    not: 'long long o = LOAD(&x64, RELAXED); STORE(&x64, o + ME + ME, RELAXED); r = o',
    under: 'sc',
  },
  ...[0, 5].map((expected) => ({
    name: `a loop that compares with ${expected}`,
    asm: `int o, s; A("0: lr.w.aq %0, %2; bne %0, %z3, 1f; sc.w.rl %1, %z4, %2; bnez %1, 0b; 1:" : "=&r"(o), "=&r"(s), "+A"(x) : "rJ"((long)${expected}), "rJ"(ME) : "memory"); r = o`,
    c: `int o, s = 0; do { o = LOAD(&x, ACQUIRE); if (o != ${expected}) break; int e = o; s = !CAS(&x, &e, ME, ACQ_REL, ACQUIRE); } while (s); r = o`,
    // A compare-exchange that fails waits for stores; a load does not.
    not:
      expected === 0
        ? 'r = LOAD(&x, ACQUIRE); if (r == 0) STORE(&x, ME, RELEASE)'
        : `int e = ${expected}; CAS(&x, &e, ME, ACQ_REL, ACQUIRE); r = e`,
    under: expected === 0 ? ('sc' as const) : ('tso' as const),
  })),
];

const FENCES: readonly Row[] = [
  ...(
    [
      ['fence', 'SEQ_CST', 'ACQ_REL', 'tso'],
      ['fence rw,rw', 'SEQ_CST', 'ACQ_REL', 'tso'],
      ['fence.tso', 'ACQ_REL', 'SEQ_CST', 'tso'],
      ['fence r,rw', 'ACQUIRE', 'ACQ_REL', 'pso'],
      ['fence rw,w', 'RELEASE', 'ACQ_REL', 'rc11'],
    ] as const
  ).map(([text, order, not, under]) => ({
    name: text,
    asm: `A("${text}" : : : "memory")`,
    c: `FENCE(${order})`,
    not: `FENCE(${not})`,
    under,
  })),
  // RC11 gives no answer for barriers weaker than any C11 fence.
  ...(
    [
      ['fence w,w', 'RELEASE', 'SEQ_CST', 'tso'],
      ['fence r,r', 'ACQUIRE', 'RELEASE', 'pso'],
      ['fence w,rw', 'SEQ_CST', 'RELEASE', 'tso'],
    ] as const
  ).map(([text, order, not, under]) => ({
    name: text,
    asm: `A("${text}" : : : "memory")`,
    c: `FENCE(${order})`,
    not: `FENCE(${not})`,
    under,
    models: ['sc', 'tso', 'pso'] as const,
  })),
  ...['nop', 'pause', 'fence r,w', '.option push\\n.option arch, +zihintpause\\npause\\n.option pop'].map(
    (text) => ({ name: text, asm: `A("${text}" : : : "memory")`, c: '', not: 'FENCE(RELEASE)', under: 'pso' }) as const,
  ),
];

describe('riscv64', () => testRows('riscv64', '', [...LOADS_AND_STORES, ...AMOS, ...LANGUAGE, ...LOOPS, ...FENCES]));

const ALONE = `#include <assert.h>
#define A __asm__ volatile
static int v = -5; static long q = -7; static unsigned char c8 = 250; static short s16 = -3;
int main(void) {
  long x = 1, y; int n, m = 3; unsigned u;
  A("lw %0, %1" : "=r"(x) : "m"(v)); assert(x == -5);
  A("lwu %0, %1" : "=r"(x) : "m"(v)); assert(x == 0xfffffffbl);
  A("lbu %0, 0(%2); lb %1, (%2)" : "=&r"(x), "=&r"(y) : "r"(&c8)); assert(x == 250 && y == -6);
  A("lh %0, %1" : "=r"(x) : "m"(s16)); assert(x == -3);
  A("lhu %0, %1" : "=r"(x) : "m"(s16)); assert(x == 65533);
  A("ld %0, 0(%1)" : "=r"(x) : "r"(&q)); assert(x == -7);
  A("sd %1, %0" : "=m"(q) : "r"(9l)); A("sb zero, %0" : "=m"(c8)); assert(q == 9 && c8 == 0);
  A("li %0, 5; addi %0, %0, -1; mv %1, %0" : "=&r"(x), "=r"(y)); assert(x == 4 && y == 4);
  A("add %0, %1, %2" : "=r"(n) : "r"(m), "r"(4)); assert(n == 7);
  A("addw %0, %1, %2" : "=r"(x) : "r"(0x7fffffff), "r"(1)); assert(x == -2147483648l);
  A("subw %0, %1, %2; addiw %0, %0, 1" : "=&r"(x) : "r"(1), "r"(3)); assert(x == -1);
  A("and %0, %1, %2; or %0, %0, %3; xori %0, %0, 1; andi %0, %0, 0x7f; ori %0, %0, 64; xor %0, %0, %3" : "=&r"(x) : "r"(6l), "r"(3l), "r"(8l)); assert(x == ((((6 & 3 | 8) ^ 1) & 0x7f | 64) ^ 8));
  A("not %0, %1; neg %0, %0" : "=&r"(x) : "r"(5l)); assert(x == 6);
  A("sext.w %0, %1" : "=r"(x) : "r"(0xfffffffful)); assert(x == -1);
  A("seqz %0, %2; snez %1, %2" : "=&r"(x), "=r"(y) : "r"(0l)); assert(x == 1 && y == 0);
  A("mv t0, %1; sub %0, t0, %1" : "=r"(x) : "r"(5l) : "t0"); assert(x == 0);
  x = 0; y = 4; A("1: add %0, %0, %1; addi %1, %1, -1; bgtz %1, 1b" : "+r"(x), "+r"(y)); assert(x == 10 && y == 0);
  A("blt %1, %2, 1f; li %0, 1; j 2f; 1: li %0, 2; 2: bltu %2, %1, 3f; li %0, 3; 3:" : "=&r"(x) : "r"(-1l), "r"(1l)); assert(x == 2);
  A("amoadd.w %0, %2, %1" : "=r"(x), "+A"(v) : "r"(-3)); assert(x == -5 && v == -8);
  A("amomax.w %0, %2, %1" : "=r"(n), "+A"(v) : "r"(2)); A("amominu.w %0, %2, %1" : "=r"(n), "+A"(v) : "r"(-1)); assert(v == 2 && n == 2);
  A("lr.w %0, %2; sc.w %1, %3, %2" : "=&r"(n), "=&r"(m), "+A"(v) : "r"(6)); assert(n == 2 && m == 0 && v == 6);
  A("0: lr.d %0, %2; addi %1, %0, 1; sc.d %1, %1, %2; bnez %1, 0b" : "=&r"(x), "=&r"(y), "+A"(q)); assert(x == 9 && q == 10 && y == 0);
  unsigned long first, second; A("rdtime %0" : "=r"(first)); A("rdcycle %0" : "=r"(second)); assert(second > first);
  return 0;
}
`;

it('a thread computes as the machine does', async () => {
  expect(runAlone(await compileC({ 'alone.c': ALONE }, { target: 'riscv64' }))).toBe('');
});

it.each([
  ['"bnez %0, 1f; 1:" : : "r"(x)', 'not all bits of an operand are known'],
  [
    '"sc.w %0, %2, %1" : "=&r"(x), "+A"(v) : "r"(x)',
    'a store-exclusive needs its load-exclusive in the same statement',
  ],
  ['"lr.w %0, %1; lw %0, %2; sc.w %0, %0, %1" : "=&r"(x), "+A"(v) : "m"(w)', 'and no access in between'],
  ['"lr.w %0, %1; fence rw,rw; sc.w %0, %0, %1" : "=&r"(x), "+A"(v)', 'and no access in between'],
  ['"lr.w %0, %1; sc.w %0, %0, %2" : "=&r"(x), "+A"(v), "+A"(w)', 'and no access in between'],
  ['"fence.i"', 'the instruction is not modelled'],
  ['"ecall"', 'the instruction is not modelled'],
  ['"lw %0, (sp)" : "=r"(x)', 'the register "sp" is neither an operand nor overwritten'],
])('refuses %s', async (assembly, reason) => {
  const source = `int v, w;\nint main(void) { int x = 0;\n  __asm__ volatile(${assembly}); return x; }\n`;
  const { message } = await refusal(source, { target: 'riscv64' });
  expect(message).toContain('test.c:3:3: unsupported inline assembly');
  expect(message).toContain(reason);
});
