/** `check --suite`: checks many programs one after the other and compares their verdicts with the expected ones. */
import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { Command, CommanderError } from 'commander';
import { askedModels, NO_OPERATIONS } from '../../api/check.ts';
import { withOptimiser } from '../../api/program.ts';
import { withRoom } from '../../api/room.ts';
import { readSuite, type SuiteProgram } from '../../api/suite.ts';
import { INTERRUPTED, printBound } from '../../explore/bound.ts';
import type { Model } from '../../models/index.ts';
import { CHECK, type CheckChoices, type SuiteChoices } from '../../options/check.ts';
import { COMPILE, type CompileChoices } from '../../options/compile.ts';
import { forApi, type Option, OptionError } from '../../options/option.ts';
import { type KeepChoices, REPORTER, type ReporterChoices } from '../../options/output.ts';
import { CheckRun } from '../../pipelines/check.ts';
import type { Helpers } from '../../pipelines/helpers.ts';
import { marksOperations } from '../../pipelines/observations.ts';
import { shrinkAll } from '../../pipelines/shrink.ts';
import {
  type CheckReport,
  type ProblemReport,
  SCHEMA,
  type SuiteCommandReport,
  type SuiteReport,
} from '../../report/schema.ts';
import { sourceLines } from '../../report/source-lines.ts';
import { reportCheck } from '../../report/story/check-report.ts';
import { Executions } from '../../report/story/executions.ts';
import { reportExpected } from '../../report/story/suite-report.ts';
import { printable } from '../../report/text.ts';
import { problemText } from '../../report/writers/findings.ts';
import { printSuite } from '../../report/writers/suite.ts';
import { withoutCompilerFlags } from './compiler-words.ts';
import { Driver } from './drive.ts';
import { driveCheck } from './drive-check.ts';
import { EXIT_INCONCLUSIVE, EXIT_USAGE, EXIT_VERIFIED, EXIT_VIOLATION, worstExit } from './exit-codes.ts';
import { addCompileOptions, addOptions, type Flags, longFlagOf, readOptions } from './options.ts';
import { Output } from './output.ts';
import { load, type Unusable, usage } from './program.ts';
import { quoted } from './shell.ts';
import { terminalOptions } from './terminal.ts';
import { noteUndefined } from './undefined-note.ts';

type Choices = CompileChoices & CheckChoices & SuiteChoices & KeepChoices & ReporterChoices;

interface AskedSuite {
  readonly path: string;
  readonly files: readonly string[];
  readonly flags: Flags;
  /** Whether models were requested by name: then only their verdicts are checked. */
  readonly hasNamed: boolean;
}

/** One program of the suite, with its own options parsed. */
interface Asked {
  readonly program: SuiteProgram;
  readonly files: readonly string[];
  /** Its own options, as written in the suite. */
  readonly options: string;
  readonly choices: CompileChoices & CheckChoices;
}

export async function runSuite(asked: AskedSuite, choices: Choices, helpers: Helpers | undefined): Promise<number> {
  const refused = suiteProblem(asked, choices);
  if (refused !== undefined) return usage(refused);
  const output = Output.of(choices, [asked.path]);
  if ('problem' in output) return usage(output.problem);
  const { programs, problems: unread } = readSuite(asked.path);
  const read = programs.map((program) => readProgram(program, asked, choices));
  const unusable = [...unread, ...read.flatMap((one) => ('message' in one ? [one] : []))].toSorted(
    (a, b) => (a.line ?? 0) - (b.line ?? 0),
  );
  const known = read.flatMap((one) => ('message' in one ? [] : [one]));
  const all = unusable.length > 0 ? [] : known.filter(({ choices: own }) => own.models.length > 0);
  if (all.length === 0 && unusable.length === 0)
    unusable.push({ file: asked.path, message: `expects nothing under ${choices.models.join(', ')}` });
  const problems: ProblemReport[] = [...unusable];
  for (const problem of unusable) process.stderr.write(`fencepost: ${printable(problemText(problem))}\n`);
  const exits: number[] = unusable.map(() => EXIT_USAGE);
  const results: SuiteReport[] = [];
  const driver = new Driver();
  for (const [i, one] of all.entries()) {
    const before = `suite ${i + 1}/${all.length}: `;
    const check = (own: Asked['choices']): Promise<Checked> =>
      checkProgram({ ...one, choices: own }, driver, before, helpers);
    const checked = (await driver.isInterrupted()) ? undefined : await withRoom(one.choices, check);
    // Ctrl-C may have interrupted the compiler too, so its failure says nothing about the program.
    if (checked === undefined || ('problem' in checked && (await driver.isInterrupted())))
      results.push(...unchecked(one));
    else if ('problem' in checked) {
      problems.push(checked.problem);
      exits.push(checked.exit);
    } else results.push(...checked.results);
  }
  driver.dispose();
  exits.push(...results.map(({ outcome }) => EXITS[outcome]));
  const report: SuiteCommandReport = {
    schema: SCHEMA,
    command: 'suite',
    input: { suite: asked.path },
    results,
    problems,
  };
  if (results.length > 0) output.writeText(printSuite(report, { ...terminalOptions(), isFull: choices.full }));
  return worstExit([...(output.writeReport(report) ? [] : [EXIT_USAGE]), ...exits]);
}

const EXITS: Readonly<Record<SuiteReport['outcome'], number>> = {
  'as expected': EXIT_VERIFIED,
  unexpected: EXIT_VIOLATION,
  inconclusive: EXIT_INCONCLUSIVE,
};

