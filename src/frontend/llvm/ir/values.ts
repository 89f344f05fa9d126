/** Reads values: locals, globals, constants and constant expressions. */

import { decodeBytes } from './escapes.ts';
import { decodeFloat, isFloat } from './floats.ts';
import { BYTES, FLOAT, GLOBAL, INTEGER, type Lexer, LOCAL, STRING, WORD } from './lexer.ts';
import type { LType, LValue, TypedValue } from './module.ts';
import type { Names } from './names.ts';
import { BINARY, CASTS, FLAGS, VALUE_WORDS } from './operators.ts';
import { readType } from './types.ts';

const NULL: LValue = { kind: 'null' };
const ZERO: LValue = { kind: 'zero' };
const UNDEF: LValue = { kind: 'undef' };
const POISON: LValue = { kind: 'poison' };
const TRUE: LValue = { kind: 'int', value: 1n };
const FALSE: LValue = { kind: 'int', value: 0n };

/** Real vectors are short; a `splat` of a mistyped one would exhaust the memory. */
const MAX_SPLAT = 4096;

export function readTypedValue(lexer: Lexer, names: Names): TypedValue {
  const type = readType(lexer, names);
  return { type, value: readValue(lexer, names, type) };
}

/** A value of the given type, which determines how some constants are read. */
export function readValue(lexer: Lexer, names: Names, type: LType): LValue {
  switch (lexer.kind) {
    case LOCAL: {
      const value = names.local(lexer.name, lexer.start);
      lexer.next();
      return value;
    }
    case GLOBAL:
      return readGlobal(lexer, names);
    case INTEGER:
      if (type.kind !== 'int') lexer.fail('a value of another type');
      return { kind: 'int', value: lexer.takeInteger() };
    case FLOAT:
      return readFloat(lexer, type);
    case BYTES:
      return readBytes(lexer, type);
    case WORD:
      return readWord(lexer, names, type);
    default:
      return readAggregate(lexer, names, type);
  }
}

function readGlobal(lexer: Lexer, names: Names): LValue {
  const value = names.global(lexer.name, lexer.start);
  lexer.takeName(GLOBAL, 'a variable or function');
  return value;
}

const PLAIN_NAN = /^0x[7F]FF80{12}$/i;

function readFloat(lexer: Lexer, type: LType): LValue {
  const value = isFloat(type) ? decodeFloat(lexer.text) : undefined;
  if (value === undefined) lexer.fail(isFloat(type) ? 'a float constant' : 'a value of another type');
  const { text } = lexer;
  lexer.next();
  // Our numbers have only one NaN: its sign is lost, and a payload would be, too.
  if (Number.isNaN(value) && !PLAIN_NAN.test(text)) return { kind: 'unsupported', text };
  return { kind: 'float', value };
}

function readBytes(lexer: Lexer, type: LType): LValue {
  const bytes = decodeBytes(lexer.rawName);
  if (type.kind !== 'array' || type.count !== bytes.length) lexer.fail('a value of another type');
  lexer.next();
  return { kind: 'string', bytes };
}

function readAggregate(lexer: Lexer, names: Names, type: LType): LValue {
  const { start } = lexer;
  const isAngled = lexer.acceptSign('<');
  const close = lexer.isSign('{') ? '}' : lexer.isSign('[') && !isAngled ? ']' : '>';
  if (close !== '>') lexer.next();
  else if (!isAngled) lexer.fail('a value');
  const elements = readElements(lexer, names, close);
  if (isAngled && close !== '>') lexer.expectSign('>');
  if (!fits(type, elements.length)) {
    throw lexer.source.error(start, lexer.source.quote(start, lexer.lastEnd), 'another number of elements');
  }
  return { kind: 'aggregate', elements };
}

function readElements(lexer: Lexer, names: Names, close: string): TypedValue[] {
  lexer.enter();
  const elements: TypedValue[] = [];
  if (!lexer.isSign(close)) {
    do elements.push(readTypedValue(lexer, names));
    while (lexer.acceptSign(','));
  }
  lexer.expectSign(close);
  lexer.leave();
  return elements;
}

/** Named types may not be defined yet, so they are accepted. */
function fits(type: LType, count: number): boolean {
  switch (type.kind) {
    case 'array':
    case 'vector':
      return type.count === count;
    case 'struct':
      return type.fields.length === count;
    case 'named':
    case 'other':
      return true;
    default:
      return false;
  }
}

