/**
 * `fencepost robust`: can the effects of store buffers be observed in this program at all? Decided from SC executions.
 */

import type { Command } from 'commander';
import { LITMUS_SUFFIX, readLitmusTest } from '../../api/litmus-test.ts';
import { withOptimiser } from '../../api/program.ts';
import { chooseMonitors, robustReport } from '../../api/robust.ts';
import { withRoom } from '../../api/room.ts';
import type { CProgram } from '../../frontend/llvm/c-program.ts';
import { COMPILE, type CompileChoices } from '../../options/compile.ts';
import { REPORTER, type ReporterChoices } from '../../options/output.ts';
import { ROBUST, type RobustChoices } from '../../options/robust.ts';
import { DEFAULT_MAX_STATES } from '../../options/search.ts';
import { RobustRun } from '../../pipelines/robust.ts';
import type { Program } from '../../program/ir.ts';
import type { ProblemReport, RobustReport } from '../../report/schema.ts';
import { sourceLines } from '../../report/source-lines.ts';
import { Executions } from '../../report/story/executions.ts';
import { reportRobust } from '../../report/story/robust-report.ts';
import { plural, printable } from '../../report/text.ts';
import { printText } from '../../report/writers/text.ts';
import { helpersOf, threadsOf } from '../../workers/team.ts';
import { Driver } from '../shared/drive.ts';
import { EXIT_NOT_UNDERSTOOD, EXIT_USAGE, exitOf, worstExit } from '../shared/exit-codes.ts';
import { addHelpEnd, type HelpEnd } from '../shared/help.ts';
import {
  addCompileOptions,
  addOptions,
  givenCompileOption,
  OUTPUT_GROUP,
  optionProblem,
  readOptions,
  SEARCH_GROUP,
} from '../shared/options.ts';
import { Output } from '../shared/output.ts';
import { load, namedFiles, usage } from '../shared/program.ts';
import { recordExecution, remarkable } from '../shared/record.ts';
import { terminalOptions } from '../shared/terminal.ts';
import { noteUndefined } from '../shared/undefined-note.ts';

type Choices = CompileChoices & RobustChoices & ReporterChoices;

const HELP: HelpEnd = {
  notes: [
    'Monitors:',
    '  causal-tso, causal-pso  the default: exact with one execution per trace',
    '                          (optimal); inconclusive where accesses of different',
    '                          sizes overlap',
    '  sober-fixed             TSO; as exact as causal-tso, slower',
    '  tso, pso                by Burnim, Sen and Stergiou, as published: need all',
    '                          interleavings (bounded, exhaustive)',
    '  sober                   by Burckhardt and Musuvathi, as published: misses some',
    '                          violations, so it proves nothing',
    '',
    'With several monitors for a model, a table shows what each of them finds. --first stops as soon as each model has a ' +
      'violation; a model without one is still explored to its end.',
  ].join('\n'),
  exit:
    '0 robust; 1 not robust (harmful or not), or fails under sc; 2 wrong usage; 3 invalid or unsupported program; 4 inconclusive: ' +
    'a bound was reached.',
  examples: [
    ['Which accesses can be reordered?', 'fencepost robust driver.c'],
    ['Is there any, on x86?', 'fencepost robust driver.c --model tso --first'],
    ['A litmus test:', 'fencepost robust SB.litmus'],
  ],
  manual: ['docs/robust.md'],
};

export function addRobustCommand(program: Command, finish: (exit: number) => void): void {
  const command = addCompileOptions(
    program
      .command('robust')
      .summary('check whether store buffers change what a program does')
      .description(
        'A program is robust if store buffers make no difference: sc allows every execution that tso or pso allows. Decides ' +
          'this from executions under sc alone, using monitors. If a program is not robust, shows each pair of accesses that ' +
          'can be reordered, with an execution. Several sources make one program; each litmus test is a separate program.',
      )
      .argument(
        '<file...>',
        'sources of one program: C (.c, .i), C++ (.cpp, .cc, .cxx) or LLVM IR (.ll, .bc); or litmus tests (.litmus)',
      ),
  );
  addOptions(command, ROBUST, SEARCH_GROUP);
  addHelpEnd(addOptions(command, REPORTER, OUTPUT_GROUP), HELP).action(
    async (files: string[], flags: Record<string, unknown>, command: Command) => {
      const choices = readOptions<Choices>(flags, { ...COMPILE, ...ROBUST, ...REPORTER });
      const option = files.some((file) => file.endsWith(LITMUS_SUFFIX)) ? givenCompileOption(command) : undefined;
      const problem =
        option === undefined
          ? optionProblem(command, ROBUST, choices.strategy)
          : `${option} is for C programs, not for litmus tests`;
      finish(
        problem === undefined
          ? await withRoom(choices, (chosen) => runRobustCommand(namedFiles(files), chosen))
          : usage(problem),
      );
    },
  );
}

