/**
 * `fencepost robust`: can the effects of store buffers be observed in this program at all? Decided from SC executions.
 */

import type { Command } from 'commander';
import type { CProgram } from '../../frontend/llvm/c-program.ts';
import { modelsWith, type StoreBufferModel } from '../../models/index.ts';
import { causalMonitor, type MonitorName, monitoredModel } from '../../monitor/monitors.ts';
import { COMPILE, type CompileChoices } from '../../options/compile.ts';
import { REPORTER, type ReporterChoices } from '../../options/output.ts';
import { ROBUST, type RobustChoices } from '../../options/robust.ts';
import { DEFAULT_MAX_STATES } from '../../options/search.ts';
import { RobustRun, unsoundMonitor } from '../../pipelines/robust.ts';
import { type ProblemReport, type RobustCommandReport, SCHEMA } from '../../report/schema.ts';
import { sourceLines } from '../../report/source-lines.ts';
import { Executions } from '../../report/story/executions.ts';
import { reportRobust } from '../../report/story/robust-report.ts';
import { plural } from '../../report/text.ts';
import { printText } from '../../report/writers/text.ts';
import { Driver } from '../shared/drive.ts';
import { EXIT_USAGE, worstExit } from '../shared/exit-codes.ts';
import { addCompileOptions, addOptions, optionProblem, readOptions } from '../shared/options.ts';
import { Output } from '../shared/output.ts';
import { inputOf, load, usage, withOptimiser } from '../shared/program.ts';
import { recordExecution } from '../shared/record.ts';
import { standing } from '../shared/refused.ts';
import { terminalOptions } from '../shared/terminal.ts';

type Choices = CompileChoices & RobustChoices & ReporterChoices;

export function addRobustCommand(program: Command, finish: (exit: number) => void): void {
  const command = addCompileOptions(
    program
      .command('robust')
      .summary('can store buffers change what a C program does?')
      .description(
        'Explores the sequentially consistent executions of a C program with monitors running, and decides whether TSO ' +
          'and PSO allow any others: robust, or not robust with each pair of accesses that can be reordered, the ' +
          'happens-before cycle, and an execution that shows it. Several files make one program.',
      )
      .argument('<file...>', 'C sources (.c, .i) or LLVM IR (.ll, .bc) of one program'),
  );
  addOptions(command, { ...ROBUST, ...REPORTER })
    .addHelpText(
      'after',
      '\nMonitors:\n' +
        '  causal-tso, causal-pso  the default: sound and complete with one execution per trace (optimal);\n' +
        '                          inconclusive where accesses of different sizes overlap\n' +
        '  sober-fixed             TSO; as sound as causal-tso, slower\n' +
        '  tso, pso                Burnim, Sen and Stergiou, as published: need all interleavings (bounded, exhaustive)\n' +
        '  sober                   Burckhardt and Musuvathi, as published: misses some violations, so proves nothing\n' +
        '\nExit code: 0 robust; 1 not robust (harmful or not), or fails under SC; 2 wrong usage; 3 invalid or unsupported\n' +
        'program; 4 inconclusive: a bound was reached.\n\n' +
        'Example:\n  fencepost robust examples/store-buffering.c --model tso',
    )
    .action(async (files: string[], flags: Record<string, unknown>, command: Command) => {
      const choices = readOptions<Choices>(flags, { ...COMPILE, ...ROBUST, ...REPORTER });
      const problem = optionProblem(command, choices.strategy);
      finish(problem === undefined ? await runRobustCommand(files, choices) : usage(problem));
    });
}

/** The models and monitors to use, or what is wrong with the request. */
function choose(choices: Choices): { models: readonly StoreBufferModel[]; monitors: readonly MonitorName[] } | string {
  const watched = choices.monitors ?? (choices.models ?? modelsWith('monitors')).map(causalMonitor);
  for (const name of watched) {
    const reason = unsoundMonitor(name, choices.strategy);
    if (reason !== undefined) return reason;
  }
  const models =
    choices.models ?? modelsWith('monitors').filter((model) => watched.some((name) => monitoredModel(name) === model));
  for (const model of models) {
    if (!watched.some((name) => monitoredModel(name) === model)) {
      return `${watched.join(' and ')} does not cover ${model}; use causal-${model}`;
    }
  }
  return { models, monitors: watched.filter((name) => models.includes(monitoredModel(name))) };
}

async function runRobustCommand(files: readonly string[], choices: Choices): Promise<number> {
  const chosen = choose(choices);
  if (typeof chosen === 'string') return usage(chosen);
  const output = Output.of(choices);
  if ('problem' in output) return usage(output.problem);
  const loaded = await load(files, choices);
  if ('problem' in loaded) {
    const report = makeReport(files, choices, undefined, [], [loaded.problem]);
    return output.writeReport(report) ? loaded.exit : EXIT_USAGE;
  }
  if (loaded.diagnostics !== '') process.stderr.write(loaded.diagnostics);
  const run = new RobustRun(loaded.program, {
    ...choices,
    ...chosen,
    maxStates: DEFAULT_MAX_STATES,
    keepGoing: false,
  });
  await finish(run, files[0]!, choices.timeout);
  const { sc } = run;
  const { results, problems, exits } = standing(files[0]!, run.results);
  if (choices.record !== undefined && problems.length === 0) {
    const [first] = results.flatMap((r) => r.violations);
    const exit = recordExecution(loaded.program, first?.schedule, choices.seed, choices.record);
    if (exit !== undefined) return exit;
  }
  const executions = new Executions(loaded.program, sourceLines(), { forPage: output.hasPage });
  const reports = results.map((r) =>
    reportRobust(files.join(' '), executions, r, sc.warnings, { forPage: output.hasPage }),
  );
  const report = makeReport(files, choices, loaded, withOptimiser(reports, choices), problems);
  if (reports.length > 0) output.writeText(printText(report, terminalOptions()));
  const isWritten = output.writeReport(report);
  return worstExit([...(isWritten ? [] : [EXIT_USAGE]), ...exits]);
}

async function finish(run: RobustRun, file: string, timeout: number | undefined): Promise<void> {
  const driver = new Driver(timeout);
  await driver.drive(run, () => {
    const { executions, violations } = run.progress;
    return {
      before: 'robust ',
      path: file,
      after: [`: ${plural(executions, 'execution')}, ${plural(violations, 'violation')}`],
    };
  });
  driver.dispose();
}

function makeReport(
  files: readonly string[],
  choices: Choices,
  loaded: CProgram | undefined,
  results: RobustCommandReport['results'],
  problems: readonly ProblemReport[],
): RobustCommandReport {
  const { strategy, seed } = choices;
  const input = inputOf(files, choices, { strategy, seed }, loaded);
  return { schema: SCHEMA, command: 'robust', input, results, problems };
}
