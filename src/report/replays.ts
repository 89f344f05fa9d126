/** The executions that a report has schedules for: those that fail, and those that have a happens-before cycle. */

import type { Model } from '../models/index.ts';
import { SC } from '../models/sc.ts';
import type { CheckCommandReport, ErrorReport, HuntCommandReport, RobustCommandReport } from './schema.ts';

export type ReplayableReport = CheckCommandReport | RobustCommandReport | HuntCommandReport;

export interface Failure {
  readonly file: string;
  readonly model: Model;
  readonly error: ErrorReport;
}

export interface ShownCycle {
  readonly file: string;
  readonly model: Model;
  readonly schedule: string;
  /** Names of the events on the cycle, in order. */
  readonly events: readonly string[];
}

/** All errors of each result. A failure under SC is the same execution under every model, so it is listed once. */
export function failuresOf(report: ReplayableReport): readonly Failure[] {
  const found = report.results.filter((r) => r.error !== undefined);
  const ofSc = found.find((r) => r.model === SC.name) ?? found.find((r) => r.how === 'sc');
  const failures = found
    .filter((r) => r.how !== 'sc' || r === ofSc)
    .flatMap((result) => {
      const { file, how, error } = result;
      const model = (how === 'sc' ? SC.name : result.model) as Model;
      const others = 'otherErrors' in result ? (result.otherErrors ?? []) : [];
      return [error!, ...others].map((each): Failure => ({ file, model, error: each }));
    });
  if (report.command !== 'robust') return failures;
  return [
    ...failures,
    ...report.results.flatMap(({ file, model, violations }) =>
      violations.flatMap(({ error }) => (error === undefined ? [] : [{ file, model: model as Model, error }])),
    ),
  ];
}

/** For each model, the entry with this number, from 1. */
export function numbered<T extends { readonly model: Model }>(replays: readonly T[], number: number): readonly T[] {
  const seen = new Map<Model, number>();
  return replays.filter(({ model }) => {
    const count = (seen.get(model) ?? 0) + 1;
    seen.set(model, count);
    return count === number;
  });
}

/** The cycle with this number, from 1, of each model that has one. */
export function cyclesOf(report: ReplayableReport, number: number): readonly ShownCycle[] {
  switch (report.command) {
    case 'check':
      return [];
    case 'robust':
      return report.results.flatMap(({ file, model, violations }) => {
        const cycle = violations[number - 1]?.cycle;
        if (cycle === undefined) return [];
        const events = cycle.edges.map(({ from }) => from.event);
        return [{ file, model: model as Model, schedule: cycle.schedule, events }];
      });
    case 'hunt':
      return report.results.flatMap(({ file, model, cycles }) => {
        const { schedule, events } = cycles[number - 1] ?? {};
        return schedule === undefined || events === undefined
          ? []
          : [{ file, model: model as Model, schedule, events }];
      });
  }
}
