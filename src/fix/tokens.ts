/**
 * The tokens of a C file, as far as finding statements needs them: comments are dropped, directives kept separately.
 */

export interface Token {
  /** Without line continuations; `{` for `<%`, and so on. */
  readonly text: string;
  /** It is at `start` … `end`-1. */
  readonly start: number;
  readonly end: number;
  /** The start of the line of the first `#pragma` that belongs to it, if any; only directives are between them. */
  readonly pragma?: number;
}

/**
 * Comments, strings, words, numbers, line continuations, white space, other spellings of brackets, any other character.
 */
const TOKEN = new RegExp(
  [
    String.raw`\/\/(?:\\[ \t]*\r?\n|[^\n])*`,
    String.raw`\/\*[\s\S]*?(?:\*\/|$)`,
    String.raw`"(?:\\[\s\S]|[^"\\\n])*"?`,
    String.raw`'(?:\\[\s\S]|[^'\\\n])*'?`,
    String.raw`[A-Za-z_$\x80-\xff](?:[\w$\x80-\xff]|\\[ \t]*\r?\n(?=[\w$\x80-\xff]))*`,
    String.raw`\.?\d(?:[eEpP][+-]|'\w|[\w.])*`,
    String.raw`\\[ \t]*\r?\n`,
    String.raw`\s+`,
    '<%|%>|<:|:>|%:|::',
    String.raw`[\s\S]`,
  ].join('|'),
  'g',
);

const OTHER_SPELLINGS: Readonly<Record<string, string>> = { '<%': '{', '%>': '}', '<:': '[', ':>': ']', '%:': '#' };

const BYTE_ORDER_MARK = '\xef\xbb\xbf';

/** A preprocessing directive, from its `#` to its end. */
export interface Directive {
  readonly lineStart: number;
  readonly text: string;
  /** The number of the next token. */
  readonly next: number;
}

export function tokenize(text: string): { tokens: Token[]; directives: Directive[] } {
  return tokensIn(text, text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0, text.length);
}

/** The body of a macro, up to `end` of its directive. */
interface MacroBody {
  readonly start: number;
  readonly end: number;
  readonly tokens: readonly Token[];
}

export function macroBodies(text: string): MacroBody[] {
  return [...text.matchAll(/^[ \t]*(?:#|%:)[ \t]*define[ \t]+\w+(?:\([^)]*\))?/gm)].map(({ 0: head, index }) => {
    const start = index + head.length;
    const end = endOfDirective(text, index);
    return { start, end, tokens: tokensIn(text, start, end, false).tokens };
  });
}

function tokensIn(
  text: string,
  start: number,
  end: number,
  hasDirectives = true,
): { tokens: Token[]; directives: Directive[] } {
  const tokens: Token[] = [];
  const directives: Directive[] = [];
  let isLineStart = true;
  const next = new RegExp(TOKEN);
  next.lastIndex = start;
  for (let match = next.exec(text); match !== null && match.index < end; match = next.exec(text)) {
    const [token] = match;
    if (/^\s/.test(token)) isLineStart ||= token.includes('\n');
    else if (token.startsWith('/*') || token.startsWith('//') || token.startsWith('\\')) continue;
    else if ((token === '#' || token === '%:') && isLineStart && hasDirectives) {
      next.lastIndex = endOfDirective(text, match.index);
      const lineStart = text.lastIndexOf('\n', match.index) + 1;
      directives.push({ lineStart, text: text.slice(match.index, next.lastIndex), next: tokens.length });
    } else {
      const pragma = pragmaIn(directives.slice(directives.findLastIndex((one) => one.next < tokens.length) + 1));
      tokens.push({
        text: OTHER_SPELLINGS[token] ?? (/^[A-Za-z_$]/.test(token) ? token.replace(/\\\s*\n/g, '') : token),
        start: match.index,
        end: match.index + token.length,
        ...(pragma === undefined ? {} : { pragma }),
      });
      isLineStart = false;
    }
  }
  return { tokens, directives };
}

/** Pragmas that do not belong to the next statement. They are allowed only at the start of a block. */
const OF_BLOCKS = /^(?:#|%:)\s*pragma\s+(?:STDC|clang\s+fp|float_control)\b/;

/**
 * The start of the line of the first pragma that belongs to the next token, or of the `#if` … `#endif` around it. What
 * is before an enclosing `#if` or `#else` does not belong to the token.
 */
function pragmaIn(directives: readonly Directive[]): number | undefined {
  let found: number | undefined;
  let depth = 0;
  let isInside = false;
  for (const { lineStart, text } of directives.toReversed()) {
    const name = /^(?:#|%:)\s*(\w*)/.exec(text)![1]!;
    if (name === 'endif') depth++;
    else if (depth === 0 && /^(?:if|el)/.test(name)) break;
    else if (name.startsWith('if')) depth--;
    if (name === 'pragma' && !OF_BLOCKS.test(text)) isInside = true;
    if (isInside && depth === 0) {
      found = lineStart;
      isInside = false;
    }
  }
  return found;
}

/**
 * The text with `#line` and its preprocessed form (`# 1 "file"`) blanked out, so that lines and files are the real
 * ones.
 */
export function withoutLineDirectives(text: string): string {
  let result = '';
  let at = 0;
  for (const { index } of text.matchAll(/^[ \t]*(?:#|%:)[ \t]*(?:line\b|\d)/gm)) {
    const end = endOfDirective(text, index);
    result += text.slice(at, index) + text.slice(index, end).replace(/[^\r\n]/g, ' ');
    at = end;
  }
  return result + text.slice(at);
}

/** A directive extends to the end of its line; a backslash or a comment continues it. */
function endOfDirective(text: string, start: number): number {
  const part = new RegExp(TOKEN);
  part.lastIndex = start;
  for (let match = part.exec(text); match !== null; match = part.exec(text)) {
    const newline = /^\s/.test(match[0]) ? match[0].indexOf('\n') : -1;
    if (newline >= 0) return match.index + newline;
  }
  return text.length;
}
