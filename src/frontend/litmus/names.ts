/** Grammar shared by the initial state, the program and the condition: names of registers and locations, values. */
import type { AddressSyntax, Arch, LocationName, Named, RegisterName, RegisterSyntax, ValueSyntax } from './ast.ts';
import type { Lexer, Token } from './lexer.ts';
import { findRegister, isOtherRegister, variablePart } from './registers.ts';
import type { Piece } from './source.ts';

/** Larger arrays are refused: every byte of shared memory is part of every state that is explored. */
export const MAX_ELEMENTS = 4096;
const MAX_THREADS = 0xffff;

/** Whether `0:EAX` or `P0:EAX` comes next. */
export function atRegisterName(lexer: Lexer): boolean {
  const { kind, text } = lexer.peek();
  return lexer.is(':', 1) && (kind === 'number' || (kind === 'name' && isThreadName(text)));
}

export function isThreadName(text: string): boolean {
  return /^P[0-9]+$/.test(text);
}

export function parseRegisterName(lexer: Lexer, arch: Arch): RegisterName {
  const start = lexer.next();
  const digits = start.kind === 'name' ? start.text.slice(1) : start.text;
  if (!/^[0-9]{1,9}$/.test(digits) || Number(digits) > MAX_THREADS) lexer.fail('a thread number', start);
  lexer.expect(':');
  const { part } = parseRegister(lexer, arch, 'a register');
  return { kind: 'register', thread: Number(digits), part, ...pieceSince(lexer, start) };
}

/** A register, with or without `%`. */
export function parseRegister(lexer: Lexer, arch: Arch, expected: string): RegisterSyntax {
  const start = lexer.peek();
  lexer.accept('%');
  const name = lexer.expectName(expected);
  const part = arch === 'C' ? variablePart(name.text) : findRegister(arch, name.text);
  if (part === undefined) lexer.fail(noRegister(arch, name.text, expected), pieceSince(lexer, start));
  return { kind: 'register', part, ...pieceSince(lexer, start) };
}

/** The message for a name that is not a modelled register. */
export function noRegister(arch: Arch, name: string, expected: string): string {
  return isOtherRegister(arch, name) ? `${expected} of ${arch}; this one is unsupported` : expected;
}

/** `x`, `[x]` or `a[1]`. */
export function parseLocationName(lexer: Lexer, arch: Arch, expected = 'a location'): LocationName {
  const start = lexer.peek();
  const brackets = lexer.accept('[');
  const name = lexer.expectName(expected);
  rejectRegister(lexer, arch, name);
  if (brackets) lexer.expect(']');
  const index = brackets ? undefined : parseIndex(lexer);
  return { kind: 'location', name: name.text, index, ...pieceSince(lexer, start) };
}

export function parseNamed(lexer: Lexer, arch: Arch): Named {
  return atRegisterName(lexer)
    ? parseRegisterName(lexer, arch)
    : parseLocationName(lexer, arch, 'a register such as 0:EAX or a location');
}

/** A number, or the address of a location. */
export function parseValue(lexer: Lexer, arch: Arch): ValueSyntax {
  const expected = 'a number or a location';
  if (lexer.peek().kind === 'number' || lexer.is('-')) return { kind: 'number', ...lexer.expectInteger(expected) };
  return parseAddress(lexer, arch, expected);
}

export function parseAddress(lexer: Lexer, arch: Arch, expected: string): AddressSyntax {
  const start = lexer.peek();
  lexer.accept('&');
  const name = lexer.expectName(expected);
  rejectRegister(lexer, arch, name);
  const index = parseIndex(lexer);
  return { kind: 'address', name: name.text, index, ...pieceSince(lexer, start) };
}

/** `{ value, … }` */
export function parseValues(lexer: Lexer, arch: Arch): readonly ValueSyntax[] {
  lexer.expect('{');
  const values = [parseValue(lexer, arch)];
  while (lexer.accept(',')) values.push(parseValue(lexer, arch));
  lexer.expect('}', '"," or "}"');
  return values;
}

export function pieceSince(lexer: Lexer, start: Token): Piece {
  return { at: start.at, text: lexer.source.text.slice(start.at, lexer.lastEnd) };
}

/** Code could never access a location of this name, so the author probably forgot the thread number. */
function rejectRegister(lexer: Lexer, arch: Arch, name: Token): void {
  if (findRegister(arch, name.text) !== undefined) {
    lexer.fail('a location; a register needs its thread, as in 0:EAX', name);
  }
}

function parseIndex(lexer: Lexer): number | undefined {
  if (!lexer.accept('[')) return undefined;
  const { value } = lexer.expectCount(MAX_ELEMENTS - 1, 'an index');
  lexer.expect(']');
  return value;
}
