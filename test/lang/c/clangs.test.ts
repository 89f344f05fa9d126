/** The results do not depend on which clang made the IR: a native one, or the one from npm. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { compileToIr } from '../../../src/frontend/llvm/clang/clang.ts';
import { CompileError } from '../../../src/frontend/llvm/clang/compile-error.ts';
import { Machine } from '../../../src/machine/machine.ts';
import type { Program } from '../../../src/program/ir.ts';
import { traceExecution } from '../../../src/report/story/execution.ts';
import {
  type CompileInTest,
  check,
  compileC,
  MODELS,
  PLAIN,
  runAlone,
  type Sources,
  sourceFolder,
} from '../../support/c.ts';
import { CLASSICS, CLASSICS_SOURCE } from '../../support/c-classics.ts';
import { generateProgram, programFile } from '../../support/c-generate.ts';
import { WRONG, WRONG_SOURCE } from '../../support/c-wrong.ts';
import { REPOSITORY } from '../../support/fencepost.ts';
import { DEEP, samples } from '../../support/tier.ts';

const KINDS = ['native', 'npm'] as const;

/** The compilers that are not installed. */
const missing: string[] = [];
beforeAll(async () => {
  for (const clang of KINDS) {
    await compileC('int main(void) { return 0; }', { clang }).catch((error) => {
      if (!(error instanceof CompileError && error.problem === 'clang')) throw error;
      missing.push(clang);
    });
  }
  // All at once, into the cache: npm's clang takes a second to start.
  if (missing.length === 0) return void (await compileToIr(SOURCES.flatMap(filesOf), { ...PLAIN, clang: 'npm' }));
  if (process.env['CI'] === 'true') throw new Error(`under CI both clangs must be there: no ${missing.join(', ')}`);
  console.warn(`not compared: there is no ${missing.join(', ')} clang`);
});

async function both(sources: Sources, options: CompileInTest = {}): Promise<readonly Program[]> {
  const programs: Program[] = [];
  for (const clang of KINDS)
    if (!missing.includes(clang)) programs.push(await compileC(sources, { ...options, clang }));
  return programs;
}

/** Verdict, errors with their places and schedules, and the whole failing execution, under each model. */
function answers(program: Program, strategy: 'enumerate' | 'random'): unknown {
  return MODELS.map((model) => {
    const { verdict, errors, bounds, executions } = check(program, model, { strategy, maxExecutions: samples(40) });
    const [found] = errors;
    const trace = found === undefined ? undefined : traceExecution(new Machine(program, model), found.schedule);
    return { model, verdict, errors, bounds, executions, trace };
  });
}

async function expectSame(sources: Sources, options: CompileInTest, strategy: 'enumerate' | 'random'): Promise<void> {
  const [first, ...others] = await both(sources, options);
  for (const other of others) expect(answers(other, strategy)).toEqual(answers(first!, strategy));
}

/** Nested, over several lines, in one another's text, by another name, with parentheses that do not count. */
const MACROS = `#include <assert.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#define ONE(x) (x)
#include "pair.h"
#define MANY(f, ...) f(__VA_ARGS__)
#define ALIAS MANY
#define TWICE(x) do { x; x; } while (0)
#define OBJECT (shared + 1)
static int shared; static atomic_int flag;
static int add(int a, int b) { return a + b + shared; }
static int sum(int n, ...) {
  va_list list; va_start(list, n);
  int s = 0; for (; n > 0; n--) s += va_arg(list, int);
  va_end(list); return s;
}
int main(void) {
  assert(ONE(shared) == 0 && atomic_load(&flag) == shared);
  shared = add(ONE(shared), ONE(OBJECT)); // ) ONE(
  shared = add(PAIR(shared, flag)); /* ( */ shared++;
  shared = MANY(add,
    shared,
    flag) + ALIAS(add, shared, flag++);
  TWICE(printf(") %d (%c", shared, ')'));
  TWICE(shared =
    sum(2, shared, flag); flag = shared);
  atomic_store_explicit (&flag, shared, memory_order_release);
  return ONE /* ( */ (shared) + shared > 1000;
}
`;

// The push tier takes a sixth of the programs here: CI runs the classics and the pairs with npm's clang as well.
// The deep tier takes all.
const some = <T>(all: readonly T[], first: number): readonly T[] => all.filter((_, i) => DEEP || i % 6 === first);

const EXAMPLES = some(
  readdirSync(join(REPOSITORY, 'examples')).filter((name) => name.endsWith('.c')),
  0,
);
const exampleFile = (name: string): Sources => ({ [name]: readFileSync(join(REPOSITORY, 'examples', name)) });
const MACRO_FILES = { 'macros.c': MACROS, 'pair.h': '#define PAIR(a, b) ONE(a), ONE((b))\n' };
const GENERATED = {
  'generated.c': programFile(Array.from({ length: DEEP ? 100 : 5 }, (_, i) => generateProgram(`p${i}`, 1, i, false))),
};
const CLASSIC_FILES = { 'classics.c': CLASSICS_SOURCE };
const WRONG_FILES = { 'wrong.c': WRONG_SOURCE };
const SOURCES = [...EXAMPLES.map(exampleFile), CLASSIC_FILES, WRONG_FILES, MACRO_FILES, GENERATED];

const filesOf = (sources: Sources): readonly string[] =>
  Object.keys(sources).flatMap((name) => (name.endsWith('.c') ? [join(sourceFolder(sources), name)] : []));

describe('native and npm clang agree', () => {
  it.each(EXAMPLES)('on examples/%s', async (name) => {
    await expectSame(exampleFile(name), {}, 'enumerate');
  });

  it.each(some(CLASSICS, 0))('on $entry', async ({ entry }) => {
    await expectSame(CLASSIC_FILES, { entry }, 'enumerate');
  });

  it.each(some(Object.keys(WRONG), 1))('on %s', async (entry) => {
    await expectSame(WRONG_FILES, { entry }, 'random');
  });

  it('on places in the arguments of macros', async () => {
    const [first, ...others] = await both(MACRO_FILES);
    // Places in the library are never shown, and versions of clang differ about the columns of `&&`.
    const places = (program: Program): unknown =>
      program.functions
        .filter((f) => f.isLibrary !== true)
        .flatMap((f) => f.blocks.flatMap((b) => b.body.map(({ location }) => location)));
    for (const other of others) expect(places(other)).toEqual(places(first!));
  });

  it('on what generated programs print', async () => {
    const [first, ...others] = await both(GENERATED);
    for (const other of others) expect(runAlone(other)).toBe(runAlone(first!));
  });

  it('on what is wrong with a source', async () => {
    const sources = { 'bad.c': 'int main(void) {\n  int x = ;\n  return y;\n}\n' };
    const messages: string[] = [];
    for (const clang of KINDS.filter((kind) => !missing.includes(kind))) {
      const error = await compileC(sources, { clang }).catch((e) => e as CompileError);
      expect(error).toBeInstanceOf(CompileError);
      const places = (error as CompileError).diagnostics.match(/^\S+bad\.c:\d+:\d+: error: .*$/gm) ?? [];
      messages.push(places.join('\n').replaceAll(sourceFolder(sources), ''));
    }
    expect(new Set(messages).size).toBe(1);
    expect(messages[0]).toMatch(/bad\.c:2:11: error: expected expression\n.*bad\.c:3:10: error: /);
  });
});
