import childProcess, { type ChildProcess, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { DEEP } from '../../../../test/support/tier.ts';
import { ClangCache } from './cache.ts';
import { type CompiledFile, compileProgram, compileToIr } from './clang.ts';
import type { CompileOptions } from './clang-flags.ts';
import type { Clang, Host } from './clang-job.ts';
import { findNativeClang } from './clang-native.ts';
import { findNpmClang } from './clang-npm.ts';
import { CompileError } from './compile-error.ts';
import { libcxxFolder } from './libcxx.ts';
import { HEADERS, libraryFiles } from './library.ts';
import { readShipped } from './shipped-library.ts';

const options: CompileOptions = {
  defines: [],
  undefines: [],
  includePaths: [],
  includes: [],
  cache: false,
  headers: HEADERS,
};

const real: Host = { env: process.env, cwd: process.cwd() };
const native = await findNativeClang(real, undefined);
const npm = await findNpmClang(real, undefined);
if (process.env['CI'] === 'true' && native === undefined) throw new Error('CI needs a native clang 15 or newer');
if (native === undefined) console.warn('no native clang: tests with it are skipped');
if (npm === undefined) console.warn('@yowasp/clang is not installed: tests with it are skipped');

let folder: string;
let host: Host;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fencepost-test-'));
  host = { env: { ...process.env, XDG_CACHE_HOME: join(folder, 'cache') }, cwd: folder };
  return () => rmSync(folder, { recursive: true, force: true });
});

/** Writes files below the test's folder, which is clang's current folder. */
function write(files: Readonly<Record<string, string | Uint8Array>>, base: string = folder): void {
  for (const [name, contents] of Object.entries(files)) {
    const path = join(base, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, contents);
  }
}

async function compileOne(file: string, changed: Partial<CompileOptions> = {}): Promise<CompiledFile> {
  const [compiled] = await compileToIr([file], { ...options, ...changed }, host);
  return compiled!;
}

async function failure(work: Promise<unknown>): Promise<CompileError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(CompileError);
  return error as CompileError;
}

const kinds: readonly [name: string, clang: Clang | undefined][] = [
  ['native', native],
  ['npm', npm],
];

const CORPUS: Readonly<Record<string, string>> = {
  'src/a.c': '#include "../b.h"\nint x;\nint main(void) { return f(x); }\n',
  'b.h': 'int f(int);\n',
  'align.c': 'struct s { char c; double d; char e; long long l; };\nint n = sizeof(struct s);\n',
  'warning.c': 'int main(void) { int x = "a"; return x; }\n',
  'empty.c': '',
  '-O2.c': 'int x;\n',
  'a folder/é # $x.c': '#include "b c.h"\n',
  'a folder/b c.h': 'int y;\n',
  'headers.c':
    '#include <stdatomic.h>\n#include <emmintrin.h>\n#include <pthread.h>\n' +
    '#ifndef __FENCEPOST__\n#error\n#endif\n_Atomic int x;\n',
  'calls.c': '#include <string.h>\nchar a[9], b[9];\nint main(void) { memcpy(a, b, 9); return strlen("abc"); }\n',
  'lenient.c': 'int *f(char *p) { g(p); return p; }\nvoid h(void (*p)(void)) { int (*q)(int) = p; }\n',
  'gcc.i':
    '# 1 "old.c"\n# 1 "/usr/include/stdlib.h" 1 3 4\ntypedef unsigned long size_t;\n' +
    'extern void *malloc (size_t __size) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__malloc__)) ;\n' +
    'extern void *tmpfile (void) __attribute__ ((__malloc__ (fclose, 1)));\n' +
    'extern _Float128 strtof128 (const char *__restrict __nptr);\n' +
    '# 2 "old.c" 2\nint i386;\nint main() { return malloc(4) == 0; }\n',
  'old.ll': ir('i32*'),
  'new.ll': ir('ptr'),
};

function ir(pointer: string): string {
  return `target triple = "i386-pc-linux-gnu"
@x = global i32 0 ; int* x
define i32 @main() {
  %1 = load i32, ${pointer} @x
  ret i32 %1
}
`;
}

