/** Builds the report of `robust` from its results. */
import { SC } from '../../models/sc.ts';
import type { ViolationResult } from '../../pipelines/alarms.ts';
import type { RobustResult } from '../../pipelines/robust.ts';
import type { Warning } from '../../pipelines/warnings.ts';
import type { Location } from '../../program/location.ts';
import type { RobustReport, SourcePlace, ViolationReport } from '../schema.ts';
import type { TraceReport } from '../trace-schema.ts';
import { type ReportOptions, reportCycle } from './check-report.ts';
import type { Executions } from './executions.ts';
import { sourcePlace } from './places-in-source.ts';
import { reportRounds } from './rounds.ts';

/** `warnings` are those found under SC. */
export function reportRobust(
  file: string,
  executions: Executions,
  result: RobustResult,
  warnings: readonly Warning[],
  { forPage = false }: ReportOptions = {},
): RobustReport {
  const [found] = result.errors;
  return {
    file,
    model: result.model,
    monitors: result.monitors,
    verdict: result.verdict.kind,
    how: result.how,
    ...(result.enumerated === undefined ? {} : { enumerated: result.enumerated }),
    robust: result.robust,
    executions: result.executions,
    blocked: result.blocked,
    ...(result.blocked > 0 ? { blockedBy: result.blockedBy } : {}),
    ...(result.givenUp === undefined ? {} : { givenUp: result.givenUp }),
    ...(result.cutsIdleLoops ? { cutsIdleLoops: true } : {}),
    ...reportRounds(result.rounds),
    seconds: Math.round(result.seconds * 1000) / 1000,
    bounds: result.bounds,
    ...(result.boundedBy.length === 0 ? {} : { boundedBy: result.boundedBy }),
    ...(found === undefined ? {} : executions.failure(file, SC.name, found)),
    ...(found === undefined || warnings.length === 0 ? {} : { warnings }),
    statistics: result.statistics.map(({ first, ...counts }) => ({
      ...counts,
      ...(first === undefined ? {} : { first: { ...first, seconds: Math.round(first.seconds * 1000) / 1000 } }),
    })),
    violations: result.violations.map((violation) => {
      const report = reportViolation(file, violation, executions);
      return forPage ? { ...report, trace: traceViolation(violation, report, executions) } : report;
    }),
  };
}

function reportViolation(
  file: string,
  { model, monitor, event, write, cycle, harm, unmodelled }: ViolationResult,
  executions: Executions,
): ViolationReport {
  const at = (location: Location | undefined): SourcePlace | null =>
    location === undefined ? null : sourcePlace(location, executions.source);
  const error = harm && executions.error(file, model, harm);
  return {
    monitor,
    event: at(event),
    write: at(write),
    cycle: reportCycle(cycle!),
    harmful: error !== undefined,
    ...(error === undefined ? {} : { error }),
    ...(unmodelled === undefined ? {} : { undefinedCall: at(unmodelled.place) }),
  };
}

/** An execution that ends in the error of a harmful violation; otherwise one that has its cycle. */
function traceViolation(
  { model, harm }: ViolationResult,
  { cycle }: ViolationReport,
  executions: Executions,
): TraceReport {
  if (harm !== undefined) {
    return executions.traceFailure(model, harm) ?? executions.trace(model, cycle.schedule);
  }
  const trace = executions.trace(model, cycle.schedule);
  // An execution may have several cycles, and the explanation in words may describe another one.
  const names = ({ edges }: Pick<ViolationReport['cycle'], 'edges'>): string =>
    edges
      .map(({ from }) => from.event)
      .sort()
      .join(' ');
  if (trace.cycle !== undefined && names({ edges: trace.cycle }) === names(cycle)) return trace;
  const { explanation: _, ...rest } = trace;
  return { ...rest, cycle: cycle.edges };
}
