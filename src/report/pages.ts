/** The reports of all commands as the viewer takes them: results with a model, and an execution to look at. */
import { Machine } from '../machine/machine.ts';
import type { Model } from '../machine/memory/memory.ts';
import type { Program } from '../program/ir.ts';
import { traceExecution } from './execution.ts';
import type { AnyReport, AnyResult } from './page-data.ts';
import type { FixReport, MonitorReport, RobustReport } from './schema.ts';
import type { SourceLines } from './story.ts';

/** A result per violation, with the execution that shows it, or the one for the model if there is none. */
export function robustPage(results: readonly RobustReport[], program: Program, source: SourceLines): AnyReport {
  return {
    command: 'robust',
    results: results.flatMap((result): AnyResult[] => {
      const { violations, monitors: _, ...common } = result;
      if (violations.length === 0) return [common];
      return violations.map(({ cycle, error }) => {
        const schedule = error?.schedule ?? cycle.schedule;
        const machine = new Machine(program, result.model as Model, {}, { spin: error?.kind === 'liveness' });
        const trace = traceExecution(machine, schedule, source);
        return { ...common, cycle, trace, ...(error === undefined ? {} : { error }) };
      });
    }),
  };
}

export function fixPage(results: readonly FixReport[]): AnyReport {
  return {
    command: 'fix',
    results: results.flatMap(({ file, models, verdict, bounds, error, trace }) =>
      models.map((model) => ({
        file,
        model,
        verdict,
        bounds,
        ...(error === undefined ? {} : { error }),
        ...(trace === undefined ? {} : { trace }),
      })),
    ),
  };
}

export function monitorPage(results: readonly MonitorReport[]): AnyReport {
  return {
    command: 'monitor',
    results: results.flatMap(({ file, verdict, bounds, violations }) => {
      const models = [...new Set(violations.map(({ model }) => model))];
      return (models.length === 0 ? ['tso, pso'] : models).map((model) => ({ file, model, verdict, bounds }));
    }),
  };
}
