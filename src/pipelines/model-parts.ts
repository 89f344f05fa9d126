/**
 * What the search of a program under one model is given besides its options: watchers, helpers, and what has been
 * learnt about the program.
 */
import type { Monitoring } from '../monitor/monitors.ts';
import type { AlarmOptions, Alarms } from './alarms.ts';
import type { Helpers } from './helpers.ts';
import type { ObservationSet } from './observations.ts';
import type { RaceFreedom } from './race-freedom.ts';

/** Which monitors watch, and in how much detail. */
export type Watched = Omit<AlarmOptions, 'now' | 'order'> &
  Monitoring & {
    readonly statistics?: boolean;
    /** Called at the end of every execution: whether enough has been found. */
    readonly isEnough?: (alarms: Alarms) => boolean;
  };

export interface ModelRunParts {
  /** For SC. */
  readonly freedom?: RaceFreedom;
  readonly observations?: ObservationSet;
  readonly watched?: Watched;
  /** Whether operations that commute may be left unordered; by default they are. */
  readonly commuting?: boolean;
  /** Whether threads may wait before exchanges that fail; by default they may. */
  readonly nested?: boolean;
  /** Whether arrivals at barriers may be merged; by default they are. */
  readonly merging?: boolean;
  /** Workers that can take over parts of a long search. */
  readonly helpers?: Helpers;
}
