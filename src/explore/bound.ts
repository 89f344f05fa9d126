/**
 * What kept a search from covering everything, as data. Decisions depend on the kind alone; the words here are for
 * reports.
 */
import type { UnmodelledCall } from '../machine/code/error.ts';
import { type Location, printLocation } from '../program/location.ts';

export type Bound =
  /** A limit on executions, steps per execution, iterations of a loop and so on. */
  | {
      readonly kind: 'executions' | 'preemptions' | 'delays' | 'random runs' | 'states' | 'serial states' | 'cycles';
      readonly limit: number;
    }
  /** A thread has iterated the loop at `place` this many times, or would do so forever. */
  | { readonly kind: 'unroll'; readonly limit: number; readonly place: Location | undefined }
  | { readonly kind: 'steps'; readonly limit: number; readonly forLackOfMemory: boolean }
  /** Threads that wait may let each other go on; that was examined in this many states. */
  | { readonly kind: 'states of waiting threads'; readonly limit: number }
  /** A limit on the states that a search remembers, in megabytes. */
  | { readonly kind: 'state memory'; readonly limit: number }
  /** An execution of this many steps filled the memory. */
  | { readonly kind: 'memory'; readonly steps: number }
  /**
   * The machine ran out of room, or met something that it does not model. `endless`: the place of a loop in which a
   * thread took as many local steps as are allowed.
   */
  | { readonly kind: 'machine'; readonly what: string; readonly endless?: Location }
  /** Arbitrary numbers were taken from this range only. */
  | { readonly kind: 'nondet'; readonly range: string }
  /** A thread stopped at a call of an undefined function, or at something else that is not modelled. */
  | ({ readonly kind: 'unmodelled call' } & Pick<UnmodelledCall, 'reason' | 'place'>)
  /** An error ended the search, which was to stop at the first one. */
  | { readonly kind: 'first error' }
  /** Monitors have raised an alarm for each model, and the search was to stop then. */
  | { readonly kind: 'first alarm' }
  /** The program already fails under SC, which says nothing about the model. */
  | { readonly kind: 'fails under sc' }
  /** The search only follows given steps, or makes a single trial. */
  | { readonly kind: 'one schedule' | 'one trial' }
  | Stop
  /** The search for serial executions was bounded. */
  | { readonly kind: 'serial'; readonly bounds: readonly Bound[] }
  /** Every execution was blocked, so nothing is known about how the program ends. */
  | { readonly kind: 'vacuous' }
  /** A litmus test went wrong in a way that its author did not ask about. */
  | { readonly kind: 'fault'; readonly what: string }
  /** Limits of a monitor. */
  | { readonly kind: 'overlapping sizes'; readonly place: Location | undefined }
  | {
      readonly kind: 'unshown alarm';
      readonly monitor: string;
      readonly event: Location | undefined;
      readonly write: Location | undefined;
    }
  | { readonly kind: 'sober' | 'atomic sections' | 'membarrier' | 'initialisation' }
  /** Something that execution graphs do not model. */
  | { readonly kind: 'unmodelled'; readonly what: string; readonly places: readonly Location[] }
  /** How much a hunt has tried; a hunt is never exhaustive. */
  | { readonly kind: 'sc runs' | 'trials'; readonly count: number }
  /** A log holds one execution; if memory ran out, only its first events were examined. */
  | { readonly kind: 'one recorded execution' }
  | { readonly kind: 'log'; readonly events: number };

/** Stopped from outside, for this reason: a timeout, Ctrl-C. */
export interface Stop {
  readonly kind: 'stopped';
  readonly why: string;
  /** The time that was given, in seconds, if it is used up. */
  readonly timeout?: number;
}

export function stoppedFor(why: string): Stop {
  return { kind: 'stopped', why };
}

export const INTERRUPTED: Stop = stoppedFor('interrupted');

/** `share`: how much of the time, if only a part of it was given. */
export function outOfTime(timeout: number, share: number = timeout): Stop {
  const part = share === timeout ? '' : `${Number(share.toPrecision(2))} of `;
  return { kind: 'stopped', why: `time: ${part}${timeout} s`, timeout };
}

