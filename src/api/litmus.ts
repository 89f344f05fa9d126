/** `litmus`: final states, condition, executions and robustness of litmus tests, per memory model. */
import { LitmusError } from '../frontend/litmus/error.ts';
import { type LitmusTest, parseLitmus } from '../frontend/litmus/litmus.ts';
import { defaultLitmusModels, type Model } from '../models/index.ts';
import type { CommandChoices } from '../options/command-choices.ts';
import { forApi } from '../options/option.ts';
import { LITMUS, type LitmusChoices } from '../options/others.ts';
import { LitmusRun, unsuitable } from '../pipelines/litmus.ts';
import { type LitmusCommandReport, type LitmusReport, type ProblemReport, SCHEMA } from '../report/schema.ts';
import { reportLitmus } from '../report/story/litmus-report.ts';
import { plural } from '../report/text.ts';
import { Caller } from './caller.ts';
import { InputError } from './errors.ts';
import { findFiles } from './files.ts';
import { LITMUS_SUFFIX, readLitmusTest } from './litmus-test.ts';
import { isGiven, readApiOptions, type WorkOptions } from './options.ts';
import type { ProgramInput, SourceText } from './program.ts';

type Choices = Omit<LitmusChoices, keyof CommandChoices>;

export type LitmusCallOptions = Partial<Choices> & WorkOptions & { readonly timeout?: number };

/**
 * Takes files, folders or patterns, or the text of one test. Throws a `UsageError`, and an `InputError` for a missing
 * file or an invalid text. Invalid files are `problems` of the report, since the other files can still be tested.
 */
export async function litmus(tests: ProgramInput, options: LitmusCallOptions = {}): Promise<LitmusCommandReport> {
  const { timeout, ...others } = options;
  const choices = readApiOptions<Choices>(others, forApi<LitmusChoices>(LITMUS));
  const problems: ProblemReport[] = [];
  const read = typeof tests === 'object' && 'source' in tests ? [readTest(tests)] : findTests(tests, problems);
  const results: LitmusReport[] = [];
  const caller = new Caller(options, timeout);
  for (const test of read) {
    const models = isGiven(options, 'models') ? choices.models : defaultModelsOf(test);
    const reason = models.map((model) => unsuitable(test, model)).find((why) => why !== undefined);
    if (reason !== undefined) problems.push({ file: test.file, message: reason });
    for (const model of reason === undefined ? models : []) {
      const started = performance.now();
      const run = new LitmusRun(test, model, choices.maxStates, choices);
      await caller.run(run, () => ({
        command: 'litmus',
        model,
        text: `${test.name} under ${model}: ${plural(run.visitedStates, 'state')}`,
      }));
      results.push(reportLitmus(run.result, (performance.now() - started) / 1000, choices));
    }
  }
  return { schema: SCHEMA, command: 'litmus', results, problems };
}

function findTests(paths: string | readonly string[], problems: ProblemReport[]): readonly LitmusTest[] {
  const { files, problems: notFound } = findFiles(typeof paths === 'string' ? [paths] : paths, LITMUS_SUFFIX);
  if (notFound[0] !== undefined) throw new InputError(notFound[0]);
  return files.map(readLitmusTest).flatMap((test) => {
    if (!('problem' in test)) return [test];
    problems.push(test.problem);
    return [];
  });
}

function readTest({ source, name = 'test.litmus' }: SourceText): LitmusTest {
  try {
    return parseLitmus(source, name);
  } catch (error) {
    if (!(error instanceof LitmusError)) throw error;
    const { line, column, found, expected } = error;
    throw new InputError({ file: name, message: `found "${found}", expected ${expected}`, line, column });
  }
}

/** By default, tests in C are also run under the model of C. */
export function defaultModelsOf({ arch }: LitmusTest): readonly Model[] {
  return defaultLitmusModels(arch === 'C');
}
