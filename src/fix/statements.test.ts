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
    [
      'extern "C" that C does not see',
      '#ifdef __cplusplus\nextern "C" {\n#endif\nvoid f(void) { a(); }\n#ifdef __cplusplus\n}\n#endif\n',
      '#ifdef __cplusplus\nextern "C" {\n#endif\nvoid f(void) { ·a(); ·}\n#ifdef __cplusplus\n}\n#endif\n',
    ],
    [
      'extern "C" behind a macro',
      '#if CXX\nextern "C" {\n#endif\nvoid f(void) { a(); }\n#if CXX\n}\n#endif\n',
      '#if CXX\nextern "C" {\n#endif\nvoid f(void) { ·a(); ·}\n#if CXX\n}\n#endif\n',
    ],
    [
      'what nobody compiles',
      "#if 0\nvoid f(void) { don't; if (\n#elif defined(__cplusplus) && X /* { */\n{\n#else\nvoid g(void) { a(); }\n#endif\n",
      "#if 0\nvoid f(void) { don't; if (\n#elif defined(__cplusplus) && X /* { */\n{\n#else\nvoid g(void) { ·a(); ·}\n#endif\n",
    ],
    [
      'a head for each case',
      '#ifdef A\nvoid f(int a) {\n#else\nvoid f(void) {\n#endif\n a(); }\nvoid g(void) { b(); }',
      '#ifdef A\nvoid f(int a) {\n#else\nvoid f(void) {\n#endif\n ·a(); ·}\nvoid g(void) { ·b(); ·}',
    ],
    [
      'a head for each of two cases that exclude each other',
      '#ifdef A\nvoid f(int a) {\n#endif\n#ifndef A\nvoid f(void) {\n#endif\n a(); }\nvoid g(void) { b(); }',
      '#ifdef A\nvoid f(int a) {\n#endif\n#ifndef A\nvoid f(void) {\n#endif\n ·a(); ·}\nvoid g(void) { ·b(); ·}',
    ],
    [
      'a condition for each case',
      'void f(void) {\n#if A\n if (a) {\n#else\n if (b) {\n#endif\n c(); } d(); }',
      'void f(void) {\n#if A\n ·if (a) {\n#else\n if (b) {\n#endif\n ·c(); ·} ·d(); ·}',
    ],
    [
      'comments that look like others in directives',
      '#define A "/*"\n#define B 1 // see /* there\nvoid f(void) { a(); }',
      '#define A "/*"\n#define B 1 // see /* there\nvoid f(void) { ·a(); ·}',
    ],
    ['a macro behind the head', 'void f(void) NOTHROW { a(); }', 'void f(void) NOTHROW { ·a(); ·}'],
    ['an attribute behind the head', 'void f(void) [[x]] { a(); }', 'void f(void) [[x]] { ·a(); ·}'],
    [
      'attributes of a structure',
      'struct __attribute__((packed)) A(4) { int a; } s; A(1) struct t { int b; }; union B(1) B(2) u { int c; };',
      'struct __attribute__((packed)) A(4) { int a; } s; A(1) struct t { int b; }; union B(1) B(2) u { int c; };',
    ],
    [
      'a function that returns a structure',
      'struct s { int a; } f(void) { a(); } struct s g(void) { b(); }',
      'struct s { int a; } f(void) { ·a(); ·} struct s g(void) { ·b(); ·}',
    ],
    [
      'attributes of statements',
      'void f(void) { if (a) [[likely]] { b(); } else __attribute__((cold)) { c(); } x: __attribute__((unused)) d(); }',
      'void f(void) { ·if (a) { ·[[likely]] { ·b(); ·} · } else { ·__attribute__((cold)) { ·c(); ·} · } ·x: __attribute__((unused)) ·d(); ·}',
    ],
    [
      'falling through',
      'void f(void) { switch (a) { case 1: b(); [[fallthrough]]; case 2: c(); __attribute__((fallthrough)); default: d(); } }',
      'void f(void) { ·switch (a) { ·case 1: ·b(); ·[[fallthrough]]; case 2: ·c(); ·__attribute__((fallthrough)); default: ·d(); ·} ·}',
    ],
    [
      'cases',
      "void f(void) { switch (a) { case 1 ... 3: case A ? B : C: b(); case ':': c(); } }",
      "void f(void) { ·switch (a) { ·case 1 ... 3: ·case A ? B : C: ·b(); ·case ':': ·c(); ·} ·}",
    ],
    ['local labels', 'void f(void) { __label__ x; a(); x: b(); }', 'void f(void) { __label__ x; ·a(); ·x: ·b(); ·}'],
    [
      'a macro that is an if',
      'void f(void) { WHEN(a) { b(); } else if (c) { d(); } else e(); FOREVER { g(); } h(); }',
      'void f(void) { ·WHEN(a) { ·b(); ·} else if (c) { ·d(); ·} else { ·e(); · } ·FOREVER { ·g(); ·} ·h(); ·}',
    ],
    [
      'a macro before a statement',
      'void f(void) { WHEN(a) return; TRACE(b) if (c) { d(); } e(); }',
      'void f(void) { ·WHEN(a) return; ·TRACE(b) if (c) { ·d(); ·} ·e(); ·}',
    ],
    [
      'assembly with labels',
      'void f(void) { asm goto("" :::: out); a(); out: b(); }',
      'void f(void) { ·asm goto("" :::: out); ·a(); ·out: ·b(); ·}',
    ],
    [
      'compound literals and generic selections',
      'void f(void) { a = (struct s){ .x = { [0] = 1 } }; b(_Generic(a, int: 1, default: ({ c(); 2; }))); }',
      'void f(void) { ·a = (struct s){ .x = { [0] = 1 } }; ·b(_Generic(a, int: 1, default: ({ ·c(); ·2; }))); ·}',
    ],
    ['digraphs', 'void f(void) <% a<:0:> = 1; b(); %>', 'void f(void) <% ·a<:0:> = 1; ·b(); ·%>'],
    [
      'words over two lines',
      'void f(void) { whi\\\nle (a) b(); c(); }',
      'void f(void) { ·whi\\\nle (a) { ·b(); · } ·c(); ·}',
    ],
    ['other letters', "void f(void) { ende\xfc: a('{', 1'000); }", "void f(void) { ·ende\xfc: ·a('{', 1'000); ·}"],
    [
      'a byte order mark',
      '\xef\xbb\xbf#if 0\n{\n#endif\nvoid f(void) { a(); }',
      '\xef\xbb\xbf#if 0\n{\n#endif\nvoid f(void) { ·a(); ·}',
    ],
    ['what ends too early', 'void f(void) { if (a', 'void f(void) { ·if (a'],
  ])('are found: %s', (_, text, expected) => expect(dotted(text)).toBe(expected));

  it.each([
    ['do', '#define M(x) do { a(x); \\\n b(); } while (0)', '#define M(x) do { ·a(x); \\\n ·b(); ·} while (0)'],
    ['one after the other', '#define M a(); b(); // c(); d();', '#define M a(); ·b(); // c(); d();'],
    ['a statement expression', '#define M(x) ({ a(); (x); })', '#define M(x) ({ ·a(); ·(x); })'],
    ['an if without braces', '#define M if (a) b(); else c()', '#define M if (a) b(); else c()'],
    ['an initialiser', '#define M { 1, 2 }\n#define N(x) ((x) + 1)', '#define M { 1, 2 }\n#define N(x) ((x) + 1)'],
  ])('are found in macros: %s', (_, text, expected) => {
    const { macroGaps, gaps } = findStatements(text);
    expect(gaps).toEqual([]);
    expect(applyEdits(text, fillGaps(new Map(macroGaps.map((gap) => [gap, '·']))))).toBe(expected);
  });

  it('are those of the branch that is compiled, where only one can be read', () => {
    const text = 'void f(void) {\n#if A\n a(); if (b) {\n#else\n c(); if (d) {\n#endif\n e(); } }';
    const { gaps } = findStatements(text, ({ text: token }) => token === 'd');
    expect(gaps.map(({ offset }) => text[offset])).toEqual(['c', 'i', 'e', '}', '}']);
  });

  it('knows what may be a fence', () => {
    const { calls } = findStatements(
      'void f(void) { a(); b(1) + 2; if (x) c(2, 3); return (4); do ; while (5); d = e(); ' +
        'asm volatile("mfence" ::: "memory"); __asm__("" : "+m"(g)); BARRIER; x, y; [[likely]] h(); }',
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

describe('statements of C++', () => {
  const marked = (text: string): string => {
    const { gaps } = findStatements(text, undefined, true);
    const offsets = gaps.filter(({ body }) => body === undefined).map(({ offset }) => offset);
    return [...text].map((letter, at) => (offsets.includes(at) ? `·${letter}` : letter)).join('');
  };

  it.each([
    [
      'namespace n { class A : public B<int> { int x{0}; void f() const { a(); } public: A() : x{1}, y(2) { b(); } }; }',
      'namespace n { class A : public B<int> { int x{0}; void f() const { ·a(); ·} public: A() : x{1}, y(2) { ·b(); ·} }; }',
    ],
    [
      'template <class T = int> auto f(T t) -> std::pair<int, int> { g(); }',
      'template <class T = int> auto f(T t) -> std::pair<int, int> { ·g(); ·}',
    ],
    [
      'A &operator=(const A &) { a(); } bool operator()(int) { b(); } bool operator<=(A) { c(); }',
      'A &operator=(const A &) { ·a(); ·} bool operator()(int) { ·b(); ·} bool operator<=(A) { ·c(); ·}',
    ],
    [
      'int main() { std::thread t([&, x = a[0]](int i) mutable { x = 1; y = 2; }); t.join(); }',
      'int main() { ·std::thread t([&, x = a[0]](int i) mutable { ·x = 1; ·y = 2; ·}); ·t.join(); ·}',
    ],
    [
      'void f() { if constexpr (x) { a(); } try { b(); } catch (int) { c(); } }',
      'void f() { ·if constexpr (x) { ·a(); ·} ·try { ·b(); ·} catch (int) { ·c(); ·} ·}',
    ],
    [
      'struct alignas(64) A { enum class E { x }; A() = default; ~A() noexcept { a(); } };',
      'struct alignas(64) A { enum class E { x }; A() = default; ~A() noexcept { ·a(); ·} };',
    ],
    [
      '[[nodiscard]] int f() { [[maybe_unused]] int x = y[1]; return [] { return 1; }(); }',
      '[[nodiscard]] int f() { ·[[maybe_unused]] int x = y[1]; ·return [] { ·return 1; ·}(); ·}',
    ],
  ])('are found in %s', (text, expected) => {
    expect(marked(text)).toBe(expected);
  });

  it('may be calls of functions in std', () => {
    const { calls } = findStatements('void f() { std::atomic_thread_fence(x); }', undefined, true);
    expect(calls).toEqual([{ name: 'atomic_thread_fence', start: 11, end: 39, isBody: false }]);
  });
});
