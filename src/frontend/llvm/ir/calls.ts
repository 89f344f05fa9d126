/** Reads calls in two steps, so that the caller can inspect the callee before the arguments are read. */
import { readParameterAttributes, skipAttribute, skipUntilType } from './attributes.ts';
import { type Lexer, STRING } from './lexer.ts';
import { skipMeta } from './metadata.ts';
import type { Argument, LOperation, LType, LValue } from './module.ts';
import type { Names } from './names.ts';
import { isType, readType } from './types.ts';
import { readTypedValue, readValue } from './values.ts';

interface CallHead {
  readonly type: LType;
  readonly variadic: boolean;
  readonly callee: LValue;
  readonly fixedParameters?: number;
}

const POINTER: LType = { kind: 'ptr' };

/** Reads what follows `call`: `fastcc noundef i32 (ptr, ...) @printf`. The arguments, in parentheses, come next. */
export function readCallHead(lexer: Lexer, names: Names): CallHead {
  skipUntilType(lexer);
  const type = readType(lexer, names);
  const callee = readValue(lexer, names, POINTER);
  return type.kind === 'function'
    ? { type: type.result, variadic: type.variadic, callee, fixedParameters: type.parameters.length }
    : { type, variadic: false, callee };
}

export function readCallRest(lexer: Lexer, names: Names, head: CallHead): LOperation {
  const args: Argument[] = [];
  lexer.expectSign('(');
  if (!lexer.isSign(')')) {
    do args.push(readArgument(lexer, names));
    while (lexer.acceptSign(','));
  }
  lexer.expectSign(')');
  while (skipFunctionAttribute(lexer));
  skipBundles(lexer);
  return { op: 'call', ...head, arguments: args };
}

/**
 * Words belong to the call only if they are on its line: the next line also begins with a word, the next instruction.
 */
function skipFunctionAttribute(lexer: Lexer): boolean {
  return !lexer.startsLine && skipAttribute(lexer);
}

function readArgument(lexer: Lexer, names: Names): Argument {
  const type = readType(lexer, names);
  if (type.kind === 'metadata') return { type, value: readMetadataArgument(lexer, names) };
  const passing = readParameterAttributes(lexer, names);
  return { type, value: readValue(lexer, names, type), ...passing };
}

/** `metadata !"round.tonearest"`, `metadata !3`, `metadata i32 %x` */
function readMetadataArgument(lexer: Lexer, names: Names): LValue {
  const { start } = lexer;
  if (isType(lexer)) readTypedValue(lexer, names);
  else skipMeta(lexer);
  return { kind: 'unsupported', text: lexer.source.quote(start, lexer.lastEnd) };
}

/** Skips `[ "align"(ptr %p, i32 8), "deopt"() ]`: hints to the optimiser, and bookkeeping of other languages. */
function skipBundles(lexer: Lexer): void {
  if (!lexer.acceptSign('[')) return;
  if (!lexer.isSign(']')) {
    do {
      lexer.takeName(STRING, 'a string');
      if (!lexer.isSign('(')) lexer.fail('"("');
      lexer.skipBrackets();
    } while (lexer.acceptSign(','));
  }
  lexer.expectSign(']');
}
