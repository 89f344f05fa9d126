/**
 * When a search is divided among workers, and what becomes of their results: they are added to those of the search, or
 * dropped, and then it continues alone ([together.ts](together.ts)). Random runs are shared run by run
 * ([shared-runs.ts](shared-runs.ts)).
 */
import type { Bound } from '../explore/bound.ts';
import type { Divisible } from '../explore/dpor/divisible.ts';
import type { MachineDpor } from '../explore/dpor/machine/machine-dpor.ts';
import type { SearchLevel } from '../explore/dpor/search-state.ts';
import type { Exploration, FoundError } from '../explore/explore.ts';
import type { NumberedRuns } from '../explore/numbered-runs.ts';
import { Tally } from '../explore/tally.ts';
import type { Machine } from '../machine/machine.ts';
import type { CheckOptions } from '../options/check.ts';
import { DivisionTime } from './division-time.ts';
import type { Forecast } from './forecast.ts';
import type { Helpers } from './helpers.ts';
import type { Watched } from './model-parts.ts';
import { addRuns, NotTogether, type RunsSearch, type RunsTogether } from './shared-runs.ts';
import { haveSmallParts, partsByOrders } from './small-parts.ts';
import {
  addsUp,
  isOfTrace,
  type PartResult,
  type SavedSearch,
  type SavedTogether,
  type SharedWork,
  type Together,
} from './together.ts';
import type { Watchers } from './watchers.ts';

/** A search as its division sees it: what it has found alone, and how to continue. */
export interface Dividing {
  readonly options: CheckOptions;
  readonly machine: Machine;
  readonly newMachine: () => Machine;
  readonly watchers: Watchers;
  readonly forecast: Forecast;
  readonly watched: Watched | undefined;
  /** The search by DPOR or by graphs, by DPOR, or by random runs, if it is one. */
  readonly divisible: Divisible | undefined;
  readonly dpor: MachineDpor | undefined;
  readonly numbered: NumberedRuns | undefined;
  readonly runsSearch: RunsSearch;
  readonly work: SharedWork;
  /** Whether results of workers add up. */
  readonly isDivisible: boolean;
  readonly isGraph: boolean;
  readonly mayCommute: boolean;
  readonly exploration: Exploration;
  readonly counts: { readonly executions: number };
  readonly elapsed: number;
  /** Runs until the search can be saved. True once it has ended. */
  pause(): boolean;
  /** Forgets what has been counted. */
  renew(): void;
  mergeCounts(part: PartResult): void;
  /** Ends the search, and the division with it. */
  cut(bound: Bound): void;
}

const NOTHING = new Tally().save();

/** Steps of an execution. */
const LONG = 2000;

export class Division {
  private readonly search: Dividing;
  private readonly helpers: Helpers;
  private readonly time: DivisionTime;
  private together: Together | undefined;
  private runsTogether: RunsTogether | undefined;
  /** What was left when the search was divided: it continues there alone if the workers fail. */
  private leftAlone: readonly SearchLevel[] = [];
  /** How many alarms there were when the workers failed; -1 if they have not. */
  private failedWith = -1;
  /** Errors found by workers whose search was dropped. */
  private foundTogether: readonly FoundError[] = [];

  constructor(search: Dividing, helpers: Helpers) {
    this.search = search;
    this.helpers = helpers;
    this.time = new DivisionTime(helpers, search.forecast);
  }

  /** Whether workers are searching. */
  get isOn(): boolean {
    return this.together !== undefined || this.runsTogether !== undefined;
  }

  /** Whether the workers started over: what the search had found alone is found again. */
  get isAnew(): boolean {
    return this.together?.isAnew === true;
  }

  /** Executions by workers. */
  get executions(): number {
    return (this.together ?? this.runsTogether)?.executions ?? 0;
  }

  private get alarms(): number {
    return this.search.watchers.alarms?.count ?? 0;
  }

  /** Lets workers help, if the search has taken long enough and their results will add up. */
  begin(): void {
    const { search, helpers, time } = this;
    const { exploration, machine, counts } = search;
    if (!search.isDivisible || this.alarms <= this.failedWith) return;
    if (!time.isDue(search.elapsed, counts.executions)) return;
    // The first execution must end before there is anything to divide, and if it is that long, it may take long.
    if (counts.executions === 0 && machine.depth > LONG) return;
    search.pause();
    if (search.numbered !== undefined) return this.beginRuns(search.numbered);
    const { errors, boundedBy } = exploration.result;
    if (this.countsAlarms && this.alarms > 0) return;
    if (errors.length > 0 || !boundedBy.every(isOfTrace) || !machine.processes.areFixed) return;
    const { levels } = search.divisible!.save();
    if (levels.length === 0) return;
    this.leftAlone = levels;
    if (search.dpor === undefined || !haveSmallParts(levels, search.counts.executions)) {
      this.together = helpers.begin(search.work, levels, time.speed);
      return;
    }
    if (!time.isDueAnew(search.elapsed)) return;
    const parts = partsByOrders(search.newMachine, search.mayCommute, search.watched, helpers);
    if (parts.length > 1) this.together = helpers.beginParts!(search.work, parts);
    else this.failedWith = this.alarms;
  }

