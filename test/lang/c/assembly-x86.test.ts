/**
 * Compares x86's instructions with C11: what each is, and what it is not. `test/support/assembly.ts` has the program.
 */
import { describe } from 'vitest';
import { type Row, testRows } from '../../support/assembly.ts';

const MEMORY = ': : : "memory"';

/** A locked instruction: its C11 equivalent is seq_cst, and without the prefix it is a load and a store. */
function both(name: string, text: string, c: string, change: string, operands = ''): readonly Row[] {
  const split = `int v = LOAD(&x, RELAXED); STORE(&x, ${change}, RELAXED)`;
  const asm = (prefix: string): string =>
    `A("${prefix}${text}" : "+m"(x) ${operands === '' ? ':' : operands} : "memory")`;
  return [
    { name: `lock ${name}`, asm: asm('lock; '), c, not: split, under: 'sc' },
    { name: `${name} on memory`, asm: asm(''), c: split, not: c, under: 'sc' },
  ];
}

const V = ': "r"(ME)';
const ROWS: readonly Row[] = [
  {
    name: 'mov',
    asm: [
      'A("movl %1,%0" : "=m"(x) : "ri"(ME) : "memory")',
      'A("movl %2,%1; movl %3,%0" : "=r"(r), "=m"(x64) : "r"(ME), "m"(x) : "memory")',
    ],
    c: ['STORE(&x, ME, RELAXED)', 'STORE((int *)&x64, ME, RELAXED); r = LOAD(&x, RELAXED)'],
    not: ['STORE(&x, ME, SEQ_CST)', 'STORE((int *)&x64, ME, SEQ_CST); r = LOAD(&x, SEQ_CST)'],
    under: 'tso',
  },
  {
    name: 'movb, movw, movq',
    asm: [
      'A("movb %1,%0; movw $2,%2; movq %3,%4" : "=m"(x8) : "q"((char)ME), "m"(x16), "r"(3ll), "m"(x64) : "memory")',
      'char v; A("movb %1,%0" : "=q"(v) : "m"(x8) : "memory"); r = v',
    ],
    c: ['STORE(&x8, ME, RELAXED); STORE(&x16, 2, RELAXED); STORE(&x64, 3, RELAXED)', 'r = LOAD(&x8, RELAXED)'],
    not: ['STORE(&x8, ME, RELAXED); STORE(&x16, 2, RELAXED); STORE(&x64, 3, RELAXED)', 'r = LOAD(&x, RELAXED)'],
    under: 'sc',
    models: ['sc', 'tso', 'pso'],
  },
  {
    name: 'movzbl, movswl',
    asm: ['A("movb $-1,%0" : "=m"(x8) : : "memory")', 'A("movzbl %1,%0" : "=r"(r) : "m"(x8) : "memory")'],
    c: ['STORE(&x8, -1, RELAXED)', 'r = (unsigned char)LOAD(&x8, RELAXED)'],
    not: ['STORE(&x8, -1, RELAXED)', 'A("movsbl %1,%0" : "=r"(r) : "m"(x8) : "memory")'],
    under: 'sc',
  },
  {
    name: 'xchg',
    asm: 'int v = ME; A("xchgl %0,%1" : "+r"(v), "+m"(x) : : "memory"); r = v',
    c: 'r = SWAP(&x, ME, SEQ_CST)',
    not: 'r = LOAD(&x, RELAXED); STORE(&x, ME, RELAXED)',
    under: 'sc',
  },
  ...both('add', 'addl %1,%0', 'ADD(&x, ME, SEQ_CST)', 'v + ME', V),
  ...both('sub', 'subl %1,%0', 'SUB(&x, ME, SEQ_CST)', 'v - ME', V),
  ...both('inc', 'incl %0', 'ADD(&x, 1, SEQ_CST)', 'v + 1'),
  ...both('dec', 'decl %0', 'SUB(&x, 1, SEQ_CST)', 'v - 1'),
  ...both('or', 'orl %1,%0', 'OR(&x, ME, SEQ_CST)', 'v | ME', V),
  ...both('xor', 'xorl %1,%0', 'XOR(&x, ME, SEQ_CST)', 'v ^ ME', V),
  ...both('not', 'notl %0', 'XOR(&x, -1, SEQ_CST)', '~v'),
  ...both('bts', 'btsl %1,%0', 'OR(&x, 1 << ME, SEQ_CST)', 'v | 1 << ME', V),
  ...both('btc', 'btcl %1,%0', 'XOR(&x, 1 << ME, SEQ_CST)', 'v ^ 1 << ME', V),
  {
    name: 'lock and',
    asm: 'A("lock; orl $7,%0; lock; andl %1,%0" : "+m"(x) : "r"(~ME) : "memory")',
    c: 'OR(&x, 7, SEQ_CST); AND(&x, ~ME, SEQ_CST)',
    not: 'OR(&x, 7, SEQ_CST); int v = LOAD(&x, RELAXED); STORE(&x, v & ~ME, RELAXED)',
    under: 'sc',
  },
  {
    name: 'and on memory',
    asm: 'A("lock; orl $7,%0; andl %1,%0" : "+m"(x) : "r"(~ME) : "memory")',
    c: 'OR(&x, 7, SEQ_CST); int v = LOAD(&x, RELAXED); STORE(&x, v & ~ME, RELAXED)',
    not: 'OR(&x, 7, SEQ_CST); AND(&x, ~ME, SEQ_CST)',
    under: 'sc',
  },
  {
    name: 'lock btr, with its flag',
    asm: 'A("lock; orl $7,%0; lock; btrl $1,%0" : "+m"(x), "=@ccc"(r) : : "memory")',
    c: 'OR(&x, 7, SEQ_CST); r = AND(&x, ~2, SEQ_CST) >> 1 & 1',
    not: 'OR(&x, 7, SEQ_CST); r = 1; AND(&x, ~2, SEQ_CST)',
    under: 'sc',
  },
  {
    name: 'bt on memory',
    asm: ['STORE(&x, 4, RELAXED)', 'A("btl %2,%1; setc %b0" : "+q"(r) : "m"(x), "r"(2) : "memory")'],
    c: ['STORE(&x, 4, RELAXED)', 'r = LOAD(&x, RELAXED) >> 2 & 1'],
    not: ['STORE(&x, 4, RELAXED)', 'r = 0'],
    under: 'sc',
  },
  {
    name: 'lock neg',
    asm: 'A("lock; incl %0; lock; negl %0" : "+m"(x) : : "memory")',
    c: 'ADD(&x, 1, SEQ_CST); int v = LOAD(&x, RELAXED); while (!CAS(&x, &v, -v, SEQ_CST, RELAXED));',
    not: 'ADD(&x, 1, SEQ_CST); int v = LOAD(&x, RELAXED); STORE(&x, -v, RELAXED)',
    under: 'sc',
  },
  {
    name: 'neg on memory',
    asm: 'A("lock; incl %0; negl %0" : "+m"(x) : : "memory")',
    c: 'ADD(&x, 1, SEQ_CST); int v = LOAD(&x, RELAXED); STORE(&x, -v, RELAXED)',
    not: 'ADD(&x, 1, SEQ_CST); int v = LOAD(&x, RELAXED); while (!CAS(&x, &v, -v, SEQ_CST, RELAXED));',
    under: 'sc',
  },
  {
    name: 'lock xadd',
    asm: 'int v = ME; A("lock; xaddl %0,%1" : "+r"(v), "+m"(x) : : "memory"); r = v',
    c: 'r = ADD(&x, ME, SEQ_CST)',
    not: 'r = LOAD(&x, RELAXED); STORE(&x, r + ME, RELAXED)',
    under: 'sc',
  },
  {
    name: 'xadd on memory',
    asm: 'int v = ME; A("xaddl %0,%1" : "+r"(v), "+m"(x) : : "memory"); r = v',
    c: 'r = LOAD(&x, RELAXED); STORE(&x, r + ME, RELAXED)',
    not: 'r = ADD(&x, ME, SEQ_CST)',
    under: 'sc',
  },
  {
    name: 'lock cmpxchg',
    asm: 'int e = 0; A("lock; cmpxchgl %2,%1" : "+a"(e), "+m"(x) : "r"(ME) : "memory"); r = e',
    c: 'int e = 0; CAS(&x, &e, ME, SEQ_CST, SEQ_CST); r = e',
    not: 'int e = LOAD(&x, RELAXED); STORE(&x, e == 0 ? ME : e, RELAXED); r = e',
    under: 'sc',
  },
  {
    name: 'cmpxchg on memory, which always writes',
    asm: ['STORE(&x, 1, RELAXED)', 'int e = 5; A("cmpxchgl %2,%1" : "+a"(e), "+m"(x) : "r"(ME) : "memory"); r = e'],
    c: ['STORE(&x, 1, RELAXED)', 'int e = LOAD(&x, RELAXED); STORE(&x, e == 5 ? ME : e, RELAXED); r = e'],
    not: ['STORE(&x, 1, RELAXED)', 'int e = 5; CAS(&x, &e, ME, SEQ_CST, SEQ_CST); r = e'],
    under: 'sc',
  },
  {
    name: 'lock cmpxchg8b',
    asm: 'unsigned lo = 0, hi = 0; A("lock; cmpxchg8b %2" : "+a"(lo), "+d"(hi), "+m"(x64) : "b"(ME), "c"(ME + 4) : "memory"); r = lo + hi',
    c: 'long long e = 0; CAS(&x64, &e, ME | (ME + 4ll) << 32, SEQ_CST, SEQ_CST); r = (int)e + (int)(e >> 32)',
    not: 'long long e = LOAD(&x64, RELAXED); STORE(&x64, e ? e : ME | (ME + 4ll) << 32, RELAXED); r = (int)e + (int)(e >> 32)',
    under: 'sc',
  },
  {
    name: 'cmpxchg8b on memory',
    asm: 'unsigned lo = 0, hi = 0; A("cmpxchg8b %2" : "+a"(lo), "+d"(hi), "+m"(x64) : "b"(ME), "c"(ME + 4) : "memory"); r = lo + hi',
    c: 'long long e = LOAD(&x64, RELAXED); STORE(&x64, e ? e : ME | (ME + 4ll) << 32, RELAXED); r = (int)e + (int)(e >> 32)',
    not: 'long long e = 0; CAS(&x64, &e, ME | (ME + 4ll) << 32, SEQ_CST, SEQ_CST); r = (int)e + (int)(e >> 32)',
    under: 'sc',
  },
  {
    name: 'lock cmpxchg16b',
    asm: 'long lo = 0, hi = 0; char z; A("lock; cmpxchg16b %0; setz %1" : "+m"(x128), "=q"(z), "+a"(lo), "+d"(hi) : "b"((long)ME), "c"(4l + ME) : "memory"); r = lo + hi + 20 * z',
    c: '__VERIFIER_atomic_begin(); long long l = LOAD(&x128.l, RELAXED), h = LOAD(&x128.h, RELAXED); int z = !l & !h; if (z) { STORE(&x128.l, ME, RELAXED); STORE(&x128.h, 4 + ME, RELAXED); } __VERIFIER_atomic_end(); r = l + h + 20 * z',
    not: 'long long l = LOAD(&x128.l, RELAXED), h = LOAD(&x128.h, RELAXED); int z = !l & !h; if (z) { STORE(&x128.l, ME, RELAXED); STORE(&x128.h, 4 + ME, RELAXED); } r = l + h + 20 * z',
    under: 'sc',
    // RC11 gives no answer for atomic accesses of 16 bytes.
    models: ['sc', 'tso', 'pso'],
  },
  {
    name: 'a loop around cmpxchg',
    asm: 'int e, n; A("movl %2,%0; 1: movl %0,%1; addl %3,%1; lock; cmpxchgl %1,%2; jnz 1b" : "=&a"(e), "=&r"(n), "+m"(x) : "r"(ME) : "memory"); r = e',
    c: 'int e = LOAD(&x, RELAXED); while (!CAS(&x, &e, e + ME, SEQ_CST, SEQ_CST)); r = e',
    not: 'r = LOAD(&x, RELAXED); STORE(&x, r + ME, RELAXED)',
    under: 'sc',
  },
];

