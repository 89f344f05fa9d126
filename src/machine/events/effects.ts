/**
 * What events of each kind do: one row per kind. Everything that orders, labels or counts events reads this table, so a
 * new kind of event is defined in one place.
 *
 * The rows become typed arrays indexed by kind, and the functions below read them without allocating: happens-before
 * and the monitors call them for every event. Properties of the individual event (whether an exchange wrote, the order
 * of a fence) come from its record, which begins at word `at`.
 *
 * The memory model defines what a wait means (`models/`).
 */
import { ORDERS } from '../../program/types.ts';
import { RELEASES, SEQ_CST } from '../code/order.ts';
import * as ev from './event.ts';

// What an event does, as bits.
/** Reads, or writes, the memory or object at `E_ADDRESS`. Some kinds write only if they succeed: see `accessOf`. */
export const READS = 1;
export const WRITES = 2;
/** Starts an atomic section: conflicts with every access of every other thread. */
export const EXCLUDES_ALL = 4;
/** Accesses `E_SIZE` bytes of memory at `E_ADDRESS`. */
export const BYTES = 8;
/** Accesses the mutex or condition variable at `E_ADDRESS`. */
export const OBJECT = 16;
/** The write goes through the store buffer, where the model has one. */
export const BUFFERED = 32;
/** Not an operation of a thread: one of its stores reaches memory. Has the store's index. */
export const COMMITS = 64;
/** A store–store barrier if its order is `release` or stronger: see `isBarrier`. */
export const BARRIER = 128;
/** Atomic, whatever its order. */
export const ATOMIC = 256;
/** The bytes at `E_ADDRESS` cannot be accessed any more. */
export const FREES = 512;
/** Takes a mutex; releases one (for a condition wait, `E_MUTEX`). */
export const TAKES_MUTEX = 1024;
export const GIVES_UP_MUTEX = 2048;
/** The thread sleeps until it is woken; wakes sleeping threads; ends its own sleep. */
export const SLEEPS = 4096;
export const WAKES = 8192;
export const ENDS_SLEEP = 16384;
/** Creates thread `E_OTHER`; joins it. */
export const CREATES = 32768;
export const JOINS = 65536;
/** May have to wait for other threads, perhaps forever. */
export const WAITS_FOR_OTHERS = 131072;
/** Starts or ends an atomic section. */
export const SECTION = 262144;
/** Continues in one of several ways, which nothing in memory decides. */
export const CHOOSES = 524288;
/** Ends the program. */
export const ENDS_PROGRAM = 1048576;
/** Ordered after the stores that precede the last store–store barrier before it. */
export const STAYS_BEHIND_BARRIER = 2097152;

/** May wait for its thread's own stores: see `waitOf`. */
export const MAY_WAIT = 4194304;
/** The bytes at `E_ADDRESS` are new: their last owner has given them up, along with all its stores to them. */
export const ALLOCATES = 8388608;
/** `E_OTHER` is a thread, or -1. */
export const NAMES_THREAD = 16777216;
/** The bits from this one on, for conditional writes: the flag that an event has if it wrote, one of the lowest seven. */
const WRITES_IF = 25;

// Which of its own thread's stores an event waits for.
export const NO_WAIT = 0;
/** Those to its own bytes, and those before the last store–store barrier; all of them, if the model says so. */
export const WAITS_BEHIND_BARRIER = 1;
/** All of them. */
export const DRAINS = 2;
export const WAIT_KINDS = 3;

// What decides which way an event continues, and whether it writes: `conditional.ts` says what it would have done had
// it come before an earlier event.
/** Nothing that another event could change. */
export const NOTHING = 0;
/** Which threads sleep on its object. */
export const SLEEPERS = 1;
/** Whether a thread holds its mutex. */
export const HOLDER = 2;
/** The value of its bytes. */
export const VALUE = 3;
export type DecidedBy = typeof NOTHING | typeof SLEEPERS | typeof HOLDER | typeof VALUE;

