/**
 * Flags of a compiler's command line, as users paste them and as compile_commands.json has them. Each is taken (as
 * options of ours), ignored because it does not change what the program means, or refused by name.
 */
import { isLanguageFlag } from '../frontend/llvm/clang/clang-words.ts';
import { isModel } from '../models/index.ts';
import type { CompileChoices } from './compile.ts';
import { OptionError } from './option.ts';

/** The options that a compiler's flags become. */
type TakenName = keyof Pick<
  CompileChoices,
  | 'defines'
  | 'undefines'
  | 'includePaths'
  | 'quotePaths'
  | 'systemPaths'
  | 'afterPaths'
  | 'includes'
  | 'standard'
  | 'languageFlags'
  | 'target'
  | 'warnings'
>;

export interface Taken {
  readonly name: TakenName;
  /** Absent for `warnings`, which has no argument. */
  readonly value?: string;
}

interface ReadFlag {
  readonly taken: readonly Taken[];
  /** The flag as written, if it has no effect. */
  readonly ignored?: string;
  /** How many words it takes. */
  readonly length: number;
}

/** Flags whose value is in the same word or the next one; longer names first. */
const TAKEN: readonly (readonly [flag: string, name: TakenName])[] = [
  ['-idirafter', 'afterPaths'],
  ['-isystem', 'systemPaths'],
  ['-include', 'includes'],
  ['-iquote', 'quotePaths'],
  ['-D', 'defines'],
  ['-U', 'undefines'],
  ['-I', 'includePaths'],
];

/** Flags whose value is in the same word or the next one, and that only name outputs, libraries or dependency files. */
const IGNORED_WITH_VALUE = ['-MF', '-MT', '-MQ', '-MJ', '-isysroot', '-o', '-L', '-l'];

/** The same, but the value is always the next word. */
const IGNORED_WITH_NEXT = ['-Xlinker', '-Xassembler', '--param', '--sysroot', '-framework', '-z', '-T', '-aux-info'];

const IGNORED = new Set([
  ...['-c', '-S', '-E', '-P', '-C', '-H', '-v', '-s', '-pg', '-pipe', '-save-temps', '--coverage', '-coverage'],
  ...['-M', '-MM', '-MD', '-MMD', '-MP', '-MG', '-MV'],
  ...['-pedantic', '-pedantic-errors', '--pedantic', '--pedantic-errors'],
  ...['-static', '-shared', '-rdynamic', '-pie', '-no-pie', '-static-pie', '-static-libgcc', '-shared-libgcc'],
  ...['-nostdlib', '-nostdinc', '-nodefaultlibs', '-nostartfiles', '-nolibc'],
]);

/** Debugging, optimisation, warnings, linker and assembler options, and the like. */
const IGNORED_FORMS: readonly RegExp[] = [
  /^-g([0-3]|gdb|dwarf|split|no-|line-tables|column|embed|z|$)/,
  /^-O([0-3sgz]|fast|$)/,
  /^-W(?!p,)/,
  /^-f(?!sso-struct|openmp|openacc|blocks|plugin|pass-plugin|objc|modules|coroutines|cilk|xray|instrument)/,
  /^-m(?!16$|x32$)./,
  /^--sysroot=/,
  /^--gcc-(toolchain|install-dir)=/,
  /^-stdlib=/,
  /^-save-temps=/,
  /^-fdiagnostics-/,
  /^--param=/,
];

/** Flags that would change what the program means, but that we cannot take. */
const REFUSED: readonly (readonly [form: RegExp, why: string])[] = [
  [/^-f(openmp|openacc|cilk)/, 'parallel loops are not supported'],
  [/^-fblocks/, 'blocks are not supported'],
  [/^-(fplugin|fpass-plugin|Xclang|load$)/, "clang's plugins and internal options are not passed on"],
  [/^-(fsso-struct|funsigned-bitfields|fno-signed-bitfields)/, 'clang has no such layout of structures'],
  [/^-f(objc|modules|coroutines|xray|instrument)/, 'it is not supported'],
  [/^-(m16|mx32)$/, 'there is no such target; -m32 and -m64 select one'],
  [/^-(imacros|include-pch|iprefix|iwithprefix)/, 'use -include, -I or -isystem'],
  [/^-(arch|b)$/, 'use --target x86_64, i686, aarch64 or riscv64'],
];

const TARGET_FLAGS: Readonly<Record<string, string>> = { '-m32': 'i686', '-m64': 'x86_64' };

/**
 * Reads the flag that begins at `words[at]`, with its value; `undefined` if it is not a compiler's flag. Throws an
 * `OptionError` for a flag that is refused.
 */
