/**
 * Untrusted words (from a command line, a report, a request) that are passed to clang as arguments. Clang treats an
 * argument that begins with `@` as a file of further arguments, and one that begins with `-` as an option: with
 * `-fplugin=` it runs whatever that names. This applies again when the driver calls the compiler proper, which gets the
 * value of `-D` and the last part of the source's name as separate arguments.
 */
import { posix } from 'node:path';
import { CompileError } from './compile-error.ts';

/**
 * A path as an argument: changed so that it begins as only a path can. Plain names are kept, because clang repeats them
 * in messages.
 */
export function pathArgument(path: string): string {
  const isPlain = /^(?:[\w./]|\P{ASCII})/u.test(path) || (process.platform === 'win32' && path.startsWith('\\'));
  return isPlain ? path : `./${path}`;
}

/** In bytes. Systems do not start a program with a longer argument. */
const LONGEST = 100_000;

function assertLength(what: string, text: string): void {
  if (Buffer.byteLength(text) <= LONGEST) return;
  throw new CompileError('file', `${what} ${text.slice(0, 40)}…: longer than ${LONGEST} bytes, too long for clang`);
}

/** Refuses a path that cannot be passed to clang, or that we could not recognise in its output. */
export function assertPath(path: string): void {
  if (path === '') throw new CompileError('file', 'a file or folder name must not be empty');
  assertLength('the name', path);
  const control = /\p{Cc}/u.exec(path)?.[0];
  if (control === undefined) return;
  const code = control.charCodeAt(0).toString(16).padStart(2, '0');
  throw new CompileError(
    'file',
    `${path}: a name with a control character (0x${code}) cannot be given to clang; rename it`,
  );
}

/** Refuses a source name that clang would misinterpret. */
export function assertSourceName(file: string): void {
  assertPath(file);
  if (posix.basename(file).startsWith('@')) {
    throw new CompileError(
      'file',
      `${file}: clang would read arguments from a file whose name begins with "@"; rename it`,
    );
  }
}

/** Refuses anything but `NAME`, `NAME=VALUE` or `NAME(PARAMETERS)=VALUE`. */
export function assertMacro(option: '-D' | '-U', text: string): void {
  assertLength(option, text);
  const form = option === '-D' ? /^(?:[A-Za-z_$]|\P{ASCII})(?:\P{Cc}|\t)*$/u : /^(?:[\w$]|\P{ASCII})+$/u;
  if (form.test(text)) return;
  const expected = option === '-D' ? 'NAME or NAME=VALUE' : 'a NAME';
  throw new CompileError('file', `${option} ${text}: expected ${expected}`);
}

/** Refuses anything but a language standard. */
export function assertStandard(text: string): void {
  if (!/^[\w:+]+$/.test(text)) throw new CompileError('file', `-std ${text}: not a language standard`);
}

/** Flags of clang that change the language or the layout of data, and nothing else. */
const LANGUAGE_FLAG =
  /^-(?:f(?:no-)?(?:(?:un)?signed-char|short-enums|short-wchar|common|ms-extensions|gnu89-inline|wrapv|asm|gnu-keywords|dollars-in-identifiers|trigraphs|declspec)|ffreestanding|fhosted|fpack-struct(?:=\d+)?|trigraphs|mcx16)$/;

export function isLanguageFlag(word: string): boolean {
  return LANGUAGE_FLAG.test(word);
}

/** Refuses all other flags: they run programs, or change what we rely on. */
export function assertLanguageFlag(word: string): void {
  if (!isLanguageFlag(word)) throw new CompileError('file', `${word}: not a flag that changes the language`);
}

/** Variables without which some clangs do not start: they locate programs, libraries, temporary files and Xcode. */
const PASSED_ON = [
  ...['PATH', 'HOME', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'DEVELOPER_DIR'],
  ...['TMPDIR', 'TMP', 'TEMP', 'SystemRoot', 'windir'],
];

/**
 * Only these are passed on: clang reads many variables (`CPATH`, `CCC_OVERRIDE_OPTIONS`, …) that change how it
 * compiles.
 */
export function clangEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const isPassedOn = (name: string): boolean =>
    PASSED_ON.some((known) =>
      process.platform === 'win32' ? known.toUpperCase() === name.toUpperCase() : known === name,
    );
  const all = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(all.filter(([name]) => isPassedOn(name)));
}
