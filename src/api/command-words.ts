/** The words of a compiler's command line, as a build wrote it down. A word that is not understood is refused. */
import { realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import { OptionError } from '../options/option.ts';
import { readRegularFile, Unreadable } from '../platform/regular-file.ts';

/** Splits a command line into words as a POSIX shell does. */
export function shellWords(line: string): readonly string[] {
  return splitWords(line, /'([^']*)'|"((?:\\.|[^"\\])*)"/, (quoted, isSingle) =>
    isSingle ? quoted : quoted.replace(/\\([$`"\\\n])/g, '$1'),
  );
}

/** Splits the text of a response file as gcc and clang do: a backslash protects any character, within quotes too. */
function responseWords(text: string): readonly string[] {
  return splitWords(text, /'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)"/, (quoted) => quoted.replace(/\\(.)/gs, '$1'));
}

function splitWords(
  line: string,
  quotes: RegExp,
  undo: (quoted: string, isSingle: boolean) => string,
): readonly string[] {
  const words: string[] = [];
  const part = new RegExp(`\\s+|${quotes.source}|\\\\(.)|([^\\s'"\\\\]+)|(.)`, 'gs');
  let word: string | undefined;
  for (const [whole, single, double, escaped, plain, other] of line.matchAll(part)) {
    if (/^\s/.test(whole)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      const quoted = single ?? double;
      const text = quoted === undefined ? undefined : undo(quoted, double === undefined);
      word = (word ?? '') + (text ?? escaped ?? plain ?? other ?? '');
    }
  }
  return word === undefined ? words : [...words, word];
}

/** How deep response files may name each other, as in gcc's own limit against files that name themselves. */
const DEPTH = 20;

/** In bytes, for each file. */
const LARGEST = 1 << 20;

/**
 * Replaces `@FILE` by the words in the file, relative to `directory`. Throws an `OptionError` for one that is not inside
 * any of these folders: a database names what its own build has made.
 */
export function withResponseFiles(
  words: readonly string[],
  directory: string,
  folders: readonly string[],
  depth = 0,
): readonly string[] {
  return words.flatMap((word) => {
    if (!word.startsWith('@')) return [word];
    const path = resolve(directory, word.slice(1));
    if (!folders.some((folder) => isInside(path, folder))) refuse(word, 'this response file is outside the build');
    if (depth === DEPTH) refuse(word, 'response files that name each other without end');
    return withResponseFiles(responseWords(readResponse(word, path)), directory, folders, depth + 1);
  });
}

function readResponse(word: string, path: string): string {
  try {
    return readRegularFile(path, LARGEST).toString('utf8');
  } catch (error) {
    throw error instanceof Unreadable ? new OptionError(`${word}: this response file ${error.message}`) : error;
  }
}

function isInside(path: string, folder: string): boolean {
  const way = relative(realPath(folder), realPath(path));
  return way !== '' && !way.startsWith('..') && !isAbsolute(way);
}

function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

/** Variables from which compilers take paths and flags. */
const VARIABLES = /^(?:CPATH|C_INCLUDE_PATH|CPLUS_INCLUDE_PATH|CCC_OVERRIDE_OPTIONS|GCC_EXEC_PREFIX|_?CL_?)=/;

/** Refuses a command whose flags cannot be read. `words`: those before the first flag, a launcher and the compiler. */
export function assertStart(words: readonly string[]): void {
  for (const word of words) {
    if (VARIABLES.test(word)) refuse(word, 'compilers take flags from this variable; Fencepost does not');
    if (/(?:^|[\\/])(?:clang-)?cl(?:\.exe)?$/i.test(word)) refuse(word, 'its flags, such as /D, are not read');
    if (isShellText(word)) refuse(word, "only a compiler's command is read, not that of a shell");
  }
}

/** Files that compilers take: sources, objects, libraries. */
const INPUT =
  /^[^\s]+\.(?:[cimsh]|ii|mm?|cc|cpp|cxx|c\+\+|hh|hpp|hxx|inc|ll|bc|o|obj|lo|a|lib|so|dylib|dll|def|lds?|res)(?:\.\d+)*$/i;

/** Refuses a word that is neither a flag nor a file that a compiler takes: it may hide flags. */
export function assertInput(word: string): void {
  if (!INPUT.test(word) || isShellText(word)) refuse(word, 'neither a flag nor a file that a compiler takes');
}

/** Whether a shell would replace the word, or it is or begins another command. */
function isShellText(word: string): boolean {
  return /[;&|<>`$\n]|\s-/.test(word);
}

function refuse(word: string, why: string): never {
  throw new OptionError(`${word}: ${why}; give the file's flags on the command line`);
}
