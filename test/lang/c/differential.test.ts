/**
 * Generated programs with one thread: the machine prints what the same program prints when compiled
 * natively.
 */

import { beforeAll, describe, expect, it } from 'vitest';
import { programError } from '../../../src/machine/describe/program-error.ts';
import { Machine } from '../../../src/machine/machine.ts';
import { type Model, modelsWith } from '../../../src/models/index.ts';
import type { Program } from '../../../src/program/ir.ts';
import { Prng } from '../../../src/util/prng.ts';
import { compileC, outputOf, runAlone } from '../../support/c.ts';
import { type GeneratedProgram, generateProgram, programFile } from '../../support/c-generate.ts';
import { mayCompare, runNatively } from '../../support/native.ts';
import { SEED, samples } from '../../support/tier.ts';

const FILES = samples(3);
const PER_FILE = 25;

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
    for (const model of modelsWith('monitors')) compare(programs, seed, expected, runAtRandom(program, model, seed));
  });
});
