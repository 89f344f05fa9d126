/** Where changes go in the text: every source here can be fixed, and `fix` itself compiles and verifies the result. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FixRefusal } from '../../../src/fix/refusal.ts';
import type { FixResult } from '../../../src/pipelines/fix/fix.ts';
import { type Sources, sourceFolder } from '../../support/c.ts';
import { type FixInTest, fixFile, fixFiles } from '../../support/fix-c.ts';

/** Message passing: `writer` stores `data` and then `ready`. */
const messagePassing = (writer: string, declarations = ''): string =>
  `#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\nint data;\natomic_int ready, other;\n${declarations}\n` +
  `static void *write(void *p) {\n${writer}\n  return p;\n}\n` +
  'int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, write, 0);\n' +
  '  if (atomic_load_explicit(&ready, memory_order_relaxed)) assert(data == 1);\n  pthread_join(t, 0);\n}\n';

const RELAXED = 'atomic_store_explicit(&ready, 1, memory_order_relaxed)';
const PLAIN = '#define SET_READY __atomic_store_n((int *)&ready, 1, __ATOMIC_RELAXED)';

function fixText(text: Sources, options: FixInTest = {}): Promise<FixResult> {
  const name = typeof text === 'string' ? 'test.c' : Object.keys(text)[0]!;
  return fixFile(join(sourceFolder(text), name), { models: ['pso'], ...options });
}

/** The lines that the patch adds and removes. */
function changedLines(result: FixResult): readonly string[] {
  if (result.kind !== 'fixed') throw new Error(result.kind);
  const lines = result.patches.flatMap(({ diff }) => diff.split('\n').slice(2));
  return lines.filter((line) => /^[-+]/.test(line)).map((line) => line.replace(/^([-+]) +/, '$1'));
}

const FENCE = 'atomic_thread_fence(memory_order_release);';

describe('a fence', () => {
  it.each([
    ['has a line of its own', '  data = 1;\n  SET_READY;', [`+${FENCE}`]],
    [
      'goes between statements on one line',
      '  data = 1; SET_READY;',
      ['-data = 1; SET_READY;', `+data = 1; ${FENCE} SET_READY;`],
    ],
    ['goes where it takes no braces', '  if (!p)\n    data = 1;\n  else\n    SET_READY;\n  SET_READY;', [`+${FENCE}`]],
    [
      'gets braces in the body of a loop',
      '  for (int i = 0; i < 2; i++)\n    if (i == 0) data = 1; else SET_READY;',
      ['-if (i == 0) data = 1; else SET_READY;', `+{ ${FENCE} if (i == 0) data = 1; else SET_READY; }`],
    ],
  ])('%s', async (_, writer, expected) => {
    expect(changedLines(await fixText(messagePassing(writer, PLAIN)))).toEqual(expected);
  });

  it('has a spelling that is declared in its file', async () => {
    const text = messagePassing('  set_both();', '#include "both.h"');
    const header = 'static void set_both(void) {\n  *(volatile int *)&data = 1;\n  *(volatile int *)&ready = 1;\n}\n';
    const result = await fixText({ 'test.c': text, 'both.h': header });
    expect(changedLines(result)).toEqual(['+__atomic_thread_fence(__ATOMIC_RELEASE);']);
    expect(result).toMatchObject({ patches: [{ file: expect.stringMatching(/both\.h$/) }] });
  });

  it('falls back to the built-in spelling where C11 names are not declared', async () => {
    const text =
      'typedef unsigned long pthread_t;\nint pthread_create(pthread_t *, const void *, void *(*)(void *), void *);\n' +
      'int pthread_join(pthread_t, void **);\nvoid abort(void);\n_Atomic int *unused;\nvolatile int data, ready;\n' +
      'static void *write(void *p) {\n  data = 1;\n  ready = 1;\n  return p;\n}\n' +
      'int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, write, 0);\n  if (ready && !data) abort();\n  pthread_join(t, 0);\n}\n';
    expect(changedLines(await fixText(text))).toEqual(['+__atomic_thread_fence(__ATOMIC_RELEASE);']);
  });

  it('keeps the line ends and the bytes of its file', async () => {
    const text = Buffer.from(
      messagePassing('  data = 1; // gr\u00fcn\n  SET_READY;', PLAIN).replaceAll('\n', '\r\n'),
      'latin1',
    );
    const result = await fixText({ 'test.c': text });
    if (result.kind !== 'fixed') throw new Error(result.kind);
    expect(result.patches[0]!.after).toBe(text.toString('latin1').replace('  SET_READY', `  ${FENCE}\r\n  SET_READY`));
  });

  it('is not inserted where a macro is not what it looks like', async () => {
    const macros = `${PLAIN}\n#define BOTH(a, b) a b\n#define WHEN(c) if (c)\n#define LEAVE } return p;`;
    const result = await fixText(messagePassing('  WHEN(!p) {\n    data = 1;\n    SET_READY;\n  LEAVE', macros));
    expect(changedLines(result)).toEqual([`+${FENCE}`]);
  });
});

