/**
 * Small programs that wait: nested loops, test-and-set, back-off, calls, early exits, parts of words, locks; as LLVM IR
 * (`waiting-ir.ts`), and for a separate machine (`waiting-oracle.ts`). Loops in them only read, store back what they
 * read, or leave.
 */
import type { Prng } from '../../src/util/prng.ts';

export type Order = 'relaxed' | 'release' | 'seq_cst';

/** The first or the second byte of a location. */
export type Part = 0 | 1;

interface Place {
  readonly at: number;
  /** The whole location by default. */
  readonly part?: Part;
}

/** An operation with a value. `cas` and `trylock` return 1 if they succeed, the others the old value. */
export type Access =
  | ({ readonly op: 'load' } & Place)
  | ({ readonly op: 'exchange' | 'or'; readonly value: number; readonly order: Order } & Place)
  | ({ readonly op: 'cas'; readonly value: number; readonly expected: number; readonly order: Order } & Place)
  /** Returns the old value. */
  | { readonly op: 'add'; readonly at: number; readonly value: number; readonly order: Order }
  | { readonly op: 'trylock' }
  /**
   * A compare-exchange from a local variable's value to the other one of 0 and 1; if it fails, the variable gets the
   * value found.
   */
  | { readonly op: 'carry'; readonly at: number; readonly local: number; readonly order: Order };

export type Condition =
  | { readonly access: Access; readonly isZero: boolean }
  /** A local variable is below a bound. */
  | { readonly local: number; readonly below: number }
  | 'always';

export type Statement =
  | ({ readonly op: 'store'; readonly value: number; readonly order: Order } & Place)
  /** As the access, but the old value is not used. */
  | { readonly op: 'add'; readonly at: number; readonly value: number; readonly order: Order }
  /** Ends the program. */
  | { readonly op: 'exit' }
  | { readonly op: 'fence' }
  | { readonly op: 'lock' | 'unlock' }
  | { readonly op: 'set'; readonly local: number; readonly value: number }
  /** A load into a local variable. */
  | { readonly op: 'read'; readonly local: number; readonly at: number }
  /** A local variable that is 0 becomes 1 if the location is not 0. */
  | { readonly op: 'latch'; readonly local: number; readonly at: number }
  /** local = min(local * 2 + 1, limit): back-off. */
  | { readonly op: 'grow'; readonly local: number; readonly limit: number }
  /** Another attempt; after this many, starts over. */
  | { readonly op: 'count'; readonly local: number; readonly limit: number }
  | { readonly op: 'while' | 'do'; readonly condition: Condition; readonly body: readonly Statement[] }
  | { readonly op: 'if'; readonly condition: Condition; readonly body: readonly Statement[] }
  /** Leaves this many loops: `break` or `goto`. */
  | { readonly op: 'leave'; readonly loops: number }
  /** Begins the next iteration of the innermost loop. */
  | { readonly op: 'continue' }
  /** A separate function with its own locals; `return` leaves it. */
  | { readonly op: 'call'; readonly body: readonly Statement[] }
  | { readonly op: 'return' }
  /** Fails if the location, or the local variable, has this value. `name` is unique in the program. */
  | { readonly op: 'assert'; readonly at: number; readonly not: number; readonly name: string }
  | { readonly op: 'check'; readonly local: number; readonly not: number; readonly name: string };

export interface Waiting {
  readonly threads: readonly (readonly Statement[])[];
  /** After all threads have been joined. */
  readonly final: readonly Statement[];
}

export const LOCATIONS = 3;
export const LOCALS = 2;

/** A program with two or three threads that set flags, wait for each other in some composed way, and check. */
export class WaitingGenerator {
  private readonly prng: Prng;
  private names = 0;
  /** Accesses may be of parts of locations. */
  private isMixed = false;
  private asserts = 0;

  constructor(prng: Prng) {
    this.prng = prng;
  }

  program(): Waiting {
    this.names = 0;
    if (this.chance(8)) return this.latching();
    this.isMixed = this.chance(5);
    // At most one assertion, in most programs: the first failure hides the rest.
    this.asserts = this.chance(4) ? 0 : 1;
    const count = this.chance(8) ? 3 : 2;
    const threads = Array.from({ length: count }, () => this.thread(count === 3 ? 1 : 3));
    if (this.chance(24)) threads[this.prng.below(count)]!.push({ op: 'exit' });
    if (this.asserts === 0) return { threads, final: [] };
    const asserting = this.prng.below(threads.length + 1);
    threads[asserting]?.push(this.assertion());
    return { threads, final: asserting === threads.length ? [this.assertion()] : [] };
  }

  /** A thread keeps what it saw in some round, and the value is visible only in that round. */
  private latching(): Waiting {
    const local = this.prng.below(LOCALS);
    const seen = this.prng.below(LOCATIONS);
    const awaited = (seen + 1 + this.prng.below(LOCATIONS - 1)) % LOCATIONS;
    const condition: Condition = { access: { op: 'load', at: awaited }, isZero: true };
    const body: Statement[] = [{ op: 'latch', local, at: seen }];
    const wait: Statement = { op: this.chance(2) ? 'while' : 'do', condition, body };
    const check: Statement = { op: 'check', local, not: this.prng.below(2), name: `a${this.names++}` };
    const set = (at: number, value: number): Statement => ({ op: 'store', at, value, order: 'relaxed' });
    const back = this.chance(2) ? [set(seen, 0)] : [];
    return {
      threads: [
        [wait, check],
        [set(seen, 1), ...back, set(awaited, 1)],
      ],
      final: [],
    };
  }