const FENCES: readonly Row[] = [
  ...[
    ['mfence', 'SEQ_CST', 'ACQ_REL', 'tso'],
    ['.byte 0x0f,0xae,0xf0', 'SEQ_CST', 'ACQ_REL', 'tso'],
    ['lock; orl $0,(%%rsp)', 'SEQ_CST', 'ACQ_REL', 'tso'],
    ['lfence', 'ACQUIRE', 'SEQ_CST', 'tso'],
  ].map(
    ([text, order, not, under]) =>
      ({
        name: text!,
        asm: `A("${text}" ${MEMORY})`,
        c: `FENCE(${order})`,
        not: `FENCE(${not})`,
        under: under as 'tso',
      }) as const,
  ),
  {
    name: 'sfence',
    asm: `A("sfence" ${MEMORY})`,
    c: 'FENCE(RELEASE)',
    not: 'FENCE(SEQ_CST)',
    under: 'tso',
    // It orders only stores; RC11 gives no answer.
    models: ['sc', 'tso', 'pso'],
  },
  ...['', 'pause', 'rep; nop', '.byte 0xf3,0x90', 'nop'].map(
    (text) =>
      ({
        name: `"${text}"`,
        asm: `A("${text}" ${MEMORY})`,
        c: '',
        not: 'FENCE(RELEASE)',
        under: 'pso',
      }) as const,
  ),
];

const SECTIONS = 'extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);';
describe('x86_64', () => testRows('x86_64', SECTIONS, [...ROWS, ...FENCES]));

describe('i686', () =>
  testRows('i686', '', [
    {
      name: 'lock cmpxchg8b with a pair of registers',
      asm: 'long long e = 0; A("lock; cmpxchg8b %1" : "+A"(e), "+m"(x64) : "b"(ME), "c"(0) : "memory"); r = (int)e',
      c: 'long long e = 0; CAS(&x64, &e, ME, SEQ_CST, SEQ_CST); r = (int)e',
      not: 'long long e = LOAD(&x64, RELAXED); STORE(&x64, e ? e : ME, RELAXED); r = (int)e',
      under: 'sc',
    },
  ]));
