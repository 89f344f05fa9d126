/**
 * frontend/llvm/: from C, C++ or LLVM IR to a program.
 *
 *   clang.ts       the user's files, and our library, to textual IR; cached
 *   reader.ts      text to modules (module.ts)
 *   unwinding.ts, inlined-slots.ts      C++ modules: exceptions become jumps, slots of inlined functions are removed
 *   link.ts        modules of one program joined
 *   lower.ts       to the program form: names by program-symbols.ts, functions by lower-function.ts, lower-call.ts,
 *                  lower-intrinsic.ts, lower-assembly.ts and primitives.ts, with the state in function-context.ts;
 *                  simplified by program/inline.ts and simplify.ts
 *
 *   program-cache.ts      the program of an earlier run, if nothing has changed
 *
 * What cannot be modelled is refused, with file and line (`FrontendError`); where clang refuses, its own message is
 * quoted (`CompileError`). Knows `program/` and nothing above it.
 */
import { basename, resolve } from 'node:path';
import { hash } from '../../platform/hash.ts';
import { readStart } from '../../platform/regular-file.ts';
import { readSourceFile, STANDARD_INPUT } from '../../platform/standard-input.ts';
import { finishBy, TimeIsUp } from '../../platform/time-limit.ts';
import { stackNeeded } from '../../program/call-depth.ts';
import { inlineLibrary, inlineLocal } from '../../program/inline.ts';
import type { Program } from '../../program/ir.ts';
import { dropPauses } from '../../program/pauses.ts';
import { promote } from '../../program/promote.ts';
import { simplify, simplifyLibrary } from '../../program/simplify.ts';
import { assertValid } from '../../program/validate.ts';
import { type CompiledProgram, compileProgram } from './clang/clang.ts';
import type { CompileOptions } from './clang/clang-flags.ts';
import { CompileError } from './clang/compile-error.ts';
import { type Inputs, joinInputs } from './clang/inputs.ts';
import type { LibraryModule } from './clang/library-cache.ts';
import { isCxxFile, isIrFile } from './clang/source-kinds.ts';
import { nameOfType } from './ir/cxx-names.ts';
import { FrontendError } from './ir/frontend-error.ts';
import { MacroPlaces } from './ir/macro-places.ts';
import type { Module, Place } from './ir/module.ts';
import { readModule, readModuleOnDemand } from './ir/reader.ts';
import { CLOCK, namesClock } from './lower/assembly-text.ts';
import { withoutSlots } from './lower/inlined-slots.ts';
import { Linker } from './lower/link.ts';
import { lowerProgram } from './lower/lower.ts';
import { findThrowing } from './lower/may-throw.ts';
import { type Range, readRange } from './lower/nondet-range.ts';
import { hasSmallMutex } from './lower/own-mutex.ts';
import { FAILS_TO_EXCHANGE, type Settings } from './lower/program-symbols.ts';
import { readStub } from './lower/stubs.ts';
import { callsMembarrier, type Futexes, MEMBARRIER } from './lower/system-calls.ts';
import { withoutUnwinding } from './lower/unwinding.ts';
import { GUARD } from './lower/unwinding-runtime.ts';
import { DIVIDE_WIDE, dividesWide } from './lower/wide-integers.ts';
import { ProgramCache } from './program-cache.ts';

