/**
 * Every instruction of the tables, in every size and order, on one thread: what it is in C, and what it is not. The
 * test fails for an instruction in a table that has no case. The push tier runs a quarter of the cases, the deep
 * tier all of them.
 */
import { describe, expect, it } from 'vitest';
import { AARCH64_NAMES } from '../../../src/frontend/llvm/lower/assembly-aarch64.ts';
import { CONDITION_NAMES } from '../../../src/frontend/llvm/lower/assembly-flags.ts';
import { RISCV_NAMES } from '../../../src/frontend/llvm/lower/assembly-riscv.ts';
import { X86_NAMES, X86_PATTERNS } from '../../../src/frontend/llvm/lower/assembly-x86.ts';
import { Prng } from '../../../src/util/prng.ts';
import { type Case, expand, instructionsIn, runCases } from '../../support/assembly-cases.ts';
import { refusal } from '../../support/c.ts';
import { DEEP, SEED } from '../../support/tier.ts';

async function allAreRight(target: 'aarch64' | 'riscv64' | 'x86_64', cases: readonly Case[]): Promise<void> {
  const random = new Prng(SEED);
  const chosen = DEEP ? cases : cases.filter(() => random.below(4) === 0);
  const { wrong, same } = await runCases(target, chosen);
  expect(wrong.map((n) => chosen[n])).toEqual([]);
  expect(same.map((n) => chosen[n])).toEqual([]);
}

function namedBy(cases: readonly Case[]): ReadonlySet<string> {
  return new Set(cases.flatMap(({ asm }) => instructionsIn(asm)));
}

const NOT: Readonly<Record<string, string>> = {
  RELAXED: 'ACQ_REL',
  ACQUIRE: 'RELAXED',
  RELEASE: 'RELAXED',
  ACQ_REL: 'RELAXED',
};
const notLoad = (order: string): string => (order === 'RELAXED' ? 'ACQUIRE' : 'RELAXED');
const notStore = (order: string): string => (order === 'RELAXED' ? 'RELEASE' : 'RELAXED');

/** `c`, and `c` with another order. */
function ordered(asm: string, c: string, order: string, not: string): Case {
  return { asm, c: c.replaceAll('ORDER', order), not: c.replaceAll('ORDER', not) };
}

// ---- AArch64

const ARM_SIZES = [
  ['', 'w', 'u32'],
  ['', 'x', 'u64'],
  ['b', 'w', 'u8'],
  ['h', 'w', 'u16'],
] as const;
const ARM_ORDERS = [
  ['', 'RELAXED'],
  ['a', 'ACQUIRE'],
  ['l', 'RELEASE'],
  ['al', 'ACQ_REL'],
] as const;

const ARM_ACCESSES: readonly Case[] = ARM_SIZES.flatMap(([size, w, type]) => [
  ...[
    ['ldr', 'RELAXED'],
    ['ldur', 'RELAXED'],
    ['ldar', 'ACQUIRE'],
    ['ldapr', 'ACQUIRE'],
    ['ldxr', 'RELAXED'],
    ['ldaxr', 'ACQUIRE'],
  ].map(([name, order]) =>
    ordered(
      `${type} o; A("${name}${size} %${w}0, [%1]" : "=r"(o) : "r"(p) : "memory"); return o;`,
      `return LOAD((${type} *)p, ORDER);`,
      order!,
      notLoad(order!),
    ),
  ),
  ...[
    ['str', 'RELAXED'],
    ['stur', 'RELAXED'],
    ['stlr', 'RELEASE'],
  ].map(([name, order]) =>
    ordered(
      `A("${name}${size} %${w}1, [%0]" : : "r"(p), "r"(v) : "memory"); return 0;`,
      `STORE((${type} *)p, v, ORDER); return 0;`,
      order!,
      notStore(order!),
    ),
  ),
  ...ARM_ORDERS.map(([letters, order]) => {
    const [a, l] = [letters.replace('l', ''), letters.replace('a', '')];
    return ordered(
      `${type} o; int s; A("ld${a}xr${size} %${w}0, [%2]; st${l}xr${size} %w1, %${w}3, [%2]" : "=&r"(o), "=&r"(s) : "r"(p), "r"(v) : "memory"); return o + s;`,
      `${type} o = LOAD((${type} *)p, ${a === 'a' ? 'ACQUIRE' : 'RELAXED'}), e = o; int s = !CAS((${type} *)p, &e, v, ORDER, ${a === 'a' ? 'ACQUIRE' : 'RELAXED'}); return o + s;`,
      order,
      NOT[order]!,
    );
  }),
  ...ARM_ORDERS.map(([letters, order]) =>
    ordered(
      `${type} e = v; A("cas${letters}${size} %${w}0, %${w}2, [%1]" : "+&r"(e) : "r"(p), "r"(w + 1) : "memory"); return e;`,
      `${type} e = v; CAS((${type} *)p, &e, w + 1, ORDER, ${letters.startsWith('a') ? 'ACQUIRE' : 'RELAXED'}); return e;`,
      order,
      NOT[order]!,
    ),
  ),
]);

