/** `check`: does a program fail under any schedule and memory model? */
import type { CProgram } from '../frontend/llvm/c-program.ts';
import type { Model } from '../models/index.ts';
import { CHECK, type CheckChoices } from '../options/check.ts';
import type { CommandChoices } from '../options/command-choices.ts';
import { COMPILE, type CompileChoices } from '../options/compile.ts';
import { keep } from '../options/kept.ts';
import { forApi } from '../options/option.ts';
import { CheckRun } from '../pipelines/check.ts';
import { marksOperations } from '../pipelines/observations.ts';
import { shrinkAll } from '../pipelines/shrink.ts';
import { notRetraced, refusedProgram, unansweredQuestion, unsoundCombination } from '../pipelines/strategies.ts';
import { type CheckCommandReport, type ProblemReport, SCHEMA } from '../report/schema.ts';
import { sourceLines } from '../report/source-lines.ts';
import { reportCheck } from '../report/story/check-report.ts';
import { Executions } from '../report/story/executions.ts';
import { plural } from '../report/text.ts';
import { Caller } from './caller.ts';
import { UsageError } from './errors.ts';
import { isGiven, readApiOptions, type WorkOptions } from './options.ts';
import { inputOf, loadProgram, type ProgramInput, withFiles, withOptimiser } from './program.ts';
import { withRoom } from './room.ts';

type Choices = CompileChoices & Omit<CheckChoices, keyof CommandChoices>;

export type CheckCallOptions = Partial<Choices> & WorkOptions;

const OPTIONS = { ...COMPILE, ...forApi<CheckChoices>(CHECK) };

/**
 * Throws a `UsageError` or an `InputError`. If the search is aborted or runs out of time, the result is inconclusive.
 */
export function check(program: ProgramInput, options: CheckCallOptions = {}): Promise<CheckCommandReport> {
  return withFiles(program, 'program.c', async (files) => {
    const asked = readApiOptions<Choices>(options, OPTIONS);
    const models = askedModels(asked, isGiven(options, 'models'));
    if (typeof models === 'string') throw new UsageError(models);
    return withRoom(asked, (choices) => checkFiles(files, choices, models, options));
  });
}

async function checkFiles(
  files: readonly string[],
  choices: Choices,
  models: readonly Model[],
  options: WorkOptions,
): Promise<CheckCommandReport> {
  const loaded = await loadProgram(files, choices);
  if (choices.observations === true && !marksOperations(loaded.program)) throw new UsageError(NO_OPERATIONS);
  const refused = refusedProgram(choices, loaded.program);
  if (refused !== undefined) throw new UsageError(refused);
  const run = new CheckRun(loaded.program, { ...choices, models }, undefined, choices.timeout);
  await new Caller(options, choices.timeout).run(run, () => {
    const now = run.progress;
    if (now === undefined) return undefined;
    const { model, executions } = now;
    return { command: 'check', model, executions, text: `under ${model}: ${plural(executions, 'execution')}` };
  });
  const results = shrinkAll(loaded.program, run.results, choices.interpret === true);
  const executions = new Executions(loaded.program, sourceLines(), loaded);
  const reports = results.map((result) => reportCheck(files.join(' '), executions, result));
  return checkReport(files, choices, loaded, withOptimiser(reports, choices), []);
}

/**
 * The models to ask, or why a model that was requested by name cannot be asked. Default models that cannot answer are
 * dropped.
 */
export function askedModels(choices: CheckChoices, hasNamed: boolean): readonly Model[] | string {
  const refusal = (model: Model): string | undefined =>
    notRetraced(choices) ?? unsoundCombination(choices.strategy, model) ?? unansweredQuestion(choices, model);
  const models = choices.models.filter((model) => refusal(model) === undefined);
  const refused = !hasNamed && models.length > 0 ? undefined : choices.models.find(refusal);
  return refused === undefined ? models : refusal(refused)!;
}

export const NO_OPERATIONS: string =
  'the program marks no operations; wrap them in fencepost_op_begin("name", argument) and fencepost_op_end(result) from ' +
  '<fencepost.h>, or drop --observations';

export function checkReport(
  files: readonly string[],
  choices: CompileChoices & CheckChoices,
  loaded: CProgram | undefined,
  results: CheckCommandReport['results'],
  problems: readonly ProblemReport[],
): CheckCommandReport {
  const search = keep<CheckChoices, 'strategy' | 'seed' | 'observations' | 'keepGoing'>(CHECK, choices);
  return { schema: SCHEMA, command: 'check', input: inputOf(files, choices, search, loaded), results, problems };
}