describe.each(kinds)('%s clang', (name, clang) => {
  describe.skipIf(clang === undefined)('compiles', () => {
    // All at once, like a program of many files: the npm clang takes a second to start.
    const compiled = new Map<string, CompiledFile>();
    beforeAll(async () => {
      const base = mkdtempSync(join(tmpdir(), 'fencepost-test-'));
      write(CORPUS, base);
      const files = [...Object.keys(CORPUS).filter((file) => !file.endsWith('.h')), join(base, 'src/a.c')];
      const all = await compileToIr(files, { ...options, clang: name }, { ...real, cwd: base });
      expect(all.map(({ file }) => file)).toEqual(files);
      for (const file of all) compiled.set(file.file.replace(base, ''), file);
      rmSync(base, { recursive: true, force: true });
    });
    const get = (file: string): CompiledFile => compiled.get(file)!;

    test('C to IR for a 64-bit machine, with the names as the user typed them', () => {
      const { ir, diagnostics, clang: made } = get('src/a.c');
      expect(made).toMatch(/^clang \d+\./);
      expect(diagnostics).toBe('');
      expect(ir).toMatch(/^target triple = "x86_64-/m);
      expect(ir).toMatch(/^define dso_local i32 @main\(\)/m);
      expect(ir).toContain('source_filename = "src/a.c"');
      expect(ir).toMatch(/!DIFile\(filename: "src\/a\.c", directory: "\."/);
      expect(get('/src/a.c').ir).toContain('@main');
    });

    test('double and long long with the alignment of 64-bit machines', () => {
      expect(get('align.c').ir).toMatch(/^@n = dso_local global i32 32,/m);
    });

    test('with warnings as clang wrote them', () => {
      const { diagnostics } = get('warning.c');
      const text = "warning.c:1:22: warning: incompatible pointer to integer conversion initializing 'int'";
      expect(diagnostics).toContain(text);
      expect(diagnostics).toMatch(/1 warning generated\.\n$/);
    });

    test('an empty file', () => {
      expect(get('empty.c').ir).toContain('source_filename = "empty.c"');
    });

    test('files with unusual names', () => {
      expect(get('-O2.c').ir).toContain('@x');
      expect(get('a folder/é # $x.c').ir).toContain('@y');
    });

    test('with our headers and clang’s own', () => {
      expect(get('headers.c').ir).toContain('@x');
      expect(get('headers.c').diagnostics).toBe('');
    });

    test('library functions to calls', () => {
      expect(get('calls.c').ir).toContain('call ptr @memcpy(');
      expect(get('calls.c').ir).toContain('call i64 @strlen(');
    });

    test('programs that newer versions of clang would refuse', () => {
      expect(get('lenient.c').diagnostics).toContain('warning: call to undeclared function');
    });

    test('preprocessed files', () => {
      const { ir, diagnostics } = get('gcc.i');
      expect(diagnostics).toBe('');
      expect(ir).toContain('@i386');
      expect(ir).toContain('@main');
      expect(ir).toContain('filename: "old.c"');
    });

    test('old .ll files to new ones, and leaves new ones alone', () => {
      expect(get('old.ll').ir).toMatch(/load i32, ptr @x/);
      expect(get('old.ll').diagnostics).toBe('');
      expect(get('new.ll')).toMatchObject({ ir: ir('ptr'), diagnostics: '', clang: '' });
    });

    test('with -D, -U, -I, -include, -std', async () => {
      write({
        'a.c': '#include <b.h>\nint n = A + B;\n#ifdef C\n#error C\n#endif\nlong version = __STDC_VERSION__;\n',
        'inc/b.h': '#define B 3\n',
        'pre.h': '#define A 4\n',
        'b.i': 'int A, C;\n',
      });
      const changed: Partial<CompileOptions> = {
        clang: name,
        defines: ['C=1', 'D'],
        undefines: ['C'],
        includePaths: ['inc'],
        includes: ['pre.h'],
        standard: 'c11',
      };
      const [a, b] = await compileToIr(['a.c', 'b.i'], { ...options, ...changed }, host);
      expect(a!.ir).toContain('@n = dso_local global i32 7,');
      expect(a!.ir).toContain('@version = dso_local global i64 201112,');
      expect(b!.ir).toContain('@A = ');
    });

    test('nothing if there is a mistake, and shows the messages for all files', async () => {
      write({
        'a.c': 'int main(void) { return 1 }\n',
        'b.c': 'int z;\n',
        'c.c': '#include <sys/nowhere.h>\n',
        'd.ll': 'define i32* @main( {\n',
      });
      const error = await failure(compileToIr(['a.c', 'b.c', 'c.c', 'd.ll'], { ...options, clang: name }, host));
      expect(error.problem).toBe('source');
      expect(error.message).toMatch(/^clang rejects a\.c, c\.c, d\.ll: no sys\/nowhere\.h; /);
      expect(error.diagnostics).toContain("a.c:1:26: error: expected ';' after return statement\n");
      expect(error.diagnostics).toContain("c.c:1:10: fatal error: 'sys/nowhere.h' file not found\n");
      expect(error.diagnostics).toMatch(/d\.ll:\d+:\d+: error: /);
    });

    // npm's clang takes ten seconds for it; most programs use the shipped library.
    test.runIf(DEEP || name !== 'npm')('our library', async () => {
      write({ 'a.c': 'int main(void) { return abs(1); }\n' });
      const changed = { clang: name, defines: ['size_t=nothing'], standard: 'c89' };
      const env = { ...host.env, FENCEPOST_LIBRARY: 'compile' };
      const { files, library } = await compileProgram(['a.c'], { ...options, ...changed }, { ...host, env });
      expect(files.map(({ file }) => file)).toEqual(['a.c']);
      // Without a cache, the result comes straight from clang.
      expect((library as readonly CompiledFile[]).map(({ diagnostics }) => diagnostics).join('')).toBe('');
      const all = library.map(({ ir }) => ir).join('\n');
      expect(all).toContain('define dso_local i32 @pthread_mutex_lock(');
      expect(all).toContain('call void @llvm.memcpy.p0.p0.i64(');
      expect(all).toMatch(/!DIFile\(filename: "fencepost\/lib\/pthread\.c"/);
    });
  });
});

describe.skipIf(native === undefined || npm === undefined)('native and npm clang', () => {
  test('produce the same from a program', async () => {
    write({
      'a.c': `#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
struct node { struct node *next; double weight; int bits : 5; };
static struct node *_Atomic head;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *push(void *argument) {
  struct node *n = malloc(sizeof *n);
  n->weight = 2.0 * *(int *)argument + 1;
  n->next = atomic_load_explicit(&head, memory_order_relaxed);
  while (!atomic_compare_exchange_weak(&head, &n->next, n)) continue;
  return n;
}
int main(int argc, char **argv) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, push, &argc);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  pthread_mutex_lock(&m);
  switch (argc) { case 1: printf("%s\\n", argv[0]); break; default: assert(head->next != 0); }
  pthread_mutex_unlock(&m);
  return 0;
}
`,
    });
    const [a, b] = await Promise.all(['native', 'npm'].map((clang) => compileOne('a.c', { clang })));
    expect(skeleton(a!.ir)).toEqual(skeleton(b!.ir));
  });

  /**
   * Instructions without what versions print differently: numbers, flags, the sizes of variables that begin or end, and
   * the types of atomic pointers.
   */
  function skeleton(ir: string): string[] {
    const lines = ir
      .split('\n')
      .filter((line) => /^[@%} ]|^define/.test(line) && !/dbg[._]declare|inttoptr/.test(line));
    return lines.map((line) =>
      line
        .replace(/[!#%]\d+/g, '_')
        .replace(/inbounds nuw/, 'inbounds')
        .replace(/(@llvm\.lifetime\.\w+\.p0\()i64 \d+, /, '$1')
        .replace(/load atomic \w+/, 'load atomic')
        .replaceAll('[4 x i8] undef', '[4 x i8] zeroinitializer'),
    );
  }
});

describe('refuses', () => {
  test.each([
    [
      'a.ii',
      'a.ii: preprocessed C++ is not supported; programs are .c, .cpp (also .cc, .cxx, .C), .i (preprocessed C), .ll or .bc (LLVM IR) files',
    ],
    [
      'a.h',
      'a.h: a header is not a program; programs are .c, .cpp (also .cc, .cxx, .C), .i (preprocessed C), .ll or .bc (LLVM IR) files',
    ],
    [
      'a',
      'a: unknown kind of file; programs are .c, .cpp (also .cc, .cxx, .C), .i (preprocessed C), .ll or .bc (LLVM IR) files',
    ],
    ['missing.c', 'missing.c: no such file'],
    ['folder.c', 'folder.c: is a folder, not a file'],
    ['binary.c', 'binary.c: not a text file: byte 3 is zero'],
    ['text.bc', 'text.bc: not LLVM bitcode'],
    [
      'wide.ll',
      'wide.ll: made for sparcv9-sun-solaris; supported are x86_64, i686, aarch64 and riscv64: ' +
        'make it with clang --target=x86_64-linux-gnu -mlong-double-64',
    ],
  ])('%s', async (file, message) => {
    write({
      'folder.c/a.c': 'int x;\n',
      'binary.c': new Uint8Array([127, 69, 76, 0, 1]),
      'text.bc': 'define void @f()\n'.repeat(3),
      'wide.ll': 'target triple = "sparcv9-sun-solaris"\n',
    });
    const error = await failure(compileOne(file));
    expect(error).toMatchObject({ problem: 'file', message, diagnostics: '' });
  });

  test.skipIf(process.getuid?.() === 0 || process.platform === 'win32')('a file it may not read', async () => {
    write({ 'a.c': 'int x;\n' });
    chmodSync(join(folder, 'a.c'), 0);
    expect(await failure(compileOne('a.c'))).toMatchObject({ message: 'a.c: no permission to read it' });
  });

  test('to continue without a clang', async () => {
    write({ 'a.c': 'int x;\n', 'empty/x': '' });
    host = { env: { PATH: join(folder, 'empty'), FENCEPOST_YOWASP: join(folder, 'empty') }, cwd: folder };
    expect(await failure(compileOne('a.c'))).toMatchObject({
      problem: 'clang',
      message: expect.stringMatching(/^no clang: there is no clang 15 or newer on the PATH, and the npm package/),
    });
    expect((await failure(compileOne('a.c', { clang: './nowhere/clang' }))).message).toBe(
      'cannot run ./nowhere/clang: no such program',
    );
    host = { ...host, env: { ...host.env, FENCEPOST_CLANG: 'my-clang' } };
    expect((await failure(compileOne('a.c'))).message).toBe('cannot run my-clang: not on the PATH');
  });
});

describe.skipIf(process.platform === 'win32')('the clang that is used', () => {
  beforeEach(() => {
    write({ 'a.c': 'int x;\n' });
    // Only what a test pretends to install exists: what else is installed must not matter.
    host = { env: { PATH: join(folder, 'bin'), FENCEPOST_YOWASP: folder }, cwd: folder };
  });

  /** A program that answers `--version` like a clang and otherwise writes IR that names it. */
  function pretend(name: string, version: string): void {
    write({
      [`bin/${name}`]: `#!/bin/sh
if [ "$1" = --version ]; then echo '${version}'; exit; fi
if [ "$1" = -print-resource-dir ]; then exit 1; fi
while [ "$1" != -o ]; do if [ "$1" = -MF ]; then echo "ir: a.c" > "$2"; fi; shift; done
echo "; ${name}" > "$2"
`,
    });
    chmodSync(join(folder, 'bin', name), 0o755);
  }

  test('is the one that FENCEPOST_CLANG names, whatever else there is', async () => {
    pretend('clang', 'clang version 17.0.1');
    pretend('my-clang', 'Apple clang version 15.0.0 (clang-1500.3.9.4)');
    host = { ...host, env: { ...host.env, FENCEPOST_CLANG: './bin/my-clang' } };
    const { ir, clang } = await compileOne('a.c');
    expect(ir).toBe('; my-clang\n');
    expect(clang).toBe(`clang 15.0.0 (${join(folder, 'bin', 'my-clang')})`);
  });

  test('is the one on the PATH', async () => {
    pretend('clang', 'Debian clang version 17.0.1 (1~deb)');
    pretend('clang-18', 'clang version 18.1.0');
    expect((await compileOne('a.c')).ir).toBe('; clang\n');
  });

  test('is the one on the PATH, also beside a folder that cannot be listed', async () => {
    pretend('clang', 'clang version 17.0.1');
    // A folder that cannot be listed, even by root.
    symlinkSync('loop', join(folder, 'loop'));
    host = { ...host, env: { ...host.env, PATH: `${join(folder, 'loop')}:${host.env['PATH']}` } };
    expect((await compileOne('a.c')).ir).toBe('; clang\n');
  });

  test('is a newer one on the PATH if that is too old, broken or no clang', async () => {
    pretend('clang-18', 'clang version 18.1.0');
    for (const version of ['clang version 14.0.6', 'gcc (Debian 12.2.0-14) 12.2.0']) {
      pretend('clang', version);
      expect((await compileOne('a.c')).ir).toBe('; clang-18\n');
    }
    write({ 'bin/clang': '#!/bin/sh\nexit 1\n' });
    expect((await compileOne('a.c')).ir).toBe('; clang-18\n');
    host = { ...host, env: { ...host.env, FENCEPOST_CLANG: 'clang' } };
    expect((await failure(compileOne('a.c'))).message).toMatch(/^cannot use clang: it does not run/);
    pretend('clang', 'clang version 14.0.6');
    expect((await failure(compileOne('a.c'))).message).toBe(
      'cannot use clang: it is version 14.0.6, and we need 15 or newer',
    );
  });
});

test.skipIf(npm === undefined)('libc++ is unpacked elsewhere if nothing can be kept', () => {
  write({ file: '' });
  host = { ...host, env: { ...host.env, XDG_CACHE_HOME: join(folder, 'file/none') } };
  expect(readdirSync(libcxxFolder(host, ClangCache.open(host)))).toContain('vector');
});

describe.skipIf(native === undefined)('bitcode', () => {
  const path = /\((.*)\)$/.exec(native?.name ?? '')?.[1] ?? '';
  const assemble = (target: string, file: string): void => {
    const args = [`--target=${target}`, '-nostdlibinc', '-c', '-emit-llvm', 'a.c', '-o', file];
    expect(spawnSync(path, args, { cwd: folder }).status).toBe(0);
  };

  test('is taken apart', async () => {
    write({ 'a.c': 'int x = 7;\nint main(void) { return x; }\n' });
    assemble('i386-linux-gnu', 'a.bc');
    const compiled = await compileOne('a.bc', { clang: 'native' });
    expect(compiled.ir).toMatch(/^@x = .*global i32 7/m);
    expect(compiled.diagnostics).toBe('');
    if (npm !== undefined) expect((await compileOne('a.bc', { clang: 'npm' })).ir).toMatch(/^@x = .*global i32 7/m);
  });

  test('of another machine is refused', async () => {
    write({ 'a.c': '_Thread_local int x = 7;\nint main(void) { return x; }\n' });
    assemble('powerpc64le-linux-gnu', 'a.bc');
    expect((await failure(compileOne('a.bc'))).message).toMatch(/^a\.bc: made for powerpc64le-.*-linux-gnu; supported/);
  });

  test('that is damaged is refused', async () => {
    write({ 'a.c': 'int x = 7;\n' });
    assemble('i386-linux-gnu', 'a.bc');
    const bytes = readFileSync(join(folder, 'a.bc'));
    for (const length of [20, 24, 40, 100, bytes.length - 40]) {
      write({ 'b.bc': bytes.subarray(0, length) });
      expect((await failure(compileOne('b.bc', { clang: 'native' }))).problem).toBe('source');
    }
  });
});

describe.skipIf(native === undefined || process.platform === 'win32')('the cache', () => {
  const path = /\((.*)\)$/.exec(native?.name ?? '')?.[1] ?? '';

  /** A clang that counts how often it compiles. */
  beforeEach(() => {
    const count = `echo x >> ${join(folder, 'calls')}`;
    write({ clang: `#!/bin/sh\ncase "$*" in *" -o "*) ${count};; esac\nexec ${path} "$@"\n` });
    chmodSync(join(folder, 'clang'), 0o755);
    write({
      'a.c': '#include <stdio.h>\n#include "b.h"\nint x = B;\nint main(void) { int y = "a"; puts("a"); }\n',
      'b.h': '#define B 3\n',
      calls: '',
    });
  });

  const calls = (): number => readFileSync(join(folder, 'calls'), 'utf8').split('\n').length - 1;
  const cached = (changed: Partial<CompileOptions> = {}): Promise<CompiledFile> =>
    compileOne('a.c', { cache: true, clang: './clang', includePaths: ['inc'], ...changed });
  const entries = (): string[] => readdirSync(join(folder, 'cache/fencepost/ir'));

  test('saves every process the second time', async () => {
    const first = await cached();
    expect(calls()).toBe(1);
    expect(first.diagnostics).toContain('warning');
    expect(await cached()).toEqual(first);
    expect(calls()).toBe(1);
  });

  test('remembers facts about a clang, but not about a script that calls another one', async () => {
    await cached();
    const remembered = (): string[] => readdirSync(join(folder, 'cache/fencepost/clang')).filter((n) => n !== 'pruned');
    expect(remembered()).toEqual([]);
    await cached({ clang: path });
    expect(remembered()).toHaveLength(1);
  });

  test('does not serve another program', async () => {
    await cached();
    const compiles = async (changed: Partial<CompileOptions>, expected: string): Promise<void> => {
      const before = calls();
      const { ir } = await cached(changed);
      expect(calls()).toBe(before + 1);
      expect(ir).toMatch(new RegExp(`^@x = .*global ${expected},`, 'm'));
    };
    await compiles({ defines: ['x=x', 'y=y'] }, 'i32 3');
    await compiles({ includes: ['./b.h'] }, 'i32 3');
    write({ 'b.h': '#define B 4\n' });
    await compiles({}, 'i32 4');
    write({ 'a.c': '#include "b.h"\nint x = B + 1;\n' });
    await compiles({}, 'i32 5');
    // From now on, this one is found before the other one.
    write({ 'a.c': '#include <stdint.h>\n#include <d.h>\nuint16_t x = D;\n', 'inc/d.h': '#define D 6\n' });
    await compiles({ includePaths: ['early', 'inc'] }, 'i16 6');
    write({ 'early/d.h': '#define D 7\n' });
    await compiles({ includePaths: ['early', 'inc'] }, 'i16 7');
    write({ 'early/stdint.h': 'typedef char uint16_t;\n' });
    await compiles({ includePaths: ['early', 'inc'] }, 'i8 7');
  });

  test('has our library for every program: only a changed source is compiled', async () => {
    const kept = { ...options, cache: true, clang: './clang' };
    // The shipped library is not compiled at all; the rest of this test is about a compiled one.
    await compileProgram(['a.c'], kept, host);
    expect(calls()).toBe(readShipped('x86_64') === undefined ? libraryFiles().length + 1 : 1);
    host = { ...host, env: { ...host.env, FENCEPOST_LIBRARY: 'compile' } };
    await compileProgram(['a.c'], kept, host);
    const before = calls();
    expect(before).toBe(libraryFiles().length + 1);
    write({ 'changed.c': 'int x = 9;\n' });
    const replacements = [{ file: 'a.c', contents: join(folder, 'changed.c') }];
    const { files } = await compileProgram(['a.c'], { ...kept, replacements, defines: ['N=1'] }, host);
    expect(files[0]!.ir).toMatch(/^@x = .*global i32 9,/m);
    expect(calls()).toBe(before + 1);
    // The options of a command do not concern the library: another seed must not compile it again.
    const command = { ...kept, seed: 7, models: ['tso'], standard: 'c11', optimise: '1' as const };
    await compileProgram(['a.c'], command, host);
    expect(calls()).toBe(before + 2);
  });

  test('does not keep what depends on missing files', async () => {
    write({ 'a.c': '#if __has_include("c.h")\n#include "c.h"\n#endif\nint x;\n' });
    await cached();
    await cached();
    expect(calls()).toBe(2);
  });

  test('notices another clang in the same place, whatever version it says it is', async () => {
    const clang = join(folder, 'clang');
    await cached();
    utimesSync(clang, new Date(), new Date(Date.now() + 5000));
    await cached();
    expect(calls()).toBe(1);
    // The same size and age as before.
    const { atime, mtime } = statSync(clang);
    write({ clang: readFileSync(clang, 'utf8').replace('echo x >>', 'echo y >>') });
    utimesSync(clang, atime, mtime);
    await cached();
    expect(calls()).toBe(2);
  });

  test('tolerates damaged entries', async () => {
    const good = await cached();
    const entry = join(folder, 'cache/fencepost/ir', entries()[0]!);
    const text = readFileSync(entry, 'utf8');
    const damaged = [
      '',
      '{}',
      '{}\n',
      'null\n',
      text.slice(0, 100),
      text.slice(0, -10),
      text.replace('@main', '@niam'),
    ];
    for (const bad of damaged) {
      writeFileSync(entry, bad);
      expect(await cached()).toEqual(good);
      expect(readFileSync(entry, 'utf8')).toBe(text);
    }
  });

  test('tolerates damage to what it remembers about clangs', async () => {
    const good = await cached({ clang: path });
    for (const contents of ['', `${'0'.repeat(64)}\n{}`]) {
      for (const file of readdirSync(join(folder, 'cache/fencepost/clang')))
        write({ [`cache/fencepost/clang/${file}`]: contents });
      expect(await cached({ clang: path })).toEqual(good);
    }
  });

  test('tolerates a read-only folder', async () => {
    write({ cache: 'a file\n' });
    expect((await cached()).ir).toContain('@x');
  });

  test('can be turned off', async () => {
    await cached({ cache: false });
    host = { ...host, env: { ...host.env, FENCEPOST_CACHE: 'off' } };
    await cached();
    expect(calls()).toBe(2);
    expect(readdirSync(folder)).not.toContain('cache');
  });

  test('removes the least recently used entries', async () => {
    const small = join(folder, 'small');
    const cache = new ClangCache(small, 1400);
    const inputs = { files: [], absent: [], folders: [] };
    const entry = (ir: string) => ({ ir, hash: '', defines: [], diagnostics: '', sources: [], inputs });
    for (const [i, key] of ['a', 'b', 'c'].entries()) {
      cache.put(key, entry(key.repeat(400)));
      utimesSync(join(small, 'ir', key), i, i);
    }
    cache.get('a');
    cache.prune();
    expect(readdirSync(join(small, 'ir')).sort()).toEqual(['a', 'c']);
    // Scanning takes long, so it is not repeated soon.
    cache.put('d', entry('d'.repeat(900)));
    cache.prune();
    expect(readdirSync(join(small, 'ir')).sort()).toEqual(['a', 'c', 'd']);
    utimesSync(join(small, 'clang', 'pruned'), 1, 1);
    cache.prune();
    expect(readdirSync(join(small, 'ir'))).toEqual(['d']);
  });
});

describe.skipIf(npm === undefined)('the npm clang', () => {
  const compile = (file: string, changed: Partial<CompileOptions> = {}): Promise<CompiledFile> =>
    compileOne(file, { clang: 'npm', ...changed });

  test('leaves nothing behind', async () => {
    write({ 'a.c': '#include <stdint.h>\nint x;\n' });
    await compile('a.c');
    expect(readdirSync(folder)).toEqual(['a.c']);
  });

  test('waits for the next file, and is started again if it has ended', async () => {
    write({ 'a.c': 'int x = 1;\n', 'b.c': 'int x = 2;\n', 'c.c': 'int x = 3;\n', 'd.c': 'int x = 4;\n' });
    const started: ChildProcess[] = [];
    const { fork } = childProcess;
    const fork_ = (...call: Parameters<typeof fork>): ChildProcess => {
      started.push(fork(...call));
      return started.at(-1)!;
    };
    Object.assign(childProcess, { fork: fork_ });
    syncBuiltinESMExports();
    try {
      // Another environment, so that no process of an earlier test fits.
      host = { ...host, env: { ...host.env, TEMP: folder } };
      await compile('a.c');
      const listeners = (): number[] =>
        ['message', 'exit', 'close', 'error'].map((event) => started[0]!.listenerCount(event));
      const before = listeners();
      expect((await compile('b.c')).ir).toMatch(/^@x = .*global i32 2/m);
      expect(started).toHaveLength(1);
      expect(listeners()).toEqual(before);
      // It ends while we ask.
      const [first] = started;
      const { send } = first!;
      first!.send = (...message: unknown[]) => first!.kill() && Reflect.apply(send, first, message);
      expect((await compile('c.c')).ir).toMatch(/^@x = .*global i32 3/m);
      expect(started).toHaveLength(2);
      // It has ended before we ask.
      started[1]!.kill();
      await once(started[1]!, 'exit');
      expect((await compile('d.c')).ir).toMatch(/^@x = .*global i32 4/m);
      expect(started).toHaveLength(3);
    } finally {
      Object.assign(childProcess, { fork });
      syncBuiltinESMExports();
    }
  });

  test('is not started if its IR is cached', async () => {
    write({ 'a.c': '#include <stdint.h>\nint x;\n' });
    const first = await compile('a.c', { cache: true });
    // Without a folder for its output, clang cannot be run.
    vi.stubEnv('TMPDIR', join(folder, 'nowhere'));
    try {
      expect(await compile('a.c', { cache: true })).toEqual(first);
      await expect(compile('a.c')).rejects.toThrow('ENOENT');
    } finally {
      vi.unstubAllEnvs();
    }
  });

  test('counts as another one if its code differs, whatever its version', async () => {
    write({
      'a.c': 'int x;\n',
      'wrong/gen/llvm.core.wasm': '',
      'wrong/gen/llvm-resources.tar': '',
      'wrong/package.json': readFileSync(join(packageFolder(), 'package.json')),
    });
    await compile('a.c', { cache: true });
    host = { ...host, env: { ...host.env, FENCEPOST_YOWASP: join(folder, 'wrong') } };
    const error = await failure(compile('a.c', { cache: true }));
    expect(error.diagnostics).toMatch(/^clang .* \(npm @yowasp\/clang\): /);
  });

  test.skipIf(process.platform === 'win32')('finds files through symbolic links', async () => {
    write({ 'real/deep/a.c': '#include "../b.h"\nint x = B;\n', 'real/b.h': '#define B 3\n' });
    symlinkSync('real/deep', join(folder, 'link'));
    symlinkSync(join(folder, 'real/deep/a.c'), join(folder, 'real/deep/c.c'));
    const compiled = await compileToIr(['link/a.c', 'real/deep/c.c'], { ...options, clang: 'npm' }, host);
    for (const { ir } of compiled) expect(ir).toMatch(/^@x = .*global i32 3/m);
  });

  test('has enough stack and memory for large programs', async () => {
    const deep = `int f(int a) { ${'if (a) { '.repeat(200)}${'} '.repeat(200)} return 0; }\n`;
    const sum = `int g(int a) { return ${Array(3000).fill('a').join(' + ')}; }\n`;
    const many = Array.from({ length: 2000 }, (_, i) => `int h${i}(int *p) { return p[${i}] + p[1]; }\n`).join('');
    write({ 'a.c': deep + sum + many });
    expect((await compile('a.c')).ir).toContain('@h1999');
  });

  function packageFolder(): string {
    return process.env['FENCEPOST_YOWASP'] ?? dirname(dirname(createRequire(import.meta.url).resolve('@yowasp/clang')));
  }
});