function suiteProblem({ path, files }: AskedSuite, choices: Choices): string | undefined {
  if (files.length > 0) return `--suite takes the programs from ${path}; drop ${files.join(' ')}`;
  const given: Readonly<Record<string, unknown>> = { ...choices };
  const options = Object.entries<Option<unknown>>({ ...CHECK, ...REPORTER });
  const wrong = options.find(([name, { isOfOneProgram }]) => isOfOneProgram === true && given[name] !== undefined);
  return wrong === undefined ? undefined : `${longFlagOf(wrong[1])} is for one program; drop it or --suite`;
}

/** The options of a program are those of the command line and its own, which win; or what is wrong with them. */
function readProgram(program: SuiteProgram, { flags, hasNamed }: AskedSuite, given: Choices): Asked | ProblemReport {
  const { place, words, expected } = program;
  const own = ownOptions(words, dirname(place.file));
  if (typeof own === 'string') return { ...place, column: 1, message: own };
  const merged = { ...flags };
  for (const [name, value] of Object.entries(own.flags)) {
    merged[name] = Array.isArray(value)
      ? [...((flags[name] as readonly unknown[] | undefined) ?? []), ...value]
      : value;
  }
  const choices = readOptions<CompileChoices & CheckChoices>(merged, { ...COMPILE, ...CHECK });
  const models = [...expected.keys()].filter((model) => !hasNamed || given.models.includes(model));
  const asked = models.length === 0 ? models : askedModels({ ...choices, models }, true);
  if (typeof asked === 'string') return { ...place, column: 1, message: asked };
  const files = [...program.files, ...own.files];
  return { program, files, options: own.text, choices: { ...choices, models: asked } };
}

/** The options that a program of a suite may have; its models are in the table. */
const { models: _, ...OWN } = forApi<CheckChoices>(CHECK);
/** Matches an option whose argument is a path; relative paths are relative to the folder of the suite. */
const TAKES_PATH = /<(file|folder)>/;

/** The options and further files in a program's own words, or what is wrong with them. */
function ownOptions(
  words: readonly string[],
  folder: string,
): { readonly flags: Flags; readonly files: readonly string[]; readonly text: string } | string {
  const command = new Command('check')
    .argument('[file...]')
    .exitOverride()
    .showSuggestionAfterError(false)
    .helpOption(false)
    .configureOutput({ writeErr: () => {} });
  addOptions(addCompileOptions(command), OWN);
  try {
    command.parse([...withoutCompilerFlags(words, command, folder).words], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError || error instanceof OptionError)) throw error;
    return error.message.replace(/^error: /, '');
  }
  const inside = (path: string): string => (isAbsolute(path) ? path : join(folder, path));
  const isGiven = ([name]: [string, unknown]): boolean => command.getOptionValueSource(name) === 'cli';
  const isList = (value: unknown): value is readonly string[] => Array.isArray(value);
  const takesPath = (name: string, value: unknown): boolean =>
    command.options.some((option) => option.attributeName() === name && TAKES_PATH.test(option.flags)) ||
    // Its value is "native", "npm" or a path.
    (name === 'clang' && String(value).includes('/'));
  const given = Object.entries(command.opts()).filter(isGiven);
  const paths = given
    .filter(([name, value]) => takesPath(name, value))
    .map(([name, value]) => [name, isList(value) ? value.map(inside) : inside(String(value))] as const);
  const flags = { ...Object.fromEntries(given), ...Object.fromEntries(paths) };
  const options = words.filter((word) => !command.args.includes(word));
  const files = command.args.map(inside);
  const missing = [...files, ...paths.flatMap(([, path]) => path)].find((path) => !existsSync(path));
  if (missing !== undefined) return `no such file or folder: ${missing}`;
  return { flags, files, text: options.map(quoted).join(' ') };
}

type Checked = { readonly results: readonly SuiteReport[] } | Unusable;

/** The results of a program that was not checked because of Ctrl-C. */
function unchecked({ program, files, options, choices }: Asked): readonly SuiteReport[] {
  return choices.models.map((model) => {
    const counts = { executions: 0, blocked: 0, seconds: 0, robust: null };
    const result: CheckReport = {
      file: files.join(' '),
      model,
      verdict: 'inconclusive',
      how: 'explored',
      ...counts,
      bounds: [printBound(INTERRUPTED)],
      boundedBy: [INTERRUPTED],
      warnings: [],
    };
    return expectedResult(result, program, options);
  });
}

function expectedResult(result: CheckReport, { place, expected }: SuiteProgram, options: string): SuiteReport {
  return reportExpected(result, {
    place,
    expected: expected.get(result.model as Model)!,
    ...(options === '' ? {} : { options }),
  });
}

async function checkProgram(
  { program: suite, files, options, choices }: Asked,
  driver: Driver,
  before: string,
  helpers: Helpers | undefined,
): Promise<Checked> {
  const loaded = await load(files, choices);
  if ('problem' in loaded) return loaded;
  const { program } = loaded;
  if (choices.observations === true && !marksOperations(program)) {
    return { problem: { ...suite.place, column: 1, message: NO_OPERATIONS }, exit: usage(NO_OPERATIONS) };
  }
  driver.restartFor(choices.timeout);
  const check = new CheckRun(program, choices, helpers, choices.timeout);
  const isBounded = choices.timeout !== undefined || choices.maxExecutions !== undefined;
  await driveCheck(driver, check, { before, path: files[0]!, isBounded }).finally(() => driver.clear());
  noteUndefined(program, check.results);
  const results = shrinkAll(program, check.results, choices.interpret === true);
  const executions = new Executions(program, sourceLines(), loaded);
  const reports = results.map((result) => reportCheck(files.join(' '), executions, result));
  return { results: withOptimiser(reports, choices).map((report) => expectedResult(report, suite, options)) };
}