const ARM_OPERATIONS = [
  ['swp', 'SWAP((T *)p, v, ORDER)', 'u'],
  ['ldadd', 'RMW(add, (T *)p, v, ORDER)', 'u'],
  ['ldset', 'RMW(or, (T *)p, v, ORDER)', 'u'],
  ['ldclr', 'RMW(and, (T *)p, ~v, ORDER)', 'u'],
  ['ldeor', 'RMW(xor, (T *)p, v, ORDER)', 'u'],
  ['ldsmax', 'RMW(max, (T *)p, v, ORDER)', 's'],
  ['ldsmin', 'RMW(min, (T *)p, v, ORDER)', 's'],
  ['ldumax', 'RMW(max, (T *)p, v, ORDER)', 'u'],
  ['ldumin', 'RMW(min, (T *)p, v, ORDER)', 'u'],
] as const;

const ARM_ATOMICS: readonly Case[] = ARM_SIZES.flatMap(([size, w, type]) =>
  ARM_OPERATIONS.flatMap(([name, c, sign]) => {
    const there = c.replace(/\bT\b/g, type.replace('u', sign));
    return [
      ...ARM_ORDERS.map(([letters, order]) =>
        ordered(
          `${type} o; A("${name}${letters}${size} %${w}2, %${w}0, [%1]" : "=r"(o) : "r"(p), "r"(v) : "memory"); return o;`,
          `return (${type})${there};`,
          order,
          NOT[order]!,
        ),
      ),
      ...(name === 'swp' ? [] : ARM_ORDERS.filter(([letters]) => !letters.startsWith('a'))).map(([letters, order]) =>
        ordered(
          `A("${name.replace('ld', 'st')}${letters}${size} %${w}1, [%0]" : : "r"(p), "r"(v) : "memory"); return 0;`,
          `${there}; return 0;`,
          order,
          order === 'RELAXED' ? 'RELEASE' : 'RELAXED',
        ),
      ),
    ];
  }),
);

const three = (text: string, c: string, not: string, w = 'x'): Case => ({
  asm: `${w === 'w' ? 'u32' : 'u64'} o; A("${text.replaceAll('R', w)}" : "=&r"(o) : "r"(v), "r"(w) : "cc"); return o;`,
  c: `${w === 'w' ? 'u32 a = v, b = w; s32 i = a' : 'u64 a = v, b = w; s64 i = a'}; return ${w === 'w' ? '(u32)' : ''}(${c});`,
  not: `${w === 'w' ? 'u32 a = v, b = w; s32 i = a' : 'u64 a = v, b = w; s64 i = a'}; return ${w === 'w' ? '(u32)' : ''}(${not});`,
});

