/**
 * Where in a C file a statement could be put in: every boundary between two statements of a function.
 *
 * This reads tokens, not the language: macros are not expanded, and all branches of `#if` are read one after the other. In
 * the bodies of macros there are places too, kept apart: whoever changes a macro changes every use of it.
 * What it makes of odd code may be wrong. That does no harm: a place that clang refuses is dropped (`marks.ts`), and what
 * is put in is compiled and verified again.
 */
import { macroBodies, type Token, tokenize } from './tokens.ts';

/** A place for a statement: right before the token at `offset`. */
export interface Gap {
  readonly offset: number;
  /** Where the token is, if a `#pragma` belongs to it: then `offset` is where the line of that begins. */
  readonly behindPragma?: number;
  /** Before the closing brace of a block, rather than before a statement. */
  readonly isLast: boolean;
  /** A statement that is the body of an `if` or loop without braces: putting anything beside it takes braces around both. */
  readonly body?: { readonly start: number; readonly end: number; readonly hasPragma: boolean };
  /** In a statement expression. */
  readonly isInExpression?: true;
  /** The body of a macro, in which it is. */
  readonly macro?: { readonly start: number; readonly end: number };
}

/** A statement that is nothing but a call, inline assembly or a single word, each of which may be a fence. */
export interface CallStatement {
  readonly name: string;
  readonly start: number;
  /** Behind its semicolon. */
  readonly end: number;
  /** It is the body of an `if` or loop, and cannot go without something in its place. */
  readonly isBody: boolean;
}

export interface Statements {
  readonly gaps: readonly Gap[];
  readonly macroGaps: readonly Gap[];
  readonly calls: readonly CallStatement[];
  readonly tokens: readonly Token[];
}

export function findStatements(text: string): Statements {
  const tokens = tokenize(text);
  const { gaps, calls } = new Reader(tokens).readFile();
  const macroGaps = macroBodies(text).flatMap(({ start, end, tokens: own }) =>
    new Reader(own).readMacro().map((gap): Gap => ({ ...gap, macro: { start, end } })),
  );
  return { gaps, macroGaps, calls, tokens };
}

const PAIRS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

class Reader {
  private readonly tokens: readonly Token[];
  private at = 0;
  private gaps: Gap[] = [];
  private calls: CallStatement[] = [];
  private around: Pick<Gap, 'isInExpression'> = {};

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens;
  }

  private get text(): string {
    return this.tokens[this.at]?.text ?? '';
  }

  private is(text: string): boolean {
    return this.text === text;
  }

  readFile(): Pick<Statements, 'gaps' | 'calls'> {
    const { tokens } = this;
    let isInitialised = false;
    for (; this.at < tokens.length; ) {
      if (this.text === ';') isInitialised = false;
      if (this.text === '=') isInitialised = true;
      if (this.text !== '{') this.skip();
      else if (isInitialised || !END_OF_HEAD.has(tokens[this.at - 1]?.text)) this.skip();
      else this.block();
    }
    return { gaps: this.gaps, calls: this.calls };
  }

  /** Statements one after the other, or in braces; what is in braces without a semicolon is an initialiser. */
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

  /** A token, or a whole group in brackets; in a statement expression there are statements. */
  private skip(): void {
    const close = PAIRS[this.text];
    this.at++;
    if (close === undefined) return;
    if (close === ')' && this.text === '{') this.statementExpression();
    while (this.at < this.tokens.length && this.text !== close) this.skip();
    this.at++;
  }

  /** Its last statement is its value: nothing can come behind it. */
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
    // Before an `else` nothing fits, and before an empty statement nothing is needed.
    if (this.text === ';' || this.text === 'else') return;
    this.gaps.push({ ...before(this.tokens[this.at]!), isLast, ...this.around });
  }

  private statement(isBody: boolean): void {
    while (this.is('_Pragma') && this.tokens[this.at + 1]?.text === '(') {
      this.at++;
      this.skip();
    }
    const next = this.tokens[this.at + 1]?.text;
    switch (this.text) {
      case '{':
        return this.block();
      case 'if':
      case 'while':
      case 'for':
      case 'switch':
        this.at++;
        this.skip();
        this.body();
        if (this.is('else')) {
          this.at++;
          if (this.is('if')) this.statement(true);
          else this.body();
        }
        return;
      case 'do':
        this.at++;
        this.body();
        return this.simple(isBody);
      case 'case':
        while (this.at < this.tokens.length && !this.is(':') && !this.is(';')) this.skip();
        return this.labelled(isBody);
      default:
        if (next === ':' && /^[A-Za-z_]/.test(this.text)) {
          this.at++;
          return this.labelled(isBody);
        }
        return this.simple(isBody);
    }
  }

  private labelled(isBody: boolean): void {
    this.at++;
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

  /** A declaration or expression, up to its semicolon; or a macro that acts as a loop, with its body. */
  private simple(isBody: boolean): void {
    const { tokens } = this;
    const start = this.at;
    const isCall = /^(?!(?:while|return)$)[A-Za-z_]/.test(this.text) && tokens[start + 1]?.text === '(';
    let parts = 0;
    for (; this.at < tokens.length && this.text !== ';' && this.text !== '}'; parts++) {
      if (isCall && parts === 2 && this.text === '{') return this.block();
      this.skip();
    }
    const end = tokens[this.at];
    if (end === undefined || end.text === '}') return;
    this.at++;
    const { text: name, start: from } = tokens[start]!;
    const isAssembly = ASSEMBLY.test(name) && tokens[this.at - 2]?.text === ')';
    const isWord = parts === 1 && /^[A-Za-z_]/.test(name);
    if ((isCall && parts === 2) || isAssembly || isWord) this.calls.push({ name, start: from, end: end.end, isBody });
  }
}

function before({ start, pragma }: Token): Pick<Gap, 'offset' | 'behindPragma'> {
  return pragma === undefined ? { offset: start } : { offset: pragma, behindPragma: start };
}

/** What a function's body comes behind: its parameters, or their declarations in the style of before 1989. */
const END_OF_HEAD: ReadonlySet<string | undefined> = new Set([')', ';']);

const ASSEMBLY = /^(?:asm|__asm|__asm__)$/;
