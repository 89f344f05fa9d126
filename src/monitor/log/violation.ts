/** A violation in a log, with places in the source, and what shows it. */
import type { StoreBufferModel } from '../../models/index.ts';
import type { Relation } from '../../trace/shasha-snir.ts';
import type { MonitorName } from '../monitors.ts';

export interface LoggedViolation {
  readonly monitor: MonitorName;
  readonly model: StoreBufferModel;
  /** The log's number for the thread. */
  readonly thread: number;
  readonly writer: number;
  /** Places in the source, if the log has them. */
  readonly event: string | undefined;
  readonly write: string | undefined;
  /** The name of what is accessed, if known. */
  readonly variable: string | undefined;
  /** As the log has them: the two sites, and the address. */
  readonly eventSite: number;
  readonly writeSite: number;
  readonly address: number;
  /** For the first such pair: the numbers of the two events in the log, from 1. */
  readonly eventNumber: number;
  readonly writeNumber: number;
  /** How often it was seen. */
  count: number;
  /** The first time; or why there is none. */
  readonly witness?: Witness | string;
}

/** An event of the log. */
export interface WitnessEvent {
  /** Its number in the log, from 1. */
  readonly number: number;
  readonly thread: number;
  /** `load`, `store`, `unlock` and so on. */
  readonly operation: string;
  readonly site: number;
  readonly address: number | undefined;
}

export interface Witness {
  /** Each happens before the next, and the last before the first. `relation` is that to the next. */
  readonly cycle: readonly (WitnessEvent & { readonly relation: Relation })[];
  /** From w on: stores that enter their buffer and stay there for some time, and what happens then. */
  readonly execution: readonly (WitnessEvent & { readonly step: WitnessStep })[];
}

export type WitnessStep = 'at once' | 'buffered' | 'reaches memory';
