/** The text of a report, for people. `litmus` and `monitor` write it input by input. */
import type { KeptCompile } from '../../options/kept-compile.ts';
import type { CheckCommandReport, FixReport, HuntCommandReport, RobustCommandReport } from '../schema.ts';
import { DEFAULT_PRINT, type PrintOptions, printCheck, printTrust } from './check.ts';
import { printFix } from './fix.ts';
import { printHunt } from './hunt.ts';
import { printRobust } from './robust.ts';

type ProgramReport =
  | CheckCommandReport
  | RobustCommandReport
  | HuntCommandReport
  | { readonly command: 'fix'; readonly results: readonly FixReport[] };

/** For commands about one program; the patch of `fix` is not included. */
export function printText(report: ProgramReport, options: PrintOptions = DEFAULT_PRINT): string {
  const input: KeptCompile | undefined = 'input' in report ? report.input : undefined;
  const { stubs, nondet }: Partial<KeptCompile> = input ?? {};
  const all = {
    ...options,
    ...freshOf(input),
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

/** What fresh memory held, if it had a value. */
function freshOf(input: KeptCompile | undefined): Pick<PrintOptions, 'fresh'> {
  if (input === undefined || input.uninitialised === true) return {};
  return { fresh: input.junk === true ? 'junk' : 'zeroes' };
}
