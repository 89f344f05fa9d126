/** `fencepost fix`: which fences a C program lacks or does not need, as a proved patch. */
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { costsOf, fixChecks, fixModels, fixProblem, fixReport, searchInput } from '../../api/fix.ts';
import { compileOptions, inputOf } from '../../api/program.ts';
import { withRoom } from '../../api/room.ts';
import { type Costs, DEFAULT_COSTS } from '../../fix/candidates.ts';
import { FixRefusal } from '../../fix/refusal.ts';
import type { CheckOptions } from '../../options/check.ts';
import { COMPILE, type CompileChoices } from '../../options/compile.ts';
import { FIX, type FixChoices } from '../../options/fix.ts';
import { REPORTER, type ReporterChoices } from '../../options/output.ts';
import { type FixOptions, type FixResult, fix } from '../../pipelines/fix/fix.ts';
import type { Drive } from '../../pipelines/fix/patched.ts';
import { sourceLines } from '../../report/source-lines.ts';
import { Executions } from '../../report/story/executions.ts';
import { reportFix } from '../../report/story/fix-report.ts';
import { printable } from '../../report/text.ts';
import { patchOf } from '../../report/writers/fix.ts';
import { pageOfReport } from '../../report/writers/pages.ts';
import { printText } from '../../report/writers/text.ts';
import { helpersOf, threadsOf } from '../../workers/team.ts';
import { Driver } from '../shared/drive.ts';
import {
  EXIT_INCONCLUSIVE,
  EXIT_NOT_UNDERSTOOD,
  EXIT_USAGE,
  EXIT_VERIFIED,
  EXIT_VIOLATION,
} from '../shared/exit-codes.ts';
import { problemsBefore, sourceBefore } from '../shared/fix-page.ts';
import { addHelpEnd, type HelpEnd } from '../shared/help.ts';
import {
  addCompileOptions,
  addOptions,
  namesModels,
  OUTPUT_GROUP,
  readOptions,
  SEARCH_GROUP,
} from '../shared/options.ts';
import { Output } from '../shared/output.ts';
import { load, problemOf, type Unusable, usage } from '../shared/program.ts';
import { replaceFiles } from '../shared/replace-files.ts';
import { terminalOptions } from '../shared/terminal.ts';
import { noteUndefined } from '../shared/undefined-note.ts';

type Choices = CompileChoices & FixChoices & ReporterChoices;

const HELP: HelpEnd = {
  notes: `Default costs, for --cost (inLoop is a factor):\n  ${JSON.stringify(DEFAULT_COSTS)}`,
  exit:
    '0 nothing is missing, or fixed and proved; 1 fails under sc, or no fix exists; 2 wrong usage; 3 invalid or unsupported ' +
    'program; 4 inconclusive: a bound was reached, and any fix holds only up to it.',
  examples: [
    ['Find what is missing, and print a patch:', 'fencepost fix driver.c'],
    ['Fix it for the language alone (rc11), and change the file:', 'fencepost fix driver.c --model rc11 --write'],
    ['Which fences are not needed?', 'fencepost fix driver.c --minimise'],
  ],
  manual: ['docs/fix.md'],
};

export function addFixCommand(program: Command, finish: (exit: number) => void): void {
  const command = addCompileOptions(
    program
      .command('fix')
      .summary('find the missing fences of a C or C++ program')
      .description(
        'Finds the cheapest fences and memory orders that make a program safe (no errors, and under rc11 no data races) or, ' +
          'with --goal robust, unaffected by store buffers. Compiles and checks the patched source from scratch, and ' +
          'prints the patch. Several files make one program.',
      )
      .argument('<file...>', 'C or C++ sources of one program'),
  );
  // `fix` refuses it, and says why.
  command.options.find(({ long }) => long === '--optimise')!.hideHelp();
  addOptions(command, FIX, SEARCH_GROUP);
  addHelpEnd(addOptions(command, REPORTER, OUTPUT_GROUP), HELP).action(
    async (files: string[], flags: Record<string, unknown>, command: Command) => {
      const asked = readOptions<Choices>(flags, { ...COMPILE, ...FIX, ...REPORTER });
      const choices = namesModels(command) ? asked : { ...asked, models: fixModels(asked) };
      finish(await withRoom(choices, (chosen) => runFixCommand(files, chosen)));
    },
  );
}

