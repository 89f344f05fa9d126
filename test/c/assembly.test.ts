/**
 * Inline assembly: barriers of the right strength, locked instructions, operands that pass through; the rest is
 * refused.
 */
import { describe, expect, it } from 'vitest';
import type { Program } from '../../src/program/ir.ts';
import { check, compileC, enumerate, MODELS, refusal, runAlone, verdict } from '../support/c.ts';

describe('barriers', () => {
  // One for each fence that barriers map to (assembly-barriers.test.ts has them all), and which of store–load (SB),
  // store–store (MP, writer) and load–load (MP, reader) it keeps in order.
  const BARRIERS = {
    'dmb ishst': 'SS',
    'membar #LoadLoad | #LoadStore': 'LL',
    'fence.tso': 'SS LL',
    'lock; addl $0,0(%%esp)': 'SL SS LL',
    'rep; nop': '',
  } as const;

  let source = `#include <pthread.h>
static int x, y, r;
static pthread_t t;
static void *write_both(void *_) { x = 1; __asm__ volatile("mfence" ::: "memory"); y = 1; return 0; }
`;
  for (const [n, text] of Object.keys(BARRIERS).entries()) {
    source += `#define B __asm__ volatile("${text}" ::: "memory")
static void *sb_other_${n}(void *_) { y = 1; B; r += 10 * x; return 0; }
int sb_${n}(void) { pthread_create(&t, 0, sb_other_${n}, 0); x = 1; B; int mine = y; pthread_join(t, 0); r += mine; return 0; }
static void *mp_write_${n}(void *_) { x = 1; B; y = 1; return 0; }
int mp_${n}(void) { pthread_create(&t, 0, mp_write_${n}, 0); int flag = y; r = 10 * flag + x; return 0; }
int read_${n}(void) { pthread_create(&t, 0, write_both, 0); int flag = y; B; r = 10 * flag + x; return 0; }
#undef B
`;
  }

  it.each(Object.entries(BARRIERS).map(([text, kinds], n) => [text, kinds, n] as const))(
    '"%s" orders "%s"',
    async (_, kinds, n) => {
      const outcomes = async (shape: string, model: 'tso' | 'pso' | 'pslo'): Promise<readonly string[]> =>
        enumerate(await compileC({ 'barriers.c': source }, { entry: `${shape}_${n}` }), model, ['r']).outcomes;
      for (const model of ['tso', 'pso'] as const)
        expect((await outcomes('sb', model)).includes('0'), model).toBe(!kinds.includes('SL'));
      expect(await outcomes('mp', 'tso')).not.toContain('10');
      expect((await outcomes('mp', 'pso')).includes('10')).toBe(!kinds.includes('SS'));
      expect((await outcomes('read', 'pslo')).includes('10')).toBe(!kinds.includes('LL'));
    },
  );
});