export interface CProgramOptions extends CompileOptions {
  readonly entry: string;
  /** `argv[1]` and so on. */
  readonly arguments: readonly string[];
  /**
   * How often each thread may wake spuriously from a condition wait, and its weak compare-exchanges fail; 0 by default.
   */
  readonly spurious?: number;
  /** `linux`: futex calls are full barriers under RC11, too; otherwise they order only what their queue's lock does. */
  readonly futex?: Futexes;
  /** Memory that has not been written contains junk instead of zeroes. */
  readonly junk?: boolean;
  /**
   * Depending on memory that has not been written is an error. With neither option, it is zero, and programs may rely
   * on that.
   */
  readonly uninitialised?: boolean;
  /** `name` or `name=value`: undefined functions to replace by ones that only return this value, or zero. */
  readonly stubs?: readonly string[];
  /** The range of arbitrary numbers: `0..3`. */
  readonly nondet?: string;
  /** The file that is the program's standard input; it is empty by default. */
  readonly stdin?: string;
  /** Leaves room for many threads. */
  readonly manyThreads?: boolean;
  /** Does not simplify: every instruction stays where clang put it. */
  readonly asWritten?: boolean;
  /** For tests: a local variable whose address is passed to a function is shared, and no variable is fleeting. */
  readonly sharedLocals?: boolean;
  /** When reading must have ended, as a value of `performance.now()`: then a `TimeIsUp` is thrown. */
  readonly deadline?: number;
  /** For tests: keeps what only decides how to pause (`pauses.ts`). */
  readonly keepsPauses?: boolean;
}

export interface CProgram {
  readonly program: Program;
  /** Clang's warnings, unchanged. */
  readonly diagnostics: string;
  /** The clang, in words. */
  readonly clang: string;
  /** What it was made from, except our library, if known. */
  readonly inputs?: Inputs;
  /** The same program, not simplified, so that every local variable has its value; made when first requested. */
  readonly asWritten: () => Program;
}

/** Each library module is read once per process, however many programs need it. Modules are immutable. */
let libraryModules = new WeakMap<LibraryModule, Module>();

function readLibraryModule(file: LibraryModule): Module {
  let module = libraryModules.get(file);
  if (module === undefined) {
    module = readModuleOnDemand(file.ir, file.file);
    libraryModules.set(file, module);
  }
  return module;
}

/** What intrinsics need from our library. */
const LIBRARY_NAMES: Readonly<Record<string, string>> = {
  'llvm.x86.rdtsc': '__fencepost_clock',
  'llvm.readcyclecounter': '__fencepost_clock',
  'llvm.fma.f64': 'fma',
  'llvm.fma.f32': 'fmaf',
};

/**
 * Reads the library files that define a name which these modules only declare, or one of the other names, and what
 * those files need in turn.
 */
function readNeeded(
  user: readonly Module[],
  library: readonly LibraryModule[],
  others: Iterable<string>,
): readonly Module[] {
  const rest = new Set(library);
  const needed: Module[] = [];
  const undefinedNames = new Set(others);
  for (let newest = user; newest.length > 0; undefinedNames.clear()) {
    for (const { functions, globals } of newest) {
      // What library files declare weakly is a hook: other library files define it, if the program needs those.
      const isHook = (isWeak: boolean): boolean => isWeak && newest !== user;
      for (const { name, isDefinition, isCopy, isWeak } of functions.values()) {
        if ((!isDefinition || isCopy === true) && !isHook(isWeak)) undefinedNames.add(LIBRARY_NAMES[name] ?? name);
      }
      for (const { name, init } of globals.values()) if (init === undefined) undefinedNames.add(name);
      if (globals.has('llvm.global_dtors')) undefinedNames.add('__fencepost_use_exit_handlers');
    }
    const found: Module[] = [];
    for (const file of rest) {
      if (!file.defines.some((name) => undefinedNames.has(name))) continue;
      rest.delete(file);
      found.push(readLibraryModule(file));
    }
    needed.push(...found);
    newest = found;
  }
  return needed;
}

/** Whether threads may end other than by returning: in C++, that runs destructors. */
function endsThreads({ functions }: Module): boolean {
  return ['pthread_exit', 'thrd_exit', 'pthread_cancel'].some((name) => functions.has(name));
}

/** Whether its inline assembly calls our library. */
function readsClock({ functions }: Module): boolean {
  for (const { blocks } of functions.values()) {
    for (const { body } of blocks) {
      for (const i of body) if (i.op === 'call' && i.callee.kind === 'asm' && namesClock(i.callee.text)) return true;
    }
  }
  return false;
}

