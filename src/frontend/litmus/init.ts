/**
 * Grammar of the initial state:
 *
 *   item   = [type] target [ "=" value ]  |  type name "[" count "]" [ "=" "{" value, … "}" ]
 *   target = 0:EAX | x | [x]
 */
import type { Arch, InitItem, LocationName, Named, TypeSyntax } from './ast.ts';
import { pointerSize, sizeOfCType } from './c-types.ts';
import type { Lexer, Token } from './lexer.ts';
import {
  atRegisterName,
  MAX_ELEMENTS,
  parseLocationName,
  parseRegisterName,
  parseValue,
  parseValues,
  pieceSince,
} from './names.ts';

export function parseInit(lexer: Lexer, arch: Arch): readonly InitItem[] {
  const items: InitItem[] = [];
  lexer.expect('{');
  for (;;) {
    while (lexer.accept(';'));
    if (lexer.accept('}')) break;
    items.push(parseItem(lexer, arch));
    if (!lexer.is('}')) lexer.expect(';', '";" or "}"');
  }
  lexer.accept(';');
  return items;
}

function parseItem(lexer: Lexer, arch: Arch): InitItem {
  const type = parseDeclaredType(lexer, arch);
  const { target, count } = parseTarget(lexer, arch);
  if (count !== undefined && type === undefined) lexer.fail('a type before the name of an array', target);
  if (!lexer.accept('=')) return { target, type, count, values: undefined };
  if (count === undefined) return { target, type, count, values: [parseValue(lexer, arch)] };
  const start = lexer.peek();
  const values = parseValues(lexer, arch);
  if (values.length !== count) {
    lexer.fail(`${count} values, one for each element, not ${values.length}`, pieceSince(lexer, start));
  }
  return { target, type, count, values };
}

/** Everything before the target: names that are followed by another name, and stars. */
function parseDeclaredType(lexer: Lexer, arch: Arch): TypeSyntax | undefined {
  if (atRegisterName(lexer)) return undefined;
  const start = lexer.peek();
  const words: string[] = [];
  while (lexer.peek().kind === 'name' && !atRegisterName(lexer) && isFollowedByTarget(lexer)) {
    words.push(lexer.next().text);
  }
  return finishType(lexer, arch, start, words);
}

function isFollowedByTarget(lexer: Lexer): boolean {
  const { kind } = lexer.peek(1);
  // `int [x]` declares x, `x[2]` is an array.
  if (lexer.is('[', 1)) return lexer.peek(2).kind === 'name';
  return kind === 'name' || kind === 'number' || lexer.is('*', 1) || lexer.is('%', 1);
}

/** The stars after the words of a type. A star alone is a pointer to herd's default type. */
export function finishType(lexer: Lexer, arch: Arch, start: Token, words: readonly string[]): TypeSyntax | undefined {
  let pointer = false;
  while (lexer.accept('*')) pointer = true;
  if (words.length === 0 && !pointer) return undefined;
  const size = words.length === 0 ? pointerSize(arch) : sizeOfCType(arch, words);
  if (size === undefined) lexer.fail('a C type such as int or uint64_t', pieceSince(lexer, start));
  return { size: pointer ? pointerSize(arch) : size, pointer, ...pieceSince(lexer, start) };
}

function parseTarget(lexer: Lexer, arch: Arch): { target: Named; count: number | undefined } {
  if (atRegisterName(lexer)) return { target: parseRegisterName(lexer, arch), count: undefined };
  const isArray = lexer.peek().kind === 'name' && lexer.is('[', 1);
  if (!isArray) {
    const expected = 'a location, a register such as 0:EAX, a type or "}"';
    return { target: parseLocationName(lexer, arch, expected), count: undefined };
  }
  const name = lexer.next();
  lexer.expect('[');
  const { value: count } = lexer.expectCount(MAX_ELEMENTS, `a number of elements up to ${MAX_ELEMENTS}`);
  if (count === 0) lexer.fail('at least one element', name);
  lexer.expect(']');
  const target: LocationName = { kind: 'location', name: name.text, index: undefined, ...pieceSince(lexer, name) };
  return { target, count };
}
