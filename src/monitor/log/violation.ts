/** A violation in a log, with places in the source, and its witness. */
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
  /** The two sites and the address, as in the log. */
  readonly eventSite: number;
  readonly writeSite: number;
  readonly address: number;
  /** The numbers in the log, from 1, of the two events of the first such pair. */
  readonly eventNumber: number;
  readonly writeNumber: number;
  /** How often it was seen. */
  count: number;
  /** The witness of the first such pair; or why there is none. */
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
  /** Each event happens before the next, and the last before the first. `relation` is the relation to the next. */
  readonly cycle: readonly (WitnessEvent & { readonly relation: Relation })[];
  /** From w on. A store that stays in its buffer for some time is two steps. */
  readonly execution: readonly (WitnessEvent & { readonly step: WitnessStep })[];
}

export type WitnessStep = 'at once' | 'buffered' | 'reaches memory';