async function runFixCommand(files: readonly string[], choices: Choices): Promise<number> {
  if (files.includes('-')) return usage('fix changes files; save the program in one');
  const problem = fixProblem(files, choices);
  if (problem !== undefined) return usage(problem);
  const costs = choices.cost === undefined ? DEFAULT_COSTS : readCosts(choices.cost);
  if (typeof costs === 'string') return usage(costs);
  const output = Output.of(choices, files);
  if ('problem' in output) return usage(output.problem);
  const loaded = await load(files, choices);
  if ('problem' in loaded) return endWith(loaded, files, choices, output);
  if (loaded.diagnostics !== '') process.stderr.write(loaded.diagnostics);
  const driver = new Driver(choices.timeout);
  const drive: Drive = (task, describe) => {
    driver.restart();
    return driver.drive(task, () => ({ before: 'fix ', path: files[0]!, after: [`: ${describe()}`] }));
  };
  const check: CheckOptions = fixChecks(choices);
  const helpers = helpersOf(threadsOf(choices));
  const options: FixOptions = { ...choices, costs, compile: compileOptions(files, choices), check, helpers };
  const result = await fix(files, loaded.program, options, drive).catch((error: unknown) => {
    driver.dispose();
    return refused(files[0]!, error);
  });
  if ('problem' in result) return endWith(result, files, choices, output);
  noteUndefined(loaded.program, [result]);
  const name = files.join(' ');
  const executions = new Executions(loaded.program, sourceLines(), loaded);
  const before = output.hasPage ? await problemsBefore(name, loaded.program, executions, result, check, drive) : [];
  driver.dispose();
  // Everything that quotes or hashes the files must come before they are changed.
  const input = inputOf(files, choices, searchInput(choices), loaded);
  const found = reportFix(name, executions, result);
  const unwritten = choices.write ? writeFix(result) : undefined;
  const isWritten = choices.write && unwritten === undefined && result.kind === 'fixed';
  const report = fixReport(input, [isWritten ? { ...found, written: true } : found], []);
  output.writeText(printText(report, terminalOptions()));
  output.writeBytes(patchOf(found));
  if (unwritten !== undefined) process.stderr.write(`fencepost: ${unwritten}\n`);
  const hasPage = output.writeReport(report, { ...pageOfReport(report), results: before }, sourceBefore(result));
  return hasPage && (unwritten === undefined || result.boundedBy.length > 0) ? exitOfFix(result) : EXIT_USAGE;
}

/** What is wrong with the sources, if the error is about them. */
function refused(file: string, error: unknown): Unusable {
  if (!(error instanceof FixRefusal)) return problemOf(file, error);
  const { place, reason, diagnostics, message } = error;
  process.stderr.write(`${diagnostics}fencepost: ${printable(message)}\n`);
  return { problem: { file, ...place, message: reason }, exit: EXIT_NOT_UNDERSTOOD };
}

function endWith({ problem, exit }: Unusable, files: readonly string[], choices: Choices, output: Output): number {
  const report = fixReport(inputOf(files, choices, searchInput(choices), undefined), [], [problem]);
  return output.writeReport(report) ? exit : EXIT_USAGE;
}

/** Why the files were not changed; `undefined` if they were. */
function writeFix(result: FixResult): string | undefined {
  if (result.kind !== 'fixed') return undefined;
  if (result.boundedBy.length > 0) return 'nothing was written: the fix is valid only up to a bound';
  return replaceFiles(result.patches);
}

function exitOfFix(result: FixResult): number {
  switch (result.kind) {
    case 'sc':
    case 'impossible':
      return EXIT_VIOLATION;
    case 'stopped':
      return EXIT_INCONCLUSIVE;
    default:
      return result.boundedBy.length > 0 ? EXIT_INCONCLUSIVE : EXIT_VERIFIED;
  }
}

/** The costs in the file, with defaults for the rest; or what is wrong with the file. */
function readCosts(file: string): Costs | string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return `${file}: ${code === 'ENOENT' ? 'no such file' : `cannot be read: ${message}`}`;
  }
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch (error) {
    return `${file}: cannot be read as JSON: ${error instanceof Error ? error.message : error}`;
  }
  const costs = costsOf(given);
  return typeof costs === 'string' ? `${file}: ${costs}` : costs;
}
