/** `fencepost check`: does a C program fail under any schedule and memory model? */
import type { Command } from 'commander';
import { askedModels, checkReport, NO_OPERATIONS } from '../../api/check.ts';
import { withOptimiser } from '../../api/program.ts';
import { withRoom } from '../../api/room.ts';
import { clusterHelpers } from '../../cluster/helpers.ts';
import { RedisServer } from '../../cluster/redis.ts';
import { SC } from '../../models/sc.ts';
import { CHECK, type CheckChoices, SUITE, type SuiteChoices } from '../../options/check.ts';
import { COMPILE, type CompileChoices } from '../../options/compile.ts';
import { namesOf } from '../../options/option.ts';
import { KEEP, type KeepChoices, REPORTER, type ReporterChoices } from '../../options/output.ts';
import { CheckRun, type SavedCheck } from '../../pipelines/check.ts';
import type { Helpers } from '../../pipelines/helpers.ts';
import { marksOperations } from '../../pipelines/observations.ts';
import { shrinkAll } from '../../pipelines/shrink.ts';
import { isDpor, refusedProgram } from '../../pipelines/strategies.ts';
import type { Program } from '../../program/ir.ts';
import { sourceLines } from '../../report/source-lines.ts';
import { reportCheck } from '../../report/story/check-report.ts';
import { Executions } from '../../report/story/executions.ts';
import { printText } from '../../report/writers/text.ts';
import { helpersOf, resumingHelpers, threadsOf } from '../../workers/team.ts';
import { Driver } from '../shared/drive.ts';
import { driveCheck } from '../shared/drive-check.ts';
import { EXIT_USAGE, exitOf, worstExit } from '../shared/exit-codes.ts';
import { addHelpEnd, type HelpEnd } from '../shared/help.ts';
import { keepRun } from '../shared/keep.ts';
import {
  addCompileOptions,
  addOptions,
  namesModels,
  OUTPUT_GROUP,
  optionProblem,
  questionOf,
  readOptions,
  SEARCH_GROUP,
} from '../shared/options.ts';
import { Output } from '../shared/output.ts';
import { load, namedFiles, usage } from '../shared/program.ts';
import { reached } from '../shared/reached.ts';
import { recordExecution, remarkable } from '../shared/record.ts';
import { describeProgram, describeSources, KeptCheck, readSavedCheck, type SavedFile } from '../shared/saved-check.ts';
import { runSuite } from '../shared/suite.ts';
import { terminalOptions } from '../shared/terminal.ts';
import { noteUndefined } from '../shared/undefined-note.ts';

const OPTIONS = { ...COMPILE, ...CHECK, ...SUITE, ...KEEP, ...REPORTER };

type Choices = CompileChoices & CheckChoices & SuiteChoices & KeepChoices & ReporterChoices;

const HELP: HelpEnd = {
  exit:
    '0 verified; 1 violation; 2 wrong usage; 3 invalid or unsupported program; 4 inconclusive: a bound was reached. With several ' +
    'models the worst one counts, in the order 2, 3, 1, 4, 0. With --suite: 0 all verdicts as expected; 1 some not; 4 some ' +
    'inconclusive; 2 invalid suite; 3 invalid program.',
  examples: [
    ['Is it right, and on which machines?', 'fencepost check driver.c'],
    [
      'The files and flags of a project, for x86 and for the language:',
      'fencepost check driver.c src/ring.c -I include -D SLOTS=2 --model tso,rc11',
    ],
    ['A page to step through in a browser:', 'fencepost check driver.c --html report.html'],
    ['Many programs with their expected verdicts:', 'fencepost check --suite tests.tsv --junit'],
    [
      'A long search on four threads, to be resumed later:',
      'fencepost check driver.c -j 4 --timeout 3600 --save driver.search',
      'fencepost check --resume driver.search',
    ],
  ],
  manual: ['docs/check.md'],
};