describe('names that mean something else', () => {
  const BUILTIN_FENCE = '__atomic_thread_fence(__ATOMIC_RELEASE);';
  const NO_FENCE = '#undef atomic_thread_fence\n#define atomic_thread_fence(order)';
  const NO_ORDER = '#define memory_order_release memory_order_relaxed';
  const LOCAL = '  int memory_order_release = 0;\n  (void)memory_order_release;\n';

  it.each([
    ['a macro for the fence', `${PLAIN}\n${NO_FENCE}`, '  data = 1;\n  SET_READY;'],
    ['a macro for the order', `${PLAIN}\n${NO_ORDER}`, '  data = 1;\n  SET_READY;'],
    ['a local variable', PLAIN, `${LOCAL}  data = 1;\n  SET_READY;`],
    [
      'a function',
      `${PLAIN}\n#undef atomic_thread_fence\nvoid atomic_thread_fence(memory_order order) { (void)order; }`,
      '  data = 1;\n  SET_READY;',
    ],
  ])('%s: the fence is that of the compiler', async (_, declarations, writer) => {
    expect(changedLines(await fixText(messagePassing(writer, declarations)))).toEqual([`+${BUILTIN_FENCE}`]);
  });

  it.each([
    ['a macro', NO_ORDER, ''],
    ['a local variable', '', LOCAL],
  ])('%s: so is the order', async (_, declarations, local) => {
    const result = await fixText(messagePassing(`${local}  data = 1;\n  ${RELAXED};`, declarations));
    expect(changedLines(result)[1]).toBe(`+${RELAXED.replace('memory_order_relaxed', '__ATOMIC_RELEASE')};`);
  });

  it('a macro that is an equally strong fence is used', async () => {
    const same = '#undef atomic_thread_fence\n#define atomic_thread_fence(order) __c11_atomic_thread_fence(order)';
    expect(changedLines(await fixText(messagePassing('  data = 1;\n  SET_READY;', `${PLAIN}\n${same}`)))).toEqual([
      `+${FENCE}`,
    ]);
  });

  it.each([
    [
      'means nothing',
      '#define __atomic_thread_fence(order)',
      /test\.c:12:1: .*__atomic_thread_fence.* does not have the intended effect there/,
    ],
    ['cannot be used', '#define __atomic_thread_fence(order) (', /test\.c:12:1: .* does not compile there/],
  ])('if both of its names %s, that is said', async (_, builtin, message) => {
    const c11 = builtin.replace('__atomic', 'atomic');
    const text = messagePassing(
      '  data = 1;\n  SET_READY;',
      `${PLAIN}\n#undef atomic_thread_fence\n${c11}\n${builtin}`,
    );
    const problem = await fixText(text).catch((error: unknown) => error);
    expect(problem).toBeInstanceOf(FixRefusal);
    expect((problem as FixRefusal).message).toMatch(message);
  });
});

describe('a macro that is two statements', () => {
  const BOTH = `${PLAIN}\n#define BOTH(a, b) a; b`;

  it('is unchanged where braces would make it one', async () => {
    const after = '  if (p)\n    BOTH(other = 1, data = 1);\n  SET_READY;';
    expect(changedLines(await fixText(messagePassing(after, BOTH)))).toEqual([`+${FENCE}`]);
  });

  it('is not taken to be safe because of such braces', async () => {
    const after = '  data = 1;\n  if (p)\n    BOTH(other = 1, SET_READY);';
    expect(changedLines(await fixText(messagePassing(after, BOTH)))).toEqual([`+${FENCE}`]);
  });
});

