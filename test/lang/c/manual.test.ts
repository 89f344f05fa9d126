/**
 * Programs written from the manual pages, in `test/lang/c/manual/`. The first line of each gives the expectation: `correct`,
 * the kind of error, or one per model; whether every execution prints the same text, which is then also what the
 * program prints when compiled for this machine; and its arguments.
 */

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { programError } from '../../../src/machine/describe/program-error.ts';
import { Machine } from '../../../src/machine/machine.ts';
import type { Program } from '../../../src/program/ir.ts';
import { Prng } from '../../../src/util/prng.ts';
import { type CheckedModel, check, compileC, MODELS, outputOf, verdict } from '../../support/c.ts';
import { DEEP, samples } from '../../support/tier.ts';

const FOLDER = fileURLToPath(new URL('manual/', import.meta.url));
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith('.c'));
const SEEDS = Array.from({ length: samples(1) }, (_, i) => i + 1);
/** Enough to find the errors, and to verify most of the programs; the others stay inconclusive. */
const MAX_EXECUTIONS = samples(30);
/** The verified ones, by name and model. */
const verified = new Set<string>();

const native = ['cc', 'gcc', 'clang', 'clang-16'].find((name) => spawnSync(name, ['--version']).status === 0);
const scratch = mkdtempSync(join(tmpdir(), 'fencepost-manual-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

interface Expectation {
  readonly verdicts: Readonly<Record<CheckedModel, string>>;
  readonly isDeterministic: boolean;
  readonly arguments: readonly string[];
}

function readExpectation(source: string): Expectation {
  const line = /^\/\* expect: (.*) \*\/\n/.exec(source)?.[1];
  if (line === undefined) throw new Error('the first line must say what to expect');
  const [what, ...more] = line.split('; ');
  const byModel = new Map(what!.split(', ').map((part) => part.split(/ (.*)/s) as [string, string]));
  const verdicts = Object.fromEntries(MODELS.map((model) => [model, byModel.get(model) ?? what!]));
  const args = more.find((part) => part.startsWith('arguments: '));
  return {
    verdicts: verdicts as Record<CheckedModel, string>,
    isDeterministic: more.includes('same output always'),
    arguments: args === undefined ? [] : args.slice('arguments: '.length).split(' '),
  };
}

function runAtRandom(program: Program, model: CheckedModel, seed: number): string {
  const machine = new Machine(program, model);
  const prng = new Prng(seed);
  while (machine.enabled() > 0) machine.step(machine.steps.get(prng.below(machine.steps.length)));
  return machine.outcome === 'complete'
    ? outputOf(machine)
    : `${machine.outcome}: ${JSON.stringify(programError(machine))}`;
}

function runNatively(file: string, args: readonly string[]): string {
  const binary = join(scratch, file.replace(/\.c$/, ''));
  execFileSync(native!, ['-std=gnu17', '-pthread', '-o', binary, join(FOLDER, file), '-lm']);
  return execFileSync(binary, args, { encoding: 'utf8' });
}

it('the folder has enough programs', () => {
  expect(FILES.length).toBeGreaterThanOrEqual(32);
});

/**
 * In the push tier, each correct file is checked under one of the models, in turn; in the deep tier, under all of
 * them.
 */
const inTurn = (file: string): readonly CheckedModel[] =>
  DEEP ? MODELS : [MODELS[FILES.indexOf(file) % MODELS.length]!];

describe.each(FILES)('%s', (file) => {
  const source = readFileSync(join(FOLDER, file), 'utf8');
  const expected = readExpectation(source);
  const compile = (): Promise<Program> => compileC({ [file]: source }, { arguments: expected.arguments });

  it.each(MODELS.filter((model) => expected.verdicts[model] !== 'correct' || inTurn(file).includes(model)))(
    'has its verdict by default, under %s',
    async (model) => {
      const isCorrect = expected.verdicts[model] === 'correct';
      const maxExecutions = isCorrect ? MAX_EXECUTIONS : 5000;
      const result = check(await compile(), model, { strategy: 'optimal', spin: true, maxExecutions, maxSteps: 2000 });
      if (isCorrect) expect(verdict(result)).toMatch(/^(verified|inconclusive)$/);
      else expect(verdict(result)).toContain(expected.verdicts[model]);
      if (verdict(result) === 'verified') verified.add(`${file} ${model}`);
    },
  );

  it.runIf(MODELS.every((model) => expected.verdicts[model] === 'correct'))('has no error at random', async () => {
    const program = await compile();
    for (const model of inTurn(file)) {
      const result = check(program, model, { strategy: 'random', maxExecutions: samples(3) });
      expect(verdict(result), model).toBe('inconclusive');
    }
  });

  it.runIf(expected.isDeterministic && native !== undefined)('prints what it prints natively', async () => {
    const program = await compile();
    const printed = runNatively(file, expected.arguments);
    expect(printed).not.toBe('');
    for (const model of inTurn(file))
      for (const seed of SEEDS) expect(runAtRandom(program, model, seed), `${model} ${seed}`).toBe(printed);
  });
});

it('most of the correct ones are verified', () => {
  expect(verified.size).toBeGreaterThanOrEqual(DEEP ? 60 : 20);
});