type Row = Decided & {
  readonly name: string;
  readonly does: number;
  /** What it waits for, given the order in `waitField`. */
  readonly waits?: (order: number) => number;
  readonly waitField?: number;
};

/** `writesIf`: the flag of events that wrote; if absent, every event of this kind writes. */
type Decided =
  | { readonly decidedBy: DecidedBy; readonly writesIf?: never }
  | { readonly decidedBy: Exclude<DecidedBy, typeof NOTHING>; readonly writesIf: number };

const ACCESS = READS | WRITES;
const drains = (): number => DRAINS;
const waitsBehindBarrier = (): number => WAITS_BEHIND_BARRIER;

/** What an atomic operation of this order waits for. */
export function atomicWait(order: number): number {
  return RELEASES[order] === 1 ? DRAINS : WAITS_BEHIND_BARRIER;
}

/** What a fence of this order waits for. */
function fenceWait(order: number): number {
  return order === SEQ_CST ? DRAINS : NO_WAIT;
}

const ROWS: Readonly<Record<ev.EventKind, Row>> = {
  [ev.LOAD_EVENT]: { name: 'load', does: READS | BYTES, decidedBy: NOTHING },
  [ev.STORE_EVENT]: { name: 'store', does: WRITES | BYTES | BUFFERED | BARRIER, decidedBy: NOTHING },
  [ev.UPDATE_EVENT]: { name: 'update', does: WRITES | BYTES | COMMITS, decidedBy: NOTHING },
  [ev.RMW_EVENT]: {
    name: 'rmw',
    does: ACCESS | BYTES | ATOMIC,
    decidedBy: VALUE,
    writesIf: ev.WROTE_MEMORY,
    waits: atomicWait,
    waitField: ev.E_WAIT,
  },
  [ev.FENCE_EVENT]: { name: 'fence', does: BARRIER, decidedBy: NOTHING, waits: fenceWait },
  [ev.CHOOSE_EVENT]: { name: 'choose', does: CHOOSES, decidedBy: NOTHING },
  [ev.SPAWN_EVENT]: { name: 'spawn', does: CREATES | NAMES_THREAD, decidedBy: NOTHING, waits: drains },
  [ev.JOIN_EVENT]: { name: 'join', does: JOINS | NAMES_THREAD | WAITS_FOR_OTHERS, decidedBy: NOTHING },
  [ev.LOCK_EVENT]: {
    name: 'lock',
    does: ACCESS | OBJECT | TAKES_MUTEX | WAITS_FOR_OTHERS,
    decidedBy: NOTHING,
    waits: waitsBehindBarrier,
  },
  [ev.TRYLOCK_EVENT]: {
    name: 'trylock',
    does: ACCESS | OBJECT | TAKES_MUTEX,
    decidedBy: HOLDER,
    writesIf: ev.SUCCEEDED,
    waits: waitsBehindBarrier,
  },
  [ev.UNLOCK_EVENT]: { name: 'unlock', does: WRITES | OBJECT | GIVES_UP_MUTEX, decidedBy: NOTHING, waits: drains },
  [ev.WAIT_EVENT]: {
    name: 'wait',
    does: WRITES | OBJECT | GIVES_UP_MUTEX | SLEEPS | WAITS_FOR_OTHERS,
    decidedBy: NOTHING,
    waits: drains,
  },
  [ev.SIGNAL_EVENT]: { name: 'signal', does: ACCESS | OBJECT | WAKES | NAMES_THREAD, decidedBy: SLEEPERS },
  [ev.BROADCAST_EVENT]: { name: 'broadcast', does: ACCESS | OBJECT | WAKES, decidedBy: NOTHING },
  [ev.FREE_EVENT]: { name: 'free', does: WRITES | BYTES | BUFFERED | FREES, decidedBy: NOTHING },
  [ev.EXIT_EVENT]: { name: 'exit', does: ENDS_PROGRAM, decidedBy: NOTHING },
  [ev.BEGIN_ATOMIC_EVENT]: { name: 'begin atomic', does: EXCLUDES_ALL | SECTION, decidedBy: NOTHING, waits: drains },
  [ev.END_ATOMIC_EVENT]: { name: 'end atomic', does: SECTION, decidedBy: NOTHING, waits: drains },
  [ev.WAKE_EVENT]: { name: 'wake', does: ACCESS | OBJECT | ENDS_SLEEP, decidedBy: NOTHING },
  [ev.DESTROY_EVENT]: { name: 'destroy', does: ACCESS | OBJECT, decidedBy: NOTHING },
  [ev.INIT_EVENT]: { name: 'init', does: ACCESS | OBJECT, decidedBy: NOTHING },
  [ev.ALLOC_EVENT]: { name: 'alloc', does: WRITES | BYTES | ALLOCATES, decidedBy: NOTHING },
  [ev.LIFETIME_EVENT]: { name: 'lifetime', does: 0, decidedBy: NOTHING },
};

