/** The compile options that a report keeps. Plain data, so that the viewer can use it, too. */

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
  /** Futex calls were full fences under every model; absent if not. */
  readonly futex?: 'portable' | 'linux';
  /** Undefined functions and what they return, `name` or `name=value`; absent if there were none. */
  readonly stubs?: readonly string[];
  /** The range of nondeterministic values, `LO..HI`; absent if there was none. */
  readonly nondet?: string;
  /** Fresh memory held junk; absent if not. */
  readonly junk?: true;
  /** Depending on fresh memory was an error; absent if fresh memory was zero or junk. */
  readonly uninitialised?: true;
  /** The file that was the program's standard input; absent if that was empty. */
  readonly stdin?: string;
  /** There was room for 512 threads; absent if for 64. */
  readonly manyThreads?: true;
}
