/**
 * Inline assembly: barriers of the right strength, results of x86's instructions, operands that pass through; the rest
 * is refused. `assembly-x86.test.ts` and so on compare instructions with C11.
 */
import { describe, expect, it } from 'vitest';
import type { Program } from '../../../src/program/ir.ts';
import { check, compileC, enumerate, MODELS, refusal, runAlone, verdict } from '../../support/c.ts';

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

int moves(void) {
  int x = 0, n; unsigned char c = 0; long long w = -1;
  A("movl $7,%0" : "=r"(x)); assert(x == 7);
  A("mov %1,%0" : "=r"(x) : "r"(v)); assert(x == 5);
  A("movl %1,%0" : "=r"(x) : "g"(v)); assert(x == 5);
  A("movl %0,%1" : : "r"(8), "m"(v) : "memory"); assert(v == 8);
  A("movl %1,%k0" : "=r"(w) : "m"(v)); assert(w == 8);
  w = -1; A("movw $1,%w0" : "+r"(w)); assert(w == -65535);
  w = 0x1234; A("movb $0,%h0" : "+Q"(w)); assert(w == 0x34);
  A("movb %h1,%0" : "=q"(c) : "Q"(0x1234)); assert(c == 0x12);
  A("movzbl %1,%0" : "=r"(x) : "m"(c8)); assert(x == 250);
  A("movsbl %1,%0" : "=r"(x) : "m"(c8)); assert(x == -6);
  A("movswl %1,%0" : "=r"(x) : "r"(s16)); assert(x == -3);
  A("movslq %1,%0" : "=r"(w) : "r"(x)); assert(w == -3);
  A("movl 4(%1),%0" : "=r"(x) : "r"(&q) : "memory"); assert(x == 256);
  A("movl %c2(%1),%0" : "=r"(x) : "r"(&q), "i"(4) : "memory"); assert(x == 256);
  A("movl %1,%%ecx; movl %%ecx,%0" : "=r"(x) : "r"(9) : "ecx"); assert(x == 9);
  A("mov%z0 %1,%0" : "=m"(s16) : "ri"((short)4)); assert(s16 == 4);
  A("xorl %0,%0; orl $3,%0" : "=r"(x)); assert(x == 3);
  A("subl %0,%0; notl %0; andl $6,%0; negl %0" : "=r"(x)); assert(x == -6);
  n = 8; A("xchgl %0,%1; xchgb %b0,%b1" : "+q"(x), "+q"(n)); assert(x == (8 & ~255 | (-6 & 255)) && n == (-6 & ~255 | 8));
  x = 0x01020304; A("bswap %0" : "+r"(x)); assert(x == 0x04030201);
  A("bsfl %1,%0" : "=r"(x) : "r"(40)); assert(x == 3);
  A("bsr %1,%0" : "=r"(w) : "r"(5ll << 33)); assert(w == 35);
  int a = 1, b = 2; A("cmpl %2,%1; cmovll %2,%0" : "+r"(x) : "r"(a), "r"(b)); assert(x == 2);
  A("cmpl %2,%1; cmovg %2,%0" : "+r"(x) : "r"(a), "r"(9)); assert(x == 2);
  return 0;
}
int numbers_in_general_registers(void) {
  static double d = 1.5; double e = 2.5; float f = 0.5f; long w;
  A("xchgq %0,%1" : "+r"(e), "+m"(d)); assert(e == 1.5 && d == 2.5);
  A("movq %1,%0" : "=r"(w) : "r"(1.0)); assert(w == 0x3ff0000000000000);
  A("xorl $0x80000000,%0" : "+r"(f)); assert(f == -0.5f);
  A("" : "+r"(e), "+r"(f)); assert(e == 1.5 && f == -0.5f);
  return 0;
}
static struct { long l, h; } __attribute__((aligned(16))) pair = {3, 4};
int loads_of_16_bytes(void) {
  long l, h; char z;
  A("movq %%rdx,%%rcx; movq %%rax,%%rbx; lock; cmpxchg16b %2" : "=a"(l), "=d"(h) : "m"(pair) : "rbx", "rcx", "memory", "cc"); assert(l == 3 && h == 4);
  A("lock; cmpxchg16b %0; setz %1" : "+m"(pair), "=q"(z), "+a"(l), "+d"(h) : "b"(5l), "c"(6l)); assert(z && pair.l == 5 && pair.h == 6);
  A("prefetchw %0; prefetcht0 (%1)" : : "m"(pair), "r"(&pair)); assert(pair.l == 5);
  return 0;
}
int unlocked(void) {
  int x = 9; v = 5;
  A("addl $2,%0; subl $1,%0; incl %0; decl %0; xorl $1,%0; orl $8,%0; andl $0xb,%0" : "+m"(v)); assert(v == 11);
  A("notl %0; negl %0" : "+m"(v)); assert(v == 12);
  A("xaddl %0,%1" : "+r"(x), "+m"(v)); assert(x == 12 && v == 21);
  A("addl %1,%0" : "+r"(x) : "m"(v)); assert(x == 33);
  int old = 21; A("cmpxchgl %2,%1" : "+a"(old), "+m"(v) : "r"(7)); assert(old == 21 && v == 7);
  old = 1; A("cmpxchgl %2,%1" : "+a"(old), "+m"(v) : "r"(9)); assert(old == 7 && v == 7);
  old = 7; A("cmpxchgl %2,%1" : "+a"(old), "+r"(v) : "r"(9)); assert(old == 7 && v == 9);
  return 0;
}
/* All conditions after a comparison, an addition and so on, against the same in C. */
static int before[] = {0, 1, -1, 5, 0x7fffffff, (int)0x80000000u, 0x7ffffffe, -128};
#define FLAGS(text, l, r) A(text : "=@cco"(o), "=@ccb"(b), "=@cce"(e), "=@ccs"(s), "=@ccp"(p), "=@ccl"(less), \
  "=@ccbe"(be), "=@ccle"(le), "=@ccno"(no), "=@ccae"(ae), "=@ccne"(ne), "=@ccns"(ns), "=@ccnp"(np), "=@ccge"(ge), \
  "=@cca"(above), "=@ccg"(g) : "r"(l), "r"(r) : "cc")
