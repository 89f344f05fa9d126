/**
 * Compares AArch64's instructions with C11: what each is, and what it is not. `test/support/assembly.ts` has the
 * program.
 */
import { describe, expect, it } from 'vitest';
import { type Row, testRows } from '../../support/assembly.ts';
import { check, compileC, refusal, runAlone } from '../../support/c.ts';

/** Sizes have their own letters, types and variables. */
const SIZES = [
  ['', 'w', 'x', 'int'],
  ['', 'x', 'x64', 'long long'],
  ['b', 'w', 'x8', 'unsigned char'],
  ['h', 'w', 'x16', 'unsigned short'],
] as const;

/** Machines do not distinguish relaxed from acquire; so what an order is not shows only under PSO or RC11. */
const ORDERS = [
  ['', 'RELAXED', 'ACQ_REL', 'pso'],
  ['a', 'ACQUIRE', 'ACQ_REL', 'pso'],
  ['l', 'RELEASE', 'RELAXED', 'pso'],
  ['al', 'ACQ_REL', 'RELAXED', 'pso'],
] as const;

const LOADS_AND_STORES: readonly Row[] = SIZES.flatMap(([size, w, x, type]) =>
  (
    [
      ['str', 'ldr', 'RELAXED', 'RELAXED', 'SEQ_CST', 'tso'],
      ['stlr', 'ldar', 'RELEASE', 'ACQUIRE', 'RELAXED', 'rc11'],
      ['stlr', 'ldapr', 'RELEASE', 'ACQUIRE', 'SEQ_CST', 'tso'],
    ] as const
  ).map(([store, load, release, acquire, not, under]) => ({
    name: `${store}${size} and ${load}${size} of ${type}`,
    asm: [
      `A("${store}${size} %${w}1, %0" : "=Q"(${x}) : "r"((${type})1) : "memory")`,
      `${type} v; A("${store}${size} %${w}2, [%1]; ${load}${size} %${w}0, %3" : "=&r"(v) : "r"(&x128), "r"((${type})3), "Q"(${x}) : "memory"); r = v`,
    ],
    c: [
      `STORE((${type} *)&${x}, 1, ${release})`,
      `STORE((${type} *)&x128, 3, ${release}); r = LOAD((${type} *)&${x}, ${acquire})`,
    ],
    not: [
      `STORE((${type} *)&${x}, 1, ${not})`,
      `STORE((${type} *)&x128, 3, ${not}); r = LOAD((${type} *)&${x}, ${not})`,
    ],
    under,
  })),
);

/** A loop around exclusives is a read-modify-write. */
const LOOPS: readonly Row[] = SIZES.flatMap(([size, w, x, type]) =>
  (
    [
      ['', '', 'RELAXED', 'ACQ_REL'],
      ['a', '', 'ACQUIRE', 'ACQ_REL'],
      ['', 'l', 'RELEASE', 'RELAXED'],
      ['a', 'l', 'ACQ_REL', 'RELAXED'],
    ] as const
  )
    // One order for each of the other sizes is enough.
    .filter(([a]) => size === '' || a === 'a')
    .slice(0, size === '' && w === 'w' ? 4 : 1)
    .map(([a, l, order, not]) => ({
      name: `ld${a}xr${size} and st${l}xr${size} of ${type}, adding`,
      asm: `${type} o, n; int s; A("1: ld${a}xr${size} %${w}0, [%3]; add %${w}1, %${w}0, %${w}4; st${l}xr${size} %w2, %${w}1, [%3]; cbnz %w2, 1b" : "=&r"(o), "=&r"(n), "=&r"(s) : "r"(&${x}), "r"((${type})ME) : "memory"); r = o`,
      c: `r = ADD((${type} *)&${x}, ME, ${order})`,
      not: `r = ADD((${type} *)&${x}, ME, ${not})`,
      under: 'pso',
    })),
);

