/** Checks a file of the repository as the command does, without starting a process. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadCProgram } from '../../src/frontend/llvm/c-program.ts';
import { HEADERS } from '../../src/frontend/llvm/clang/library.ts';
import type { Model } from '../../src/models/index.ts';
import type { CheckOptions } from '../../src/options/check.ts';
import { CheckRun } from '../../src/pipelines/check.ts';
import type { ModelResult } from '../../src/pipelines/model-run.ts';
import { shrinkAll } from '../../src/pipelines/shrink.ts';
import type { Program } from '../../src/program/ir.ts';
import { type CheckCommandReport, type CheckReport, SCHEMA } from '../../src/report/schema.ts';
import type { SourceLines } from '../../src/report/source-lines.ts';
import { reportCheck } from '../../src/report/story/check-report.ts';
import { Executions } from '../../src/report/story/executions.ts';
import { REPOSITORY } from './fencepost.ts';
// Sets the cache of the tests.
import './c.ts';

export interface Checked {
  readonly file: string;
  readonly program: Program;
  readonly asWritten?: () => Program;
  /** As found, and with simpler executions. */
  readonly found: readonly ModelResult[];
  readonly results: readonly ModelResult[];
}

export async function checkFile(
  file: string,
  models: readonly Model[],
  { defines = [], ...options }: Partial<CheckOptions> & { readonly defines?: readonly string[] } = {},
): Promise<Checked> {
  const { program, asWritten } = await loadCProgram([file], {
    defines,
    undefines: [],
    includePaths: [],
    includes: [],
    cache: true,
    headers: HEADERS,
    entry: 'main',
    arguments: [],
  });
  const run = new CheckRun(program, {
    models,
    strategy: 'optimal',
    preemptions: 2,
    seed: 1,
    maxExecutions: undefined,
    maxSteps: undefined,
    maxStates: 1_000_000,
    keepGoing: false,
    races: false,
    ...options,
  });
  while (!run.advance(1_000_000));
  return { file, program, asWritten, found: run.results, results: shrinkAll(program, run.results, false) };
}

export const sourceOf: SourceLines = (file, line) => readFileSync(join(REPOSITORY, file), 'utf8').split('\n')[line - 1];

export function reportsOf(
  { file, program, results, asWritten }: Pick<Checked, 'file' | 'program' | 'results' | 'asWritten'>,
  source: SourceLines = sourceOf,
): readonly CheckReport[] {
  const executions = new Executions(program, source, asWritten === undefined ? {} : { asWritten });
  return results.map((result) => reportCheck(file, executions, result));
}

export function commandReport(
  { file, program, results, asWritten }: Checked,
  source: SourceLines = sourceOf,
): CheckCommandReport {
  return {
    schema: SCHEMA,
    command: 'check',
    input: {
      files: [file],
      entry: 'main',
      arguments: [],
      defines: [],
      undefines: [],
      includePaths: [],
      includes: [],
      strategy: 'optimal',
      seed: 1,
      clang: '',
    },
    results: reportsOf({ file, program, results, ...(asWritten && { asWritten }) }, source),
    problems: [],
  };
}
