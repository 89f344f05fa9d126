/**
 * test/fuzz/: generated C programs that combine all features, and everything that can be compared on them.
 *
 *   ast.ts         what a generated program is: plain data
 *   generate.ts    from a seed to a program; features.ts: which features a program has, coverage.ts: pairs of them
 *   print-c.ts     prints C; assembly.ts: inline assembly
 *   simulate/      an independent simulator, which shares nothing with `src/`
 *   batch.ts       many programs through one clang run
 *   searches.ts    what the tool finds; compare.ts: everything against everything; compare-*.ts: parts of that
 *   fresh.ts       the form of a program that uses values that were never written
 *   session.ts     a range of seeds; job.ts, worker.ts: in a separate process
 *   shrink.ts      shrinks a disagreement; regression.ts: writes it to a file; run.ts: the command
 */

import type { Locked, Plain, Strength } from './assembly.ts';

export type Size = 1 | 2 | 4 | 8;
export type Order = 'relaxed' | 'acquire' | 'release' | 'acq_rel' | 'seq_cst';
/** How a load or store is performed. */
export type How = 'plain' | 'volatile' | Order;
export type Operator = 'xchg' | 'add' | 'sub' | 'and' | 'or' | 'xor';

/** Bytes of one of the shared unions, which have 8 bytes each. */
export interface Place {
  readonly union: number;
  readonly offset: number;
  readonly size: Size;
}

/** A 64-bit constant in two halves, plus a register unless that is -1. */
export interface Value {
  readonly reg: number;
  readonly low: number;
  readonly high: number;
}

/** The condition of a waiting loop, which continues while it holds. */
export type Wait =
  | { readonly kind: 'zero'; readonly place: Place; readonly how: How }
  | { readonly kind: 'either' | 'both'; readonly first: Place; readonly second: Place; readonly how: How }
  | { readonly kind: 'exchange'; readonly place: Place; readonly order: Order }
  | {
      readonly kind: 'cas';
      readonly place: Place;
      readonly weak: boolean;
      readonly order: Order;
      readonly failure: Order;
    };

export type Statement =
  | { readonly op: 'load'; readonly place: Place; readonly how: How; readonly to: number }
  | { readonly op: 'store'; readonly place: Place; readonly how: How; readonly value: Value }
  | {
      readonly op: 'rmw';
      readonly place: Place;
      readonly operator: Operator;
      readonly order: Order;
      readonly value: Value;
      /** -1: the result is not used. */
      readonly to: number;
    }
  | {
      readonly op: 'cas';
      readonly place: Place;
      readonly weak: boolean;
      readonly order: Order;
      readonly failure: Order;
      readonly expected: Value;
      readonly desired: Value;
      /** Whether it succeeded, and the resulting value of `expected`. */
      readonly ok: number;
      readonly old: number;
    }
  /** Retries a compare-exchange, expecting what the failed one returned, until it succeeds. */
  | {
      readonly op: 'casLoop';
      readonly place: Place;
      readonly weak: boolean;
      readonly order: Order;
      readonly failure: Order;
      readonly add: number;
      readonly to: number;
    }
  /** Reads the place into `to`, runs the body, and starts again if the place has changed. The body only reads. */
  | { readonly op: 'validated'; readonly place: Place; readonly how: How; readonly body: Body; readonly to: number }
  | { readonly op: 'fence'; readonly order: Order }
  /** Assembly without operands: see `assembly.ts`. */
  | { readonly op: 'asm'; readonly text: string; readonly strength: Strength }
  /**
   * Empty assembly with registers or locals as operands: one keeps its value, is copied to another, or the two are
   * swapped.
   */
  | {
      readonly op: 'asmKeep';
      readonly form: 'register' | 'local' | 'tied' | 'swapped';
      readonly from: number;
      readonly to: number;
    }
  /** Empty assembly with a place as operand: in memory it is not touched, in a register it is loaded and stored. */
  | { readonly op: 'asmTouch'; readonly form: 'memory' | 'register'; readonly place: Place }
  | {
      readonly op: 'asmLocked';
      readonly place: Place;
      readonly operator: Locked;
      readonly value: Value;
      /** The old value, for instructions that return it; whether the result is zero. -1: not used. */
      readonly to: number;
      readonly zero: number;
      readonly spelling: number;
    }
  /** `to`: the old value, for instructions that return it. */
  | {
      readonly op: 'asmPlain';
      readonly place: Place;
      readonly operator: Plain;
      readonly value: Value;
      readonly to: number;
      readonly spelling: number;
    }
  | {
      readonly op: 'asmCas';
      readonly place: Place;
      readonly expected: Value;
      readonly desired: Value;
      readonly ok: number;
      readonly old: number;
      readonly spelling: number;
    }
  /** `to`: whether the lock was taken; always true with `lock`. */
  | {
      readonly op: 'locked';
      readonly how: 'lock' | 'trylock' | 'timedlock';
      readonly mutex: number;
      readonly body: Body;
      readonly to: number;
    }
  | { readonly op: 'unlock'; readonly mutex: number }
  /**
   * Locks, waits while the place is 0, runs the body, unlocks. The timed one waits at most once, and returns whether it
   * gave up.
   */
  | {
      readonly op: 'await';
      readonly mutex: number;
      readonly place: Place;
      readonly timed: boolean;
      readonly to: number;
      readonly body: Body;
    }
  /** Sets the place, with or without the lock, and wakes. */
  | {
      readonly op: 'notify';
      readonly mutex: number;
      readonly place: Place;
      readonly all: boolean;
      readonly locked: boolean;
    }
  | {
      readonly op: 'rwlocked';
      readonly writes: boolean;
      /** Only `lock` waits; `to` is whether it was taken. */
      readonly call: 'lock' | 'try' | 'clock';
      readonly body: Body;
      readonly to: number;
    }
  | { readonly op: 'post' }
  | { readonly op: 'down' }
  | { readonly op: 'tryDown'; readonly to: number }
  | { readonly op: 'barrier'; readonly to: number }
  | { readonly op: 'spinLocked'; readonly tries: boolean; readonly body: Body; readonly to: number }
  | { readonly op: 'once' }
  | { readonly op: 'create'; readonly thread: number }
  | { readonly op: 'join'; readonly thread: number; readonly to: number }
  /** A thread that this one has created, or itself. */
  | { readonly op: 'detach'; readonly thread: number }
  | { readonly op: 'end'; readonly how: 'exit' | 'pthread_exit' | 'return' | 'abort' }
  | { readonly op: 'assert'; readonly reg: number; readonly not: number }
  | { readonly op: 'assume'; readonly reg: number; readonly not: number }
  | { readonly op: 'tls'; readonly add: number; readonly to: number }
  | { readonly op: 'malloc'; readonly how: How }
  | { readonly op: 'free'; readonly checked: boolean }
  /** The address of a local variable becomes known to other threads; at most one such statement per thread. */
  | { readonly op: 'escape'; readonly how: How }
  /** Through the shared pointer, if it is not null, or unchecked. */
  | {
      readonly op: 'usePointer';
      readonly checked: boolean;
      readonly writes: boolean;
      readonly how: How;
      readonly to: number;
      readonly value: number;
    }
  | { readonly op: 'wait'; readonly form: 'while' | 'do'; readonly wait: Wait; readonly body: Body }
  | { readonly op: 'if'; readonly reg: number; readonly equals: number; readonly yes: Body; readonly no: Body }
  | { readonly op: 'choose'; readonly count: number; readonly to: number }
  | { readonly op: 'section'; readonly body: Body }
  | { readonly op: 'repeat'; readonly body: Body };