int all_conditions(void) {
  int o, b, e, s, p, less, be, le, no, ae, ne, ns, np, ge, above, g;
  for (int i = 0; i < 8; i++) for (int k = 0; k < 8; k++) {
    int l = before[i], r = before[k]; unsigned ul = l, ur = r, d = ul - ur, sum = ul + ur;
    FLAGS("cmpl %17,%16", l, r);
    assert(o == ((long long)l - r != (int)d) && b == (ul < ur) && e == (l == r) && s == ((int)d < 0));
    assert(p == !(__builtin_popcount(d & 255) & 1) && less == (l < r) && be == (ul <= ur) && le == (l <= r));
    assert(no == !o && ae == !b && ne == !e && ns == !s && np == !p && ge == !less && above == !be && g == !le);
    FLAGS("testl %17,%16", l, r);
    assert(!o && !b && e == !(l & r) && s == ((l & r) < 0) && be == e && less == s);
    int t = l; A("addl %3,%0" : "+r"(t), "=@cco"(o), "=@ccc"(b) : "r"(r)); assert(t == (int)sum && o == ((long long)l + r != t) && b == (sum < ul));
    t = l; A("negl %0" : "+r"(t), "=@ccc"(b), "=@cco"(o)); assert(t == (int)-ul && b == (l != 0) && o == (ul == 0x80000000u));
    t = l; A("incl %0" : "+r"(t), "=@cco"(o), "=@ccz"(e)); assert(t == (int)(ul + 1) && o == (l == 0x7fffffff) && e == (l == -1));
    t = l; A("decl %0" : "+r"(t), "=@cco"(o)); assert(t == (int)(ul - 1) && o == (ul == 0x80000000u));
    t = l; A("cmpl $3,%0; incl %0; setb %b1" : "+r"(t), "+q"(b)); assert((b & 255) == (ul < 3));
    t = l; A("cmpl %2,%0; sbbl %0,%0" : "+r"(t), "=@ccc"(b) : "r"(r)); assert(t == -(ul < ur) && b == (ul < ur));
    v = l; A("lock; xaddl %0,%1" : "+r"(t), "+m"(v), "=@cco"(o), "=@ccs"(s) : : "memory"); assert(s == (v < 0));
    v = l; t = r; A("lock; cmpxchgl %3,%1" : "+a"(t), "+m"(v), "=@ccb"(b) : "r"(1)); assert(b == (ur < ul));
  }
  return 0;
}
int bits(void) {
  int c; unsigned array[4] = {0, 0, 0, 0}, one = 6;
  A("btl $1,%1" : "=@ccc"(c) : "r"(one)); assert(c == 1);
  A("btsl %2,%0" : "+r"(one), "=@ccc"(c) : "r"(35)); assert(one == 14 && c == 0);
  A("btrl $1,%0" : "+r"(one), "=@ccc"(c)); assert(one == 12 && c == 1);
  A("btcl $33,%0" : "+r"(one), "=@ccc"(c)); assert(one == 14 && c == 0);
  A("lock; btsl %2,%0" : "+m"(array), "=@ccc"(c) : "r"(70) : "memory"); assert(array[2] == 64 && c == 0);
  A("btsl %2,%0; sbbl %1,%1" : "+m"(array), "=r"(c) : "r"(70) : "memory"); assert(array[2] == 64 && c == -1);
  A("lock; btsl $70,%0" : "+m"(array[1]), "=@ccc"(c) : : "memory"); assert(array[1] == 64 && c == 0);
  A("lock; btrl %2,%0" : "+m"(array[2]), "=@ccc"(c) : "r"(-26) : "memory"); assert(array[1] == 0 && c == 1);
  return 0;
}
int loops(void) {
  int n = 5, sum = 0;
  A("1: addl %0,%1; decl %0; jnz 1b" : "+r"(n), "+r"(sum)); assert(n == 0 && sum == 15);
  A("jmp 1f; movl $1,%0; 1: testl %1,%1; je 2f; movl $2,%0; jmp .Lend%=; 2: movl $3,%0; .Lend%=:" : "=&r"(n) : "r"(sum)); assert(n == 2);
  A("cmpb $0,%1; jne 1f; movl $1,%0; 1:" : "+r"(sum) : "m"(c8)); assert(sum == 15);
  return 0;
}
int time_stamps(void) {
  unsigned lo, hi; long long first, second;
  A("rdtsc" : "=a"(lo), "=d"(hi)); first = lo | (long long)hi << 32;
  A("lfence; rdtscp" : "=a"(lo), "=d"(hi) : : "ecx"); second = lo | (long long)hi << 32; assert(second > first);
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

describe('inline assembly', () => {
  const load = (entry: string): Promise<Program> => compileC({ 'alone.c': ALONE }, { entry });
  const alone =
    'passes_through escapes arithmetic exchanges compare_exchanges conditions moves numbers_in_general_registers loads_of_16_bytes unlocked all_conditions bits loops time_stamps';
  it.each(alone.split(' '))('is right in one thread: %s', async (entry) => {
    for (const model of MODELS) expect(runAlone(await load(entry), model)).toBe('');
  });

  it.each(['tickets', 'spins', 'increments', 'locked_is_a_fence'])('is right in several threads: %s', async (entry) => {
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

describe('assembly is refused, with the place', () => {
  const KNOWN = 'the instruction is not modelled';
  const CASES: readonly (readonly [assembly: string, reason: string])[] = [
    ['"lock; cmpxchg8b %0" : "+m"(w)', 'no operand is in its register "a"'],
    ['"lock; movl $1,%0" : "=m"(v)', 'it cannot be locked'],
    ['"lock; btl $1,%0" : "+m"(v)', 'it cannot be locked'],
    ['"lock; bswap %0" : "+r"(x)', '"$0" is not a memory operand'],
    ['"movl %1,%0" : "=m"(v) : "m"(x)', '"$1" may be in memory'],
    ['"movl %%eax,%0" : "=r"(x)', 'the register "%eax" is neither an operand nor overwritten'],
    ['"movl (%%rsp),%0" : "=r"(x)', 'the register "%rsp" is neither an operand nor overwritten'],
    ['"movl (%0),%0" : "+r"(x)', 'it computes an address'],
    ['"movl (%1,%2),%0" : "=r"(x) : "r"(&v), "r"(0l)', '"($1,$2)" is not understood'],
    ['"movl %%eax,%0; movl $1,%%eax" : "=r"(x) : : "eax"', 'it reads an operand that has no value'],
    ['"movb $1,%b0" : "=r"(x)', 'not all bits of an operand are known'],
    ['"movl %k1,%0" : "=r"(x) : "q"(c)', 'not all bits of an operand are known'],
    ['"xchgl %0,%1" : "+r"(x) : "r"(y)', 'it changes an operand that is an input only; make it an output with "+"'],
    ['"1: decl %0; jnz 2b" : "+r"(x)', 'there is no label "2b"'],
    ['"jmp out" : "+r"(x)', '"out" is not a label of this statement'],
    ['"jz 1f; 1:" : "+r"(x)', 'no supported instruction has set the condition it tests'],
    ['"testl %0,%0; jz 1f; btl $1,%0; 1: jo 1b" : "+r"(x)', 'no supported instruction has set the condition it tests'],
    ['"1: movl %1,%0; decl %0; jnz 1b" : "=r"(x) : "r"(y)', 'an input may be in the register of an output'],
    ['"rdtscp" : "=a"(x), "=d"(y), "=c"(c)', 'it has an output that is never set'],
    ['"movl %%ecx,%%ebx; movl %%ebx,%0" : "=r"(x) : : "ebx", "ecx"', 'it reads an operand that has no value'],
    ['"movq %%rcx,%%rbx; movl %%ebx,%0" : "=r"(x) : : "rbx", "rcx"', 'it reads an operand that has no value'],
    ['"rdtsc" : "=a"(x)', 'the register "%edx" is neither an operand nor overwritten'],
    ['"leal 4(%1),%0" : "=r"(x) : "r"(y)', KNOWN],
    ['"sbbl %1,%0" : "+r"(x) : "r"(y)', KNOWN],
    ['"push %%rax; pop %%rax"', KNOWN],
    ['"syscall"', KNOWN],
    ['"xbegin 1f; 1:"', KNOWN],
    ['"lock"', KNOWN],
    ['"lock; mfence"', KNOWN],
    ['"lock; rep; nop"', KNOWN],
    ['"cpuid" : : : "eax"', KNOWN],
    ['"dmb nsh"', KNOWN],
    ['"membar #Lookaside"', KNOWN],
    ['"membar"', KNOWN],
    ['"membar 2"', KNOWN],
    ['"fence wr,rw"', KNOWN],
    ['"fence.i"', KNOWN],
    ['"sync 4"', KNOWN],
    ['"membar #StoreLoad"', 'a store-load barrier without store-store order is not modelled; order stores too'],
    ['"fence rw,r"', 'a store-load barrier without store-store order is not modelled; order stores too'],
    ['"lock; addl $1,(%%esp)" : ', 'the register "%esp" is neither an operand nor overwritten'],
    ['"lock; addl $0,(%%eax)" : ', 'the register "%eax" is neither an operand nor overwritten'],
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
    ['"lock; incl %0" : "+m"(v), "=@ccc"(x)', 'no supported instruction has set the condition it tests'],
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
      /test\.c:2:3: unsupported: asm goto;/,
    ],
    [
      'outside of functions',
      'int v;\n\n__asm__("x: .long 1");\nint main(void) { return 0; }\n',
      /test\.c:3:10: .*"x: \.long 1"/,
    ],
    // Clang gives no location for it.
    [
      'outside of functions, put together',
      'int v;\n__asm__("x: " ".long 1");\nint main(void) { return 0; }\n',
      /test\.c:1:1: .*"x: \.long 1"/,
    ],
  ])('%s', async (_, source, message) => {
    expect((await refusal(source)).message).toMatch(message);
  });

  it('but not if it is never reached, nor directives that define nothing', async () => {
    const source = `__asm__(".globl main\\n\\t.ident \\"me\\"");
static void never(void) { __asm__("hlt"); }
int main(void) { return 0; }
`;
    expect(runAlone(await compileC(source))).toBe('');
  });
});
