/** `fencepost litmus`: final states, condition, executions and robustness of litmus tests, per memory model. */
import type { Command } from 'commander';
import { LitmusError } from '../../frontend/litmus/error.ts';
import { type LitmusTest, parseLitmus } from '../../frontend/litmus/litmus.ts';
import { type Model, modelsWith } from '../../models/index.ts';
import { DEFAULT_MAX_STATES, type LitmusResult, LitmusRun } from '../../pipelines/litmus.ts';
import { type LitmusCommandReport, type LitmusReport, type ProblemReport, SCHEMA } from '../../report/schema.ts';
import { plural, printable } from '../../report/text.ts';
import { printLitmus, printSummary, reportLitmus } from '../../report/writers/litmus.ts';
import { reporters } from '../../report/writers/reporters.ts';
import {
  addReporterOptions,
  chooseReporter,
  interpretOption,
  listModels,
  modelsText,
  parseCount,
  type ReporterFlags,
  writePage,
} from '../shared/args.ts';
import { EXIT_NOT_UNDERSTOOD, EXIT_USAGE, EXIT_VERIFIED, exitOf, worstExit } from '../shared/exit-codes.ts';
import { findFiles, readText } from '../shared/files.ts';
import { Interrupt } from '../shared/interrupt.ts';
import { Pieces } from '../shared/pieces.ts';
import { Progress } from '../shared/progress.ts';

interface LitmusOptions extends ReporterFlags {
  readonly model: readonly Model[];
  readonly traces: boolean;
  readonly maxStates: number;
  readonly interpret?: boolean;
}

export function addLitmusCommand(program: Command, finish: (exit: number) => void): void {
  const command = program
    .command('litmus')
    .summary('final states of litmus tests under each memory model')
    .description(
      'Enumerates every execution of litmus tests (herd format, X86 and X86_64) and prints, for each test, the final ' +
        "states with the models that allow them, the condition's answer, the number of executions (Shasha–Snir traces) " +
        'and whether the test is robust. States marked * satisfy the condition.',
    )
    .argument('<file...>', 'litmus files, folders (every .litmus file in them) or patterns')
    .addOption(listModels(modelsText(modelsWith('litmus')), modelsWith('dpor')))
    .option('--traces', 'show an example execution for each final state, with the store buffers', false)
    .option('--max-states <n>', 'give up on a test after visiting this many states', parseCount, DEFAULT_MAX_STATES)
    .addOption(interpretOption());
  addReporterOptions(command)
    .addHelpText(
      'after',
      '\nExit code: 0 answered; 1 a forall or ~exists condition fails; 2 wrong usage; 3 a file is not understood;\n' +
        '4 a bound was reached. With several, the worst counts: 2, 3, 1, 4, 0.\n\n' +
        'Example:\n  fencepost litmus litmus/SB --traces',
    )
    .action(async (paths: string[], options: LitmusOptions) => {
      finish(await runLitmusCommand(paths, options));
    });
}

async function runLitmusCommand(paths: readonly string[], options: LitmusOptions): Promise<number> {
  const reporter = chooseReporter(options);
  if ('problem' in reporter) {
    process.stderr.write(`fencepost: ${reporter.problem}\n`);
    return EXIT_USAGE;
  }
  const isText = reporter.name === 'text' || reporter.name === 'github';
  const hasPage = options.html !== undefined;
  const traces = options.traces || hasPage;
  const { files, problems: notFound } = findFiles(paths, '.litmus');
  const exits: number[] = [EXIT_VERIFIED];
  const problems: ProblemReport[] = [];
  const results: LitmusResult[] = [];
  const reports: LitmusReport[] = [];
  const progress = new Progress();
  const interrupt = new Interrupt();
  const pieces = new Pieces();

  const addProblem = (problem: ProblemReport, exit: number, text: string): void => {
    problems.push(problem);
    exits.push(exit);
    progress.clear();
    process.stderr.write(`${printable(text)}\n`);
  };

  for (const { file, message } of notFound) addProblem({ file, message }, EXIT_USAGE, `fencepost: ${file}: ${message}`);

  let tests = 0;
  let interrupted = false;
  for (const [number, file] of files.entries()) {
    const test = readTest(file, addProblem);
    if (test === undefined) continue;
    tests++;
    const own: LitmusResult[] = [];
    for (const model of options.model) {
      const started = performance.now();
      const run = new LitmusRun(test, model, options.maxStates, { interpret: options.interpret === true });
      while (!interrupted && !run.advance(pieces.next())) {
        interrupted = await interrupt.check();
        progress.update(() => ({
          before: `litmus ${number + 1}/${files.length}: `,
          path: file,
          after: [`, ${model}, ${plural(run.visitedStates, 'state')}`],
        }));
      }
      if (interrupted) run.stop('interrupted');
      own.push(run.result);
      exits.push(exitOf(run.result.verdict));
      if (reporter.name !== 'text' || hasPage)
        reports.push(reportLitmus(run.result, (performance.now() - started) / 1000, { traces }));
    }
    results.push(...own);
    interrupted ||= await interrupt.check();
    progress.update(() => ({ before: `litmus ${number + 1}/${files.length}: `, path: file, after: [''] }));
    if (isText && !(interrupted && own.every((r) => r.bounds.includes('interrupted') && r.states.length === 0))) {
      progress.clear();
      process.stdout.write(`${printLitmus(own, options)}\n\n`);
    }
  }
  interrupt.dispose();
  progress.clear();
  if (isText && tests > 0) process.stdout.write(`${printSummary(results, { tests, problems: problems.length })}\n`);
  const report: LitmusCommandReport = { schema: SCHEMA, command: 'litmus', results: reports, problems };
  if (reporter.name !== 'text') process.stdout.write(reporters[reporter.name](report));
  if (!writePage(options.html, report)) exits.push(EXIT_USAGE);
  return worstExit(exits);
}

function readTest(
  file: string,
  addProblem: (problem: ProblemReport, exit: number, text: string) => void,
): LitmusTest | undefined {
  const read = readText(file);
  if ('problem' in read) {
    addProblem({ file, message: read.problem }, EXIT_NOT_UNDERSTOOD, `fencepost: ${file}: ${read.problem}`);
    return undefined;
  }
  try {
    return parseLitmus(read.text, file);
  } catch (error) {
    if (!(error instanceof LitmusError)) throw error;
    const { line, column } = error;
    const message = `found "${error.found}", expected ${error.expected}`;
    addProblem({ file, message, line, column }, EXIT_NOT_UNDERSTOOD, `fencepost: ${error.message}`);
    return undefined;
  }
}
