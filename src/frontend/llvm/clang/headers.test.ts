import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEEP } from '../../../../test/support/tier.ts';
import type { Clang, Host, Job } from './clang-job.ts';
import { findNativeClang, openNativeClang } from './clang-native.ts';
import { findNpmClang } from './clang-npm.ts';
import { HEADERS, libraryFiles } from './library.ts';

const host: Host = { env: process.env, cwd: process.cwd() };
// All C tests run with the clang that FENCEPOST_CLANG names.
const chosen = process.env['FENCEPOST_CLANG'];
const isNamed = chosen !== undefined && chosen !== '' && chosen !== 'npm' && chosen !== 'native';
const native = isNamed ? await openNativeClang(chosen, host, undefined) : await findNativeClang(host, undefined);
// Another run tests it.
const npm = isNamed ? undefined : await findNpmClang(host, undefined);

const OURS = readdirSync(HEADERS, { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  // Those in c++/ replace parts of libc++.
  .filter((name) => name.endsWith('.h') && !name.startsWith('c++/'))
  .sort();
const CLANGS = ['stdarg.h', 'stdatomic.h', 'stdbool.h', 'stddef.h', 'stdint.h', 'limits.h', 'float.h', 'iso646.h'];

test('our headers include in angle brackets', () => {
  const all = readdirSync(HEADERS, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const texts = all.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'));
  expect(
    texts.filter((text) => /^[ \t]*#[ \t]*(?:include|include_next|import|embed)\b(?![ \t]*<)/m.test(text)),
  ).toEqual([]);
});

/** With macros that select interfaces, and for 32 and 64 bits. */
const VARIANTS = [
  ['--target=i386-linux-gnu', '-march=pentium4'],
  ['--target=x86_64-linux-gnu', '-D_GNU_SOURCE'],
  ['--target=aarch64-linux-gnu', '-D_POSIX_C_SOURCE=200809L'],
];

/** Not -isystem: clang would then suppress its warnings about our headers. */
const FLAGS = ['-nostdlibinc', '-Wall', '-Wextra', '-Werror', '-I', HEADERS];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fencepost-headers-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Compiles each text under each standard, and returns clang's messages. */
async function diagnose(
  clang: Clang,
  standards: readonly string[],
  texts: readonly string[],
  variants: readonly (readonly string[])[] = [VARIANTS[0]!],
): Promise<string> {
  texts.forEach((text, i) => {
    writeFileSync(join(folder, `${i}.c`), text);
  });
  const jobs = variants.flatMap((variant) =>
    standards.flatMap((standard) =>
      texts.map((_, i): Job => {
        const flags = [...variant, ...FLAGS, `-std=${standard}`, '-S', '-emit-llvm'];
        return { flags, file: join(folder, `${i}.c`), output: join(folder, 'out.ll') };
      }),
    ),
  );
  const outcomes = await clang.run(jobs);
  return outcomes.map(({ diagnostics }) => diagnostics).join('');
}

const include = (names: readonly string[]): string => names.map((name) => `#include <${name}>\n`).join('');

describe.each([
  ['native', native, ['c89', 'gnu17', 'c99', 'c2x']],
  ['npm', npm, ['c89', 'gnu17', 'c23']],
] as const)('the headers, with %s clang', (name, clang, standards) => {
  // The oldest standard is the strictest; the others are tested with all headers together.
  test.skipIf(clang === undefined || (name === 'npm' && native !== undefined))('compile alone', async () => {
    const texts = OURS.map((name) => `#include <${name}>\n#include <${name}>\nint x;\n`);
    expect(await diagnose(clang!, [standards[0]], texts)).toBe('');
  });

  // A header that forgets to include another does so with any clang; npm's takes a second for each.
  test.skipIf(clang === undefined || (name === 'npm' && native !== undefined && !DEEP))(
    'compile in any order',
    async () => {
      const all = [...OURS, ...CLANGS];
      const turns = [0, 1, 2, 3].map((quarter) => Math.floor((quarter * all.length) / 4));
      const rotated = turns.map((i) => [...all.slice(i), ...all.slice(0, i)]);
      const texts = [...rotated, ...rotated.map((list) => list.toReversed())].map(include);
      expect(await diagnose(clang!, [standards[1]], texts)).toBe('');
    },
  );

  test.skipIf(clang === undefined)('compile together for every target', async () => {
    const text = `${include([...OURS, ...CLANGS])}int x;\n`;
    const some = name === 'npm' && native !== undefined && !DEEP ? ['c11'] : ['c11', 'gnu11', 'c99'];
    expect(await diagnose(clang!, some, [text], VARIANTS)).toBe('');
  });

  test.skipIf(clang === undefined)("compile together with clang's own for x86", async () => {
    const text = `${include([...OURS, 'immintrin.h', 'emmintrin.h', 'xmmintrin.h', 'x86intrin.h'])}int x;\n`;
    expect(await diagnose(clang!, ['gnu17'], [text], [VARIANTS[1]!])).toBe('');
  });

  test.skipIf(clang === undefined)('declare what the standard requires', async () => {
    const text = `${include([...OURS, ...CLANGS])}
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, many[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
struct timespec t = {0, 0};
static void *thread(void *argument) { pthread_exit(argument); }
static int use(int x) {
  int64_t wide = x;
  uintptr_t p = (uintptr_t)&wide;
  pthread_t id;
  assert(x > 0 && "positive");
  if (pthread_create(&id, NULL, thread, NULL) != 0 || errno == EBUSY) abort();
  printf("%d %" PRId64 " %" PRIxPTR " %zu %lu\\n", x, wide, p, sizeof x, id);
  fprintf(stderr, "%s", "a");
  return fencepost_choose(2) + INT_MAX / (int)sizeof(ssize_t);
}
int main(void) { return use(1); }
`;
    expect(await diagnose(clang!, standards, [text])).toBe('');
  });
});

test.skipIf(native === undefined)('NDEBUG counts at each inclusion of assert.h', async () => {
  const text =
    '#define NDEBUG\n#include <assert.h>\nint a(void) { assert(nothing); return 0; }\n' +
    '#undef NDEBUG\n#include <assert.h>\nint b(int x) { assert(x); return 0; }\n';
  expect(await diagnose(native!, ['gnu17'], [text])).toBe('');
});

describe.skipIf(native === undefined)('what is declared', () => {
  /** Names that the machine interprets; see include/fencepost/machine.h. */
  const isPrimitive = (name: string): boolean => name.startsWith('__fencepost_');

  async function symbols(text: string): Promise<{ readonly defined: string[]; readonly declared: string[] }> {
    const out = mkdtempSync(join(folder, 'symbols-'));
    writeFileSync(join(out, 'a.c'), text);
    const flags = [...VARIANTS[0]!, ...FLAGS, '-std=gnu17', '-fno-builtin', '-S', '-emit-llvm'];
    const [outcome] = await native!.run([{ flags, file: join(out, 'a.c'), output: join(out, 'a.ll') }]);
    expect(outcome!.diagnostics).toBe('');
    const ir = readFileSync(join(out, 'a.ll'), 'utf8');
    const names = (pattern: RegExp): string[] => [...ir.matchAll(pattern)].map((match) => match[1]!);
    return {
      defined: names(/^(?:define (?!internal).*?|)@([\w.]+)(?:\(| = (?:dso_local )?global)/gm),
      declared: names(/^(?:declare .*?|)@([\w.]+)(?:\(| = external)/gm),
    };
  }

  test('is defined by the library, which needs nothing else', async () => {
    const library = libraryFiles().map((file) => readFileSync(file, 'utf8'));
    const defined = new Set<string>();
    const needed = new Set<string>();
    for (const found of await Promise.all(library.map(symbols))) {
      for (const name of found.defined) {
        expect(defined).not.toContain(name);
        defined.add(name);
      }
      for (const name of found.declared) needed.add(name);
    }
    const missing = [...needed].filter((name) => !defined.has(name) && !isPrimitive(name) && !name.startsWith('llvm.'));
    expect(missing).toEqual([]);

    const declared = OURS.filter((name) => !name.startsWith('fencepost')).flatMap(declaredFunctions);
    expect(declared).toContain('pthread_mutex_lock');
    expect(declared.filter((name) => !defined.has(name) && !name.startsWith('__VERIFIER_nondet_'))).toEqual([]);
  });

  function declaredFunctions(name: string): string[] {
    // What follows this is not modelled: programs that call it get no verdict.
    const [modelled] = readFileSync(join(HEADERS, name), 'utf8').split('/* Declared only');
    const statements = modelled!
      .replace(/\/\*.*?\*\//gs, '')
      .replace(/^#(?:.*\\\n)*.*/gm, '')
      .replace(/__attribute__\(\(.*?\)\) /g, '')
      .split(';');
    return statements.flatMap((statement) => /\b(?!sizeof|__attribute__)(\w+)\(/.exec(statement)?.[1] ?? []);
  }
});
