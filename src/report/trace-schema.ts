/** One execution in a report: its events with their values, its threads, and the values in memory over time. */

/**
 * An integer; a string if a double cannot represent it exactly, or if it is an address (then the name of the location).
 */
export type JsonValue = number | string;

export interface TraceReport {
  readonly schedule: string;
  /** The execution's threads, by name. */
  readonly threads: readonly ThreadReport[];
  readonly events: readonly EventReport[];
  /** The number of events before the first thread is created, if any is: set-up, which text tables fold. */
  readonly setUp?: number;
  /** Heap blocks that the events mention, such as `#1`. */
  readonly blocks: readonly BlockReport[];
  /** Where threads are at the end: the one with the error, or all that wait forever. */
  readonly ends: readonly EndReport[];
  /** Whether SC also allows this execution; absent under SC. */
  readonly sequential?: boolean;
  /** If SC does not allow it: why, as a happens-before cycle and in words. */
  readonly cycle?: readonly CycleEdgeReport[];
  readonly explanation?: readonly string[];
  /** What made the execution possible, unless store buffers alone did. */
  readonly causes?: readonly Cause[];
  /** Happens-before edges other than program order; a buffered store also represents its update. */
  readonly edges?: readonly EdgeReport[];
  /**
   * In pages: the edges of the chronological trace, transitively reduced, with a store and its update as two events.
   * Includes program order.
   */
  readonly chronological?: readonly EdgeReport[];
  /**
   * In pages, under an axiomatic model: happens-before between threads, without edges that follow from others and from
   * program order.
   */
  readonly happensBefore?: readonly EdgeReport[];
  /** The values in memory, over time, of the places that the events access; sorted by address. */
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
  /** In reports of `fix`: load, store, rmw and so on. */
  readonly kind?: string;
}

/** `from` and `to` are indices into `events`, from 0. */
export interface EdgeReport {
  readonly from: number;
  readonly to: number;
  /**
   * source, store order, conflict, synchronisation, create or join; in chronological traces, those of `replay --graph`.
   */
  readonly relation: string;
}

export interface PlaceReport {
  readonly location: string;
  readonly address: string;
  readonly bytes: number;
  /** Sorted by `after`. */
  readonly values: readonly PlaceValue[];
}

export interface PlaceValue {
  /** Number of events after which memory first had the value; may be greater than 0 in the first entry. */
  readonly after: number;
  readonly value: JsonValue;
}

export interface ThreadReport {
  readonly thread: string;
  /** Its start function. */
  readonly function?: string;
  /** Whether it has returned or exited by the end of the execution. */
  readonly ended?: true;
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
  /** If an assertion fails there: the variables it mentions, with their values at that moment. */
  readonly values?: readonly NamedValue[];
  /** The calls that lead there, innermost first, unless the thread is in its start function. */
  readonly stack?: readonly CallReport[];
  /** The address of what it waits for, written as in events. */
  readonly waitsFor?: string;
  /** The thread that holds it, or whose end is awaited. */
  readonly waitsForThread?: string;
}

export interface NamedValue {
  readonly name: string;
  readonly value: JsonValue;
}

export interface BlockReport {
  readonly name: string;
  readonly bytes: number;
  /** On the stack of a thread rather than from `malloc`; otherwise absent. */
  readonly local?: true;
  /** The name of the local variable. */
  readonly variable?: string;
  /** Where it was allocated or declared. */
  readonly file?: string;
  readonly line?: number;
}

export interface CallReport {
  readonly function: string;
  readonly file?: string;
  readonly line?: number;
  /** The text of that line. */
  readonly text?: string;
  /** The function makes one access and does little else, so people look at its caller. */
  readonly wrapper?: true;
}

export interface EventReport {
  readonly event: string;
  readonly thread: string;
  readonly kind: string;
  readonly effect: string;
  readonly file?: string;
  readonly line?: number;
  /** 0 if unknown. */
  readonly column?: number;
  readonly text?: string;
  /** The function that contains the place. */
  readonly function?: string;
  /** If that function was called by another one: the calls, innermost first, with their places. */
  readonly stack?: readonly CallReport[];
  /** What is accessed: `location` as the program names it, `address` as a unique name. */
  readonly location?: string;
  readonly address?: string;
  readonly read?: JsonValue;
  readonly wrote?: JsonValue;
  /** The value in memory that a write overwrote, if the write reached memory. */
  readonly overwrote?: JsonValue;
  /** The store waits in its thread's buffer until the `update` of the same name. */
  readonly buffered?: true;
  /** The value in memory when the store was buffered. */
  readonly memory?: JsonValue;
  /** For a buffered store: how many store–store barriers of its thread it waits behind, if any. */
  readonly barriers?: number;
  /** For a read: the event that wrote the value. Absent for the initial value. */
  readonly from?: string;
  /** The value came from the thread's own store buffer. */
  readonly forwarded?: true;
  /** Newer values of the same place, still in the buffers of other threads at this point. */
  readonly stale?: readonly WaitingStore[];
  /**
   * For a read under an axiomatic model: the writes of the same place, among the events before this one, that are newer
   * in modification order than the one it read.
   */
  readonly newer?: readonly string[];
  /** Set if the value is an old one, as PSLO allows: the newest write to these bytes in memory. */
  readonly missed?: WaitingStore;
  /** The error is a data race between this event and the named one. */
  readonly races?: string;
  /** The memory order, if any. */
  readonly order?: string;
  /** The thread that was created, joined or woken, or that holds the mutex that could not be locked. */
  readonly other?: string;
  /** For a wait on a condition: the address of the mutex that it releases. */
  readonly unlocks?: string;
  /** What the step printed. */
  readonly printed?: string;
  /** Invisible to other threads; text tables omit it. */
  readonly aside?: true;
  /** The buffered stores after this event. */
  readonly buffers: string;
}

export type Cause = 'store buffers' | 'stale loads';

export interface WaitingStore {
  readonly event: string;
  readonly thread: string;
  readonly value: JsonValue;
}
