/** All watchers of the search of a program under one model, combined into one. They find everything but errors. */
import type { Watcher } from '../explore/watcher.ts';
import type { Machine, Outcome } from '../machine/machine.ts';
import { SC } from '../models/sc.ts';
import { traceKey } from '../trace/trace-key.ts';
import type { Alarms, SavedAlarms } from './alarms.ts';
import type { Coverage } from './coverage.ts';
import type { ModelResult } from './model-result.ts';
import type { RaceFreedom, SavedRaceFreedom } from './race-freedom.ts';
import type { Robustness, SavedRobustness } from './robustness.ts';
import type { Rounds } from './rounds.ts';
import { type SavedLoops, SearchedLoops } from './searched-loops.ts';
import { hasSections } from './strategies.ts';
import type { SavedWarnings, Warnings } from './warnings.ts';

/** What watchers found. The exploration has errors and counts, the machine knows about waits. */
export interface SavedFindings {
  readonly warnings: SavedWarnings;
  readonly loops: SavedLoops;
  readonly alarms?: SavedAlarms;
  readonly robustness?: SavedRobustness;
  readonly freedom?: SavedRaceFreedom;
}

/** Watchers that not every search has. Searches with one of the last three are neither divided like this nor saved. */
interface OptionalWatchers {
  readonly alarms: Alarms | undefined;
  readonly robustness: Robustness | undefined;
  readonly freedom: RaceFreedom | undefined;
  readonly rounds: Rounds | undefined;
  readonly coverage: Coverage | undefined;
  /** With `enumerate`, whose paths merge: the distinct traces, each of which counts as one execution. */
  readonly traces: Set<string> | undefined;
}

export class Watchers implements Watcher<SavedFindings>, OptionalWatchers {
  readonly warnings: Warnings;
  readonly loops: SearchedLoops = new SearchedLoops();
  readonly alarms: Alarms | undefined;
  readonly robustness: Robustness | undefined;
  readonly freedom: RaceFreedom | undefined;
  readonly rounds: Rounds | undefined;
  readonly coverage: Coverage | undefined;
  readonly traces: Set<string> | undefined;
  /** `traces`, and those of blocked executions. */
  private readonly seenTraces = new Set<string>();

  constructor(warnings: Warnings, others: OptionalWatchers) {
    this.warnings = warnings;
    this.alarms = others.alarms;
    this.robustness = others.robustness;
    this.freedom = others.freedom;
    this.rounds = others.rounds;
    this.coverage = others.coverage;
    this.traces = others.traces;
  }

  conclude(machine: Machine, outcome: Outcome): void {
    const { alarms } = this;
    this.warnings.conclude(machine, outcome);
    this.loops.conclude(machine, outcome);
    this.freedom?.conclude(machine);
    if (outcome !== 'limit') alarms?.conclude(machine, outcome);
    this.rounds?.conclude(outcome, alarms?.found.length ?? 0, alarms?.statistics ?? []);
    this.coverage?.conclude(machine);
    if (outcome !== 'limit' && this.isNew(machine, outcome)) this.robustness?.conclude(machine);
  }

  private isNew(machine: Machine, outcome: Outcome): boolean {
    if (this.traces === undefined) return true;
    const key = traceKey(machine);
    if (this.seenTraces.has(key)) return false;
    this.seenTraces.add(key);
    if (outcome !== 'blocked') this.traces.add(key);
    return true;
  }

  save(): SavedFindings {
    const { alarms, freedom, robustness } = this;
    return {
      warnings: this.warnings.save(),
      loops: this.loops.save(),
      ...(alarms === undefined ? {} : { alarms: alarms.save() }),
      ...(robustness === undefined ? {} : { robustness: robustness.save() }),
      ...(freedom === undefined ? {} : { freedom: freedom.save() }),
    };
  }

  merge(part: SavedFindings): void {
    this.mergeButWarnings(part);
    this.warnings.merge(part.warnings);
  }

  /** Merges the parts in their order; warnings do not depend on it. */
  mergeParts(parts: readonly SavedFindings[]): void {
    for (const part of parts) this.mergeButWarnings(part);
    this.warnings.mergeParts(parts.map(({ warnings }) => warnings));
  }

  private mergeButWarnings({ loops, alarms, robustness, freedom }: SavedFindings): void {
    this.loops.merge(loops);
    mergeInto(this.alarms, alarms);
    mergeInto(this.robustness, robustness);
    mergeInto(this.freedom, freedom);
  }

  /** How far strategies that do not cover everything got. */
  get extent(): Pick<ModelResult, 'rounds' | 'coverage'> {
    const coverage = this.coverage?.result;
    return {
      ...(this.rounds === undefined ? {} : { rounds: this.rounds.list }),
      ...(coverage === undefined ? {} : { coverage }),
    };
  }

  /** What the search shows about robustness, if that was requested. */
  robustnessOf({ model, program }: Machine, isCut: boolean): Pick<ModelResult, 'robust' | 'beyondSc' | 'cycle'> {
    const { robustness } = this;
    // A trace does not include that sections exclude each other, so a trace without a cycle proves nothing.
    if (robustness?.cyclic === 0 && hasSections(program)) return { robust: null };
    if (robustness === undefined || robustness.cyclic === 0) {
      return { robust: isCut ? null : true, ...(model === SC.name ? {} : { beyondSc: 0 }) };
    }
    return { robust: false, beyondSc: robustness.cyclic, cycle: robustness.cycle! };
  }
}

/** A part that was not watched must not count as one in which nothing was found. */
function mergeInto<Saved>(watcher: Watcher<Saved> | undefined, saved: Saved | undefined): void {
  if (watcher === undefined) return;
  if (saved === undefined) throw new Error('a part of the search was not watched');
  watcher.merge(saved);
}