const ARM_COMPUTING: readonly Case[] = [
  ...(['w', 'x'] as const).flatMap((w) => {
    const bits = w === 'w' ? 32 : 64;
    return [
      ['add %R0, %R1, %R2', 'a + b', 'a - b'],
      ['adds %R0, %R1, %R2', 'a + b', 'a - b'],
      ['sub %R0, %R1, %R2', 'a - b', 'b - a'],
      ['subs %R0, %R1, %R2', 'a - b', 'b - a'],
      ['and %R0, %R1, %R2', 'a & b', 'a | b'],
      ['ands %R0, %R1, %R2', 'a & b', 'a | b'],
      ['orr %R0, %R1, %R2', 'a | b', 'a ^ b'],
      ['eor %R0, %R1, %R2', 'a ^ b', 'a | b'],
      ['bic %R0, %R1, %R2', 'a & ~b', '~a & b'],
      ['orn %R0, %R1, %R2', 'a | ~b', '~a | b'],
      ['eon %R0, %R1, %R2', 'a ^ ~b', 'a ^ b'],
      ['lsl %R0, %R1, %R2', `a << b % ${bits}`, `a >> b % ${bits}`],
      ['lsr %R0, %R1, %R2', `a >> b % ${bits}`, `i >> b % ${bits}`],
      ['asr %R0, %R1, %R2', `i >> b % ${bits}`, `a >> b % ${bits}`],
      ['add %R0, %R1, %R2, lsl #4', 'a + (b << 4)', 'a + b'],
      ['sub %R0, %R2, %R1, lsr #3', 'b - (a >> 3)', 'b - (i >> 3)'],
      ['eor %R0, %R2, %R1, asr #7', 'b ^ (i >> 7)', 'b ^ (a >> 7)'],
      ['bic %R0, %R2, %R1, lsl #1', 'b & ~(a << 1)', 'b & (~a << 1)'],
      ['add %R0, %R1, #1, lsl #12', 'a + 4096', 'a + 1'],
      ['mov %R0, %R1', 'a', 'b'],
      ['mvn %R0, %R1', '~a', '-a'],
      ['neg %R0, %R1', '-a', '~a'],
      ['uxtb %w0, %w1', '(u8)a', '(u32)(s8)a'],
      ['uxth %w0, %w1', '(u16)a', '(u32)(s16)a'],
      ['sxtb %R0, %w1', '(s8)a', '(u8)a'],
      ['sxth %R0, %w1', '(s16)a', '(u16)a'],
      ['cmp %R1, %R2; cset %R0, eq', 'a == b', 'a != b'],
      ['cmp %R1, %R2, lsl #2; cset %R0, eq', 'a == b << 2', 'a == b'],
      ['cmn %R1, %R2; cset %R0, eq', 'a + b == 0', 'a == b'],
      ['tst %R1, %R2; cset %R0, ne', '(a & b) != 0', 'a != b'],
      ['cmp %R1, %R2; csel %R0, %R1, %R2, lo', 'a < b ? a : b', 'a < b ? b : a'],
      ['mov %R0, #1; cbz %R1, 1f; mov %R0, #2; 1:', 'a ? 2 : 1', 'a ? 1 : 2'],
      ['mov %R0, #1; cbnz %R1, 1f; mov %R0, #2; 1:', 'a ? 1 : 2', 'a ? 2 : 1'],
      ['mov %R0, #1; b 1f; mov %R0, #2; 1:', '1', '2'],
    ].map(([text, c, not]) => three(text!, c!, not!, w));
  }),
  three('sxtw %0, %w1', '(s32)a', '(u32)a'),
  // The upper half is cleared.
  three('mov %w0, %w1', '(u32)a', 'a'),
  ...['b', 'h', 'w'].flatMap((size, n) =>
    ['r', 'ur'].flatMap((r) =>
      (size === 'w' ? ['x'] : ['w', 'x']).map((w): Case => {
        const [type, out] = [['8', '16', '32'][n], w === 'w' ? 'u32' : 'u64'];
        return {
          asm: `${out} o; A("ld${r}s${size} %${w}0, [%1]" : "=r"(o) : "r"(p) : "memory"); return o;`,
          c: `return (${out})(${out.replace('u', 's')})LOAD((s${type} *)p, RELAXED);`,
          not: `return (${out})LOAD((u${type} *)p, RELAXED);`,
        };
      }),
    ),
  ),
];

/** What each condition says about two compared numbers. */
const ARM_CONDITIONS: Readonly<Record<string, string>> = {
  ...{ eq: 'a == b', ne: 'a != b', hs: 'a >= b', cs: 'a >= b', lo: 'a < b', cc: 'a < b', hi: 'a > b', ls: 'a <= b' },
  ...{ ge: 'i >= (s64)b', lt: 'i < (s64)b', gt: 'i > (s64)b', le: 'i <= (s64)b' },
  ...{ mi: '(s64)(a - b) < 0', pl: '(s64)(a - b) >= 0' },
  ...{ vs: '__builtin_sub_overflow_p(i, (s64)b, (s64)0)', vc: '!__builtin_sub_overflow_p(i, (s64)b, (s64)0)' },
};
const withOverflow = (c: string): string =>
  c.replace('__builtin_sub_overflow_p(i, (s64)b, (s64)0)', '(((i ^ (s64)b) & (i ^ (s64)(a - b))) < 0)');

const ARM_BRANCHES: readonly Case[] = Object.entries(ARM_CONDITIONS).flatMap(([name, test]) => {
  const c = withOverflow(test);
  return [
    three(`cmp %1, %2; cset %0, ${name}`, c, `!(${c})`),
    ...['b.', 'b'].map((b) => three(`cmp %1, %2; mov %0, #1; ${b}${name} 1f; mov %0, #0; 1:`, c, `!(${c})`)),
  ];
});

