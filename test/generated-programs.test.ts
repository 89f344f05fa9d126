/**
 * Every program in `programs/`: generated code and the interpreter, step by step on the same random schedules (see
 * `generated.test.ts`). 9 for each, shared among the models, and one for each further set of defines, under the models in turn; in
 * the deep tier 20 times as many, under every model.
 */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'vitest';
import { ROWS as NIDHUGG_ROWS } from '../bench/nidhugg-table.ts';
import type { Program } from '../src/program/ir.ts';
import { loadFiles, MODELS } from './support/c.ts';
import { Lockstep } from './support/lockstep.ts';
import { loadRow, ROWS } from './support/programs.ts';
import { DEEP, samples } from './support/tier.ts';

const LIMITS = {
  threads: 8,
  frameWords: 1 << 12,
  stackBytes: 1 << 12,
  heapBytes: 1 << 13,
  syncObjects: 64,
  bufferEntries: 256,
};

const seen = new Set<string>();
let turn = 0;

function compare(name: string, program: Program): void {
  const models = DEEP || !seen.has(name) ? MODELS : [MODELS[turn++ % MODELS.length]!];
  const schedules = samples(seen.has(name) ? 1 : 3);
  seen.add(name);
  for (const model of models) new Lockstep(program, model, 10, { limits: LIMITS }).run(schedules);
}

const folder = fileURLToPath(new URL('../programs/', import.meta.url));

function load(files: readonly string[], defines: readonly string[]): Promise<Program> {
  return loadFiles(
    files.map((file) => folder + file),
    { defines },
  );
}

describe('the same states, events, output and errors', () => {
  it.each(ROWS)('$name', async (row) => compare(row.file, await loadRow(row)));

  // The longest executions, in the deep tier only.
  const some = NIDHUGG_ROWS.filter(({ name }) => DEEP || !/^runtime_(2|all)/.test(name));
  it.each(some)('nidhugg/$name', async ({ files, defines }) => compare(files[0]!, await load(files, defines)));

  const scale = readdirSync(`${folder}scale`).filter((name) => name.endsWith('.c'));
  it.each(scale)('scale/%s', async (name) => compare(name, await load([`scale/${name}`], ['N=4'])));
});