/** Each function checks one thing with assertions. */
const ALONE = `#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#define A __asm__ volatile
static int v = 5; static unsigned char c8 = 250; static short s16 = -3; static long long q = 1ll << 40;

int passes_through(void) {
  int x = 1, y = 2, z; double d = 1.5; bool yes = true; long long wide = 1ll << 33; int *p = &v;
  __asm__("" : "+r"(x)); assert(x == 1);
  A("" : "=r"(z) : "0"(x)); assert(z == 1);
  A("" : "=r"(x), "=r"(z) : "1"(x), "0"(y)); assert(x == 2 && z == 1);
  A("" : "+r"(x), "+r"(y) : : "memory", "cc"); assert(x == 2 && y == 2);
  A("" : "+m"(x)); A("" : "+rm"(x)); A("" : "+g"(x)); A("" : "+m,r"(x)); assert(x == 2);
  A("" : "+m"(v)); A("" : "+rm"(v)); A("" : "=m"(v) : "m"(v)); A("" : "=m"(v) : "0"(v)); assert(v == 5);
  A("" : "+x"(d)); A("" : "+r"(yes)); A("" : "+r"(wide)); A("" : "+r"(p)); A("" : "+r"(*p));
  assert(d == 1.5 && yes && wide == 1ll << 33 && p == &v && v == 5);
  A("" :: "r"(x), "m"(y), "i"(3), "r"(&z) : "memory"); assert(x == 2 && y == 2 && z == 1);
  register int named __asm__("ebx") = 7; A("" : "+r"(named)); assert(named == 7);
  struct pair { int a, b; } s = {1, 2}; A("" : "+m"(s)); A("" : "+r"(s)); assert(s.a == 1 && s.b == 2);
  int array[3] = {1, 2, 3}; A("" : "+m"(array)); assert(array[2] == 3);
  A("mfence" : "+r"(x), "+m"(y) : : "memory"); assert(x == 2 && y == 2);
  return 0;
}
int escapes(void) {
  int x = 1, *p;
  __asm__("" : "=r"(p) : "0"(&x));
  *p = 2; assert(x == 2);
  x = 3; assert(*p == 3);
  return 0;
}
int arithmetic(void) {
  int i = 3;
  A("lock; addl %1,%0" : "+m"(v) : "ir"(i)); assert(v == 8);
  A("lock; subl %1,%0" : "+m"(v) : "ir"(2)); assert(v == 6);
  A("lock incl %0" : "+m"(v)); A("lock;decl %0" : "+m"(v)); A("lock\\n\\tincl\\t%0" : "+m"(v)); assert(v == 7);
  A("lock; andl $0x6,%0" : "+m"(v)); assert(v == 6);
  A("lock; orl $1,%0" : "+m"(v)); assert(v == 7);
  A("lock; xorl $-1,%0" : "+m"(v)); assert(v == -8);
  A("{lock|LOCK}; {addl %1,%0|add %0,%1}" : "+m"(v) : "r"(10)); assert(v == 2);
  A("lock add %1,%0" : "+m"(v) : "r"(i)); assert(v == 5);
  A("lock; addb %1,%0" : "+m"(c8) : "iq"((char)10)); assert(c8 == 4);
  A("lock; subw $1,%0" : "+m"(s16)); assert(s16 == -4);
  A("lock; addq %1,%0" : "+m"(q) : "r"(q)); assert(q == 1ll << 41);
  A("lock; orb $0x40,%b0" :: "m"(v) : "memory"); assert(v == 0x45);
  A("lock; orb %b1,%0" : "+m"(v) : "q"(0x102)); assert(v == 0x47);
  A("lock; addl $1,%[place]" : [place] "+m"(((int *)&q)[1])); assert(q == (1ll << 41) + (1ll << 32));
  A("lock; addl $0,%0" : "+m"(i) : : "memory"); assert(i == 3);
  return 0;
}
int exchanges(void) {
  int x = 9; char c = 7; long long w = 3;
  A("lock; xaddl %0,%1" : "+r"(x), "+m"(v) : : "memory"); assert(x == 5 && v == 14);
  A("lock; xaddl %0,%1" : "=r"(x), "=m"(v) : "0"(x), "m"(v) : "memory"); assert(x == 14 && v == 19);
  A("xchgl %0,%1" : "=r"(x) : "m"(v), "0"(x) : "memory"); assert(x == 19 && v == 14);
  A("lock xchg %1,%0" : "+r"(x), "+m"(v) : : "memory"); assert(x == 14 && v == 19);
  A("xchgb %b0,%1" : "+q"(c), "+m"(c8)); assert((unsigned char)c == 250 && c8 == 7);
  A("lock xadd %0,%1" : "+q"(c), "+m"(c8)); assert(c == 7 && c8 == 1);
  A("xchgq %0,%1" : "+r"(w), "+m"(q)); assert(w == 1ll << 40 && q == 3);
  return 0;
}
static int cas(int *p, int old, int new) {
  int previous;
  A("lock; cmpxchgl %1,%2" : "=a"(previous) : "r"(new), "m"(*p), "0"(old) : "memory");
  return previous;
}
int compare_exchanges(void) {
  char ok; bool yes; int old, z;
  assert(cas(&v, 4, 6) == 5 && v == 5 && cas(&v, 5, 6) == 5 && v == 6);
  old = 6; A("lock; cmpxchgl %3,%0; setz %1" : "+m"(v), "=q"(ok), "+a"(old) : "r"(7) : "memory", "cc"); assert(ok == 1 && old == 6 && v == 7);
  old = 6; A("lock; cmpxchgl %3,%0; setne %1" : "+m"(v), "=qm"(ok), "+a"(old) : "r"(8) : "memory", "cc"); assert(ok == 1 && old == 7 && v == 7);
  old = 7; A("lock cmpxchgl %3, %0; setz %1" : "+m"(v), "=a"(yes) : "q"(old), "a"(7) : "memory", "cc"); assert(yes && v == 7);
  old = 7; A("lock cmpxchgl %3,%0" : "+m"(v), "=@ccz"(z), "+a"(old) : "r"(9) : "memory"); assert(z == 1 && v == 9);
  old = 7; A("lock cmpxchgl %3,%0" : "+m"(v), "=@ccnz"(z), "+a"(old) : "r"(9) : "memory"); assert(z == 1 && v == 9 && old == 9);
  old = 0; A("lock; cmpxchgb %b2,%1" : "+a"(c8), "+m"(c8) : "q"(1)); assert(c8 == 250 || c8 == 1);
  return 0;
}
int conditions(void) {
  char zero; int z;
  v = 2;
  A("lock; decl %0; sete %1" : "+m"(v), "=qm"(zero) : : "memory"); assert(zero == 0);
  A("lock; decl %0; sete %1" : "=m"(v), "=qm"(zero) : "m"(v) : "memory"); assert(zero == 1);
  A("lock; decl %0; setnz %1" : "+m"(v), "=q"(zero)); assert(zero == 1 && v == -1);
  A("lock; addl $1,%0" : "+m"(v), "=@cce"(z)); assert(z == 1);
  A("lock; orl $2,%0; mfence; sete %1" : "+m"(v), "=m"(zero)); assert(zero == 0);
  A("lock; addb $1,%0" : "=m"(c8), "=@ccz"(z) : "m"(c8)); assert(z == 0);
  A("lock; addb $5,%0" : "=m"(c8), "=@ccz"(z) : "m"(c8)); assert(z == 1 && c8 == 0);
  return 0;
}

/* ---- threads */
static int next_ticket, serving, counter, lock, a, b;
static pthread_t t;
static int fetch_add(int *p, int n) { A("lock; xaddl %0,%1" : "+r"(n), "+m"(*p) : : "memory"); return n; }
static void *ticket_lock(void *_) {
  int mine = fetch_add(&next_ticket, 1);
  while (*(volatile int *)&serving != mine) A("pause");
  counter++;
  A("lock; incl %0" : "+m"(serving) : : "memory");
  return 0;
}
int tickets(void) { pthread_create(&t, 0, ticket_lock, 0); ticket_lock(0); pthread_join(t, 0); assert(counter == 2); return 0; }
static void *spin_lock(void *_) {
  while (cas(&lock, 0, 1) != 0) A("rep; nop");
  counter++;
  int free = 0;
  A("xchgl %0,%1" : "+r"(free), "+m"(lock) : : "memory");
  return 0;
}
int spins(void) { pthread_create(&t, 0, spin_lock, 0); spin_lock(0); pthread_join(t, 0); assert(counter == 2); return 0; }
static void *increment(void *_) { A("lock; incl %0" : "+m"(counter)); return 0; }
int increments(void) { pthread_create(&t, 0, increment, 0); increment(0); pthread_join(t, 0); assert(counter == 2); return 0; }
static int mine, other;
static void *buffering(void *_) { a = 1; A("lock; addl $0,%0" : "+m"(counter) : : "memory"); other = b; return 0; }
int locked_is_a_fence(void) { pthread_create(&t, 0, buffering, 0); b = 1; increment(0); mine = a; pthread_join(t, 0); assert(mine || other); return 0; }
static void *lost(void *_) { __asm__("" : "+rm"(counter)); return 0; }
int an_operand_in_a_register(void) { pthread_create(&t, 0, lost, 0); increment(0); pthread_join(t, 0); assert(counter == 1); return 0; }
`;

