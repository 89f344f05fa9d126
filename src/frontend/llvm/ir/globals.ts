/** Reads global variables, aliases and ifuncs, from just after `@name =`. */
import { skipAttribute } from './attributes.ts';
import type { DebugInfo } from './debug-info.ts';
import { ATTRIBUTES, type Lexer, METADATA_NAME, STRING, WORD } from './lexer.ts';
import { EXTERNAL, type Linkage, linkageOf } from './linkage.ts';
import { type Meta, readMeta } from './metadata.ts';
import type { LGlobal, LType, LValue } from './module.ts';
import type { Names } from './names.ts';
import { VALUE_WORDS } from './operators.ts';
import { readType } from './types.ts';
import { readTypedValue, readValue } from './values.ts';

type GlobalDefinition =
  | { readonly kind: 'variable'; readonly variable: LGlobal; readonly debug: readonly Meta[] }
  | { readonly kind: 'alias'; readonly value: LValue; readonly isLocal: boolean; readonly isWeak: boolean };

const POINTER: LType = { kind: 'ptr' };

/** Linkages of declarations, which have no initial value. */
const DECLARED: ReadonlySet<string> = new Set(['external', 'extern_weak']);

export function readGlobal(lexer: Lexer, names: Names, name: string): GlobalDefinition {
  const { start } = lexer;
  let linkage = EXTERNAL;
  let isDeclared = false;
  let isThreadLocal = false;
  while (lexer.kind === WORD) {
    const word = lexer.text;
    if (word === 'alias') return readAlias(lexer, names, linkage);
    if (word === 'ifunc') {
      readAlias(lexer, names, linkage);
      const { isLocal, isWeak } = linkage;
      const value: LValue = { kind: 'unsupported', text: lexer.source.quote(start, lexer.lastEnd) };
      return { kind: 'alias', value, isLocal, isWeak };
    }
    if (word === 'global' || word === 'constant') break;
    linkage = linkageOf(word) ?? linkage;
    isDeclared ||= DECLARED.has(word);
    isThreadLocal ||= word === 'thread_local';
    skipAttribute(lexer);
  }
  const isConstant = lexer.is('constant');
  if (!isConstant) lexer.expect('global');
  else lexer.next();
  const type = readType(lexer, names);
  const init = isDeclared ? undefined : readValue(lexer, names, type);
  const { align, debug } = readTrailers(lexer);
  const variable = { name, type, ...(init && { init }), align, isConstant, isThreadLocal, ...linkage };
  return { kind: 'variable', variable, debug };
}

/** `alias i32, ptr @target` */
function readAlias(lexer: Lexer, names: Names, { isLocal, isWeak }: Linkage): GlobalDefinition {
  lexer.next();
  readType(lexer, names);
  lexer.expectSign(',');
  // A constant expression here is not preceded by a type.
  const isExpression = lexer.kind === WORD && VALUE_WORDS.has(lexer.text);
  const value = isExpression ? readValue(lexer, names, POINTER) : readTypedValue(lexer, names).value;
  readTrailers(lexer);
  return { kind: 'alias', value, isLocal, isWeak };
}

/** `, section "…", comdat, align 4, !dbg !0 #3` */
function readTrailers(lexer: Lexer): { align: number; debug: Meta[] } {
  let align = 0;
  const debug: Meta[] = [];
  while (lexer.acceptSign(',')) {
    if (lexer.kind === METADATA_NAME) {
      const isDebug = lexer.text === '!dbg';
      lexer.next();
      const meta = readMeta(lexer);
      if (isDebug) debug.push(meta);
    } else if (lexer.accept('align')) {
      align = lexer.takeCount();
    } else {
      const { kind } = lexer;
      if (kind !== WORD) lexer.fail('a property of the variable');
      skipAttribute(lexer);
      if (lexer.kind === STRING) lexer.next();
    }
  }
  while (lexer.kind === ATTRIBUTES) lexer.next();
  return { align, debug };
}

/** Uses the first debug entry that names the variable: a variable in pieces has several. */
export function withVariable(global: LGlobal, debug: readonly Meta[], info: DebugInfo): LGlobal {
  for (const meta of debug) {
    const variable = info.globalVariable(meta);
    if (variable !== undefined) return { ...global, variable };
  }
  return global;
}
