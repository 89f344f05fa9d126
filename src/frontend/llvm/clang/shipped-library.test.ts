import { copyFileSync, linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DEEP } from '../../../../test/support/tier.ts';
import { hash } from '../../../platform/hash.ts';
import { compileProgram } from './clang.ts';
import { findNpmClang } from './clang-npm.ts';
import { readUnits, runUnits } from './clang-units.ts';
import { FileHashes } from './inputs.ts';
import { HEADERS, LIBRARY_FLAGS, libraryFiles } from './library.ts';
import { makeShipped } from './ship-library.ts';
import { libraryOptions, packLibrary, readShipped, shippedFile, withoutFolder } from './shipped-library.ts';
import { TARGETS } from './targets.ts';

const host = { env: process.env, cwd: process.cwd() };

describe('a library that is shipped', () => {
  let root: string;
  const at = (path: string): string => join(root, path);
  const write = (path: string, text: string | Uint8Array): void => {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), text);
  };
  const modules = () =>
    [
      { file: at('lib/a.c'), defines: ['f', 'g'], ir: 'define void @f() { … }\n' },
      { file: at('lib/b.c'), defines: [], ir: '' },
    ].map((module) => ({ ...module, hash: hash(module.ir) }));
  const read = () =>
    readShipped('i686', root)?.map(({ file, defines, ir, hash: of }) => ({ file, defines, ir, hash: of }));
  const made = (absent: readonly string[] = []) => ({
    target: 'i686' as const,
    modules: modules(),
    inputs: {
      files: ['lib/a.c', 'lib/b.c', 'include/x.h'].map((path) => [at(path), new FileHashes().of(at(path))!] as const),
      absent: [at('include/stddef.h'), '/fencepost-clang/include/x.h', ...absent],
      folders: [],
    },
    clang: 'a clang',
  });

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'fencepost-shipped-'));
    for (const path of ['lib/a.c', 'lib/b.c', 'include/x.h']) write(path, `/* ${path} */\n`);
    expect(read()).toBeUndefined();
    write('dist/library/i686.ir', packLibrary(made(), root));
    expect(read()).toEqual(modules());
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  test('does not say where the package was', () => {
    const named = (ir: string) => ({ ...made(), modules: [{ ...modules()[0]!, ir }, modules()[1]!] });
    const header = `; ModuleID = '${at('lib/a.c')}'\nsource_filename = "${at('lib/a.c')}"\n`;
    write('dist/library/i686.ir', packLibrary(named(`${header}define void @f() { … }\n`), root));
    expect(read()![0]!.ir).toBe('source_filename = "lib/a.c"\ndefine void @f() { … }\n');
    expect(read()![0]!.hash).toBe(hash(read()![0]!.ir));
    expect(() => packLibrary(named(`@x = c"${at('lib')}"\n`), root)).toThrow('names the folder of the package');
    // Another folder whose name begins the same.
    expect(() => packLibrary(named(`@x = c"${root}-clang/include"\n`), root)).not.toThrow();
  });

  test('is for one machine', () => {
    copyFileSync(shippedFile('i686', root), shippedFile('x86_64', root));
    expect(readShipped('x86_64', root)).toBeUndefined();
  });

  test.for(['lib/a.c', 'lib/b.c', 'include/x.h'])('is refused if %s has changed or is gone', (path) => {
    const text = readFileSync(at(path));
    write(path, `${text} `);
    expect(read()).toBeUndefined();
    rmSync(at(path));
    expect(read()).toBeUndefined();
    write(path, text);
    expect(read()).toEqual(modules());
  });

  test('is refused if there is another file of the library, or a header that comes first', () => {
    for (const path of ['lib/c.c', 'include/stddef.h']) {
      write(path, '');
      expect(read()).toBeUndefined();
      rmSync(at(path));
      expect(read()).toEqual(modules());
    }
    // The library does not depend on this file.
    write('lib/README.md', '');
    expect(read()).toEqual(modules());
  });

  test('may be linked, as some package managers install files', () => {
    linkSync(at('include/x.h'), at('other'));
    expect(read()).toEqual(modules());
  });

  test('is refused if any single bit has changed', () => {
    const whole = readFileSync(shippedFile('i686', root));
    for (let byte = 0; byte < whole.length; byte++) {
      const damaged = Buffer.from(whole);
      damaged[byte]! ^= 1 << (byte % 8);
      write('dist/library/i686.ir', damaged);
      expect(read()).toBeUndefined();
    }
    for (const contents of [whole.subarray(0, -1), whole.subarray(0, 20), Buffer.of()]) {
      write('dist/library/i686.ir', contents);
      expect(read()).toBeUndefined();
    }
  });

  test('depends on nothing outside of the package', () => {
    expect(() => packLibrary(made(['/usr/include/x.h']), root)).toThrow(
      '/usr/include/x.h, which is not in the package',
    );
    const names = { ...made(), modules: [{ ...modules()[0]!, ir: `!DIFile(filename: "${at('include/x.h')}")\n` }] };
    expect(() => packLibrary(names, root)).toThrow('names the folder');
    const before = made();
    write('lib/a.c', 'int changed;\n');
    expect(() => packLibrary(before, root)).toThrow('lib/a.c has changed');
  });
});