  private beginRuns({ next, runs, known }: NumberedRuns): void {
    const { exploration, machine, work } = this.search;
    if (exploration.isDone || !machine.processes.areFixed || next === runs) return;
    this.runsTogether = this.helpers.beginRuns?.(work, { from: next, to: runs, known });
  }

  /** Whether the number of alarms matters, and which is the first. */
  private get countsAlarms(): boolean {
    const { watched } = this.search;
    return watched?.statistics === true || watched?.isEnough !== undefined;
  }

  /** Takes what workers have found. True once the search has ended. */
  advance(): boolean {
    const { together, runsTogether } = this;
    if (together !== undefined) return this.advanceTogether(together);
    return runsTogether !== undefined && this.advanceRuns(runsTogether);
  }

  private advanceRuns(together: RunsTogether): boolean {
    const { search } = this;
    if (together.hasFailed || !search.machine.processes.areFixed) {
      this.endRuns(together);
      throw new NotTogether();
    }
    if (this.isEnough(together.errors)) {
      search.cut({ kind: 'first error' });
      return true;
    }
    const isDone = addRuns(search.runsSearch, together);
    if (isDone) this.endRuns(together);
    return isDone;
  }

  private endRuns(together: RunsTogether): void {
    together.stop();
    this.runsTogether = undefined;
    this.foundTogether = together.errors;
  }

  /** Whether any error is as good as the first one, and workers have found one. */
  private isEnough(errors: readonly unknown[]): boolean {
    const { first, keepGoing } = this.search.options;
    return first === true && !keepGoing && errors.length > 0;
  }

  private advanceTogether(together: Together): boolean {
    const { search } = this;
    const { state, results } = together;
    const known = search.watchers.alarms?.save();
    if (this.isEnough(results.flatMap(({ tally }) => tally.errors))) {
      search.cut({ kind: 'first error' });
      return true;
    }
    if (state === 'failed' || !results.every((part) => addsUp(part, known, search.isGraph))) {
      together.stop();
      this.together = undefined;
      this.foundTogether = results.flatMap(({ tally }) => tally.errors);
      this.failedWith = this.alarms;
      return false;
    }
    if (state === 'running') return false;
    this.collect(together);
    search.exploration.finish();
    return true;
  }

  /** Adds what workers have found. */
  private collect({ results, isAnew }: Together): void {
    const { search } = this;
    this.together = undefined;
    const executions = results.reduce((sum, { tally }) => sum + tally.counts.complete + tally.counts.erroneous, 0);
    // A search that started over and was cut may have covered less than what was explored before. Then the latter
    // counts.
    const isLess = isAnew === true && executions < search.counts.executions;
    if (isAnew === true && !isLess) search.renew();
    for (const part of results)
      search.mergeCounts(isLess ? { ...part, tally: { ...NOTHING, errors: part.tally.errors } } : part);
    search.watchers.mergeParts(results);
  }

  /** Ends the workers' search. What they have found so far counts. */
  end(): void {
    const { search, together, runsTogether } = this;
    together?.stop();
    if (runsTogether !== undefined) this.endRuns(runsTogether);
    if (together !== undefined) this.collect(together);
    // An error counts even if there was no time to find it again alone.
    const { exploration } = search;
    if (exploration.result.errors.length === 0) exploration.merge({ ...NOTHING, errors: this.foundTogether });
  }

  /** What was left when the search was divided, and what workers have done since. */
  save(): Required<Pick<SavedSearch, 'left' | 'together'>> | undefined {
    const { together, leftAlone } = this;
    return together === undefined ? undefined : { left: leftAlone, together: together.save() };
  }

  resume(left: readonly SearchLevel[], together: SavedTogether): void {
    this.leftAlone = left;
    this.together = this.helpers.resume(this.search.work, together);
  }

  /** While workers search: a promise that resolves after a moment. */
  wait(): Promise<void> | undefined {
    return this.together?.wait() ?? this.runsTogether?.wait();
  }
}
