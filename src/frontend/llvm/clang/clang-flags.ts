/** How clang is called, and why. The flags are the same for every clang, so that all of them produce the same IR. */
import { assertLanguageFlag, assertMacro, assertPath, assertStandard, pathArgument } from './clang-words.ts';
import { CompileError } from './compile-error.ts';
import { isCxxFile, isIrFile, type Source } from './source-kinds.ts';
import { DEFAULT_TARGET, type Target } from './targets.ts';

export interface CompileOptions {
  /** `-D`, each `NAME` or `NAME=VALUE`. */
  readonly defines: readonly string[];
  /** `-U`. These come after the defines, so a name that is defined again later must not be listed here. */
  readonly undefines: readonly string[];
  /** `-I` */
  readonly includePaths: readonly string[];
  /** `-iquote`, `-isystem`, `-idirafter`: searched before and after `includePaths`. */
  readonly quotePaths?: readonly string[];
  readonly systemPaths?: readonly string[];
  readonly afterPaths?: readonly string[];
  /** `-include` */
  readonly includes: readonly string[];
  /** `-funsigned-char` and the like, which change the language. */
  readonly languageFlags?: readonly string[];
  /** Whether clang warns; by default it does. */
  readonly warnings?: boolean;
  /** Further options for some files, by name; they come before the others. */
  readonly ofFiles?: ReadonlyMap<string, FileOptions>;
  /** `-std`; gnu17 by default, so that it does not depend on clang's version. */
  readonly standard?: string;
  /** The same for the files of one language, if the program has both (`standardOfEach`). */
  readonly cStandard?: string;
  readonly cxxStandard?: string;
  /** The machine that the program is compiled for; by default `x86_64`. */
  readonly target?: Target;
  /** Omits marks of where variables begin and end: our own library needs none. */
  readonly isLibrary?: true;
  /** Includes inline definitions that C99 allows a compiler to ignore. */
  readonly inlineDefinitions?: true;
  /** Lets clang's optimiser change the user's code, never our library's. */
  readonly optimise?: Optimisation;
  /**
   * Which clang: any on this machine, the one from npm, or the path of one. By default, the first of these that exists.
   */
  readonly clang?: 'native' | 'npm' | (string & {});
  /** Whether IR may be cached for later runs. */
  readonly cache: boolean;
  /** The folder with our own headers. */
  readonly headers: string;
  /** The folder with libc++'s headers (`libcxx.ts`), for C++. */
  readonly libcxx?: string;
  /**
   * Called before clang runs, with its name; not called if everything is cached. What it returns is called when clang
   * has ended.
   */
  readonly onCompile?: (clang: string) => () => void;
  /** Ends clang when it is aborted. */
  readonly signal?: AbortSignal;
  /** Files to read in place of others, under the names of those: changed sources and headers. */
  readonly replacements?: readonly Replacement[];
}

/** Options that can be set for a single file. */
export interface FileOptions {
  readonly defines: readonly string[];
  readonly undefines: readonly string[];
  readonly includePaths: readonly string[];
  readonly quotePaths: readonly string[];
  readonly systemPaths: readonly string[];
  readonly afterPaths: readonly string[];
  readonly includes: readonly string[];
  readonly languageFlags: readonly string[];
  readonly standard?: string;
}

