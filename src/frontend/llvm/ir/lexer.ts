/**
 * Splits LLVM IR into tokens. There are no token objects: the lexer's fields give the kind and extent of the current
 * token, and `next` moves on. A module of 100,000 lines has a million tokens, and the text of most is never needed.
 */
import { decodeText } from './escapes.ts';
import type { Source } from './source.ts';

/** Kinds of tokens. The kind of a sign, such as `(`, is its character code, which is above all of these. */
export const END = 0;
export const WORD = 1;
/** `name:`: begins a block, or a field of a metadata node. */
export const LABEL = 2;
/** `%name` */
export const LOCAL = 3;
/** `@name` */
export const GLOBAL = 4;
/** `!12` */
export const METADATA_ID = 5;
/** `!dbg`, `!DILocation` */
export const METADATA_NAME = 6;
/** `#12` */
export const ATTRIBUTES = 7;
/** `#dbg_declare` */
export const RECORD = 8;
/** `$name` */
export const COMDAT = 9;
export const INTEGER = 10;
export const FLOAT = 11;
export const STRING = 12;
/** `c"…"` */
export const BYTES = 13;
/** `...` */
export const ELLIPSIS = 14;

/** Types, constants and metadata nested deeper than this might overflow the stack; clang stays far below. */
const MAX_DEPTH = 256;
/** Converting digits takes quadratic time. */
const MAX_DIGITS = 1000;

const NAME = 1;
const DIGIT = 2;
const SIGN = 4;
const classes: Uint8Array = classify();

function classify(): Uint8Array {
  const table = new Uint8Array(128);
  const mark = (characters: string, bits: number) => {
    for (const c of characters) table[c.charCodeAt(0)]! |= bits;
  };
  mark('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-$._', NAME);
  mark('0123456789', NAME | DIGIT);
  mark('()[]{}<>,=*|^:', SIGN);
  return table;
}

export class Lexer {
  readonly source: Source;
  /** Kind and extent of the current token. */
  kind: number = END;
  start = 0;
  end = 0;
  /** Whether it is the first on its line. */
  startsLine = false;
  /** Where the previous token ended. */
  lastEnd = 0;
  /** The part of the current token that is a name or the inside of a string: without sigils, quotes and colon. */
  private nameStart = 0;
  private nameEnd = 0;
  private quoted = false;
  private depth = 0;
  private readonly input: string;

  constructor(source: Source, at = 0) {
    this.source = source;
    this.input = source.text;
    this.seek(at);
  }

  /** Makes the token at or after `at` the current one. */
  seek(at: number): void {
    this.end = at;
    this.depth = 0;
    this.next();
  }

  /** The current token as written. */
  get text(): string {
    return this.input.slice(this.start, this.end);
  }

  /** The current token's name, or the inside of a string, with escapes decoded. */
  get name(): string {
    const name = this.rawName;
    if (!this.quoted) return name;
    const text = decodeText(name);
    return this.kind === GLOBAL && text.startsWith('\x01') ? this.source.nameOfSymbol(text.slice(1)) : text;
  }

  /** The same, but with escapes as written. */
  get rawName(): string {
    return this.input.slice(this.nameStart, this.nameEnd);
  }

  /** Whether the token is this word. */
  is(word: string): boolean {
    return this.kind === WORD && this.end - this.start === word.length && this.input.startsWith(word, this.start);
  }

  accept(word: string): boolean {
    if (!this.is(word)) return false;
    this.next();
    return true;
  }

  expect(word: string): void {
    if (!this.accept(word)) this.fail(`"${word}"`);
  }

  isSign(sign: string): boolean {
    return this.kind === sign.charCodeAt(0);
  }

  acceptSign(sign: string): boolean {
    if (!this.isSign(sign)) return false;
    this.next();
    return true;
  }

  expectSign(sign: string): void {
    if (!this.acceptSign(sign)) this.fail(`"${sign}"`);
  }

  /** Takes a comma, unless a metadata attachment follows (`, !dbg !7`): those come last. */
  acceptComma(): boolean {
    if (!this.isSign(',')) return false;
    const { start, lastEnd } = this;
    this.next();
    if (this.kind !== METADATA_NAME) return true;
    this.end = start;
    this.next();
    this.lastEnd = lastEnd;
    return false;
  }

