/** How a C program is compiled and started. */
import type { CProgramOptions } from '../frontend/llvm/c-program.ts';
import { OPTIMISATIONS, type Optimisation } from '../frontend/llvm/clang/clang-flags.ts';
import { TARGETS, type Target } from '../frontend/llvm/clang/targets.ts';
import { readRange } from '../frontend/llvm/lower/nondet-range.ts';
import { FUTEXES, type Futexes } from '../frontend/llvm/lower/system-calls.ts';
import type { KeptCompile } from './kept-compile.ts';
import {
  absentIfEmpty,
  common,
  type Described,
  flag,
  kept,
  list,
  negation,
  notKept,
  type Option,
  OptionError,
  text,
  value,
} from './option.ts';
import { parseOneOf } from './parsers.ts';

export type CompileChoices = Pick<
  CProgramOptions,
  | 'defines'
  | 'undefines'
  | 'includePaths'
  | 'quotePaths'
  | 'systemPaths'
  | 'afterPaths'
  | 'includes'
  | 'languageFlags'
  | 'warnings'
  | 'standard'
  | 'target'
  | 'optimise'
  | 'entry'
  | 'arguments'
  | 'spurious'
  | 'futex'
  | 'junk'
  | 'uninitialised'
  | 'stubs'
  | 'nondet'
  | 'manyThreads'
  | 'stdin'
  | 'clang'
  | 'cache'
> & {
  /** The folder of compile_commands.json, or that file. */
  readonly buildPath?: string;
};

/** The processor of a name such as `x86_64` or `aarch64-linux-gnu`. */
function parseTarget(text: string): Target {
  const processor = text.toLowerCase().split('-')[0]!;
  const other: Readonly<Record<string, Target>> = { amd64: 'x86_64', x64: 'x86_64', arm64: 'aarch64', x86: 'i686' };
  const name = other[processor] ?? processor.replace(/^i[345]86$/, 'i686').replace(/^riscv64.*$/, 'riscv64');
  const found = TARGETS.find((target) => target === name);
  if (found === undefined) throw new OptionError(`Expected one of ${TARGETS.join(', ')}.`);
  return found;
}

function parseRange(text: string): string {
  if (readRange(text) === undefined)
    throw new OptionError('Expected a range LO..HI of at most 2048 values, such as 0..3.');
  return text;
}

const OPTIMISE: Option<Optimisation> = value(
  '--optimise <level>',
  'check the program as optimised by clang (level 1 or 2); verdicts apply to that code',
  parseOneOf(OPTIMISATIONS),
);

const FUTEX: Option<Futexes> = value(
  '--futex <platform>',
  'linux: under rc11 a futex call is a full fence, too, which only Linux promises (default: portable)',
  parseOneOf(FUTEXES),
);

const TARGET: Option<Target> = value(
  '--target <machine>',
  `machine to compile for: ${TARGETS.join(', ')} (default: x86_64); -m32 and -m64 work too. --model chooses the memory model`,
  parseTarget,
);

export const CLANG: Option<string> = text('--clang <which>', '"native", "npm" or the path of a clang');

/** Each option is kept for replay, or deliberately not: a new one without a decision is a type error. */
type Decided = {
  readonly [K in keyof CompileChoices]-?: { readonly isKept: K extends keyof KeptCompile ? true : false };
};

export const COMPILE: Described<CompileChoices> & Decided = {
  defines: common(kept(list('-D, --define <name[=value]>', 'define a macro'))),
  undefines: kept(list('-U, --undefine <name>', 'undefine a macro')),
  includePaths: common(kept(list('-I, --include-path <folder>', 'add a header search path'))),
  quotePaths: kept(absentIfEmpty(list('--iquote <folder>', 'the same, for #include "…" only'))),
  systemPaths: kept(absentIfEmpty(list('--isystem <folder>', 'add a header search path after those of -I'))),
  afterPaths: kept(absentIfEmpty(list('--idirafter <folder>', 'add a header search path after all others'))),
  includes: kept(list('--include <file>', 'include a file before the source')),
  standard: kept(text('--std <standard>', 'language standard, such as c11')),
  languageFlags: kept(
    absentIfEmpty(list('--language-flag <flag>', 'a flag of clang that changes the language, such as -funsigned-char')),
  ),
  target: kept(TARGET),
  warnings: notKept({ ...negation('--no-warnings', "do not show clang's warnings; also -w"), isOfOutput: true }),
  buildPath: kept(
    text('-p, --build-path <folder>', 'read the flags of each file from compile_commands.json in this folder'),
  ),
  optimise: kept(OPTIMISE),
  entry: kept(text('--entry <function>', 'entry function', 'main')),
  arguments: kept(list('--arg <text>', 'argument for the program')),
  spurious: kept({
    flags: '--spurious',
    help: 'allow one spurious wake-up and one spurious failure of a weak compare-exchange per thread',
    initial: 0,
    given: 1,
  }),
  futex: kept(FUTEX),
  junk: kept(flag('--junk', 'fresh memory (malloc, local variables) holds junk (bytes 0x59), not zero')),
  uninitialised: kept({
    flags: '--uninitialised',
    help: 'report an error if the program depends on a value that was never written (the default, except with --junk)',
    initial: undefined,
    given: true,
    off: { flags: '--no-uninitialised', help: 'fresh memory is zero, and the program may rely on it' },
  }),
  stubs: kept(
    absentIfEmpty(
      list(
        '--stub <name[=value]>',
        'make an undefined function return this value at once, 0 if none is given; --stubs FILE reads such lines from a file',
      ),
    ),
  ),
  nondet: kept(
    value('--nondet <range>', 'values of __VERIFIER_nondet_int and the like, such as 0..3; a bound', parseRange),
  ),
  stdin: kept(text('--stdin <file>', "the program's standard input (default: empty)")),
  manyThreads: kept(
    flag('--many-threads', 'make room for 512 threads instead of 64; enabled automatically when needed'),
  ),
  clang: notKept(CLANG),
  cache: notKept({ ...negation('--no-cache', 'ignore cached code and recompile'), isOfOutput: true }),
};

/**
 * Whether it is an error to depend on a value that was never written. By default it is, unless fresh memory holds junk.
 */
export function findsUninitialised({ junk, uninitialised }: Pick<CompileChoices, 'junk' | 'uninitialised'>): boolean {
  return uninitialised ?? junk !== true;
}
