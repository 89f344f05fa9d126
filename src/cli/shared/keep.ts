/** Saves failing runs in folders, for `fencepost replay`. */
import { type KeptReport, writeRunFolder } from '../../report/run-folder.ts';
import { printable } from '../../report/text.ts';
import { printText } from '../../report/writers/text.ts';
import type { Flags } from './options.ts';
import { shellWord } from './shell.ts';

/**
 * Saves the run, if requested, and says how to replay it. `question` is the user's request, which identifies the run.
 * If saving fails, the command does not.
 */
export function keepRun(out: string | false, question: Flags, report: KeptReport): string | undefined {
  if (out === false || !report.results.some((r) => r.error !== undefined)) return undefined;
  try {
    return `Replay: fencepost replay ${shellWord(writeRunFolder(out, report, printText(report), question))} [--step]\n`;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    process.stderr.write(
      `fencepost: cannot save this run in ${printable(out)} (${code ?? message}); choose another folder with --out\n`,
    );
    return undefined;
  }
}
