/** Marks change nothing: removing them yields the program that the unmarked text compiles to. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Additions } from '../../../src/fix/additions.ts';
import { MARK_SOURCE, readMarks } from '../../../src/fix/marks.ts';
import { SourceFile } from '../../../src/fix/source-file.ts';
import { loadChanged } from '../../../src/frontend/llvm/changed-files.ts';
import type { Program } from '../../../src/program/ir.ts';
import { printProgram } from '../../../src/program/print.ts';
import { REPOSITORY } from '../../support/fencepost.ts';
import { COMPILE, readBytes } from '../../support/fix-c.ts';

/** With loops, switches, labels, declarations and macros of all kinds. */
const FILES = [
  'programs/structures/snark.c',
  'test/lang/c/manual/thread-pool.c',
  'test/lang/c/preprocessed/everything.c',
];

/** By name, without places in the text. */
function bodies(program: Program): ReadonlyMap<string, string> {
  const parts = printProgram(program)
    .replace(/ *;.*$/gm, '')
    .split(/\n(?=func )/);
  return new Map(parts.map((part) => [part.split('\n')[0]!, part]));
}

it.each(FILES)('marks change nothing in %s', async (name) => {
  const file = join(REPOSITORY, name);
  const additions = new Additions([new SourceFile(file, readBytes(file))]);
  const options = { ...COMPILE, asWritten: true };
  const { program: original } = await loadChanged([file], options, new Map());
  const { program: marked } = await loadChanged([file], options, additions.markedFiles(), MARK_SOURCE);
  const { program, points } = readMarks(marked);
  expect(points.size).toBeGreaterThan(20);
  const found = bodies(program);
  for (const [header, body] of bodies(original))
    if (/^func (?!__fencepost)/.test(header)) expect(found.get(header)).toBe(body);
});