  private thread(most: number): Statement[] {
    const body: Statement[] = [];
    const parts = 1 + this.prng.below(most);
    for (let i = 0; i < parts; i++) {
      const kind = this.prng.below(16);
      if (kind === 0) body.push({ op: 'fence' });
      else if (kind < 6) body.push(...this.wait(1 + this.prng.below(2), 0));
      else body.push(this.store());
    }
    if (this.chance(8)) return [{ op: 'lock' }, ...body, { op: 'unlock' }];
    return body;
  }

  /** A waiting loop, at most this deep; `loops` are around it in the same function. */
  private wait(depth: number, loops: number): Statement[] {
    const inner = (more = 1): Statement[] => {
      if (depth <= 1) return this.prng.below(3) === 0 ? [this.attempt()] : [];
      if (this.chance(4)) return [{ op: 'call', body: this.wait(depth - 1, 0) }];
      return this.wait(depth - 1, loops + more);
    };
    switch (this.prng.below(13)) {
      case 0:
      case 1:
      case 2:
        return [{ op: 'while', condition: this.condition(), body: inner() }];
      case 3:
        return [{ op: 'do', condition: this.condition(), body: inner() }];
      case 4: {
        // Leaves by `break`, `goto` or `return`.
        const how: Statement = this.chance(3)
          ? { op: 'return' }
          : { op: 'leave', loops: 1 + this.prng.below(loops + 1) };
        const test: Statement = { op: 'if', condition: this.condition(), body: [how] };
        const body = this.chance(2) ? [test, ...inner()] : [...inner(), test];
        return [{ op: 'while', condition: 'always', body }];
      }
      case 5: {
        // A number of checks, then something else.
        const local = this.prng.below(LOCALS);
        const look: Statement = { op: 'if', condition: this.condition(), body: [{ op: 'leave', loops: 2 }] };
        const spin: Statement[] = [
          { op: 'set', local, value: 0 },
          {
            op: 'while',
            condition: { local, below: 2 },
            body: [look, { op: 'count', local, limit: 9 }],
          },
        ];
        return [{ op: 'while', condition: 'always', body: [...spin, ...(this.chance(2) ? inner() : [])] }];
      }
      case 6:
        return [{ op: 'while', condition: this.condition(), body: [this.attempt(), ...inner()] }];
      case 7: {
        const again: Statement = { op: 'if', condition: this.condition(), body: [{ op: 'continue' }] };
        const done: Statement = { op: 'if', condition: this.condition(), body: [{ op: 'leave', loops: 1 }] };
        return [{ op: 'while', condition: 'always', body: [again, done] }];
      }
      case 8: {
        // Tries again with the value that it found.
        const local = this.prng.below(LOCALS);
        const at = this.prng.below(LOCATIONS);
        const order = this.chance(3) ? 'relaxed' : 'seq_cst';
        const first: Statement = this.chance(2) ? { op: 'read', local, at } : { op: 'set', local, value: 0 };
        const again: Condition = { access: { op: 'carry', at, local, order }, isZero: true };
        return [first, { op: 'while', condition: again, body: this.chance(4) ? inner() : [] }];
      }
      case 9: {
        // Reads before the loop and at its end.
        const local = this.prng.below(LOCALS);
        const read: Statement = { op: 'read', local, at: this.prng.below(LOCATIONS) };
        return [
          read,
          { op: 'while', condition: { local, below: 1 }, body: [...(this.chance(4) ? inner() : []), read] },
        ];
      }
      case 10:
      case 11: {
        // Keeps something that was seen in some round.
        const local = this.prng.below(LOCALS);
        const latch: Statement = { op: 'latch', local, at: this.prng.below(LOCATIONS) };
        const body = this.chance(2) ? [latch] : [...inner(), latch];
        const wait: Statement = { op: this.chance(2) ? 'while' : 'do', condition: this.condition(), body };
        if (this.asserts === 0 || this.chance(2)) return [wait];
        this.asserts = 0;
        return [wait, { op: 'check', local, not: this.prng.below(2), name: `a${this.names++}` }];
      }
      default:
        return [{ op: 'call', body: this.wait(depth, 0) }];
    }
  }

  private attempt(): Statement {
    const local = this.prng.below(LOCALS);
    return this.chance(2) ? { op: 'grow', local, limit: 3 } : { op: 'count', local, limit: 2 + this.prng.below(2) };
  }

  private condition(): Condition {
    return { access: this.access(), isZero: this.chance(2) };
  }

  private access(): Access {
    const at = this.prng.below(LOCATIONS);
    const value = this.value();
    const order = this.chance(3) ? 'relaxed' : 'seq_cst';
    switch (this.prng.below(12)) {
      case 0:
      case 1:
        return { op: 'exchange', at, value: 1, order, ...this.part() };
      case 2:
        return { op: 'or', at, value, order, ...this.part() };
      case 3:
        return { op: 'cas', at, value: 1, expected: 0, order, ...this.part() };
      case 4:
        return this.chance(3) ? { op: 'trylock' } : { op: 'cas', at, value, expected: value, order, ...this.part() };
      default:
        return { op: 'load', at, ...this.part() };
    }
  }

  private store(): Statement {
    const orders: readonly Order[] = ['relaxed', 'relaxed', 'release', 'seq_cst'];
    return {
      op: 'store',
      at: this.prng.below(LOCATIONS),
      value: this.value(),
      order: orders[this.prng.below(orders.length)]!,
      ...this.part(),
    };
  }

  private part(): { readonly part?: Part } {
    return this.isMixed && this.chance(2) ? { part: this.chance(2) ? 1 : 0 } : {};
  }

  private assertion(): Statement {
    return { op: 'assert', at: this.prng.below(LOCATIONS), not: this.prng.below(2), name: `a${this.names++}` };
  }

  private value(): number {
    return this.prng.below(3) === 0 ? 0 : 1;
  }

  private chance(n: number): boolean {
    return this.prng.below(n) === 0;
  }
}
