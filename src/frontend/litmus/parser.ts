/** A litmus test from top to bottom: header, initial state, program, condition. */
import type { TestSyntax } from './ast.ts';
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
  const threads = parseTable(lexer, arch);
  const { locations, filter, condition, info: verdicts } = parseEnding(lexer, arch);
  return { arch, name, info: [...info, ...verdicts], init, threads, locations, filter, condition };
}
