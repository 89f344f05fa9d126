/**
 * Finds where in a C or C++ file a statement could be inserted: at every boundary between two statements of a function.
 *
 * This reads tokens, not the language: macros are not expanded, and branches of `#if` are read one after the other
 * (`conditionals.ts` says which). Places in the bodies of macros are kept separate: changing a macro changes every use
 * of it. The reader may misunderstand unusual code. That does no harm: a place that clang rejects is dropped
 * (`additions.ts`), and the result of every insertion is compiled and verified again.
 */
import { readableTokens } from './conditionals.ts';
import { findCxxBody, isIntroducer } from './cxx-definitions.ts';
import { findBody, TAG, WORD } from './definitions.ts';
import { macroBodies, type Token, tokenize } from './tokens.ts';

/** A place for a statement: right before the token at `offset`. */
export interface Gap {
  readonly offset: number;
  /** The offset of the token, if a `#pragma` belongs to it: `offset` is then the start of the pragma's line. */
  readonly behindPragma?: number;
  /** Before the closing brace of a block, rather than before a statement. */
  readonly isLast: boolean;
  /** The body of an `if` or loop without braces: it and a statement put beside it need braces around them. */
  readonly body?: { readonly start: number; readonly end: number; readonly hasPragma: boolean };
  /** In a statement expression. */
  readonly isInExpression?: true;
  /** The body of the macro that contains it. */
  readonly macro?: { readonly start: number; readonly end: number };
}

/** A statement that is nothing but a call, inline assembly or a single word, each of which may be a fence. */
export interface CallStatement {
  readonly name: string;
  readonly start: number;
  /** After its semicolon. */
  readonly end: number;
  /** Whether it is the body of an `if` or loop, which cannot be removed without a replacement. */
  readonly isBody: boolean;
}

export interface Statements {
  readonly gaps: readonly Gap[];
  readonly macroGaps: readonly Gap[];
  readonly calls: readonly CallStatement[];
  readonly tokens: readonly Token[];
}

/** `isCompiled` is true for some tokens that are part of the program. */
export function findStatements(
  text: string,
  isCompiled: (token: Token) => boolean = () => false,
  isCxx = false,
): Statements {
  const { tokens, directives } = tokenize(text);
  const { gaps, calls } = new Reader(readableTokens(tokens, directives, isCompiled), isCxx).readFile();
  const macroGaps = macroBodies(text).flatMap(({ start, end, tokens: own }) =>
    new Reader(own, isCxx).readMacro().map((gap): Gap => ({ ...gap, macro: { start, end } })),
  );
  return { gaps, macroGaps, calls, tokens };
}

const PAIRS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

class Reader {
  private readonly tokens: readonly Token[];
  private readonly isCxx: boolean;
  private at = 0;
  private gaps: Gap[] = [];
  private calls: CallStatement[] = [];
  private around: Pick<Gap, 'isInExpression'> = {};

  constructor(tokens: readonly Token[], isCxx: boolean) {
    this.tokens = tokens;
    this.isCxx = isCxx;
  }

  private get text(): string {
    return this.tokens[this.at]?.text ?? '';
  }

  private is(text: string): boolean {
    return this.text === text;
  }

  readFile(): Pick<Statements, 'gaps' | 'calls'> {
    const { tokens } = this;
    const next = (start: number): number => (this.isCxx ? findCxxBody : findBody)(tokens, start);
    for (this.at = next(0); this.at < tokens.length; this.at = next(this.at)) this.block();
    return { gaps: this.gaps, calls: this.calls };
  }

  /** Statements in sequence, or in braces; braces without a semicolon inside are an initialiser. */
  readMacro(): readonly Gap[] {
    const { tokens } = this;
    while (this.at < tokens.length) {
      const before = tokens[this.at - 1]?.text;
      if (before === ';') this.gap(false);
      if (this.text === '{' && tokens.some(({ text }) => text === ';') && before !== '=') this.block();
      else this.skip();
    }
    return this.gaps;
  }

  /** Skips a token, or a whole group in brackets; a statement expression contains statements. */
  private skip(): void {
    const close = PAIRS[this.text];
    const isLambda = this.isCxx && isIntroducer(this.tokens, this.at);
    this.at++;
    if (close === undefined) return;
    if (close === ')' && this.text === '{') this.statementExpression();
    while (this.at < this.tokens.length && this.text !== close) this.skip();
    this.at++;
    if (isLambda) this.lambda();
  }

  /** The rest of a lambda, after its captures: parameters and a body. */
  private lambda(): void {
    if (this.is('(')) this.skip();
    while (this.at < this.tokens.length && !/^[{}();,]$/.test(this.text)) this.skip();
    if (this.is('{')) this.block();
  }

  /** A statement expression. Its last statement is its value, so nothing can come after that. */
  private statementExpression(): void {
    const { around } = this;
    this.around = { isInExpression: true };
    this.block(true);
    this.around = around;
  }

  private block(isExpression = false): void {
    this.at++;
    while (this.at < this.tokens.length && this.text !== '}') {
      this.gap(false);
      this.statement(false);
    }
    if (this.at < this.tokens.length && !isExpression) this.gap(true);
    this.at++;
  }