const LOOP_OPERATORS: readonly Row[] = (
  [
    ['sub %w1, %w0, %w4', 'SUB(&x, ME, RELAXED)', 'v - ME'],
    ['and %w1, %w0, %w4', 'AND(&x, ME, RELAXED)', 'v & ME'],
    ['orr %w1, %w0, %w4', 'OR(&x, ME, RELAXED)', 'v | ME'],
    ['eor %w1, %w0, %w4', 'XOR(&x, ME, RELAXED)', 'v ^ ME'],
    ['', 'SWAP(&x, ME, RELAXED)', 'ME'],
  ] as const
).map(([compute, c, change]) => ({
  name: `ldxr, ${compute.slice(0, 3)}, stxr`,
  asm: `int o, n, s; A("1: ldxr %w0, %3; ${compute}; stxr %w2, %w${compute === '' ? 4 : 1}, %3; cbnz %w2, 1b" : "=&r"(o), "=&r"(n), "=&r"(s), "+Q"(x) : "r"(ME) : "memory"); r = o`
    .replace('"=&r"(n)', compute === '' ? '"+&r"(n)' : '"=&r"(n)')
    .replace('int o, n, s', 'int o, n = 0, s'),
  // A bit to clear.
  c: `r = ${c}`,
  not: `int v = LOAD(&x, RELAXED); STORE(&x, ${change}, RELAXED); r = v`,
  under: 'sc',
}));

/** A load, and a compare-exchange only if it may succeed. */
const casLoop = (expected: number): string =>
  `int o, s = 0; do { o = LOAD(&x, ACQUIRE); if (o != ${expected}) break; int e = o; s = !CAS(&x, &e, ME, ACQ_REL, ACQUIRE); } while (s); r = o`;
const COMPARING =
  'int o, s; A("1: ldaxr %w0, %2; cmp %w0, %w3; b.ne 2f; stlxr %w1, %w4, %2; cbnz %w1, 1b; 2:" : "=&r"(o), "=&r"(s), "+Q"(x) : "r"(EXPECTED), "r"(ME) : "memory", "cc"); r = o';

const CAS_LOOPS: readonly Row[] = [
  {
    name: 'a loop that compares with cmp and b.ne',
    asm: COMPARING.replace('EXPECTED', '0'),
    c: casLoop(0),
    not: 'r = LOAD(&x, ACQUIRE); if (r == 0) STORE(&x, ME, RELEASE)',
    under: 'sc',
  },
  {
    name: 'a loop whose comparison fails',
    asm: COMPARING.replace('EXPECTED', '5'),
    c: casLoop(5),
    // A compare-exchange that fails waits for stores; a load does not.
    not: 'int e = 5; CAS(&x, &e, ME, ACQ_REL, ACQUIRE); r = e',
    under: 'tso',
  },
  {
    name: 'a loop that compares with eor and cbnz',
    asm: 'int o, s; A("1: ldaxr %w0, %2; eor %w1, %w0, %w3; cbnz %w1, 2f; stlxr %w1, %w4, %2; cbnz %w1, 1b; 2:" : "=&r"(o), "=&r"(s), "+Q"(x) : "r"(0), "r"(ME) : "memory"); r = o',
    c: casLoop(0),
    not: 'r = LOAD(&x, ACQUIRE); if (r == 0) STORE(&x, ME, RELEASE)',
    under: 'sc',
  },
  {
    name: 'a store-exclusive that is tried once',
    asm: 'int o, s; A("ldxr %w0, %2; stxr %w1, %w3, %2" : "=&r"(o), "=&r"(s), "+Q"(x) : "r"(ME) : "memory"); r = o + 4 * s',
    c: 'int o = LOAD(&x, RELAXED), e = o, s = !CAS(&x, &e, ME, RELAXED, RELAXED); r = o + 4 * s',
    not: 'r = SWAP(&x, ME, RELAXED)',
    under: 'sc',
  },
];

