/**
 * Does a program depend on anything beyond its text and the files that clang reads for it, such as the existence of a
 * file or the time? If so, the next compilation may produce different IR from the same files, so the IR is not cached.
 *
 * May wrongly answer yes; never wrongly answers no.
 */

const QUESTIONS = [
  ...['__has_include', '__has_include_next', '__has_embed'],
  ...['__DATE__', '__TIME__', '__TIMESTAMP__'],
];

const PRAGMAS = ['pragma', '_Pragma', '__pragma'];

/** `texts`: everything that the user controls, files and macros, in Latin-1. */
export function asksOutside(texts: readonly string[]): boolean {
  const words = new Set<string>();
  let pastes = false;
  for (const text of texts) {
    // A name may continue on the next line. `??/` and `??=` are trigraphs for a backslash and `#`.
    const spliced = text.replace(/(?:\\|\?\?\/)[ \t\f\v]*(?:\r\n?|\n)/g, '');
    for (const [word] of spliced.matchAll(/[A-Za-z_$][\w$]*/g)) words.add(word);
    pastes ||= /##|%:%:|\?\?=\?\?=/.test(spliced);
  }
  if (QUESTIONS.some((name) => words.has(name))) return true;
  // #pragma GCC dependency "file"
  if (words.has('dependency') && PRAGMAS.some((name) => words.has(name))) return true;
  return pastes && QUESTIONS.some((name) => canBePasted(name, words));
}

/** Whether `##` may make the name: some word must begin it, and another one continue it. */
function canBePasted(name: string, words: ReadonlySet<string>): boolean {
  const beginnings = (text: string): string[] => Array.from(text, (_, i) => text.slice(0, i + 1));
  return beginnings(name).some((first) => {
    const rest = name.slice(first.length);
    return rest !== '' && words.has(first) && beginnings(rest).some((second) => words.has(second));
  });
}
