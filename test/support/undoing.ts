/**
 * Small programs whose threads poll in rounds that write and undo it (`docs/decisions/0049-rounds-that-undo-themselves.md`):
 * with a mutex, a trylock, additions, exchanges; some almost undo it. Others watch what is written in between. They are
 * statements of `waiting.ts`, so there is LLVM IR for the search, and a separate machine.
 */
import type { Prng } from '../../src/util/prng.ts';
import type { Access, Condition, Order, Statement, Waiting } from './waiting.ts';

/** Threads wait until `X` is set; `N` counts those inside. */
const [X, N, Y] = [0, 1, 2];
const LOCK: Statement = { op: 'lock' };
const UNLOCK: Statement = { op: 'unlock' };
const LEAVE: Statement = { op: 'leave', loops: 1 };
const AGAIN: Statement = { op: 'continue' };

export class UndoingGenerator {
  private readonly prng: Prng;
  private names = 0;

  constructor(prng: Prng) {
    this.prng = prng;
  }

  program(): Waiting {
    this.names = 0;
    const count = this.chance(5) ? 3 : 2;
    const threads = Array.from({ length: count }, (_, i) => {
      if (i === 0) return this.poller();
      const kind = this.prng.below(count === 3 ? 4 : 6);
      return kind === 0 ? this.poller() : kind < 3 ? this.watcher() : this.writer(count === 3 ? 2 : 3);
    });
    // main reads all locations, so that they exist.
    const reads = [X, N, Y].map((at): Statement => ({ op: 'read', local: 0, at }));
    return { threads, final: [...reads, ...(this.chance(8) ? [this.assertion()] : [])] };
  }

  private poller(): Statement[] {
    const before = this.chance(5) ? [this.write()] : [];
    const after = this.chance(3) ? [this.write()] : this.chance(8) ? [this.assertion()] : [];
    return [...before, ...this.poll(), ...after];
  }

  private poll(): Statement[] {
    const at = this.pick([X, X, X, Y, N]);
    const local = this.prng.below(2);
    const read: Statement = { op: 'read', local, at };
    const seen = this.until(at);
    const more = this.chance(5) ? [this.round()] : [];
    switch (this.prng.below(10)) {
      case 0:
      case 1:
        return [{ op: 'do', condition: { local, below: 1 }, body: [LOCK, read, ...more, UNLOCK] }];
      case 2:
        return [forever(LOCK, { op: 'if', condition: seen, body: [UNLOCK, LEAVE] }, UNLOCK, ...more)];
      case 3: {
        const missed: Statement[] = this.chance(4) ? [LEAVE] : [AGAIN];
        const look: Statement[] = [read, UNLOCK, ...leaveIf(local)];
        return [forever({ op: 'if', condition: { access: { op: 'trylock' }, isZero: true }, body: missed }, ...look)];
      }
      case 4:
      case 5: {
        const [enter, leave] = this.undo();
        return [forever(enter, { op: 'if', condition: seen, body: [LEAVE] }, ...more, leave)];
      }
      case 6: {
        // Two may go in together.
        const enter: Condition = { access: this.add(1), isZero: false };
        return [forever({ op: 'if', condition: enter, body: [LEAVE] }, this.add(-1))];
      }
      case 7: {
        const [enter, leave] = this.undo();
        return [{ op: 'while', condition: negate(seen), body: [enter, ...more, leave] }];
      }
      case 8: {
        // A lock of one's own: an exchange, and a store or an exchange back.
        const free = this.chance(2) ? this.set(N, 0) : this.swap(0);
        const enter: Condition = { access: { op: 'exchange', at: N, value: 1, order: 'seq_cst' }, isZero: false };
        return [forever({ op: 'if', condition: enter, body: [AGAIN] }, read, free, ...leaveIf(local))];
      }
      default:
        return [{ op: 'while', condition: negate(this.until(Y)), body: this.inner(local, read) }];
    }
  }

  private inner(local: number, read: Statement): Statement[] {
    if (this.chance(2)) return [{ op: 'do', condition: { local, below: 1 }, body: [LOCK, read, UNLOCK] }];
    return [LOCK, read, UNLOCK, ...leaveIf(local)];
  }

