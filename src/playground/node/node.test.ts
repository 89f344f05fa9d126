/** The replacements for Node's modules behave like the originals. */
import { Buffer as NodeBuffer } from 'node:buffer';
import { createHash as nodeHash } from 'node:crypto';
import * as nodeFs from 'node:fs';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { posix } from 'node:path';
import { pathToFileURL as nodeUrl } from 'node:url';
import { expect, it } from 'vitest';
import { Buffer } from './buffer.ts';
import { createHash } from './crypto.ts';
import * as fs from './fs.ts';
import { pathToFileURL } from './other.ts';
import path from './path.ts';

const PATHS = [
  '',
  '.',
  '..',
  '/',
  '//',
  'a',
  'a/',
  './a',
  '../a',
  '/a',
  '/a/',
  '/a//b/../c/./d.e.c',
  'a/../../b',
  '/..',
  '.c',
  'a.',
  'x/.h',
  '/a/b/',
];

it('has the paths of POSIX', () => {
  for (const one of PATHS) {
    for (const name of ['normalize', 'dirname', 'basename', 'extname', 'isAbsolute'] as const) {
      expect([name, one, path[name](one)]).toEqual([name, one, posix[name](one)]);
    }
    expect(path.resolve('/home', one)).toBe(posix.resolve('/home', one));
    for (const other of PATHS) {
      expect([one, other, path.join(one, other)]).toEqual([one, other, posix.join(one, other)]);
      const [from, to] = [posix.resolve('/home', one), posix.resolve('/home', other)];
      expect([from, to, path.relative(from, to)]).toEqual([from, to, posix.relative(from, to)]);
    }
  }
  expect(path.basename('/a/b.c', '.c')).toBe('b');
  expect(pathToFileURL('/a b/ä%#?.c').href).toBe(nodeUrl('/a b/ä%#?.c').href);
});

it('has the bytes and the hashes of Node', () => {
  const texts = ['', 'abc', '\ufeffä€😀\0', 'x'.repeat(500)];
  for (const text of [...texts, ...Array.from({ length: 130 }, (_, i) => 'y'.repeat(i))]) {
    expect(createHash('sha256').update(text).update('z').digest('hex')).toBe(
      nodeHash('sha256').update(text).update('z').digest('hex'),
    );
    for (const encoding of ['utf8', 'latin1'] as const) {
      const [ours, nodes] = [Buffer.from(text, encoding), NodeBuffer.from(text, encoding)];
      expect([...ours]).toEqual([...nodes]);
      for (const to of ['utf8', 'latin1', 'base64'] as const) expect(ours.toString(to)).toBe(nodes.toString(to));
    }
  }
  const [ours, nodes] = [Buffer.from('one\ntwo'), NodeBuffer.from('one\ntwo')];
  expect([ours.indexOf('\n'), ours.indexOf(10), ours.indexOf('x')]).toEqual([
    nodes.indexOf('\n'),
    nodes.indexOf(10),
    nodes.indexOf('x'),
  ]);
  expect(ours.toString('utf8', 0, 3)).toBe('one');
  expect(ours.subarray(4).toString()).toBe('two');
  expect(Buffer.from(nodes.toString('base64'), 'base64').equals(ours)).toBe(true);
});

/** The same operations on either implementation; errors are part of the result. */
function story(files: typeof fs | typeof nodeFs, folder: string): readonly unknown[] {
  const {
    existsSync,
    mkdirSync,
    readdirSync,
    readFileSync,
    renameSync,
    rmSync: remove,
    statSync,
    writeFileSync,
  } = files as typeof nodeFs;
  const told: unknown[] = [];
  const tell = (act: () => unknown): void => {
    try {
      told.push(act());
    } catch (error) {
      told.push((error as NodeJS.ErrnoException).code);
    }
  };
  const at = (name: string): string => `${folder}/${name}`;
  const list = (): unknown => [...(readdirSync(folder, { recursive: true }) as string[])].sort();
  tell(() => mkdirSync(at('a/b')));
  tell(() => mkdirSync(at('a/b'), { recursive: true }) !== null);
  tell(() => mkdirSync(at('a')));
  tell(() => writeFileSync(at('a/b/x'), 'grüße', 'latin1'));
  tell(() => writeFileSync(at('a/b/x'), 'again', { flag: 'wx' }));
  tell(() => writeFileSync(at('none/x'), ''));
  tell(() => writeFileSync(at('a'), ''));
  tell(() => [...readFileSync(at('a/b/x'))]);
  tell(() => readFileSync(at('a')));
  tell(() => readFileSync(at('none')));
  tell(() => [statSync(at('a')).isDirectory(), statSync(at('a/b/x')).isFile(), statSync(at('a/b/x')).size]);
  tell(() => statSync(at('none'), { throwIfNoEntry: false }));
  tell(() => statSync(at('none')));
  tell(list);
  tell(() => renameSync(at('a'), at('c')));
  tell(() => [existsSync(at('a')), existsSync(at('c/b/x')), list()]);
  tell(() => remove(at('none')));
  tell(() => remove(at('none'), { force: true }));
  tell(() => remove(at('c'), { recursive: true }));
  tell(list);
  return told;
}

it('keeps files as Node does', () => {
  const folder = mkdtempSync(`${tmpdir()}/fencepost-node-`);
  fs.mkdirSync('/story');
  try {
    expect(story(fs, '/story')).toEqual(story(nodeFs, folder));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
