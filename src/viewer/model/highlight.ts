/** Splits C and litmus text into parts, for colours. Works line by line, except that comments may span lines. */

type Tint = 'keyword' | 'comment' | 'quote' | 'numeral' | 'directive' | '';

export interface Part {
  readonly tint: Tint;
  readonly text: string;
}

const KEYWORDS = new Set(
  (
    'alignas alignof asm auto bool break case catch char class const constexpr continue decltype default delete do double ' +
    'else enum explicit extern false float for friend goto if inline int long namespace new noexcept nullptr operator ' +
    'private protected public register return short signed sizeof static static_assert struct switch template this ' +
    'thread_local throw true try typedef typename union unsigned using virtual void volatile while _Atomic _Bool ' +
    '_Noreturn _Static_assert _Thread_local'
  ).split(' '),
);
const TOKEN =
  /\/\/.*|\/\*.*?(?:\*\/|$)|"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|\b(?:0[xX][\da-fA-F]+|\d[\d.]*)\w*|[A-Za-z_]\w*/g;

/** The parts of every line of a file; joined, they give the line. */
export function highlight(lines: readonly string[]): readonly (readonly Part[])[] {
  let inComment = false;
  return lines.map((line) => {
    const parts: Part[] = [];
    const add = (tint: Tint, text: string): void => {
      if (text !== '') parts.push({ tint, text });
    };
    let at = 0;
    if (inComment) {
      const end = line.indexOf('*/');
      at = end < 0 ? line.length : end + 2;
      add('comment', line.slice(0, at));
      inComment = end < 0;
    }
    const directive = at === 0 ? /^\s*#\s*\w+/.exec(line)?.[0] : undefined;
    if (directive !== undefined) {
      add('directive', directive);
      at = directive.length;
    }
    TOKEN.lastIndex = at;
    for (let found = TOKEN.exec(line); found !== null; found = TOKEN.exec(line)) {
      const [word] = found;
      const tint = tintOf(word);
      if (tint === '') continue;
      add('', line.slice(at, found.index));
      add(tint, word);
      at = found.index + word.length;
      if (word.startsWith('/*') && !(word.length >= 4 && word.endsWith('*/'))) inComment = true;
    }
    add('', line.slice(at));
    return parts;
  });
}

function tintOf(word: string): Tint {
  if (word.startsWith('//') || word.startsWith('/*')) return 'comment';
  if (/^["']/.test(word)) return 'quote';
  if (/^\d/.test(word)) return 'numeral';
  return KEYWORDS.has(word) ? 'keyword' : '';
}
