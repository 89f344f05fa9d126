/** The table of instructions, the file generated from it, and the code of programs checked against it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compileC } from '../../../test/support/c.ts';
import { CLASSICS, CLASSICS_SOURCE } from '../../../test/support/c-classics.ts';
import { everything, forAll, forAllSketches } from '../../../test/support/for-all.ts';
import { codeErrors, listCode } from '../../../test/support/listing.ts';
import { buildProgram, load, rmw, store } from '../../../test/support/sketch.ts';
import { buildSyncProgram, printSyncSketch, syncSketches } from '../../../test/support/sync-sketch.ts';
import type { Program } from '../../program/ir.ts';
import { compile } from './compile.ts';
import { INSTRUCTIONS, printOperands } from './instruction-table.ts';
import * as op from './opcodes.ts';

it('operands.ts is what the table says', () => {
  const file = new URL('operands.ts', import.meta.url);
  if (process.env['UPDATE'] === '1') writeFileSync(file, printOperands());
  expect(readFileSync(file, 'utf8')).toBe(printOperands());
});

it('what is repeated is counted by the last operand before it', () => {
  for (const { name, operands, each } of INSTRUCTIONS) {
    expect(each.length > 0, name).toBe(operands.at(-1)?.kind === 'count');
  }
});

function expectValid(program: Program): void {
  for (const marked of ['none', 'idle', 'all'] as const) expect(codeErrors(compile(program, marked))).toEqual([]);
}

describe('the code is valid', () => {
  it('of programs made from sketches', () => {
    forAllSketches({ ...everything, threads: 3, totalOps: 8 }, 100, (sketch) => expectValid(buildProgram(sketch)));
  });

  it('of programs with synchronisation', () => {
    forAll({ from: syncSketches(), count: 50, print: printSyncSketch }, (sketch) =>
      expectValid(buildSyncProgram(sketch)),
    );
  });

  it('of programs in C', async () => {
    for (const { entry } of CLASSICS) expectValid(await compileC(CLASSICS_SOURCE, { entry }));
  });
});

it('a wrong word is found', () => {
  const code = compile(buildProgram([[store(0, 1), load(1)], [rmw('add', 0, 1)]]));
  const [first] = code.functions;
  const wrong = (place: number, word: number): readonly string[] => {
    const words = code.words.slice();
    words[first!.entry + place] = word;
    return codeErrors({ ...code, words });
  };
  expect(code.words[first!.entry]).toBe(op.STORE);
  expect(wrong(op.STORE_TYPE, 99)).toEqual([`${first!.entry} STORE: type 99`]);
  expect(wrong(op.STORE_ADDRESS, -1 - code.pool.length)).toHaveLength(1);
  expect(wrong(op.STORE_ORDER, -1)).toHaveLength(1);
  expect(wrong(op.SITE, 1000)).toHaveLength(1);
  expect(wrong(0, 99)).toEqual(['function 0: does not end with an instruction']);
});

it('code can be read by people', () => {
  const code = compile(buildProgram([[store(0, 1), load(1), rmw('add', 0, 1)]]));
  expect(listCode(code, code.functions[0]!)).toMatchInlineSnapshot(`
    "0  STORE type=i32 address=#0 value=#2 order=plain
    6  LOAD type=i32 dest=r5 address=#4 order=plain
    12  RMW operator=add type=i32 dest=r6 address=#0 value=#2 order=seq_cst
    20  RETURN type=none value=none"
  `);
});