const RMW = [
  ['swp', 'SWAP(&x, ME, O)'],
  ['ldadd', 'ADD(&x, ME, O)'],
  ['ldset', 'OR(&x, ME, O)'],
  ['ldclr', 'AND(&x, ~ME, O)'],
  ['ldeor', 'XOR(&x, ME, O)'],
  ['ldsmax', '__atomic_fetch_max(&x, ME, __ATOMIC_O)'],
  ['ldsmin', '__atomic_fetch_min(&x, ME, __ATOMIC_O)'],
  ['ldumax', '__atomic_fetch_max((unsigned *)&x, ME, __ATOMIC_O)'],
  ['ldumin', '__atomic_fetch_min((unsigned *)&x, ME, __ATOMIC_O)'],
] as const;

const LSE: readonly Row[] = [
  ...RMW.flatMap(([name, c], n) =>
    // All orders of the first two, one of each of the others.
    ORDERS.filter((_, k) => n < 2 || k === n % 4).map(([letters, order, not, under]) => ({
      name: `${name}${letters}`,
      asm: `int o; A("${name}${letters} %w2, %w0, [%1]" : "=r"(o) : "r"(&x), "r"(ME) : "memory"); r = o`,
      c: `r = ${c.replace('O)', `${order})`)}`,
      not: `r = ${c.replace('O)', `${not})`)}`,
      under,
    })),
  ),
  ...ORDERS.map(
    ([letters, order, not, under]) =>
      ({
        name: `cas${letters}`,
        asm: `int e = 0; A("cas${letters} %w0, %w2, %1" : "+&r"(e), "+Q"(x) : "r"(ME) : "memory"); r = e`,
        c: `int e = 0; CAS(&x, &e, ME, ${order}, ${letters.startsWith('a') ? 'ACQUIRE' : 'RELAXED'}); r = e`,
        not: `int e = 0; CAS(&x, &e, ME, ${not}, RELAXED); r = e`,
        under,
      }) as const,
  ),
  {
    name: 'casb, swph and ldaddalb',
    asm: 'int e = 0, o; A("casb %w0, %w2, %1" : "+&r"(e), "+Q"(x8) : "r"(ME + 256) : "memory"); A("swph %w2, %w0, [%1]" : "=r"(o) : "r"(&x16), "r"(ME)); A("ldaddalb %w1, %w1, [%0]" : : "r"(&x8), "r"(ME)); r = e + 4 * o'.replace(
      '%w1, %w1, [%0]',
      '%w1, wzr, [%0]',
    ),
    c: 'char e = 0; CAS(&x8, &e, ME, RELAXED, RELAXED); int o = SWAP(&x16, ME, RELAXED); ADD(&x8, ME, RELEASE); r = e + 4 * o',
    not: 'char e = 0; CAS(&x8, &e, ME, RELAXED, RELAXED); int o = SWAP(&x16, ME, RELAXED); ADD(&x8, ME, RELAXED); r = e + 4 * o',
    under: 'pso',
  },
  ...[
    ['stadd', 'ADD(&x, ME, RELAXED)', 'RELEASE'],
    ['staddl', 'ADD(&x, ME, RELEASE)', 'RELAXED'],
    ['stset', 'OR(&x, ME, RELAXED)', 'RELEASE'],
    ['stclr', 'AND(&x, ~ME, RELAXED)', 'RELEASE'],
    ['steor', 'XOR(&x, ME, RELAXED)', 'RELEASE'],
  ].map(
    ([name, c, not]) =>
      ({
        name: name!,
        asm: `A("${name} %w1, [%0]" : : "r"(&x), "r"(ME) : "memory")`,
        c: c!,
        not: c!.replace(/RELAXED|RELEASE/, not!),
        under: 'pso',
      }) as const,
  ),
];

