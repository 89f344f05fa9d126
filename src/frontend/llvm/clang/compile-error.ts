/** Why there is no IR for a program. */

/**
 * - `file`: the user's file cannot be read, or is of an unsupported kind;
 * - `source`: clang does not accept it, and `diagnostics` has its messages;
 * - `clang`: there is no usable clang.
 */
type CompileProblem = 'file' | 'source' | 'clang';

export class CompileError extends Error {
  override readonly name = 'CompileError';
  readonly problem: CompileProblem;
  /** What clang wrote to standard error, unchanged; empty if it did not run. */
  readonly diagnostics: string;

  constructor(problem: CompileProblem, message: string, diagnostics = '') {
    super(message);
    this.problem = problem;
    this.diagnostics = diagnostics;
  }
}