it('a header that is also for C++ is read like any other', async () => {
  const open = '#ifdef __cplusplus\nextern "C" {\n#endif\n';
  const close = '#ifdef __cplusplus\n}\n#endif\n';
  const header = 'static void set_both(void) {\n  *(volatile int *)&data = 1;\n  *(volatile int *)&ready = 1;\n}\n';
  const text = messagePassing('  set_both();', '#include "both.h"');
  const result = await fixText({ 'test.c': text, 'both.h': `${open}${header}${close}` });
  expect(changedLines(result)).toEqual(['+__atomic_thread_fence(__ATOMIC_RELEASE);']);
});

it('a place that clang refuses does not affect others', async () => {
  // What looks like a function is an initialiser; there is a warning for each place in it.
  const odd = '#define TABLE(x) static int x[] =\nTABLE(odd) { 1, 2 };\nint *use(void) { return odd; }';
  const result = await fixText(messagePassing('  data = 1;\n  SET_READY;', `${PLAIN}\n${odd}`));
  expect(changedLines(result)).toEqual([`+${FENCE}`]);
});

describe('a pragma', () => {
  const LOOP = '#pragma clang loop unroll(disable)\n  for (int i = 0; i < 1; i++) SET_READY;';

  it('gets the fence before it, not between itself and its statement', async () => {
    const result = await fixText(messagePassing(`  data = 1;\n${LOOP}`, PLAIN));
    if (result.kind !== 'fixed') throw new Error(result.kind);
    expect(result.patches[0]!.after).toBe(messagePassing(`  data = 1;\n  ${FENCE}\n${LOOP}`, PLAIN));
    expect(result).toMatchObject({
      cost: 3,
      changes: [{ why: { late: { source: { line: 8, column: 8 } }, early: { source: { line: 10, column: 31 } } } }],
    });
  });

  it('stays with its statement when that gets braces', async () => {
    const result = await fixText(messagePassing(`  if ((data = 1))\n${LOOP}`, PLAIN), { costs: { inLoop: 10 } });
    expect(changedLines(result)).toEqual([
      `+{ ${FENCE}`,
      '-for (int i = 0; i < 1; i++) SET_READY;',
      '+for (int i = 0; i < 1; i++) SET_READY; }',
    ]);
  });

  it('does not move what comes after it', async () => {
    const writer = `  for (int i = 0; i < 0; i++) {\n#pragma clang loop unroll(disable)\n    while (i) i--;\n  }\n  data = 1;\n  ${RELAXED};`;
    expect(await fixText(messagePassing(writer))).toMatchObject({
      cost: 2,
      changes: [{ kind: 'release', place: { location: { line: 13, column: 3 } } }],
    });
  });
});

describe('#line', () => {
  it.each(['#line 100 "foo.y"', '# 100 "foo.y"'])('%s changes no place', async (directive) => {
    const text = messagePassing(`${directive}\n  data = 1; ${RELAXED};`);
    expect(await fixText(text)).toMatchObject({
      cost: 2,
      changes: [
        {
          kind: 'release',
          place: { location: { file: expect.stringMatching(/test\.c$/), line: 9, column: 13 } },
          why: { late: { source: { line: 9, column: 8 } }, early: { source: { line: 9, column: 13 } } },
        },
      ],
    });
    // No place in the file has its name.
    expect(await fixText(`#line 1 "foo.y"\n${text}`)).toMatchObject({ kind: 'fixed', cost: 2 });
  });
});

it('a function may have K&R parameter declarations', async () => {
  const text = messagePassing('  data = 1;\n  SET_READY;', PLAIN).replace('write(void *p) {', 'write(p) void *p; {');
  expect(changedLines(await fixText(text))).toEqual([`+${FENCE}`]);
});

