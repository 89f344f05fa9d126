/** The cache never serves outdated IR: every change is noticed, even one in the middle of a run. */
import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { compileToIr } from './clang.ts';
import type { CompileOptions } from './clang-flags.ts';
import type { Host } from './clang-job.ts';
import { findNativeClang } from './clang-native.ts';

const native = await findNativeClang({ env: process.env, cwd: process.cwd() }, undefined);
const clang = /\((.*)\)$/.exec(native?.name ?? '')?.[1] ?? '';

let folder: string;
let host: Host;

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, contents] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), contents);
  }
}

/**
 * Makes a clang that counts how often it compiles. On its first run, it executes these commands before and after, in
 * the test's folder.
 */
function hook(before: string, after: string): void {
  const first = (commands: string): string => `(cd ${folder}; if test ! -e hooked; then :; ${commands}\nfi)`;
  const compile = `echo x >> ${folder}/calls\n${first(before)}\n${clang} "$@"; status=$?\n${first(after)}\ntouch ${folder}/hooked`;
  write({
    clang: `#!/bin/sh\ncase "$*" in *" -o "*)\n${compile}\nexit $status;; esac\nexec ${clang} "$@"\n`,
  });
  chmodSync(join(folder, 'clang'), 0o755);
}

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'fencepost-stale-')));
  host = { env: { ...process.env, XDG_CACHE_HOME: join(folder, 'cache') }, cwd: folder };
  hook('', '');
  write({ calls: '', 'headers/none.h': '' });
  return () => rmSync(folder, { recursive: true, force: true });
});

const calls = (): number => readFileSync(join(folder, 'calls'), 'utf8').split('\n').length - 1;

/** The value of `x` in the source. */
async function value(changed: Partial<CompileOptions> = {}, file = 'a.c', at: Host = host): Promise<string> {
  const options = { defines: [], undefines: [], includePaths: ['inc'], includes: [], headers: join(folder, 'headers') };
  const [compiled] = await compileToIr(
    [file],
    { ...options, cache: true, clang: join(folder, 'clang'), ...changed },
    at,
  );
  return /^@x = .*global i32 (\d+)/m.exec(compiled!.ir)![1]!;
}

/** Expects the value twice, the second time from the cache, where a missed change would show. */
async function expectKept(expected: string, changed: Partial<CompileOptions> = {}, file = 'a.c'): Promise<void> {
  expect(await value(changed, file)).toBe(expected);
  const before = calls();
  expect(await value(changed, file)).toBe(expected);
  expect(calls()).toBe(before);
}

