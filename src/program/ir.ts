/**
 * program/: what a program is.
 *
 * One intermediate form for all front-ends, made with C in mind: functions of basic blocks over mutable typed
 * registers, byte-addressed shared memory, loads, stores, read-modify-writes and fences with their C11 order,
 * threads, mutexes, condition variables, and the checker's own `assume`, `assert` and `choose`.
 *
 * A program is immutable plain data. Front-ends make it (through `builder.ts`), `validate.ts` says whether it is
 * well-formed, `print.ts` prints it, `machine/` runs it. This folder knows neither front-ends nor `machine/`.
 */
import type { Location } from './location.ts';
import type { BinaryOperator, CastOperator, Predicate, RmwOperator, UnaryOperator } from './operators.ts';
import type { FenceOrder, Order, Type } from './types.ts';

export interface Program {
  readonly name: string;
  readonly globals: readonly Global[];
  readonly functions: readonly Func[];
  /** The threads that exist from the start: `main` for C, `P0`, `P1`, … for a litmus test. */
  readonly roots: readonly Root[];
  /**
   * The range that nondeterministic values are drawn from, such as `0..3`. Only if there are any and it excludes some
   * values.
   */
  readonly nondet?: string;
  /** Make room for executions with many threads. */
  readonly manyThreads?: boolean;
  /**
   * The room that local objects needed before some became registers: with the same room, all addresses are those of the
   * program as written.
   */
  readonly stackBytes?: number;
  /** Functions without a definition that some code can call, each with the first such place. For reports only. */
  readonly undefinedFunctions?: readonly UndefinedFunction[];
}

export interface UndefinedFunction {
  readonly name: string;
  readonly place: Location;
}

export interface Global {
  readonly name: string;
  readonly size: number;
  readonly align: number;
  /** The first bytes of the initial value; the rest is zero. */
  readonly init?: Uint8Array;
  /** Addresses to write over `init` once the machine has laid out memory. */
  readonly relocations?: readonly Relocation[];
  /** Every thread has its own copy, whose address comes from `threadlocal`, never from an operand. */
  readonly threadLocal?: boolean;
  /** A store to it is an error. */
  readonly readOnly?: boolean;
  /** For arrays: the bytes of one element. Addresses inside are then printed as `a[2]` instead of `a+8`. */
  readonly element?: number;
  /**
   * Names of the parts of a structure or an array of structures, by offset, ascending: `[1].lock`. For reports only.
   */
  readonly parts?: readonly Part[];
  readonly location?: Location;
}

export interface Part {
  readonly offset: number;
  readonly name: string;
}

export interface Relocation {
  readonly offset: number;
  readonly target: AddressOperand;
}

export interface Root {
  readonly name: string;
  /** Index of the function that the thread runs. */
  readonly function: number;
  readonly arguments: readonly Operand[];
}

export interface Func {
  readonly name: string;
  /** The name to use in reports, if not `name`; need not be unique. */
  readonly title?: string;
  /** The first `parameters` registers receive the arguments; all others start as zero. */
  readonly parameters: number;
  readonly result?: Type;
  readonly registers: readonly Register[];
  /** Execution starts at block 0. */
  readonly blocks: readonly Block[];
  readonly location?: Location;
  /** Our library's rather than the user's: what happens inside is reported at the call. */
  readonly isLibrary?: boolean;
  /**
   * Declared but not defined, or not to be called: it has an address, accepts any arguments, and calling it ends the
   * execution.
   */
  readonly isUndefined?: true;
  /**
   * Its registers are not observed from outside, so those that are never live at the same time may share words of a
   * frame.
   */
  readonly sharesWords?: true;
}

export interface Register {
  readonly name: string;
  readonly type: Type;
  /** The local variable that it holds, or whose address it holds. For reports only. */
  readonly variable?: LocalVariable;
}

