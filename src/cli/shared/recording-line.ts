/**
 * Converts a command line that compiles a program to one that makes the program record itself: with the hooks of
 * -fsanitize=thread, and with our runtime instead of the compiler's own.
 */

interface Compiler {
  readonly kind: 'clang' | 'gcc';
  readonly version: number;
}

/** The oldest versions that have all the hooks and allow leaving out their own runtime. */
const OLDEST: Readonly<Record<Compiler['kind'], number>> = { clang: 14, gcc: 11 };

/** Recognises a compiler by the output of `--version`. */
export function compilerOf(text: string): Compiler | undefined {
  const clang = /clang version (\d+)/.exec(text);
  if (clang !== null) return { kind: 'clang', version: Number(clang[1]) };
  if (!text.includes('Free Software Foundation')) return undefined;
  const gcc = /^.*?\) (\d+)\./.exec(text) ?? / (\d+)\.\d+\.\d+/.exec(text);
  return gcc === null ? undefined : { kind: 'gcc', version: Number(gcc[1]) };
}

/**
 * What a program is linked with: the runtime as an object, in a folder where gcc finds it under its own runtime's
 * names.
 */
export interface Runtime {
  readonly folder: string;
  readonly object: string;
}

/** Options with which the compiler does not link. */
const COMPILES_ONLY = new Set(['-c', '-S', '-E', '-M', '-MM', '-fsyntax-only']);
/** Calls of these from the program's own objects are recorded as accesses. */
const WRAPPED = ['memcpy', 'memmove', 'memset', 'memcmp'];

/** Whether the command links a program, which then needs the runtime. */
export function linksProgram(words: readonly string[]): boolean {
  return !words.some((word) => COMPILES_ONLY.has(word)) && !words.includes('-shared');
}

/** What is wrong with the command; `undefined` if nothing is. */
export function lineProblem(words: readonly string[], { kind, version }: Compiler): string | undefined {
  if (version < OLDEST[kind])
    return `${words[0]} is ${kind} ${version}; recording needs ${kind} ${OLDEST[kind]} or newer`;
  const fixed = words.find((word) => /^-static(-pie)?$/.test(word));
  if (fixed !== undefined) return `${fixed}: a program that records itself must be linked dynamically`;
  return undefined;
}

export function recordingLine(words: readonly string[], { kind }: Compiler, runtime: Runtime | undefined): string[] {
  const wraps = `-Wl,${WRAPPED.map((name) => `--wrap=${name}`).join(',')}`;
  const link = runtime === undefined ? [] : ['-pthread', '-ldl', '-rdynamic', wraps];
  if (kind === 'gcc') {
    const [hooks, volatiles] = ['-fsanitize=thread', ['--param', 'tsan-distinguish-volatile=1']];
    const ours = runtime === undefined ? [] : [`-B${runtime.folder}`, `-L${runtime.folder}`];
    return [...words, hooks, ...volatiles, '-static-libtsan', ...ours, ...link];
  }
  // Reports reads right before writes of the same variable, and tells which accesses are volatile.
  const options = ['-tsan-instrument-read-before-write=1', '-tsan-distinguish-volatile=1'];
  const hooks = ['-fsanitize=thread', '-fno-sanitize-link-runtime', ...options.flatMap((option) => ['-mllvm', option])];
  const quiet = ['--start-no-unused-arguments', ...hooks, '--end-no-unused-arguments'];
  return [...words, ...quiet, ...(runtime === undefined ? [] : [runtime.object]), ...link];
}
