/**
 * Grammar of operands. Both notations are read in both kinds of test, as herd does: Intel's `[x+4]` and `[EAX+EBX*4]`,
 * AT&T's `(x)`, `4(%rax)`, `x(%rip)` and `8(%rax,%rbx,4)`. An immediate has a `$` or is a bare number.
 */
import type { Arch, MemorySyntax, OperandSyntax, RegisterSyntax } from './ast.ts';
import type { Lexer, Token } from './lexer.ts';
import { noRegister, parseAddress, parseRegister, pieceSince } from './names.ts';
import { findRegister, isOtherRegister } from './registers.ts';
import type { Piece } from './source.ts';

const POINTER_SIZES: Readonly<Record<string, number>> = { byte: 1, word: 2, dword: 4, qword: 8 };

export function parseOperand(lexer: Lexer, arch: Arch): OperandSyntax {
  const start = lexer.peek();
  if (lexer.accept('$')) {
    const expected = 'a number or a location';
    const value =
      lexer.peek().kind === 'name'
        ? parseAddress(lexer, arch, expected)
        : ({ kind: 'number', ...lexer.expectInteger(expected) } as const);
    return { ...value, ...pieceSince(lexer, start) };
  }
  if (lexer.is('%')) return parseRegister(lexer, arch, 'a register');
  if (lexer.is('[') || lexer.is('(')) return parseMemory(lexer, arch, start, undefined, 0);
  if (start.kind === 'number' || lexer.is('-')) {
    const number = lexer.expectInteger('a number');
    if (!lexer.is('(') && !lexer.is('[')) return { kind: 'number', ...number };
    return parseMemory(lexer, arch, start, undefined, toDisplacement(lexer, number));
  }
  const name = lexer.expectName('an operand');
  const lower = name.text.toLowerCase();
  if (Object.hasOwn(POINTER_SIZES, lower)) return parseSizedMemory(lexer, arch, start, POINTER_SIZES[lower]!);
  const part = findRegister(arch, name.text);
  if (part !== undefined) return { kind: 'register', part, at: name.at, text: name.text };
  if (isOtherRegister(arch, name.text)) lexer.fail(noRegister(arch, name.text, 'a register'), name);
  if (lexer.is('[')) lexer.fail(`an operand; write [x+4] for the second int of an array x`, name);
  const displaced = lexer.is('+') || lexer.is('-');
  const displacement = displaced ? parseDisplacement(lexer) : 0;
  if (lexer.is('(')) return parseMemory(lexer, arch, start, name, displacement);
  if (displaced) return memory(lexer, start, { symbol: name, displacement });
  return { kind: 'name', at: name.at, text: name.text };
}

/** What follows `dword`: an optional `ptr`, and memory in brackets. */
function parseSizedMemory(lexer: Lexer, arch: Arch, start: Token, size: number): MemorySyntax {
  if (lexer.peek().text.toLowerCase() === 'ptr') lexer.next();
  if (!lexer.is('[')) lexer.fail('"["');
  return { ...parseMemory(lexer, arch, start, undefined, 0), size };
}

function parseMemory(
  lexer: Lexer,
  arch: Arch,
  start: Token,
  symbol: Piece | undefined,
  displacement: number,
): MemorySyntax {
  const parts: Parts = { symbol, displacement };
  if (lexer.is('[')) parseBrackets(lexer, arch, parts);
  else parseParentheses(lexer, arch, parts);
  const operand = memory(lexer, start, parts);
  if (operand.symbol === undefined && operand.base === undefined && operand.index === undefined) {
    lexer.fail('a location or a register; absolute addresses are unsupported', operand);
  }
  if (Math.abs(operand.displacement) > 0x7fffffff) lexer.fail('a displacement of 32 bits', operand);
  return operand;
}

interface Parts {
  symbol: Piece | undefined;
  base?: RegisterSyntax;
  index?: RegisterSyntax;
  scale?: number;
  displacement: number;
}

