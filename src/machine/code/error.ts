/** Run-time errors of a program, as codes in the state, with the message of each. */
import type { Location } from '../../program/location.ts';
import type { Code } from './code.ts';

/** The kinds of error that users see; see `docs/verdicts.md`. */
export type ErrorKind = 'assertion' | 'deadlock' | 'liveness' | 'memory' | 'misuse' | 'race' | 'uninitialised';

export const ASSERTION_FAILED = 1; // detail: message number
export const NULL_ACCESS = 2; // detail: address
export const OUT_OF_BOUNDS = 3; // detail: address
export const OUT_OF_SCOPE = 4; // detail: address
export const DIVISION_BY_ZERO = 5;
export const DIVISION_OVERFLOW = 6;
export const UNREACHABLE_REACHED = 7;
export const STACK_OVERFLOW = 8;
export const BAD_CALL = 9; // detail: the value that was called
export const BAD_JOIN = 10; // detail: the value that was joined
export const WRONG_UNLOCK = 11; // detail: address
export const USE_AFTER_FREE = 12; // detail: address
export const DOUBLE_FREE = 13; // detail: address
export const INVALID_FREE = 14; // detail: address
export const BAD_ATOMIC = 15;
export const ASSERTION_WITH_TEXT = 16; // detail: address of a C string
export const MISUSE_WITH_TEXT = 17; // detail: address of a C string
export const JOINED_TWICE = 18; // detail: the value that was joined
export const JOINED_DETACHED = 19; // detail: the value that was joined
export const BAD_DETACH = 20; // detail: the value that was detached
export const DESTROYED_HELD = 21; // detail: address
export const DESTROYED_AWAITED = 22; // detail: address
export const READ_ONLY_STORE = 23; // detail: address
export const DESTROYED_IN_WAIT = 24; // detail: address
export const INITIALISED_HELD = 25; // detail: address
export const INITIALISED_AWAITED = 26; // detail: address
export const INITIALISED_IN_WAIT = 27; // detail: address
export const TWO_MUTEXES = 28; // detail: slot of the thread that waits with the other mutex
export const UNINITIALISED = 29; // detail: address, 0 for a variable in a register

interface Description {
  readonly kind: ErrorKind;
  readonly say: (detail: number, code: Code, readString: (address: number) => string) => string;
}

const IN_WAIT = 'that a thread released in a condition wait and has not reacquired';

