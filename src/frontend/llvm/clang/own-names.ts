/**
 * A program may have a function of its own under the name of one that our headers declare: `remove` of a list, although
 * <stdio.h> declares the one for files. Clang then rejects the program. It is compiled again with copies of those
 * headers in which that declaration is an empty line, if the program cannot mean ours: the function is `static`, or
 * ours is only declared, so nothing in our library or our headers calls it.
 */
import { readFile, writeFile } from 'node:fs/promises';
import type { Clang, Job, Outcome } from './clang-job.ts';
import { pathArgument } from './clang-words.ts';

/** What follows is declared, and nothing of ours calls it. It goes on to the end of the header. */
export const DECLARED_ONLY = '/* Declared only. */';

/** What clang says about a clash, and where it says that the first declaration is. */
const CLASH =
  /error: (?:(static) declaration of|conflicting types for|redefinition of) '(\w+)'[^\n]*\n(?:[^\n]*\n){0,4}?([^\n]+):(\d+):\d+: note: previous (?:declaration|definition) is here/g;

/** The lines to leave out, by header. */
type Lines = ReadonlyMap<string, ReadonlySet<number>>;

/** Empty if there is a clash that cannot be avoided. */
export async function clashingLines(diagnostics: string, headers: string): Promise<Lines> {
  const lines = new Map<string, Set<number>>();
  for (const [, kind, name, file, line] of diagnostics.matchAll(CLASH)) {
    if (!file!.startsWith(`${headers}/`) || file!.includes(';')) continue;
    const text = (await readFile(file!, 'utf8')).split('\n');
    const at = Number(line) - 1;
    const isWhole = new RegExp(`^[^#{}]*\\b${name}\\([^{}]*\\);$`).test(text[at] ?? '');
    const isBegun = /[,(\\]$/.test(text[at - 1] ?? '');
    const isDeclaredOnly = text.slice(0, at).includes(DECLARED_ONLY);
    if (!isWhole || isBegun || name!.startsWith('_') || !(kind === 'static' || isDeclaredOnly)) return new Map();
    lines.set(file!, (lines.get(file!) ?? new Set()).add(at));
  }
  return lines;
}

/** Runs the jobs that failed because of such clashes again. `scratch` is a folder for copies of headers. */
export async function runWithOwnNames(
  clang: Clang,
  jobs: readonly Job[],
  folders: readonly string[],
  scratch: string,
): Promise<readonly Outcome[]> {
  const outcomes = [...(await clang.run(jobs))];
  for (const [i, { ok, diagnostics }] of outcomes.entries()) {
    const lines = ok ? new Map<string, ReadonlySet<number>>() : await clashingLines(diagnostics, folders[i]!);
    if (lines.size === 0) continue;
    const flags = [...jobs[i]!.flags];
    for (const [file, omitted] of lines) {
      const copy = `${scratch}/${i}-${flags.length}.h`;
      const text = (await readFile(file, 'utf8')).split('\n');
      await writeFile(copy, text.map((line, n) => (omitted.has(n) ? '' : line)).join('\n'));
      flags.push('-Xclang', '-remap-file', '-Xclang', `${pathArgument(file)};${copy}`);
    }
    const [second] = await clang.run([{ ...jobs[i]!, flags }]);
    // What is still wrong is shown as clang said it first.
    if (second!.ok) outcomes[i] = second!;
  }
  return outcomes;
}
