/**
 * Grammar of the part after the program: `locations`, `filter` and the condition.
 *
 * Operators bind as in herd's grammar, from the weakest: `\/`, `/\`, `=>` (right-associative), `~`. It is unusual that
 * `=>` binds tighter than the other two, but a test must mean the same in both tools.
 */
import type { Arch, ConditionSyntax, LocationsItem, Named, PropositionSyntax, TypeSyntax, ValueSyntax } from './ast.ts';
import { finishType } from './init.ts';
import type { Lexer } from './lexer.ts';
import {
  atRegisterName,
  parseLocationName,
  parseNamed,
  parseRegisterName,
  parseValue,
  parseValues,
  pieceSince,
} from './names.ts';

/** Parsing and evaluation are recursive; this bound keeps both from overflowing the stack. */
const MAX_DEPTH = 500;

const UNSUPPORTED: ReadonlySet<string> = new Set(['observed', 'Observed', 'cases']);

interface Ending {
  readonly locations: readonly LocationsItem[];
  readonly filter: PropositionSyntax | undefined;
  readonly condition: ConditionSyntax | undefined;
  /** The verdicts per model that old tests give after `with`. */
  readonly info: readonly string[];
}

export function parseEnding(lexer: Lexer, arch: Arch): Ending {
  const locations: LocationsItem[] = [];
  let filter: PropositionSyntax | undefined;
  for (;;) {
    if (lexer.accept('locations')) parseLocations(lexer, arch, locations);
    else if (filter === undefined && lexer.accept('filter')) filter = parseOr(lexer, arch, 0);
    else break;
    lexer.accept(';');
  }
  const condition = parseCondition(lexer, arch);
  if (condition !== undefined) lexer.accept(';');
  const info = condition !== undefined && lexer.accept('with') ? parseVerdicts(lexer) : [];
  while (lexer.is('<<')) lexer.skipDirective();
  if (lexer.peek().kind !== 'end') lexer.fail(condition === undefined ? 'a condition' : 'the end of the file');
  return { locations, filter, condition, info };
}

/** `[x; 0:EAX; y int;]` */
function parseLocations(lexer: Lexer, arch: Arch, items: LocationsItem[]): void {
  lexer.expect('[');
  while (!lexer.accept(']')) {
    items.push({ target: parseNamed(lexer, arch), type: parseTrailingType(lexer, arch) });
    if (!lexer.is(']')) lexer.expect(';', '";" or "]"');
  }
}

function parseTrailingType(lexer: Lexer, arch: Arch): TypeSyntax | undefined {
  const start = lexer.peek();
  const words: string[] = [];
  while (lexer.peek().kind === 'name') words.push(lexer.next().text);
  return finishType(lexer, arch, start, words);
}

function parseCondition(lexer: Lexer, arch: Arch): ConditionSyntax | undefined {
  const start = lexer.peek();
  if (UNSUPPORTED.has(start.text)) lexer.fail('exists, ~exists or forall; this quantifier is unsupported');
  const quantifier = parseQuantifier(lexer);
  if (quantifier === undefined) return undefined;
  const proposition = parseOr(lexer, arch, 0);
  return { quantifier, proposition, at: start.at, text: lexer.source.quote(start.at, lexer.lastEnd) };
}

function parseQuantifier(lexer: Lexer): ConditionSyntax['quantifier'] | undefined {
  // `final P with model: verdict; …` asks whether P is reachable; the answers of the models are not part of the test.
  if (lexer.accept('exists') || lexer.accept('final')) return 'exists';
  if (lexer.accept('forall')) return 'forall';
  if (lexer.accept('~') || lexer.accept('not')) {
    lexer.expect('exists');
    return '~exists';
  }
  return lexer.is('(') ? 'exists' : undefined;
}

/** `tso: ~exists; default: exists;` */
function parseVerdicts(lexer: Lexer): readonly string[] {
  const verdicts: string[] = [];
  do {
    const start = lexer.expectName('the name of a model');
    lexer.expect(':');
    if (!lexer.accept('forall')) {
      if (!lexer.accept('~')) lexer.accept('not');
      lexer.expect('exists', 'exists, ~exists or forall');
    }
    verdicts.push(lexer.source.quote(start.at, lexer.lastEnd));
  } while (lexer.accept(';') && lexer.peek().kind === 'name');
  return verdicts;
}

