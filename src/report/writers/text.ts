/** The text of a report, for people. `litmus` and `monitor` write it input by input. */
import type { KeptCompile } from '../../options/kept-compile.ts';
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
  const { junk, stubs, nondet }: Partial<KeptCompile> = 'input' in report ? report.input : {};
  const all = {
    ...options,
    ...(junk === true ? { junk } : {}),
    ...(stubs === undefined ? {} : { stubs }),
    ...(nondet === undefined ? {} : { nondet }),
  };
  switch (report.command) {
    case 'check':
      return `${printCheck(report.results, all)}\n${printTrust(report, all)}`;
    case 'robust':
      return printRobust(report.results, all);
    case 'hunt':
      return printHunt(report.results, all);
    case 'fix':
      return report.results.map((result) => printFix(result, all)).join('\n');
  }
}