/** Kinds start at 1. */
const KINDS = Object.keys(ROWS).length + 1;
/** A power of two, at least the number of orders. */
const ORDER_BITS = 3;

/** By kind. */
export const EFFECTS: Int32Array = new Int32Array(KINDS);
export const EVENT_NAMES: string[] = new Array<string>(KINDS).fill('');
/** By kind: the words with the value that a write to memory replaced. */
export const OVERWRITTEN_LOW: Uint8Array = new Uint8Array(KINDS).fill(ev.E_OLD_LOW);
export const OVERWRITTEN_HIGH: Uint8Array = new Uint8Array(KINDS).fill(ev.E_OLD_HIGH);
/** By kind: the words with the value that it writes. */
export const WRITTEN_LOW: Uint8Array = new Uint8Array(KINDS).fill(ev.E_STORED_LOW);
export const WRITTEN_HIGH: Uint8Array = new Uint8Array(KINDS).fill(ev.E_STORED_HIGH);
/** By kind: a `DecidedBy`. */
export const DECIDED_BY: Uint8Array = new Uint8Array(KINDS);
const WAIT_FIELD = new Uint8Array(KINDS).fill(ev.E_ORDER);
/** By kind and order. */
const WAITS = new Uint8Array(KINDS << ORDER_BITS);

for (const [key, { name, does, decidedBy, writesIf = 0, waits, waitField = ev.E_ORDER }] of Object.entries(ROWS)) {
  const kind = Number(key);
  EVENT_NAMES[kind] = name;
  DECIDED_BY[kind] = decidedBy;
  WAIT_FIELD[kind] = waitField;
  ORDERS.forEach((_, order) => {
    WAITS[(kind << ORDER_BITS) | order] = waits?.(order) ?? NO_WAIT;
  });
  const staysBehind = (does & BUFFERED) !== 0 || ORDERS.some((_, order) => waits?.(order) === WAITS_BEHIND_BARRIER);
  const mayWait = waits === undefined ? 0 : MAY_WAIT;
  if (does >>> WRITES_IF !== 0) throw new Error(`what ${name} does reaches into the bits of its flag`);
  if ((writesIf << WRITES_IF) >>> WRITES_IF !== writesIf) throw new Error(`no room for the flag of ${name}`);
  EFFECTS[kind] = does | mayWait | (staysBehind ? STAYS_BEHIND_BARRIER : 0) | (writesIf << WRITES_IF);
  // An event that reads and writes memory has read the value that it replaces.
  if ((does & BYTES) !== 0 && (does & ACCESS) === ACCESS) {
    OVERWRITTEN_LOW[kind] = ev.E_READ_LOW;
    OVERWRITTEN_HIGH[kind] = ev.E_READ_HIGH;
    WRITTEN_LOW[kind] = ev.E_NEW_LOW;
    WRITTEN_HIGH[kind] = ev.E_NEW_HIGH;
  }
}

/** How the event accesses its address: `READS`, `WRITES`, both or neither; or `EXCLUDES_ALL`. */
export function accessOf(words: Int32Array, at: number): number {
  return accessBy(EFFECTS[words[at + ev.E_KIND]!]!, words[at + ev.E_FLAGS]!);
}

