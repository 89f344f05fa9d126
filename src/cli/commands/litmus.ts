/** `fencepost litmus`: final states, condition, executions and robustness of litmus tests, per memory model. */

import type { Command } from 'commander';
import { findFiles } from '../../api/files.ts';
import { defaultModelsOf } from '../../api/litmus.ts';
import { LITMUS_SUFFIX, readLitmusTest, type UnreadTest } from '../../api/litmus-test.ts';
import { INTERRUPTED } from '../../explore/bound.ts';
import { LITMUS, type LitmusChoices } from '../../options/others.ts';
import { REPORTER, type ReporterChoices } from '../../options/output.ts';
import { unsuitable } from '../../pipelines/litmus.ts';
import { isStopped } from '../../report/bounds.ts';
import { type LitmusCommandReport, type LitmusReport, type ProblemReport, SCHEMA } from '../../report/schema.ts';
import { reportLitmus } from '../../report/story/litmus-report.ts';
import { plural, printable } from '../../report/text.ts';
import { printLitmus, printSummary } from '../../report/writers/litmus.ts';
import { threadsOf } from '../../workers/team.ts';
import { type TestJob, TestsAhead } from '../../workers/tests-ahead.ts';
import { Driver } from '../shared/drive.ts';
import { EXIT_NOT_UNDERSTOOD, EXIT_USAGE, EXIT_VERIFIED, exitOf, worstExit } from '../shared/exit-codes.ts';
import { addHelpEnd, type HelpEnd } from '../shared/help.ts';
import { addOptions, type Flags, namesModels, readOptions } from '../shared/options.ts';
import { Output } from '../shared/output.ts';
import { usage } from '../shared/program.ts';

type Choices = LitmusChoices & ReporterChoices;

const HELP: HelpEnd = {
  exit:
    '0 answered; 1 a forall or ~exists condition fails; 2 wrong usage; 3 invalid or unsupported file; 4 inconclusive: a bound was ' +
    'reached. With several tests the worst one counts, in the order 2, 3, 1, 4, 0.',
  examples: [
    ['Final states, with an execution for each:', 'fencepost litmus SB.litmus --traces'],
    ['Every test in a folder, for x86 alone:', 'fencepost litmus tests --model tso'],
    ['Some tests, as JSON:', "fencepost litmus 'tests/MP*.litmus' --json"],
  ],
  manual: ['docs/litmus.md'],
};

export function addLitmusCommand(program: Command, finish: (exit: number) => void): void {
  const command = program
    .command('litmus')
    .summary('final states of litmus tests under each memory model')
    .description(
      "Explores every execution of litmus tests in herd's format (X86, X86_64 and C). Prints for each test which final " +
        'states each model allows, the answer to its condition, the number of executions, and whether the test is robust: ' +
        'whether sc allows every execution. States marked * satisfy the condition.',
    )
    .argument('<file...>', 'litmus files, folders (every .litmus file in them) or patterns');
  addHelpEnd(addOptions(command, { ...LITMUS, ...REPORTER }), HELP).action(
    async (paths: string[], flags: Flags, command: Command) => {
      const choices = readOptions<Choices>(flags, { ...LITMUS, ...REPORTER });
      finish(await runLitmusCommand(paths, choices, namesModels(command)));
    },
  );
}

async function runLitmusCommand(paths: readonly string[], choices: Choices, hasNamed: boolean): Promise<number> {
  const output = Output.of(choices, paths);
  if ('problem' in output) return usage(output.problem);
  const { isText } = output;
  const traces = choices.traces || output.hasPage;
  const { files, problems: notFound } = findFiles(paths, LITMUS_SUFFIX);
  const exits: number[] = [EXIT_VERIFIED];
  const problems: ProblemReport[] = [];
  const reports: LitmusReport[] = [];
  const driver = new Driver();

  const addProblem = (problem: ProblemReport, exit: number, text: string): void => {
    problems.push(problem);
    exits.push(exit);
    driver.clear();
    process.stderr.write(`${printable(text)}\n`);
  };

  for (const { file, message } of notFound) addProblem({ file, message }, EXIT_USAGE, `fencepost: ${file}: ${message}`);

  // Worker threads may run tests ahead of their turn.
  const read = new Map<number, ReadTest>();
  const readAt = (number: number): ReadTest => {
    const test = read.get(number) ?? readTest(files[number]!, choices, hasNamed);
    read.set(number, test);
    return test;
  };
  const jobOf = (number: number): TestJob | undefined => {
    const test = readAt(number);
    return 'problem' in test ? undefined : test;
  };
  const atOnce = choices.jobs !== undefined;
  const ahead = new TestsAhead(choices, threadsOf(choices), { count: files.length, jobOf }, atOnce);
  let tests = 0;
  let interrupted = false;
  for (const [number, file] of files.entries()) {
    const test = readAt(number);
    read.delete(number);
    if ('problem' in test) {
      addProblem(test.problem, EXIT_NOT_UNDERSTOOD, test.text);
      continue;
    }
    tests++;
    const task = ahead.take(number, test);
    const before = `litmus ${number + 1}/${files.length}: `;
    if (interrupted) task.stop(INTERRUPTED);
    await driver.drive(task, () => ({
      before,
      path: file,
      after: [`, ${task.progress((count) => plural(count, 'state'))}`],
    }));
    interrupted ||= await driver.isInterrupted();
    const own = task.runs.map(({ result, seconds }) => reportLitmus(result, seconds, { traces }));
    for (const { result } of task.runs) exits.push(exitOf(result.verdict));
    reports.push(...own);
    interrupted ||= await driver.isInterrupted();
    driver.show(() => ({ before, path: file, after: [''] }));
    if (isText && !(interrupted && own.every((r) => isStopped(r) && r.states.length === 0))) {
      driver.clear();
      process.stdout.write(`${printLitmus(own, choices)}\n\n`);
    }
  }
  ahead.end();
  driver.dispose();
  if (isText && tests > 0) process.stdout.write(`${printSummary(reports, { tests, problems: problems.length })}\n`);
  const report: LitmusCommandReport = { schema: SCHEMA, command: 'litmus', results: reports, problems };
  if (!output.writeReport(report)) exits.push(EXIT_USAGE);
  return worstExit(exits);
}

type ReadTest = TestJob | UnreadTest;

function readTest(file: string, choices: Choices, hasNamed: boolean): ReadTest {
  const test = readLitmusTest(file);
  if ('problem' in test) return test;
  const models = hasNamed ? choices.models : defaultModelsOf(test);
  const reason = models.map((model) => unsuitable(test, model)).find((why) => why !== undefined);
  if (reason === undefined) return { test, models };
  return { problem: { file, message: reason }, text: `fencepost: ${file}: ${reason}` };
}
