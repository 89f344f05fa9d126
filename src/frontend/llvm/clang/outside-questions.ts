/**
 * Does a program ask for something that neither its text nor the files that clang reads for it say? Whether a file exists,
 * what time it is. Then the next compilation may give other IR from the same files, and it is not kept.
 *
 * May say yes for no reason; never no where the answer is yes.
 */

const QUESTIONS = [
  ...['__has_include', '__has_include_next', '__has_embed'],
  ...['__DATE__', '__TIME__', '__TIMESTAMP__'],
];

const PRAGMAS = ['pragma', '_Pragma', '__pragma'];

/** `texts`: all that the user has a say in, files and macros, in Latin-1. */
export function asksOutside(texts: readonly string[]): boolean {
  const words = new Set<string>();
  let pastes = false;
  for (const text of texts) {
    // A name may go on in the next line. `??/` and `??=` are trigraphs for a backslash and for `#`.
    const spliced = text.replace(/(?:\\|\?\?\/)[ \t\f\v]*(?:\r\n?|\n)/g, '');
    for (const [word] of spliced.matchAll(/[A-Za-z_$][\w$]*/g)) words.add(word);
    pastes ||= /##|%:%:|\?\?=\?\?=/.test(spliced);
  }
  if (QUESTIONS.some((name) => words.has(name))) return true;
  // #pragma GCC dependency "file"
  if (words.has('dependency') && PRAGMAS.some((name) => words.has(name))) return true;
  return pastes && QUESTIONS.some((name) => canBePasted(name, words));
}

/** A name that `##` makes has a first piece and a second. */
function canBePasted(name: string, words: ReadonlySet<string>): boolean {
  const beginnings = (text: string): string[] => Array.from(text, (_, i) => text.slice(0, i + 1));
  return beginnings(name).some((first) => {
    const rest = name.slice(first.length);
    return rest !== '' && words.has(first) && beginnings(rest).some((second) => words.has(second));
  });
}