describe('the order of an access', () => {
  it('is made stronger where it is explicit', async () => {
    const result = await fixText(messagePassing(`  data = 1;\n  ${RELAXED};`));
    expect(changedLines(result)).toEqual([`-${RELAXED};`, `+${RELAXED.replace('relaxed', 'release')};`]);
    expect(result).toMatchObject({ cost: 2, changes: [{ kind: 'release' }] });
  });

  it.each([
    ['atomic_store_explicit(&ready, 1, 0);', 'atomic_store_explicit(&ready, 1, memory_order_release);'],
    ['__c11_atomic_store(&ready, 1, 0);', '__c11_atomic_store(&ready, 1, __ATOMIC_RELEASE);'],
  ])('is made stronger where a number stands for it: %s', async (store, stronger) => {
    const result = await fixText(messagePassing(`  data = 1;\n  ${store}`));
    expect(changedLines(result)).toEqual([`-${store}`, `+${stronger}`]);
  });

  it.each([
    'atomic_store_explicit(&ready, 1, (memory_order_relaxed));',
    'atomic_store_explicit(&ready, 1, (memory_order)((memory_order_relaxed)));',
    'atomic_store_explicit(&ready, 1, /* , */ (int) memory_order_relaxed);',
    '__atomic_store((int *)&ready, &one, __ATOMIC_RELAXED);',
    '__atomic_store_n((int *)&ready, 1, (__ATOMIC_RELAXED));',
    '__atomic_exchange((int *)&ready, &one, &old, __ATOMIC_RELAXED);',
    '__atomic_compare_exchange((int *)&ready, &old, &one, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);',
    '__atomic_test_and_set((char *)&ready, __ATOMIC_RELAXED);',
  ])('is made stronger however it is written: %s', async (store) => {
    const result = await fixText(
      messagePassing(`  int one = 1, old = 0;\n  data = 1;\n  ${store}\n  (void)one, (void)old;`),
    );
    const stronger = store.replace('RELAXED', 'RELEASE').replace('order_relaxed', 'order_release');
    expect(changedLines(result)).toEqual([`-${store}`, `+${stronger}`]);
    expect(result).toMatchObject({ cost: 2 });
  });

  it.each([
    ['a macro', '#define PUBLISH memory_order_relaxed'],
    ['a constant', 'enum { PUBLISH = memory_order_relaxed };'],
    ['a variable', 'static const memory_order PUBLISH = memory_order_relaxed;'],
  ])('that is %s is left alone', async (_, declaration) => {
    const writer = '  data = 1;\n  atomic_store_explicit(&ready, 1, PUBLISH);';
    expect(changedLines(await fixText(messagePassing(writer, declaration)))).toEqual([`+${FENCE}`]);
  });

  it('is made stronger in a read-modify-write too', async () => {
    const add = 'atomic_fetch_add_explicit(&ready, 1, memory_order_acquire)';
    const result = await fixText(messagePassing(`  data = 1; ${add};`));
    expect(changedLines(result)[1]).toContain('memory_order_acq_rel');
  });

  it('is made stronger in a statement that no fence fits into', async () => {
    const result = await fixText(messagePassing(`  (void)(data = 1, ${RELAXED}, 0);`));
    expect(changedLines(result)[1]).toContain('memory_order_release');
  });

  it('is unchanged if fences are cheaper', async () => {
    const result = await fixText(messagePassing(`  data = 1;\n  ${RELAXED};`), { costs: { release: 10 } });
    expect(changedLines(result)).toEqual([`+${FENCE}`]);
  });
});

