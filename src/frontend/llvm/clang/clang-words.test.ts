/** No word from a command line, a report or a request reaches clang as an option, or as a file of options. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { loadChanged } from '../changed-files.ts';
import { compileToIr } from './clang.ts';
import type { CompileOptions } from './clang-flags.ts';
import type { Host } from './clang-job.ts';
import { findNativeClang } from './clang-native.ts';
import { findNpmClang } from './clang-npm.ts';
import { assertMacro, assertPath, clangEnvironment } from './clang-words.ts';
import { HEADERS } from './library.ts';

const real: Host = { env: process.env, cwd: process.cwd() };
const native = await findNativeClang(real, undefined);
const npm = await findNpmClang(real, undefined);
const options = { defines: [], undefines: [], includePaths: [], includes: [], cache: false, headers: HEADERS };

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fencepost-words-'));
  return () => rmSync(folder, { recursive: true, force: true });
});

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, contents] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), contents);
  }
}

const SOURCE = '#ifdef INJECTED\nint bad;\n#else\nint good;\n#endif\n';
/** Whatever clang makes of the first word, the second would be an option of its own. */
const RESPONSE = 'x -DINJECTED=1\n';

describe.each([
  ['native', native],
  ['npm', npm],
])('%s clang', (name, clang) => {
  describe.skipIf(clang === undefined)('is told nothing that it would misread', () => {
    const compile = async (file: string, changed: Partial<CompileOptions> = {}): Promise<string> => {
      const [compiled] = await compileToIr([file], { ...options, clang: name, ...changed }, { ...real, cwd: folder });
      return compiled!.ir;
    };

    test.each<[string, string, Partial<CompileOptions>, string]>([
      ['a source', '@x.c', {}, '@x.c: clang would read arguments from a file whose name begins with "@"; rename it'],
      ['a source in a folder', './sub/@x.c', {}, './sub/@x.c: clang would read'],
      ['a source in LLVM IR', '@x.bc', {}, '@x.bc: clang would read'],
      ['a macro', 'a.c', { defines: ['@x.c'] }, '-D @x.c: expected NAME or NAME=VALUE'],
      ['a macro that is an option', 'a.c', { defines: ['-fplugin=x'] }, '-D -fplugin=x: expected NAME or NAME=VALUE'],
      ['a macro without a name', 'a.c', { defines: [''] }, '-D : expected NAME or NAME=VALUE'],
      ['a macro that is undefined', 'a.c', { undefines: ['@x.c'] }, '-U @x.c: expected a NAME'],
      ['a standard', 'a.c', { standard: 'c11 @x.c' }, '-std c11 @x.c: not a language standard'],
      ['two lines', 'a\nb.c', {}, 'a\nb.c: a name with a control character (0x0a) cannot be given to clang; rename it'],
      ['a folder of two lines', 'a.c', { includePaths: ['a\tb'] }, 'a\tb: a name with a control character (0x09)'],
      ['an empty folder', 'a.c', { includePaths: [''] }, 'a file or folder name must not be empty'],
    ])('%s is refused', async (_, file, changed, message) => {
      write({ 'a.c': SOURCE, '@x.c': SOURCE, 'sub/@x.c': SOURCE, '@x.bc': '', 'x.c': RESPONSE, 'x.bc': RESPONSE });
      await expect(compile(file, changed)).rejects.toThrow(message);
    });

    test('but finds files of such a name', async () => {
      write({ '@d/-a.c': '#include <b.h>\nint n = B;\n', '@i/b.h': '#include <c.h>\n#define B (C + D + E)\n' });
      write({
        '=i/c.h': '#define C 1\n',
        '-i;x/d.h': '#define D 2\n',
        '@e.h': '#define E 3\n',
        d: RESPONSE,
        i: RESPONSE,
      });
      write({ 'e.h': RESPONSE });
      const changed = { includePaths: ['@i', '=i', '-i;x'], includes: ['@e.h', 'd.h'] };
      expect(await compile('@d/-a.c', changed)).toMatch(/^@n = .*global i32 6,/m);
    });
  });
});

describe.skipIf(native === undefined || process.platform === 'win32')('a file in place of another one', () => {
  test('is found, whatever it is called', async () => {
    const file = join(folder, 'a;b/c;d=e.c');
    write({ 'a;b/c;d=e.c': 'int main(void) { return 0; }\n' });
    const changed = new Map([[file, 'int changed;\nint main(void) { return changed; }\n']]);
    const { program } = await loadChanged([file], { ...options, entry: 'main', arguments: [] }, changed);
    expect(program.globals.map(({ name }) => name)).toContain('changed');
  });
});

test('clang gets what it needs of the environment, and nothing else', () => {
  const env = { PATH: '/bin', HOME: '/h', TMPDIR: '/t', CPATH: '/x', CLANG_ANYTHING_NEW: '1', LD_PRELOAD: '/x.so' };
  expect(clangEnvironment({ ...env, TEMP: undefined })).toEqual({ PATH: '/bin', HOME: '/h', TMPDIR: '/t' });
});

test('an argument that no system takes is refused, with its beginning', () => {
  expect(() => assertMacro('-D', `X=${'A'.repeat(200_000)}`)).toThrow(/^-D X=A+…: longer than 100000 bytes/);
  expect(() => assertPath('a/'.repeat(100_000))).toThrow('too long for clang');
  expect(() => assertMacro('-D', `X=${'A'.repeat(90_000)}`)).not.toThrow();
});
