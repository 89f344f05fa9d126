/**
 * Every program in `programs/`: generated code and the interpreter, step by step on the same random schedules (see
 * `generated.test.ts`). There are 9 schedules for each file, shared among the models, with its first set of defines, or
 * the first that has no fences; in the deep tier 20 times as many, under every model, and with all defines, which add
 * fences or introduce other mistakes.
 */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'vitest';
import { ROWS as NIDHUGG_ROWS } from '../../bench/nidhugg-table.ts';
import type { Program } from '../../src/program/ir.ts';
import { loadFiles, MODELS } from '../support/c.ts';
import { Lockstep } from '../support/lockstep.ts';
import { loadRow, ROWS } from '../support/programs.ts';
import { DEEP, samples } from '../support/tier.ts';

const LIMITS = {
  threads: 8,
  frameWords: 1 << 12,
  stackBytes: 1 << 12,
  heapBytes: 1 << 13,
  syncObjects: 64,
  bufferEntries: 256,
};

function compare(program: Program): void {
  for (const model of MODELS) new Lockstep(program, model, 10, { limits: LIMITS }).run(samples(3));
}

/** In the push tier, one row per file. */
function chosen<T>(rows: readonly T[], fileOf: (row: T) => string): readonly T[] {
  const first = new Map(rows.toReversed().map((row) => [fileOf(row), row]));
  return rows.filter((row) => DEEP || first.get(fileOf(row)) === row);
}

const folder = fileURLToPath(new URL('../../programs/', import.meta.url));

function load(files: readonly string[], defines: readonly string[]): Promise<Program> {
  return loadFiles(
    files.map((file) => folder + file),
    { defines },
  );
}

describe('the same states, events, output and errors', () => {
  it.each(chosen(ROWS, ({ file }) => file))('come from generated code and the interpreter for $name', async (row) =>
    compare(await loadRow(row)),
  );

  // The longest executions, in the deep tier only.
  const some = NIDHUGG_ROWS.filter(({ name }) => DEEP || !/^runtime_(2|all)/.test(name));
  it.each(chosen(some, ({ files }) => files[0]!))(
    'come from generated code and the interpreter for nidhugg/$name',
    async ({ files, defines }) => compare(await load(files, defines)),
  );

  const scale = readdirSync(`${folder}scale`).filter((name) => name.endsWith('.c'));
  it.each(scale)('come from generated code and the interpreter for scale/%s', async (name) =>
    compare(await load([`scale/${name}`], ['N=4'])),
  );
});