function memory(lexer: Lexer, start: Token, parts: Parts): MemorySyntax {
  return {
    kind: 'memory',
    symbol: parts.symbol,
    base: parts.base,
    index: parts.index,
    scale: parts.scale ?? 1,
    displacement: parts.displacement,
    size: undefined,
    ...pieceSince(lexer, start),
  };
}

/** `[term + term - number …]`, where a term is a location, a register, register*scale or a number. */
function parseBrackets(lexer: Lexer, arch: Arch, parts: Parts): void {
  lexer.expect('[');
  parseTerm(lexer, arch, parts);
  while (!lexer.accept(']')) {
    // The minus is part of the number that must follow.
    if (!lexer.is('-')) lexer.expect('+', '"+", "-" or "]"');
    parseTerm(lexer, arch, parts);
  }
}

function parseTerm(lexer: Lexer, arch: Arch, parts: Parts): void {
  const start = lexer.peek();
  if (start.kind === 'number' || lexer.is('-')) {
    const number = lexer.expectInteger('a number');
    if (lexer.accept('*')) setIndex(lexer, parts, parseRegister(lexer, arch, 'a register'), number);
    else parts.displacement += toDisplacement(lexer, number);
  } else if (lexer.is('%') || findRegister(arch, start.text) !== undefined || isOtherRegister(arch, start.text)) {
    const register = parseRegister(lexer, arch, 'a register');
    if (lexer.accept('*')) setIndex(lexer, parts, register, lexer.expectInteger('a scale'));
    else if (parts.base === undefined) parts.base = register;
    else setIndex(lexer, parts, register, { at: start.at, text: start.text, value: 1n });
  } else {
    const symbol = lexer.expectName('a location, a register or a number');
    if (parts.symbol !== undefined) lexer.fail('only one location in an address', symbol);
    parts.symbol = symbol;
  }
}

function setIndex(lexer: Lexer, parts: Parts, register: RegisterSyntax, scale: Piece & { value: bigint }): void {
  if (parts.index !== undefined) lexer.fail('at most two registers in an address', register);
  if (scale.value < 0n || scale.value > 8n) lexer.fail('a scale: 1, 2, 4 or 8', scale);
  parts.index = register;
  parts.scale = Number(scale.value);
}

/** `(base)`, `(base,index)`, `(base,index,scale)`, `(,index,scale)`, and herd's `(x)`. */
function parseParentheses(lexer: Lexer, arch: Arch, parts: Parts): void {
  lexer.expect('(');
  const first = lexer.peek();
  if (first.kind === 'name' && findRegister(arch, first.text) === undefined && !isOtherRegister(arch, first.text)) {
    if (parts.symbol !== undefined) lexer.fail('a register, since a location comes before it', first);
    parts.symbol = lexer.next();
    if (lexer.is('+') || lexer.is('-')) parts.displacement += parseDisplacement(lexer);
    lexer.expect(')');
    return;
  }
  if (isInstructionPointer(lexer, arch) && parts.symbol !== undefined) {
    // x(%rip) is the location x in 64-bit code.
    lexer.accept('%');
    lexer.next();
    lexer.expect(')');
    return;
  }
  if (!lexer.is(',')) parts.base = parseRegister(lexer, arch, 'a register or a location');
  if (lexer.accept(',')) {
    const index = parseRegister(lexer, arch, 'a register');
    const scale = lexer.accept(',') ? lexer.expectInteger('a scale') : { ...index, value: 1n };
    setIndex(lexer, parts, index, scale);
  }
  lexer.expect(')', '"," or ")"');
}

function isInstructionPointer(lexer: Lexer, arch: Arch): boolean {
  return arch === 'X86_64' && lexer.peek(lexer.is('%') ? 1 : 0).text.toLowerCase() === 'rip';
}

/** `+ number` or `- number`. */
function parseDisplacement(lexer: Lexer): number {
  lexer.accept('+');
  return toDisplacement(lexer, lexer.expectInteger('a number'));
}

function toDisplacement(lexer: Lexer, number: Piece & { value: bigint }): number {
  if (number.value < -0x80000000n || number.value > 0x7fffffffn) lexer.fail('a displacement of 32 bits', number);
  return Number(number.value);
}
