/** The text of a report, for people. `litmus` and `monitor` write it input by input. */
import type { CheckCommandReport, FixReport, HuntCommandReport, RobustCommandReport } from '../schema.ts';
import { DEFAULT_PRINT, type PrintOptions, printCheck, printTrust } from './check.ts';
import { printFix } from './fix.ts';
import { printHunt } from './hunt.ts';
import { printRobust } from './robust.ts';

export type ProgramReport =
  | CheckCommandReport
  | RobustCommandReport
  | HuntCommandReport
  | { readonly command: 'fix'; readonly results: readonly FixReport[] };

/** For a command about one program, without the patch of `fix`. */
export function printText(report: ProgramReport, options: PrintOptions = DEFAULT_PRINT): string {
  switch (report.command) {
    case 'check':
      return `${printCheck(report.results, options)}\n${printTrust(report, options)}`;
    case 'robust':
      return printRobust(report.results, options);
    case 'hunt':
      return printHunt(report.results, options);
    case 'fix':
      return report.results.map((result) => printFix(result, options)).join('\n');
  }
}
