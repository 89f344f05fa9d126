/** The reports of commands as the viewer takes them. */
import { Machine } from '../../machine/machine.ts';
import type { Model } from '../../machine/memory/memory.ts';
import { replayOptions } from '../../pipelines/shrink.ts';
import type { Program } from '../../program/ir.ts';
import type { AnyReport, AnyResult, ShownViolation } from '../page-data.ts';
import type { CheckReport, Report, RobustReport, ViolationReport } from '../schema.ts';
import type { SourceLines } from '../source-lines.ts';
import { traceExecution } from '../story/execution.ts';

/** As it is, except that what has no verdict per model has a place of its own. */
export function pageOfReport(report: Report): AnyReport {
  switch (report.command) {
    case 'fix':
      return { ...report, results: [], fixes: report.results };
    case 'monitor':
      return { ...report, results: [], logs: report.results };
    case 'hunt':
      return { ...report, results: report.results.map(({ how: _, ...result }) => result) };
    default:
      return report;
  }
}

/** With an execution that SC has not got, if there is no error to show. */
export function withCycle(result: CheckReport, program: Program, source: SourceLines): CheckReport {
  if (result.trace !== undefined || result.cycle === undefined) return result;
  const machine = new Machine(program, result.model as Model);
  return { ...result, trace: traceExecution(machine, result.cycle.schedule, source) };
}

/** Each violation gets an execution: to its error if it is harmful, else one that has its cycle. */
export function withExecutions(result: RobustReport, program: Program, source: SourceLines): AnyResult {
  return { ...result, violations: result.violations.map((v) => withExecution(v, result, program, source)) };
}

function withExecution(
  violation: ViolationReport,
  { model }: RobustReport,
  program: Program,
  source: SourceLines,
): ShownViolation {
  const { error, cycle } = violation;
  const options = error === undefined ? {} : replayOptions(error.kind, false);
  const machine = new Machine(program, model as Model, {}, options);
  const trace = traceExecution(machine, (error ?? cycle).schedule, source);
  if (error !== undefined) return { ...violation, trace };
  // An execution may have several cycles, and the reason in words be that of another one.
  const names = ({ edges }: Pick<ViolationReport['cycle'], 'edges'>): string =>
    edges
      .map(({ from }) => from.event)
      .sort()
      .join(' ');
  const isThis = trace.cycle !== undefined && names({ edges: trace.cycle }) === names(cycle);
  if (isThis) return { ...violation, trace };
  const { explanation: _, ...rest } = trace;
  return { ...violation, trace: { ...rest, cycle: cycle.edges } };
}
