/**
 * Reads the text before the initial state: architecture, name, doc string, and lines such as `Cycle=…`. herd ignores
 * what it does not know there. So nothing but the first two affects the test; the rest is kept as `info`.
 */
import type { Arch } from './ast.ts';
import { endOfComment } from './lexer.ts';
import type { Source } from './source.ts';

interface Header {
  readonly arch: Arch;
  readonly name: string;
  readonly info: readonly string[];
  /** Offset of the `{` that opens the initial state. */
  readonly end: number;
}

const ARCHS: Readonly<Record<string, Arch>> = { x86: 'X86', x86_64: 'X86_64', c: 'C' };

/** Sticky, so that a match costs only what it matches. */
const BLANKS = /[\s;\ufeff]+/y;
const ARCH = /[A-Za-z0-9_]+/y;
const SPACES = /[ \t]*/y;
const NAME = /[^\s("{;]+/y;
const TEX_NAME = /\([^()\n*][^()\n]*\)/y;
const DOC = /"[^"]*"/y;
/** A `#` comment or a `Key=value` line may contain anything; any other text ends where the initial state begins. */
const WHOLE_LINE = /(?:#|[A-Za-z][A-Za-z0-9_./-]*[ \t]*=)[^\n]*/y;
const FREE_TEXT = /[^\n{]+/y;

export function parseHeader(source: Source): Header {
  const { text } = source;
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) at += found.length;
    return found;
  };
  const skip = (): void => {
    for (;;) {
      take(BLANKS);
      if (!text.startsWith('(*', at)) return;
      at = endOfComment(source, at);
    }
  };
  const here = () => ({ at, text: at < text.length ? text.slice(at, at + 80).split('\n', 1)[0]! : 'end of file' });

  skip();
  const start = here();
  const word = take(ARCH);
  if (word === undefined) throw source.error(start, 'an architecture: X86, X86_64 or C');
  const arch = Object.hasOwn(ARCHS, word.toLowerCase()) ? ARCHS[word.toLowerCase()] : undefined;
  if (arch === undefined) {
    throw source.error({ at: start.at, text: word }, 'architecture X86, X86_64 or C; others are unsupported');
  }
  take(SPACES);
  const name = take(NAME);
  if (name === undefined) throw source.error(here(), 'the name of the test');
  take(SPACES);

  const info: string[] = [];
  const texName = take(TEX_NAME);
  if (texName !== undefined) info.push(texName);
  for (;;) {
    skip();
    const rest = here();
    if (at >= text.length) throw source.error(rest, '"{" and the initial state');
    if (text[at] === '{') return { arch, name, info, end: at };
    if (text[at] === '"') {
      const doc = take(DOC);
      if (doc === undefined) throw source.error(rest, 'a closing quotation mark');
      info.push(doc.slice(1, -1));
    } else {
      info.push((take(WHOLE_LINE) ?? take(FREE_TEXT)!).trim());
    }
  }
}
