/** `fencepost record`: compiles a program so that it records itself for `fencepost monitor`. */
import { spawnSync } from 'node:child_process';
import type { Command } from 'commander';
import { RECORD, type RecordChoices } from '../../options/others.ts';
import { EXIT_USAGE, EXIT_VERIFIED } from '../shared/exit-codes.ts';
import { addHelpEnd, type HelpEnd } from '../shared/help.ts';
import { addOptions, type Flags, readOptions } from '../shared/options.ts';
import { usage } from '../shared/program.ts';
import { compilerOf, lineProblem, linksProgram, recordingLine } from '../shared/recording-line.ts';
import { makeRuntime } from '../shared/recording-runtime.ts';
import { quoted } from '../shared/shell.ts';

const HELP: HelpEnd = {
  notes:
    'The program reads FENCEPOST_LOG (the log; default fencepost-PID.log; empty: nothing is recorded) and FENCEPOST_LOG_LIMIT ' +
    '(recording ends after this many events; default 100,000,000).',
  exit: "the compiler's; 2 wrong usage: no such compiler, or the compiler cannot record.",
  examples: [
    [
      'Compile, run, and look at what happened:',
      'fencepost record -- clang++ -O2 -g queue.cpp -o queue',
      'FENCEPOST_LOG=run.log ./queue',
      'fencepost monitor run.log',
    ],
    ['With make:', 'make CC="fencepost record -- gcc"'],
    ['The line to paste into another build:', 'fencepost record --print -- clang -g queue.c -o queue'],
  ],
  manual: ['docs/recording.md'],
};

export function addRecordCommand(program: Command, finish: (exit: number) => void): void {
  const command = program
    .command('record')
    .summary('compile a program so that it records its executions')
    .description(
      'Runs the compiler (clang or gcc) so that the resulting program records its own executions: the compiler inserts ' +
        'the calls of -fsanitize=thread, and our runtime implements them in place of the sanitizer. Each run of the program ' +
        'then writes a log for `fencepost monitor`. Put `fencepost record --` in front of every command that compiles or links.',
    )
    .usage('[options] -- <compiler> <arguments...>')
    .argument('<command...>', 'the compiler and its arguments');
  addHelpEnd(addOptions(command, RECORD), HELP).action((words: string[], flags: Flags) => {
    finish(runRecordCommand(words, readOptions(flags, RECORD)));
  });
}

function runRecordCommand(words: readonly string[], { print, out }: RecordChoices): number {
  const [name, ...rest] = words as [string, ...string[]];
  const asked = spawnSync(name, ['--version'], { encoding: 'utf8' });
  if (asked.error !== undefined) return usage(`${name}: no such compiler`);
  const compiler = compilerOf(asked.stdout);
  if (compiler === undefined) return usage(`${name} is neither clang nor gcc`);
  if (rest.length === 0) return usage(`${name} has nothing to do; give it its arguments too`);
  const problem = lineProblem(words, compiler);
  if (problem !== undefined) return usage(problem);
  const runtime = linksProgram(rest) ? makeRuntime(name, out) : undefined;
  if (runtime !== undefined && 'problem' in runtime) return usage(runtime.problem);
  const line = recordingLine(words, compiler, runtime);
  if (print) {
    process.stdout.write(`${line.map(quoted).join(' ')}\n`);
    return EXIT_VERIFIED;
  }
  return spawnSync(line[0]!, line.slice(1), { stdio: 'inherit' }).status ?? EXIT_USAGE;
}
