import { describe, expect, it } from 'vitest';
import { fillGaps } from './marks.ts';
import { findStatements } from './statements.ts';
import { applyEdits } from './text.ts';

/** The text with a dot wherever a statement could be put. */
function dotted(text: string): string {
  const { gaps } = findStatements(text);
  return applyEdits(text, fillGaps(new Map(gaps.map((gap) => [gap, '·']))));
}

describe('places for statements', () => {
  it.each([
    ['a sequence', 'void f(void) { a(); b = 1; }', 'void f(void) { ·a(); ·b = 1; ·}'],
    ['a block', 'void f(void) { { a(); } }', 'void f(void) { ·{ ·a(); ·} ·}'],
    [
      'declarations',
      'int f(void) { int a[] = {1, 2}; return a[0]; }',
      'int f(void) { ·int a[] = {1, 2}; ·return a[0]; ·}',
    ],
    [
      'a local structure',
      'void f(void) { struct s { int a; } x; g(x); }',
      'void f(void) { ·struct s { int a; } x; ·g(x); ·}',
    ],
    [
      'if with braces',
      'void f(void) { if (a) { b(); } else { c(); } }',
      'void f(void) { ·if (a) { ·b(); ·} else { ·c(); ·} ·}',
    ],
    ['if without braces', 'void f(void) { if (a) b(); c(); }', 'void f(void) { ·if (a) { ·b(); · } ·c(); ·}'],
    [
      'else without braces',
      'void f(void) { if (a) b(); else c(); }',
      'void f(void) { ·if (a) { ·b(); · } else { ·c(); · } ·}',
    ],
    [
      'else if',
      'void f(void) { if (a) b(); else if (c) d(); }',
      'void f(void) { ·if (a) { ·b(); · } else if (c) { ·d(); · } ·}',
    ],
    [
      'nested bodies',
      'void f(void) { if (a) while (b) c(); }',
      'void f(void) { ·if (a) { ·while (b) { ·c(); · } · } ·}',
    ],
    ['a loop that waits', 'void f(void) { while (a) ; b(); }', 'void f(void) { ·while (a) ; ·b(); ·}'],
    [
      'the head of a for',
      'void f(void) { for (i = 0; i < 3; i++) { a(); } }',
      'void f(void) { ·for (i = 0; i < 3; i++) { ·a(); ·} ·}',
    ],
    ['do', 'void f(void) { do { a(); } while (b); c(); }', 'void f(void) { ·do { ·a(); ·} while (b); ·c(); ·}'],
    ['do without braces', 'void f(void) { do a(); while (b); }', 'void f(void) { ·do { ·a(); · } while (b); ·}'],
    [
      'switch',
      'void f(void) { switch (a) { case 1: b(); break; default: c(); } }',
      'void f(void) { ·switch (a) { ·case 1: ·b(); ·break; ·default: ·c(); ·} ·}',
    ],
    [
      'a ternary in a case',
      'void f(void) { switch (a) { case (1 ? 2 : 3): b(); } }',
      'void f(void) { ·switch (a) { ·case (1 ? 2 : 3): ·b(); ·} ·}',
    ],
    ['a label', 'void f(void) { again: a(); goto again; }', 'void f(void) { ·again: ·a(); ·goto again; ·}'],
    [
      'strings and comments',
      'void f(void) { a("{;"); /* ; } */ b(\';\'); // ;\n }',
      'void f(void) { ·a("{;"); /* ; } */ ·b(\';\'); // ;\n ·}',
    ],
    [
      'directives',
      'void f(void) {\n#if A\n a();\n#else\n b();\n#endif\n c(); }',
      'void f(void) {\n#if A\n ·a();\n#else\n ·b();\n#endif\n ·c(); ·}',
    ],
    [
      'macros over several lines',
      '#define M(x) { x; \\\n y(); }\nvoid f(void) { M(1); }',
      '#define M(x) { x; \\\n y(); }\nvoid f(void) { ·M(1); ·}',
    ],
    ['a macro that is a loop', 'void f(void) { EACH(i) { a(); } b(); }', 'void f(void) { ·EACH(i) { ·a(); ·} ·b(); ·}'],
    ['statement expressions', 'void f(void) { a = ({ b(); c(); }); }', 'void f(void) { ·a = ({ ·b(); ·c(); }); ·}'],
    [
      'nested statement expressions',
      'void f(void) { g(1, ({ if (a) b(); ({ c(); }); })); }',
      'void f(void) { ·g(1, ({ ·if (a) { ·b(); · } ·({ ·c(); }); })); ·}',
    ],
    [
      'no functions',
      'struct s { int a; }; int a[] = { 1, 2 }; enum { A, B };',
      'struct s { int a; }; int a[] = { 1, 2 }; enum { A, B };',
    ],
    [
      'attributes',
      'void f(void) __attribute__((noinline)) { a(); }',
      'void f(void) __attribute__((noinline)) { ·a(); ·}',
    ],
    [
      'a pragma that belongs to a statement',
      'void f(void) { a();\n#pragma x\n#pragma y\n for (;;) b(); c(); }',
      'void f(void) { ·a();\n·\n#pragma x\n#pragma y\n for (;;) { ·b(); · } ·c(); ·}',
    ],
    [
      'a pragma in a body without braces',
      'void f(void) { if (a)\n#pragma x\n for (;;) b(); }',
      'void f(void) { ·if (a)\n{ ·\n#pragma x\n for (;;) { ·b(); · } · } ·}',
    ],
    [
      'a pragma in an #if',
      'void f(void) { a();\n#if A\n#pragma x\n#endif\n b();\n#if B\n#pragma y\n c();\n#endif\n }',
      'void f(void) { ·a();\n·\n#if A\n#pragma x\n#endif\n b();\n#if B\n·\n#pragma y\n c();\n#endif\n ·}',
    ],
    [
      'a pragma for the whole block',
      'void f(void) {\n#pragma STDC FP_CONTRACT ON\n a(); }',
      'void f(void) {\n#pragma STDC FP_CONTRACT ON\n ·a(); ·}',
    ],
    [
      '_Pragma',
      'void f(void) { _Pragma("x") for (;;) { a(); } b(); }',
      'void f(void) { ·_Pragma("x") for (;;) { ·a(); ·} ·b(); ·}',
    ],
    [
      'parameters declared behind the head',
      'int f(a, b) int a; char *b; { g(); return a; }',
      'int f(a, b) int a; char *b; { ·g(); ·return a; ·}',
    ],
    ['what ends too early', 'void f(void) { if (a', 'void f(void) { ·if (a'],
  ])('%s', (_, text, expected) => expect(dotted(text)).toBe(expected));

  it.each([
    ['do', '#define M(x) do { a(x); \\\n b(); } while (0)', '#define M(x) do { ·a(x); \\\n ·b(); ·} while (0)'],
    ['one after the other', '#define M a(); b(); // c(); d();', '#define M a(); ·b(); // c(); d();'],
    ['a statement expression', '#define M(x) ({ a(); (x); })', '#define M(x) ({ ·a(); ·(x); })'],
    ['an if without braces', '#define M if (a) b(); else c()', '#define M if (a) b(); else c()'],
    ['an initialiser', '#define M { 1, 2 }\n#define N(x) ((x) + 1)', '#define M { 1, 2 }\n#define N(x) ((x) + 1)'],
  ])('in macros: %s', (_, text, expected) => {
    const { macroGaps, gaps } = findStatements(text);
    expect(gaps).toEqual([]);
    expect(applyEdits(text, fillGaps(new Map(macroGaps.map((gap) => [gap, '·']))))).toBe(expected);
  });

  it('knows what may be a fence', () => {
    const { calls } = findStatements(
      'void f(void) { a(); b(1) + 2; if (x) c(2, 3); return (4); do ; while (5); d = e(); ' +
        'asm volatile("mfence" ::: "memory"); __asm__("" : "+m"(g)); BARRIER; x, y; }',
    );
    expect(calls.map(({ name, isBody }) => [name, isBody])).toEqual([
      ['a', false],
      ['c', true],
      ['asm', false],
      ['__asm__', false],
      ['BARRIER', false],
    ]);
  });
});