describe('aarch64', () => {
  const cases = [...ARM_ACCESSES, ...ARM_ATOMICS, ...ARM_COMPUTING, ...ARM_BRANCHES];
  it('does with each instruction what its name says', () => allAreRight('aarch64', cases));

  it('has no instruction that is not tried here', async () => {
    const named = namedBy(cases);
    const all = [
      ...AARCH64_NAMES.flatMap(expand),
      ...CONDITION_NAMES.aarch64.flatMap((name) => [`b.${name}`, `b${name}`]),
    ];
    expect(all.length).toBeGreaterThan(200);
    const missing = all.filter((name) => !named.has(name));
    // Names that match the patterns but do not exist.
    expect(missing).toSatisfy((names: readonly string[]) =>
      names.every((name) => /^ld(?:ap|a|ax|x)r(?:s|w)|^ldu?r[sw]?$|^ldu?rw$|^uxtw$/.test(name)),
    );
    for (const name of missing) {
      const source = `int main(void) { int o = 0; static int x; __asm__ volatile("${name} %w0, [%1]" : "+r"(o) : "r"(&x)); return o; }`;
      expect((await refusal(source, { target: 'aarch64' })).message, name).toContain('unsupported inline assembly');
    }
  });
});

// ---- RISC-V

const RISCV_SIZES = [
  ['b', 's8'],
  ['h', 's16'],
  ['w', 's32'],
  ['d', 's64'],
] as const;
const RISCV_ORDERS = [
  ['', 'RELAXED'],
  ['.aq', 'ACQUIRE'],
  ['.rl', 'RELEASE'],
  ['.aqrl', 'ACQ_REL'],
] as const;

const RISCV_ACCESSES: readonly Case[] = [
  ...RISCV_SIZES.flatMap(([size, type]) => [
    ordered(
      `long o; A("l${size} %0, 0(%1)" : "=r"(o) : "r"(p) : "memory"); return o;`,
      `return LOAD((${type} *)p, ORDER);`,
      'RELAXED',
      'ACQUIRE',
    ),
    ordered(
      `A("s${size} %1, 0(%0)" : : "r"(p), "r"(v) : "memory"); return 0;`,
      `STORE((${type} *)p, v, ORDER); return 0;`,
      'RELAXED',
      'RELEASE',
    ),
  ]),
  ...(['b', 'h', 'w'] as const).map((size, n) => ({
    asm: `long o; A("l${size}u %0, 0(%1)" : "=r"(o) : "r"(p) : "memory"); return o;`,
    c: `return LOAD((${['u8', 'u16', 'u32'][n]} *)p, RELAXED);`,
    not: `return LOAD((${['s8', 's16', 's32'][n]} *)p, RELAXED);`,
  })),
  ...(['w', 'd'] as const).flatMap((size) => {
    const type = size === 'w' ? 's32' : 's64';
    return [
      ...RISCV_ORDERS.flatMap(([l, first]) =>
        RISCV_ORDERS.map(([s, second]) => {
          const a = /ACQ/.test(first);
          const order = a
            ? /REL$|^REL/.test(second.replace('RELAXED', ''))
              ? 'ACQ_REL'
              : 'ACQUIRE'
            : /REL$|^RELE/.test(second)
              ? 'RELEASE'
              : 'RELAXED';
          const load = a ? 'ACQUIRE' : 'RELAXED';
          return ordered(
            `${type} o; int s; A("lr.${size}${l} %0, (%2); sc.${size}${s} %1, %3, (%2)" : "=&r"(o), "=&r"(s) : "r"(p), "r"(v) : "memory"); return o + s;`,
            `${type} o = LOAD((${type} *)p, ${load}), e = o; int s = !CAS((${type} *)p, &e, v, ORDER, ${load}); return o + s;`,
            order,
            NOT[order]!,
          );
        }),
      ),
      ...(
        [
          ['swap', 'SWAP((T *)p, v, ORDER)'],
          ['add', 'RMW(add, (T *)p, v, ORDER)'],
          ['and', 'RMW(and, (T *)p, v, ORDER)'],
          ['or', 'RMW(or, (T *)p, v, ORDER)'],
          ['xor', 'RMW(xor, (T *)p, v, ORDER)'],
          ['max', 'RMW(max, (T *)p, v, ORDER)'],
          ['min', 'RMW(min, (T *)p, v, ORDER)'],
          ['maxu', 'RMW(max, (U *)p, v, ORDER)'],
          ['minu', 'RMW(min, (U *)p, v, ORDER)'],
        ] as const
      ).flatMap(([name, c]) =>
        RISCV_ORDERS.map(([letters, order]) =>
          ordered(
            `${type} o; A("amo${name}.${size}${letters} %0, %2, (%1)" : "=r"(o) : "r"(p), "r"(v) : "memory"); return o;`,
            `return (${type})${c.replace(/\bT\b/g, type).replaceAll('U *', `${type.replace('s', 'u')} *`)};`,
            order,
            NOT[order]!,
          ),
        ),
      ),
    ];
  }),
];

