/** The reports of other commands as the viewer takes them: those of `check`. */
import { Machine } from '../machine/machine.ts';
import type { Model } from '../machine/memory/memory.ts';
import type { Program } from '../program/ir.ts';
import { traceExecution } from './execution.ts';
import type { AnyReport, AnyResult } from './page-data.ts';
import type { ErrorReport, RobustReport, TraceReport } from './schema.ts';
import type { SourceLines } from './story.ts';

/** The harmful violations as errors, each with its execution; if there are none, the cycle of the first that is not. */
export function robustPage(results: readonly RobustReport[], program: Program, source: SourceLines): AnyReport {
  return { command: 'robust', results: results.map((result) => robustResult(result, program, source)) };
}

function robustResult(result: RobustReport, program: Program, source: SourceLines): AnyResult {
  const { violations, monitors: _, ...common } = result;
  const traceOf = (schedule: string, error?: ErrorReport): TraceReport => {
    const options = { spin: error?.kind === 'liveness' };
    return traceExecution(new Machine(program, result.model as Model, {}, options), schedule, source);
  };
  const [first, ...others] = violations.flatMap(({ error }) => error ?? []);
  const [violation] = violations;
  if (first === undefined) {
    if (violation === undefined) return common;
    const { cycle } = violation;
    return { ...common, cycle, trace: traceOf(cycle.schedule) };
  }
  return {
    ...common,
    error: first,
    trace: traceOf(first.schedule, first),
    otherErrors: others.map((error) => ({ ...error, trace: traceOf(error.schedule, error) })),
  };
}