const MISSING =
  "missing required argument 'file': name the sources of one program, as in `fencepost check driver.c`; " +
  '`fencepost init` writes a driver to begin with';

export function addCheckCommand(program: Command, finish: (exit: number) => void): void {
  const command = addCompileOptions(
    program
      .command('check')
      .summary('find errors in a C or C++ program under each memory model')
      .description(
        'Explores every execution of a multithreaded C or C++ program under each memory model, and shows one that fails: a ' +
          'failed assertion, a deadlock, a thread that waits forever, a memory error, misuse of a lock or, under rc11, a data ' +
          'race. Several files make one program.',
      )
      .argument('[file...]', 'sources of one program: C (.c, .i), C++ (.cpp, .cc, .cxx) or LLVM IR (.ll, .bc)'),
  );
  addOptions(command, { ...CHECK, ...SUITE }, SEARCH_GROUP);
  addHelpEnd(addOptions(command, { ...KEEP, ...REPORTER }, OUTPUT_GROUP), HELP).action(
    async (files: string[], flags: Record<string, unknown>, command: Command) => {
      const choices = readOptions<Choices>(flags, OPTIONS);
      const problem = optionProblem(command, CHECK, choices.strategy);
      const question = questionOf(flags, OPTIONS);
      const named = namesModels(command);
      if (problem !== undefined) return finish(usage(problem));
      if (choices.suite !== undefined) {
        const given = { path: choices.suite, files, flags, hasNamed: named };
        const helpers = await helpersFor(choices, false);
        return finish(typeof helpers === 'string' ? usage(helpers) : await runSuite(given, choices, helpers));
      }
      if (choices.resume !== undefined) return finish(await resumeCheck(files, choices, choices.resume));
      if (files.length === 0) return finish(usage(MISSING));
      finish(await runCheckCommand({ files: namedFiles(files), choices, question, hasNamed: named }));
    },
  );
}

/** The user's request. */
interface Asked {
  readonly files: readonly string[];
  readonly choices: Choices;
  readonly question: Readonly<Record<string, unknown>>;
  readonly hasNamed: boolean;
}

/**
 * The program and the search come from the file. Where results go, the timeout, the helpers and where to save the
 * search come from the new command line.
 */
async function resumeCheck(files: readonly string[], given: Choices, file: string): Promise<number> {
  if (files.length > 0) return usage(`--resume takes the program from ${file}; drop ${files.join(' ')}`);
  const saved = readSavedCheck<Asked>(file);
  if ('problem' in saved) return usage(saved.problem);
  const changed = describeSources(saved);
  if (changed !== undefined) return usage(changed);
  const anew = namesOf<CheckChoices>(CHECK, ({ isGivenAnew }) => isGivenAnew === true);
  const ofOutput = Object.keys({ ...KEEP, ...REPORTER });
  const asked = Object.entries(saved.asked.choices).filter(([name]) => !anew.includes(name));
  const now = Object.entries(given).filter(([name]) => anew.includes(name) || ofOutput.includes(name));
  const choices = { ...Object.fromEntries(asked), save: file, ...Object.fromEntries(now) } as Choices;
  return runCheckCommand({ ...saved.asked, choices }, saved);
}

function runCheckCommand(asked: Asked, saved?: SavedFile<Asked>): Promise<number> {
  return withRoom(asked.choices, (choices, isAgain) => checkFiles({ ...asked, choices }, isAgain ? undefined : saved));
}

