/** Converts reports of commands to the form that the viewer takes. */
import type { AnyReport, AnyResult } from '../page-data.ts';
import type { CheckReport, Report } from '../schema.ts';

/** Reports stay as they are, except that results without a verdict per model go into a separate field. */
export function pageOfReport(report: Report): AnyReport {
  switch (report.command) {
    case 'check':
      return { ...report, results: report.results.map(pageOfCheck) };
    case 'fix':
      return { ...report, results: [], fixes: report.results };
    case 'monitor':
      return { ...report, results: [], logs: report.results };
    case 'hunt':
      return { ...report, results: report.results.map(({ how: _, ...result }) => result) };
    case 'suite':
      return { command: report.command, results: report.results, problems: report.problems };
    default:
      return report;
  }
}

/** Adds the execution that SC does not allow, unless another one is shown. */
export function pageOfCheck(result: CheckReport): AnyResult {
  if (result.cycle?.trace === undefined) return result;
  const { trace, ...cycle } = result.cycle;
  return { ...result, cycle, trace: result.trace ?? trace };
}
