/** Where changes go in the text: every source here is fixed, and `fix` itself compiles and verifies what comes out. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FixResult } from '../../src/fix.ts';
import { type Sources, sourceFolder } from '../support/c.ts';
import { type FixInTest, fixFile } from '../support/fix-c.ts';

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

/** The lines that the patch adds and takes away. */
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

  it('is spelled so that it is known in its file', async () => {
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

  it('is not put where a macro is not what it looks like', async () => {
    const macros = `${PLAIN}\n#define BOTH(a, b) a b\n#define WHEN(c) if (c)\n#define LEAVE } return p;`;
    const result = await fixText(messagePassing('  WHEN(!p) {\n    data = 1;\n    SET_READY;\n  LEAVE', macros));
    expect(changedLines(result)).toEqual([`+${FENCE}`]);
  });
});

describe('the order of an access', () => {
  it('is made stronger where it is written down', async () => {
    const result = await fixText(messagePassing(`  data = 1;\n  ${RELAXED};`));
    expect(changedLines(result)).toEqual([`-${RELAXED};`, `+${RELAXED.replace('relaxed', 'release')};`]);
    expect(result).toMatchObject({ cost: 2, changes: [{ kind: 'release' }] });
  });

  it('of a read-modify-write too', async () => {
    const add = 'atomic_fetch_add_explicit(&ready, 1, memory_order_acquire)';
    const result = await fixText(messagePassing(`  data = 1; ${add};`));
    expect(changedLines(result)[1]).toContain('memory_order_acq_rel');
  });

  it('is made stronger in a statement that nothing can be put into', async () => {
    const result = await fixText(messagePassing(`  (void)(data = 1, ${RELAXED}, 0);`));
    expect(changedLines(result)[1]).toContain('memory_order_release');
  });

  it('is left alone if fences are cheaper', async () => {
    const result = await fixText(messagePassing(`  data = 1;\n  ${RELAXED};`), { costs: { release: 10 } });
    expect(changedLines(result)).toEqual([`+${FENCE}`]);
  });
});

it('two accesses in one statement, of which neither has an order, cannot be helped', async () => {
  const result = await fixText(messagePassing('  (void)(data = 1, SET_READY);', PLAIN));
  expect(result).toMatchObject({ kind: 'impossible', learnt: { error: { kind: 'assertion' } } });
});

it('all cheapest sets are listed, up to a number', async () => {
  const text = messagePassing('  data = 1;\n  atomic_store_explicit(&other, 1, 0);\n  SET_READY;', PLAIN);
  expect(await fixText(text, { solutions: 5 })).toMatchObject({ others: [[{ kind: 'store-fence' }]], hasMore: false });
  expect(await fixText(text, { solutions: 1 })).toMatchObject({ others: [], hasMore: true });
});

it('a full fence that orders only stores becomes a store-store fence', async () => {
  const text = messagePassing(
    '  data = 1;\n  atomic_thread_fence(memory_order_seq_cst);\n  SET_READY;\n  __sync_synchronize();',
    PLAIN,
  );
  expect(changedLines(await fixText(text, { minimise: true }))).toEqual([
    '-atomic_thread_fence(memory_order_seq_cst);',
    '+atomic_thread_fence(memory_order_release);',
    '-__sync_synchronize();',
  ]);
});
