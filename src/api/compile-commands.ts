/** compile_commands.json: how a build compiles each file. */
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { FileOptions } from '../frontend/llvm/clang/clang-flags.ts';
import { CompileError } from '../frontend/llvm/clang/compile-error.ts';
import type { Target } from '../frontend/llvm/clang/targets.ts';
import { ignoredText, readCompilerFlag, type Taken } from '../options/compiler-flags.ts';
import { OptionError } from '../options/option.ts';

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
  const targets = new Set<Target>();
  for (const file of files) {
    const entry = entries.find((known) => realPath(resolve(known.directory, known.file)) === realPath(resolve(file)));
    if (entry === undefined) continue;
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
  const notes = [
    ignoredText(ignored, `in ${database}, `),
    others.length > 0 ? `note: ${missing}` : '',
    unchecked.length > 0 ? `note: ${silent}` : '',
  ];
  const [target] = targets;
  return { ofFiles, ...(target === undefined ? {} : { target }), notes: notes.filter((note) => note !== '') };
}

function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

function readEntries(database: string): readonly Entry[] {
  const fail = (why: string): never => {
    throw new CompileError('file', `${database}: ${why}`);
  };
  let text = '';
  try {
    text = readFileSync(database, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    fail(code === 'ENOENT' ? 'no such file' : `cannot be read: ${code}`);
  }
  let entries: unknown;
  try {
    entries = JSON.parse(text);
  } catch (error) {
    fail(`cannot be read as JSON: ${(error as Error).message}`);
  }
  if (!Array.isArray(entries)) return fail('expected a list of commands');
  return entries.map((entry: Readonly<Record<string, unknown>>) => {
    const { directory, file, command, arguments: words } = entry;
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

/** Splits a command line into words as a POSIX shell does. */
export function shellWords(line: string): readonly string[] {
  const words: string[] = [];
  const part = /\s+|'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)|([^\s'"\\]+)|(.)/gs;
  let word: string | undefined;
  for (const [whole, single, double, escaped, plain, other] of line.matchAll(part)) {
    if (/^\s/.test(whole)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = (word ?? '') + (single ?? double?.replace(/\\([$`"\\\n])/g, '$1') ?? escaped ?? plain ?? other ?? '');
    }
  }
  return word === undefined ? words : [...words, word];
}

const PATHS: ReadonlySet<string> = new Set(['includePaths', 'quotePaths', 'systemPaths', 'afterPaths', 'includes']);

function optionsOf(
  { directory, file, words: all }: Entry,
  database: string,
  ignored: string[],
  targets: Set<Target>,
): FileOptions {
  // The compiler, perhaps after a launcher.
  const words = all.slice(
    Math.max(
      1,
      all.findIndex((word) => word.startsWith('-')),
    ),
  );
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
  for (let at = 0; at < words.length; ) {
    const flag = readFlag(words, at, `${database}: ${file}`);
    flag?.taken.forEach(take);
    if (flag?.ignored !== undefined && !OUTPUTS.test(flag.ignored)) ignored.push(flag.ignored);
    at += flag?.length ?? 1;
  }
  return { ...lists, ...(standard === undefined ? {} : { standard }) };
}

/** Every command in a database has these, so ignoring them is not worth a note. */
const OUTPUTS = /^-(?:c|o|M\w*)(?: |$)/;

function readFlag(words: readonly string[], at: number, where: string): ReturnType<typeof readCompilerFlag> {
  try {
    const flag = readCompilerFlag(words, at);
    if (flag !== undefined || !words[at]!.startsWith('-') || words[at]!.length < 2 || words[at] === '--') return flag;
    throw new OptionError(`${words[at]}: not a flag that fencepost knows; give the file's flags on the command line`);
  } catch (error) {
    throw error instanceof OptionError ? new CompileError('file', `${where}: ${error.message}`) : error;
  }
}

/** As the user would write it: places in reports are relative to the current folder if they are inside it. */
function near(path: string): string {
  const short = relative('', path);
  return short === '' ? '.' : short.startsWith('..') ? path : short;
}