describe('threads on one line', () => {
  const STORE_X = 'atomic_store_explicit(&x, 1, memory_order_relaxed)';
  const STORE_Y = 'atomic_store_explicit(&y, 1, memory_order_relaxed)';
  const text =
    '#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\natomic_int x, y, z; int r1, r2;\n' +
    '#define RLX memory_order_relaxed\nstatic inline void wr(atomic_int *p, int v) { atomic_store_explicit(p, v, RLX); }\n' +
    `static void *a(void *p) { for (int i = 0; i < 2; i++) if (i) ${STORE_X}; else wr(&z, 1); r1 = atomic_load_explicit(&y, RLX); return p; }\n` +
    `static void *b(void *p) { wr(&z, 2); ${STORE_Y}; r2 = atomic_load_explicit(&x, RLX); return p; }\n` +
    'int main(void) { pthread_t t, u; pthread_create(&t, 0, a, 0); pthread_create(&u, 0, b, 0);\n' +
    ' pthread_join(t, 0); pthread_join(u, 0); assert(r1 || r2); return 0; }\n';
  const lineOf = (part: string): number => text.slice(0, text.indexOf(part)).split('\n').length;
  const columnOf = (part: string): number => text.indexOf(part) - text.lastIndexOf('\n', text.indexOf(part));

  it.each([['tso'], ['pso']] as const)(
    'orders that cost less than fences are made stronger, under %s',
    async (model) => {
      const result = await fixText(text, { models: [model], costs: { seq_cst: 1, inLoop: 1 } });
      const changes = [STORE_X, STORE_Y].map((store) => ({
        kind: 'seq_cst',
        place: { location: { line: lineOf(store), column: columnOf(store) } },
      }));
      expect(result).toMatchObject({ cost: 2, changes });
      const stronger = (store: string): string => store.replace('relaxed', 'seq_cst');
      if (result.kind !== 'fixed') throw new Error(result.kind);
      expect(result.patches[0]!.after).toBe(
        text.replace(STORE_X, stronger(STORE_X)).replace(STORE_Y, stronger(STORE_Y)),
      );
    },
  );

  it('the accesses that a change orders have their own places', async () => {
    const result = await fixText(text, { models: ['tso'], costs: { seq_cst: 1, inLoop: 1 } });
    const at = (part: string): object => ({ source: { line: lineOf(part), column: columnOf(part) } });
    expect(result).toMatchObject({
      changes: [
        { why: { late: at(STORE_X), early: at('atomic_load_explicit(&y') } },
        { why: { late: at(STORE_Y), early: at('atomic_load_explicit(&x') } },
      ],
    });
  });

  it('fences have columns, so that different sets are described differently', async () => {
    const writer = '  data = 1; atomic_store_explicit(&other, 1, 0 + 0); SET_READY;';
    const columns = ['atomic_store', 'SET_READY'].map((part) => ({ column: writer.indexOf(part) + 1 }));
    expect(await fixText(messagePassing(writer, PLAIN), { solutions: 5 })).toMatchObject({
      changes: [{ place: { location: columns[0] } }],
      others: [[{ place: { location: columns[1] } }]],
    });
  });
});

