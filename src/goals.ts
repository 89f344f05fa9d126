/** What a fix can be asked to achieve, as searches for an execution that must not be. */
import { type CheckOptions, hasSections, ModelRun } from './check.ts';
import type { Checker, RelaxedModel, Search, SearchOutcome } from './fix/synthesis.ts';
import type { Program } from './program/ir.ts';

/**
 * - `safe`: no execution has an error
 * - `robust`: every execution is one of SC
 */
export type Goal = 'safe' | 'robust';

export const GOALS: readonly Goal[] = ['safe', 'robust'];

export function checkerFor(goal: Goal, options: CheckOptions): Checker {
  if (goal === 'safe') return (program, model) => new ErrorSearch(program, model, options);
  return (program, model) =>
    hasSections(program) ? new TraceSearch(program, model, options) : new AlarmSearch(program, model, options);
}

class ErrorSearch implements Search {
  protected readonly run: ModelRun;

  constructor(program: Program, model: RelaxedModel, options: CheckOptions) {
    this.run = new ModelRun(program, model, { ...options, keepGoing: false });
  }

  advance(steps: number): boolean {
    return this.run.advance(steps);
  }

  stop(why: string): void {
    this.run.stop(why);
  }

  get counts(): { executions: number } {
    return this.run.counts;
  }

  get outcome(): SearchOutcome {
    const { errors, bounds } = this.run.result;
    const [found] = errors;
    return found === undefined ? { bounds } : { bounds, schedule: found.schedule, error: found.error };
  }
}

/** For programs of which monitors cannot tell: all traces of the model, each tested for a cycle. */
class TraceSearch extends ErrorSearch {
  constructor(program: Program, model: RelaxedModel, options: CheckOptions) {
    super(program, model, { ...options, robust: true });
  }

  override get outcome(): SearchOutcome {
    const { cycle, bounds } = this.run.result;
    return cycle === undefined ? super.outcome : { bounds, schedule: cycle.schedule };
  }
}

/** SC, with a monitor. */
class AlarmSearch implements Search {
  private readonly run: ModelRun;

  constructor(program: Program, model: RelaxedModel, options: CheckOptions) {
    const monitors = [`causal-${model}`] as const;
    this.run = new ModelRun(program, 'sc', { ...options, models: ['sc'] }, { monitors, firstOnly: true });
  }

  advance(steps: number): boolean {
    return this.run.advance(steps) || this.run.alarms!.isOver;
  }

  stop(why: string): void {
    this.run.stop(why);
  }

  get counts(): { executions: number } {
    return this.run.counts;
  }

  get outcome(): SearchOutcome {
    const { bounds, errors } = this.run.result;
    const [alarm] = this.run.alarms!.found;
    if (alarm?.cycle !== undefined) return { bounds, schedule: alarm.cycle.schedule };
    if (alarm !== undefined)
      return { bounds: [...bounds, `alarm of ${alarm.monitor} without an execution that shows it`] };
    return errors.length > 0 ? { bounds: [...bounds, 'wrong under sc'] } : { bounds };
  }
}
