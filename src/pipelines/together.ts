/**
 * A search with workers. It begins alone; what is left after a while is divided among workers ([decision
 * 28](../../docs/decisions/0028-any-order.md)). Their counts add up to those of a single search, but only counts do:
 * which error, alarm or limit comes first depends on the order of exploration. So if a worker meets one of those, all
 * that the workers found is dropped, and the search continues alone from where it was divided. Its results are
 * therefore always the same.
 */
import type { Bound } from '../explore/bound.ts';
import type { SearchLevel } from '../explore/dpor/search-state.ts';
import type { FrontierData } from '../explore/frontier/frontier.ts';
import type { SavedTally } from '../explore/tally.ts';
import type { Model } from '../models/index.ts';
import type { Monitoring } from '../monitor/monitors.ts';
import type { CheckOptions } from '../options/check.ts';
import type { Program } from '../program/ir.ts';
import type { SavedAlarms } from './alarms.ts';
import type { SavedFindings } from './watchers.ts';

/** What a worker needs to know, as plain data. */
export interface SharedWork {
  readonly program: Program;
  readonly model: Model;
  readonly options: CheckOptions;
  /** Whether operations that commute may be left unordered. */
  readonly commuting: boolean;
  /** Whether threads may wait before exchanges that fail. */
  readonly nested: boolean;
  /** Whether arrivals at barriers may be merged. */
  readonly merging: boolean;
  /** The monitors, if any. */
  readonly monitoring?: Monitoring;
  /** Whether executions are examined for races as the language defines them. */
  readonly freedom: boolean;
}

/** What a worker has found: the tally is of one job, the rest of all its jobs so far. */
export interface PartResult extends SavedFindings {
  readonly tally: SavedTally;
  readonly hasWaited: boolean;
}

/** A search as plain data: its state when it last ran alone, and what workers have done since. */
export interface SavedSearch {
  readonly part: PartResult;
  readonly left: readonly SearchLevel[];
  readonly together?: SavedTogether;
  /** Seconds so far. */
  readonly seconds: number;
}

/** The search of a model, and what it has learnt about the program. */
export interface SavedModelRun {
  readonly model: Model;
  readonly search: SavedSearch;
  readonly countsOrders: boolean;
  readonly commuting: boolean;
  readonly nested: boolean;
  readonly merging: boolean;
}

export interface SavedTogether {
  readonly frontier: FrontierData;
  readonly results: readonly PartResult[];
  /** How many jobs have been handed over: if they are small, the search is faster alone. */
  readonly jobs: number;
  /** The workers started over: what the search had found alone is found again. */
  readonly isAnew?: true;
}

export interface Together {
  /** `failed`: a worker met something that only a search alone may find, or could not continue. */
  readonly state: 'running' | 'done' | 'failed';
  /** Results of the jobs, or parts of them, that have been handed over. */
  readonly results: readonly PartResult[];
  /** Executions so far, handed over or not. */
  readonly executions: number;
  /** The workers started over: what the search had found alone is found again. */
  readonly isAnew?: boolean;
  save(): SavedTogether;
  /** Ends all workers. */
  stop(): void;
  /** Resolves after a moment, at the latest when the state changes. */
  wait(): Promise<void>;
}

/** Whether jobs share nothing: what is left of the search is a list of jobs, without nodes above them. */
export function hasListOfJobs({ options }: Pick<SharedWork, 'options'>): boolean {
  return options.strategy === 'retrace';
}

/** Whether the bound depends on the trace alone, and not on the order in which traces are explored. */
export function isOfTrace({ kind }: Bound): boolean {
  return kind === 'unroll';
}

/**
 * Whether a part has found only what adds up. `known`: the alarms that the search had raised before it was divided.
 * Only a search over graphs may abandon executions.
 */
export function addsUp({ tally, alarms }: PartResult, known: SavedAlarms | undefined, isGraph: boolean): boolean {
  if (tally.errors.length > 0 || !tally.bounds.every(isOfTrace)) return false;
  if (tally.counts.abandoned > 0 && !isGraph) return false;
  const monitors = new Set([
    ...(known?.found ?? []).map(([, { monitor }]) => monitor),
    ...(known?.mixed ?? []).map(({ monitor }) => monitor),
  ]);
  const found = [...(alarms?.found ?? []).map(([, one]) => one), ...(alarms?.mixed ?? [])];
  return found.every(({ monitor }) => monitors.has(monitor));
}
