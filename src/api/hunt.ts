/** `hunt`: looks for executions that SC does not allow, in programs too large for `check`. */
import type { CProgram } from '../frontend/llvm/c-program.ts';
import type { RelaxedModel } from '../models/index.ts';
import type { CommandChoices } from '../options/command-choices.ts';
import { COMPILE, type CompileChoices } from '../options/compile.ts';
import { HUNT, type HuntChoices, type KeptHuntName, PUBLISHED } from '../options/hunt.ts';
import { keep } from '../options/kept.ts';
import { forApi } from '../options/option.ts';
import { HuntRun } from '../pipelines/hunt/hunt.ts';
import { harnessProblem } from '../pipelines/hunt/owner.ts';
import { HuntTime } from '../pipelines/hunt/time.ts';
import { shrinkErrors } from '../pipelines/shrink.ts';
import { type HuntCommandReport, type HuntInput, type ProblemReport, SCHEMA } from '../report/schema.ts';
import { sourceLines } from '../report/source-lines.ts';
import { Executions } from '../report/story/executions.ts';
import { reportHunt } from '../report/story/hunt-report.ts';
import { plural } from '../report/text.ts';
import { Caller } from './caller.ts';
import { UsageError } from './errors.ts';
import { readApiOptions, type WorkOptions } from './options.ts';
import { inputOf, loadProgram, type ProgramInput, withFiles, withOptimiser } from './program.ts';
import { withRoom } from './room.ts';

type Choices = CompileChoices & Omit<HuntChoices, keyof CommandChoices>;

export type HuntCallOptions = Partial<Choices> & WorkOptions;

const OPTIONS = { ...COMPILE, ...forApi<HuntChoices>(HUNT) };

/** Throws a `UsageError` or an `InputError`. A hunt proves nothing: without an error, the result is inconclusive. */
export function hunt(program: ProgramInput, options: HuntCallOptions = {}): Promise<HuntCommandReport> {
  return withFiles(program, 'program.c', async (files) => {
    const asked = readApiOptions<Choices>(options, OPTIONS);
    return withRoom(asked.asPublished ? { ...asked, ...PUBLISHED } : asked, (choices) =>
      huntIn(files, choices, options),
    );
  });
}

async function huntIn(files: readonly string[], choices: Choices, options: WorkOptions): Promise<HuntCommandReport> {
  const loaded = await loadProgram(files, choices);
  const problem = harnessProblem(loaded.program, choices.harness);
  if (problem !== undefined) throw new UsageError(problem);
  const time = new HuntTime(choices.timeout);
  const caller = new Caller(options, choices.timeout);
  const run = new HuntRun(loaded.program, {
    ...choices,
    models: choices.models as readonly RelaxedModel[],
    goesOn: choices.timeout !== undefined,
    isLate: caller.isLate,
  });
  await caller.run(time.watch(run), () => {
    const { model, executions, predicted, confirmed, harmful } = run.progress;
    const text = `under ${model}: ${plural(predicted, 'cycle')} predicted, ${confirmed} confirmed, ${harmful} harmful`;
    return { command: 'hunt', model, executions, text };
  });
  const found = run.results;
  const begin = time.shares(found.reduce((sum, { errors }) => sum + errors.length, 0));
  const results = found.map((result) => shrinkErrors(loaded.program, result, choices.interpret, begin));
  const executions = new Executions(loaded.program, sourceLines(), loaded);
  const reports = results.map((result) => reportHunt(files.join(' '), executions, result));
  return huntReport(files, choices, loaded, withOptimiser(reports, choices), []);
}

export function huntReport(
  files: readonly string[],
  choices: Choices,
  loaded: CProgram | undefined,
  results: HuntCommandReport['results'],
  problems: readonly ProblemReport[],
): HuntCommandReport {
  const { storeDelay = null, loadDelay = null, barrierWait } = choices;
  const search = keep<HuntChoices, KeptHuntName>(HUNT, choices);
  const input: HuntInput = {
    ...inputOf(files, choices, { ...search, strategy: 'hunt' }, loaded),
    ...search,
    strategy: 'hunt',
    storeDelay,
    loadDelay,
    barrierWait,
  };
  return { schema: SCHEMA, command: 'hunt', input, results, problems };
}
