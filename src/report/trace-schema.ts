/** The form of one execution in a report: its events with their values, its threads, and the places in memory over time. */

/** An integer; a string if a double cannot represent it exactly, and for the address of a location (its name). */
export type JsonValue = number | string;

export interface TraceReport {
  readonly schedule: string;
  /** The threads that exist in it, by name. */
  readonly threads: readonly ThreadReport[];
  readonly events: readonly EventReport[];
  /** How many events came before the first one that creates a thread, if any does: set-up, which text tables fold. */
  readonly setUp?: number;
  /** Heap blocks that the events name, as `#1`. */
  readonly blocks: readonly BlockReport[];
  /** Where threads are at the end: the one with the error, or all that wait forever. */
  readonly ends: readonly EndReport[];
  /** Whether SC also allows this execution; absent under SC. */
  readonly sequential?: boolean;
  /** If SC does not: why, as a happens-before cycle, and in words. */
  readonly cycle?: readonly CycleEdgeReport[];
  readonly explanation?: readonly string[];
  /** What made it possible, if not only store buffers. */
  readonly causes?: readonly Cause[];
  /** Happens-before edges other than program order; a buffered store also represents its update. */
  readonly edges?: readonly EdgeReport[];
  /**
   * In pages: the edges of the chronological trace, in which a store and its update are two events, without those that
   * follow from others; program order too.
   */
  readonly chronological?: readonly EdgeReport[];
  /**
   * In pages, under a model that is defined by axioms: happens-before between threads, without what follows from other
   * edges and from program order.
   */
  readonly happensBefore?: readonly EdgeReport[];
  /** The values in memory, over time, of the places that the events access; by address. */
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
  /** source, store order, conflict, synchronisation, create or join; in chronological traces those of `replay --graph`. */
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
  /** Number of events after which memory first had the value; may be greater than 0 in the first entry. */
  readonly after: number;
  readonly value: JsonValue;
}

export interface ThreadReport {
  readonly thread: string;
  /** Its start function. */
  readonly function?: string;
  /** It has returned or exited by the end of the execution. */
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
  /** If an assertion fails there: what it mentions, with the values that it had. */
  readonly values?: readonly NamedValue[];
  /** The calls that lead there, innermost first, if the thread is not in its own function. */
  readonly stack?: readonly CallReport[];
  /** The address of what it waits for, as events have it. */
  readonly waitsFor?: string;
  /** The thread that holds that, or that must end. */
  readonly waitsForThread?: string;
}

export interface NamedValue {
  readonly name: string;
  readonly value: JsonValue;
}

export interface BlockReport {
  readonly name: string;
  readonly bytes: number;
  /** On the stack of a thread, not from `malloc`; absent if not. */
  readonly local?: true;
  /** The name of the local variable. */
  readonly variable?: string;
  /** Where it was allocated, or declared. */
  readonly file?: string;
  readonly line?: number;
}

export interface CallReport {
  readonly function: string;
  readonly file?: string;
  readonly line?: number;
  /** That line of the source. */
  readonly text?: string;
  /** The function does one access and little else: people look at where it is called. */
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
  /** If that was called by another one: the calls, innermost first, each with the place where it is. */
  readonly stack?: readonly CallReport[];
  /** What is accessed, as the program names it; and under a unique name. */
  readonly location?: string;
  readonly address?: string;
  readonly read?: JsonValue;
  readonly wrote?: JsonValue;
  /** The value in memory that a write overwrote, if it reached memory. */
  readonly overwrote?: JsonValue;
  /** The store waits in its thread's buffer until the `update` of the same name. */
  readonly buffered?: true;
  /** The value in memory when the store was buffered. */
  readonly memory?: JsonValue;
  /** How many store–store barriers of its thread a buffered store waits behind, if any. */
  readonly barriers?: number;
  /** For a read: the event that wrote the value. Absent if the value is the initial one. */
  readonly from?: string;
  /** The value came from the thread's own store buffer. */
  readonly forwarded?: true;
  /** Newer values of the same place that were still in the buffers of other threads. */
  readonly stale?: readonly WaitingStore[];
  /**
   * For a read under a model that is defined by axioms: the writes of the same place, by events before this one, that are
   * newer in modification order than the one it read.
   */
  readonly newer?: readonly string[];
  /** The value is an old one, as PSLO allows: the newest write to these bytes in memory. */
  readonly missed?: WaitingStore;
  /** The error is a data race between this event and the one with this name. */
  readonly races?: string;
  /** The memory order, if there is one. */
  readonly order?: string;
  /** The thread that was created, joined or woken; that holds the mutex that could not be locked. */
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
