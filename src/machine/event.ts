/**
 * Events: what each step produced, as integer records in one pooled array. Event e of an execution is the e-th step;
 * going back n steps drops n events. Objects are made only for printing (`describe.ts`).
 */
export const E_KIND = 0;
export const E_THREAD = 1; // slot of the thread that ran, or whose buffer committed
export const E_INDEX = 2; // k in `0.1#k`, from 1; an update has its store's index
export const E_STEP = 3; // the step that produced it
export const E_SITE = 4;
export const E_ADDRESS = 5; // memory location, mutex or condition variable
export const E_SIZE = 6;
export const E_LOW = 7; // value read; for stores and updates the value written
export const E_HIGH = 8;
export const E_NEW_LOW = 9; // value written by a read-modify-write
export const E_NEW_HIGH = 10;
export const E_OTHER = 11; // forwarded load: index of the own store; spawn, join, signal: slot of the other thread
export const E_AS_OF = 12; // load from memory: number of writes to memory that it could see
export const E_FLAGS = 13;
export const E_ORDER = 14;
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

export const EVENT_NAMES: readonly string[] = [
  '',
  'load',
  'store',
  'update',
  'rmw',
  'fence',
  'choose',
  'spawn',
  'join',
  'lock',
  'trylock',
  'unlock',
  'wait',
  'signal',
  'broadcast',
  'free',
  'exit',
  'begin atomic',
  'end atomic',
  'wake',
  'destroy',
];

// Flags.
/** Wrote to memory: every update, successful read-modify-writes, and stores where there is no buffer. */
export const WROTE_MEMORY = 1;
/** A load that took its value from the own store buffer. */
export const FORWARDED = 2;
/** A trylock or signal that achieved something; a timed wait that was woken. */
export const SUCCEEDED = 4;
/** A compare-exchange, rather than an unconditional read-modify-write. */
export const COMPARED = 8;

export class EventLog {
  words: Int32Array = new Int32Array(EVENT_WORDS * 64);
  length = 0;

  /** Appends a zeroed record and returns its first word's index. */
  append(kind: number, thread: number, index: number, step: number, site: number): number {
    const at = this.length * EVENT_WORDS;
    if (at + EVENT_WORDS > this.words.length) {
      const larger = new Int32Array(this.words.length * 2);
      larger.set(this.words);
      this.words = larger;
    }
    const words = this.words;
    words.fill(0, at, at + EVENT_WORDS);
    words[at + E_KIND] = kind;
    words[at + E_THREAD] = thread;
    words[at + E_INDEX] = index;
    words[at + E_STEP] = step;
    words[at + E_SITE] = site;
    this.length++;
    return at;
  }

  get(event: number, field: number): number {
    return this.words[event * EVENT_WORDS + field]!;
  }

  truncate(length: number): void {
    this.length = length;
  }
}