export type Body = readonly Statement[];

export interface FuzzProgram {
  readonly seed: number;
  /** The threads' bodies: `main` first. A thread is created by at most one `create`, which is outside all blocks. */
  readonly threads: readonly Body[];
  /** What `pthread_once` runs: it uses no registers and does not wait. */
  readonly once: Body;
  /** Initial value of the semaphore. */
  readonly semaphore: number;
  /** Number of threads in a round of the barrier. */
  readonly round: number;
}

export const UNIONS = 2;
export const MUTEXES = 2;
/** Number of registers of each thread; `result` in `print-c.ts` takes them all. */
export const REGISTERS = 3;

/** For switches over all kinds: a new kind does not compile until every switch handles it. */
export function unknown(kind: never): never {
  throw new Error(`not known here: ${JSON.stringify(kind)}`);
}

/** The blocks inside a statement. */
export function blocksOf(statement: Statement): readonly Body[] {
  switch (statement.op) {
    case 'locked':
    case 'await':
    case 'rwlocked':
    case 'spinLocked':
    case 'wait':
    case 'validated':
    case 'section':
    case 'repeat':
      return [statement.body];
    case 'if':
      return [statement.yes, statement.no];
    case 'load':
    case 'store':
    case 'rmw':
    case 'cas':
    case 'casLoop':
    case 'fence':
    case 'asm':
    case 'asmKeep':
    case 'asmTouch':
    case 'asmLocked':
    case 'asmPlain':
    case 'asmCas':
    case 'unlock':
    case 'notify':
    case 'post':
    case 'down':
    case 'tryDown':
    case 'barrier':
    case 'once':
    case 'create':
    case 'join':
    case 'detach':
    case 'end':
    case 'assert':
    case 'assume':
    case 'tls':
    case 'malloc':
    case 'free':
    case 'escape':
    case 'usePointer':
    case 'choose':
      return [];
    default:
      return unknown(statement);
  }
}

/** The same statement with other blocks. */
export function withBlocks(statement: Statement, blocks: readonly Body[]): Statement {
  if (statement.op === 'if') return { ...statement, yes: blocks[0]!, no: blocks[1]! };
  return blocks.length === 0 ? statement : ({ ...statement, body: blocks[0]! } as Statement);
}

export function walk(body: Body, visit: (statement: Statement) => void): void {
  for (const statement of body) {
    visit(statement);
    for (const block of blocksOf(statement)) walk(block, visit);
  }
}

export function walkProgram(program: FuzzProgram, visit: (statement: Statement, thread: number) => void): void {
  for (const [thread, body] of program.threads.entries()) walk(body, (statement) => visit(statement, thread));
  walk(program.once, (statement) => visit(statement, -1));
}

/**
 * The name that the machine gives to each thread: `0`, and `0.2` for the second one that main creates. `undefined` if
 * never created.
 */
export function threadNames(program: FuzzProgram): readonly (string | undefined)[] {
  const names: (string | undefined)[] = program.threads.map(() => undefined);
  const name = (thread: number, own: string): void => {
    if (names[thread] !== undefined) return;
    names[thread] = own;
    let children = 0;
    for (const s of program.threads[thread]!) if (s.op === 'create') name(s.thread, `${own}.${++children}`);
  };
  name(0, '0');
  return names;
}
