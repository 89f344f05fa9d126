/** Failing runs are kept in folders, for `fencepost replay`. */
import type { Command } from 'commander';
import { DEFAULT_OUT, type KeptReport, writeRunFolder } from '../report/run-folder.ts';
import { printable } from '../report/text.ts';
import { shellWord } from './shell.ts';

export interface KeepFlags {
  /** Where to keep failing runs; false: nowhere. */
  readonly out: string | false;
}

export function addKeepOptions(command: Command): Command {
  return command
    .option('--out <folder>', 'keep failing runs in this folder, for fencepost replay', DEFAULT_OUT)
    .option('--no-out', 'keep nothing');
}

/** Flags that change neither what is run nor what comes of it, only where the results go. */
const OF_OUTPUT: readonly string[] = [
  'out',
  'html',
  'reporter',
  'json',
  'sarif',
  'junit',
  'record',
  'cache',
  'interpret',
];

/** Keeps the run, if that is wanted, and says how to replay it. That it cannot be kept is no reason to fail. */
export function keepRun(flags: KeepFlags, report: KeptReport, print: () => string): string | undefined {
  const { out } = flags;
  if (out === false || !report.results.some((r) => r.error !== undefined)) return undefined;
  const asked = Object.fromEntries(Object.entries(flags).filter(([name]) => !OF_OUTPUT.includes(name)));
  try {
    return `Replay: fencepost replay ${shellWord(writeRunFolder(out, report, print(), asked))} [--step]\n`;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    process.stderr.write(
      `fencepost: cannot keep this run in ${printable(out)} (${code ?? message}); choose another folder with --out\n`,
    );
    return undefined;
  }
}