/** RC11 gives no answer for barriers weaker than any C11 fence. */
const FENCES: readonly Row[] = [
  ...(
    [
      ['dmb ish', 'SEQ_CST', 'ACQ_REL', 'tso'],
      ['dmb sy', 'SEQ_CST', 'ACQ_REL', 'tso'],
      ['dsb sy', 'SEQ_CST', 'ACQ_REL', 'tso'],
      ['dmb ishld', 'ACQUIRE', 'SEQ_CST', 'tso'],
      ['dsb ld', 'ACQUIRE', 'ACQ_REL', 'rc11'],
    ] as const
  ).map(([text, order, not, under]) => ({
    name: text,
    asm: `A("${text}" : : : "memory")`,
    c: `FENCE(${order})`,
    not: `FENCE(${not})`,
    under,
  })),
  {
    name: 'dmb ishst',
    asm: 'A("dmb ishst" : : : "memory")',
    c: 'FENCE(RELEASE)',
    not: 'FENCE(SEQ_CST)',
    under: 'tso',
    models: ['sc', 'tso', 'pso'],
  },
  ...['isb', 'yield', 'wfe', 'sev', 'nop', 'prfm pldl1keep, [%0]', '.arch_extension lse', '.arch armv8-a+lse'].map(
    (text) =>
      ({ name: text, asm: `A("${text}" : : "r"(&x) : "memory")`, c: '', not: 'FENCE(RELEASE)', under: 'pso' }) as const,
  ),
];

describe('aarch64', () =>
  testRows('aarch64', '', [
    ...LOADS_AND_STORES,
    ...LOOPS,
    ...LOOP_OPERATORS,
    ...CAS_LOOPS,
    ...LSE,
    ...FENCES,
  ] as Row[]));

