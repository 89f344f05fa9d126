/** Weak symbols, aliases, inline definitions of C99, constructors and destructors: as with any linker. */
import { describe, expect, it } from 'vitest';
import { check, compileC, refusal, verdict } from '../../support/c.ts';

async function answer(files: string | Readonly<Record<string, string>>): Promise<string> {
  return verdict(check(await compileC(files), 'sc'));
}

describe('weak symbols', () => {
  it('give way to strong ones, and are null if nobody defines them', async () => {
    const main = `#include <assert.h>
void maybe(void) __attribute__((weak));
extern int variable __attribute__((weak));
void (*table[])(void) = {maybe, 0};
int *address = &variable;
__attribute__((weak)) int replaced(void) { return 1; }
__attribute__((weak)) int kept(void) { return 3; }
int main(void) {
  if (maybe) maybe();
  assert(!maybe && table[0] == 0 && &variable == 0 && address == 0);
  assert(replaced() == 2 && kept() == 3);
}
`;
    expect(await answer({ 'main.c': main, 'other.c': 'int replaced(void) { return 2; }\n' })).toBe('verified');
    const defined = 'int called; void maybe(void) { called = 1; } int variable;\n';
    expect(await answer({ 'main.c': main, 'other.c': `${defined}int replaced(void) { return 2; }\n` })).toContain(
      'assertion: !maybe',
    );
  });

  it('must not be called if they are null', async () => {
    const text = 'void maybe(void) __attribute__((weak));\nint main(void) { maybe(); }\n';
    expect(await answer(text)).toBe('misuse: call through a pointer that is not a function with these parameters');
  });
});

describe('aliases', () => {
  it('are the same object, in other files too', async () => {
    const main = `#include <assert.h>
int real(int x) { return x + 1; }
int other(int x) __attribute__((weak, alias("real")));
static int v = 7;
extern int w __attribute__((alias("v")));
int far(int); int replaced(int);
int (*p)(int) = other;
int main(void) {
  assert(other(1) == 2 && p == real && far(1) == 6 && replaced(1) == 10);
  w = 8;
  assert(v == 8);
}
`;
    const other = `static int hidden(int x) { return x + 5; }
int far(int x) __attribute__((alias("hidden")));
int replaced(int x) __attribute__((weak, alias("hidden")));
`;
    const strong = 'int replaced(int x) { return x + 9; }\n';
    expect(await answer({ 'main.c': main, 'other.c': other, 'strong.c': strong })).toBe('verified');
  });

  it('must be unique', async () => {
    const other = 'int f(void) { return 1; }\nint g(void) { return 2; }\n';
    const alias =
      'static int h(void) { return 1; }\nint g(void) __attribute__((alias("h")));\nint main(void) { return g(); }\n';
    expect((await refusal({ 'main.c': alias, 'other.c': other })).message).toContain('"g" is defined twice');
  });
});

describe('inline definitions of C99', () => {
  const text = `#include <assert.h>
inline int square(int x) { return x * x; }
inline int both(int x) { return x + 1; }
int both(int x);
extern inline __attribute__((gnu_inline)) int gnu(int x) { return x - 1; }
int main(void) {
  int (*p)(int) = square;
  assert(square(3) == 9 && p(2) == 4 && both(1) == 2 && gnu(1) == 0);
}
`;

  it('are used if there is no external one', async () => {
    expect(await answer(text)).toBe('verified');
  });

  it('are not used if there is one', async () => {
    const other = 'int square(int x) { return 0; }\n';
    expect(await answer({ 'main.c': text, 'other.c': other })).toContain('assertion');
  });
});

describe('constructors and destructors', () => {
  const text = (use: number, last: number, end: string): string => `#include <assert.h>
#include <stdlib.h>
static int n;
__attribute__((constructor)) static void c3(void) { assert(n++ == 2); }
__attribute__((constructor(102))) static void c2(void) { assert(n++ == 1); }
__attribute__((constructor(101))) static void c1(void) { assert(n++ == 0); }
__attribute__((destructor)) static void d4(void) { assert(n++ == 6); }
__attribute__((destructor)) static void d3(void) { assert(n++ == 5); }
__attribute__((destructor(101))) static void d1(void) { assert(n++ == 8); if (${last}) abort(); }
__attribute__((destructor(102))) static void d2(void) { assert(n++ == 7); }
static void a(void) { assert(n++ == 4); }
int main(void) { assert(n++ == 3); if (${use}) atexit(a); else n++; ${end} }
`;

  it.each([
    [1, 'return 0;'],
    [0, 'return 1;'],
    [1, 'exit(3);'],
    [0, 'exit(0);'],
  ])('run in their order, destructors after handlers: %d %s', async (use, end) => {
    expect(await answer(text(use, 0, end))).toBe('verified');
    expect(await answer(text(use, 1, end))).toBe('assertion: abort called');
  });

  it('do not run at _Exit', async () => {
    expect(await answer(text(1, 1, '_Exit(0);'))).toBe('verified');
  });
});

it('thread-local variables and statement expressions are those of GNU C', async () => {
  const text = `#include <assert.h>
#include <pthread.h>
static __thread int t = 3;
extern _Thread_local int u;
_Thread_local int u = 4;
void *f(void *p) { t++; u++; assert(t == 4 && u == 5); return p; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0);
  pthread_join(a, 0); pthread_join(b, 0);
  assert(({ int y = t; y + u; }) == 7);
}
`;
  expect(await answer(text)).toBe('verified');
});

it("clang's headers for x86 have pauses, fences and time", async () => {
  const text = `#include <immintrin.h>
#include <assert.h>
int main(void) {
  _mm_pause(); _mm_mfence(); _mm_sfence(); _mm_lfence();
  unsigned long long before = __builtin_ia32_rdtsc();
  assert(__builtin_ia32_rdtsc() > before);
}
`;
  expect(await answer(text)).toBe('verified');
});

it.each([
  [
    'ifunc',
    'static int i(void) { return 1; }\nstatic void *r(void) { return i; }\nint f(void) __attribute__((ifunc("r")));\nint main(void) { return f(); }\n',
  ],
  ['asm goto', 'int main(void) { __asm__ goto("jmp %l0" : : : : out); return 1; out: return 0; }\n'],
])('%s is refused by name', async (name, text) => {
  expect((await refusal(text)).message).toContain(name);
});
