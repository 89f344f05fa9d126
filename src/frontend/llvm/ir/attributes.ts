/**
 * Attributes of parameters, results and functions. All are skipped except those that affect how arguments are passed.
 */
import { ATTRIBUTES, INTEGER, type Lexer, STRING, WORD } from './lexer.ts';
import type { LType } from './module.ts';
import type { Names } from './names.ts';
import { VALUE_WORDS } from './operators.ts';
import { isTypeWord, readType } from './types.ts';

interface Passing {
  readonly byval?: LType;
  readonly sret?: LType;
  readonly elementtype?: LType;
  readonly align?: number;
}

const PLAIN: Passing = {};

/**
 * Reads what is between a type and a value, or a type and a name. Unknown words are taken for attributes of newer
 * versions.
 */
export function readParameterAttributes(lexer: Lexer, names: Names): Passing {
  let passing = PLAIN;
  for (;;) {
    if (lexer.kind === WORD) {
      if (lexer.is('byval') || lexer.is('sret') || lexer.is('elementtype')) {
        const { text } = lexer;
        lexer.next();
        lexer.expectSign('(');
        passing = { ...passing, [text]: readType(lexer, names) };
        lexer.expectSign(')');
        continue;
      }
      if (lexer.is('align')) {
        lexer.next();
        passing = { ...passing, align: lexer.takeCount() };
        continue;
      }
      if (VALUE_WORDS.has(lexer.text)) return passing;
    }
    if (!skipAttribute(lexer)) return passing;
  }
}

/** Skips to the type of a result; calls `visit` for every word skipped. */
export function skipUntilType(lexer: Lexer, visit?: (word: string) => void): void {
  while (!(lexer.kind === WORD && isTypeWord(lexer))) {
    if (lexer.kind === WORD) visit?.(lexer.text);
    if (!skipAttribute(lexer)) return;
  }
}

/** Skips `noundef`, `align 4`, `cc 10`, `range(i32 0, 5)`, `"key"="value"` or `#3`; returns whether there was one. */
export function skipAttribute(lexer: Lexer): boolean {
  const { kind } = lexer;
  // After any other word, a number is already the value.
  const isNumbered = lexer.is('align') || lexer.is('cc');
  if (kind !== WORD && kind !== STRING && kind !== ATTRIBUTES) return false;
  lexer.next();
  if (kind === WORD) {
    if (lexer.acceptSign('=')) lexer.takeCount(); // align=8, in groups
    if (lexer.isSign('(')) lexer.skipBrackets();
    else if (isNumbered && lexer.kind === INTEGER) lexer.next();
  } else if (kind === STRING && lexer.acceptSign('=')) {
    lexer.takeName(STRING, 'a string');
  }
  return true;
}