const descriptions: Readonly<Record<number, Description>> = {
  [ASSERTION_FAILED]: { kind: 'assertion', say: (detail, code) => code.messages[detail]! },
  [ASSERTION_WITH_TEXT]: { kind: 'assertion', say: (detail, _, readString) => readString(detail) },
  [NULL_ACCESS]: { kind: 'memory', say: () => 'access through a null pointer' },
  [OUT_OF_BOUNDS]: { kind: 'memory', say: () => 'access outside any object' },
  [OUT_OF_SCOPE]: { kind: 'memory', say: () => 'access to a local variable that has gone out of scope' },
  [READ_ONLY_STORE]: { kind: 'memory', say: () => 'write to a constant or a string literal' },
  [USE_AFTER_FREE]: { kind: 'memory', say: () => 'use after free' },
  [DOUBLE_FREE]: { kind: 'memory', say: () => 'double free' },
  [INVALID_FREE]: { kind: 'memory', say: () => 'free of a pointer that malloc did not return' },
  [BAD_ATOMIC]: { kind: 'misuse', say: () => 'atomic section begun twice or ended without beginning' },
  [DIVISION_BY_ZERO]: { kind: 'misuse', say: () => 'division by zero' },
  [DIVISION_OVERFLOW]: { kind: 'misuse', say: () => 'division overflow (the smallest integer by -1)' },
  [UNREACHABLE_REACHED]: { kind: 'misuse', say: () => 'reached code that is declared unreachable' },
  [STACK_OVERFLOW]: { kind: 'memory', say: () => 'stack overflow' },
  [BAD_CALL]: { kind: 'misuse', say: () => 'call through a pointer that is not a function with these parameters' },
  [BAD_JOIN]: { kind: 'misuse', say: () => 'join of an invalid thread' },
  [MISUSE_WITH_TEXT]: { kind: 'misuse', say: (detail, _, readString) => readString(detail) },
  [JOINED_TWICE]: { kind: 'misuse', say: () => 'join of a thread already joined' },
  [JOINED_DETACHED]: { kind: 'misuse', say: () => 'join of a detached thread' },
  [BAD_DETACH]: { kind: 'misuse', say: () => 'detach of an invalid thread, or of one already joined or detached' },
  [DESTROYED_HELD]: { kind: 'misuse', say: () => 'destruction of a mutex that is held' },
  [DESTROYED_AWAITED]: { kind: 'misuse', say: () => 'destruction of a condition variable that a thread waits on' },
  [DESTROYED_IN_WAIT]: { kind: 'misuse', say: () => `destruction of a mutex ${IN_WAIT}` },
  [INITIALISED_HELD]: { kind: 'misuse', say: () => 'initialisation of a mutex that is held' },
  [INITIALISED_AWAITED]: { kind: 'misuse', say: () => 'initialisation of a condition variable that a thread waits on' },
  [INITIALISED_IN_WAIT]: { kind: 'misuse', say: () => `initialisation of a mutex ${IN_WAIT}` },
  [TWO_MUTEXES]: {
    kind: 'misuse',
    say: () => 'condition wait with a different mutex than a thread already waiting on it',
  },
  [UNINITIALISED]: { kind: 'uninitialised', say: () => 'depends on a value that was never written' },
  [WRONG_UNLOCK]: { kind: 'misuse', say: () => 'unlock of a mutex that the thread does not hold' },
};

export interface ProgramError {
  readonly kind: ErrorKind;
  readonly message: string;
  /** Name of the thread in which it happened; absent for errors of the whole program, such as a deadlock. */
  readonly thread?: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  /** Further details: where an object came from, where a lock was taken. */
  readonly notes?: readonly string[];
}

export function describeError(
  code: Code,
  error: number,
  thread: string,
  site: number,
  detail: number,
  readString: (address: number) => string,
): ProgramError {
  const description = descriptions[error];
  if (description === undefined) throw new Error(`no such error: ${error}`);
  const location = code.sites[site]?.instruction.location;
  return {
    kind: description.kind,
    message: description.say(detail, code, readString),
    thread,
    ...(location === undefined ? {} : { file: location.file, line: location.line, column: location.column }),
  };
}

/** A bound of the machine itself was reached: the answer is inconclusive. */
export type MachineBound =
  | 'threads'
  | 'store-buffer entries'
  | 'synchronisation objects'
  | 'local steps'
  | 'heap bytes'
  | 'local variables'
  | 'nested calls'
  | 'printf conversion not modelled'
  | 'values of one load'
  | 'membarrier is not modelled where loads may be stale';

/** What a thread reached that is not defined or not modelled, and where. */
export interface UnmodelledCall {
  /** A function without a definition, or a missing part of one of ours. */
  readonly what: 'undefined' | 'not modelled';
  readonly reason: string;
  readonly place: Location | undefined;
}

export const LIMIT_THREADS = 1;
export const LIMIT_BUFFER = 2;
export const LIMIT_SYNCS = 3;
export const LIMIT_LOCAL_STEPS = 4;
export const LIMIT_HEAP = 5;
export const LIMIT_PRINT = 6;
export const LIMIT_CHOICES = 7;
export const LIMIT_MEMBARRIER = 8;
export const LIMIT_VARIABLES = 9;
export const LIMIT_CALLS = 10;

export const LIMIT_NAMES: readonly MachineBound[] = [
  'threads', // 0 is "no limit reached"; never looked up
  'threads',
  'store-buffer entries',
  'synchronisation objects',
  'local steps',
  'heap bytes',
  'printf conversion not modelled',
  'values of one load',
  'membarrier is not modelled where loads may be stale',
  'local variables',
  'nested calls',
];