const RISCV_COMPUTING: readonly Case[] = [
  ['add %0, %1, %2', 'a + b', 'a - b'],
  ['sub %0, %1, %2', 'a - b', 'b - a'],
  ['and %0, %1, %2', 'a & b', 'a | b'],
  ['or %0, %1, %2', 'a | b', 'a ^ b'],
  ['xor %0, %1, %2', 'a ^ b', 'a | b'],
  ['addi %0, %1, -3', 'a - 3', 'a + 3'],
  ['andi %0, %1, -3', 'a & -3', 'a & 3'],
  ['ori %0, %1, 5', 'a | 5', 'a ^ 5'],
  ['xori %0, %1, 5', 'a ^ 5', 'a | 5'],
  ['addw %0, %1, %2', '(s32)(a + b)', 'a + b'],
  ['subw %0, %1, %2', '(s32)(a - b)', 'a - b'],
  ['addiw %0, %1, 1', '(s32)(a + 1)', 'a + 1'],
  ['li %0, -7', '-7', '7'],
  ['mv %0, %1', 'a', 'b'],
  ['not %0, %1', '~a', '-a'],
  ['neg %0, %1', '-a', '~a'],
  ['sext.w %0, %1', '(s32)a', '(u32)a'],
  ['seqz %0, %1', 'a == 0', 'a != 0'],
  ['snez %0, %1', 'a != 0', 'a == 0'],
  ['li %0, 1; j 1f; li %0, 2; 1:', '1', '2'],
].map(([text, c, not]) => three(text!, c!, not!));

const RISCV_BRANCHES: readonly Case[] = Object.entries({
  ...{ beq: 'a == b', bne: 'a != b', bltu: 'a < b', bgeu: 'a >= b', bgtu: 'a > b', bleu: 'a <= b' },
  ...{ blt: 'i < (s64)b', bge: 'i >= (s64)b', bgt: 'i > (s64)b', ble: 'i <= (s64)b' },
  ...{ beqz: '!a', bnez: 'a != 0', bltz: 'i < 0', bgez: 'i >= 0', bgtz: 'i > 0', blez: 'i <= 0' },
}).map(([name, c]) => {
  const operands = name.endsWith('z') ? '%1' : '%1, %2';
  return three(`li %0, 1; ${name} ${operands}, 1f; li %0, 0; 1:`, c, `!(${c})`);
});

describe('riscv64', () => {
  const cases = [...RISCV_ACCESSES, ...RISCV_COMPUTING, ...RISCV_BRANCHES];
  it('does with each instruction what its name says', () => allAreRight('riscv64', cases));

  it('has no instruction that is not tried here', () => {
    const named = namedBy(cases);
    expect(RISCV_NAMES.flatMap(expand).filter((name) => !named.has(name))).toEqual([]);
  });
});

// ---- x86

const X86_SIZES = [
  ['b', 'b', '8'],
  ['w', 'w', '16'],
  ['l', 'k', '32'],
  ['q', 'q', '64'],
] as const;

/**
 * An instruction of two operands: on registers, on memory, and locked. `C` in `now`: the old value `o` and `s` give the
 * new one.
 */
function modifies(
  name: string,
  now: string,
  not: string,
  atomic: string,
  operands: 1 | 2,
  isShort = false,
): readonly Case[] {
  return X86_SIZES.filter(([suffix]) => !isShort || suffix !== 'b').flatMap(([suffix, letter, bits]) => {
    const type = `u${bits}`;
    const source = operands === 2 ? `%${letter}1, ` : '';
    const given = `${type} s = v;`;
    const there = operands === 2 ? `%${letter}2, ` : '';
    return [
      {
        asm: `${type} o = w; ${given} A("${name}${suffix} ${source}%${letter}0" : "+q"(o) : "q"(s) : "cc"); return o;`,
        c: `${type} o = w; ${given} return (${type})(${now});`,
        not: `${type} o = w; ${given} return (${type})(${not});`,
      },
      {
        asm: `${given} A("${name}${suffix} ${there.replace('2', '1')}%0" : "+m"(*(${type} *)p) : "q"(s) : "cc", "memory"); return 0;`,
        c: `${given} ${type} o = LOAD((${type} *)p, RELAXED); STORE((${type} *)p, (${type})(${now}), RELAXED); return 0;`,
        not: `${given} ${atomic.replace(/\bT\b/g, type)}; return 0;`,
      },
      {
        asm: `${given} A("lock; ${name}${suffix} ${there.replace('2', '1')}%0" : "+m"(*(${type} *)p) : "q"(s) : "cc", "memory"); return 0;`,
        c: `${given} ${atomic.replace(/\bT\b/g, type)}; return 0;`,
        not: `${given} ${type} o = LOAD((${type} *)p, RELAXED); STORE((${type} *)p, (${type})(${now}), RELAXED); return 0;`,
      },
    ];
  });
}