const ALONE = `#include <assert.h>
#define A __asm__ volatile
static int v = -5; static long q = -7; static unsigned char c8 = 250; static short s16 = -3;
int main(void) {
  long x = 1, y; int n, m = 3; unsigned char c = 2;
  A("ldr %w0, %1" : "=r"(n) : "Q"(v)); assert(n == -5);
  A("ldrsw %x0, %1" : "=r"(x) : "Q"(v)); assert(x == -5);
  A("ldrb %w0, [%1]" : "=r"(n) : "r"(&c8)); assert(n == 250);
  A("ldrsb %w0, [%1]; ldursh %x0, [%2, #0]" : "=&r"(x) : "r"(&c8), "r"(&s16)); assert(x == -3);
  A("ldr %0, [%1, #0]" : "=r"(x) : "r"(&q)); assert(x == -7);
  A("ldr %w0, %1" : "=r"(x) : "m"(v)); assert(x == 0xfffffffbl);
  A("str %1, %0" : "=Q"(q) : "r"(9l)); A("strb wzr, %0" : "=Q"(c8)); assert(q == 9 && c8 == 0);
  A("strh %w1, %0" : "=Q"(s16) : "r"(0x12345)); assert(s16 == 0x2345);
  A("mov %0, #5; add %0, %0, #%2; mov %1, %0" : "=&r"(x), "=r"(y) : "i"(4)); assert(x == 9 && y == 9);
  A("sub %w0, %w1, %w2" : "=r"(n) : "r"(m), "r"(4)); assert(n == -1);
  A("mov %w0, #-1" : "=r"(x)); assert(x == 0xffffffffl);
  A("and %w0, %w1, %w2; orr %w0, %w0, %w3; eor %w0, %w0, #1; bic %w0, %w0, %w2" : "=&r"(n) : "r"(7), "r"(3), "r"(8)); assert(n == (((7 & 3 | 8) ^ 1) & ~3));
  A("orn %w0, wzr, %w1; mvn %w0, %w0; neg %w0, %w0; eon %w0, %w0, wzr" : "=&r"(n) : "r"(5)); assert(n == 4);
  A("lsl %0, %1, #3; lsr %0, %0, #1; asr %0, %0, #1" : "=&r"(x) : "r"(-8l)); assert(x == (long)((unsigned long)-64 >> 1) >> 1);
  A("uxtb %w0, %w2; sxth %w1, %w3" : "=&r"(n), "=&r"(m) : "r"(0x1ff), "r"(0x18000)); assert(n == 255 && m == -32768);
  A("sxtw %0, %w1" : "=r"(x) : "r"(-2)); assert(x == -2);
  A("mov w9, %w1; sub %w0, w9, %w1" : "=r"(n) : "r"(5) : "x9"); assert(n == 0);
  x = 0; y = 4; A("1: add %0, %0, %1; subs %1, %1, #1; b.gt 1b" : "+r"(x), "+r"(y) : : "cc"); assert(x == 10 && y == 0);
  A("cmp %w1, %w2; cset %w0, lt" : "=r"(n) : "r"(-1), "r"(1) : "cc"); assert(n == 1);
  A("cmp %w1, %w2; csel %w0, %w1, %w2, hi" : "=r"(n) : "r"(-1), "r"(1) : "cc"); assert(n == -1);
  A("cmp %w1, %w2, uxtb; cset %w0, eq" : "=r"(n) : "r"(5), "r"(0x105) : "cc"); assert(n == 1);
  A("tst %w1, #4; b.eq 1f; mov %w0, #1; b 2f; 1: mov %w0, #2; 2:" : "=&r"(n) : "r"(3) : "cc"); assert(n == 2);
  A("cmn %w1, #1; cset %w0, eq" : "=r"(n) : "r"(-1) : "cc"); assert(n == 1);
  int values[] = {0, 1, -1, 0x7fffffff, -2147483647 - 1};
  for (int i = 0; i < 5; i++) for (int k = 0; k < 5; k++) {
    int l = values[i], r = values[k], d, f[10]; unsigned ul = l, ur = r;
    A("cmp %w10, %w11; cset %w0, hs; cset %w1, hi; cset %w2, ge; cset %w3, gt; cset %w4, vs; cset %w5, mi; cset %w6, ls; cset %w7, le; cset %w8, ne; cset %w9, lo"
      : "=&r"(f[0]), "=&r"(f[1]), "=&r"(f[2]), "=&r"(f[3]), "=&r"(f[4]), "=&r"(f[5]), "=&r"(f[6]), "=&r"(f[7]), "=&r"(f[8]), "=&r"(f[9]) : "r"(l), "r"(r) : "cc");
    d = (int)(ul - ur);
    assert(f[0] == (ul >= ur) && f[1] == (ul > ur) && f[2] == (l >= r) && f[3] == (l > r) && f[4] == ((long)l - r != d));
    assert(f[5] == (d < 0) && f[6] == !f[1] && f[7] == !f[3] && f[8] == (l != r) && f[9] == !f[0]);
    A("adds %w0, %w3, %w4; cset %w1, cs; cset %w2, vs" : "=&r"(d), "=&r"(f[0]), "=&r"(f[1]) : "r"(l), "r"(r) : "cc");
    assert(d == (int)(ul + ur) && f[0] == (ul + ur < ul) && f[1] == ((long)l + r != d));
  }
  A("ldadd %w2, %w0, [%1]" : "=r"(n) : "r"(&v), "r"(-3)); assert(n == -5 && v == -8);
  A("ldsmax %w2, %w0, [%1]" : "=r"(n) : "r"(&v), "r"(2)); A("ldumin %w2, %w0, [%1]" : "=r"(n) : "r"(&v), "r"(-1)); assert(v == 2 && n == 2);
  A("swpalb %w2, %w0, [%1]" : "=r"(n) : "r"(&c8), "r"(c)); assert(n == 0 && c8 == 2);
  A("ldclr %w2, %w0, [%1]" : "=r"(n) : "r"(&v), "r"(2)); assert(n == 2 && v == 0);
  A("ldxr %w0, %2; stxr %w1, %w3, %2" : "=&r"(n), "=&r"(m), "+Q"(v) : "r"(6)); assert(n == 0 && m == 0 && v == 6);
  A("0: ldxr %0, %2; add %1, %0, #1; stxr %w3, %1, %2; cbnz %w3, 0b" : "=&r"(x), "=&r"(y), "+Q"(q), "=&r"(n)); assert(x == 9 && q == 10 && y == 10 && n == 0);
  A("1: ldxrb %w0, %2; add %w1, %w0, %w4; stxrb %w3, %w1, %2; cbnz %w3, 1b" : "=&r"(n), "=&r"(m), "+Q"(c8), "=&r"(y) : "r"(255)); assert(n == 2 && m == 257 && c8 == 1);
  unsigned long first, second; A("mrs %0, cntvct_el0" : "=r"(first)); A("mrs %0, cntvct_el0" : "=r"(second)); assert(second >= first);
  return 0;
}
`;

