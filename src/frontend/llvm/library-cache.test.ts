import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ClangCache } from './cache.ts';
import { keepLibrary, readLibrary } from './library-cache.ts';

let folder: string;
let sources: string[];
const modules = [
  { file: 'lib/a.c', defines: ['f', 'g'], ir: 'define void @f() { … }\n' },
  { file: 'lib/b.c', defines: [], ir: '' },
  { file: 'lib/c.c', defines: ['x'], ir: '@x = global i32 1\n' },
];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fencepost-library-'));
  sources = ['a.c', 'a.h'].map((name) => join(folder, name));
  for (const file of sources) writeFileSync(file, `/* ${file} */\n`);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** As another process would find it. */
const open = (): ClangCache => new ClangCache(join(folder, 'cache'));
const read = () => readLibrary(open(), 'key')?.map(({ file, defines, ir }) => ({ file, defines, ir }));

test('a library is found again, module by module', async () => {
  expect(read()).toBeUndefined();
  await keepLibrary(open(), 'key', modules, sources);
  expect(read()).toEqual(modules);
  expect(readLibrary(open(), 'other key')).toBeUndefined();
});

test('but not if a file that it was made from has changed, or is gone', async () => {
  await keepLibrary(open(), 'key', modules, sources);
  const text = readFileSync(sources[1]!);
  writeFileSync(sources[1]!, 'int x;\n');
  expect(read()).toBeUndefined();
  writeFileSync(sources[1]!, text);
  expect(read()).toEqual(modules);
  rmSync(sources[0]!);
  expect(read()).toBeUndefined();
});

test('nor if the entry is damaged', async () => {
  await keepLibrary(open(), 'key', modules, sources);
  const [name] = readdirSync(join(folder, 'cache', 'ir'));
  const path = join(folder, 'cache', 'ir', name!);
  const whole = readFileSync(path);
  const damaged = Buffer.from(whole);
  damaged[damaged.length - 3]! ^= 1;
  for (const contents of [damaged, whole.subarray(0, -1), whole.subarray(0, 20), Buffer.from('null\n'), Buffer.of()]) {
    writeFileSync(path, contents);
    expect(read()).toBeUndefined();
  }
  writeFileSync(path, whole);
  expect(read()).toEqual(modules);
});

test('and it is not kept if one of those files cannot be read', async () => {
  await keepLibrary(open(), 'key', modules, [...sources, join(folder, 'nowhere.h')]);
  expect(read()).toBeUndefined();
});
