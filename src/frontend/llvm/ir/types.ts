/** Reads types. */
import { ELLIPSIS, type Lexer, LOCAL, STRING, WORD } from './lexer.ts';
import type { LType } from './module.ts';
import type { Names } from './names.ts';

const SIMPLE: ReadonlyMap<string, LType> = new Map<string, LType>([
  ['void', { kind: 'void' }],
  ['ptr', { kind: 'ptr' }],
  ['float', { kind: 'float' }],
  ['double', { kind: 'double' }],
  ['x86_fp80', { kind: 'x86_fp80' }],
  ['fp128', { kind: 'fp128' }],
  ['half', { kind: 'half' }],
  ['label', { kind: 'label' }],
  ['metadata', { kind: 'metadata' }],
  ['opaque', { kind: 'opaque' }],
  ['i1', { kind: 'int', bits: 1 }],
  ['i8', { kind: 'int', bits: 8 }],
  ['i16', { kind: 'int', bits: 16 }],
  ['i32', { kind: 'int', bits: 32 }],
  ['i64', { kind: 'int', bits: 64 }],
  ['i128', { kind: 'int', bits: 128 }],
  ['bfloat', { kind: 'other', text: 'bfloat' }],
  ['ppc_fp128', { kind: 'other', text: 'ppc_fp128' }],
  ['token', { kind: 'other', text: 'token' }],
  ['x86_mmx', { kind: 'other', text: 'x86_mmx' }],
  ['x86_amx', { kind: 'other', text: 'x86_amx' }],
]);

/** LLVM's own limit. */
const MAX_BITS = 1 << 23;

/** Whether the current word is a type; attributes, linkage and the like are other words. */
export function isTypeWord(lexer: Lexer): boolean {
  const { text } = lexer;
  return SIMPLE.has(text) || integerBits(text) > 0 || text === 'target';
}

/** Whether a type comes next. */
export function isType(lexer: Lexer): boolean {
  if (lexer.kind === WORD) return isTypeWord(lexer);
  return lexer.kind === LOCAL || lexer.isSign('{') || lexer.isSign('[') || lexer.isSign('<');
}

export function readType(lexer: Lexer, names: Names): LType {
  lexer.enter();
  let type = readPlainType(lexer, names);
  if (lexer.isSign('(')) type = readFunctionType(lexer, names, type);
  if (lexer.isSign('*')) lexer.fail('pointers written "ptr", as clang does since version 15');
  lexer.leave();
  return type;
}

function readPlainType(lexer: Lexer, names: Names): LType {
  if (lexer.kind === WORD) return readWord(lexer);
  if (lexer.kind === LOCAL) {
    const type = names.type(lexer.name, lexer.start);
    lexer.next();
    return type;
  }
  const { start } = lexer;
  if (lexer.acceptSign('{')) return readStruct(lexer, names, false);
  if (lexer.acceptSign('[')) {
    const type = readSequence(lexer, names, 'array');
    lexer.expectSign(']');
    return type;
  }
  if (!lexer.acceptSign('<')) lexer.fail('a type');
  if (lexer.acceptSign('{')) {
    const type = readStruct(lexer, names, true);
    lexer.expectSign('>');
    return type;
  }
  const isScalable = lexer.accept('vscale');
  if (isScalable) lexer.expect('x');
  const type = readSequence(lexer, names, 'vector');
  lexer.expectSign('>');
  return isScalable ? { kind: 'other', text: lexer.source.quote(start, lexer.lastEnd) } : type;
}

function readWord(lexer: Lexer): LType {
  const { text, start } = lexer;
  const simple = SIMPLE.get(text);
  const bits = simple === undefined ? integerBits(text) : 0;
  if (simple === undefined && bits === 0 && text !== 'target') lexer.fail('a type');
  lexer.next();
  if (bits > 0) return { kind: 'int', bits };
  if (simple === undefined) {
    // target("spirv.Image", …)
    if (!lexer.isSign('(')) lexer.fail('"("');
    lexer.skipBrackets();
    return { kind: 'other', text: lexer.source.quote(start, lexer.lastEnd) };
  }
  if (simple.kind !== 'ptr' || !skipAddressSpace(lexer)) return simple;
  return { kind: 'other', text: lexer.source.quote(start, lexer.lastEnd) };
}

/** Skips `addrspace(n)`; returns whether it is an address space other than 0. */
export function skipAddressSpace(lexer: Lexer): boolean {
  if (!lexer.accept('addrspace')) return false;
  lexer.expectSign('(');
  const isOther = lexer.text !== '0';
  // Newer texts may name it: addrspace("A").
  if (lexer.kind === STRING) lexer.next();
  else lexer.takeCount();
  lexer.expectSign(')');
  return isOther;
}

/** The `n` of an "in" type, or 0. */
function integerBits(text: string): number {
  if (text.charCodeAt(0) !== 0x69 || text.length > 8) return 0;
  const bits = Number(text.slice(1));
  return Number.isInteger(bits) && bits > 0 && bits <= MAX_BITS ? bits : 0;
}

function readStruct(lexer: Lexer, names: Names, packed: boolean): LType {
  const fields: LType[] = [];
  if (!lexer.isSign('}')) {
    do fields.push(readType(lexer, names));
    while (lexer.acceptSign(','));
  }
  lexer.expectSign('}');
  return { kind: 'struct', fields, packed };
}

/** `4 x i32` */
function readSequence(lexer: Lexer, names: Names, kind: 'array' | 'vector'): LType {
  const count = lexer.takeCount();
  lexer.expect('x');
  return { kind, count, element: readType(lexer, names) };
}

/** `i32 (ptr, ...)`; the result type has already been read. */
function readFunctionType(lexer: Lexer, names: Names, result: LType): LType {
  lexer.expectSign('(');
  const parameters: LType[] = [];
  let variadic = false;
  while (!lexer.isSign(')') && !variadic) {
    if (lexer.kind === ELLIPSIS) {
      variadic = true;
      lexer.next();
    } else {
      parameters.push(readType(lexer, names));
      if (!lexer.isSign(')')) lexer.expectSign(',');
    }
  }
  lexer.expectSign(')');
  return { kind: 'function', result, parameters, variadic };
}
