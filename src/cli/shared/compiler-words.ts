/** Compiler flags that people paste into our command line: converted to our own spelling, or left out. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command, Option as CommanderOption } from 'commander';
import { COMPILE } from '../../options/compile.ts';
import { ignoredText, readCompilerFlag, type Taken } from '../../options/compiler-flags.ts';
import { OptionError } from '../../options/option.ts';

interface PlainWords {
  readonly words: readonly string[];
  /** Says what was left out; empty if nothing was. */
  readonly note: string;
}

/**
 * `words` are those after the command's name. A relative path of a file of stubs is relative to `folder`. Throws an
 * `OptionError` for a flag that is rejected.
 */
export function withoutCompilerFlags(words: readonly string[], command: Command, folder = '.'): PlainWords {
  const plain: string[] = [];
  const ignored: string[] = [];
  const end = words.indexOf('--');
  const last = end < 0 ? words.length : end;
  for (let at = 0; at < last; ) {
    const length = STUBS.test(words[at]!)
      ? 1 + Number(words[at] === '--stubs')
      : ownLength(words.slice(0, last), at, command);
    if (STUBS.test(words[at]!)) plain.push(...stubWords(words[at]!.split('=')[1] ?? words[at + 1], folder));
    else if (length > 0) plain.push(...words.slice(at, at + length));
    const flag = length > 0 ? undefined : readCompilerFlag(words.slice(0, last), at);
    if (length === 0 && flag === undefined) plain.push(words[at]!);
    plain.push(...(flag?.taken.flatMap(spelled) ?? []));
    if (flag?.ignored !== undefined) ignored.push(flag.ignored);
    at += length > 0 ? length : (flag?.length ?? 1);
  }
  return { words: [...plain, ...words.slice(last)], note: ignoredText(ignored) };
}

const STUBS = /^--stubs(?:=|$)/;

/** One `--stub` per line of the file; `#` starts a comment. */
function stubWords(file: string | undefined, folder: string): readonly string[] {
  if (file === undefined) throw new OptionError('--stubs: expected a file, with NAME or NAME=VALUE on each line');
  let text: string;
  try {
    text = readFileSync(resolve(folder, file), 'utf8');
  } catch (error) {
    throw new OptionError(`--stubs ${file}: cannot be read: ${(error as NodeJS.ErrnoException).code ?? error}`);
  }
  const lines = text.split(/\r?\n/).map((line) => line.replace(/#.*/, '').trim());
  return lines.filter((line) => line !== '').map((line) => `--stub=${line}`);
}

/** A single word, so that a value that begins with a dash is not taken for an option. */
function spelled({ name, value }: Taken): readonly string[] {
  const word = /--[\w-]+/.exec(COMPILE[name].flags)![0];
  return [value === undefined ? word : `${word}=${value}`];
}

/** How many words one of our own options takes here; 0 if there is none, or a compiler flag with the same spelling. */
function ownLength(words: readonly string[], at: number, command: Command): number {
  const word = words[at]!;
  const [name] = word.split('=', 1);
  const option = command.options.find(({ long, short }) => long === name || short === word);
  if (option === undefined || isOfCompiler(option, word, words[at + 1])) return 0;
  return option.required && !(word.startsWith('--') && word.includes('=')) ? Math.min(2, words.length - at) : 1;
}

/**
 * `-D`, `-U` and `-I` have the same spelling in both. `-s` and `-g` are the compiler's unless a value of ours follows,
 * since the compiler's take none.
 */
function isOfCompiler({ short }: CommanderOption, word: string, next: string | undefined): boolean {
  if (word !== short) return false;
  return (
    ['-D', '-U', '-I'].includes(word) || (['-s', '-g'].includes(word) && (next === undefined || /^-|[./]/.test(next)))
  );
}