describe('room for a fence', () => {
  it('is missing between two accesses in one statement: which, why, and the advice', async () => {
    const result = await fixText(messagePassing('  (void)(data = 1, SET_READY);', PLAIN));
    expect(result).toMatchObject({
      kind: 'impossible',
      learnt: { error: { kind: 'assertion' } },
      between: {
        late: { kind: 'store', source: { line: 8, column: 15 } },
        early: { kind: 'store', source: { line: 8, column: 20 } },
        why: 'both are in one statement',
        advice: 'split it into two statements',
      },
    });
  });

  it('is missing where a macro hides where a function begins', async () => {
    const text = messagePassing('  data = 1;\n  SET_READY;', `${PLAIN}\n#define BEGIN {`);
    expect(await fixText(text.replace('write(void *p) {', 'write(void *p) BEGIN'))).toMatchObject({
      kind: 'impossible',
      between: { why: 'macros hide where statements begin and end' },
    });
  });

  it('is missing between two accesses in the head of a loop', async () => {
    expect(await fixText(messagePassing('  for (data = 1; SET_READY, 0;) ;', PLAIN))).toMatchObject({
      kind: 'impossible',
      between: { why: 'both are in one statement' },
    });
  });

  it('is missing between two accesses in a macro that is an expression', async () => {
    const macro = `${PLAIN}\n#define PUBLISH() (data = 1, SET_READY)`;
    expect(await fixText(messagePassing('  PUBLISH();', macro))).toMatchObject({
      kind: 'impossible',
      between: { why: 'both come from the macro `PUBLISH`', advice: 'make `PUBLISH` an inline function' },
    });
  });

  it('is in a macro of several statements', async () => {
    const macro = (fence: string): string => `#define PUBLISH() do { data = 1; \\\n    ${fence}SET_READY; } while (0)`;
    const result = await fixText(messagePassing('  PUBLISH();', `${PLAIN}\n${macro('')}`));
    if (result.kind !== 'fixed') throw new Error(result.kind);
    expect(result.patches[0]!.after).toBe(messagePassing('  PUBLISH();', `${PLAIN}\n${macro(`${FENCE} \\\n    `)}`));
  });

  it('is in such a macro also where that is all that a header has', async () => {
    const macro = (fence: string): string =>
      `#define PUBLISH() do { data = 1; \\\n    ${fence}SET_READY; } while (0)\n`;
    const result = await fixText({
      'test.c': messagePassing('  PUBLISH();', `${PLAIN}\n#include "publish.h"`),
      'publish.h': macro(''),
    });
    if (result.kind !== 'fixed') throw new Error(result.kind);
    // The header itself declares none of C11's names.
    expect(result.patches.map(({ after }) => after)).toEqual([
      macro('__atomic_thread_fence(__ATOMIC_RELEASE); \\\n    '),
    ]);
  });

  it('is sought in macros only if nothing else helps', async () => {
    const macros = `${PLAIN}\n#define ONE() do { data = 1; (void)p; } while (0)\n#define TWO() do { (void)p; SET_READY; } while (0)`;
    expect(changedLines(await fixText(messagePassing('  ONE();\n  TWO();', macros)))).toEqual([`+${FENCE}`]);
  });

  it('is not sought in macros that have none', async () => {
    const macros =
      `${PLAIN}\n#define PAIR struct { int a; int b; }\n` +
      '#define PUBLISH() do { PAIR s = { 1, 2 }; (void)s; data = 1; SET_READY; } while (0)';
    const result = await fixText(messagePassing('  PUBLISH();', macros));
    expect(changedLines(result)[1]).toContain(`data = 1; ${FENCE} SET_READY;`);
  });

  it('is in a statement expression', async () => {
    const result = await fixText(messagePassing('  int n = ({ data = 1; SET_READY; 7; });\n  (void)n;', PLAIN));
    expect(changedLines(result)[1]).toBe(`+int n = ({ data = 1; ${FENCE} SET_READY; 7; });`);
  });
});

describe('several files', () => {
  const header = '#include <stdatomic.h>\n#include <pthread.h>\nextern volatile int x, y;\nvoid *first(void *);\n';
  const main =
    '#include "all.h"\n#include <assert.h>\nvolatile int x, y;\nint a, b;\nvoid seen(int v) {\n  a = v;\n}\n' +
    'int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, first, 0);\n  y = 1;\n  b = x;\n  pthread_join(t, 0);\n  assert(a || b);\n}\n';
  const other = '#include "../all.h"\nvoid seen(int);\nvoid *first(void *p) {\n  x = 1;\n  seen(y);\n  return p;\n}\n';

  it('are changed together', async () => {
    const folder = sourceFolder({ 'main.c': main, 'sub/other.c': other, 'all.h': header });
    const files = ['main.c', 'sub/other.c'].map((name) => join(folder, name));
    const result = await fixFiles(files, { models: ['tso'] });
    if (result.kind !== 'fixed') throw new Error(result.kind);
    expect(result.patches.map(({ file }) => file)).toEqual(files);
    expect(changedLines(result)).toHaveLength(2);
  });

  it('a header that has several names is one file', async () => {
    const inline = `${header}static inline void publish(volatile int *p, volatile int *q) {\n  *p = 1;\n  *q = 1;\n}\n`;
    const pass = (name: string): string =>
      `#include "${name}"\n#include <assert.h>\n#ifdef MAIN\nvolatile int x, y;\n#endif\n`;
    const folder = sourceFolder({
      'main.c': `#define MAIN\n${pass('all.h')}int unused(void) { publish(&x, &y); return 0; }\nint main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, first, 0);\n  if (y) assert(x);\n  pthread_join(t, 0);\n}\n`,
      'sub/other.c': `${pass('../all.h')}void *first(void *p) {\n  publish(&x, &y);\n  return p;\n}\n`,
      'all.h': inline,
    });
    const result = await fixFiles([join(folder, 'main.c'), join(folder, 'sub/other.c')], { models: ['pso'] });
    expect(result).toMatchObject({ kind: 'fixed', patches: [{ file: join(folder, 'all.h') }] });
    expect(changedLines(result)).toEqual([`+${FENCE}`]);
  });
});

