/** A state of the simulator: one array of words, so that states can be copied and compared quickly. */
import { MUTEXES } from '../ast.ts';
import { ALL_REGISTERS, type SimCode } from './code.ts';

// Words of a thread.
export const STATUS = 0;
export const PC = 1;
/** Condition variable that it waits on, plus 1. */
export const WAITS_ON = 2;
export const EPOCH = 3;
export const WAITING_STORES = 4;
export const RESULT = 5;
/** 1: joined, 2: detached. */
export const FLAGS = 6;
/** Which bits of the result are undefined. */
export const RESULT_MASK = 7;
export const REGS = 8;
/** For each word of a register, which of its bits are undefined. */
export const MASKS: number = REGS + 2 * ALL_REGISTERS;
export const ENTRIES: number = MASKS + 2 * ALL_REGISTERS;

// Words of a buffered store.
export const N_AT = 0;
export const N_SIZE = 1;
export const N_LOW = 2;
export const N_HIGH = 3;
export const N_EPOCH = 4;
export const N_FREES = 5;
export const N_EVENT = 6;
/** Undefined bits of the value. */
export const N_LOW_MASK = 7;
export const N_HIGH_MASK = 8;
export const ENTRY_WORDS = 9;

// Status of a thread.
export const ABSENT = 0;
export const RUNS = 1;
export const WAITS = 2;
export const FINISHED = 3;
export const ASSUMED = 4;

export interface Shape {
  /** First word of each thread. */
  readonly threads: readonly number[];
  /** First word of memory, which is in bytes. */
  readonly memory: number;
  readonly memoryBytes: number;
  /** The undefined bits of memory. */
  readonly masks: number;
  /** One word per object: 1 once it is dead. */
  readonly dead: number;
  /** Holder of each mutex, plus 1. */
  readonly mutexes: number;
  /** Thread in an atomic section, plus 1. */
  readonly section: number;
  readonly mainReturned: number;
  /** 1 + number of an error; see `ERRORS`. */
  readonly error: number;
  readonly exited: number;
  readonly exitStatus: number;
  readonly words: number;
}

export function shapeOf(code: SimCode, objects: number): Shape {
  let next = 0;
  const take = (words: number): number => {
    const at = next;
    next += words;
    return at;
  };
  const memory = take(code.bytes / 4);
  return {
    memory,
    memoryBytes: code.bytes,
    masks: take(code.bytes / 4),
    dead: take(objects),
    mutexes: take(MUTEXES),
    section: take(1),
    mainReturned: take(1),
    error: take(1),
    exited: take(1),
    exitStatus: take(1),
    threads: code.room.map((room) => take(ENTRIES + room * ENTRY_WORDS)),
    words: next,
  };
}