export interface LocalVariable {
  readonly name: string;
  readonly kind: 'signed' | 'unsigned' | 'float' | 'pointer';
  /** Present if the register holds the address of the variable: the size of the variable. */
  readonly bytes?: number;
  /** For a pointer: as in `Location`. */
  readonly pointee?: string;
  /** Where it is declared. */
  readonly file?: string;
  readonly line?: number;
}

export interface Block {
  readonly name: string;
  /** Straight-line code; the last instruction, and no other, is a terminator. */
  readonly body: readonly Instruction[];
}

export interface RegisterOperand {
  readonly kind: 'register';
  readonly index: number;
}

/**
 * A `number` for every type except `i64`, which has a `bigint`. Integers may be written signed or unsigned: -1 and 255
 * are the same `i8`.
 */
export interface ConstantOperand {
  readonly kind: 'constant';
  readonly type: Type;
  readonly value: number | bigint;
}

/** The address of a global plus a byte offset, or of a function. An `i32`; if `isWide`, an `i64`. */
export type AddressOperand =
  | { readonly kind: 'global'; readonly index: number; readonly offset: number; readonly isWide?: true }
  | { readonly kind: 'function'; readonly index: number; readonly isWide?: true };

export type Operand = RegisterOperand | ConstantOperand | AddressOperand;

/** Register index. */
export type Dest = number;
/** Block index. */
export type Target = number;