  /** Takes a token of the given kind and returns its name. */
  takeName(kind: number, expected: string): string {
    if (this.kind !== kind) this.fail(expected);
    const { name } = this;
    this.next();
    return name;
  }

  takeInteger(): bigint {
    if (this.kind !== INTEGER) this.fail('an integer');
    if (this.end - this.start > MAX_DIGITS) this.fail(`an integer of at most ${MAX_DIGITS} digits`);
    const value = BigInt(this.text);
    this.next();
    return value;
  }

  /** An alignment, a count, an index. */
  takeCount(): number {
    const value = this.kind === INTEGER ? Number(this.text) : -1;
    if (!(value >= 0 && Number.isSafeInteger(value))) this.fail('a count');
    this.next();
    return value;
  }

  /** Call this around anything that can nest. */
  enter(): void {
    if (++this.depth > MAX_DEPTH) this.fail(`a nesting of at most ${MAX_DEPTH} levels`);
  }

  leave(): void {
    this.depth--;
  }

  /** Skips from the current token, an opening bracket, to just past the closing one. */
  skipBrackets(): void {
    const { input: text, start } = this;
    let depth = 0;
    for (let at = start; at < text.length; at++) {
      switch (text.charCodeAt(at)) {
        case 0x28: // (
        case 0x5b: // [
        case 0x7b: // {
          depth++;
          break;
        case 0x29:
        case 0x5d:
        case 0x7d:
          if (--depth === 0) {
            this.end = at + 1;
            this.next();
            return;
          }
          break;
        case 0x22: // "
          at = this.endOfString(at);
          break;
        case 0x3b: // ;
          at = this.endOfLine(at);
          break;
      }
    }
    this.fail('a bracket that is closed');
  }

  /** Skips the body of a function as clang writes it: it ends at the first closing brace that begins a line. */
  skipBody(): void {
    const end = this.input.indexOf('\n}', this.start);
    if (end < 0) this.fail('a body that is closed');
    this.seek(end + 2);
  }

  fail(expected: string): never {
    const found = this.kind === END ? 'end of file' : this.text;
    throw this.source.error(this.start, found, expected);
  }

  next(): void {
    const text = this.input;
    this.lastEnd = this.end;
    let at = this.skipBlanks();
    this.start = at;
    this.quoted = false;
    if (at >= text.length) {
      this.end = at;
      this.kind = END;
      return;
    }
    const code = text.charCodeAt(at);
    const kind = code < 128 ? classes[code]! : 0;
    switch (code) {
      case 0x25: // %
        return this.scanSigil(LOCAL);
      case 0x40: // @
        return this.scanSigil(GLOBAL);
      case 0x24: // $
        // `$` can also begin a label.
        if (text.charCodeAt(this.endOfName(at)) === 0x3a) return this.scanWord();
        return this.scanSigil(COMDAT);
      case 0x21: // !
        return this.scanMetadata();
      case 0x23: // #
        at = this.endOfName(at + 1);
        this.nameStart = this.start + 1;
        this.nameEnd = at;
        return this.finish(isDigit(text.charCodeAt(this.nameStart)) ? ATTRIBUTES : RECORD, at);
      case 0x22: // "
        this.scanQuoted(at);
        return this.finishLabelOr(STRING);
      case 0x2b: // +
        return this.scanNumber();
    }
    if (kind & DIGIT) return this.scanNumber();
    if (kind & NAME) return this.scanWord();
    this.finish(kind & SIGN ? code : 0x7f, at + 1);
    if (!(kind & SIGN)) this.fail('LLVM IR');
  }

  private skipBlanks(): number {
    const text = this.input;
    let at = this.end;
    this.startsLine = at === 0;
    for (; ; at++) {
      const code = text.charCodeAt(at);
      if (code === 0x20 || code === 0x09 || code === 0x0d) continue;
      if (code === 0x3b) at = this.endOfLine(at);
      else if (code !== 0x0a) return at;
      this.startsLine = true;
    }
  }