  private gap(isLast: boolean): void {
    // Nothing may come before an `else` or a label declaration, and nothing is needed before an empty statement.
    if (
      this.text === ';' ||
      this.text === 'else' ||
      (this.isCxx && this.text === 'catch') ||
      this.text === '__label__' ||
      this.isBehindFallthrough()
    )
      return;
    this.gaps.push({ ...before(this.tokens[this.at]!), isLast, ...this.around });
  }

  /** Nothing may come between `[[fallthrough]];` and the label it refers to. */
  private isBehindFallthrough(): boolean {
    const { tokens } = this;
    if (tokens[this.at - 1]?.text !== ';') return false;
    let at = this.at - 2;
    while (/^[)\]]$/.test(tokens[at]?.text ?? '')) at--;
    return /^(?:__)?fallthrough(?:__)?$/.test(tokens[at]?.text ?? '');
  }

  /** Skips attributes and the like at the start of a statement; returns whether there are any. */
  private skipPrefix(): boolean {
    for (const start = this.at; ; this.skip()) {
      const next = this.tokens[this.at + 1]?.text;
      if (PREFIX.test(this.text) && next === '(') this.at++;
      else if (!this.is('__extension__') && !(this.is('[') && next === '[')) return this.at > start;
    }
  }

  private statement(isBody: boolean): void {
    const hasPrefix = this.skipPrefix();
    const next = this.tokens[this.at + 1]?.text;
    switch (this.text) {
      case '{':
        return this.block();
      case 'if':
      case 'while':
      case 'for':
      case 'switch':
        this.at++;
        if (this.isCxx && this.is('constexpr')) this.at++;
        this.skip();
        this.body();
        if (this.is('else')) this.alternative();
        return;
      // After a macro that is an `if`.
      case 'else':
        return this.alternative();
      case 'do':
        this.at++;
        this.body();
        return this.simple(isBody);
      case 'case':
        this.skipCase();
        return this.labelled(isBody);
      default:
        if (next === ':' && WORD.test(this.text)) {
          this.at++;
          return this.labelled(isBody);
        }
        return this.simple(isBody, hasPrefix);
    }
  }

  private alternative(): void {
    this.at++;
    if (this.is('if')) this.statement(true);
    else this.body();
  }

  /** Skips to the colon that ends the label. */
  private skipCase(): void {
    for (let open = 0; this.at < this.tokens.length && !this.is(';'); ) {
      if (this.is(':') && open-- === 0) return;
      if (this.is('?')) open++;
      this.skip();
    }
  }

  private labelled(isBody: boolean): void {
    this.at++;
    // Attributes of the label.
    this.skipPrefix();
    if (this.text === '}') return;
    if (!isBody) this.gap(false);
    this.statement(isBody);
  }

  private body(): void {
    if (this.text === '{') return this.block();
    const first = this.tokens[this.at];
    if (first === undefined) return;
    const isEmpty = this.text === ';';
    const inside = this.gaps.length;
    this.statement(true);
    const last = this.tokens[this.at - 1];
    if (isEmpty || last === undefined) return;
    const place = before(first);
    const body = { start: place.offset, end: last.end, hasPragma: first.pragma !== undefined };
    this.gaps.splice(inside, 0, { ...place, isLast: false, body, ...this.around });
    this.gaps.push({ offset: body.end, isLast: true, body, ...this.around });
  }

  /** A declaration or expression, up to its semicolon; or a macro that acts as a loop or an `if`, with its body. */
  private simple(isBody: boolean, hasPrefix = false): void {
    const { tokens } = this;
    const from = tokens[this.at]!.start;
    if (this.isCxx && this.is('std') && tokens[this.at + 1]?.text === '::') this.at += 2;
    const start = this.at;
    const isName = WORD.test(this.text) && !/^(?:while|return)$/.test(this.text);
    const isCall = isName && tokens[start + 1]?.text === '(';
    const isAsm = ASSEMBLY.test(this.text);
    let parts = 0;
    for (; this.at < tokens.length && this.text !== ';' && this.text !== '}'; parts++) {
      const isWhole = isCall ? parts === 2 : isName && parts === 1 && !TAG.test(tokens[start]!.text);
      if (isWhole && this.text === '{') return this.block();
      if (parts > 0 && !isAsm && CONTROL.test(this.text)) return this.statement(isBody);
      this.skip();
    }
    const end = tokens[this.at];
    if (end === undefined || end.text === '}') return;
    this.at++;
    const name = tokens[start]!.text;
    const isAssembly = isAsm && tokens[this.at - 2]?.text === ')';
    const isWord = parts === 1 && WORD.test(name);
    if (hasPrefix || !((isCall && parts === 2) || isAssembly || isWord)) return;
    this.calls.push({ name, start: from, end: end.end, isBody });
  }
}

function before({ start, pragma }: Token): Pick<Gap, 'offset' | 'behindPragma'> {
  return pragma === undefined ? { offset: start } : { offset: pragma, behindPragma: start };
}

const PREFIX = /^(?:_Pragma|__pragma|__attribute__|__attribute)$/;
const CONTROL = /^(?:if|while|for|do|switch|return|goto|break|continue)$/;
const ASSEMBLY = /^(?:asm|__asm|__asm__)$/;