it('an order around another access is distinguished from it', async () => {
  // Inside a macro's arguments clang reports only the place of the macro.
  const nested =
    'atomic_store_explicit(&ready, atomic_fetch_or_explicit(&other, 1, memory_order_relaxed) | 1, memory_order_relaxed)';
  const result = await fixText(messagePassing(`  data = 1;\n  ${nested};`));
  expect(changedLines(result)[1]).toBe(`+${nested.replace(/relaxed(?=\)$)/, 'release')};`);
  const twice =
    'atomic_store_explicit(&ready, ({ atomic_store_explicit(&other, 1, memory_order_relaxed); 1; }), memory_order_relaxed)';
  expect(changedLines(await fixText(messagePassing(`  data = 1;\n  ${twice};`)))).toEqual([`+${FENCE}`]);
});

it('all cheapest sets are listed, up to a number', async () => {
  const text = messagePassing('  data = 1;\n  atomic_store_explicit(&other, 1, 0 + 0);\n  SET_READY;', PLAIN);
  expect(await fixText(text, { solutions: 5 })).toMatchObject({ others: [[{ kind: 'store-fence' }]], hasMore: false });
  expect(await fixText(text, { solutions: 1 })).toMatchObject({ others: [], hasMore: true });
  const many = messagePassing(
    `  data = 1;\n${'  atomic_store_explicit(&other, 1, 0 + 0);\n'.repeat(6)}  SET_READY;`,
    PLAIN,
  );
  const result = await fixText(many, { solutions: 5 });
  expect(result).toMatchObject({ kind: 'fixed', others: { length: 4 }, hasMore: true });
});

