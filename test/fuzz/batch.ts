/** Many generated programs through one run of clang. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CProgramOptions, loadCPrograms } from '../../src/frontend/llvm/c-program.ts';
import { CompileError } from '../../src/frontend/llvm/compile-error.ts';
import { HEADERS } from '../../src/frontend/llvm/library.ts';
import type { Program } from '../../src/program/ir.ts';
import type { FuzzProgram } from './ast.ts';
import { PRELUDE, printProgram } from './print-c.ts';

export interface BatchOptions {
  readonly clang?: 'native' | 'npm';
  /** Not inlined, not simplified. */
  readonly asWritten?: boolean;
}

/** The tool's form of each program, in their order. */
export async function compileBatch(
  programs: readonly FuzzProgram[],
  { clang, asWritten = false }: BatchOptions = {},
): Promise<readonly Program[]> {
  const folder = mkdtempSync(join(tmpdir(), 'fencepost-fuzz-'));
  try {
    const file = join(folder, 'fuzz.c');
    writeFileSync(file, PRELUDE + programs.map((program, i) => printProgram(program, `p${i}`)).join('\n'));
    const options: CProgramOptions = {
      defines: [],
      undefines: [],
      includePaths: [],
      includes: [],
      // Of the library; a batch is compiled once.
      cache: true,
      headers: HEADERS,
      entry: 'main',
      arguments: [],
      asWritten,
      ...(clang === undefined ? {} : { clang }),
    };
    return await loadCPrograms(
      [file],
      programs.map((_, i) => `p${i}`),
      options,
    );
  } catch (error) {
    if (error instanceof CompileError) error.message += `\n${error.diagnostics}`;
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
