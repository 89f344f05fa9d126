/**
 * monitor/log/: sequentially consistent executions as files, to be monitored later or elsewhere.
 *
 * A log is a sequence of entries: events, and names for the places that they mention. There are two forms
 * (docs/monitor.md): lines of JSON, for people and scripts, and records of 32 bytes, for long runs. `jsonl.ts` and
 * `binary.ts` read and write them; `stream.ts` monitors them in bounded memory; `recorder.ts` makes one from an
 * execution of the machine.
 */
import { PREDICATES } from '../../machine/code/opcodes.ts';
import { EVENT_NAMES } from '../../machine/events/effects.ts';
import * as ev from '../../machine/events/event.ts';
import { ORDERS, type Order } from '../../program/types.ts';

/** The machine's kinds of events that mean nothing to monitors. */
type Omitted = typeof ev.UPDATE_EVENT | typeof ev.CHOOSE_EVENT | typeof ev.EXIT_EVENT | typeof ev.LIFETIME_EVENT;
const OMITTED: Readonly<Record<Omitted, true>> = {
  [ev.UPDATE_EVENT]: true,
  [ev.CHOOSE_EVENT]: true,
  [ev.EXIT_EVENT]: true,
  [ev.LIFETIME_EVENT]: true,
};

/** The operations of a log: the other kinds. */
export type LogOperation = Exclude<ev.EventKind, Omitted>;

const NAMES: readonly (readonly [kind: number, name: string])[] = EVENT_NAMES.map(
  (name, kind) => [kind, name.replace(' ', '-')] as const,
).filter(([kind, name]) => name !== '' && !(kind in OMITTED));

/** By kind. */
export const OPERATION_NAMES: Readonly<Record<number, string>> = Object.fromEntries(NAMES);
/** By name. */
export const OPERATIONS: Readonly<Record<string, number>> = Object.fromEntries(
  NAMES.map(([kind, name]) => [name, kind]),
);

// The `flags` of an entry.
/** An atomic operation wrote; stores and frees always do. */
export const WROTE = 1;
/** A trylock took the mutex; a signal woke `other`. */
export const SUCCEEDED = 2;
/** An atomic operation that ran only when `predicate` held between the four bytes at its address and `value`. */
export const AWAITED = 4;

/** No thread, no site. */
export const NOBODY = 0xffff;

/** One event of a log. Readers may reuse the object for the next event. */
export interface LogEvent {
  operation: number;
  /** Index in `ORDERS` of `program/types.ts`. */
  order: number;
  flags: number;
  predicate: number;
  thread: number;
  /** Spawn, join: the other thread. Signal: the thread that it woke. `NOBODY` if there is none. */
  other: number;
  /** The log's number for the site. */
  site: number;
  size: number;
  /** Up to 2^53. Memory, mutex or condition variable. */
  address: number;
  /** Wait: the mutex. Awaited: the value compared with. Stores of four bytes: the old value. */
  value: number;
}

export interface NumberedEvent {
  /** In the log, from 1. */
  readonly number: number;
  readonly entry: LogEvent;
}

export function emptyEvent(): LogEvent {
  return {
    operation: 0,
    order: 0,
    flags: 0,
    predicate: 0,
    thread: 0,
    other: NOBODY,
    site: 0,
    size: 0,
    address: 0,
    value: 0,
  };
}

/** By operation: the orders that it may have, as bits. */
const POSSIBLE_ORDERS: Int32Array = possibleOrders();

function possibleOrders(): Int32Array {
  const bits = (...orders: Order[]): number => orders.reduce((set, order) => set | (1 << ORDERS.indexOf(order)), 0);
  const possible = new Int32Array(256).fill(bits(...ORDERS));
  possible[ev.LOAD_EVENT] = bits('plain', 'volatile', 'relaxed', 'acquire', 'seq_cst');
  possible[ev.STORE_EVENT] = bits('plain', 'volatile', 'relaxed', 'release', 'seq_cst');
  return possible;
}

/** Addresses are below this, so that numbers are exact. */
const MAX_ADDRESS = 2 ** 53;
/** The number of integer predicates. */
const PREDICATE_COUNT = PREDICATES.indexOf('foeq');
const ALL_FLAGS = WROTE | SUCCEEDED | AWAITED;

/** What is wrong with the event itself, regardless of earlier ones; `undefined` if nothing is. */
export function nonsense(event: LogEvent): string | undefined {
  const { operation, order, flags, thread, other, address, size } = event;
  // Most events need no further check.
  if (
    flags < AWAITED &&
    thread !== NOBODY &&
    thread !== other &&
    operation !== ev.WAIT_EVENT &&
    (POSSIBLE_ORDERS[operation]! & (1 << order)) !== 0 &&
    address + size <= MAX_ADDRESS
  ) {
    return undefined;
  }
  return nonsenseOf(event);
}

function nonsenseOf(event: LogEvent): string | undefined {
  const { operation, order, flags, thread, other, address, size } = event;
  if ((POSSIBLE_ORDERS[operation]! & (1 << order)) === 0) {
    return `is a ${OPERATION_NAMES[operation]} with the invalid order ${ORDERS[order]}`;
  }
  if (thread === other && (operation === ev.SPAWN_EVENT || operation === ev.JOIN_EVENT)) {
    return `is a ${OPERATION_NAMES[operation]} of thread ${thread} by itself`;
  }
  if (thread === NOBODY) return `has no thread: ${NOBODY} means none`;
  if (flags > ALL_FLAGS) return `has unknown flags: ${flags}`;
  if (address + size > MAX_ADDRESS || (operation === ev.WAIT_EVENT && event.value >= MAX_ADDRESS)) {
    return 'accesses memory beyond address 2^53';
  }
  return (flags & AWAITED) === 0 ? undefined : wrongCondition(event);
}

function wrongCondition({ operation, predicate, size }: LogEvent): string | undefined {
  if (operation !== ev.RMW_EVENT || size !== 4) return 'awaits a condition, but is not an rmw of four bytes';
  return predicate >= PREDICATE_COUNT ? `awaits a condition of unknown kind ${predicate}` : undefined;
}

/** A program or library that was loaded. */
export interface LogModule {
  /** The site of its first byte. */
  readonly first: number;
  /** The address at which it was loaded, and the address that the file itself has for that byte. */
  readonly start: number;
  readonly low: number;
  readonly path: string;
}

/** Receives what a reader finds. */
export interface LogListener {
  event(event: LogEvent): void;
  /** Site number `site` is this place of the source: `file.c:12:3`. */
  site(site: number, text: string): void;
  /** The name of the bytes from `address` on. */
  name(address: number, text: string): void;
  /** Code of the recorded process: sites from `first` on are places in it. */
  module?(module: LogModule): void;
}

/** What is wrong with a log, and where. */
export class LogError extends Error {
  override readonly name = 'LogError';
}
