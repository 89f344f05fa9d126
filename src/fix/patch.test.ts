/** Common tools accept the patches, whatever the names of the files. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makePatches } from './patch.ts';
import { SourceFile } from './source-file.ts';
import { insertion } from './text.ts';

const TEXT = 'one\ntwo\nthree\n';
const CHANGED = 'one\nnew\ntwo\nthree\n';

const TOOLS = {
  patch: ['patch', '-p1', '--quiet'],
  git: ['git', 'apply', '-'],
  // In a repository, from the folder that the paths are relative to.
  'git in a repository': ['git', 'apply', '-'],
} as const;

let root = '';
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'fencepost-test-')));
});
afterEach(() => rmSync(root, { recursive: true }));

function write(name: string, text = TEXT): void {
  const path = join(root, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, 'latin1');
}

/** Makes patches in a folder for files with these names there, and has a tool apply them. */
function apply(tool: keyof typeof TOOLS, here: string, names: readonly string[], text = TEXT): string {
  const folder = join(root, here);
  mkdirSync(folder, { recursive: true });
  if (tool === 'git in a repository') execFileSync('git', ['init', '-q', root]);
  const edits = names.map((name) => [new SourceFile(name, text), [insertion(text.indexOf('two'), 'new\n')]] as const);
  const { patches, folder: base } = makePatches(new Map(edits), folder);
  const [command, ...args] = TOOLS[tool];
  execFileSync(command, args, {
    cwd: base,
    input: Buffer.from(patches.map(({ diff }) => diff).join(''), 'latin1'),
    env: { ...process.env, GIT_CEILING_DIRECTORIES: dirname(root) },
  });
  return base;
}

const bytesOf = (name: string): string => readFileSync(join(root, name), 'latin1');

describe.each(Object.keys(TOOLS) as (keyof typeof TOOLS)[])('%s takes patches of', (tool) => {
  it.each([
    'plain.c',
    'sub folder/with spaces.c',
    'grün/ñ.c',
    'a"quote.c',
    'back\\slash.c',
    'tab\there.c',
    ' leading and trailing .c',
  ])('%j', (name) => {
    write(name);
    expect(apply(tool, '.', [name])).toBe(root);
    expect(bytesOf(name)).toBe(CHANGED);
  });

  it('paths with detours', () => {
    write('src/a.c');
    apply(tool, '.', ['./src/../src//a.c']);
    expect(bytesOf('src/a.c')).toBe(CHANGED);
  });

  it('absolute paths', () => {
    write('src/a.c');
    expect(apply(tool, '.', [join(root, 'src/a.c')])).toBe(root);
    expect(bytesOf('src/a.c')).toBe(CHANGED);
  });

  it('files below the folder one is in', () => {
    write('sub/src/a.c');
    expect(apply(tool, 'sub', ['src/a.c'])).toBe(join(root, 'sub'));
    expect(bytesOf('sub/src/a.c')).toBe(CHANGED);
  });

  it('files outside of it, from the nearest folder around that has all of them', () => {
    write('a.c');
    write('src/b.c');
    expect(apply(tool, 'build/deep', ['../../src/b.c', '../../a.c'])).toBe(root);
    expect([bytesOf('a.c'), bytesOf('src/b.c')]).toEqual([CHANGED, CHANGED]);
  });

  it('symbolic links, by what they point to', () => {
    write('real.c');
    symlinkSync('real.c', join(root, 'link.c'));
    apply(tool, '.', ['link.c']);
    expect(bytesOf('real.c')).toBe(CHANGED);
  });

  it.each([
    ['bytes that are no UTF-8', 'one \xfc\ntwo\n\xff\n', 'one \xfc\nnew\ntwo\n\xff\n'],
    ['carriage returns', 'one\r\ntwo\r\nthree\r\n', 'one\r\nnew\ntwo\r\nthree\r\n'],
    ['no newline at the end', 'one\ntwo', 'one\nnew\ntwo'],
  ])('%s', (_, text, expected) => {
    write('a.c', text);
    apply(tool, '.', ['a.c'], text);
    expect(bytesOf('a.c')).toBe(expected);
  });
});
