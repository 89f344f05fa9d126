/** The totals of a search: how its executions ended, their errors, and what bounded them. */

import type { ErrorKind, ProgramError, UnmodelledCall } from '../machine/code/error.ts';
import { describeDeadlock, describeEndlessWait } from '../machine/describe/deadlock.ts';
import { programError } from '../machine/describe/program-error.ts';
import {
  boundText,
  blockedBy as countBlocked,
  cutLoops,
  endlessLoop,
  hasUnmodelled,
  isCovered,
  unmodelledCalls,
} from '../machine/describe/stopped.ts';
import { MAX_END_STATES } from '../machine/end-search.ts';
import type { Machine, Outcome } from '../machine/machine.ts';
import { restOf } from '../machine/rest.ts';
import { printLocation } from '../program/location.ts';
import { type Bound, Bounds } from './bound.ts';
import { Counts, type SavedCounts } from './counts.ts';
import { type FoundError, FoundErrors } from './found-errors.ts';
import type { Watcher } from './watcher.ts';

export interface SavedTally {
  readonly counts: SavedCounts;
  readonly errors: readonly FoundError[];
  readonly bounds: readonly Bound[];
}

/** Examines an execution, usually a complete one, for errors that the machine does not notice. */
export type Judge = (machine: Machine, outcome: Outcome) => ProgramError | undefined;

const NONE: ReadonlySet<ErrorKind> = new Set();

export class Tally implements Watcher<SavedTally> {
  readonly counts: Counts = new Counts();
  readonly errors: FoundErrors = new FoundErrors();
  readonly bounds: Bounds = new Bounds();
  private readonly judge: Judge | undefined;
  /** Kinds that do not count as errors: an execution that ends in one counts as complete. */
  private readonly ignored: ReadonlySet<ErrorKind>;
  private readonly onError: (() => void) | undefined;

  constructor(judge?: Judge, ignored: ReadonlySet<ErrorKind> = NONE, onError?: () => void) {
    this.judge = judge;
    this.ignored = ignored;
    this.onError = onError;
  }

  conclude(machine: Machine, outcome: Outcome): void {
    const judged = outcome === 'limit' ? undefined : this.judge?.(machine, outcome);
    // No thread stops in an execution that is complete, unless it ends in an exit.
    const mayHaveStopped = outcome !== 'complete' || machine.isOver;
    if (mayHaveStopped && hasUnmodelled(machine))
      for (const call of unmodelledCalls(machine)) this.bounds.add(boundOf(call));
    if (judged !== undefined) this.addError(machine, judged);
    else if (outcome === 'complete') this.counts.complete++;
    else if (outcome === 'blocked') this.addBlocked(machine);
    else if (outcome === 'limit') this.bounds.add(boundMet(machine));
    else this.addError(machine, programError(machine) ?? describeDeadlock(machine));
  }

  /** The strategy has abandoned the execution; it may have found an error in it, and it may still be judged. */
  abandon(machine: Machine, isJudged: boolean, found?: ProgramError): void {
    const judged = found ?? (isJudged ? this.judge?.(machine, 'complete') : undefined);
    if (judged === undefined) this.counts.abandoned++;
    else this.addError(machine, judged);
  }

  private addBlocked(machine: Machine): void {
    const { blockedBy } = this.counts;
    const { assumed, unrolled, unmodelled } = countBlocked(machine);
    // It is cut, not blocked: the bound says so.
    if (unmodelled > 0) return;
    const rest = assumed === 0 && unrolled === 0 ? restOf(machine) : 'for now';
    if (rest === 'unknown') this.bounds.add({ kind: 'states of waiting threads', limit: MAX_END_STATES });
    // Once the process may end at any time, waiting is not an error.
    const isEndless = rest === 'for ever' && !machine.mayEnd;
    if (isEndless && machine.unroll === 0) return this.addError(machine, describeEndlessWait(machine));
    // With a loop bound, an endless loop counts as one that reaches the bound.
    const isCut = unrolled > 0 || isEndless;
    if (assumed > 0) blockedBy[isCovered(machine) ? 'covered' : 'assume']++;
    else if (isCut) blockedBy.unroll++;
    else blockedBy.spin++;
    if (!isCut) return;
    for (const place of cutLoops(machine)) this.bounds.add({ kind: 'unroll', limit: machine.unroll, place });
  }

  private addError(machine: Machine, error: ProgramError): void {
    this.onError?.();
    if (this.ignored.has(error.kind)) {
      this.counts.complete++;
      return;
    }
    this.counts.erroneous++;
    this.errors.note(machine, error);
  }

  save(): SavedTally {
    return { counts: this.counts.save(), errors: this.errors.save(), bounds: this.bounds.save() };
  }

  merge({ counts, errors, bounds }: SavedTally): void {
    this.counts.merge(counts);
    this.errors.merge(errors);
    this.bounds.merge(bounds);
  }
}

function boundMet(machine: Machine): Bound {
  const endless = endlessLoop(machine);
  return { kind: 'machine', what: boundText(machine)!, ...(endless === undefined ? {} : { endless }) };
}

function boundOf({ what, reason, place }: UnmodelledCall): Bound {
  if (what === 'undefined') return { kind: 'unmodelled call', reason, place };
  return { kind: 'machine', what: `not modelled (${reason}${place === undefined ? '' : `, ${printLocation(place)}`})` };
}