const NEGATE = 'T o = LOAD((T *)p, RELAXED); while (!CAS((T *)p, &o, (T)-o, SEQ_CST, RELAXED))';
/** A bit number in a register is taken modulo the size; in memory it reaches further. */
const within = (text: string): string => text.replaceAll('BIT', '((T)1 << (s & (sizeof(T) * 8 - 1)))');
const bits = (name: string, now: string, not: string, atomic: string): readonly Case[] =>
  modifies(name, 'NOW', 'OTHER', atomic, 2, true).map((one, n) => {
    const type = ['u16', 'u32', 'u64'][Math.floor(n / 3)]!;
    const made = (text: string): string =>
      within(text.replaceAll('NOW', now).replaceAll('OTHER', not)).replace(/\bT\b/g, type);
    const small = (text: string): string => text.replace(`${type} s = v;`, `${type} s = v & 15;`);
    return {
      asm: n % 3 === 0 ? one.asm : small(one.asm),
      c: n % 3 === 0 ? made(one.c) : small(made(one.c)),
      not: n % 3 === 0 ? made(one.not) : small(made(one.not)),
    };
  });

const X86_MODIFYING: readonly Case[] = [
  ...modifies('add', 'o + s', 'o - s', 'RMW(add, (T *)p, s, SEQ_CST)', 2),
  ...modifies('sub', 'o - s', 's - o', 'RMW(sub, (T *)p, s, SEQ_CST)', 2),
  ...modifies('and', 'o & s', 'o | s', 'RMW(and, (T *)p, s, SEQ_CST)', 2),
  ...modifies('or', 'o | s', 'o ^ s', 'RMW(or, (T *)p, s, SEQ_CST)', 2),
  ...modifies('xor', 'o ^ s', 'o | s', 'RMW(xor, (T *)p, s, SEQ_CST)', 2),
  ...modifies('inc', 'o + 1', 'o - 1', 'RMW(add, (T *)p, 1, SEQ_CST)', 1),
  ...modifies('dec', 'o - 1', 'o + 1', 'RMW(sub, (T *)p, 1, SEQ_CST)', 1),
  ...modifies('not', '~o', '-o', 'RMW(xor, (T *)p, (T)-1, SEQ_CST)', 1),
  ...modifies('neg', '-o', '~o', NEGATE, 1),
  ...bits('bts', 'o | BIT', 'o ^ BIT', 'RMW(or, (T *)p, BIT, SEQ_CST)'),
  ...bits('btr', 'o & ~BIT', 'o ^ BIT', 'RMW(and, (T *)p, (T)~BIT, SEQ_CST)'),
  ...bits('btc', 'o ^ BIT', 'o | BIT', 'RMW(xor, (T *)p, BIT, SEQ_CST)'),
];

const X86_EXCHANGES: readonly Case[] = X86_SIZES.flatMap(([suffix, letter, size]) => {
  const type = `u${size}`;
  const split = (now: string): string =>
    `${type} s = v, o = LOAD((${type} *)p, RELAXED); STORE((${type} *)p, ${now}, RELAXED); return o;`;
  const memory = (text: string): string =>
    `${type} s = v; A("${text} %${letter}0, %1" : "+q"(s), "+m"(*(${type} *)p) : : "cc", "memory"); return s;`;
  const registers = (text: string): string =>
    `${type} s = v, o = w; A("${text} %${letter}0, %${letter}1" : "+q"(s), "+q"(o) : : "cc"); return s ^ (u64)o << 1;`;
  const swapped = `${type} s = v; return SWAP((${type} *)p, s, SEQ_CST);`;
  const added = `${type} s = v; return RMW(add, (${type} *)p, s, SEQ_CST);`;
  const compared = (lock: string): string =>
    `${type} e = v; A("${lock}cmpxchg${suffix} %${letter}2, %1" : "+a"(e), "+m"(*(${type} *)p) : "q"((${type})7) : "cc", "memory"); return e;`;
  const exchanged = `${type} e = v; CAS((${type} *)p, &e, 7, SEQ_CST, SEQ_CST); return e;`;
  const always = `${type} e = v, o = LOAD((${type} *)p, RELAXED); STORE((${type} *)p, o == e ? 7 : o, RELAXED); return o;`;
  return [
    { asm: memory(`xchg${suffix}`), c: swapped, not: split('s') },
    { asm: memory(`lock; xchg${suffix}`), c: swapped, not: split('s') },
    {
      asm: registers(`xchg${suffix}`),
      c: `${type} s = w, o = v; return s ^ (u64)o << 1;`,
      not: `${type} s = v, o = w; return s ^ (u64)o << 1;`,
    },
    { asm: memory(`xadd${suffix}`), c: split('o + s'), not: added },
    { asm: memory(`lock; xadd${suffix}`), c: added, not: split('o + s') },
    {
      asm: registers(`xadd${suffix}`),
      c: `${type} s = w, o = v + w; return s ^ (u64)o << 1;`,
      not: `${type} s = v, o = v + w; return s ^ (u64)o << 1;`,
    },
    { asm: compared('lock; '), c: exchanged, not: always },
    { asm: compared(''), c: always, not: exchanged },
  ];
});

