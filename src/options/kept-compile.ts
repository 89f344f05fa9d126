/** The compile options that a report keeps. Plain data, for the viewer too. */

/** The names are those of the options (`compile.ts`). The choice of clang is not part of a run's identity. */
export interface KeptCompile {
  readonly entry: string;
  readonly arguments: readonly string[];
  readonly defines: readonly string[];
  readonly undefines: readonly string[];
  readonly includePaths: readonly string[];
  readonly includes: readonly string[];
  readonly standard?: string;
  /** Further folders, and flags that change the language; absent if there were none. */
  readonly quotePaths?: readonly string[];
  readonly systemPaths?: readonly string[];
  readonly afterPaths?: readonly string[];
  readonly languageFlags?: readonly string[];
  /** The processor that the program was compiled for; absent for x86_64. */
  readonly target?: 'x86_64' | 'i686' | 'aarch64' | 'riscv64';
  /** Where compile_commands.json was; absent if it was not used. */
  readonly buildPath?: string;
  /** The level of clang's optimiser; absent if it was not used. */
  readonly optimise?: '1' | '2';
  /** Spurious wake-ups were allowed; absent if not. */
  readonly spurious?: true;
  /** Functions that nobody defines and what they return, `name` or `name=value`; absent if there were none. */
  readonly stubs?: readonly string[];
  /** The values that arbitrary numbers had, `LO..HI`; absent if there was no range. */
  readonly nondet?: string;
  /** Fresh memory held junk; absent if not. */
  readonly junk?: true;
  /** To depend on fresh memory was an error; absent if it was zero or junk. */
  readonly uninitialised?: true;
  /** The file that was the program's standard input; absent if that was empty. */
  readonly stdin?: string;
  /** There was room for 512 threads; absent if it was for 64. */
  readonly manyThreads?: true;
}
