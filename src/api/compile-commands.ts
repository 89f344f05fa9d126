/** compile_commands.json: how a build compiles each file. */
import { realpathSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { FileOptions } from '../frontend/llvm/clang/clang-flags.ts';
import { CompileError } from '../frontend/llvm/clang/compile-error.ts';
import type { Target } from '../frontend/llvm/clang/targets.ts';
import { ignoredText, readCompilerFlag, type Taken } from '../options/compiler-flags.ts';
import { OptionError } from '../options/option.ts';
import { readRegularFile } from '../platform/regular-file.ts';
import { assertInput, assertStart, shellWords, withResponseFiles } from './command-words.ts';

const NAME = 'compile_commands.json';

interface Entry {
  readonly directory: string;
  readonly file: string;
  readonly words: readonly string[];
}

interface FoundCommands {
  /** By file, as the user wrote it. */
  readonly ofFiles: ReadonlyMap<string, FileOptions>;
  /** The target that -m32 or -m64 selects for all files. */
  readonly target?: Target;
  /** Messages about flags left out and files without a command. */
  readonly notes: readonly string[];
}

/**
 * The options of these files in the database at `path`, or in the database inside that folder. Throws a `CompileError`.
 */
export function findCommands(path: string, files: readonly string[]): FoundCommands {
  const database = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true ? join(path, NAME) : path;
  const entries = readEntries(database);
  const ofFiles = new Map<string, FileOptions>();
  const ignored: string[] = [];
  const several: string[] = [];
  const targets = new Set<Target>();
  for (const file of files) {
    const path = realPath(resolve(file));
    const [entry, ...more] = entries.filter((known) => realPath(resolve(known.directory, known.file)) === path);
    if (entry === undefined) continue;
    if (more.some((other) => differs(entry, other))) several.push(file);
    ofFiles.set(file, optionsOf(entry, database, ignored, targets));
  }
  if (targets.size > 1) throw new CompileError('file', `${database}: has both -m32 and -m64 for these files`);
  const others = files.filter((file) => !ofFiles.has(file));
  if (others.length === files.length) {
    throw new CompileError('file', `${database}: has none of these files: ${files.join(', ')}`);
  }
  const missing = `${database} does not have ${others.join(', ')}: compiled with the flags of the command line`;
  const unchecked = [...ofFiles].filter(([, { defines }]) => defines.some((name) => /^NDEBUG(?:=|$)/.test(name)));
  const silent = `${database} defines NDEBUG: no assert is checked in ${unchecked.map(([file]) => file).join(', ')} without -U NDEBUG`;
  const first = `${database} has several commands for ${several.join(', ')}: the flags of the first are used`;
  const notes = [
    several.length > 0 ? `note: ${first}` : '',
    ignoredText(ignored, `in ${database}, `),
    others.length > 0 ? `note: ${missing}` : '',
    unchecked.length > 0 ? `note: ${silent}` : '',
  ];
  const [target] = targets;
  return { ofFiles, ...(target === undefined ? {} : { target }), notes: notes.filter((note) => note !== '') };
}

/** Whether they are different commands, wherever their output goes. */
function differs(one: Entry, other: Entry): boolean {
  const textOf = ({ directory, words }: Entry): string =>
    JSON.stringify([directory, words.filter((_, i) => words[i - 1] !== '-o')]);
  return textOf(one) !== textOf(other);
}

function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

/** As long as a string can be, roughly: databases of large builds have hundreds of megabytes. */
const MAX_BYTES = 400_000_000;

function readEntries(database: string): readonly Entry[] {
  const fail = (why: string): never => {
    throw new CompileError('file', `${database}: ${why}`);
  };
  let text = '';
  try {
    text = readRegularFile(database, MAX_BYTES).toString('utf8');
  } catch (error) {
    fail((error as Error).message);
  }
  let entries: unknown;
  try {
    entries = JSON.parse(text);
  } catch (error) {
    fail(`cannot be read as JSON: ${(error as Error).message}`);
  }
  if (!Array.isArray(entries)) return fail('expected a list of commands');
  return entries.map((entry: unknown) => {
    if (typeof entry !== 'object' || entry === null) return fail('an entry is not an object');
    const { directory, file, command, arguments: words } = entry as Readonly<Record<string, unknown>>;
    if (typeof directory !== 'string' || typeof file !== 'string') return fail('an entry has no directory or file');
    if (Array.isArray(words)) return { directory: inside(directory), file, words: words.map(String) };
    if (typeof command !== 'string') return fail(`the entry of ${file} has neither a command nor arguments`);
    return { directory: inside(directory), file, words: shellWords(command) };
  });

  /** The format requires absolute directories; a relative one is taken as relative to the database. */
  function inside(directory: string): string {
    return resolve(database, '..', directory);
  }
}

const PATHS: ReadonlySet<string> = new Set(['includePaths', 'quotePaths', 'systemPaths', 'afterPaths', 'includes']);

function optionsOf(
  { directory, file, words: all }: Entry,
  database: string,
  ignored: string[],
  targets: Set<Target>,
): FileOptions {
  const where = `${database}: ${file}`;
  const words = refusedAt(where, () => withResponseFiles(all, directory, [directory, dirname(database)]));
  const first = words.findIndex((word) => word.startsWith('-'));
  const lists: Record<Exclude<keyof FileOptions, 'standard'>, string[]> = {
    defines: [],
    undefines: [],
    includePaths: [],
    quotePaths: [],
    systemPaths: [],
    afterPaths: [],
    includes: [],
    languageFlags: [],
  };
  let standard: string | undefined;
  const take = ({ name, value = '' }: Taken): void => {
    const macro = /^[^=(]*/.exec(value)![0];
    if (name === 'defines') lists.undefines = lists.undefines.filter((known) => known !== macro);
    if (name === 'undefines') lists.defines = lists.defines.filter((known) => /^[^=(]*/.exec(known)![0] !== value);
    if (name === 'standard') standard = value;
    else if (name === 'target') targets.add(value as Target);
    else if (name === 'warnings') ignored.push('-w');
    else lists[name].push(PATHS.has(name) ? near(resolve(directory, value)) : value);
  };
  // The compiler, perhaps after a launcher.
  const isSource = (word: string): boolean => realPath(resolve(directory, word)) === realPath(resolve(directory, file));
  const start = first < 0 ? words.length : first;
  refusedAt(where, () => assertStart(words.slice(0, start)));
  for (let at = start; at < words.length; ) {
    const flag = refusedAt(where, () => readWord(words, at, isSource));
    flag?.taken.forEach(take);
    if (flag?.ignored !== undefined && !OUTPUTS.test(flag.ignored)) ignored.push(flag.ignored);
    at += flag?.length ?? 1;
  }
  return { ...lists, ...(standard === undefined ? {} : { standard }) };
}

/** Every command in a database has these, so ignoring them is not worth a note. */
const OUTPUTS = /^-(?:c|o|M\w*)(?: |$)/;

/** `isSource`: whether a word is the name of the file. */
function readWord(
  words: readonly string[],
  at: number,
  isSource: (word: string) => boolean,
): ReturnType<typeof readCompilerFlag> {
  const word = words[at]!;
  const flag = readCompilerFlag(words, at);
  if (flag !== undefined || word === '--') return flag;
  if (word.startsWith('-'))
    throw new OptionError(`${word}: not a flag that fencepost knows; give the file's flags on the command line`);
  if (!isSource(word)) assertInput(word);
  return undefined;
}

function refusedAt<T>(where: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof OptionError ? new CompileError('file', `${where}: ${error.message}`) : error;
  }
}

/** As the user would write it: places in reports are relative to the current folder if they are inside it. */
function near(path: string): string {
  const short = relative('', path);
  return short === '' ? '.' : short.startsWith('..') ? path : short;
}
