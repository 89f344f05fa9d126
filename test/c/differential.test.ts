/**
 * Generated programs with one thread: the machine prints what the same program prints when compiled
 * natively.
 */

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { programError } from '../../src/machine/describe/program-error.ts';
import { Machine } from '../../src/machine/machine.ts';
import { type Model, modelsWith } from '../../src/models/index.ts';
import type { Program } from '../../src/program/ir.ts';
import { Prng } from '../../src/util/prng.ts';
import { compileC, outputOf, runAlone, sourceFolder } from '../support/c.ts';
import { type GeneratedProgram, generateProgram, programFile } from '../support/c-generate.ts';
import { SEED, samples } from '../support/tier.ts';

const FILES = samples(3);
const PER_FILE = 25;

// These programs can see no other difference from our target; they do not use `long` or the size of pointers.
const compiler = ['cc', 'gcc', 'clang', 'clang-16'].find((name) => spawnSync(name, ['--version']).status === 0);
const isComparable = compiler !== undefined && (process.arch === 'x64' || process.arch === 'arm64');
const mayCompare = isComparable || process.env['CI'] === 'true';
if (!mayCompare) console.warn('no native C compiler: generated programs are not compared with one');

function runNatively(source: string): string {
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

/** Any enabled step at each point: with one thread, this only decides when stores reach memory. */
function runAtRandom(program: Program, model: Model, seed: number): string {
  const machine = new Machine(program, model);
  const prng = new Prng(seed);
  while (machine.enabled() > 0) machine.step(machine.steps.get(prng.below(machine.steps.length)));
  if (machine.outcome !== 'complete') throw new Error(`${machine.outcome} ${JSON.stringify(programError(machine))}`);
  return outputOf(machine);
}

/** The output by program. */
function sections(output: string): Map<string, string> {
  const parts = output.split(/^== (\w+)\n/m);
  return new Map(Array.from({ length: (parts.length - 1) / 2 }, (_, i) => [parts[2 * i + 1]!, parts[2 * i + 2]!]));
}

function compare(programs: readonly GeneratedProgram[], seed: number, expected: string, actual: string): void {
  const [theirs, ours] = [sections(expected), sections(actual)];
  for (const { name, source } of programs) {
    const message = `file seed ${seed}:\n${source}`;
    expect(ours.get(name), message).toBe(theirs.get(name));
  }
}

const files = Array.from({ length: FILES }, (_, file) => ({ seed: SEED + file, bitFields: file % 3 === 0 }));

describe.runIf(mayCompare).each(files)('seed $seed, bit-fields: $bitFields', ({ seed, bitFields }) => {
  const programs = Array.from({ length: PER_FILE }, (_, i) => generateProgram(`p${i}`, seed, i, bitFields));
  const source = programFile(programs);
  let expected = '';
  let program: Program;
  beforeAll(async () => {
    expected = runNatively(source);
    program = await compileC({ 'generated.c': source });
  });

  it(`${PER_FILE} programs print what they print natively`, () => {
    compare(programs, seed, expected, runAlone(program));
  });

  it('whenever their stores reach memory', () => {
    for (const model of modelsWith('robust')) compare(programs, seed, expected, runAtRandom(program, model, seed));
  });
});