const X86_OTHERS: readonly Case[] = [
  ...X86_SIZES.flatMap(([suffix, letter, size]): Case[] => {
    const type = `u${size}`;
    return [
      {
        asm: `A("mov${suffix} %${letter}1, %0" : "=m"(*(${type} *)p) : "q"((${type})v) : "memory"); return 0;`,
        c: `STORE((${type} *)p, v, RELAXED); return 0;`,
        not: `STORE((${type} *)p, v, RELEASE); return 0;`,
      },
      {
        asm: `${type} o; A("mov${suffix} %1, %${letter}0" : "=q"(o) : "m"(*(${type} *)p) : "memory"); return o;`,
        c: `return LOAD((${type} *)p, RELAXED);`,
        not: `return LOAD((${type} *)p, ACQUIRE);`,
      },
      {
        asm: `char o; A("cmp${suffix} %${letter}2, %${letter}1; setb %0" : "=q"(o) : "q"((${type})v), "q"((${type})w) : "cc"); return o;`,
        c: `return (${type})v < (${type})w;`,
        not: `return (${type})v > (${type})w;`,
      },
      {
        asm: `char o; A("test${suffix} %${letter}2, %${letter}1; setnz %0" : "=q"(o) : "q"((${type})v), "q"((${type})w) : "cc"); return o;`,
        c: `return ((${type})v & (${type})w) != 0;`,
        not: `return (${type})v != (${type})w;`,
      },
      {
        asm: `${type} o; A("cmp${suffix} %${letter}2, %${letter}1; sbb${suffix} %${letter}0, %${letter}0" : "=q"(o) : "q"((${type})v), "q"((${type})w) : "cc"); return o;`,
        c: `return (${type})v < (${type})w ? (${type})-1 : 0;`,
        not: `return (${type})v < (${type})w;`,
      },
    ];
  }),
  ...X86_SIZES.slice(1).flatMap(([suffix, letter, size]): Case[] => {
    const type = `u${size}`;
    const count = `(${size} - 1)`;
    const one = `${type} s = v | 1ul << 9;`;
    return [
      {
        asm: `char o; A("bt${suffix} %${letter}2, %${letter}1; setc %0" : "=q"(o) : "r"((${type})v), "r"((${type})w) : "cc"); return o;`,
        c: `return (${type})v >> (w & ${count}) & 1;`,
        not: `return ~(${type})v >> (w & ${count}) & 1;`,
      },
      {
        asm: `${type} o; ${one} A("bsf${suffix} %${letter}1, %${letter}0" : "=r"(o) : "r"(s) : "cc"); return o;`,
        c: `${one} return __builtin_ctzl(s);`,
        not: `${one} return 63 - __builtin_clzl(s);`,
      },
      {
        asm: `${type} o; ${one} A("bsr${suffix} %${letter}1, %${letter}0" : "=r"(o) : "r"(s) : "cc"); return o;`,
        c: `${one} return 63 - __builtin_clzl(s);`,
        not: `${one} return __builtin_ctzl(s);`,
      },
    ];
  }),
  ...(['l', 'q'] as const).map((suffix): Case => {
    const [type, swap] = suffix === 'l' ? ['u32', '__builtin_bswap32'] : ['u64', '__builtin_bswap64'];
    return {
      asm: `${type} o = v; A("bswap${suffix} %${suffix === 'l' ? 'k' : 'q'}0" : "+r"(o)); return o;`,
      c: `return ${swap}(v);`,
      not: `return (${type})v;`,
    };
  }),
  ...(
    [
      ['b', 'w', '8', '16'],
      ['b', 'l', '8', '32'],
      ['b', 'q', '8', '64'],
      ['w', 'l', '16', '32'],
      ['w', 'q', '16', '64'],
      ['l', 'q', '32', '64'],
    ] as const
  ).flatMap(([small, large, from, to]) =>
    ['s', 'z']
      .filter((kind) => !(kind === 'z' && small === 'l'))
      .map((kind): Case => {
        const value = (k: string): string =>
          `(u${to})${k === 's' ? `(s${to})LOAD((s${from} *)p, RELAXED)` : `LOAD((u${from} *)p, RELAXED)`}`;
        return {
          asm: `u${to} o; A("mov${kind}${small}${large} %1, %0" : "=r"(o) : "m"(*(u${from} *)p) : "memory"); return o;`,
          c: `return ${value(kind)};`,
          not: `return ${value(kind === 's' ? 'z' : 's')};`,
        };
      }),
  ),
];