describe.skipIf(native === undefined || process.platform === 'win32')('sees', () => {
  test('a header that appears beside another header', async () => {
    write({ 'a.c': '#include "sub/a.h"\nint x = B;\n', 'sub/a.h': '#include "b.h"\n', 'inc/b.h': '#define B 1\n' });
    await expectKept('1');
    write({ 'sub/b.h': '#define B 2\n' });
    await expectKept('2');
    rmSync(join(folder, 'sub/b.h'));
    await expectKept('1');
  });

  test('a header that appears in a folder that is searched earlier, even if there was no such folder', async () => {
    const changed = { includePaths: ['early/', './inc'], includes: ['pre.h'] };
    write({
      'a.c': '#include <deep/b.h>\nint x = B + P;\n',
      'inc/deep/b.h': '#define B 1\n',
      'inc/pre.h': '#define P 0\n',
    });
    await expectKept('1', changed);
    write({ 'early/deep/b.h': '#define B 2\n' });
    await expectKept('2', changed);
    write({ 'early/pre.h': '#define P 10\n' });
    await expectKept('12', changed);
    write({ 'pre.h': '#define P 20\n' });
    await expectKept('22', changed);
  });

  test('a header in the place of a folder of that name', async () => {
    write({ 'a.c': '#include "b.h"\nint x = B;\n', 'inc/b.h': '#define B 1\n', 'b.h/none': '' });
    await expectKept('1');
    rmSync(join(folder, 'b.h'), { recursive: true });
    write({ 'b.h': '#define B 2\n' });
    await expectKept('2');
  });

  test('a folder that is replaced, and a link that leads elsewhere', async () => {
    write({ 'a.c': '#include <b.h>\nint x = B;\n', 'one/b.h': '#define B 1\n', 'two/b.h': '#define B 2\n' });
    symlinkSync('one', join(folder, 'inc'));
    await expectKept('1');
    symlinkSync('two', join(folder, 'new'));
    renameSync(join(folder, 'new'), join(folder, 'inc'));
    await expectKept('2');
    rmSync(join(folder, 'inc'));
    renameSync(join(folder, 'one'), join(folder, 'inc'));
    await expectKept('1');
  });

  test('that a folder is no longer the folder of the system headers, which is searched last', async () => {
    write({ 'a.c': '#include <b.h>\nint x = B;\n', 'headers/b.h': '#define B 1\n', 'mine/b.h': '#define B 2\n' });
    write({ 'other/b.h': '#define B 3\n' });
    symlinkSync('headers', join(folder, 'link'));
    await expectKept('2', { includePaths: ['link', 'mine'] });
    rmSync(join(folder, 'link'));
    symlinkSync('other', join(folder, 'link'));
    await expectKept('3', { includePaths: ['link', 'mine'] });
  });

  test('two names of one header that become two headers, and back', async () => {
    write({
      'a.c': '#include "one.h"\n#include "two.h"\nint x = N;\n',
      'one.h': '#pragma once\n#ifdef N\n#undef N\n#define N 2\n#else\n#define N 1\n#endif\n',
    });
    const [one, two] = [join(folder, 'one.h'), join(folder, 'two.h')];
    const contents = readFileSync(one);
    symlinkSync('one.h', two);
    await expectKept('1');
    rmSync(two);
    writeFileSync(two, contents);
    await expectKept('2');
    rmSync(two);
    linkSync(one, two);
    await expectKept('1');
    rmSync(two);
    writeFileSync(two, contents);
    await expectKept('2');
  });

  test('a header whose name could be read as two, or is no text', async () => {
    const names = ['b\tc.h', 'b\u00a0c.h'];
    for (const name of names) {
      write({ 'a.c': `#include "${name}"\nint x = B;\n`, b: '', 'c.h': '', [name]: '#define B 1\n' });
      expect(await value({}, 'a.c')).toBe('1');
      write({ [name]: '#define B 2\n' });
      expect(await value({}, 'a.c')).toBe('2');
    }
    const odd = Buffer.from(`${folder}/\u00ff.h`, 'latin1');
    writeFileSync(join(folder, 'a.c'), Buffer.from('#include "\u00ff.h"\nint x = B;\n', 'latin1'));
    write({ '\ufffd.h': '' });
    for (const expected of ['1', '2']) {
      writeFileSync(odd, `#define B ${expected}\n`);
      expect(await value({}, 'a.c')).toBe(expected);
    }
  });

  test('a header behind a link and a step up', async () => {
    write({ 'real/deep/a.c': '#include "../b.h"\nint x = B;\n', 'real/b.h': '#define B 1\n', 'b.h': '#define B 7\n' });
    symlinkSync('real/deep', join(folder, 'link'));
    await expectKept('1', {}, 'link/a.c');
    write({ 'real/b.h': '#define B 2\n' });
    await expectKept('2', {}, 'link/a.c');
  });

  test('that another folder has other headers', async () => {
    const source = '#include "b.h"\nint x = B;\n';
    write({ 'one/a.c': source, 'one/inc/b.h': '#define B 1\n' });
    write({ 'two/a.c': source, 'two/inc/b.h': '#define B 1\n', 'two/b.h': '#define B 2\n' });
    expect(await value({}, 'a.c', { ...host, cwd: join(folder, 'one') })).toBe('1');
    expect(await value({}, 'a.c', { ...host, cwd: join(folder, 'two') })).toBe('2');
  });

  test('nothing in a precompiled header, which is ignored', async () => {
    write({ 'a.c': 'int x = B;\n', 'pre.h': '#define B 1\n', 'pre.h.pch': 'damaged', 'pre.h.gch': 'damaged' });
    await expectKept('1', { includes: ['pre.h'] });
  });

  test('nothing in the environment of clang, which has no effect', async () => {
    write({ 'a.c': '#include <b.h>\nint x = B;\n', 'headers/b.h': '#define B 1\n', 'cpath/b.h': '#define B 2\n' });
    const path = join(folder, 'cpath');
    const more = { CPATH: path, C_INCLUDE_PATH: path, CCC_OVERRIDE_OPTIONS: `#+-I${path}`, CCC_ADD_ARGS: `-I${path}` };
    host = { ...host, env: { ...host.env, ...more, SOURCE_DATE_EPOCH: '0', CLANG_SPAWN_CC1: '1' } };
    await expectKept('1', { includePaths: [] });
  });
});