it('a thread computes as the machine does', async () => {
  expect(runAlone(await compileC({ 'alone.c': ALONE }, { target: 'aarch64' }))).toBe('');
});

it('what orders less than a fence of C11 gets no answer under RC11', async () => {
  const source = `#include <pthread.h>
static int a, b;
static void *f(void *_) { __atomic_store_n(&a, 1, 0); __asm__ volatile("dmb ishst" ::: "memory"); __atomic_store_n(&b, 1, 0); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); __atomic_load_n(&b, 0); pthread_join(t, 0); return 0; }
`;
  const { verdict } = check(await compileC(source, { target: 'aarch64' }), 'rc11', { strategy: 'optimal' });
  expect(verdict).toMatchObject({ kind: 'inconclusive' });
  expect(JSON.stringify(verdict)).toContain('a barrier that orders less than the fences of C11');
});

it.each([
  [
    '"stxr %w0, %w2, %1" : "=&r"(x), "+Q"(v) : "r"(x)',
    'a store-exclusive needs its load-exclusive in the same statement',
  ],
  ['"ldxr %w0, %1; ldr %w0, %2; stxr %w0, wzr, %1" : "=&r"(x), "+Q"(v) : "Q"(w)', 'and no access in between'],
  ['"ldxr %w0, %1; dmb ish; stxr %w0, wzr, %1" : "=&r"(x), "+Q"(v)', 'and no access in between'],
  ['"ldxrb %w0, %1; stxr %w0, wzr, %1" : "=&r"(x), "+Q"(v)', 'and no access in between'],
  ['"ldxr %w0, %1; clrex; stxr %w0, wzr, %1" : "=&r"(x), "+Q"(v)', 'and no access in between'],
  ['"ldp %w0, %w1, %2" : "=&r"(x), "=&r"(y) : "Q"(w)', 'the instruction is not modelled'],
  ['"ldaxp %0, %1, %2" : "=&r"(p), "=&r"(p) : "Q"(v)', 'the instruction is not modelled'],
  ['"ldr %w0, [%1], #4" : "=&r"(x) : "r"(&v)', 'the address is not modelled'],
  ['"ldr %w0, [%1, %2]" : "=&r"(x) : "r"(&v), "r"(p)', 'is not modelled'],
  ['"cbz %0, 1f; 1:" : : "r"(x)', 'not all bits of an operand are known'],
  [
    '"1: ldxr %w0, %1; add %w0, %w0, #1; stxr %w0, %w0, %1; cbnz %w0, 1b" : "=&r"(x), "+Q"(v)',
    'its status is also a source',
  ],
  ['"svc #0"', 'the instruction is not modelled'],
  ['"dmb nsh"', 'the instruction is not modelled'],
  ['"b.ne 1f; 1:"', 'no supported instruction has set the condition it tests'],
])('refuses %s', async (assembly, reason) => {
  const source = `int v, w;\nint main(void) { int x = 0, y = 0; long p = 0;\n  __asm__ volatile(${assembly}); return x + y + p; }\n`;
  const { message } = await refusal(source, { target: 'aarch64' });
  expect(message).toContain('test.c:3:3: unsupported inline assembly');
  expect(message).toContain(reason);
});
