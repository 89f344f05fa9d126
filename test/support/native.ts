/** Compiles a C program with a native compiler, to compare its output with the machine's. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sourceFolder } from './c.ts';

// On these processors the programs cannot observe a difference from our target; they do not use the size of `long` or
// of pointers.
const compiler = ['cc', 'gcc', 'clang', 'clang-16'].find((name) => spawnSync(name, ['--version']).status === 0);
const isComparable = compiler !== undefined && (process.arch === 'x64' || process.arch === 'arm64');

/** Under CI there must be a compiler: the tests run, and fail, without one. */
export const mayCompare: boolean = isComparable || process.env['CI'] === 'true';
if (!mayCompare) console.warn('no native C compiler: generated programs are not compared with one');

export function runNatively(source: string): string {
  if (compiler === undefined) throw new Error('under CI there must be a native C compiler');
  const folder = sourceFolder({ 'generated.c': source });
  const binary = join(folder, 'generated');
  if (!existsSync(binary)) {
    const flags = ['-O0', '-fwrapv', '-fno-strict-aliasing', '-fsigned-char', '-ffp-contract=off', '-w'];
    const made = spawnSync(compiler, [...flags, '-o', binary, join(folder, 'generated.c')], { encoding: 'utf8' });
    if (made.status !== 0) throw new Error(`${compiler} does not accept a generated file:\n${made.stderr}`);
  }
  const run = spawnSync(binary, { encoding: 'utf8', timeout: 10_000 });
  if (run.status !== 0) throw new Error(`ends with ${run.status ?? run.signal}: ${binary}`);
  return run.stdout;
}