describe.skipIf(native === undefined || process.platform === 'win32')(
  'what changes while clang runs is not kept',
  () => {
    beforeEach(() =>
      write({ 'a.c': '#include "b.h"\nint x = B;\n', 'b.h': '#define B 1\n', 'old.h': '#define B 3\n' }),
    );
    const save = 'echo "#define B 2" > b.h';

    test.each([
      ['a header is saved', '', save],
      ['a header is saved before it is read', save, ''],
      ['a header is saved and taken back', save, 'echo "#define B 1" > b.h'],
      ['an older file takes its place', '', 'mv old.h b.h'],
      [
        'another header appears before it',
        '',
        'mv b.h inc.h; mkdir -p inc; mv inc.h inc/b.h; echo "#define B 4" > b.h',
      ],
      ['it is removed and another one found', 'mkdir -p inc; mv b.h inc/b.h', 'echo "#define B 5" > b.h'],
      ['the source is saved', '', 'echo "int x = 6;" > a.c'],
      ['a folder is put elsewhere', '', 'mkdir -p inc; echo "#define B 9" > inc/b.h; mv b.h inc/c.h; mv inc/b.h b.h'],
    ])('if %s', async (_, before, after) => {
      hook(before, after);
      await value();
      // Whatever was read then, only the current file counts from now on.
      const now = await value({ cache: false });
      await expectKept(now);
    });

    test('if a source in LLVM IR is saved', async () => {
      const ir = (n: number): string =>
        `target triple = "i386-pc-linux-gnu"\n@x = global i32 ${n}\n@p = global i32* @x\n`;
      write({ 'a.ll': ir(1), 'b.ll': ir(2) });
      hook('mv a.ll c.ll; mv b.ll a.ll', 'mv c.ll a.ll');
      await value({}, 'a.ll');
      await expectKept('1', {}, 'a.ll');
    });
  },
);

describe.skipIf(native === undefined || process.platform === 'win32')(
  'does not keep what asks for more than files',
  () => {
    const has = '("c.h")\nint x = 2;\n#else\nint x = 1;\n#endif\n';
    test.each<[string, string, readonly string[]]>([
      ['in a macro of the command line', `#if HAS${has}`, ['HAS(f)=__has_include(f)']],
      ['in two lines', `#if __has_\\\ninclude${has}`, []],
      ['in two lines, with a trigraph', `#if __has_??/\ninclude${has}`, []],
      ['pasted', `#define P(a, b) a##b\n#if P(__has_, include)${has}`, []],
      ['pasted from three pieces', `#define P(a, b, c) a %:%: b %:%: c\n#if P(_, _has, _include)${has}`, []],
      ['the next one', `#if __has_include("c.h") || __has_include_next${has}`, []],
    ])('such as __has_include: %s', async (_, source, defines) => {
      write({ 'a.c': '#include "../up.h"\n', 'up.h': source });
      write({ 'sub/a.c': '#include "../up.h"\n', 'sub/c.h': '' });
      rmSync(join(folder, 'sub/c.h'));
      const changed = { defines, standard: 'c11' };
      expect(await value(changed, 'sub/a.c')).toBe('1');
      write({ 'c.h': '' });
      expect(await value(changed, 'sub/a.c')).toBe('2');
    });

    test.each(['__TIME__', '__DATE__', '__TIMESTAMP__'])('such as %s', async (name) => {
      write({ 'a.c': `char *now = ${name};\nint x = 1;\n` });
      await value();
      await value();
      expect(calls()).toBe(2);
    });

    test('such as a dependency in a pragma', async () => {
      write({ 'a.c': '#pragma GCC dependency "c.h"\nint x = 1;\n', 'c.h': '' });
      await value();
      rmSync(join(folder, 'c.h'));
      await expect(value()).rejects.toThrow('clang rejects a.c');
    });
  },
);
