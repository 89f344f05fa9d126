/** Reads what `define` and `declare` have in common: everything but the body. */
import { readParameterAttributes, skipAttribute, skipUntilType } from './attributes.ts';
import { ELLIPSIS, GLOBAL, type Lexer, LOCAL, METADATA_NAME, STRING, WORD } from './lexer.ts';
import { EXTERNAL, linkageOf } from './linkage.ts';
import { type Meta, readMeta } from './metadata.ts';
import type { LFunction, LParameter } from './module.ts';
import type { Names } from './names.ts';
import { readType } from './types.ts';
import { readTypedValue } from './values.ts';

export interface FunctionHeader
  extends Pick<LFunction, 'name' | 'result' | 'parameters' | 'variadic' | 'isLocal' | 'isWeak' | 'isCopy'> {
  /** Its DISubprogram. */
  readonly debug?: Meta;
  /** The position of its name. */
  readonly at: number;
  /** The number that LLVM gives to the next unnamed block or value. */
  readonly nextNumber: number;
}

/** Words that begin another entity at module level: an unterminated attribute list ends there. */
const TOP_LEVEL: ReadonlySet<string> = new Set([
  'define',
  'declare',
  'module',
  'target',
  'source_filename',
  'attributes',
  'uselistorder',
  'uselistorder_bb',
]);

/** Reads from just after `define` or `declare` to the opening brace or the end of the declaration. */
export function readFunctionHeader(lexer: Lexer, names: Names): FunctionHeader {
  let debug = readAttachments(lexer, undefined);
  let linkage = EXTERNAL;
  skipUntilType(lexer, (word) => {
    linkage = linkageOf(word) ?? linkage;
  });
  const result = readType(lexer, names);
  const at = lexer.start;
  const name = lexer.takeName(GLOBAL, 'the name of a function');
  const parameters = readParameters(lexer, names);
  for (;;) {
    debug = readAttachments(lexer, debug);
    if (lexer.kind === WORD && TOP_LEVEL.has(lexer.text)) break;
    if (!skipTrailer(lexer, names)) break;
  }
  return { name, result, ...parameters, ...linkage, ...(debug !== undefined && { debug }), at };
}

/** Reads `!dbg !12 !prof !13`; returns what `!dbg` refers to, if present. */
function readAttachments(lexer: Lexer, known: Meta | undefined): Meta | undefined {
  let debug = known;
  while (lexer.kind === METADATA_NAME) {
    const isDebug = lexer.text === '!dbg';
    lexer.next();
    const meta = readMeta(lexer);
    if (isDebug) debug ??= meta;
  }
  return debug;
}

function readParameters(lexer: Lexer, names: Names): Pick<FunctionHeader, 'parameters' | 'variadic' | 'nextNumber'> {
  const parameters: LParameter[] = [];
  const known = new Set<string>();
  let variadic = false;
  let nextNumber = 0;
  lexer.expectSign('(');
  while (!lexer.isSign(')') && !variadic) {
    if (lexer.kind === ELLIPSIS) {
      variadic = true;
      lexer.next();
      break;
    }
    const type = readType(lexer, names);
    const passing = readParameterAttributes(lexer, names);
    const name = lexer.kind === LOCAL ? lexer.name : String(nextNumber);
    if (known.has(name)) lexer.fail('another name for this parameter');
    if (lexer.kind === LOCAL) lexer.next();
    known.add(name);
    nextNumber = numberAfter(name, nextNumber);
    parameters.push({ name, type, ...passing });
    if (!lexer.isSign(')')) lexer.expectSign(',');
  }
  lexer.expectSign(')');
  return { parameters, variadic, nextNumber };
}

/** LLVM numbers unnamed values and blocks in text order; an explicit number may skip some. */
export function numberAfter(name: string, next: number): number {
  const code = name.charCodeAt(0);
  if (!(code >= 0x30 && code <= 0x39)) return next;
  const number = Number(name);
  return Number.isSafeInteger(number) ? Math.max(next, number + 1) : next;
}

/** Skips an attribute or `section "…"`, `personality ptr @f` and the like; returns whether there was one. */
function skipTrailer(lexer: Lexer, names: Names): boolean {
  if (lexer.is('prefix') || lexer.is('prologue') || lexer.is('personality')) {
    lexer.next();
    readTypedValue(lexer, names);
    return true;
  }
  if (lexer.is('section') || lexer.is('partition') || lexer.is('gc')) {
    lexer.next();
    lexer.takeName(STRING, 'a string');
    return true;
  }
  return skipAttribute(lexer);
}