describe('one thread', () => {
  const load = (entry: string): Promise<Program> => compileC({ 'alone.c': ALONE }, { entry });
  const alone = 'passes_through escapes arithmetic exchanges compare_exchanges conditions';
  it.each(alone.split(' '))('%s', async (entry) => {
    for (const model of MODELS) expect(runAlone(await load(entry), model)).toBe('');
  });

  it.each(['tickets', 'spins', 'increments', 'locked_is_a_fence'])('of several: %s', async (entry) => {
    for (const model of MODELS)
      expect(verdict(check(await load(entry), model, { strategy: 'optimal' })), model).toBe('verified');
  });

  it('an operand that may be in a register is loaded and stored', async () => {
    const program = await load('an_operand_in_a_register');
    expect(verdict(check(program, 'sc', { strategy: 'optimal' }))).toBe('assertion: counter == 1');
  });

  it('names what it accesses', async () => {
    const rmw = (await load('tickets')).functions
      .flatMap(({ blocks }) => blocks.flatMap(({ body }) => body))
      .find((i) => i.op === 'rmw' && i.location?.variable !== undefined);
    expect(rmw?.location?.variable).toMatch(/^\*p|serving$/);
  });
});

it('fences of <emmintrin.h> are the instructions they are named after', async () => {
  const source = `#include <emmintrin.h>
int main(void) { _mm_mfence(); _mm_sfence(); _mm_lfence(); _mm_pause(); return 0; }`;
  const main = (await compileC(source)).functions.find(({ name }) => name === 'main')!;
  const fences = main.blocks.flatMap(({ body }) => body.flatMap((i) => (i.op === 'fence' ? [i.order] : [])));
  expect(fences).toEqual(['seq_cst', 'release', 'acquire']);
});

