/**
 * C++ programs in tests: as in `c.ts`, but npm's clang replaces an old one, which does not understand libc++'s headers.
 */
import type { Program } from '../../src/program/ir.ts';
import { type CompileInTest, compileC, type Sources } from './c.ts';

const isOld = /clang-1[0-8]$/.test(process.env['FENCEPOST_CLANG'] ?? '');
export const CXX: CompileInTest = isOld ? { clang: 'npm' } : {};

export function compileCxx(sources: Sources, options: CompileInTest = {}): Promise<Program> {
  return compileC(typeof sources === 'string' ? { 'test.cpp': sources } : sources, { ...CXX, ...options });
}

/** A function for each program, by name; a wrong one comes with the expected message. */
export function entriesOf(
  right: Readonly<Record<string, string>>,
  wrong: Readonly<Record<string, readonly [code: string, ...unknown[]]>>,
): string {
  const entry = ([name, code]: readonly [string, string]): string => `extern "C" void ${name}() {${code}\n}`;
  const wrongCode = Object.entries(wrong).map(([name, [code]]) => [name, code] as const);
  return [...Object.entries(right), ...wrongCode].map(entry).join('\n');
}
