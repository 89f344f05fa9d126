/** How a C program is compiled and started. */
import type { CProgramOptions } from '../frontend/llvm/c-program.ts';
import { OPTIMISATIONS, type Optimisation, TARGETS, type Target } from '../frontend/llvm/clang/clang-flags.ts';
import { type Described, flag, list, negation, type Option, OptionError, text, value } from './option.ts';
import { parseOneOf } from './parsers.ts';

export type CompileChoices = Pick<
  CProgramOptions,
  | 'defines'
  | 'undefines'
  | 'includePaths'
  | 'includes'
  | 'standard'
  | 'target'
  | 'optimise'
  | 'entry'
  | 'arguments'
  | 'spurious'
  | 'junk'
  | 'clang'
  | 'cache'
>;

/** clang's option, always rejected: it has no valid value. Optimised code has to be requested explicitly, with `--optimise`. */
const REJECTED: Option<never> = value('-O, --optimize <level>', 'rejected: hides races; see --optimise', (): never => {
  throw new OptionError(
    'Programs are compiled without optimisation: an optimiser may delete or merge racy accesses, and the errors with ' +
      'them. --optimise 1 or 2 asks for it; verdicts are then about the optimised code.',
  );
});

const OPTIMISE: Option<Optimisation> = value(
  '--optimise <level>',
  "check what clang's optimiser makes of the program, with level 1 or 2; verdicts are about that code",
  parseOneOf(OPTIMISATIONS),
);

const TARGET: Option<Target> = value(
  '--target <machine>',
  `machine to compile for: ${TARGETS.join(', ')} (default: x86_64); the memory model is chosen by --model`,
  parseOneOf(TARGETS),
);

export const CLANG: Option<string> = text('--clang <which>', '"native", "npm" or the path of a clang');

export const COMPILE: Described<CompileChoices & { readonly rejected?: never }> = {
  defines: list('-D, --define <name[=value]>', 'define a macro'),
  undefines: list('-U, --undefine <name>', 'undefine a macro'),
  includePaths: list('-I, --include-path <folder>', 'add a header search path'),
  includes: list('--include <file>', 'include a file before the source'),
  standard: text('--std <standard>', 'language standard, such as c11'),
  target: TARGET,
  rejected: REJECTED,
  optimise: OPTIMISE,
  entry: text('--entry <function>', 'entry function', 'main'),
  arguments: list('--arg <text>', 'argument for the program'),
  spurious: {
    flags: '--spurious',
    help: 'allow one spurious wake-up per thread',
    initial: 0,
    given: 1,
  },
  junk: flag('--junk', 'fresh memory (malloc, local variables) holds junk (bytes 0x59), not zero'),
  clang: CLANG,
  cache: { ...negation('--no-cache', 'ignore cached code and recompile'), isOfOutput: true },
};
