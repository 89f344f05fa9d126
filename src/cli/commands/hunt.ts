/** `fencepost hunt`: looks for executions that SC does not allow, in programs too large for `check`. */

import type { Command } from 'commander';
import { huntReport } from '../../api/hunt.ts';
import { withOptimiser } from '../../api/program.ts';
import { withRoom } from '../../api/room.ts';
import type { CProgram } from '../../frontend/llvm/c-program.ts';
import type { RelaxedModel } from '../../models/index.ts';
import { COMPILE, type CompileChoices } from '../../options/compile.ts';
import { HUNT, type HuntChoices, PUBLISHED } from '../../options/hunt.ts';
import { KEEP, type KeepChoices, REPORTER, type ReporterChoices } from '../../options/output.ts';
import { HuntRun } from '../../pipelines/hunt/hunt.ts';
import { harnessProblem } from '../../pipelines/hunt/owner.ts';
import type { HuntResult } from '../../pipelines/hunt/result.ts';
import { HuntTime } from '../../pipelines/hunt/time.ts';
import { type HuntHelpers, NotHuntedTogether } from '../../pipelines/hunt/together.ts';
import { shrinkErrors } from '../../pipelines/shrink.ts';
import { sourceLines } from '../../report/source-lines.ts';
import { Executions } from '../../report/story/executions.ts';
import { reportHunt } from '../../report/story/hunt-report.ts';
import { plural } from '../../report/text.ts';
import { printText } from '../../report/writers/text.ts';
import { huntHelpersOf } from '../../workers/hunt-team.ts';
import { threadsOf } from '../../workers/team.ts';
import { Driver } from '../shared/drive.ts';
import { EXIT_USAGE, exitOf, worstExit } from '../shared/exit-codes.ts';
import { addHelpEnd, type HelpEnd } from '../shared/help.ts';
import { keepRun } from '../shared/keep.ts';
import {
  addCompileOptions,
  addOptions,
  type Flags,
  OUTPUT_GROUP,
  questionOf,
  readOptions,
  SEARCH_GROUP,
} from '../shared/options.ts';
import { Output } from '../shared/output.ts';
import { load, namedFiles, usage } from '../shared/program.ts';
import type { ProgressLine } from '../shared/progress.ts';
import { terminalOptions } from '../shared/terminal.ts';
import { noteUndefined } from '../shared/undefined-note.ts';

const OPTIONS = { ...COMPILE, ...HUNT, ...KEEP, ...REPORTER };

type Choices = CompileChoices & HuntChoices & KeepChoices & ReporterChoices;

const HELP: HelpEnd = {
  notes:
    'Results of operations marked with fencepost_op_begin and fencepost_op_end are compared with those of serial executions.',
  exit:
    '1 violation; 2 wrong usage; 3 invalid or unsupported program; 4 inconclusive: no error found. With several models ' +
    'the worst one counts, in the order 2, 3, 1, 4.',
  examples: [
    ['A quick look:', 'fencepost hunt driver.c'],
    ['Five minutes for x86:', 'fencepost hunt driver.c --model tso --timeout 300'],
    ['Other schedules, and a page to step through:', 'fencepost hunt driver.c --seed 7 --html report.html'],
  ],
  manual: ['docs/hunt.md'],
};

export function addHuntCommand(program: Command, finish: (exit: number) => void): void {
  const command = addCompileOptions(
    program
      .command('hunt')
      .summary('look for errors in programs that are too large for check')
      .description(
        'Runs a program one step at a time with random schedules, predicts which accesses store buffers could reorder ' +
          '(happens-before cycles), and tries to produce each cycle. Shows the cycles that it produces, and what they break. Finds ' +
          'errors but proves nothing; for proofs use check.',
      )
      .argument('<file...>', 'sources of one program: C (.c, .i), C++ (.cpp, .cc, .cxx) or LLVM IR (.ll, .bc)'),
  );
  addOptions(command, HUNT, SEARCH_GROUP);
  addHelpEnd(addOptions(command, { ...KEEP, ...REPORTER }, OUTPUT_GROUP), HELP).action(
    async (files: string[], flags: Flags, command: Command) => {
      const problem = presetProblem(command);
      const given = readOptions<Choices>(flags, OPTIONS);
      const choices = given.asPublished ? { ...given, ...PUBLISHED } : given;
      finish(
        problem === undefined
          ? await withRoom(choices, (chosen) => runHuntCommand(namedFiles(files), chosen, questionOf(flags, OPTIONS)))
          : usage(problem),
      );
    },
  );
}

