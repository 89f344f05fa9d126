/**
 * `fix` writes C++: the structures of `programs/cpp` without one of their orders (`programs/cpp/fixes.tsv`), which
 * takes long, and a small program with explicit orders.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FixInTest, fixFile } from '../../support/fix-c.ts';
import { DEEP } from '../../support/tier.ts';

const FOLDER = fileURLToPath(new URL('../../../programs/cpp/', import.meta.url));
const [header, ...lines] = readFileSync(`${FOLDER}fixes.tsv`, 'utf8').trimEnd().split('\n');
const ROWS = lines.map((line) => {
  const [file = '', changes = ''] = line.split('\t');
  return { file, changes: changes.split(' | ') };
});

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fencepost-fix-cxx-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The lines that the patch adds. */
async function added(file: string, options: FixInTest): Promise<readonly string[]> {
  const result = await fixFile(file, options);
  if (result.kind !== 'fixed') throw new Error(result.kind);
  expect(result.boundedBy).toEqual([]);
  return result.patches.flatMap(({ diff }) => [...diff.matchAll(/^\+(?!\+\+)\s*(.*)$/gm)].map(([, text]) => text!));
}

const PASSING = `#include <atomic>
#include <cassert>
#include <thread>
namespace app {
template <class T> struct Box {
  T value{};
  std::atomic<bool> ready{false};
  Box() : value{0} {}
  void put(T v) {
    value = v;
    ready.store(true, std::memory_order_relaxed);
  }
};
}
int main() {
  app::Box<int> box;
  std::thread t([&] { box.put(1); });
  if (box.ready.load(std::memory_order_acquire)) assert(box.value == 1);
  t.join();
}
`;

it('makes the order of a member stronger', async () => {
  const file = join(folder, 'order.cpp');
  writeFileSync(file, PASSING);
  expect(await added(file, { models: ['rc11'] })).toEqual(['ready.store(true, std::memory_order_release);']);
});

it('adds a fence, also in a lambda, and with the names of the compiler where no other is known', async () => {
  const file = join(folder, 'fence.cpp');
  const text = `#include <cassert>
#include <thread>
volatile int x, y, seen[2];
int main() {
  std::thread t([] {
    x = 1;
    seen[0] = y;
  });
  y = 1;
  seen[1] = x;
  t.join();
  assert(seen[0] || seen[1]);
}
`;
  writeFileSync(file, text);
  const fence = '__atomic_thread_fence(__ATOMIC_SEQ_CST);';
  expect(await added(file, { models: ['tso'] })).toEqual([fence, fence]);
});

it('has a row for each program', () => {
  expect(header).toBe('file\tlines of the patch');
  const weak = readFileSync(`${FOLDER}expected.tsv`, 'utf8').matchAll(/^(\S+)\tWEAK/gm);
  expect(ROWS.map(({ file }) => file)).toEqual([...weak].map(([, file]) => file));
});

/** The rest takes long. */
const QUICK = ['left-right.cpp'];

it.each(ROWS.filter(({ file }) => DEEP || QUICK.includes(file)))(
  'fix makes of $file what its row says',
  async ({ file, changes }) => {
    const options: FixInTest = { defines: ['WEAK'], models: ['tso', 'pso', 'rc11'], check: { spin: true } };
    expect(await added(FOLDER + file, options)).toEqual(changes);
  },
);
