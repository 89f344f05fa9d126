/** How a C program is compiled and started. */
import type { CProgramOptions } from '../frontend/llvm/c-program.ts';
import { type Described, list, negation, type Option, OptionError, text, value } from './option.ts';

export type CompileChoices = Pick<
  CProgramOptions,
  | 'defines'
  | 'undefines'
  | 'includePaths'
  | 'includes'
  | 'standard'
  | 'entry'
  | 'arguments'
  | 'spurious'
  | 'clang'
  | 'cache'
>;

/** As clang's, and refused: there is no value that it could have. */
const OPTIMISE: Option<never> = value('-O, --optimize <level>', 'refused: optimised code hides races', (): never => {
  throw new OptionError(
    'Programs are compiled without optimisation: an optimiser may delete or merge racy accesses, and the errors with them.',
  );
});

export const CLANG: Option<string> = text('--clang <which>', '"native", "npm" or the path of a clang');

export const COMPILE: Described<CompileChoices & { readonly optimise?: never }> = {
  defines: list('-D, --define <name[=value]>', 'define a macro'),
  undefines: list('-U, --undefine <name>', 'undefine a macro'),
  includePaths: list('-I, --include-path <folder>', 'look for headers there'),
  includes: list('--include <file>', 'include a file before the source'),
  standard: text('--std <standard>', 'language standard, such as c11'),
  optimise: OPTIMISE,
  entry: text('--entry <function>', 'function to start with', 'main'),
  arguments: list('--arg <text>', 'argument for the program'),
  spurious: {
    flags: '--spurious',
    help: 'each thread may wake once from a condition wait for no reason',
    initial: 0,
    given: 1,
  },
  clang: CLANG,
  cache: { ...negation('--no-cache', 'compile anew'), isOfOutput: true },
};