/** The same, for an event with these effects and flags. */
export function accessBy(does: number, flags: number): number {
  const needed = does >>> WRITES_IF;
  return does & (needed === 0 || (flags & needed) !== 0 ? READS | WRITES | EXCLUDES_ALL : READS);
}

/** What the event waited for. Does not include a join's wait for another thread's buffer. */
export function waitOf(words: Int32Array, at: number): number {
  // It has `E_FOLLOWS` in place of `E_WAIT`: under an axiomatic model there are no buffers to wait for.
  if ((words[at + ev.E_FLAGS]! & ev.PLACED) !== 0) return NO_WAIT;
  const kind = words[at + ev.E_KIND]!;
  return WAITS[(kind << ORDER_BITS) | words[at + WAIT_FIELD[kind]!]!]!;
}

/** Whether the event is a store–store barrier, before itself (a store) or at its own place (a fence). */
export function isBarrier(words: Int32Array, at: number): boolean {
  return (EFFECTS[words[at + ev.E_KIND]!]! & BARRIER) !== 0 && RELEASES[words[at + ev.E_ORDER]!] === 1;
}

/** The effects of an event of a log, by its kind alone. */
export function effectsOf(events: ev.EventLog, event: number): number {
  return EFFECTS[events.words[event * ev.EVENT_WORDS + ev.E_KIND]!]!;
}

/** Whether the event is an update, not an operation of its thread. */
export function isUpdate(events: ev.EventLog, event: number): boolean {
  return (effectsOf(events, event) & COMMITS) !== 0;
}

/** Whether a thread reads or writes a value: a load, a store or a read-modify-write. */
export function accessesValue(events: ev.EventLog, event: number): boolean {
  return (effectsOf(events, event) & (BYTES | COMMITS | FREES)) === BYTES;
}

/** What reports call an access: anything but a plain read, a plain write or a free is `atomic`. */
export type AccessKind = 'read' | 'write' | 'free' | 'atomic';

export function accessKind(events: ev.EventLog, event: number): AccessKind {
  const does = effectsOf(events, event);
  if ((does & FREES) !== 0) return 'free';
  if ((does & BYTES) === 0 || (does & ACCESS) === ACCESS) return 'atomic';
  return (does & READS) !== 0 ? 'read' : 'write';
}

/**
 * Whether a thread's event is more than a pure read. A read-modify-write that stores back the value it read is a pure
 * read, unless some bits of either value are undefined. A join is not one: the same thread cannot be joined again.
 */
export function isWrite(events: ev.EventLog, event: number): boolean {
  const { words } = events;
  const at = event * ev.EVENT_WORDS;
  const does = EFFECTS[words[at + ev.E_KIND]!]!;
  if ((accessOf(words, at) & WRITES) === 0) return (does & (CREATES | JOINS | CHOOSES | ENDS_PROGRAM)) !== 0;
  if ((does & (READS | BYTES)) !== (READS | BYTES)) return true;
  if ((words[at + ev.E_FLAGS]! & (ev.REPLACED_UNDEFINED | ev.WROTE_UNDEFINED)) !== 0) return true;
  return (
    words[at + ev.E_READ_LOW] !== words[at + ev.E_NEW_LOW] || words[at + ev.E_READ_HIGH] !== words[at + ev.E_NEW_HIGH]
  );
}

/** Whether the event is a compare-exchange that found another value and wrote nothing. */
export function isFailedExchange(events: ev.EventLog, event: number): boolean {
  if (events.get(event, ev.E_KIND) !== ev.RMW_EVENT) return false;
  return (events.get(event, ev.E_FLAGS) & (ev.COMPARED | ev.WROTE_MEMORY)) === ev.COMPARED;
}

/** Whether both events access exactly the same bytes. */
export function isSameBytes(events: ev.EventLog, one: number, other: number): boolean {
  return (
    events.get(one, ev.E_ADDRESS) === events.get(other, ev.E_ADDRESS) &&
    events.get(one, ev.E_SIZE) === events.get(other, ev.E_SIZE)
  );
}
