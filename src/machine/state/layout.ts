/**
 * Where everything is in the one buffer that holds a machine's state.
 *
 *   bytes 0 … 1023       header words; no program object is here, so a null pointer plus a small offset is caught
 *   globals, stacks      the program's own memory; a C address is a byte offset into the buffer
 *   control regions      thread words, synchronisation objects, store-buffer entries, commit log, frames, objects
 *
 * Global addresses depend on the program alone, never on the limits, so code can hold them as constants.
 */
import type { Program } from '../../program/ir.ts';
import { hasUndefined } from '../../program/undefined.ts';

export const MEMORY_BASE = 1024;
/** Objects start on a granule; the header of the next one keeps them apart, so that an overrun is caught. */
export const GRANULE_SHIFT = 3;
export const GRANULE: number = 1 << GRANULE_SHIFT;

// Header words.
export const H_ERROR = 0; // error code, 0 = none
export const H_ERROR_THREAD = 1;
export const H_ERROR_SITE = 2;
export const H_ERROR_DETAIL = 3;
export const H_LIMIT = 4; // limit code, 0 = none
export const H_COMMITS = 5; // writes to memory so far
export const H_WAITING = 6; // stores in buffers
export const H_NODE_NEXT = 7; // store-buffer entries ever used
export const H_EXITED = 8; // 1 once the program has called exit
export const H_ATOMIC = 9; // slot + 1 of the thread in an atomic section
export const H_MAIN_LEFT = 10; // 1 if main ended only its own thread, not the process
export const H_ERROR_ORIGIN = 11; // use of an uninitialised value: the site that read it
export const H_UNDEFINED_GLOBALS = 12; // granules of globals with undefined bits

// Thread words.
export const T_STATUS = 0;
export const T_PC = 1;
export const T_FRAME = 2; // word index of the current frame
export const T_TOP = 3; // first free word above it
export const T_EVENTS = 4; // events this thread has produced
export const T_CHILDREN = 5; // threads it has created
export const T_HEAD = 6; // oldest entry of its store buffer, 0 = empty
export const T_TAIL = 7;
export const T_EPOCH = 8; // store–store barriers executed
export const T_FLOOR = 9; // commits before this number can no longer be passed by a stale load (PSLO)
export const T_STACK = 10; // next free byte of its stack memory
export const T_HEAP = 11; // next free byte of its heap
export const T_WAIT = 12; // condition variable it waits on, 0 once it has been woken
export const T_RESULT = 13; // what it returned: low, high
export const T_FREES = 15; // frees waiting in its buffer
export const T_FLAGS = 16; // JOINED, DETACHED
export const T_UNDEFINED = 17; // how many words of its registers, and stores in its buffer, have undefined bits
export const T_WRITES = 18; // its operations that were not pure reads; counted only for spin loops and `progress`
export const T_WAKES = 19; // how many of T_WRITES were not operations: wake-ups from a loop
/** Twice how many of T_WRITES changed its private memory; odd while it does so, which brackets the change in the journal. */
export const T_POKES = 20;
export const T_UNDONE = 21; // how many of T_WRITES, in rounds of a loop, have undone each other
export const THREAD_WORDS = 22;

// Thread flags.
export const JOINED = 1;
export const DETACHED = 2;

// Thread status.
export const ABSENT = 0;
export const RUNNABLE = 1; // at a visible operation
export const FINISHED = 2;
export const WAITING = 3; // on a condition variable
export const ASSUME_BLOCKED = 4;
export const SPINNING = 5; // would repeat an iteration that changed nothing
export const BOUND_BLOCKED = 6; // has reached the iteration bound of a loop
export const FAILED = 7; // has made an error while the others go on: see `Machine.pardon`
export const UNMODELLED = 8; // has reached something that we do not model: what it does next is unknown
export const STATUSES = 9;

// Words of a store-buffer entry.
export const N_NEXT = 0;
export const N_ADDRESS = 1;
export const N_SIZE = 2;
export const N_LOW = 3;
export const N_HIGH = 4;
export const N_EPOCH = 5;
export const N_STORE = 6; // index of the store event within its thread
export const N_SITE = 7;
export const N_FREES = 8; // 1 if it frees the object at N_ADDRESS instead of storing
export const N_PROCESS = 9; // the buffer that commits it
export const N_BEHIND = 10; // older entries of its thread that share a byte with it
export const N_UNDEFINED_LOW = 11; // which bits of its value are undefined
export const N_UNDEFINED_HIGH = 12;
export const NODE_WORDS = 13;

// Words of a commit-log entry (PSLO only).
export const C_ADDRESS = 0;
export const C_SIZE = 1;
export const C_OLD_LOW = 2; // the value it overwrote
export const C_OLD_HIGH = 3;
export const C_UNDEFINED_LOW = 4; // which bits of the old value are undefined
export const C_UNDEFINED_HIGH = 5;
export const C_SEEN = 6; // one bit per thread that wrote or read this entry: `Layout.seenWords`

// Words before every object, out of reach of any access: what it is, where it came from and where it ended.
export const O_SIZE = 0;
export const O_STATUS = 1;
export const O_SITE = 2; // where it was allocated, -1 = a global
export const O_END_SITE = 3; // where it was freed or went out of scope
export const OBJECT_HEADER = 16; // bytes

// Object status.
export const READ_ONLY = 0; // a global
export const ALIVE_GLOBAL = 1;
export const ALIVE_STACK = 2;
export const ALIVE_HEAP = 3;
export const ALIVE_KEPT = 4; // our library's, forever
export const FREED = 5;
export const OUT_OF_SCOPE_STATUS = 6;