/** `--as-published` sets these options itself. */
function presetProblem(command: Command): string | undefined {
  if (command.getOptionValue('asPublished') !== true) return undefined;
  const given = ['runs', 'trials', 'attempts'].filter((name) => command.getOptionValueSource(name) === 'cli');
  return given.length === 0 ? undefined : `--as-published sets --${given[0]}; drop one of the two`;
}

async function runHuntCommand(files: readonly string[], choices: Choices, question: Flags): Promise<number> {
  const output = Output.of(choices, files);
  if ('problem' in output) return usage(output.problem);
  const loaded = await load(files, choices);
  if ('problem' in loaded) {
    const report = huntReport(files, choices, undefined, [], [loaded.problem]);
    return output.writeReport(report) ? loaded.exit : EXIT_USAGE;
  }
  if (loaded.diagnostics !== '') process.stderr.write(loaded.diagnostics);
  const { program } = loaded;
  const problem = harnessProblem(program, choices.harness);
  if (problem !== undefined) return usage(problem);
  const time = new HuntTime(choices.timeout);
  const found = await run(loaded, choices, files, time);
  noteUndefined(program, found);
  const begin = time.shares(found.reduce((sum, { errors }) => sum + errors.length, 0));
  const results = found.map((result) => shrinkErrors(program, result, choices.interpret, begin));
  const executions = new Executions(program, sourceLines(), { ...loaded, forPage: output.hasPage });
  const reports = results.map((r) => reportHunt(files.join(' '), executions, r));
  const report = huntReport(files, choices, loaded, withOptimiser(reports, choices), []);
  if (reports.length > 0) output.writeText(printText(report, { ...terminalOptions(), isFull: choices.full }));
  const replay = keepRun(choices.out, question, report);
  if (output.isText && replay !== undefined) process.stdout.write(replay);
  const isWritten = output.writeReport(report);
  return worstExit([...(isWritten ? [] : [EXIT_USAGE]), ...found.map(({ verdict }) => exitOf(verdict))]);
}

async function run(
  loaded: CProgram,
  choices: Choices,
  files: readonly string[],
  time: HuntTime,
): Promise<readonly HuntResult[]> {
  const driver = new Driver(choices.timeout);
  const helpers = huntHelpersOf(threadsOf(choices));
  try {
    return await drive(driver, loaded, choices, files, time, helpers);
  } catch (error) {
    if (!(error instanceof NotHuntedTogether)) throw error;
    return await drive(driver, loaded, choices, files, time);
  } finally {
    driver.dispose();
  }
}

async function drive(
  driver: Driver,
  { program }: CProgram,
  choices: Choices,
  files: readonly string[],
  time: HuntTime,
  helpers?: HuntHelpers,
): Promise<readonly HuntResult[]> {
  const { jobs: _, ...others } = choices;
  const models = choices.models as readonly RelaxedModel[];
  const options = { ...others, models, goesOn: choices.timeout !== undefined, isLate: driver.isLate };
  const hunt = new HuntRun(program, options, helpers);
  const line = (): ProgressLine => {
    const { model, executions, predicted, confirmed, harmful } = hunt.progress;
    const cycles = `${plural(predicted, 'cycle')} predicted, ${confirmed} confirmed, ${harmful} harmful`;
    const few = `${predicted} predicted, ${confirmed} confirmed, ${harmful} harmful`;
    const rest = plural(executions, 'execution');
    return {
      before: 'hunt ',
      path: files[0]!,
      after: [` under ${model}: ${cycles}; ${rest}`, ` under ${model}: ${few}; ${rest}`],
    };
  };
  await driver.drive(time.watch(hunt), line);
  return hunt.results;
}