function parseOr(lexer: Lexer, arch: Arch, depth: number): PropositionSyntax {
  return parseChain(lexer, '\\/', 'or', () => parseChain(lexer, '/\\', 'and', () => parseImplies(lexer, arch, depth)));
}

/** Takes the token that opens a nested part, and returns the depth inside it. */
function enter(lexer: Lexer, depth: number): number {
  if (depth >= MAX_DEPTH) lexer.fail(`at most ${MAX_DEPTH} levels of nesting`);
  lexer.next();
  return depth + 1;
}

/** Chains are flat lists, so that long ones do not nest deeply. */
function parseChain(
  lexer: Lexer,
  sign: string,
  kind: 'and' | 'or',
  parseOperand: () => PropositionSyntax,
): PropositionSyntax {
  const first = parseOperand();
  if (!lexer.is(sign)) return first;
  const operands = [first];
  while (lexer.accept(sign)) operands.push(parseOperand());
  return { kind, operands };
}

function parseImplies(lexer: Lexer, arch: Arch, depth: number): PropositionSyntax {
  const left = parseNot(lexer, arch, depth);
  if (!lexer.is('=>')) return left;
  return { kind: 'implies', left, right: parseImplies(lexer, arch, enter(lexer, depth)) };
}

function parseNot(lexer: Lexer, arch: Arch, depth: number): PropositionSyntax {
  if (!lexer.is('~') && !lexer.is('not')) return parsePrimary(lexer, arch, depth);
  return { kind: 'not', operand: parseNot(lexer, arch, enter(lexer, depth)) };
}

function parsePrimary(lexer: Lexer, arch: Arch, depth: number): PropositionSyntax {
  if (lexer.accept('true')) return { kind: 'and', operands: [] };
  if (lexer.accept('false')) return { kind: 'or', operands: [] };
  if (lexer.is('(')) {
    const inner = parseOr(lexer, arch, enter(lexer, depth));
    lexer.expect(')', '"/\\", "\\/", "=>" or ")"');
    return inner;
  }
  if (lexer.peek().text.toLowerCase() === 'fault' && lexer.is('(', 1)) {
    lexer.fail('a register or a location; faults are unsupported');
  }
  return parseAtom(lexer, arch);
}

function parseAtom(lexer: Lexer, arch: Arch): PropositionSyntax {
  const left = parseNamed(lexer, arch);
  if (lexer.accept('in')) {
    const operands = parseValues(lexer, arch).map((right) => ({ kind: 'equal', left, right }) as const);
    return { kind: 'or', operands };
  }
  const negated = lexer.is('!=') || lexer.is('<>');
  if (!negated && !lexer.is('=') && !lexer.is('==')) lexer.fail('"=", "!=" or "in"');
  lexer.next();
  const atom = parseRightSide(lexer, arch, left);
  return negated ? { kind: 'not', operand: atom } : atom;
}

function parseRightSide(lexer: Lexer, arch: Arch, left: Named): PropositionSyntax {
  if (lexer.is('{')) {
    if (left.kind === 'register' || left.index !== undefined) lexer.fail('a number or a location');
    return { kind: 'elements', left, values: parseValues(lexer, arch) };
  }
  return { kind: 'equal', left, right: parseValueOrContent(lexer, arch) };
}

/** A value, another register, or with `*x` or `[x]` the contents of another location. */
function parseValueOrContent(lexer: Lexer, arch: Arch): ValueSyntax | Named {
  if (atRegisterName(lexer)) return parseRegisterName(lexer, arch);
  if (lexer.is('[')) return parseLocationName(lexer, arch);
  const start = lexer.peek();
  if (!lexer.accept('*')) return parseValue(lexer, arch);
  return { ...parseNamed(lexer, arch), ...pieceSince(lexer, start) };
}