/** Instructions that no other thread can observe. */
export type LocalInstruction =
  | { readonly op: 'move'; readonly dest: Dest; readonly value: Operand }
  | {
      readonly op: 'binary';
      readonly operator: BinaryOperator;
      readonly dest: Dest;
      readonly left: Operand;
      readonly right: Operand;
    }
  | { readonly op: 'unary'; readonly operator: UnaryOperator; readonly dest: Dest; readonly value: Operand }
  | {
      readonly op: 'compare';
      readonly predicate: Predicate;
      readonly dest: Dest;
      readonly left: Operand;
      readonly right: Operand;
    }
  | { readonly op: 'cast'; readonly operator: CastOperator; readonly dest: Dest; readonly value: Operand }
  | {
      readonly op: 'select';
      readonly dest: Dest;
      readonly condition: Operand;
      readonly ifTrue: Operand;
      readonly ifFalse: Operand;
    }
  /** `dest` = 0, but undefined: a variable that has no value yet. */
  | { readonly op: 'undefine'; readonly dest: Dest }
  /** `dest` = address of `size` fresh bytes that live until the function returns: zero, or junk (`junk.ts`). */
  | {
      readonly op: 'alloca';
      readonly dest: Dest;
      readonly size: number;
      readonly align: number;
      readonly isJunk?: boolean;
      /** The bytes are zero, but undefined: they must not influence any decision until they are written. */
      readonly isUndefined?: boolean;
      /** In the first block only: the allocation gives no waiting loop, in some caller, a reason to iterate again. */
      readonly isIdle?: boolean;
    }
  /**
   * `dest` = address of fresh bytes that live until `free`: from `malloc`, or a local variable whose address other
   * threads may learn. Addresses depend only on the thread and its earlier allocations, and are not reused.
   */
  | {
      readonly op: 'allocate';
      readonly what: ObjectKind;
      readonly dest: Dest;
      readonly size: Operand;
      /** A power of two; 16 if absent. */
      readonly align?: Operand;
      /** The parts of a local variable, as for a global. */
      readonly parts?: readonly Part[];
      /** The bytes are junk (`junk.ts`), not zero. */
      readonly isJunk?: boolean;
      /** The bytes are zero, but undefined. */
      readonly isUndefined?: boolean;
    }
  /** `dest` = size in bytes of the live heap object that starts at `address`; an error if there is none. */
  | { readonly op: 'extent'; readonly dest: Dest; readonly address: Operand }
  /**
   * `dest` = 1 if no other thread can change the memory at `address` (a constant, or the thread's own stack); else 0.
   */
  | { readonly op: 'isconstant'; readonly dest: Dest; readonly address: Operand }
  /** `dest` = 1 if `address` is before the end of all globals, thread-local ones included; else 0. */
  | { readonly op: 'isstatic'; readonly dest: Dest; readonly address: Operand }
  /** `dest` = address of the thread's newest live local variable from `allocate` that is older than `address`, or 0. */
  | { readonly op: 'olderlocal'; readonly dest: Dest; readonly address: Operand }
  /**
   * Makes the bytes of an `alloca` undefined again, whatever their values: control reaches the variable's declaration
   * again.
   */
  | { readonly op: 'refresh'; readonly address: Operand }
  /**
   * `dest` = a number that changes with everything the thread does that other threads or its own later operations can
   * observe; reads may change it, too. It is 0 while more than half of the thread's room for `allocate` is used.
   */
  | { readonly op: 'progress'; readonly dest: Dest }
  /**
   * Ends the lifetime of a local variable from `allocate` that no other thread can know of, so without an event; with
   * `isBack`, begins it again with the bytes as they were.
   */
  | { readonly op: 'suspend'; readonly address: Operand; readonly isBack: boolean }
  /** Loads and stores of memory that no other thread can reach, such as a local array. */
  | { readonly op: 'peek'; readonly dest: Dest; readonly address: Operand }
  /**
   * `isIdle`: the write gives a waiting loop no reason to iterate again; it records the passing of time, for example.
   */
  | { readonly op: 'poke'; readonly address: Operand; readonly value: Operand; readonly isIdle?: boolean }
  /**
   * `dest` = what a load would give now, including the thread's own buffer, but without an event. For our library's own
   * bookkeeping, where any step of another thread that could change the result is an error of the program anyway.
   */
  | { readonly op: 'glance'; readonly dest: Dest; readonly address: Operand }
  /** `dest` = address of the thread's own copy of a thread-local global. */
  | { readonly op: 'threadlocal'; readonly dest: Dest; readonly global: number }
  /**
   * `dest` = the thread's own handle; or that of the next thread that it creates; or whether the thread is detached, as
   * 1 or 0.
   */
  | { readonly op: 'self'; readonly dest: Dest; readonly what?: 'next' | 'detached' }
  /**
   * Prints at most `most` bytes, or any number if that is negative. Ends before a 0 or `stop`, unless `stop` is
   * negative. `dest` = how many. Reading them is not an event, so they must be constant or private.
   */
  | {
      readonly op: 'print';
      readonly dest: Dest;
      readonly bytes: Operand;
      readonly most: Operand;
      readonly stop: Operand;
    }
  /** The last `count` bytes that the thread has printed are one output. */
  | { readonly op: 'endprint'; readonly count: Operand }
  /**
   * `dest` = number of characters that `printf` shows for `value`, the bits of an integer or of a double; `room` of
   * them, starting with number `from`, are written to the private memory at `to`. `kind` is the letter of the
   * conversion.
   */
  | {
      readonly op: 'convert';
      readonly dest: Dest;
      readonly to: Operand;
      readonly room: Operand;
      readonly from: Operand;
      readonly kind: Operand;
      readonly flags: Operand;
      readonly width: Operand;
      readonly precision: Operand;
      readonly value: Operand;
    }
  /** An operation of the thread begins here; `name` is the address of a C string and `value` the argument. */
  | { readonly op: 'mark'; readonly name: Operand; readonly value: Operand }
  /** The thread's operation ends here with `value` as its result. */
  | { readonly op: 'endmark'; readonly value: Operand }
  | { readonly op: 'call'; readonly dest?: Dest; readonly callee: Operand; readonly arguments: readonly Operand[] }
  /** An error unless `condition` holds. */
  | {
      readonly op: 'assert';
      readonly condition: Operand;
      readonly message: string;
      /** Address of a C string that is more specific than `message`. */
      readonly text?: Operand;
      /** A failure means that the program misused something, not that one of its own claims is false. */
      readonly misuse?: true;
      /** The program is not wrong, but the checker cannot continue. */
      readonly notModelled?: true;
      /** The program cannot be checked if this is reached, for the reason `message`. */
      readonly refuses?: true;
    }
  /** The thread will not be joined. An error if it has been joined already, or is joined later. */
  | { readonly op: 'detach'; readonly thread: Operand }
  /** The thread stops forever unless `condition` holds; such an execution is blocked, not wrong. */
  | {
      readonly op: 'assume';
      readonly condition: Operand;
      /** Of our library: where it does not hold, another execution does the same. */
      readonly isCovered?: true;
    };

