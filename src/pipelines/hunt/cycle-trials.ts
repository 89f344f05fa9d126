/** Trials of one cycle in one round of a hunt, an execution at a time. They depend on nothing that other cycles do. */
import type { Bound } from '../../explore/bound.ts';
import { type FoundError, isKnown } from '../../explore/found-errors.ts';
import { Biased, type BiasOptions } from '../../explore/relaxer/biased.ts';
import { findInTrace } from '../../explore/relaxer/confirm.ts';
import { runOnce } from '../../explore/relaxer/trial.ts';
import { printSchedule, scheduleOf } from '../../explore/schedule.ts';
import type { Judge } from '../../explore/tally.ts';
import { eventName } from '../../machine/describe/names.ts';
import { Naming } from '../../machine/describe/naming.ts';
import * as ev from '../../machine/events/event.ts';
import type { Machine } from '../../machine/machine.ts';
import type { HuntOptions } from '../../options/hunt.ts';
import { isAcyclic } from '../../trace/cycle.ts';
import { settle } from '../../trace/settle.ts';
import { ShashaSnirTrace } from '../../trace/shasha-snir.ts';
import { patienceOf, prngOf } from './options.ts';
import type { CycleResult } from './result.ts';

export type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** How far the trials are, as plain data. */
export interface TrialsState {
  /** Which cycle of the round it is. */
  readonly place: number;
  readonly result: Mutable<CycleResult>;
  /** In this round. */
  trials: number;
  /** In the current trial: executions so far, and whether one of them had the cycle, and one failed. */
  attempt: number;
  isConfirmed: boolean;
  hasFailed: boolean;
}

export function newTrials(place: number, result: Mutable<CycleResult>): TrialsState {
  return { place, result, trials: 0, attempt: 0, isConfirmed: false, hasFailed: false };
}

/** What the trials of all cycles in a round share. */
interface Trying {
  readonly machine: Machine;
  readonly options: HuntOptions;
  readonly bias: BiasOptions;
  readonly round: number;
  /** Errors that also occur under SC. */
  readonly known: readonly FoundError[];
  readonly judge: Judge | undefined;
}

interface TriedOnce {
  readonly steps: number;
  readonly bound: Bound | undefined;
  readonly error: FoundError | undefined;
  /** The number of the trial, and of the execution in it. */
  readonly trial: number;
  readonly attempt: number;
}

/** Whether the cycle needs no more trials in this round. */
export function isTried({ result, trials, attempt }: TrialsState, options: HuntOptions): boolean {
  const isHopeless = result.confirmed === 0 && trials >= patienceOf(options);
  return attempt === 0 && (trials === options.trials || isHopeless);
}

/** Runs one execution. */
export function tryOnce({ machine, options, bias, round, known, judge }: Trying, state: TrialsState): TriedOnce {
  const { place, result, trials, attempt } = state;
  const { labels } = result.cycle;
  const number = (place * options.trials + trials) * options.attempts + attempt;
  machine.rollback(0);
  const strategy = new Biased(machine, labels, prngOf(options, round, options.runs + number), bias);
  const run = runOnce(machine, strategy, options.maxSteps, judge);
  machine.demandRoom();
  result.executions++;
  const isNew = run.error !== undefined && !isKnown(known, run.error.error);
  state.hasFailed ||= isNew;
  const trace = strategy.isRelaxed ? new ShashaSnirTrace(settle(machine.events), machine.processes) : undefined;
  const events = trace === undefined || isAcyclic(trace) ? undefined : findInTrace(trace, labels, options.isLate);
  // An error that also occurs under SC is not due to the cycle.
  if (events !== undefined) noteConfirmed(machine, state, events, isNew ? run.error : undefined);
  // A cycle already known to be harmful need not be shown harmful again.
  const isSettled = state.isConfirmed && result.error !== undefined;
  if (isSettled || ++state.attempt === options.attempts) endTrial(state);
  return { steps: run.steps, bound: run.bound, error: run.error, trial: trials, attempt };
}

function noteConfirmed(
  machine: Machine,
  state: TrialsState,
  events: readonly number[],
  error: FoundError | undefined,
): void {
  const { result } = state;
  if (!state.isConfirmed) result.confirmed++;
  state.isConfirmed = true;
  if (error !== undefined) {
    result.harmful++;
    result.error ??= error;
  }
  if (result.schedule !== undefined) return;
  result.schedule = printSchedule(machine, scheduleOf(machine));
  result.events = events.map((event) => eventName(machine, event));
  const naming = new Naming(machine);
  const field = (event: number, f: number): number => machine.events.get(event, f);
  result.names = events.map((event) => naming.title(field(event, ev.E_ADDRESS), field(event, ev.E_SITE)));
}

function endTrial(state: TrialsState): void {
  if (state.isConfirmed && state.hasFailed) state.result.failedTrials++;
  state.attempt = 0;
  state.isConfirmed = false;
  state.hasFailed = false;
  state.result.trials++;
  state.trials++;
}