export async function loadCProgram(files: readonly string[], options: CProgramOptions): Promise<CProgram> {
  const compiled = await compileProgram(files, options);
  const diagnostics = compiled.files.map((file) => file.diagnostics).join('');
  try {
    const { deadline = Number.POSITIVE_INFINITY } = options;
    const program = finishBy(deadline, () => makeProgram(files, compiled, options));
    const inputs = compiled.files.flatMap((file) => file.inputs ?? []);
    const isTracked = inputs.length === compiled.files.length;
    return {
      program,
      diagnostics,
      clang: compiled.files[0]!.clang,
      asWritten: once(() => makeProgram(files, compiled, { ...options, asWritten: true })),
      ...(isTracked ? { inputs: joinInputs(inputs) } : {}),
    };
  } catch (error) {
    // Clang's warnings often explain the error.
    if (error instanceof FrontendError) error.diagnostics = diagnostics;
    // Functions of these are read when they are needed: one may be half read.
    if (error instanceof TimeIsUp) libraryModules = new WeakMap();
    throw error;
  }
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function readBytes(file: string): Buffer | undefined {
  try {
    return readSourceFile(file);
  } catch {
    return undefined;
  }
}

/** A compiled, read and linked program, which can be lowered for any entry and arguments. */
export interface LinkedCProgram {
  start(entry: string, args: readonly string[]): Program;
}

export async function linkCProgram(
  files: readonly string[],
  options: Omit<CProgramOptions, 'entry' | 'arguments'>,
): Promise<LinkedCProgram> {
  const linked = link(await compileProgram(files, options), options);
  const settings = options.stdin === undefined ? {} : standardInput(options.stdin);
  return { start: (entry, args) => lower(files, linked, { ...options, entry, arguments: args }, settings) };
}

function makeProgram(files: readonly string[], compiled: CompiledProgram, options: CProgramOptions): Program {
  const settings = options.stdin === undefined ? {} : standardInput(options.stdin);
  const cache = openCache(compiled, options, settings);
  const known = cache?.get();
  if (known !== undefined) return known;
  const program = lower(files, link(compiled, options, cache), options, settings);
  cache?.put(program);
  return program;
}

/**
 * The options that a program depends on beyond its IR. Every option is listed, so that none is forgotten: callers pass
 * the options of a whole command. For standard input, its contents count.
 */
const DECIDES: Readonly<Record<keyof CProgramOptions, boolean>> = {
  ...{
    entry: true,
    arguments: true,
    spurious: true,
    futex: true,
    junk: true,
    uninitialised: true,
    stubs: true,
    nondet: true,
  },
  ...{
    stdin: false,
    manyThreads: true,
    asWritten: true,
    sharedLocals: true,
    keepsPauses: true,
    defines: true,
    undefines: true,
    includePaths: true,
  },
  ...{ quotePaths: true, systemPaths: true, afterPaths: true, includes: true, languageFlags: true, warnings: false },
  ...{
    ofFiles: true,
    standard: true,
    cStandard: true,
    cxxStandard: true,
    target: true,
    isLibrary: true,
    inlineDefinitions: true,
    optimise: true,
    clang: true,
  },
  ...{
    cache: false,
    headers: true,
    libcxx: true,
    onCompile: false,
    signal: false,
    deadline: false,
    replacements: true,
  },
};

/** Programs with replaced files are not cached. */
function openCache(compiled: CompiledProgram, options: CProgramOptions, settings: Settings): ProgramCache | undefined {
  if (!options.cache || options.replacements !== undefined) return undefined;
  const names = (Object.keys(DECIDES) as (keyof CProgramOptions)[]).filter((name) => DECIDES[name]);
  const asked = names.map((name) => [name, name === 'ofFiles' ? [...(options.ofFiles ?? [])] : options[name]]);
  const texts = Object.entries(settings).map(([name, value]) => [
    name,
    typeof value === 'number' ? value : hash(value),
  ]);
  return ProgramCache.open(compiled, [asked, texts], process.env);
}

interface Linked {
  readonly linker: Linker;
  /** Whether mutexes have kinds, and whether the program may set them at run time: for `lib/mutex.c`. */
  readonly kinds: number;
  /** Finds the place of a text in a source file. */
  readonly placeOf: (file: string, text: string) => Place | undefined;
}

function range(text: string): Range {
  const read = readRange(text);
  if (read === undefined) throw new CompileError('file', `--nondet ${text}: expected LO..HI, such as 0..3`);
  return read;
}

/** The maximum size of standard input, in bytes. */
const MAX_INPUT = 1 << 16;

function standardInput(file: string): Settings {
  let bytes: Uint8Array;
  try {
    bytes = readStart(file, MAX_INPUT + 1);
  } catch (error) {
    throw new CompileError('file', `--stdin ${file}: ${(error as Error).message}`);
  }
  if (bytes.length > MAX_INPUT) throw new CompileError('file', `--stdin ${file}: it has more than ${MAX_INPUT} bytes`);
  // With a zero at the end, for scanf.
  const text = new Uint8Array(bytes.length + 1);
  text.set(bytes);
  return { __fencepost_stdin_text: text, __fencepost_stdin_size: bytes.length };
}

function stub(text: string): readonly [string, number | bigint] {
  const read = readStub(text);
  if (read === undefined) throw new CompileError('file', `--stub ${text}: expected NAME or NAME=NUMBER`);
  return read;
}

function link(
  compiled: CompiledProgram,
  options: CompileOptions & Pick<CProgramOptions, 'stubs' | 'spurious'>,
  cache?: ProgramCache,
): Linked {
  // Places refer to the text that clang read.
  const replaced = new Map(options.replacements?.map(({ file, contents }) => [resolve(file), contents]));
  const macros = new MacroPlaces(
    compiled.files.flatMap(({ sources }) => sources),
    [...options.defines, ...[...(options.ofFiles?.values() ?? [])].flatMap(({ defines }) => defines)],
    (file) => {
      const bytes = readBytes(replaced.get(resolve(file)) ?? file);
      cache?.sees(file, bytes);
      return bytes?.toString('latin1');
    },
  );
  // Clang's output is well-formed, so functions that no execution can reach need not be read.
  // What has no place in a source is in the file that the user named, whatever that was made from.
  const user = compiled.files.map(
    ({ file, ir }): Module =>
      isIrFile(file)
        ? { ...readModule(ir, file, macros), sourceFile: file }
        : readModuleOnDemand(ir, file, macros, !isCxxFile(file) && options.optimise === undefined),
  );
  const isCxx = compiled.files.map(({ file }) => isCxxFile(file));
  const runsAtExit = isCxx.includes(true) && user.some(endsThreads);
  // Reads all bodies only if the text says that one may matter.
  const some = (word: string, holds: (module: Module) => boolean): boolean =>
    user.some((module, index) => compiled.files[index]!.ir.includes(word) && holds(module));
  const library = readNeeded(user, compiled.library, [
    ...(some(' asm ', readsClock) ? [CLOCK] : []),
    ...(compiled.files.some(({ ir }) => dividesWide(ir)) ? [DIVIDE_WIDE] : []),
    ...((options.spurious ?? 0) > 0 ? [FAILS_TO_EXCHANGE] : []),
    ...(some('@syscall', callsMembarrier) ? [MEMBARRIER] : []),
    ...(runsAtExit ? [GUARD] : []),
  ]);
  const throwing = isCxx.includes(true) ? findThrowing(user, library) : undefined;
  return {
    linker: new Linker(
      user.map((module, index) => {
        if (!isCxx[index] && !throwing) return module;
        const plain = withoutUnwinding(module, false, throwing, nameOfType, runsAtExit);
        return isCxx[index] ? { ...withoutSlots(plain), isCxx: true as const } : plain;
      }),
      throwing ? library.map((module) => withoutUnwinding(module, true, throwing, nameOfType)) : library,
      new Map((options.stubs ?? []).map(stub)),
    ),
    kinds: compiled.files.some(({ file, ir }) => hasSmallMutex(file, ir))
      ? NO_KINDS
      : user.some(setsKinds) || compiled.files.some(({ ir }) => KIND_INITIALISER.test(ir))
        ? GIVES_KINDS
        : FIXED_KINDS,
    placeOf: (file, text) => findText(file, readBytes(replaced.get(resolve(file)) ?? file)?.toString('latin1'), text),
  };
}

/** The first place that contains the text of some assembly; clang does not say where it comes from. */
function findText(file: string, source: string | undefined, text: string): Place | undefined {
  const index = source?.split('\n').findIndex((line) => line.includes(text)) ?? -1;
  return index < 0 ? undefined : { file, line: index + 1, column: source!.split('\n')[index]!.indexOf(text) + 1 };
}

const NO_KINDS = -1;
const FIXED_KINDS = 0;
const GIVES_KINDS = 1;

function setsKinds({ functions }: Module): boolean {
  return ['pthread_mutexattr_settype', 'pthread_mutexattr_setrobust', 'mtx_init'].some((name) => functions.has(name));
}

/**
 * An initialiser with a kind, which the program may assign or copy: for our mutexes (`__FENCEPOST_INITIALISED` first),
 * also in a function body, where it is unknown which word a store is for; and for glibc's mutexes, in either layout.
 */
const KIND_INITIALISER =
  /\bi32 24589, i32 0, i32 0, i32 0, i32 [1-9]|^ .*\b24589\b|\b__pthread_mutex_s \{ (?:i32 0, ){3,4}i32 [1-9]/m;

function lower(
  files: readonly string[],
  { linker, kinds, placeOf }: Linked,
  options: CProgramOptions,
  settings: Settings,
): Program {
  const lowered = lowerProgram(linker, basename(files[0]!), {
    entry: options.entry,
    settings: {
      __fencepost_spurious: options.spurious ?? 0,
      __fencepost_linux: options.futex === 'linux' ? 1 : 0,
      // Only our own headers mark the values that their initialisers produce.
      __fencepost_marks: files.every((file) => /\.c$/i.test(file) || isCxxFile(file) || file === STANDARD_INPUT)
        ? 1
        : 0,
      __fencepost_kinds: kinds,
      ...settings,
    },
    fresh: options.junk === true ? 'junk' : options.uninitialised === true ? 'undefined' : 'zero',
    declarations: options.optimise !== undefined || files.some(isIrFile) ? 'once' : 'again',
    ...(options.nondet === undefined ? {} : { nondet: range(options.nondet) }),
    sharedLocals: options.sharedLocals === true,
    placeOf,
    arguments: [basename(files[0]!).replace(/\.[^.]*$/, ''), ...options.arguments],
  });
  const program = options.asWritten === true ? lowered : shorten(lowered, options.keepsPauses === true);
  assertValid(program);
  return options.manyThreads === true ? { ...program, manyThreads: true } : program;
}

function shorten(lowered: Program, keepsPauses: boolean): Program {
  const program = simplifyLibrary(lowered);
  const library = program.functions.map((func) => (func.isLibrary === true ? func : undefined));
  const inMemory = simplify(inlineLibrary(program), library);
  const short = withLocalsInRegisters(inMemory);
  const dropped = keepsPauses ? short : simplifyChanged(dropPauses(short), short);
  const stackBytes = stackNeeded(inMemory);
  return dropped === inMemory || !Number.isFinite(stackBytes) ? dropped : { ...dropped, stackBytes };
}

/** Functions that are called with addresses of local variables may call others in turn. */
const INLINED_CALLS = 3;

function withLocalsInRegisters(program: Program): Program {
  let result = simplifyChanged(promote(program), program);
  for (let round = 0; round < INLINED_CALLS; round++) {
    const before = result;
    result = simplifyChanged(promote(inlineLocal(before)), before);
    if (result === before) break;
  }
  return result;
}

/** Simplifies the functions that are not as they were; the same program if there are none. */
function simplifyChanged(program: Program, before: Program): Program {
  if (program.functions.every((func, i) => func === before.functions[i])) return before;
  return simplify(program, before.functions);
}
