/** The same answers whichever clang made the IR: a native one, or the one from npm. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { CompileError } from '../../src/frontend/llvm/compile-error.ts';
import { Machine } from '../../src/machine/machine.ts';
import type { Program } from '../../src/program/ir.ts';
import { traceExecution } from '../../src/report/execution.ts';
import { REPOSITORY } from '../cli/fencepost.ts';
import { type CompileInTest, check, compileC, MODELS, runAlone, type Sources, sourceFolder } from '../support/c.ts';
import { CLASSICS, CLASSICS_SOURCE } from '../support/c-classics.ts';
import { generateProgram, programFile } from '../support/c-generate.ts';
import { WRONG, WRONG_SOURCE } from '../support/c-wrong.ts';

const KINDS = ['native', 'npm'] as const;

/** Which of them this computer has. */
const missing: string[] = [];
beforeAll(async () => {
  for (const clang of KINDS) {
    await compileC('int main(void) { return 0; }', { clang }).catch((error) => {
      if (!(error instanceof CompileError && error.problem === 'clang')) throw error;
      missing.push(clang);
    });
  }
  if (missing.length === 0) return;
  if (process.env['CI'] === 'true') throw new Error(`under CI both clangs must be there: no ${missing.join(', ')}`);
  console.warn(`not compared: there is no ${missing.join(', ')} clang`);
});

async function both(sources: Sources, options: CompileInTest = {}): Promise<readonly Program[]> {
  const programs: Program[] = [];
  for (const clang of KINDS)
    if (!missing.includes(clang)) programs.push(await compileC(sources, { ...options, clang }));
  return programs;
}

/**
 * Recent versions of clang give an argument of a macro (`assert`) its own column, older ones that of the macro; neither
 * can be had from the other.
 */
function withoutMacroColumns(value: unknown, source: (file: string, line: number) => string): unknown {
  return JSON.parse(JSON.stringify(value), (_, item) => {
    if (typeof item?.column !== 'number' || !/\b(assert|atomic_\w+|[A-Z][A-Z_]+)\(/.test(source(item.file, item.line)))
      return item;
    const { column: _column, ...rest } = item;
    return rest;
  });
}

const lines = new Map<string, readonly string[]>();
function sourceLine(file: string, line: number): string {
  if (!file.startsWith('/')) return '';
  if (!lines.has(file)) lines.set(file, readFileSync(file, 'utf8').split('\n'));
  return lines.get(file)![line - 1] ?? '';
}

/** Verdict, errors with their places and schedules, and the whole failing execution, under each model. */
function answers(program: Program, strategy: 'enumerate' | 'random'): unknown {
  const found = MODELS.map((model) => {
    const { verdict, errors, bounds, executions } = check(program, model, { strategy, maxExecutions: 200 });
    const [found] = errors;
    const trace = found === undefined ? undefined : traceExecution(new Machine(program, model), found.schedule);
    return { model, verdict, errors, bounds, executions, trace };
  });
  return withoutMacroColumns(found, sourceLine);
}

async function expectSame(sources: Sources, options: CompileInTest, strategy: 'enumerate' | 'random'): Promise<void> {
  const [first, ...others] = await both(sources, options);
  for (const other of others) expect(answers(other, strategy)).toEqual(answers(first!, strategy));
}

describe('native and npm clang agree', () => {
  const examples = readdirSync(join(REPOSITORY, 'examples')).filter((name) => name.endsWith('.c'));
  it.each(examples)('on examples/%s', async (name) => {
    await expectSame({ [name]: readFileSync(join(REPOSITORY, 'examples', name)) }, {}, 'enumerate');
  });

  it.each(CLASSICS)('on $entry', async ({ entry }) => {
    await expectSame({ 'classics.c': CLASSICS_SOURCE }, { entry }, 'enumerate');
  });

  // One in three: each is loaded anew, twice.
  it.each(Object.keys(WRONG).filter((_, i) => i % 3 === 1))('on %s', async (entry) => {
    await expectSame({ 'wrong.c': WRONG_SOURCE }, { entry }, 'random');
  });

  it('on what generated programs print', async () => {
    const source = programFile(Array.from({ length: 25 }, (_, i) => generateProgram(`p${i}`, 1, i, false)));
    const [first, ...others] = await both({ 'generated.c': source });
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
