/** The tokens of a C file, as far as finding its statements needs them: comments and directives are left out. */

export interface Token {
  readonly text: string;
  /** Where it stands: `start` … `end`-1. */
  readonly start: number;
  readonly end: number;
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
  let isLineStart = true;
  const next = new RegExp(TOKEN);
  next.lastIndex = start;
  for (let match = next.exec(text); match !== null && match.index < end; match = next.exec(text)) {
    const [token] = match;
    if (/^\s/.test(token)) isLineStart ||= token.includes('\n');
    else if (token.startsWith('/*') || token.startsWith('//') || token.startsWith('\\')) continue;
    else if (token === '#' && isLineStart && hasDirectives) next.lastIndex = endOfDirective(text, match.index);
    else {
      tokens.push({ text: token, start: match.index, end: match.index + token.length });
      isLineStart = false;
    }
  }
  return tokens;
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
