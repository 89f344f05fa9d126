/**
 * Events: what each step produced, as integer records in one pooled array. Event e of an execution is the e-th step;
 * rolling back n steps drops n events. Objects are made only for printing (`describe.ts`).
 *
 * Each kind has its own layout: a word can mean different things, and has a name for each. `effects.ts` says what a kind
 * does; kinds are numbers only so that tables can be indexed by them.
 */
import { allocateWords } from '../../util/memory-limit.ts';
import * as op from '../code/opcodes.ts';

// Words of every event.
export const E_KIND = 0;
export const E_THREAD = 1; // slot of the thread that ran, or whose buffer committed
export const E_INDEX = 2; // k in `0.1#k`, from 1; an update has its store's index
export const E_STEP = 3; // the step that produced it
export const E_SITE = 4;
export const E_FLAGS = 13;

// For accesses to memory, a mutex or a condition variable.
export const E_ADDRESS = 5;
export const E_SIZE = 6;
export const E_ORDER = 14;

// For a load, read-modify-write, compare-exchange or await.
export const E_READ_LOW = 7; // value read
export const E_READ_HIGH = 8;

// For a load.
export const E_OWN_STORE = 11; // forwarded: index of the store that it read
export const E_AS_OF = 12; // from memory: number of writes to memory visible to it

// For a store and an update.
export const E_STORED_LOW = 7; // value written
export const E_STORED_HIGH = 8;

// For a store that reached memory, and for an update.
export const E_OLD_LOW = 9; // value overwritten
export const E_OLD_HIGH = 10;

// For a read-modify-write, compare-exchange or await.
export const E_NEW_LOW = 9; // value written
export const E_NEW_HIGH = 10;
export const E_EXPECTED_LOW = 11; // for a compare-exchange
export const E_EXPECTED_HIGH = 12;
export const E_OPERAND_LOW = 11; // for an unconditional read-modify-write
export const E_OPERAND_HIGH = 12;
export const E_BOUND = 11; // for an await
export const E_PREDICATE = 12;
// Unless it is `PLACED`.
export const E_WAIT = 15; // the order that decided what it waited for; if it failed, perhaps stronger than E_ORDER

// If it is `PLACED`, as under an axiomatic model, where nothing waits.
/**
 * For a store: the number of the write that it directly follows in modification order, counting all writes to memory
 * from 1; for a read-modify-write, the number of the write that it read. 0, or the number of a write elsewhere, stands
 * for the initial value.
 */
export const E_FOLLOWS = 15;

// For events that involve a second thread or object.
export const E_OTHER = 11; // spawn, join, signal: slot of the other thread
export const E_MUTEX = 11; // condition wait: the mutex that it releases

// For events without a value in memory.
export const E_CHOICE = 7; // choose: the value chosen
export const E_STATUS = 7; // exit: the status passed
export const E_LIFETIME = 7; // lifetime: what the bytes become, as index in `LIFETIME_KINDS`

// In a log that is monitored (`monitor/log/`): no step produced its events, and their values are unknown.
export const E_NUMBER = 3; // the number of the event in the log, from 1; one there can be several here
export const E_LOG_THREAD = 8; // the log's number of the thread: slots are reused

/** Words in use. */
export const EVENT_FIELDS = 16;
export const EVENT_WORDS = 16;

// Kinds.
export const LOAD_EVENT = 1;
export const STORE_EVENT = 2;
/** A buffered store reaches memory. */
export const UPDATE_EVENT = 3;
export const RMW_EVENT = 4;
export const FENCE_EVENT = 5;
export const CHOOSE_EVENT = 6;
export const SPAWN_EVENT = 7;
export const JOIN_EVENT = 8;
export const LOCK_EVENT = 9;
export const TRYLOCK_EVENT = 10;
export const UNLOCK_EVENT = 11;
export const WAIT_EVENT = 12;
export const SIGNAL_EVENT = 13;
export const BROADCAST_EVENT = 14;
/** An object ends: a write to every byte of it. */
export const FREE_EVENT = 15;
export const EXIT_EVENT = 16;
export const BEGIN_ATOMIC_EVENT = 17;
export const END_ATOMIC_EVENT = 18;
/** A timed wait ends, because the thread was woken or because it gave up. */
export const WAKE_EVENT = 19;
/** A mutex or condition variable ends. */
export const DESTROY_EVENT = 20;
/** A mutex or condition variable starts. */
export const INIT_EVENT = 21;
/** A block of memory begins, perhaps where others were before. Only in logs: the machine never reuses an address. */
export const ALLOC_EVENT = 22;
/** Bytes become an object or cease to be one; only under an axiomatic model. `E_LIFETIME` says how. */
export const LIFETIME_EVENT = 23;

/**
 * What a kind does is a row of the table in `effects.ts`, and most code asks for bits of it. Code that has something for
 * each kind lists all of them, so that the compiler finds the places for a new one. Equality with a kind is for what only
 * that kind has, such as a load's `E_AS_OF`.
 */
export type EventKind =
  | typeof LOAD_EVENT
  | typeof STORE_EVENT
  | typeof UPDATE_EVENT
  | typeof RMW_EVENT
  | typeof FENCE_EVENT
  | typeof CHOOSE_EVENT
  | typeof SPAWN_EVENT
  | typeof JOIN_EVENT
  | typeof LOCK_EVENT
  | typeof TRYLOCK_EVENT
  | typeof UNLOCK_EVENT
  | typeof WAIT_EVENT
  | typeof SIGNAL_EVENT
  | typeof BROADCAST_EVENT
  | typeof FREE_EVENT
  | typeof EXIT_EVENT
  | typeof BEGIN_ATOMIC_EVENT
  | typeof END_ATOMIC_EVENT
  | typeof WAKE_EVENT
  | typeof DESTROY_EVENT
  | typeof INIT_EVENT
  | typeof ALLOC_EVENT
  | typeof LIFETIME_EVENT;