async function runRobustCommand(files: readonly string[], choices: Choices): Promise<number> {
  const chosen = chooseMonitors(choices);
  if (typeof chosen === 'string') return usage(chosen);
  const output = Output.of(choices, files);
  if ('problem' in output) return usage(output.problem);
  const inputs = await read(files, choices);
  if (typeof inputs === 'string') return usage(inputs);
  const { loaded } = inputs;
  const { problems } = inputs;
  const exits = [...inputs.exits];
  const reports: RobustReport[] = [];
  const driver = new Driver(choices.timeout);
  for (const { name, program } of inputs.programs) {
    const bounds = { maxStates: DEFAULT_MAX_STATES, keepGoing: false };
    const run = new RobustRun(program, { ...choices, ...chosen, ...bounds }, helpersOf(threadsOf(choices)));
    await drive(driver, run, name).catch((error: unknown) => {
      driver.dispose();
      throw error;
    });
    const { sc } = run;
    const { results } = run;
    noteUndefined(program, results);
    exits.push(...results.map(({ verdict }) => exitOf(verdict)));
    if (choices.record !== undefined) {
      const alarms = results.flatMap((r) => r.violations);
      exits.push(...recordExecution(program, remarkable(alarms, sc.errors), choices.seed, choices.record));
    }
    // In a litmus test, one line has an instruction of each thread, so lines are not quoted.
    const forPage = output.hasPage;
    const lines = loaded === undefined ? undefined : sourceLines();
    const executions = new Executions(program, lines, { ...loaded, forPage });
    reports.push(...results.map((r) => reportRobust(name, executions, r, sc.warnings, { forPage })));
  }
  driver.dispose();
  const report = robustReport(files, choices, loaded, withOptimiser(reports, choices), problems);
  if (reports.length > 0) output.writeText(printText(report, terminalOptions()));
  if (!output.writeReport(report)) exits.push(EXIT_USAGE);
  return worstExit(exits);
}

interface Inputs {
  readonly programs: readonly { readonly name: string; readonly program: Program }[];
  /** The program, if it is a C program. */
  readonly loaded: CProgram | undefined;
  /** Problems already printed, with their exit codes. */
  readonly problems: readonly ProblemReport[];
  readonly exits: readonly number[];
}

/** One C program, or litmus tests, each of which is a separate program; or what is wrong with the request. */
async function read(files: readonly string[], choices: Choices): Promise<Inputs | string> {
  const tests = files.filter((file) => file.endsWith(LITMUS_SUFFIX));
  if (tests.length === 0) {
    const loaded = await load(files, choices);
    if ('problem' in loaded)
      return { programs: [], loaded: undefined, problems: [loaded.problem], exits: [loaded.exit] };
    if (loaded.diagnostics !== '') process.stderr.write(loaded.diagnostics);
    return { programs: [{ name: files.join(' '), program: loaded.program }], loaded, problems: [], exits: [] };
  }
  if (tests.length < files.length) return 'a litmus test cannot be part of a C program';
  if (tests.length > 1 && choices.record !== undefined) return 'only one litmus test can be recorded';
  const read = tests.map(readLitmusTest);
  const unread = read.flatMap((test) => ('problem' in test ? [test] : []));
  for (const { text } of unread) process.stderr.write(`${printable(text)}\n`);
  return {
    programs: read.flatMap((test) => ('problem' in test ? [] : [{ name: test.file, program: test.program }])),
    loaded: undefined,
    problems: unread.map(({ problem }) => problem),
    exits: unread.map(() => EXIT_NOT_UNDERSTOOD),
  };
}

async function drive(driver: Driver, run: RobustRun, file: string): Promise<void> {
  driver.restart();
  await driver.drive(run, () => {
    const { executions, violations } = run.progress;
    return {
      before: 'robust ',
      path: file,
      after: [`: ${plural(executions, 'execution')}, ${plural(violations, 'violation')}`],
    };
  });
  driver.clear();
}