  private scanSigil(kind: number): void {
    const at = this.start + 1;
    if (this.input.charCodeAt(at) === 0x22) {
      this.scanQuoted(at);
      this.kind = kind;
      return;
    }
    this.nameStart = at;
    this.nameEnd = this.endOfName(at);
    this.finish(kind, this.nameEnd);
    if (this.nameEnd === at) this.fail('a name');
  }

  private scanMetadata(): void {
    const text = this.input;
    const at = this.start + 1;
    let end = at;
    // In names of metadata, characters are escaped without quotes.
    for (let code = text.charCodeAt(end); isName(code) || code === 0x5c; code = text.charCodeAt(end)) end++;
    this.nameStart = at;
    this.nameEnd = end;
    if (end === at) return this.finish(0x21, end);
    if (!isDigit(text.charCodeAt(at))) return this.finish(METADATA_NAME, end);
    this.finish(METADATA_ID, end);
    if (!Number.isSafeInteger(Number(text.slice(at, end)))) this.fail('the number of a metadata node');
  }

  /** Scans from the opening quote at `at`. */
  private scanQuoted(at: number): void {
    const end = this.endOfString(at);
    this.nameStart = at + 1;
    this.nameEnd = end;
    this.quoted = true;
    this.end = end + 1;
  }

  private scanWord(): void {
    const text = this.input;
    const { start } = this;
    const code = text.charCodeAt(start);
    if (code === 0x2d && isDigit(text.charCodeAt(start + 1))) return this.scanNumber();
    if (code === 0x2e && text.startsWith('...', start)) return this.finish(ELLIPSIS, start + 3);
    if (code === 0x63 && text.charCodeAt(start + 1) === 0x22) {
      this.scanQuoted(start + 1);
      this.kind = BYTES;
      return;
    }
    this.nameStart = start;
    this.nameEnd = this.endOfName(start);
    this.end = this.nameEnd;
    this.finishLabelOr(WORD);
  }

  /** Digits. With a point, an exponent or in hexadecimal, a float; followed by a colon, the label of a block. */
  private scanNumber(): void {
    const text = this.input;
    let at = this.start + 1;
    const signed = !isDigit(text.charCodeAt(this.start));
    while (isDigit(text.charCodeAt(at))) at++;
    this.nameStart = this.start;
    this.nameEnd = at;
    this.end = at;
    if (signed && at === this.start + 1) this.fail('a number');
    const code = text.charCodeAt(at);
    if (code === 0x2e) {
      at++;
      while (isDigit(text.charCodeAt(at))) at++;
      if ((text.charCodeAt(at) | 0x20) === 0x65) {
        const exponent = isNumberSign(text.charCodeAt(at + 1)) ? at + 2 : at + 1;
        if (isDigit(text.charCodeAt(exponent))) at = exponent;
        while (isDigit(text.charCodeAt(at))) at++;
      }
      return this.finish(FLOAT, at);
    }
    if (!isName(code)) return this.finishLabelOr(INTEGER);
    this.nameEnd = this.endOfName(at);
    this.end = this.nameEnd;
    this.finishLabelOr(FLOAT);
  }

  private finishLabelOr(kind: number): void {
    this.kind = kind;
    if (this.input.charCodeAt(this.end) === 0x3a) {
      this.kind = LABEL;
      this.end++;
    }
  }

  private finish(kind: number, end: number): void {
    this.kind = kind;
    this.end = end;
  }

  private endOfName(at: number): number {
    const text = this.input;
    while (isName(text.charCodeAt(at))) at++;
    return at;
  }

  /** Offset of the closing quote. A quote cannot be escaped with a backslash: it is written `\22`. */
  private endOfString(at: number): number {
    const end = this.input.indexOf('"', at + 1);
    if (end === -1) throw this.source.error(at, this.input.slice(at, at + 100), 'a string that is closed');
    return end;
  }

  private endOfLine(at: number): number {
    const end = this.input.indexOf('\n', at);
    return end === -1 ? this.input.length : end;
  }
}

function isName(code: number): boolean {
  return code < 128 && (classes[code]! & NAME) !== 0;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isNumberSign(code: number): boolean {
  return code === 0x2b || code === 0x2d;
}