describe('fences that are not needed', () => {
  const minimise = (writer: string, declarations = '', options: FixInTest = {}): Promise<FixResult> =>
    fixText(messagePassing(writer, `${PLAIN}\n${declarations}`), { minimise: true, ...options });

  it.each([
    ['atomic_thread_fence(memory_order_seq_cst);', 'atomic_thread_fence(memory_order_release);'],
    ['__atomic_thread_fence(__ATOMIC_SEQ_CST);', '__atomic_thread_fence(__ATOMIC_RELEASE);'],
    ['__sync_synchronize();', 'atomic_thread_fence(memory_order_release);'],
    ['asm volatile("mfence" ::: "memory");', 'atomic_thread_fence(memory_order_release);'],
    ['__asm__ __volatile__("lock; addl $0,0(%%esp)" ::: "memory");', 'atomic_thread_fence(memory_order_release);'],
    ['CALL();', 'atomic_thread_fence(memory_order_release);'],
    ['WORD;', 'atomic_thread_fence(memory_order_release);'],
    ['function();', 'atomic_thread_fence(memory_order_release);'],
  ])('%s goes, or becomes a store-store fence where that will do', async (fence, weaker) => {
    const macros =
      '#define CALL() asm volatile("mfence" ::: "memory")\n#define WORD __sync_synchronize()\n' +
      'static inline void function(void) { asm volatile("mfence" ::: "memory"); }';
    const result = await minimise(`  data = 1;\n  ${fence}\n  SET_READY;\n  ${fence}`, macros);
    expect(changedLines(result)).toEqual([`-${fence}`, `+${weaker}`, `-${fence}`]);
    expect(result).toMatchObject({
      removed: [
        { before: 'full-fence', after: 'store-fence' },
        { before: 'full-fence', after: undefined },
      ],
      untouched: [],
    });
  });

  it('assembly that also computes something stays', async () => {
    const both = 'int v; asm volatile("mfence; movl $1,%0" : "=r"(v) : : "memory"); data = v;';
    const alone = 'asm volatile("mfence" ::: "memory");';
    const release = 'atomic_thread_fence(memory_order_release);';
    const result = await minimise(`  ${both}\n  ${release}\n  SET_READY;\n  ${alone}`);
    expect(changedLines(result)).toEqual([`-${alone}`]);
  });

  it.each([
    'atomic_thread_fence(memory_order_release);',
    'atomic_thread_fence(memory_order_acq_rel);',
    'asm volatile("sfence" ::: "memory");',
  ])('%s goes', async (fence) => {
    const result = await minimise(`  data = 1;\n  ${fence}\n  SET_READY;\n  ${fence}`);
    expect(changedLines(result)).toEqual([`-${fence}`]);
  });

  it.each([
    ['atomic_store(&ready, 1);', 'atomic_store_explicit(&ready, 1, memory_order_release);'],
    [
      'atomic_store_explicit(&ready, 1, memory_order_seq_cst);',
      'atomic_store_explicit(&ready, 1, memory_order_release);',
    ],
    ['__atomic_store_n((int *)&ready, 1, __ATOMIC_SEQ_CST);', '__atomic_store_n((int *)&ready, 1, __ATOMIC_RELEASE);'],
    ['atomic_flag_clear(&flag);', 'atomic_flag_clear_explicit(&flag, memory_order_release);'],
  ])('%s becomes a release store', async (store, weaker) => {
    const result = await minimise(
      `  data = 1;\n  atomic_thread_fence(memory_order_release);\n  SET_READY;\n  ${store}`,
      'atomic_flag flag;',
    );
    expect(changedLines(result)).toEqual([`-${store}`, `+${weaker}`]);
    expect(result).toMatchObject({ removed: [{ before: 'seq_cst', after: 'release' }] });
  });

  it('required fences stay, seq_cst stores too', async () => {
    const text = (order: string): string =>
      '#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\natomic_int x, y;\nint a, b;\n' +
      'static void *first(void *p) {\n  atomic_store(&x, 1);\n  a = atomic_load_explicit(&y, memory_order_relaxed);\n  return p;\n}\n' +
      'int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, first, 0);\n  atomic_store(&y, 1);\n' +
      `  b = atomic_load_explicit(&x, memory_order_relaxed);\n  atomic_store_explicit(&y, 2, memory_order_${order});\n` +
      '  pthread_join(t, 0);\n  assert(a || b);\n}\n';
    const result = await fixText(text('seq_cst'), { minimise: true });
    if (result.kind !== 'fixed') throw new Error(result.kind);
    expect(result.patches[0]!.after).toBe(text('release'));
    expect(result.changes.map(({ kind }) => kind)).toEqual(['seq_cst', 'seq_cst']);
  });

  it('fences that no execution reaches stay, and are listed', async () => {
    const full = 'atomic_thread_fence(memory_order_seq_cst);';
    const result = await minimise(
      `  data = 1;\n  ${FENCE}\n  SET_READY;\n  if (p) ${full}\n  if (p) atomic_store(&other, 1);\n  ${full}`,
      `static inline void mb(void) { __sync_synchronize(); }\nvoid never(void) {\n  ${full}\n  atomic_store(&other, 1);\n}`,
    );
    expect(changedLines(result)).toEqual([`-${full}`]);
    const why = 'no execution reaches it, so nothing is known';
    expect(result).toMatchObject({
      removed: [{ before: 'full-fence', after: undefined }],
      untouched: [
        { what: 'full fence', location: { line: 9 }, why },
        { what: 'seq_cst store', location: { line: 10 }, why },
        { what: 'full fence', location: { line: 16, column: 10 }, why },
        { what: 'seq_cst store', location: { line: 17, column: 10 }, why },
      ],
    });
  });

  it('fences that are not examined are listed, with the reason', async () => {
    const result = await minimise(
      '  data = 1;\n  atomic_thread_fence(memory_order_release);\n  SET_READY;\n  other = 2;\n' +
        '  atomic_thread_fence(memory_order_acquire);\n  (void)(data ? __sync_synchronize() : (void)0);\n  BOTH;',
      '#define BOTH __sync_synchronize(); other = 3',
    );
    expect(result).toMatchObject({
      kind: 'unneeded',
      untouched: [
        { what: 'seq_cst store', location: { line: 12 }, why: expect.stringContaining('atomic_store_explicit') },
        { what: 'acquire fence', location: { line: 13 }, why: expect.stringContaining('only loads') },
        { what: 'full fence', location: { line: 14 }, why: expect.stringContaining('not a separate statement') },
        { what: 'full fence', location: { line: 15 } },
        { what: 'seq_cst store', location: { line: 15 } },
      ],
    });
  });
});