/** Adds the file's own options, if it has any. If a macro is defined several times, the last definition counts. */
export function optionsOf(file: string, options: CompileOptions): CompileOptions {
  const own = options.ofFiles?.get(file);
  if (own === undefined) return options;
  const { ofFiles: _, ...rest } = options;
  const nameOf = (define: string): string => /^[^=(]*/.exec(define)![0];
  const joined = (name: Exclude<keyof FileOptions, 'standard'>): readonly string[] => [
    ...own[name],
    ...(options[name] ?? []),
  ];
  const standard = options.standard ?? own.standard;
  return {
    ...rest,
    defines: [...own.defines.filter((define) => !options.undefines.includes(nameOf(define))), ...options.defines],
    undefines: [
      ...own.undefines.filter((name) => !options.defines.some((define) => nameOf(define) === name)),
      ...options.undefines,
    ],
    includePaths: joined('includePaths'),
    quotePaths: joined('quotePaths'),
    systemPaths: joined('systemPaths'),
    afterPaths: joined('afterPaths'),
    includes: joined('includes'),
    languageFlags: joined('languageFlags'),
    ...(standard === undefined ? {} : { standard }),
  };
}

/** If the program has both C and C++ files, the standard applies only to the files in its language. */
export function standardOfEach(files: readonly string[], { standard, ...rest }: CompileOptions): CompileOptions {
  if (standard === undefined) return rest;
  const isMixed = files.some(isCxxFile) && files.some((file) => !isCxxFile(file) && !isIrFile(file));
  if (!isMixed) return { ...rest, standard };
  return { ...rest, ...(standard.includes('++') ? { cxxStandard: standard } : { cStandard: standard }) };
}

/** Levels of clang's optimiser. */
export const OPTIMISATIONS = ['1', '2'] as const;
export type Optimisation = (typeof OPTIMISATIONS)[number];

/** Paths; `contents` is the file that replaces `file`. */
interface Replacement {
  readonly file: string;
  readonly contents: string;
  /** Another path to `file`, for clang; it must not contain a `;`, which separates the two paths. */
  readonly alias?: string;
}

/** Paths are separate arguments, never glued to an option: `clang-npm.ts` translates them. */
export function clangFlags(source: Source, options: CompileOptions): readonly string[] {
  switch (source.kind) {
    case 'c':
      return [
        ...outputFlags(options),
        ...targetFlags(options),
        ...CODE,
        ...language(options),
        ...FENCEPOST,
        ...preprocessor(options),
        '-x',
        'c',
      ];
    case 'c++':
      return [
        ...cxxOutputFlags(options),
        ...targetFlags(options),
        ...CODE,
        ...CXX_CODE,
        ...cxxLanguage(source, options),
        ...FENCEPOST,
        ...preprocessor(options, cxxHeaders(options)),
        '-x',
        'c++',
      ];
    case 'preprocessed':
      return [
        ...outputFlags(options),
        ...targetFlags(options),
        ...CODE,
        ...language(options),
        ...gccOnly(source, options),
        '-x',
        'c',
      ];
    case 'old-ir':
    case 'ir':
      if (options.optimise !== undefined) {
        throw new CompileError('file', `${source.file}: --optimise is for C sources; this is LLVM IR already`);
      }
      // With any other target, clang would replace the one in the file, and in some versions also its data layout.
      return [
        ...OUTPUT,
        ...UNOPTIMISED,
        `--target=${source.target ?? TRIPLES[options.target ?? DEFAULT_TARGET]}`,
        '-Wno-override-module',
        '-x',
        'ir',
      ];
  }
}

const TRIPLES: Readonly<Record<Target, string>> = {
  x86_64: 'x86_64-linux-gnu',
  i686: 'i386-linux-gnu',
  aarch64: 'aarch64-linux-gnu',
  riscv64: 'riscv64-linux-gnu',
};

const TARGET_FLAGS: Readonly<Record<Target, readonly string[]>> = {
  // long double is double, as we have no 80-bit numbers.
  x86_64: ['-mlong-double-64'],
  // Distributions disagree about the default processor. This one has SSE2, as all do, but Debian's clang 19 must be
  // told.
  i686: ['-march=pentium4', '-msse2', '-mlong-double-64'],
  aarch64: [],
  riscv64: [],
};

function targetFlags({ target = DEFAULT_TARGET }: CompileOptions): readonly string[] {
  return [`--target=${TRIPLES[target]}`, ...TARGET_FLAGS[target]];
}

const OUTPUT = ['-S', '-emit-llvm', '-fno-color-diagnostics'];

const UNOPTIMISED = [
  // Optimisation deletes races: -O1 turned 15,386 failures in 20,000 schedules into none.
  '-O0',
  // Nothing else may change the code; without this, clang inlines `always_inline` functions.
  ...['-Xclang', '-disable-llvm-passes'],
  ...['-Xclang', '-disable-O0-optnone'],
];

/**
 * Marks where each block's variables begin and end (`lives.ts`), as for AddressSanitizer, but without the rest of it.
 * Not for C++, where it would turn calls into ones that exceptions can leave.
 */
const SCOPES = ['-Xclang', '-fsanitize-address-use-after-scope'];

const OPTIMISED = [
  // Vectors are modelled only in part.
  '-fno-vectorize',
  '-fno-slp-vectorize',
  // In C, a loop with atomic accesses may run forever. Where clang replaces such loads by constants, it forgets this,
  // and the code after the loop becomes unreachable.
  '-fno-finite-loops',
];

/**
 * Without optimisation, clang omits C99 inline definitions, whose external definition should be elsewhere. When asked
 * to optimise, it emits them (`available_externally`); with all passes disabled, the rest of the code is the same.
 */
const WITH_INLINE = ['-O1', '-U__OPTIMIZE__', ...['-Xclang', '-disable-llvm-passes'], '-fno-strict-aliasing'];

function outputFlags({ optimise, inlineDefinitions, isLibrary }: CompileOptions): readonly string[] {
  if (optimise !== undefined) return [...OUTPUT, `-O${optimise}`, ...OPTIMISED];
  const scopes = isLibrary === true ? [] : SCOPES;
  return [...OUTPUT, ...(inlineDefinitions === true ? WITH_INLINE : UNOPTIMISED), ...scopes];
}

const CODE = [
  // Names of variables and fields; file names as the user typed them.
  '-g',
  '-fdebug-compilation-dir=.',
  // Library functions are calls, whatever a version of clang knows about them; sizes in glibc's declarations may
  // differ.
  '-fno-builtin',
  // a * b + c is two operations.
  '-ffp-contract=off',
  // What distributions and versions enable by default, or print differently.
  '-fno-pic',
  '-fno-pie',
  '-fno-stack-protector',
  '-fcf-protection=none',
  '-fno-unwind-tables',
  '-fno-asynchronous-unwind-tables',
  '-fno-ident',
  '-fdiscard-value-names',
  // clang 15 only warns about these, 16 made most of them errors and 20 the last; old test programs are full of them.
  '-Wno-error=implicit-function-declaration',
  '-Wno-error=implicit-int',
  '-Wno-error=int-conversion',
  '-Wno-error=incompatible-function-pointer-types',
  '-Wno-error=incompatible-pointer-types',
  // Use only our own headers and clang's.
  '-nostdlibinc',
];

/**
 * As for C, but always_inline functions are inlined: the headers for atomic operations consist of them, and inlined
 * operations have the order and the place of the call.
 */
function cxxOutputFlags(options: CompileOptions): readonly string[] {
  if (options.optimise !== undefined) return outputFlags(options);
  return [...OUTPUT, '-O0', ...['-Xclang', '-disable-O0-optnone']];
}

const CXX_CODE = [
  // A destructor that is identical to another one is still a separate function.
  ...['-Xclang', '-mno-constructor-aliases'],
  // libc++ comes from the npm package; it warns about older clangs.
  '-Wno-#warnings',
];

/** The folder, among our headers, of those for C++; `libcxx.ts` says what they replace. */
export function cxxFolder(headers: string): string {
  return `${headers}/c++`;
}

/** What folders of headers are called in places, wherever they are. */
const LIBCXX_NAME = 'libc++';
export const HEADERS_NAME = 'fencepost/include';

/** Our headers for C++, libc++'s, and our headers for C. */
function cxxHeaders({ headers, libcxx }: CompileOptions): readonly string[] {
  const places = [
    [headers, HEADERS_NAME],
    [libcxx ?? '', LIBCXX_NAME],
  ] as const;
  return [
    '-nostdinc++',
    ...['-isystem', cxxFolder(headers)],
    ...(libcxx === undefined ? [] : ['-isystem', libcxx]),
    ...['-isystem', headers],
    // Clang splits at the first `=`.
    ...places.flatMap(([folder, name]) =>
      folder === '' || folder.includes('=') ? [] : [`-fdebug-prefix-map=${folder}=${name}`],
    ),
  ];
}

const FENCEPOST = ['-D__FENCEPOST__=1'];

const WIDE = '_BitInt(128) __attribute__((aligned(16)))';
/** Only for declarations: the functions are not defined. */
const VECTOR = '__attribute__((vector_size(16)))';

/**
 * Types that compilers for 64-bit machines know. Some are specific to gcc: for other compilers, glibc's headers define
 * them, so the file itself may define them.
 */
const GCC_TYPES: Readonly<Record<string, string>> = {
  _Float32: 'float',
  _Float64: 'double',
  _Float32x: 'double',
  _Float64x: '__float128',
  _Float128: '__float128',
  // aarch64's <math.h>
  __Float32x4_t: `float ${VECTOR}`,
  __Float64x2_t: `double ${VECTOR}`,
  __SVFloat32_t: `float ${VECTOR}`,
  __SVFloat64_t: `double ${VECTOR}`,
  __SVBool_t: `char ${VECTOR}`,
};

/** Types that clang knows, but not on 32-bit machines. */
const WIDE_TYPES: Readonly<Record<string, string>> = {
  __int128: WIDE,
  __int128_t: WIDE,
  __uint128_t: `unsigned ${WIDE}`,
};

/** Built-in functions to which gcc's <stdatomic.h> passes pointers to atomic types, where clang expects plain ones. */
const GCC_ATOMICS = [
  ...['load', 'load_n', 'store', 'store_n', 'exchange', 'exchange_n', 'compare_exchange', 'compare_exchange_n'],
  ...['add', 'sub', 'and', 'or', 'xor', 'nand'].flatMap((operator) => [`fetch_${operator}`, `${operator}_fetch`]),
];

/**
 * gcc's constructs in a preprocessed file that clang does not know. Nothing else is defined, so the rest of the text is
 * unchanged.
 */
function gccOnly({ bytes }: Source, { target }: CompileOptions): readonly string[] {
  const types = Object.entries(target === 'i686' ? { ...GCC_TYPES, ...WIDE_TYPES } : GCC_TYPES).filter(
    ([type]) => !new RegExp(`\\btypedef [^;]*\\b${type};`).test(text()),
  );
  const isGccs = /\b__atomic_/.test(text());
  // A comma expression has the unqualified type.
  const atomics = GCC_ATOMICS.map(
    (name) => `-D__atomic_${name}(p,...)=__atomic_${name}((__typeof__((void)0,*(p))*)(p),__VA_ARGS__)`,
  );
  return [
    '-undef',
    ...types.map(([type, meaning]) => `-D${type}=${meaning}`),
    ...(isGccs ? atomics : []),
    // __attribute__((__malloc__ (fclose, 1)))
    '-D__malloc__(...)=__malloc__',
    // __attribute__((__neon_vector_type__ (4))) float
    '-D__neon_vector_type__(...)=__vector_size__(16)',
  ];

  function text(): string {
    return bytes.toString('latin1');
  }
}

function language(options: CompileOptions): readonly string[] {
  const standard = options.cStandard ?? options.standard ?? 'gnu17';
  assertStandard(standard);
  const { languageFlags = [] } = options;
  for (const flag of languageFlags) assertLanguageFlag(flag);
  return [`-std=${standard}`, ...languageFlags, ...(options.warnings === false ? ['-w'] : [])];
}

function cxxLanguage({ file }: Source, options: CompileOptions): readonly string[] {
  const { cStandard: _, cxxStandard, ...rest } = options;
  const standard = cxxStandard ?? options.standard ?? 'gnu++17';
  if (!standard.includes('++'))
    throw new CompileError('file', `${file}: -std=${standard} is a standard of C, not of C++`);
  return language({ ...rest, standard });
}

/** The user's folders that clang searches for headers. */
export function searchPaths(
  options: Pick<CompileOptions, 'quotePaths' | 'includePaths' | 'systemPaths' | 'afterPaths'>,
): readonly string[] {
  const { quotePaths = [], systemPaths = [], afterPaths = [] } = options;
  return [...quotePaths, ...options.includePaths, ...systemPaths, ...afterPaths];
}

function preprocessor(
  options: CompileOptions,
  ours: readonly string[] = ['-isystem', options.headers],
): readonly string[] {
  for (const define of options.defines) assertMacro('-D', define);
  for (const name of options.undefines) assertMacro('-U', name);
  const { quotePaths = [], systemPaths = [], afterPaths = [] } = options;
  for (const path of [...searchPaths(options), ...options.includes]) assertPath(path);
  const folders = (flag: string, paths: readonly string[]): readonly string[] =>
    paths.flatMap((path) => [flag, pathArgument(path)]);
  return [
    ...options.defines.map((define) => `-D${define}`),
    ...options.undefines.map((name) => `-U${name}`),
    ...folders('-I', options.includePaths),
    ...folders('-iquote', quotePaths),
    ...folders('-isystem', systemPaths),
    ...folders('-idirafter', afterPaths),
    // These bypass the driver, which would use x.h.pch or x.h.gch instead of x.h.
    ...options.includes.flatMap((path) => ['-Xclang', '-include', '-Xclang', pathArgument(path)]),
    ...ours,
    ...(options.replacements ?? []).flatMap(({ file, contents, alias = file }) => [
      ...['-Xclang', '-remap-file'],
      ...['-Xclang', `${pathArgument(alias)};${contents}`],
    ]),
  ];
}
