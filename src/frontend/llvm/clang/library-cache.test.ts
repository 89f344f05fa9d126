import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ClangCache } from './cache.ts';
import { FileHashes, type Inputs } from './inputs.ts';
import { keepLibrary, readLibrary } from './library-cache.ts';

let folder: string;
let sources: string[];
const modules = [
  { file: 'lib/a.c', defines: ['f', 'g'], ir: 'define void @f() { … }\n', hash: '1' },
  { file: 'lib/b.c', defines: [], ir: '', hash: '2' },
  { file: 'lib/c.c', defines: ['x'], ir: '@x = global i32 1\n', hash: '3' },
];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fencepost-library-'));
  sources = ['a.c', 'a.h'].map((name) => join(folder, name));
  for (const file of sources) writeFileSync(file, `/* ${file} */\n`);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The cache as another process would see it. */
const open = (): ClangCache => new ClangCache(join(folder, 'cache'));
const inputs = (): Inputs => ({
  files: sources.map((path) => [path, new FileHashes().of(path)!]),
  absent: [join(folder, 'early.h')],
  folders: [[folder, realpathSync(folder)]],
});
const read = () => readLibrary(open(), 'key')?.map(({ file, defines, ir, hash }) => ({ file, defines, ir, hash }));

test('a library is found again, module by module', () => {
  expect(read()).toBeUndefined();
  keepLibrary(open(), 'key', modules, inputs());
  expect(read()).toEqual(modules);
  expect(readLibrary(open(), 'other key')).toBeUndefined();
});

test('a library is not found if a file that it was made from has changed, or is gone', () => {
  keepLibrary(open(), 'key', modules, inputs());
  const text = readFileSync(sources[1]!);
  writeFileSync(sources[1]!, 'int x;\n');
  expect(read()).toBeUndefined();
  writeFileSync(sources[1]!, text);
  expect(read()).toEqual(modules);
  rmSync(sources[0]!);
  expect(read()).toBeUndefined();
});

test('a library is not found if a file has appeared that would have been read instead', () => {
  keepLibrary(open(), 'key', modules, inputs());
  // A folder is not a header.
  mkdirSync(join(folder, 'early.h'));
  expect(read()).toEqual(modules);
  rmSync(join(folder, 'early.h'), { recursive: true });
  writeFileSync(join(folder, 'early.h'), '');
  expect(read()).toBeUndefined();
});

test('a library is not found if any single bit of the entry has changed', () => {
  keepLibrary(open(), 'key', modules, inputs());
  const [name] = readdirSync(join(folder, 'cache', 'ir'));
  const path = join(folder, 'cache', 'ir', name!);
  const whole = readFileSync(path);
  for (let at = 0; at < whole.length; at++) {
    const damaged = Buffer.from(whole);
    damaged[at]! ^= 1 << (at % 8);
    writeFileSync(path, damaged);
    expect(read()).toBeUndefined();
  }
  for (const contents of [whole.subarray(0, -1), whole.subarray(0, 20), Buffer.from('null\n'), Buffer.of()]) {
    writeFileSync(path, contents);
    expect(read()).toBeUndefined();
  }
  writeFileSync(path, whole);
  expect(read()).toEqual(modules);
});