const X86_CONDITIONS: Readonly<Record<string, string>> = {
  ...{ e: 'a == b', b: 'a < b', be: 'a <= b', l: 'i < j', le: 'i <= j', s: '(s64)(a - b) < 0' },
  ...{ o: '((i ^ j) & (i ^ (s64)(a - b))) < 0', p: '!(__builtin_popcountl((a - b) & 255) & 1)' },
};
const X86_NAMES_OF: Readonly<Record<string, readonly [yes: string, no: string]>> = {
  e: ['e z', 'ne nz'],
  b: ['b c nae', 'ae nb nc'],
  be: ['be na', 'a nbe'],
  l: ['l nge', 'ge nl'],
  le: ['le ng', 'g nle'],
  s: ['s', 'ns'],
  o: ['o', 'no'],
  p: ['p pe', 'np po'],
};

const X86_CONDITIONAL: readonly Case[] = Object.entries(X86_CONDITIONS).flatMap(([condition, test]) =>
  X86_NAMES_OF[condition]!.flatMap((names, isNot) =>
    names.split(' ').flatMap((name): Case[] => {
      const holds = isNot === 1 ? `!(${test})` : test;
      const values = 'u64 a = v, b = w; s64 i = v, j = w;';
      const compared = (rest: string, out: string): string =>
        `${out} A("cmpq %2, %1; ${rest}" : "+q"(o) : "r"(v), "r"(w) : "cc"); return o;`;
      return [
        {
          asm: compared(`set${name} %b0`, 'char o = 0;'),
          c: `${values} return ${holds};`,
          not: `${values} return !(${holds});`,
        },
        {
          asm: compared(`j${name} 1f; movq $0, %0; 1:`, 'long o = 1;'),
          c: `${values} return ${holds};`,
          not: `${values} return !(${holds});`,
        },
        ...(['', 'w', 'l', 'q'] as const).map((suffix) => {
          const [letter, type] = { '': ['q', 'u64'], w: ['w', 'u16'], l: ['k', 'u32'], q: ['q', 'u64'] }[suffix] as [
            string,
            string,
          ];
          return {
            asm: `${type} o = 5; A("cmpq %2, %1; cmov${name}${suffix} %${letter}1, %${letter}0" : "+r"(o) : "r"(v), "r"(w) : "cc"); return o;`,
            c: `${values} return ${holds} ? (${type})v : 5;`,
            not: `${values} return ${holds} ? 5 : (${type})v;`,
          };
        }),
      ];
    }),
  ),
);

describe('x86_64', () => {
  const cases = [...X86_MODIFYING, ...X86_EXCHANGES, ...X86_OTHERS, ...X86_CONDITIONAL];
  it('does with each instruction what its name says', () => allAreRight('x86_64', cases));

  it('has no instruction that is not tried here', () => {
    const named = namedBy(cases);
    const sizes = (name: string): readonly string[] =>
      name === 'bswap' ? ['l', 'q'] : /^b[ts]/.test(name) ? ['w', 'l', 'q'] : ['b', 'w', 'l', 'q'];
    const all = Array.from(X86_NAMES, ([name, locks]) =>
      sizes(name).flatMap((size) => [`${name}${size}`, ...(locks ? [`lock ${name}${size}`] : [])]),
    ).flat();
    const conditions = CONDITION_NAMES.x86.flatMap((name) => [`set${name}`, `j${name}`, `cmov${name}`, `cmov${name}l`]);
    expect([...all, ...conditions].filter((name) => !named.has(name))).toEqual([]);
    // The others have rows in assembly-x86.test.ts and assembly.test.ts.
    const others = X86_PATTERNS.map(({ source }) => source);
    expect(others).toEqual([
      ...['^set([a-z]+)$', '^cmov([a-z]+?)([wlq]?)$', '^mov([sz])([bwl])([wlq])$'],
      ...['^cmpxchg(8|16)b$', '^prefetch(?:w|wt1|nta|t[012])$', '^rdtscp?$'],
    ]);
    const moves = ['bw', 'bl', 'bq', 'wl', 'wq', 'lq'].flatMap((pair) => [`movs${pair}`, `movz${pair}`]);
    expect(moves.filter((name) => !named.has(name))).toEqual(['movzlq']);
  });
});
