/**
 * Writes to the same bytes that commute, one after the other with no other write between them: what the bytes would hold
 * without some of them. The order of those that stay does not matter.
 */
import { ADDS, CLEARS, SETS } from '../machine/code/commuting.ts';
import * as ev from '../machine/events/event.ts';

/** Of more writes than this, not every set is examined. */
const MAX_WRITES = 12;

/** A thread waits for what too many operations that commute have written. */
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

  /** What the bytes hold after these of the writes alone. */
  valueOf(kept: readonly number[]): bigint {
    const { events } = this;
    const oldest = this.writes.at(-1)!;
    let value = read(events, oldest, ev.E_LOW, ev.E_HIGH);
    for (const write of kept) value = this.apply(write, value);
    return BigInt.asUintN(8 * events.get(oldest, ev.E_SIZE), value);
  }

  private apply(write: number, value: bigint): bigint {
    const { events } = this;
    const operand = read(events, write, ev.E_OPERAND_LOW, ev.E_OPERAND_HIGH);
    if (this.class === CLEARS) return value & operand;
    if (this.class === SETS) return value | operand;
    const [before, after] = [
      read(events, write, ev.E_LOW, ev.E_HIGH),
      read(events, write, ev.E_NEW_LOW, ev.E_NEW_HIGH),
    ];
    return this.class === ADDS ? value + after - before : value ^ before ^ after;
  }

  /** Every set of writes that can be undone, with all writes that happen after them; and the value without it. */
  forEachSet(canGo: (write: number) => boolean, visit: (removed: readonly number[], value: bigint) => void): void {
    const { writes } = this;
    const free = writes.filter(canGo);
    if (free.length > MAX_WRITES) throw new CommutingWait('a thread waits for the sum of many writes');
    const after = free.map((first) => writes.filter((second) => first !== second && this.happensBefore(first, second)));
    for (let set = 1; set < 1 << free.length; set++) {
      const removed = free.filter((_, i) => (set & (1 << i)) !== 0);
      const isClosed = free.every((_, i) => (set & (1 << i)) === 0 || after[i]!.every((w) => removed.includes(w)));
      if (isClosed) visit(removed, this.valueOf(writes.filter((w) => !removed.includes(w))));
    }
  }
}

function read(events: ev.EventLog, event: number, low: number, high: number): bigint {
  const bytes = (BigInt(events.get(event, high)) << 32n) | BigInt(events.get(event, low) >>> 0);
  return BigInt.asUintN(8 * events.get(event, ev.E_SIZE), bytes);
}
