/** Many generated programs through one run of clang. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CProgramOptions, linkCProgram } from '../../src/frontend/llvm/c-program.ts';
import { CompileError } from '../../src/frontend/llvm/clang/compile-error.ts';
import { HEADERS } from '../../src/frontend/llvm/clang/library.ts';
import type { Program } from '../../src/program/ir.ts';
import type { FuzzProgram } from './ast.ts';
import { PRELUDE, printProgram } from './print-c.ts';

export interface BatchOptions {
  readonly clang?: 'native' | 'npm';
  /** Not inlined, not simplified. */
  readonly asWritten?: boolean;
  readonly junk?: boolean;
  readonly optimise?: '1' | '2';
  /** Each program calls an undefined function in code that no execution reaches. */
  readonly undefinedCall?: boolean;
  /** What was never written has no value, including the registers of threads. */
  readonly uninitialised?: boolean;
}

/** A program that clang or the front end rejects, though it should not. */
export class Refused {
  /** The same for the same cause, independent of the program's names and lines. */
  readonly reason: string;
  readonly message: string;

  constructor(message: string) {
    this.message = message;
    const line = /error: (.*)/.exec(message)?.[1] ?? message.split('\n')[0]!;
    this.reason = line
      .replace(/^\S*:\d+(:\d+)?: /, '')
      .replace(/(["'`]).*?\1/g, '…')
      .replace(/\d+/g, 'N')
      .slice(0, 80);
  }
}

/** The same, but some programs may be refused: bisection finds them. */
export async function compileEach(
  programs: readonly FuzzProgram[],
  options: BatchOptions = {},
): Promise<readonly (Program | Refused)[]> {
  if (programs.length === 0) return [];
  try {
    return await compileBatch(programs, options);
  } catch (error) {
    // If there is no clang, bisection is pointless.
    if (error instanceof CompileError && error.problem === 'clang') throw error;
    if (programs.length === 1) return [new Refused((error as Error).message)];
    const half = programs.length >> 1;
    const parts = [programs.slice(0, half), programs.slice(half)];
    const found: (Program | Refused)[] = [];
    for (const part of parts) found.push(...(await compileEach(part, options)));
    return found;
  }
}

/** The tool's form of each program, in their order. */
export async function compileBatch(
  programs: readonly FuzzProgram[],
  { clang, asWritten = false, junk, optimise, undefinedCall = false, uninitialised = false }: BatchOptions = {},
): Promise<readonly Program[]> {
  const folder = mkdtempSync(join(tmpdir(), 'fencepost-fuzz-'));
  try {
    const file = join(folder, 'fuzz.c');
    writeFileSync(
      file,
      PRELUDE +
        programs.map((program, i) => printProgram(program, `p${i}`, { undefinedCall, uninitialised })).join('\n'),
    );
    const options: CProgramOptions = {
      defines: [],
      undefines: [],
      includePaths: [],
      includes: [],
      // For the library; a batch is compiled only once.
      cache: true,
      headers: HEADERS,
      entry: 'main',
      arguments: [],
      asWritten,
      uninitialised,
      ...(clang === undefined ? {} : { clang }),
      ...(junk === undefined ? {} : { junk }),
      ...(optimise === undefined ? {} : { optimise }),
    };
    const program = await linkCProgram([file], options);
    return programs.map((_, i) => program.start(`p${i}`, options.arguments));
  } catch (error) {
    if (error instanceof CompileError) error.message += `\n${error.diagnostics}`;
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
