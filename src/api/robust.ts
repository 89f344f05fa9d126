/** `robust`: does a program have executions that SC does not allow? */
import type { CProgram } from '../frontend/llvm/c-program.ts';
import { modelsWith } from '../models/index.ts';
import { causalMonitor, causalMonitoring, type Monitoring, predicts } from '../monitor/monitors.ts';
import type { CommandChoices } from '../options/command-choices.ts';
import { COMPILE, type CompileChoices } from '../options/compile.ts';
import { keep } from '../options/kept.ts';
import { forApi } from '../options/option.ts';
import { ROBUST, type RobustChoices } from '../options/robust.ts';
import { DEFAULT_MAX_STATES } from '../options/search.ts';
import { RobustRun, unsoundMonitor } from '../pipelines/robust.ts';
import { type ProblemReport, type RobustCommandReport, SCHEMA } from '../report/schema.ts';
import { sourceLines } from '../report/source-lines.ts';
import { Executions } from '../report/story/executions.ts';
import { reportRobust } from '../report/story/robust-report.ts';
import { plural } from '../report/text.ts';
import { Caller } from './caller.ts';
import { UsageError } from './errors.ts';
import { readApiOptions, type WorkOptions } from './options.ts';
import { inputOf, loadProgram, type ProgramInput, withFiles, withOptimiser } from './program.ts';
import { withRoom } from './room.ts';

type Choices = CompileChoices & Omit<RobustChoices, keyof CommandChoices>;

export type RobustCallOptions = Partial<Choices> & WorkOptions;

const OPTIONS = { ...COMPILE, ...forApi<RobustChoices>(ROBUST) };

/** Throws a `UsageError` or an `InputError`. */
export function robust(program: ProgramInput, options: RobustCallOptions = {}): Promise<RobustCommandReport> {
  return withFiles(program, 'program.c', async (files) => {
    const asked = readApiOptions<Choices>(options, OPTIONS);
    return withRoom(asked, (choices) => robustOf(files, choices, options));
  });
}

async function robustOf(
  files: readonly string[],
  choices: Choices,
  options: WorkOptions,
): Promise<RobustCommandReport> {
  const watched = chooseMonitors(choices);
  if (typeof watched === 'string') throw new UsageError(watched);
  const loaded = await loadProgram(files, choices);
  const bounds = { maxStates: DEFAULT_MAX_STATES, keepGoing: false };
  const run = new RobustRun(loaded.program, { ...choices, ...watched, ...bounds });
  await new Caller(options, choices.timeout).run(run, () => {
    const { executions, violations } = run.progress;
    const text = `${plural(executions, 'execution')}, ${plural(violations, 'violation')}`;
    return { command: 'robust', executions, text };
  });
  const executions = new Executions(loaded.program, sourceLines(), loaded);
  const name = files.join(' ');
  const reports = run.results.map((result) => reportRobust(name, executions, result, run.sc.warnings));
  return robustReport(files, choices, loaded, withOptimiser(reports, choices), []);
}

/** The models and monitors to use, or what is wrong with the request. */
export function chooseMonitors(choices: RobustChoices): Monitoring | string {
  const watched = choices.monitors ?? causalMonitoring(choices.models ?? modelsWith('monitors')).monitors;
  for (const name of watched) {
    const reason = unsoundMonitor(name, choices.strategy);
    if (reason !== undefined) return reason;
  }
  const models =
    choices.models ?? modelsWith('monitors').filter((model) => watched.some((name) => predicts(name, model)));
  for (const model of models) {
    if (!watched.some((name) => predicts(name, model))) {
      return `${watched.join(' and ')} does not cover ${model}; use ${causalMonitor(model)}`;
    }
  }
  return { models, monitors: watched.filter((name) => models.some((model) => predicts(name, model))) };
}

export function robustReport(
  files: readonly string[],
  choices: CompileChoices & RobustChoices,
  loaded: CProgram | undefined,
  results: RobustCommandReport['results'],
  problems: readonly ProblemReport[],
): RobustCommandReport {
  const search = keep<RobustChoices, 'strategy' | 'seed'>(ROBUST, choices);
  const input = inputOf(files, choices, search, loaded);
  return { schema: SCHEMA, command: 'robust', input, results, problems };
}
