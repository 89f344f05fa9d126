/** The form of one execution in a report: its events with their values, its threads, and the places in memory over time. */

/** An integer; a string for one that does not fit a double exactly, and for the address of a location (its name). */
export type JsonValue = number | string;

export interface TraceReport {
  readonly schedule: string;
  /** The threads that exist in it, by name. */
  readonly threads: readonly ThreadReport[];
  readonly events: readonly EventReport[];
  /** Blocks of the heap that the events name, as `#1`. */
  readonly blocks: readonly BlockReport[];
  /** Where threads stand at the end: the one with the error, or all that wait forever. */
  readonly ends: readonly EndReport[];
  /** Whether SC has this execution too; absent under SC. */
  readonly sequential?: boolean;
  /** If SC has not: why, as a cycle of what comes before what, and in words. */
  readonly cycle?: readonly CycleEdgeReport[];
  readonly explanation?: readonly string[];
  /** What comes before what, apart from program order; a buffered store stands for its update too. */
  readonly edges?: readonly EdgeReport[];
  /** What memory has, over time, in the places that the events access; by address. */
  readonly places?: readonly PlaceReport[];
  /** What the program printed. */
  readonly output: string;
}

export interface CycleEdgeReport {
  readonly from: EventPlace;
  readonly relation: string;
  readonly to: EventPlace;
}

export interface EventPlace {
  readonly event: string;
  readonly thread: string;
  readonly effect: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  /** load, store, rmw and so on; in reports of `fix`. */
  readonly kind?: string;
}

/** `from` and `to` are places in `events`, from 0. */
export interface EdgeReport {
  readonly from: number;
  readonly to: number;
  /** source, store order, conflict, synchronisation, create or join. */
  readonly relation: string;
}

export interface PlaceReport {
  readonly location: string;
  readonly address: string;
  readonly bytes: number;
  /** Ascending by `after`. */
  readonly values: readonly PlaceValue[];
}

export interface PlaceValue {
  /** So many events had happened when memory had the value first; the first entry may be later than 0. */
  readonly after: number;
  readonly value: JsonValue;
}

export interface ThreadReport {
  readonly thread: string;
  /** What it started with. */
  readonly function?: string;
  /** Where it was created. */
  readonly file?: string;
  readonly line?: number;
}

export interface EndReport {
  readonly thread: string;
  /** What is wrong there. */
  readonly what: string;
  readonly file?: string;
  readonly line?: number;
  readonly text?: string;
}

export interface BlockReport {
  readonly name: string;
  readonly bytes: number;
  /** It is on the stack of a thread, not from `malloc`; absent if not. */
  readonly local?: true;
  /** The name of the local variable. */
  readonly variable?: string;
  /** Where it was allocated, or declared. */
  readonly file?: string;
  readonly line?: number;
}

export interface EventReport {
  readonly event: string;
  readonly thread: string;
  readonly kind: string;
  readonly effect: string;
  readonly file?: string;
  readonly line?: number;
  /** 0 where it is not known. */
  readonly column?: number;
  readonly text?: string;
  /** The function that the place is in. */
  readonly function?: string;
  /** What is accessed, as the program calls it; and under a name that no other place has. */
  readonly location?: string;
  readonly address?: string;
  readonly read?: JsonValue;
  readonly wrote?: JsonValue;
  /** The value in memory that a write which reached memory took the place of. */
  readonly overwrote?: JsonValue;
  /** The store waits in its thread's buffer, until the `update` of the same name. */
  readonly buffered?: true;
  /** What memory had there when the store was buffered. */
  readonly memory?: JsonValue;
  /** How many store–store barriers of its thread a buffered store waits behind, if any. */
  readonly barriers?: number;
  /** Of a read: the event that wrote the value. Absent if none did: the value was there from the start. */
  readonly from?: string;
  /** The value came out of the own store buffer. */
  readonly forwarded?: true;
  /** Newer values of what was read that still waited in the buffers of other threads. */
  readonly stale?: readonly WaitingStore[];
  /** The error is a data race, of this event with the one of this name. */
  readonly races?: string;
  /** The memory order, if there is one. */
  readonly order?: string;
  /** The thread that was created, joined or woken. */
  readonly other?: string;
  /** Of a wait on a condition: the address of the mutex that it gives up. */
  readonly unlocks?: string;
  /** What the step printed. */
  readonly printed?: string;
  /** No other thread could notice it; the table for people leaves it out. */
  readonly aside?: true;
  /** The stores that wait after this event. */
  readonly buffers: string;
}

export interface WaitingStore {
  readonly event: string;
  readonly thread: string;
  readonly value: JsonValue;
}
