/**
 * frontend/llvm/: from C (or LLVM IR) to a program.
 *
 *   clang.ts       the user's files, and our library, to textual IR; cached
 *   reader.ts      text to modules (module.ts)
 *   link.ts        modules of one program joined
 *   lower.ts       to the program form: storage.ts, lower-function.ts, lower-call.ts, lower-intrinsic.ts, primitives.ts
 *
 * Refuses what it cannot model, with file and line (`FrontendError`); shows clang's own words where clang refuses
 * (`CompileError`). Knows `program/` and nothing above it.
 */
import { basename } from 'node:path';
import type { Program } from '../../program/ir.ts';
import { assertValid } from '../../program/validate.ts';
import { compileProgram } from './clang.ts';
import type { CompileOptions } from './clang-flags.ts';
import { Linker } from './link.ts';
import { lowerProgram } from './lower.ts';
import { readModule } from './reader.ts';

export interface CProgramOptions extends CompileOptions {
  readonly entry: string;
  /** What `main` gets as `argv[1]` and so on. */
  readonly arguments: readonly string[];
}

export interface CProgram {
  readonly program: Program;
  /** clang's warnings, unchanged. */
  readonly diagnostics: string;
  /** Which clang, for people. */
  readonly clang: string;
}

export async function loadCProgram(files: readonly string[], options: CProgramOptions): Promise<CProgram> {
  const compiled = await compileProgram(files, options);
  const user = compiled.files.map(({ file, ir }) => readModule(ir, file));
  const library = compiled.library.map(({ file, ir }) => readModule(ir, file));
  const program = lowerProgram(new Linker(user, library), basename(files[0]!), {
    entry: options.entry,
    arguments: [basename(files[0]!).replace(/\.[^.]*$/, ''), ...options.arguments],
  });
  assertValid(program);
  return {
    program,
    diagnostics: compiled.files.map((file) => file.diagnostics).join(''),
    clang: compiled.files[0]!.clang,
  };
}
