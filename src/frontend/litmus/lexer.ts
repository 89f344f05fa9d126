/**
 * Splits a litmus test, from its initial state on, into tokens. (The header consists of lines; see
 * `header.ts`.) Comments are `(* … *)` and nest.
 *
 * herd lets names contain `/` and `-`. Here they end a name, so that `[x-4]` and `x=y/\z=1` mean what they seem to
 * mean.
 */
import type { Piece, Source } from './source.ts';

export interface Token extends Piece {
  /** `other`: a character that cannot begin a token; every parser rule rejects it. */
  readonly kind: 'name' | 'number' | 'punctuation' | 'other' | 'end';
  /** Offset just past the token. */
  readonly end: number;
}

const PAIRS: ReadonlySet<string> = new Set(['/\\', '\\/', '=>', '==', '!=', '<>', '<<', '>>']);
const SINGLES = '{}()[];:|,=~*&%$+-';

export class Lexer {
  readonly source: Source;
  protected at: number;
  private readonly ahead: Token[] = [];
  /** Where the last token taken by `next` ended. */
  lastEnd: number;

  constructor(source: Source, at: number) {
    this.source = source;
    this.at = at;
    this.lastEnd = at;
  }

  peek(distance = 0): Token {
    while (this.ahead.length <= distance) this.ahead.push(this.scan());
    return this.ahead[distance]!;
  }

  next(): Token {
    const token = this.peek();
    this.ahead.shift();
    this.lastEnd = token.end;
    return token;
  }

  /** Whether the token is this word or sign. */
  is(text: string, distance = 0): boolean {
    const token = this.peek(distance);
    return token.text === text && token.kind !== 'end';
  }

  accept(text: string): boolean {
    if (!this.is(text)) return false;
    this.next();
    return true;
  }

  expect(text: string, expected = `"${text}"`): Token {
    return this.is(text) ? this.next() : this.fail(expected);
  }

  expectName(expected: string): Token {
    return this.peek().kind === 'name' ? this.next() : this.fail(expected);
  }

  fail(expected: string, piece: Piece = this.peek()): never {
    throw this.source.error(piece, expected);
  }

  /** An integer with an optional sign. It must fit into 64 bits, signed or unsigned. */
  expectInteger(expected: string): Piece & { readonly value: bigint } {
    const first = this.peek();
    const negative = this.is('-');
    const token = this.peek(negative ? 1 : 0);
    if (token.kind !== 'number') this.fail(expected);
    const text = negative ? `-${token.text}` : token.text;
    const whole = { at: first.at, text };
    if (!/^(?:[0-9]+|0[xX][0-9a-fA-F]+)$/.test(token.text)) this.fail(expected, whole);
    // Check the length first: converting a megabyte of digits takes quadratic time.
    const magnitude = token.text.length > 32 ? 1n << 64n : BigInt(token.text);
    if (magnitude >= 1n << 64n || (negative && magnitude > 1n << 63n))
      this.fail('an integer of at most 64 bits', whole);
    if (negative) this.next();
    this.next();
    return { ...whole, value: negative ? -magnitude : magnitude };
  }

  /** A count or an index: an integer from 0 to `max`. */
  expectCount(max: number, expected: string): Piece & { readonly value: number } {
    const integer = this.expectInteger(expected);
    if (integer.value < 0n || integer.value > BigInt(max)) this.fail(expected, integer);
    return { ...integer, value: Number(integer.value) };
  }

  /** Skips `<< … >>`: old directives for other tools, whose text does not consist of our tokens. */
  skipDirective(): void {
    const start = this.expect('<<');
    const end = this.source.text.indexOf('>>', start.end);
    if (end === -1) this.fail('">>" somewhere after "<<"', start);
    this.ahead.length = 0;
    this.at = end + 2;
    this.lastEnd = this.at;
  }

  protected scan(): Token {
    this.skipBlanks();
    const { text } = this.source;
    const at = this.at;
    if (at >= text.length) return { kind: 'end', text: 'end of file', at, end: at };
    const code = text.charCodeAt(at);
    if (isDigit(code)) return this.token('number', this.endOfWord(at));
    if (startsName(code)) return this.token('name', this.endOfWord(at));
    if (PAIRS.has(text.slice(at, at + 2))) return this.token('punctuation', at + 2);
    if (SINGLES.includes(text[at]!)) return this.token('punctuation', at + 1);
    return this.token('other', at + String.fromCodePoint(text.codePointAt(at)!).length);
  }

  protected token(kind: Token['kind'], end: number): Token {
    const at = this.at;
    this.at = end;
    return { kind, text: this.source.text.slice(at, end), at, end };
  }

  protected endOfWord(at: number): number {
    const { text } = this.source;
    let end = at + 1;
    while (end < text.length && continuesName(text.charCodeAt(end))) end++;
    return end;
  }

  private skipBlanks(): void {
    const { text } = this.source;
    for (;;) {
      while (this.at < text.length && isBlank(text.charCodeAt(this.at))) this.at++;
      if (!text.startsWith('(*', this.at)) return;
      this.at = endOfComment(this.source, this.at);
    }
  }
}

/** The offset just past the comment that starts at `at`. */
export function endOfComment(source: Source, at: number): number {
  const { text } = source;
  let depth = 1;
  let end = at + 2;
  while (depth > 0) {
    const star = text.indexOf('*', end);
    if (star === -1) throw source.error({ at, text: '(*' }, '"*)" somewhere after "(*"');
    if (star > end && text[star - 1] === '(') {
      depth++;
      end = star + 1;
    } else if (text[star + 1] === ')') {
      depth--;
      end = star + 2;
    } else {
      end = star + 1;
    }
  }
  return end;
}

export function isBlank(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}

export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

export function startsName(code: number): boolean {
  const lower = code | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || code === 0x5f || code === 0x2e;
}

function continuesName(code: number): boolean {
  return startsName(code) || isDigit(code);
}
