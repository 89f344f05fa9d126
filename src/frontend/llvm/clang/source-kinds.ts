/** The kind of a user's file, and whether the file is what its name says. */
import { readFileSync, statSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { MAX_SOURCE, readSourceFile, STANDARD_INPUT } from '../../../platform/standard-input.ts';
import { bitcodeTarget, isBitcode } from './bitcode.ts';
import { CompileError } from './compile-error.ts';
import type { Target } from './targets.ts';

/**
 * C; C++; preprocessed C, perhaps for another libc; LLVM IR that clang must convert to the current form; IR that we
 * read.
 */
type SourceKind = 'c' | 'c++' | 'preprocessed' | 'old-ir' | 'ir';

export interface Source {
  /** As the user typed it. */
  readonly file: string;
  readonly kind: SourceKind;
  readonly bytes: Buffer;
  /** For IR: the target it was made for, if it names one. */
  readonly target?: string;
}

export function readSource(file: string, cwd: string): Source {
  if (file === STANDARD_INPUT) {
    const bytes = readSourceFile(file);
    readText(file, bytes);
    return { file, kind: 'c', bytes };
  }
  const extension = extname(file).toLowerCase();
  const path = resolve(cwd, file);
  if (!EXTENSIONS.includes(extension) && !isFolder(path)) {
    throw new CompileError('file', `${file}: ${whyNot(extension)}`);
  }
  const bytes = readBytes(file, path);
  switch (extension) {
    case '.bc': {
      if (!isBitcode(bytes)) throw new CompileError('file', `${file}: not LLVM bitcode`);
      return withTarget({ file, kind: 'old-ir', bytes }, bitcodeTarget(bytes));
    }
    case '.ll': {
      const text = readText(file, bytes);
      const kind = hasTypedPointers(text) ? 'old-ir' : 'ir';
      return withTarget({ file, kind, bytes }, /^target triple = "([^"]*)"/m.exec(text)?.[1]);
    }
    default:
      readText(file, bytes);
      return { file, kind: extension === '.i' ? 'preprocessed' : isCxxFile(file) ? 'c++' : 'c', bytes };
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

const CXX_EXTENSIONS = ['.cc', '.cpp', '.cxx', '.c++'];
const EXTENSIONS = ['.c', '.i', '.ll', '.bc', ...CXX_EXTENSIONS];

/** Whether a file is C++. As for other compilers, `.C` is. */
export function isCxxFile(file: string): boolean {
  const extension = extname(file);
  return extension === '.C' || CXX_EXTENSIONS.includes(extension.toLowerCase());
}

function whyNot(extension: string): string {
  const taken = 'programs are .c, .cpp (also .cc, .cxx, .C), .i (preprocessed C), .ll or .bc (LLVM IR) files';
  if (extension === '.ii') return `preprocessed C++ is not supported; ${taken}`;
  if (['.h', '.hpp', '.hh', '.hxx'].includes(extension)) return `a header is not a program; ${taken}`;
  return `unknown kind of file; ${taken}`;
}

function readBytes(file: string, path: string): Buffer {
  try {
    const status = statSync(path);
    const { size } = status;
    // Some have no end.
    if (status.isCharacterDevice()) throw new CompileError('file', `${file}: is a device`);
    if (size > MAX_SOURCE) throw new CompileError('file', `${file}: too large: ${size} bytes, at most ${MAX_SOURCE}`);
    return readFileSync(path);
  } catch (error) {
    if (error instanceof CompileError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EISDIR') throw new CompileError('file', `${file}: is a folder, not a file`);
    if (code === 'ENOENT') throw new CompileError('file', `${file}: no such file`);
    if (code === 'EACCES') throw new CompileError('file', `${file}: no permission to read it`);
    throw new CompileError('file', `${file}: cannot be read: ${code ?? error}`);
  }
}

/** Given a binary file, clang would print a screen of complaints about its characters. */
function readText(file: string, bytes: Buffer): string {
  const zero = bytes.indexOf(0);
  if (zero >= 0) throw new CompileError('file', `${file}: not a text file: byte ${zero} is zero`);
  return bytes.toString('latin1');
}

/** `i32*` and the like, which LLVM no longer writes since version 15; clang still reads them. `*` has no other use. */
function hasTypedPointers(text: string): boolean {
  return text
    .replace(/"[^"\n]*"/g, '')
    .replace(/;.*/g, '')
    .includes('*');
}

/** Whether a file is LLVM IR, which names the machine that it is for. */
export function isIrFile(file: string): boolean {
  return ['.ll', '.bc'].includes(extname(file).toLowerCase());
}

const MACHINES: readonly (readonly [RegExp, Target])[] = [
  [/^(?:x86_64|amd64)-/, 'x86_64'],
  [/^i[3-6]86-/, 'i686'],
  [/^(?:aarch64|arm64)-/, 'aarch64'],
  [/^riscv64-/, 'riscv64'],
];

/** The machine that a file of LLVM IR is for, if it names one. */
export function machineOf({ target, bytes, kind }: Source): Target | undefined {
  if (target !== undefined) return MACHINES.find(([triple]) => triple.test(target))?.[1];
  const isNarrow = kind === 'ir' && /^target datalayout = "[^"]*\bp(?:0)?:32:/m.test(bytes.toString('latin1'));
  return isNarrow ? 'i686' : undefined;
}

function withTarget(source: Source, target: string | undefined): Source {
  if (target === undefined || target === '') return source;
  if (!MACHINES.some(([triple]) => triple.test(target))) {
    throw new CompileError(
      'file',
      `${source.file}: made for ${target}; supported are x86_64, i686, aarch64 and riscv64: ` +
        'make it with clang --target=x86_64-linux-gnu -mlong-double-64',
    );
  }
  return { ...source, target };
}
