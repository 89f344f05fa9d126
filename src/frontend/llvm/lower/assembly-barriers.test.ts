import { describe, expect, test } from 'vitest';
import { BARRIER_TEXTS, barrierOf } from './assembly-barriers.ts';
import { readAssembly } from './assembly-text.ts';

/** The classification of each instruction in a text; `~`: it orders less than that fence of C11. */
function barriers(text: string): readonly unknown[] {
  return readAssembly(text).map((instruction) => {
    const barrier = barrierOf(instruction);
    if (typeof barrier !== 'object' || 'refused' in barrier) return barrier;
    return `${barrier.partial === true ? '~' : ''}${barrier.order}`;
  });
}

const STRENGTHS: readonly (readonly [text: string, strength: string])[] = [
  // x86, as LLVM writes it
  ['mfence', 'seq_cst'],
  ['sfence', '~release'],
  ['lfence', 'acquire'],
  ['lock; addl $$0,0(%esp)', 'seq_cst'],
  ['lock addl $$0,(%rsp)', 'seq_cst'],
  ['lock\n\torq $$0x0,-128(%rsp);', 'seq_cst'],
  ['lock ; xorb $$0, -0x4(%esp)', 'seq_cst'],
  ['$(lock$|LOCK$) subl $$0,(%esp)', 'seq_cst'],
  ['pause', 'nothing'],
  ['rep; nop', 'nothing'],
  ['rep nop', 'nothing'],
  ['rep\n\tnop', 'nothing'],
  ['nop', 'nothing'],
  ['.byte 0xf3,0x90', 'nothing'],
  ['.byte 0xf3, 0x90', 'nothing'],
  ['.byte 0x0F,0xAE,0xF0', 'seq_cst'],
  ['.byte 0x0f,0xae,0xf8', '~release'],
  ['.byte 0x0f,0xae,0xe8', 'acquire'],
  // SPARC
  ['membar #StoreStore', '~release'],
  ['membar #LoadLoad', '~acquire'],
  ['membar #LoadStore', 'nothing'],
  ['membar #LoadLoad|#LoadStore', 'acquire'],
  ['membar #LoadLoad $| #LoadStore $| #StoreStore', 'acq_rel'],
  ['membar #StoreLoad $| #StoreStore', '~seq_cst'],
  ['membar #LoadLoad | #LoadStore | #StoreStore | #StoreLoad', 'seq_cst'],
  ['membar #MemIssue', 'seq_cst'],
  ['membar #Sync', 'seq_cst'],
  ['stbar', '~release'],
  ['rd %ccr, %g0', 'nothing'],
  // ARM
  ['dmb', 'seq_cst'],
  ['DMB SY', 'seq_cst'],
  ['dmb ish', 'seq_cst'],
  ['dmb\tosh', 'seq_cst'],
  ['dmb ishst', '~release'],
  ['dmb st', '~release'],
  ['dmb ishld', 'acquire'],
  ['dsb', 'seq_cst'],
  ['dsb sy', 'seq_cst'],
  ['dsb oshst', '~release'],
  ['dsb ld', 'acquire'],
  ['isb', 'nothing'],
  ['isb sy', 'nothing'],
  ['yield', 'nothing'],
  ['hint #1', 'nothing'],
  ['wfe', 'nothing'],
  ['sev', 'nothing'],
  ['hint #4', 'nothing'],
  ...['wfi', 'sevl', 'sb'].map((text) => [text, 'nothing'] as const),
  ...['dmb', 'dsb'].flatMap((name) => [
    ...['sy', 'ish', 'osh'].map((kind) => [`${name} ${kind}`, 'seq_cst'] as const),
    ...['st', 'ishst', 'oshst'].map((kind) => [`${name} ${kind}`, '~release'] as const),
    ...['ld', 'ishld', 'oshld'].map((kind) => [`${name} ${kind}`, 'acquire'] as const),
  ]),
  // POWER
  ['sync', 'seq_cst'],
  ['hwsync', 'seq_cst'],
  ['lwsync', 'acq_rel'],
  ['eieio', '~release'],
  ['isync', 'nothing'],
  ['or 27,27,27', 'nothing'],
  // RISC-V
  ['fence', 'seq_cst'],
  ['fence rw,rw', 'seq_cst'],
  ['fence iorw, iorw', 'seq_cst'],
  ['fence w,rw', '~seq_cst'],
  ['fence r,rw', 'acquire'],
  ['fence r,r', '~acquire'],
  ['fence rw,w', 'release'],
  ['fence w,w', '~release'],
  ['fence r,w', 'nothing'],
  ['fence i,o', 'nothing'],
  ['fence.tso', 'acq_rel'],
];

describe('a barrier has exactly its strength', () => {
  test.each(STRENGTHS)('%j is %s', (text, expected) => {
    expect(barriers(text)).toEqual([expected]);
  });

  test.each(['membar #StoreLoad', 'membar #StoreLoad $| #LoadLoad', 'fence w,r', 'fence rw,r'])(
    '%s is no fence that PSO has',
    (text) => {
      expect(barriers(text)).toEqual([{ refused: expect.stringContaining('store-load barrier') }]);
    },
  );

  test.each([...['', ';', '\n\t', '# mfence; mfence', '// mfence', '/* mfence */', '# a\n\t# b']])(
    'there is nothing in %j',
    (text) => {
      expect(barriers(text)).toEqual([]);
    },
  );

  test('no barrier of the tables is missing here', () => {
    const named = new Set([...STRENGTHS.map(([text]) => text.toLowerCase()), 'membar #storeload']);
    expect(BARRIER_TEXTS.filter((text) => !named.has(text))).toEqual([]);
  });

  test('several barriers in a row have a strength each', () => {
    expect(barriers('lfence\n\tsfence; mfence;;pause')).toEqual(['acquire', '~release', 'seq_cst', 'nothing']);
    expect(barriers('/* a */ lfence // b\nsfence')).toEqual([undefined, '~release']);
  });
});

test.each([
  ...['lock', 'rep', 'lock; mfence', 'lock; rep; nop', 'lock; nop', 'mfence $0', 'mfence # strong', 'rep; ret'],
  ...[
    'lock; addl $$1,(%esp)',
    'lock; addl $$0,(%eax)',
    'lock; addl $$0,$0',
    'lock; andl $$0,(%esp)',
    'addl $$0,(%esp)',
  ],
  ...['lock; incl (%esp)', 'lock; addl $$0,(%esp),1', 'lock; xchgl $$0,(%esp)', 'lock; addl $$0,(%esp,%eax)'],
  ...[
    'membar',
    'membar 2',
    'membar #Lookaside',
    'membar #StoreStore | #Lookaside',
    'membar #StoreStore |',
    'membar #x',
  ],
  ...['dmb nsh', 'dmb nshst', 'dmb #11', 'isb ish', 'hint #6', 'hint wfe', 'sync 1', 'or 1,2,1', 'or %0,%0,%0'],
  ...['fence wr,rw', 'fence rw', 'fence rw,', 'fence ,w', 'fence rw,rw,rw', 'fence.i', 'fence w,0', 'eieio 1'],
  ...['toString', 'membar toString', 'dmb constructor', 'mov $0, $1', '.byte 0x90', '1: jmp 1b'],
])('%s is not taken for a barrier', (text) => {
  expect(barriers(text)).toEqual([undefined]);
});