/** Objects that the user frees, local variables, and objects that our library keeps forever. */
export type ObjectKind = 'heap' | 'stack' | 'kept';

/** How bytes become an object or cease to be one. The machine adds `allocated` itself. */
export type LifetimeKind = 'allocated' | 'initialised' | 'destroyed';
export const LIFETIME_KINDS: readonly LifetimeKind[] = ['allocated', 'initialised', 'destroyed'];

/** Each of these instructions is one step of the machine and produces one event. */
export type VisibleInstruction =
  /** `isDefined`: undefined bits count as zero. For our library's own objects, which it judges itself. */
  | {
      readonly op: 'load';
      readonly dest: Dest;
      readonly address: Operand;
      readonly order: Order;
      readonly isDefined?: true;
    }
  | { readonly op: 'store'; readonly address: Operand; readonly value: Operand; readonly order: Order }
  /**
   * `dest` = old value; memory = old `operator` value. `isStore`: an exchange whose result is unused. It is a store,
   * which may wait in a buffer, but execution graphs treat it as an exchange: a read from it also synchronises with the
   * stores that it replaced.
   */
  | {
      readonly op: 'rmw';
      readonly operator: RmwOperator;
      readonly dest: Dest;
      readonly address: Operand;
      readonly value: Operand;
      readonly order: Order;
      readonly isStore?: true;
    }
  /** `dest` = old value; if it equals `expected`, memory = `desired`. `success` gets 1 or 0. */
  | {
      readonly op: 'cmpxchg';
      readonly dest: Dest;
      readonly success?: Dest;
      readonly address: Operand;
      readonly expected: Operand;
      readonly desired: Operand;
      readonly order: Order;
      readonly failureOrder: Order;
    }
  /**
   * A conditional read-modify-write: `dest` = old value; if `predicate` holds between it and `bound`, memory = old
   * `operator` value and `success` = 1, else `success` = 0. A blocking one waits until the predicate holds.
   */
  | {
      readonly op: 'await';
      readonly dest: Dest;
      readonly success: Dest;
      readonly address: Operand;
      readonly predicate: Predicate;
      readonly bound: Operand;
      /** `none`: only read. */
      readonly operator: RmwOperator | 'none';
      readonly value: Operand;
      readonly order: Order;
      readonly blocks: boolean;
    }
  /**
   * `partial`: a processor's barrier that orders less than the C11 fence. Models that only delay stores do not
   * distinguish the two; execution graphs do not model it. `ofMachine`: a fence that the platform promises and the
   * language does not, such as Linux's in a futex call: execution graphs do not have it.
   */
  | { readonly op: 'fence'; readonly order: FenceOrder; readonly partial?: true; readonly ofMachine?: true }
  /**
   * A full fence in every other thread, each at some time after the first `drain` of a series. `record` has a bit for
   * each thread that still lacks its fence (`membarrier.ts`). Waits until some of them can have theirs; `dest` =
   * whether others still lack one. The first of a series starts the record and does not wait. Not modelled by execution
   * graphs.
   */
  | { readonly op: 'drain'; readonly dest: Dest; readonly record: Operand; readonly isFirst: boolean }
  /** Ends an object made by `allocate`. Counts as a write to every byte, so that no race with it is missed. */
  | { readonly op: 'free'; readonly what: ObjectKind; readonly address: Operand }
  /** `dest` = any of 0 … `count`-1, as part of the schedule. */
  | { readonly op: 'choose'; readonly dest: Dest; readonly count: number }
  /** Starts a thread; `dest` = its handle, for `join`. */
  | { readonly op: 'spawn'; readonly dest: Dest; readonly callee: Operand; readonly arguments: readonly Operand[] }
  /** Waits until the thread has ended and its stores have reached memory; `dest` = its result, 0 if it has none. */
  | { readonly op: 'join'; readonly dest?: Dest; readonly thread: Operand }
  /** Synchronisation objects are identified by their address; an untouched mutex is unlocked. */
  | { readonly op: 'lock'; readonly mutex: Operand }
  /** `dest` = 1 if the lock was taken, 0 if it was held. */
  | { readonly op: 'trylock'; readonly dest: Dest; readonly mutex: Operand }
  | { readonly op: 'unlock'; readonly mutex: Operand }
  /** With `timedOut` the wait may end at any time; `timedOut` gets 1 unless the thread was woken. */
  | { readonly op: 'wait'; readonly condition: Operand; readonly mutex: Operand; readonly timedOut?: Dest }
  | { readonly op: 'signal'; readonly condition: Operand }
  | { readonly op: 'broadcast'; readonly condition: Operand }
  /** The end of a mutex or condition variable: an error if it is held or waited on. Orders nothing. */
  | { readonly op: 'destroy'; readonly object: Operand }
  /**
   * The start of a mutex or condition variable: the same error if `isNew` is 0; otherwise it is free, whatever was
   * there before. Orders nothing.
   */
  | { readonly op: 'init'; readonly object: Operand; readonly isNew: Operand }
  /**
   * The bytes at `address` become an object or cease to be one. Memory is unchanged. Under a model that forbids races,
   * this conflicts with every access to them; under others it is not even an event. Every `allocate` of memory that
   * other threads may learn of has one of its own.
   */
  | { readonly op: 'lifetime'; readonly what: LifetimeKind; readonly address: Operand; readonly size: Operand }
  /**
   * The start of an atomic section, which `endatomic` ends. In between, no other thread takes a step; both wait like a
   * full fence. `isAccess`: the section is a single 16-byte atomic access of the program, which orders less than a
   * section in C11.
   */
  | { readonly op: 'beginatomic'; readonly isAccess?: true }
  | { readonly op: 'endatomic' }
  /** Ends the whole program. */
  | { readonly op: 'exit'; readonly status: Operand };

