/** Splits the threads of a test in C into tokens. Comments are C's. */
import { isBlank, isDigit, Lexer, startsName, type Token } from './lexer.ts';

const PAIRS: ReadonlySet<string> = new Set([
  '==',
  '!=',
  '<=',
  '>=',
  '&&',
  '||',
  '<<',
  '>>',
  '++',
  '--',
  '->',
  '+=',
  '-=',
]);
const SINGLES = '{}()[];:,=~*&%+-!<>|^/?';

export class CLexer extends Lexer {
  protected override scan(): Token {
    this.skip();
    const { text } = this.source;
    const { at } = this;
    if (at >= text.length) return { kind: 'end', text: 'end of file', at, end: at };
    const code = text.charCodeAt(at);
    if (isDigit(code)) return this.token('number', this.endOfWord(at));
    if (startsName(code)) return this.token('name', this.endOfWord(at));
    if (PAIRS.has(text.slice(at, at + 2))) return this.token('punctuation', at + 2);
    if (SINGLES.includes(text[at]!)) return this.token('punctuation', at + 1);
    return this.token('other', at + String.fromCodePoint(text.codePointAt(at)!).length);
  }

  private skip(): void {
    const { text } = this.source;
    for (;;) {
      while (this.at < text.length && isBlank(text.charCodeAt(this.at))) this.at++;
      const { at } = this;
      const close = text.startsWith('//', at) ? '\n' : text.startsWith('/*', at) ? '*/' : undefined;
      if (close === undefined) return;
      const end = text.indexOf(close, at + 2);
      if (end === -1 && close === '*/') throw this.source.error({ at, text: '/*' }, '"*/" somewhere after "/*"');
      this.at = end === -1 ? text.length : end + close.length;
    }
  }
}
