/** A litmus test from top to bottom: header, initial state, program, condition. */
import type { Arch, TestSyntax } from './ast.ts';
import { findCThreads } from './c-threads.ts';
import { parseHeader } from './header.ts';
import { parseInit } from './init.ts';
import { Lexer } from './lexer.ts';
import { parseEnding } from './proposition.ts';
import type { Source } from './source.ts';
import { parseTable } from './table.ts';

export function parseTest(source: Source): TestSyntax {
  const { arch, name, info, end } = parseHeader(source);
  const lexer = new Lexer(source, end);
  const init = parseInit(lexer, arch);
  if (arch === 'C') {
    const { threads, end } = findCThreads(source, lexer.lastEnd);
    return { arch, name, init, threads: [], cThreads: threads, ...ending(new Lexer(source, end), arch, info) };
  }
  return { arch, name, init, threads: parseTable(lexer, arch), cThreads: [], ...ending(lexer, arch, info) };
}

function ending(lexer: Lexer, arch: Arch, info: readonly string[]) {
  const { info: verdicts, ...rest } = parseEnding(lexer, arch);
  return { ...rest, info: [...info, ...verdicts] };
}
