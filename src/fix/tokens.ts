/** The tokens of a C file, as far as finding its statements needs them: comments and directives are left out. */

export interface Token {
  readonly text: string;
  /** Where it stands: `start` … `end`-1. */
  readonly start: number;
  readonly end: number;
  /** Where the line starts of the first `#pragma` that belongs to it, if there is one: nothing else is between them. */
  readonly pragma?: number;
}

/** Comments, strings, words, numbers, line continuations, white space, and any other character. */
const TOKEN =
  /\/\/(?:\\\r?\n|[^\n])*|\/\*[\s\S]*?(?:\*\/|$)|"(?:\\[\s\S]|[^"\\\n])*"?|'(?:\\[\s\S]|[^'\\\n])*'?|[A-Za-z_$][\w$]*|\.?\d(?:[eEpP][+-]|[\w.])*|\\\r?\n|\s+|[\s\S]/g;

export function tokenize(text: string): Token[] {
  return tokensIn(text, 0, text.length);
}

/** The body of a macro, up to `end` of its directive. */
export interface MacroBody {
  readonly start: number;
  readonly end: number;
  readonly tokens: readonly Token[];
}

export function macroBodies(text: string): MacroBody[] {
  return [...text.matchAll(/^[ \t]*#[ \t]*define[ \t]+\w+(?:\([^)]*\))?/gm)].map(({ 0: head, index }) => {
    const start = index + head.length;
    const end = endOfDirective(text, index);
    return { start, end, tokens: tokensIn(text, start, end, false) };
  });
}

function tokensIn(text: string, start: number, end: number, hasDirectives = true): Token[] {
  const tokens: Token[] = [];
  let directives: Directive[] = [];
  let isLineStart = true;
  const next = new RegExp(TOKEN);
  next.lastIndex = start;
  for (let match = next.exec(text); match !== null && match.index < end; match = next.exec(text)) {
    const [token] = match;
    if (/^\s/.test(token)) isLineStart ||= token.includes('\n');
    else if (token.startsWith('/*') || token.startsWith('//') || token.startsWith('\\')) continue;
    else if (token === '#' && isLineStart && hasDirectives) {
      next.lastIndex = endOfDirective(text, match.index);
      const lineStart = text.lastIndexOf('\n', match.index) + 1;
      directives.push({ lineStart, text: text.slice(match.index, next.lastIndex) });
    } else {
      const pragma = directives.length === 0 ? undefined : pragmaIn(directives);
      tokens.push({
        text: token,
        start: match.index,
        end: match.index + token.length,
        ...(pragma === undefined ? {} : { pragma }),
      });
      directives = [];
      isLineStart = false;
    }
  }
  return tokens;
}

interface Directive {
  readonly lineStart: number;
  readonly text: string;
}

/** Those that are no part of the statement behind them: they may stand only where a block begins. */
const OF_BLOCKS = /^#\s*pragma\s+(?:STDC|clang\s+fp|float_control)\b/;

/** Where the first pragma begins from which on all directives are about what follows; before an `#if` if it is in one. */
function pragmaIn(directives: readonly Directive[]): number | undefined {
  let found: number | undefined;
  let depth = 0;
  let isInside = false;
  for (const { lineStart, text } of directives.toReversed()) {
    const name = /^#\s*(\w*)/.exec(text)![1]!;
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

/** The text with blanks for `#line` and what preprocessors write in its place: lines and files are then what they are. */
export function withoutLineDirectives(text: string): string {
  let result = '';
  let at = 0;
  for (const { index } of text.matchAll(/^[ \t]*#[ \t]*(?:line\b|\d)/gm)) {
    const end = endOfDirective(text, index);
    result += text.slice(at, index) + text.slice(index, end).replace(/[^\r\n]/g, ' ');
    at = end;
  }
  return result + text.slice(at);
}

/** A directive goes to the end of its line; a backslash, and a comment, carry it on. */
function endOfDirective(text: string, start: number): number {
  const part = /\/\*[\s\S]*?(?:\*\/|$)|\\\r?\n|[\s\S]/g;
  part.lastIndex = start;
  for (let match = part.exec(text); match !== null; match = part.exec(text)) {
    if (match[0] === '\n') return match.index;
  }
  return text.length;
}