async function checkFiles(asked: Asked, saved: SavedFile<Asked> | undefined): Promise<number> {
  const { files, choices, question, hasNamed } = asked;
  const models = askedModels(choices, hasNamed);
  if (typeof models === 'string') return usage(models);
  const output = Output.of(choices, files);
  if ('problem' in output) return usage(output.problem);
  const loaded = await load(files, choices);
  if ('problem' in loaded) {
    return output.writeReport(checkReport(files, choices, undefined, [], [loaded.problem])) ? loaded.exit : EXIT_USAGE;
  }
  if (loaded.diagnostics !== '') process.stderr.write(loaded.diagnostics);
  const { program } = loaded;
  if (choices.observations === true && !marksOperations(program)) return usage(NO_OPERATIONS);
  const refused = refusedProgram(choices, program);
  if (refused !== undefined) return usage(refused);
  const unsaved =
    choices.save === undefined ? undefined : canSave(choices) ? KeptCheck.problem(choices.save, files) : NOT_SAVED;
  if (unsaved !== undefined) return usage(unsaved);
  const changed = saved === undefined ? undefined : describeProgram(saved, program);
  if (changed !== undefined) return usage(changed);
  const keeping = choices.save === undefined ? undefined : new KeptCheck(choices.save, asked, files, program);
  const helpers = await helpersFor(choices, saved !== undefined);
  if (typeof helpers === 'string') return usage(helpers);
  const check = await run(program, { ...choices, models }, files, helpers, keeping, saved?.check);
  const found = check.results;
  noteUndefined(program, found);
  const exits: number[] = [];
  if (choices.record !== undefined) {
    const ofSc = found.find(({ model, how }) => model === SC.name || how === 'sc')?.errors ?? [];
    exits.push(...recordExecution(program, remarkable(check.violations, ofSc), choices.seed, choices.record));
  }
  const results = shrinkAll(program, found, choices.interpret === true);
  const executions = new Executions(program, sourceLines(), { ...loaded, forPage: output.hasPage });
  const reports = results.map((r) => reportCheck(files.join(' '), executions, r, { forPage: output.hasPage }));
  const report = checkReport(files, choices, loaded, withOptimiser(reports, choices), []);
  if (reports.length > 0) output.writeText(printText(report, { ...terminalOptions(), isFull: choices.full }));
  const replay = keepRun(choices.out, question, report);
  if (output.isText && replay !== undefined) process.stdout.write(replay);
  return worstExit([
    ...exits,
    ...(output.writeReport(report) ? [] : [EXIT_USAGE]),
    ...found.map(({ verdict }) => exitOf(verdict)),
  ]);
}

const NOT_SAVED = '--save is for strategies optimal, source and retrace, without --observations';

function canSave({ strategy, observations }: Choices): boolean {
  return (isDpor(strategy) || strategy === 'retrace') && observations !== true;
}

/** The helpers for long searches, or why there can be none. */
async function helpersFor({ jobs, redis }: Choices, isResumed: boolean): Promise<Helpers | string | undefined> {
  if (redis !== undefined) {
    if (jobs !== undefined) return 'with --redis, the workers search; drop -j';
    const server = await reached(redis);
    if (!(server instanceof RedisServer)) return server;
    return clusterHelpers(server, (note) => process.stderr.write(`fencepost: ${note}\n`));
  }
  const threads = threadsOf({ jobs });
  return helpersOf(threads) ?? (isResumed ? resumingHelpers(threads) : undefined);
}

async function run(
  program: Program,
  choices: CheckChoices,
  files: readonly string[],
  helpers: Helpers | undefined,
  keeping: KeptCheck<Asked> | undefined,
  saved: SavedCheck | undefined,
): Promise<CheckRun> {
  // Work that a model has not done can be resumed only if the check stops at that model.
  const shared = keeping === undefined ? choices.timeout : undefined;
  const check = new CheckRun(program, choices, helpers, shared);
  if (saved !== undefined) check.resume(saved);
  const driver = new Driver(choices.timeout);
  const task = keeping === undefined ? check : keeping.task(check);
  const isBounded = choices.timeout !== undefined || choices.maxExecutions !== undefined;
  await driveCheck(driver, check, { before: 'check ', path: files[0]!, task, isBounded }).finally(() =>
    driver.dispose(),
  );
  keeping?.end();
  return check;
}