export type Terminator =
  | { readonly op: 'jump'; readonly target: Target }
  | { readonly op: 'branch'; readonly condition: Operand; readonly ifTrue: Target; readonly ifFalse: Target }
  | {
      readonly op: 'switch';
      readonly value: Operand;
      readonly cases: readonly { readonly value: number | bigint; readonly target: Target }[];
      readonly default: Target;
    }
  | { readonly op: 'return'; readonly value?: Operand }
  /** Ends the thread from within any call. */
  | { readonly op: 'exitthread'; readonly value?: Operand }
  /** Reaching it is an error. */
  | { readonly op: 'unreachable' };

export type Instruction = (LocalInstruction | VisibleInstruction | Terminator) & { readonly location?: Location };

export function isTerminator(instruction: Instruction): boolean {
  switch (instruction.op) {
    case 'jump':
    case 'branch':
    case 'switch':
    case 'return':
    case 'exitthread':
    case 'unreachable':
      return true;
    default:
      return false;
  }
}

/** The type of an operand within `func`, or `undefined` if it names a register that does not exist. */
export function typeOf(func: Func, operand: Operand): Type | undefined {
  switch (operand.kind) {
    case 'register':
      return func.registers[operand.index]?.type;
    case 'constant':
      return operand.type;
    case 'global':
    case 'function':
      return operand.isWide === true ? 'i64' : 'i32';
  }
}