export function readCompilerFlag(words: readonly string[], at: number): ReadFlag | undefined {
  const word = words[at]!;
  if (word.startsWith('@'))
    throw new OptionError(
      `${word}: argument files are not read; paste what it contains or, if it is a source, rename it`,
    );
  if (!word.startsWith('-') || word === '-' || word === '--') return undefined;
  return readTaken(words, at) ?? readRefused(word) ?? readIgnored(words, at);
}

function readTaken(words: readonly string[], at: number): ReadFlag | undefined {
  const word = words[at]!;
  if (word === '-w') return one({ name: 'warnings' });
  if (word === '-ansi') return one({ name: 'standard', value: 'c89' });
  if (word === '-pthread') return one({ name: 'defines', value: '_REENTRANT=1' });
  const standard = /^--?std=(.*)$/.exec(word)?.[1];
  if (standard !== undefined) return one({ name: 'standard', value: standard });
  if (TARGET_FLAGS[word] !== undefined) return one({ name: 'target', value: TARGET_FLAGS[word] });
  if (word === '-target' && words[at + 1] !== undefined)
    return { taken: [{ name: 'target', value: words[at + 1]! }], length: 2 };
  if (isLanguageFlag(word)) return one({ name: 'languageFlags', value: word });
  if (word === '-x' || /^-x./.test(word)) return readLanguage(words, at);
  if (word.startsWith('-Wp,')) return readForPreprocessor(word);
  if (/^-include-pch/.test(word)) return undefined;
  const known = TAKEN.find(([flag]) => word.startsWith(flag));
  if (known === undefined) return undefined;
  const [flag, name] = known;
  const [value, length] = word === flag ? [words[at + 1], 2] : [word.slice(flag.length), 1];
  // Without a value, treat it as an option of ours that lacks one.
  return value === undefined ? undefined : { taken: [{ name, value }], length };
}

function one(taken: Taken): ReadFlag {
  return { taken: [taken], length: 1 };
}

/** `-x c`, which has no effect: clang is always told what a file is. */
function readLanguage(words: readonly string[], at: number): ReadFlag {
  const [language, length] = words[at] === '-x' ? [words[at + 1], 2] : [words[at]!.slice(2), 1];
  if (language === 'c' || language === 'none') return { taken: [], length };
  throw new OptionError(`-x ${language ?? ''}: the language follows from the file's suffix; leave this out`);
}

/** `-Wp,-DX=1,-MD,x.d`: flags for the preprocessor, separated by commas. */
function readForPreprocessor(word: string): ReadFlag {
  const words = word.split(',').slice(1);
  const taken: Taken[] = [];
  const ignored: string[] = [];
  for (let at = 0; at < words.length; ) {
    // The preprocessor's own -MD and -MMD are followed by a file.
    const flag = /^-MM?D$/.test(words[at]!) ? ignore(words, at, 2) : readCompilerFlag(words, at);
    if (flag === undefined) throw new OptionError(`${word}: ${words[at]} is not a flag that fencepost knows`);
    taken.push(...flag.taken);
    if (flag.ignored !== undefined) ignored.push(flag.ignored.replaceAll(' ', ','));
    at += flag.length;
  }
  return { taken, ...(ignored.length === 0 ? {} : { ignored: ['-Wp', ...ignored].join(',') }), length: 1 };
}

function readRefused(word: string): undefined {
  const why = REFUSED.find(([form]) => form.test(word))?.[1];
  if (why !== undefined) throw new OptionError(`${word}: ${why}`);
  return undefined;
}

function readIgnored(words: readonly string[], at: number): ReadFlag | undefined {
  const word = words[at]!;
  if (namesModel(word)) return undefined;
  if (IGNORED.has(word) || IGNORED_FORMS.some((form) => form.test(word))) return ignore(words, at, 1);
  if (IGNORED_WITH_NEXT.includes(word)) return ignore(words, at, 2);
  const known = IGNORED_WITH_VALUE.find((flag) => word.startsWith(flag));
  return known === undefined ? undefined : ignore(words, at, word === known ? 2 : 1);
}

function ignore(words: readonly string[], at: number, length: number): ReadFlag {
  return { taken: [], ignored: words.slice(at, at + length).join(' '), length };
}

/** `-mtso,pso`: our own option, glued to its value. */
function namesModel(word: string): boolean {
  const names = word.startsWith('-m') ? word.slice(2).toLowerCase().split(',') : [];
  return names.some(isModel);
}

/** One line for all flags that had no effect; empty if there were none. */
export function ignoredText(ignored: readonly string[], where = ''): string {
  if (ignored.length === 0) return '';
  const optimises = ignored.some((flag) => /^-O[^0]/.test(flag));
  const why = optimises ? ' (programs are checked as written, without optimisation; see --optimise)' : '';
  return `note: ${where}these compiler flags have no effect here: ${[...new Set(ignored)].join(' ')}${why}`;
}
