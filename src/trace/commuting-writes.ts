/**
 * Consecutive writes to the same bytes that commute, with no other write between them: what would the bytes hold
 * without some of them? The order of the remaining ones does not matter.
 */
import { ADDS, CLEARS, SETS } from '../machine/code/commuting.ts';
import * as ev from '../machine/events/event.ts';

/** Limits on the values and sets that are examined. */
const MAX_VALUES = 1 << 14;
const MAX_SETS = 1 << 12;

/** A thread waits for a value that too many commuting operations have written. */
export class CommutingWait extends Error {
  override readonly name = 'CommutingWait';
}

export class CommutingWrites {
  private readonly events: ev.EventLog;
  private readonly class: number;
  /** Newest first. */
  private readonly writes: readonly number[];
  private readonly happensBefore: (first: number, second: number) => boolean;

  constructor(
    events: ev.EventLog,
    commutes: number,
    writes: readonly number[],
    happensBefore: (first: number, second: number) => boolean,
  ) {
    this.events = events;
    this.class = commutes;
    this.writes = writes;
    this.happensBefore = happensBefore;
  }

  /** What the bytes hold after only these of the writes. */
  valueOf(kept: readonly number[]): bigint {
    const { events } = this;
    const oldest = this.writes.at(-1)!;
    let value = read(events, oldest, ev.E_READ_LOW, ev.E_READ_HIGH);
    for (const write of kept) value = this.apply(write, value);
    return BigInt.asUintN(8 * events.get(oldest, ev.E_SIZE), value);
  }

  private apply(write: number, value: bigint): bigint {
    const { events } = this;
    const operand = read(events, write, ev.E_OPERAND_LOW, ev.E_OPERAND_HIGH);
    if (this.class === CLEARS) return value & operand;
    if (this.class === SETS) return value | operand;
    const [before, after] = [
      read(events, write, ev.E_READ_LOW, ev.E_READ_HIGH),
      read(events, write, ev.E_NEW_LOW, ev.E_NEW_HIGH),
    ];
    return this.class === ADDS ? value + after - before : value ^ before ^ after;
  }

  /**
   * Visits every set of writes that can be undone, closed under writes that happen after a member, and whose removal
   * leaves a wanted value. Prunes a set as soon as no choice among the remaining writes can lead to a wanted value: a
   * thread that waits for all of n arrivals takes n values, not 2^n sets.
   */
  forEachSet(
    canGo: (write: number) => boolean,
    isWanted: (value: bigint) => boolean,
    visit: (removed: readonly number[], value: bigint) => void,
  ): void {
    const { writes } = this;
    const free = writes.map(canGo);
    if (!free.includes(true)) return;
    const base = this.valueOf([]);
    const oldestFree = free.lastIndexOf(true);
    // Writes older than the oldest one that can be undone stay.
    const old = writes.slice(oldestFree + 1);
    const young = writes.slice(0, oldestFree + 1);
    const after = young.map((first) => young.filter((second) => first !== second && this.happensBefore(first, second)));
    const promising = this.promising(young, free, isWanted);
    const removed: number[] = [];
    let sets = 0;
    const go = (i: number, value: bigint): void => {
      if (!promising(i, value)) return;
      if (i === young.length) {
        if (removed.length === 0) return;
        if (++sets > MAX_SETS) throw new CommutingWait('a thread waits for the sum of many writes');
        visit([...removed], value);
        return;
      }
      const write = young[i]!;
      if (free[i] && after[i]!.every((later) => removed.includes(later))) {
        removed.push(write);
        go(i + 1, value);
        removed.pop();
      }
      go(i + 1, this.next(write, value));
    };
    go(
      0,
      old.reduce((value, write) => this.next(write, value), base),
    );
  }

  /** Whether some choice among the writes from number i on leads from this value to a wanted one. */
  private promising(
    writes: readonly number[],
    free: readonly boolean[],
    isWanted: (value: bigint) => boolean,
  ): (i: number, value: bigint) => boolean {
    const known = Array.from({ length: writes.length + 1 }, () => new Map<bigint, boolean>());
    let values = 0;
    const promising = (i: number, value: bigint): boolean => {
      const answer = known[i]!.get(value);
      if (answer !== undefined) return answer;
      if (++values > MAX_VALUES) throw new CommutingWait('a thread waits for the sum of many different writes');
      const found =
        i === writes.length
          ? isWanted(value)
          : promising(i + 1, this.next(writes[i]!, value)) || (free[i]! && promising(i + 1, value));
      known[i]!.set(value, found);
      return found;
    };
    return promising;
  }

  /** What the bytes hold after this write. */
  private next(write: number, value: bigint): bigint {
    return BigInt.asUintN(8 * this.events.get(write, ev.E_SIZE), this.apply(write, value));
  }
}

function read(events: ev.EventLog, event: number, low: number, high: number): bigint {
  const bytes = (BigInt(events.get(event, high)) << 32n) | BigInt(events.get(event, low) >>> 0);
  return BigInt.asUintN(8 * events.get(event, ev.E_SIZE), bytes);
}
