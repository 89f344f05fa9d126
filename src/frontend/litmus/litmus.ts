/**
 * frontend/litmus/: reads litmus tests in herd's format, for `X86` (Intel syntax), `X86_64` (AT&T syntax)
 * and `C` (C11 atomics).
 *
 * Turns the text of one test into a program with one root per thread, a list of what its final states consist of, and
 * the condition on them; or into a `LitmusError` that says what was found where. Nothing is dropped silently: anything
 * not understood, or not modelled, is an error.
 *
 *   header.ts                      the lines before the initial state
 *   lexer.ts, names.ts             tokens, and the grammar common to the rest
 *   init.ts, table.ts, operand.ts, proposition.ts    initial state, program, operands, condition
 *   parser.ts → ast.ts             the whole test as syntax
 *   instructions.ts, decode.ts     the instruction, its operands and their size
 *   locations.ts, layout.ts        the variables and their sizes
 *   thread.ts (access, frame, flags)   the code of a thread
 *   observe.ts → observed.ts       what is observed at the end
 *   resolve.ts → condition.ts      the question about it, and the answer
 *   c-threads.ts, c-lexer.ts       the threads of a test in C; c-thread.ts, c-expression.ts: the code of one
 *   lower.ts                       combines all of this
 *
 * This folder knows `program/` and nothing above it.
 */
import type { Program } from '../../program/ir.ts';
import type { Arch } from './ast.ts';
import type { Condition, Proposition } from './condition.ts';
import { lowerTest } from './lower.ts';
import type { Observed } from './observed.ts';
import { parseTest } from './parser.ts';
import { Source } from './source.ts';

export interface LitmusTest {
  readonly file: string;
  readonly name: string;
  readonly arch: Arch;
  /** Doc string, `Key=value` lines and whatever else precedes the initial state; verdicts after `with`. */
  readonly info: readonly string[];
  /** Its roots are `P0`, `P1`, …; every instruction has a location whose text is the instruction as written. */
  readonly program: Program;
  /** Everything named in the condition, in the filter and in `locations`: registers by thread, then locations. */
  readonly observed: readonly Observed[];
  readonly condition: Condition | undefined;
  /** Final states that do not satisfy the filter do not count. */
  readonly filter: Proposition | undefined;
}

/** Throws `LitmusError`, and nothing else, if the text is not a test that we accept. */
export function parseLitmus(text: string, file: string): LitmusTest {
  const source = new Source(file, text);
  const test = parseTest(source);
  return { file, name: test.name, arch: test.arch, info: test.info, ...lowerTest(source, test) };
}
