/** Trials that workers make. A job is all that is left to do for one cycle in a round. */
import { type Bound, Bounds } from '../../explore/bound.ts';
import type { FoundError } from '../../explore/found-errors.ts';
import { Machine } from '../../machine/machine.ts';
import type { RelaxedModel } from '../../models/index.ts';
import type { HuntOptions } from '../../options/hunt.ts';
import type { Program } from '../../program/ir.ts';
import { isTried, type TrialsState, tryOnce } from './cycle-trials.ts';
import { type ErrorPlace, FirstErrors } from './first-errors.ts';
import { biasOf, machineOptions } from './options.ts';

export interface HuntWork {
  readonly program: Program;
  readonly options: Omit<HuntOptions, 'isLate'>;
}

export interface TrialsJob {
  readonly model: RelaxedModel;
  readonly round: number;
  /** Steps of the longest SC run, and the errors under SC. */
  readonly longest: number;
  readonly known: readonly FoundError[];
  readonly state: TrialsState;
}

export interface TrialsAnswer {
  readonly state: TrialsState;
  readonly executions: number;
  readonly errors: readonly (readonly [ErrorPlace, FoundError])[];
  readonly bounds: readonly Bound[];
  readonly seconds: number;
}

export interface HuntTogether {
  /** Whether they cannot continue. */
  readonly hasFailed: boolean;
  /** Whether nothing is left to do. */
  readonly isIdle: boolean;
  do(jobs: readonly TrialsJob[], hear: (job: TrialsJob, answer: TrialsAnswer) => void): void;
  /** Stops the jobs and asks for what has been done of them. */
  stopJobs(): void;
  end(): void;
  wait(): Promise<void>;
}

export interface HuntHelpers {
  /** In seconds: shorter hunts are not shared with workers. */
  readonly after: number;
  begin(work: HuntWork): HuntTogether;
}

/** Workers could not make the trials: the hunt must start over, alone. */
export class NotHuntedTogether extends Error {
  override readonly name = 'NotHuntedTogether';
}

/** Makes trials for a hunt, in a worker. */
export class TrialMaker {
  private readonly work: HuntWork;
  private readonly machines = new Map<RelaxedModel, Machine>();

  constructor(work: HuntWork) {
    this.work = work;
  }

  make({ model, round, longest, known, state }: TrialsJob, isStopped: () => boolean): TrialsAnswer {
    const started = performance.now();
    const options: HuntOptions = { ...this.work.options, isLate: isStopped };
    const machine = this.machineOf(model);
    const trying = { machine, options, bias: biasOf(options, model, longest), round, known, judge: undefined };
    const errors = new FirstErrors();
    const bounds = new Bounds();
    let executions = 0;
    while (!isStopped() && !isTried(state, options)) {
      const { error, bound, trial, attempt } = tryOnce(trying, state);
      executions++;
      if (bound !== undefined) bounds.add(bound);
      if (error !== undefined) errors.add([round, trial, state.place, attempt], error);
    }
    if (!machine.processes.areFixed) throw new NotHuntedTogether();
    const seconds = (performance.now() - started) / 1000;
    return { state, executions, errors: errors.placed, bounds: bounds.list, seconds };
  }

  private machineOf(model: RelaxedModel): Machine {
    const { program, options } = this.work;
    const machine = this.machines.get(model) ?? new Machine(program, model, {}, machineOptions(options));
    this.machines.set(model, machine);
    return machine;
  }
}
