/** The words of an event of an execution graph, and their values. */

export const NONE = -1;
/** In place of a source: the initial value. */
export const INITIAL = -1;
/** In place of a source: not known at the moment. */
export const UNKNOWN = -2;

// Words of an event.
export const THREAD = 0; // dense number, from 0
export const INDEX = 1; // in its thread, from 1
export const KIND = 2;
export const ORDER = 3;
export const LOCATION = 4; // NONE if it has none
export const SOURCE = 5; // of a read
export const PREVIOUS = 6; // in its thread; for a thread's first event, what created the thread
export const OLDER = 7; // of a write: the one before it in mo
export const NEWER = 8;
export const RANK = 9;
export const SAME = 10; // the event of this location added before it
export const EXTRA = 11; // a further event that it comes after: the end of a joined thread, what woke it
export const RELEASE_FENCE = 12; // the last one in its thread, up to itself
export const PART = 13; // which part of its operation it is, from 0
export const STATUS = 14;
export const CHOICE = 15; // of a choice: which; of an access, unused
export const LOW = 16; // of a write: its value; of a compare-exchange's read: what it expects; of a lifetime: how
export const HIGH = 17;
export const FAILURE = 18; // of a compare-exchange's read: the order if it fails, else NONE
export const SUCCESS = 19; // of a compare-exchange's read: the order if it succeeds
export const OPERATION = 20;
export const LOG = 21; // its place in the schedule, or NONE
export const MATCHES = 22; // of a compare-exchange's read: 1 if the initial value is what it expects
export const ADDRESS = 23;
export const SIZE = 24; // in bytes; negative for an object that threads synchronise on; 0 if it accesses nothing
export const PARTS = 25; // how many events its operation can have
export const FIELDS = 26;

// Kinds.
export const READ = 1;
export const WRITE = 2;
export const FENCE = 3;
export const JOIN = 4;
export const SPAWN = 5;
export const CHOOSE = 6;
/** Memory, or an object in it, begins or ends: conflicts with every access to it. */
export const LIFETIME = 7;
export const OTHER = 8;

// Status.
/** The machine has not run its operation yet. */
export const PENDING = 0;
export const DONE = 1;
/** A read of a value with which its thread cannot continue. */
export const BLOCKED = 2;

// Sizes of objects that threads synchronise on, as in the library. Only writes over them, their beginning and their end
// conflict with their use.
export const MUTEX: number = -20;
/** A condition variable, or the beginning of either. */
export const OBJECT: number = -4;

/** Orders from this code on are atomic. */
export const FIRST_ATOMIC = 2;