function readWord(lexer: Lexer, names: Names, type: LType): LValue {
  const { text, start } = lexer;
  if (!VALUE_WORDS.has(text)) lexer.fail('a value');
  lexer.next();
  switch (text) {
    case 'null':
    case 'none':
      return NULL;
    case 'zeroinitializer':
      return ZERO;
    case 'undef':
      return UNDEF;
    case 'poison':
      return POISON;
    case 'true':
      return TRUE;
    case 'false':
      return FALSE;
    case 'asm':
      return readAsm(lexer);
    case 'dso_local_equivalent':
    case 'no_cfi':
      return readGlobal(lexer, names);
  }
  lexer.enter();
  const value = readExpression(lexer, names, text, type) ?? readUnknown(lexer, start);
  lexer.leave();
  return value;
}

/** `asm sideeffect "mfence", "~{memory}"` */
function readAsm(lexer: Lexer): LValue {
  let sideEffect = false;
  let isIntel = false;
  while (lexer.kind === WORD) {
    sideEffect ||= lexer.is('sideeffect');
    isIntel ||= lexer.is('inteldialect');
    lexer.next();
  }
  const text = lexer.takeName(STRING, 'the text of an assembly instruction');
  lexer.expectSign(',');
  const constraints = lexer.takeName(STRING, 'the constraints of an operand');
  return { kind: 'asm', text, constraints, sideEffect, ...(isIntel ? { isIntel } : {}) };
}

function readExpression(lexer: Lexer, names: Names, word: string, type: LType): LValue | undefined {
  if (word === 'blockaddress') return readBlockAddress(lexer, names);
  if (word === 'splat') return readSplat(lexer, names, type);
  if (word === 'getelementptr') return readAddress(lexer, names);
  skipFlags(lexer);
  if (CASTS.has(word)) {
    lexer.expectSign('(');
    const operand = readTypedValue(lexer, names);
    lexer.expect('to');
    const to = readType(lexer, names);
    lexer.expectSign(')');
    return { kind: 'cast', operator: word, operand, to };
  }
  if (BINARY.has(word)) return { kind: 'binary', operator: word, ...readPair(lexer, names) };
  if (word !== 'icmp' && word !== 'fcmp') return undefined;
  const predicate = lexer.takeName(WORD, 'a predicate');
  return { kind: 'compare', predicate, ...readPair(lexer, names) };
}

export function skipFlags(lexer: Lexer): void {
  while (lexer.kind === WORD && FLAGS.has(lexer.text)) lexer.next();
}

function readPair(lexer: Lexer, names: Names): { left: TypedValue; right: TypedValue } {
  lexer.expectSign('(');
  const left = readTypedValue(lexer, names);
  lexer.expectSign(',');
  const right = readTypedValue(lexer, names);
  lexer.expectSign(')');
  return { left, right };
}

/** `blockaddress(@f, %loop)` */
function readBlockAddress(lexer: Lexer, names: Names): LValue {
  lexer.expectSign('(');
  names.global(lexer.name, lexer.start);
  const name = lexer.takeName(GLOBAL, 'a function');
  lexer.expectSign(',');
  const at = lexer.start;
  const block = lexer.takeName(LOCAL, 'a block');
  lexer.expectSign(')');
  names.blockAddress({ function: name, block, at });
  return { kind: 'blockaddress', function: name, block };
}

function readSplat(lexer: Lexer, names: Names, type: LType): LValue {
  if (type.kind === 'other') return readUnknown(lexer, lexer.start);
  if (type.kind !== 'vector' || type.count > MAX_SPLAT) lexer.fail('a vector');
  lexer.expectSign('(');
  const element = readTypedValue(lexer, names);
  lexer.expectSign(')');
  return { kind: 'aggregate', elements: new Array<TypedValue>(type.count).fill(element) };
}

/** `getelementptr inbounds nuw inrange(0, 8) (i8, ptr @pool, i32 12)` */
function readAddress(lexer: Lexer, names: Names): LValue {
  skipFlags(lexer);
  if (lexer.accept('inrange')) {
    if (!lexer.isSign('(')) lexer.fail('"("');
    lexer.skipBrackets();
  }
  lexer.expectSign('(');
  const source = readType(lexer, names);
  const operands: TypedValue[] = [];
  while (lexer.acceptSign(',')) {
    lexer.accept('inrange'); // its position before version 19
    operands.push(readTypedValue(lexer, names));
  }
  lexer.expectSign(')');
  if (operands.length === 0) lexer.fail('an address');
  return { kind: 'gep', source, operands };
}

/** Skips the rest of a constant expression whose first word has been read. */
function readUnknown(lexer: Lexer, start: number): LValue {
  if (!lexer.isSign('(')) lexer.fail('"("');
  lexer.skipBrackets();
  return { kind: 'unsupported', text: lexer.source.quote(start, lexer.lastEnd) };
}