describe('refused, with the place', () => {
  const KNOWN = "only barriers and x86's locked instructions on operands in memory are modelled";
  const CASES: readonly (readonly [assembly: string, reason: string])[] = [
    ['"addl $1,%0" : "+m"(v)', KNOWN],
    ['"xaddl %0,%1" : "+r"(x), "+m"(v)', KNOWN],
    ['"cmpxchgl %1,%0" : "+m"(v), "+a"(x)', KNOWN],
    ['"movl %1,%0" : "=r"(x) : "m"(v)', KNOWN],
    ['"mfence; movl $1,%0" : "=m"(v)', KNOWN],
    ['"lock; btsl $1,%0" : "+m"(v)', KNOWN],
    ['"lock; negl %0" : "+m"(v)', KNOWN],
    ['"lock; cmpxchg8b %0" : "+m"(w)', KNOWN],
    ['"lock"', KNOWN],
    ['"lock; mfence"', KNOWN],
    ['"lock; rep; nop"', KNOWN],
    ['"mfence # strong"', KNOWN],
    ['"1: jmp 1b"', KNOWN],
    ['"cpuid" : : : "eax"', KNOWN],
    ['".byte 0xf3, 0x90"', KNOWN],
    ['"dmb nsh"', KNOWN],
    ['"wfe"', KNOWN],
    ['"membar #Lookaside"', KNOWN],
    ['"membar"', KNOWN],
    ['"membar 2"', KNOWN],
    ['"fence wr,rw"', KNOWN],
    ['"fence.i"', KNOWN],
    ['"sync 4"', KNOWN],
    ['"membar #StoreLoad"', 'a store-load barrier without store-store order is not modelled; order stores too'],
    ['"fence rw,r"', 'a store-load barrier without store-store order is not modelled; order stores too'],
    ['"lock; addl $1,(%%esp)"', '"(%%esp)" is not a memory operand'],
    ['"lock; addl $0,(%%eax)"', '"(%%eax)" is not a memory operand'],
    ['"lock; addl $1,%0" : "+r"(x)', '"$0" is not a memory operand'],
    ['"lock; addl $1,%0" : "+rm"(v)', '"$0" is not a memory operand'],
    ['"lock; addl %1,%0" : "+m"(v) : "m"(x)', '"$1" may be in memory'],
    ['"lock; addl %1,%0" : "+m"(v) : "g"(x)', '"$1" may be in memory'],
    ['"lock; addl %1,%0" : "+m"(v) : "r"((short)x)', 'the size of "$1" differs from the instruction'],
    ['"lock; addq %1,%0" : "+m"(v) : "r"(x)', 'the size of "$1" differs from the instruction'],
    ['"lock; addb $256,%0" : "+m"(v)', 'a number is too large'],
    ['"lock; inc %0" : "+m"(v)', 'its size is not known; give it a suffix (b, w, l, q)'],
    ['"lock; add %1,%0" : "+m"(v) : "iq"((char)1)', 'its size is not known; give it a suffix (b, w, l, q)'],
    ['"" : "=r"(x)', 'it has an output that is never set'],
    ['"" : "=&r"(x) : "r"(y)', 'it has an output that is never set'],
    ['"mfence" : "=rm"(x)', 'it has an output that is never set'],
    ['"" : "=@ccz"(x)', 'no supported instruction has set the condition it tests'],
    ['"sete %0" : "=q"(c)', 'no supported instruction has set the condition it tests'],
    ['"lock; incl %0" : "+m"(v), "=@ccc"(x)', 'it has an output that is never set'],
    ['"lock; incl %0; sete %b1" : "+m"(v), "=q"(x)', 'not all bits of an operand are known'],
    ['"lock; xaddl %0,%1" : "=r"(x), "+m"(v)', 'it reads an operand that has no value'],
    [
      '"lock; xaddl %1,%0" : "+m"(v) : "r"(x)',
      'it changes an operand that is an input only; make it an output with "+"',
    ],
    ['"lock; cmpxchgl %1,%0" : "+m"(v) : "r"(x)', 'no operand is in its register "a"'],
    [
      '"lock; cmpxchgl %1,%0" : "+m"(v) : "r"(x), "a"(y)',
      'it changes an operand that is an input only; make it an output with "+"',
    ],
    [
      '"lock; incl %0; sete %1; lock; addl %2,%0" : "+m"(v), "=q"(c) : "r"(x)',
      'an input may be in the register of an output that was written before',
    ],
    [
      '"lock; xaddl %0,%1; lock; incl %1" : "+r"(x), "+m"(v)',
      'an address may be in the register of an output that was written before',
    ],
  ];
  const source = `int v; long long w;\n${CASES.map(
    ([assembly], n) =>
      `int f${n}(void) { int x = 1, y = 2; char c = 3;\n  __asm__ volatile(${assembly}); return x + y + c; }\n`,
  ).join('')}`;

  it.each(CASES.map(([assembly, reason], n) => [assembly, reason, n] as const))('%s', async (_, reason, n) => {
    const { message } = await refusal(source, { entry: `f${n}` });
    expect(message).toContain(`test.c:${2 * n + 3}:3: unsupported inline assembly: "`);
    expect(message).toContain(`; ${reason}`);
  });

  it.each([
    [
      'asm goto',
      'int main(void) {\n  __asm__ goto("" : : : : out);\nout:\n  return 0;\n}\n',
      /test\.c:2:3: unsupported/,
    ],
    ['outside of functions', '__asm__("x: .long 1");\nint main(void) { return 0; }\n', /test\.c:1:1: .*"x: \.long 1"/],
  ])('%s', async (_, source, message) => {
    expect((await refusal(source)).message).toMatch(message);
  });

  it('not if it is never reached, nor directives that define nothing', async () => {
    const source = `__asm__(".globl main\\n\\t.ident \\"me\\"");
static void never(void) { __asm__("hlt"); }
int main(void) { return 0; }
`;
    expect(runAlone(await compileC(source))).toBe('');
  });
});
