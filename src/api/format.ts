/** A report as text for people or in a form for programs. */
import { REPORTERS, type ReporterName } from '../options/output.ts';
import type { FixCommandReport, LitmusReport, Report } from '../report/schema.ts';
import { DEFAULT_PRINT } from '../report/writers/check.ts';
import { patchOf } from '../report/writers/fix.ts';
import { printLitmus, printSummary } from '../report/writers/litmus.ts';
import { printMonitored } from '../report/writers/monitor.ts';
import { reporters } from '../report/writers/reporters.ts';
import { printSuite } from '../report/writers/suite.ts';
import { printText } from '../report/writers/text.ts';
import { UsageError } from './errors.ts';

export type Format = ReporterName;

/** As the command prints it, without colours and 100 columns wide. */
export function format(report: Report, as: Format = 'text'): string {
  if (typeof report?.command !== 'string') throw new UsageError('format takes a report');
  if (as === 'text') return textOf(report);
  if (!(REPORTERS as readonly string[]).includes(as)) {
    throw new UsageError(`unknown format "${as}"; expected one of ${REPORTERS.join(', ')}`);
  }
  return reporters[as](report);
}

function textOf(report: Report): string {
  switch (report.command) {
    case 'litmus':
      return litmusText(report.results, report.problems.length);
    case 'monitor':
      return report.results.map((result) => `${printMonitored(result)}\n`).join('\n');
    case 'suite':
      return `${printSuite(report, DEFAULT_PRINT)}\n`;
    case 'fix':
      return `${printText(report, DEFAULT_PRINT)}\n${patchesOf(report)}`;
    default:
      // A program that could not be used has no verdicts, so there is nothing they rest on.
      return report.results.length === 0 ? '' : `${printText(report, DEFAULT_PRINT)}\n`;
  }
}

function patchesOf({ results }: FixCommandReport): string {
  return results.map((result) => patchOf(result).toString('utf8')).join('');
}

/** Test by test, in the order of the report. */
function litmusText(results: readonly LitmusReport[], problems: number): string {
  const tests: LitmusReport[][] = [];
  for (const result of results) {
    const own = tests.at(-1);
    if (own?.[0]?.file === result.file && own[0].test === result.test) own.push(result);
    else tests.push([result]);
  }
  const texts = tests.map(
    (own) => `${printLitmus(own, { traces: own.some(({ traces }) => traces !== undefined) })}\n\n`,
  );
  return `${texts.join('')}${printSummary(results, { tests: tests.length, problems })}\n`;
}