const npm = await findNpmClang(host, undefined);

describe.skipIf(npm === undefined)('ours', () => {
  const shipped = async () => {
    // The library has been changed but not built.
    if (readShipped('x86_64') === undefined) {
      mkdirSync(dirname(shippedFile('x86_64')), { recursive: true });
      writeFileSync(shippedFile('x86_64'), await makeShipped('x86_64', npm!, host));
    }
    return readShipped('x86_64')!;
  };

  test('is what clang makes of lib/ now', async () => {
    const library = await shipped();
    expect(library.map(({ file }) => file)).toEqual(libraryFiles());
    // npm's clang takes a tenth of a second for each.
    const some = libraryFiles().filter((file, i) => DEEP || i % 16 === 0 || basename(file) === 'pthread.c');
    const units = readUnits(some, libraryOptions('x86_64', HEADERS, false), LIBRARY_FLAGS, host);
    const now = await runUnits(units, npm!, host, false);
    some.forEach((file, i) => {
      const { ir, defines, hash: of } = library.find((module) => module.file === file)!;
      const expected = withoutFolder(now[i]!.ir, file);
      expect({ file, ir, defines, hash: of }).toEqual({
        ...{ file, ir: expected, defines: now[i]!.defines, hash: hash(expected) },
      });
    });
    expect(library.map(({ ir, hash: of }) => hash(ir) === of)).not.toContain(false);
  });

  test('is called as the clang of this test would call it', async () => {
    const options = { defines: [], undefines: [], includePaths: [], includes: [], cache: true, headers: HEADERS };
    const file = join(dirname(HEADERS), 'recipes/start/driver.c');
    const own = await compileProgram([file], options, { ...host, env: { ...host.env, FENCEPOST_LIBRARY: 'compile' } });
    const library = await shipped();
    const signatures = (all: readonly { readonly ir: string }[]) => all.flatMap(({ ir }) => signaturesOf(ir)).sort();
    expect(signatures(library).length).toBeGreaterThan(900);
    expect(signatures(library)).toEqual(signatures(own.library));
    expect(library.map(({ defines }) => [...defines].sort())).toEqual(
      own.library.map(({ defines }) => [...defines].sort()),
    );
    // And this is what every program gets.
    const usual = await compileProgram([file], options, host);
    expect(usual.library.map(({ hash: of }) => of)).toEqual(library.map(({ hash: of }) => of));
  });

  test('is enough for files of LLVM IR, where there is no clang', async () => {
    const root = mkdtempSync(join(tmpdir(), 'fencepost-ir-'));
    const text = (target: string) => `target triple = "${target}"\ndefine i32 @main() {\nret i32 0\n}\n`;
    writeFileSync(join(root, 'a.ll'), text('x86_64-linux-gnu'));
    const options = { defines: [], undefines: [], includePaths: [], includes: [], cache: false, headers: HEADERS };
    const bare = { env: { PATH: root, FENCEPOST_YOWASP: root }, cwd: root };
    const library = await shipped();
    const { files, library: used } = await compileProgram(['a.ll'], options, bare);
    expect(files.map(({ clang, ir }) => [clang, ir])).toEqual([['', text('x86_64-linux-gnu')]]);
    expect(used.map(({ hash: of }) => of)).toEqual(library.map(({ hash: of }) => of));
    await expect(
      compileProgram(['a.ll'], options, { ...bare, env: { ...bare.env, FENCEPOST_LIBRARY: 'compile' } }),
    ).rejects.toThrow('no clang: ');
    rmSync(root, { recursive: true });
  });

  test.runIf(DEEP).for(TARGETS)('can be made for %s', async (target) => {
    expect((await makeShipped(target, npm!, host)).length).toBeGreaterThan(100_000);
  });
});

/** The types with which functions are called, without attributes. */
function signaturesOf(ir: string): readonly string[] {
  return Array.from(ir.matchAll(/^define (.*) \{$/gm), ([, line]) =>
    line!
      .replace(/ (?:#\d+|!dbg !\d+|section "[^"]*")/g, '')
      .replace(/\b(?:dso_local|noundef|unnamed_addr|local_unnamed_addr|dead_on_unwind|writable) /g, ''),
  );
}
