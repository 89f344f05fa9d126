/** The goals of a fix, as searches for an execution that must not exist. */

import type { Stop } from '../../explore/bound.ts';
import type { Checker, Search, SearchOutcome } from '../../fix/synthesis.ts';
import { type FixModel, hasMonitors, type StoreBufferModel } from '../../models/index.ts';
import { SC } from '../../models/sc.ts';
import { causalMonitoring } from '../../monitor/monitors.ts';
import type { CheckOptions } from '../../options/check.ts';
import type { Goal } from '../../options/fix.ts';
import type { Program } from '../../program/ir.ts';
import type { Helpers } from '../helpers.ts';
import { ModelRun } from '../model-run.ts';
import { hasSections } from '../strategies.ts';

/** `helpers` take part in long searches for errors, but only if the caller uses `Search.wait`. */
export function checkerFor(goal: Goal, options: CheckOptions, helpers?: Helpers): Checker {
  if (goal === 'safe') return (program, model) => new ErrorSearch(program, model, options, helpers);
  return (program, model) => {
    if (!hasMonitors(model)) throw new Error(`robustness is not defined for ${model}`);
    return hasSections(program) ? new TraceSearch(program, model, options) : new AlarmSearch(program, model, options);
  };
}

class ErrorSearch implements Search {
  protected readonly run: ModelRun;

  constructor(program: Program, model: FixModel, options: CheckOptions, helpers?: Helpers) {
    const parts = helpers === undefined ? {} : { helpers };
    this.run = new ModelRun(program, model, { ...options, keepGoing: false }, parts);
  }

  wait(): Promise<void> | undefined {
    return this.run.wait();
  }

  advance(steps: number): boolean {
    return this.run.advance(steps);
  }

  stop(why: Stop): void {
    this.run.stop(why);
  }

  get counts(): { executions: number } {
    return this.run.counts;
  }

  get outcome(): SearchOutcome {
    const { errors, boundedBy: bounds } = this.run.result;
    const [found] = errors;
    return found === undefined ? { bounds } : { bounds, schedule: found.schedule, error: found.error };
  }
}

/** For programs that monitors cannot decide: tests every trace of the model for a cycle. */
class TraceSearch extends ErrorSearch {
  constructor(program: Program, model: StoreBufferModel, options: CheckOptions) {
    super(program, model, { ...options, robust: true });
  }

  override get outcome(): SearchOutcome {
    const { cycle, boundedBy: bounds } = this.run.result;
    return cycle === undefined ? super.outcome : { bounds, schedule: cycle.schedule };
  }
}

/**
 * Explores SC with a monitor. If no execution can be built for an alarm, `TraceSearch` searches the model itself for
 * one.
 */
class AlarmSearch implements Search {
  private readonly run: ModelRun;
  private readonly searchTraces: () => TraceSearch;
  private traces: TraceSearch | undefined;

  constructor(program: Program, model: StoreBufferModel, options: CheckOptions) {
    this.run = new ModelRun(
      program,
      SC.name,
      { ...options, models: [SC.name], countOrders: true },
      {
        watched: { ...causalMonitoring([model]), firstOnly: true },
      },
    );
    this.searchTraces = () => new TraceSearch(program, model, options);
  }

  advance(steps: number): boolean {
    if (this.traces !== undefined) return this.traces.advance(steps);
    if (!this.run.advance(steps) && !this.run.alarms!.isOver) return false;
    const [alarm] = this.run.alarms!.found;
    if (alarm === undefined || alarm.cycle !== undefined) return true;
    this.traces = this.searchTraces();
    return false;
  }

  stop(why: Stop): void {
    (this.traces ?? this.run).stop(why);
  }

  get counts(): { executions: number } {
    return (this.traces ?? this.run).counts;
  }

  get outcome(): SearchOutcome {
    if (this.traces !== undefined) return this.traces.outcome;
    const { boundedBy: bounds, errors } = this.run.result;
    const [alarm] = this.run.alarms!.found;
    if (alarm?.cycle !== undefined) return { bounds, schedule: alarm.cycle.schedule };
    return errors.length > 0 ? { bounds: [...bounds, { kind: 'fails under sc' }] } : { bounds };
  }
}