/**
 * A stack of this size is as large as a real one: filling it is a stack overflow. 8 MB is what Linux gives a thread.
 */
export const WHOLE_STACK_BYTES = 8_000_000;
/** A recursion without an end fills these before other limits, of steps and heap bytes, hide the error. */
export const WHOLE_FRAME_WORDS = 150_000;

/**
 * What the machine has room for. Running out of one of these is reported as `inconclusive`, never a wrong answer; only
 * a whole stack that is full is an error.
 */
export interface Limits {
  readonly threads: number;
  /** Words of register frames per thread: how deep calls may nest. */
  readonly frameWords: number;
  /** Bytes of stack memory per thread, for local variables in memory. */
  readonly stackBytes: number;
  /** Bytes per thread for everything it ever allocates: addresses are not reused. */
  readonly heapBytes: number;
  readonly syncObjects: number;
  /** Stores waiting in all store buffers together. */
  readonly bufferEntries: number;
  /** Writes to memory per execution, kept for stale reads under PSLO. */
  readonly commits: number;
  /** Instructions between two visible operations of a thread. */
  readonly localSteps: number;
}

function alignUp(value: number, align: number): number {
  return Math.ceil(value / align) * align;
}

interface GlobalPlaces {
  /** Address of each global; for a thread-local one, its offset in every thread's block. */
  readonly addresses: number[];
  /** First byte after all globals. */
  readonly end: number;
  /** Bytes of one thread's block of thread-local variables. */
  readonly threadLocalBytes: number;
}

export function placeGlobals(program: Program): GlobalPlaces {
  const addresses: number[] = [];
  let next = MEMORY_BASE;
  let nextLocal = 0;
  for (const global of program.globals) {
    const start = global.threadLocal === true ? nextLocal : next;
    const address = objectAddress(start, global.align);
    addresses.push(address);
    if (global.threadLocal === true) nextLocal = objectEnd(address, global.size);
    else next = objectEnd(address, global.size);
  }
  return { addresses, end: next, threadLocalBytes: alignUp(nextLocal, 16) };
}

/** Where an object starts if its header may start at `next`. */
export function objectAddress(next: number, align: number): number {
  return alignUp(next + OBJECT_HEADER, Math.max(GRANULE, align));
}

/** Where the next object's header may start; every object has room for at least one granule. */
export function objectEnd(address: number, size: number): number {
  return alignUp(address + Math.max(size, 1), GRANULE);
}

export interface Layout {
  readonly limits: Limits;
  /** As in `GlobalPlaces.addresses`. */
  readonly globals: readonly number[];
  readonly threadLocalBytes: number;
  // Byte addresses. The program's memory is `MEMORY_BASE … memoryEnd`; thread t's parts start at `t *` their size.
  readonly threadLocals: number;
  readonly stacks: number;
  readonly heaps: number;
  readonly memoryEnd: number;
  // Word indices of the control regions.
  readonly threads: number;
  readonly syncs: number;
  readonly nodes: number;
  readonly commits: number;
  /** Of a commit-log entry: how many words there are from `C_SEEN` on. */
  readonly seenWords: number;
  readonly frames: number;
  /**
   * One word per granule of the program's memory: the address of the object that covers it, 0 = none; negated if some
   * bits of the granule are undefined.
   */
  readonly shadow: number;
  /** Whether undefined bits are tracked (`undefined-bits.ts`); if not, the regions below are empty. */
  readonly tracksUndefined: boolean;
  /** As many words as the program's memory has: which of its bits are undefined. */
  readonly undefinedMemory: number;
  /** As many words as `frames` has, three times: undefined bits, the address and the site that they were read from. */
  readonly undefinedRegisters: number;
  readonly totalWords: number;
}

/** Functions have addresses from here on (`code.ts`). */
const MAX_MEMORY_BYTES: number = 2 ** 30;

export function layOut(program: Program, limits: Limits): Layout {
  const { addresses, end, threadLocalBytes } = placeGlobals(program);
  const threadLocals = alignUp(end, 16);
  const stacks = threadLocals + limits.threads * threadLocalBytes;
  const heaps = stacks + limits.threads * limits.stackBytes;
  const memoryEnd = heaps + limits.threads * limits.heapBytes;
  if (memoryEnd > MAX_MEMORY_BYTES) {
    throw new RangeError(`the program's memory has ${memoryEnd} bytes; at most ${MAX_MEMORY_BYTES} are possible`);
  }
  const tracksUndefined = hasUndefined(program);
  const seenWords = Math.ceil(limits.threads / 32);
  let next = memoryEnd / 4;
  const region = (words: number): number => {
    const start = next;
    next += words;
    return start;
  };
  return {
    limits,
    globals: addresses,
    threadLocalBytes,
    threadLocals,
    stacks,
    heaps,
    memoryEnd,
    threads: region(limits.threads * THREAD_WORDS),
    syncs: region(limits.syncObjects),
    // Entry 0 means "none", so one more than requested.
    nodes: region((limits.bufferEntries + 1) * NODE_WORDS),
    commits: region(limits.commits * (C_SEEN + seenWords)),
    seenWords,
    frames: region(limits.threads * limits.frameWords),
    shadow: region(Math.ceil(memoryEnd / GRANULE) + 1),
    tracksUndefined,
    undefinedMemory: region(tracksUndefined ? memoryEnd / 4 + 1 : 0),
    undefinedRegisters: region(tracksUndefined ? 3 * limits.threads * limits.frameWords : 0),
    totalWords: next,
  };
}