  /** A thread that may see what others undo, and lets them go on. */
  private watcher(): Statement[] {
    const open = this.set(this.pick([X, X, X, Y]), 1);
    const taken: Condition = { access: { op: 'trylock' }, isZero: true };
    switch (this.prng.below(9)) {
      case 0:
      case 1:
        return [{ op: 'while', condition: { access: { op: 'load', at: N }, isZero: !this.chance(4) }, body: [] }, open];
      case 2:
        return [{ op: 'while', condition: { access: { op: 'trylock' }, isZero: false }, body: [UNLOCK] }, open];
      case 3:
        return [{ op: 'if', condition: { access: { op: 'load', at: N }, isZero: false }, body: [open] }];
      case 7:
        // Forgets to unlock.
        return [LOCK, open];
      case 4:
      case 8: {
        const read: Statement = { op: 'read', local: 1, at: this.pick([X, Y]) };
        // Often, what it saw matters only once the other has given the mutex back.
        const told = this.chance(3) ? [open] : [LOCK, open, UNLOCK];
        return [
          { op: 'set', local: 0, value: 0 },
          { op: 'if', condition: taken, body: [{ op: 'set', local: 0, value: 1 }, ...told] },
          { op: 'if', condition: { local: 0, below: 1 }, body: [read, UNLOCK] },
        ];
      }
      case 5:
        return [
          LOCK,
          { op: 'while', condition: { access: { op: 'load', at: N }, isZero: true }, body: [] },
          UNLOCK,
          open,
        ];
      default:
        return [
          forever({ op: 'if', condition: { access: this.add(1), isZero: false }, body: [LEAVE] }, this.add(-1)),
          open,
        ];
    }
  }

  private writer(most: number): Statement[] {
    return Array.from({ length: 1 + this.prng.below(most) }, () => this.write()).concat(
      this.chance(3) ? [LOCK, this.write(), UNLOCK] : [],
    );
  }

  private write(): Statement {
    const at = this.pick([X, X, X, Y]);
    switch (this.prng.below(9)) {
      case 0:
        return this.set(at, 0);
      case 1:
        return { op: 'add', at: N, value: this.pick([1, 1, -1, 2]), order: this.order() };
      case 2:
        return this.chance(2) ? this.set(N, this.prng.below(2)) : this.assertion();
      case 3:
        return { op: 'if', condition: { access: { op: 'load', at: Y }, isZero: false }, body: [this.set(at, 1)] };
      default:
        return this.set(at, 1);
    }
  }

  /** Something that a round does besides, and undoes. */
  private round(): Statement {
    const [enter, leave] = this.undo();
    return { op: 'call', body: [enter, leave] };
  }

  private undo(): readonly [Statement, Statement] {
    const one = this.pick([1, 1, 2]);
    switch (this.prng.below(8)) {
      case 0:
        return [{ op: 'add', at: N, value: one, order: 'seq_cst' }, this.add(-1)];
      case 1:
        return [this.swap(one), this.swap(0)];
      case 2:
        return [this.set(N, one), this.set(N, 0)];
      case 3:
        return [this.add(1), this.chance(2) ? this.set(N, 0) : this.swap(this.prng.below(2))];
      default:
        return [this.add(one), this.add(-one)];
    }
  }

  private add(value: number): Extract<Statement, { op: 'add' }> {
    return { op: 'add', at: N, value, order: this.order() };
  }

  /** An exchange whose result does not matter. */
  private swap(value: number): Statement {
    const access: Access = { op: 'exchange', at: N, value, order: this.order() };
    return { op: 'if', condition: { access, isZero: true }, body: [] };
  }

  private until(at: number): Condition {
    return { access: { op: 'load', at }, isZero: false };
  }

  private set(at: number, value: number): Statement {
    return { op: 'store', at, value, order: this.order() };
  }

  private order(): Order {
    return this.chance(2) ? 'relaxed' : 'seq_cst';
  }

  private assertion(): Statement {
    return { op: 'assert', at: this.pick([X, N, Y]), not: this.prng.below(2), name: `a${this.names++}` };
  }

  private pick<T>(values: readonly T[]): T {
    return values[this.prng.below(values.length)]!;
  }

  private chance(n: number): boolean {
    return this.prng.below(n) === 0;
  }
}

function forever(...body: readonly Statement[]): Statement {
  return { op: 'while', condition: 'always', body };
}

function negate(condition: Condition): Condition {
  if (condition === 'always' || !('access' in condition)) throw new Error('not a condition of an access');
  return { ...condition, isZero: !condition.isZero };
}

/** Leaves the loop if the local variable is not 0. */
function leaveIf(local: number): Statement[] {
  return [{ op: 'if', condition: { local, below: 1 }, body: [AGAIN] }, LEAVE];
}