/** By operation: the kind of its event. */
export const EVENT_OF: Uint8Array = eventKinds([
  [op.LOAD, LOAD_EVENT],
  [op.STORE, STORE_EVENT],
  [op.RMW, RMW_EVENT],
  [op.CMPXCHG, RMW_EVENT],
  [op.AWAIT, RMW_EVENT],
  [op.FENCE, FENCE_EVENT],
  [op.DRAIN, FENCE_EVENT],
  [op.CHOOSE, CHOOSE_EVENT],
  [op.SPAWN, SPAWN_EVENT],
  [op.JOIN, JOIN_EVENT],
  [op.LOCK, LOCK_EVENT],
  [op.TRYLOCK, TRYLOCK_EVENT],
  [op.UNLOCK, UNLOCK_EVENT],
  [op.WAIT, WAIT_EVENT],
  [op.TIMEDWAIT, WAIT_EVENT],
  [op.WAKE, WAKE_EVENT],
  [op.DESTROY, DESTROY_EVENT],
  [op.INIT, INIT_EVENT],
  [op.LIFETIME, LIFETIME_EVENT],
  [op.SIGNAL, SIGNAL_EVENT],
  [op.BROADCAST, BROADCAST_EVENT],
  [op.FREE, FREE_EVENT],
  [op.EXIT, EXIT_EVENT],
  [op.BEGINATOMIC, BEGIN_ATOMIC_EVENT],
  [op.ENDATOMIC, END_ATOMIC_EVENT],
]);

function eventKinds(pairs: readonly (readonly [operation: number, kind: number])[]): Uint8Array {
  const kinds = new Uint8Array(op.OPERATIONS);
  for (const [operation, kind] of pairs) kinds[operation] = kind;
  return kinds;
}

// Flags.
/** Wrote to memory: every update, successful read-modify-writes, and stores where there is no buffer. */
export const WROTE_MEMORY = 1;
/** A load that took its value from its thread's own store buffer. */
export const FORWARDED = 2;
/** A trylock that took the mutex, a signal or broadcast that woke a thread, a timed wait that was woken. */
export const SUCCEEDED = 4;
/** A compare-exchange, rather than an unconditional read-modify-write. */
export const COMPARED = 8;
/** An `await`. */
export const AWAITED = 16;
/** An `await` that runs only when its predicate holds. */
export const BLOCKS = 32;
/** An `await` that writes when its predicate holds. */
export const MODIFIES = 64;
/** In logs: a store that reached memory at once, whatever the model. */
export const AT_ONCE = 128;

/** Under an axiomatic model, a write or read-modify-write: it has `E_FOLLOWS`, and no `E_WAIT`. */
export const PLACED = 1024;

/** A free, or the update that commits one: writes to every byte without changing any. */
export const ENDS_OBJECT = 256;

/** A write to bytes some of whose bits were undefined. */
export const REPLACED_UNDEFINED = 2048;
/** A read-modify-write that wrote a value with undefined bits. */
export const WROTE_UNDEFINED = 4096;

export class EventLog {
  words: Int32Array = new Int32Array(EVENT_WORDS * 64);
  length = 0;

  /** Appends a record with arbitrary contents, and returns its first word's index. */
  extend(): number {
    const at = this.length * EVENT_WORDS;
    if (at + EVENT_WORDS > this.words.length) {
      const larger = allocateWords(this.words.length * 2);
      larger.set(this.words);
      this.words = larger;
    }
    this.length++;
    return at;
  }

  /** Appends a record, zero except for these fields, and returns its first word's index. */
  append(kind: number, thread: number, index: number, step: number, site: number): number {
    const at = this.extend();
    const words = this.words;
    words[at + E_KIND] = kind;
    words[at + E_THREAD] = thread;
    words[at + E_INDEX] = index;
    words[at + E_STEP] = step;
    words[at + E_SITE] = site;
    // Faster than `fill`, which leaves the optimised code.
    words[at + E_ADDRESS] = 0;
    words[at + E_SIZE] = 0;
    words[at + E_READ_LOW] = 0;
    words[at + E_READ_HIGH] = 0;
    words[at + E_NEW_LOW] = 0;
    words[at + E_NEW_HIGH] = 0;
    words[at + E_OTHER] = 0;
    words[at + E_AS_OF] = 0;
    words[at + E_FLAGS] = 0;
    words[at + E_ORDER] = 0;
    words[at + E_WAIT] = 0;
    return at;
  }

  get(event: number, field: number): number {
    return this.words[event * EVENT_WORDS + field]!;
  }

  /** Keeps only these events, given in ascending order, and renumbers them from 0. */
  keep(kept: Int32Array): void {
    const { words } = this;
    for (let to = 0; to < kept.length; to++) {
      words.copyWithin(to * EVENT_WORDS, kept[to]! * EVENT_WORDS, (kept[to]! + 1) * EVENT_WORDS);
    }
    this.length = kept.length;
  }

  truncate(length: number): void {
    this.length = length;
  }
}