export function printBound(bound: Bound): string {
  switch (bound.kind) {
    case 'executions':
    case 'preemptions':
    case 'delays':
    case 'random runs':
    case 'states':
      return `${bound.kind}: ${bound.limit}`;
    case 'unroll':
      return `unroll: ${bound.limit}${bound.place === undefined ? '' : `, the loop at ${printLocation(bound.place)}`}`;
    case 'serial states':
      return `states of serial executions: ${bound.limit}`;
    case 'states of waiting threads':
      return `states of waiting threads: ${bound.limit}, to find out whether they let each other go on`;
    case 'cycles':
      return `cycles: ${bound.limit} (--max-cycles)`;
    case 'steps':
      return `steps per execution: ${bound.limit}${bound.forLackOfMemory ? ', out of memory' : ''}`;
    case 'state memory':
      return `memory for states: ${bound.limit} MB`;
    case 'memory':
      return `memory: an execution of ${bound.steps} steps`;
    case 'machine':
      return `machine: ${bound.what}`;
    case 'nondet':
      return `arbitrary numbers: ${bound.range} (--nondet)`;
    case 'unmodelled call':
      return `${bound.place === undefined ? '' : `${printLocation(bound.place)}: `}${bound.reason}`;
    case 'first error':
    case 'first alarm':
    case 'fails under sc':
    case 'one schedule':
    case 'one trial':
    case 'one recorded execution':
      return bound.kind;
    case 'stopped':
      return bound.why;
    case 'serial':
      return `serial executions: ${bound.bounds.map(printBound).join(', ')}`;
    case 'vacuous':
      return 'vacuous: no execution ran to its end';
    case 'fault':
      return bound.what;
    case 'overlapping sizes':
      return `monitor: accesses of different sizes overlap${bound.place === undefined ? '' : ` at ${printLocation(bound.place)}`}, which only check covers`;
    case 'unshown alarm':
      return `unconfirmed alarm of ${bound.monitor}: ${nameOf(bound.event)} before ${nameOf(bound.write)}`;
    case 'sober':
      return 'monitor: sober misses some violations';
    case 'atomic sections':
      return 'monitor: atomic sections are not supported; use check';
    case 'membarrier':
      return 'monitor: membarrier is not supported; use check';
    case 'initialisation':
      return 'monitor: a mutex or condition variable is initialised while the program runs, which only check covers';
    case 'unmodelled':
      return `not modelled: ${bound.what}${bound.places.length === 0 ? '' : ` (${bound.places.map(printLocation).join(' and ')})`}`;
    case 'sc runs':
      return `${bound.count} SC runs`;
    case 'trials':
      return `${bound.count} trials`;
    case 'log':
      return `memory: the log was not examined from event ${bound.events} on`;
  }
}

function nameOf(place: Location | undefined): string {
  return place === undefined ? 'unknown' : printLocation(place);
}

/** The first call that was not modelled, if there was one. */
export function unmodelledCallAmong(bounds: readonly Bound[]): Pick<UnmodelledCall, 'reason' | 'place'> | undefined {
  for (const bound of bounds) {
    if (bound.kind === 'unmodelled call') return bound;
    const call = bound.kind === 'serial' ? unmodelledCallAmong(bound.bounds) : undefined;
    if (call !== undefined) return call;
  }
  return undefined;
}

/** What tells more about a bound or a place, but not which one it is. */
const ASIDES: readonly string[] = ['endless', 'timeout', 'text', 'variable', 'pointee'];

/** Whether two bounds, or parts of them, are one: of the same kind, with the same limit, at the same place. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other || !isData(one) || !isData(other)) return one === other;
  // Executions meet bounds again and again, so this creates no lists of names.
  for (const name in one) if (!isSame(one[name], other[name]) && !ASIDES.includes(name)) return false;
  for (const name in other) if (!isSame(one[name], other[name]) && !ASIDES.includes(name)) return false;
  return true;
}

function isData(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** Distinct bounds, in the order in which they were met. */
export class Bounds {
  private readonly bounds: Bound[] = [];

  add(...bounds: readonly Bound[]): void {
    for (const bound of bounds) {
      if (!this.bounds.some((known) => isSame(known, bound))) this.bounds.push(bound);
    }
  }

  get list(): readonly Bound[] {
    return [...this.bounds];
  }

  get size(): number {
    return this.bounds.length;
  }

  save(): readonly Bound[] {
    return this.list;
  }

  merge(other: readonly Bound[]): void {
    this.add(...other);
  }
}
