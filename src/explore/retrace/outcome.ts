/** What an operation would do in another place: with other writes as the newest ones of its cells. */
import { compare32 } from '../../machine/code/arithmetic.ts';
import {
  BYTES,
  COMMITS,
  EFFECTS,
  effectsOf,
  GIVES_UP_MUTEX,
  OVERWRITTEN_HIGH,
  OVERWRITTEN_LOW,
  TAKES_MUTEX,
  WRITES,
} from '../../machine/events/effects.ts';
import * as ev from '../../machine/events/event.ts';
import type { Machine } from '../../machine/machine.ts';
import type { Awaiting } from '../../machine/run/upcoming.ts';
import type { Sequence } from './sequence.ts';

/** It would only read; it would write; it would have to wait. */
export const READ = 0;
export const WRITE = 1;
export const SHUT = 2;

// How it is decided what the operation does.
const ALWAYS_READS = 0;
const ALWAYS_WRITES = 1;
const LOCKS = 2;
const TRIES = 3;
const COMPARES = 4;
const AWAITS = 5;

export class Outcome {
  private readonly machine: Machine;
  private readonly sequence: Sequence;
  private how = ALWAYS_READS;
  private address = 0;
  /** The newest value of its bytes. */
  private low = 0;
  private high = 0;
  private expectedLow = 0;
  private expectedHigh = 0;
  private predicate = 0;
  private bound = 0;
  private blocks = false;
  private modifies = false;

  constructor(machine: Machine, sequence: Sequence) {
    this.machine = machine;
    this.sequence = sequence;
  }

  /** The operation of an event that has just happened, at the end. */
  ofEvent(event: number): void {
    const { words } = this.machine.events;
    const at = event * ev.EVENT_WORDS;
    const kind = words[at + ev.E_KIND]!;
    const does = EFFECTS[kind]!;
    const flags = words[at + ev.E_FLAGS]!;
    this.address = words[at + ev.E_ADDRESS]!;
    if ((does & WRITES) === 0) this.how = ALWAYS_READS;
    else if (kind === ev.LOCK_EVENT) this.how = LOCKS;
    else if (kind === ev.TRYLOCK_EVENT) this.how = TRIES;
    else if (kind !== ev.RMW_EVENT || (flags & ev.COMPARED) === 0) this.how = ALWAYS_WRITES;
    else {
      this.low = words[at + ev.E_READ_LOW]!;
      this.high = words[at + ev.E_READ_HIGH]!;
      this.how = (flags & ev.AWAITED) === 0 ? COMPARES : AWAITS;
      this.expectedLow = words[at + ev.E_EXPECTED_LOW]!;
      this.expectedHigh = words[at + ev.E_EXPECTED_HIGH]!;
      this.bound = words[at + ev.E_BOUND]!;
      this.predicate = words[at + ev.E_PREDICATE]!;
      this.blocks = (flags & ev.BLOCKS) !== 0;
      this.modifies = (flags & ev.MODIFIES) !== 0;
    }
  }

  /** A thread that waits for a mutex. */
  ofLock(mutex: number): void {
    this.how = LOCKS;
    this.address = mutex;
  }

  /** A thread that waits for a value. */
  ofAwait({ address, predicate, bound, modifies }: Awaiting): void {
    this.how = AWAITS;
    this.address = address;
    this.low = this.machine.read32(address);
    this.predicate = predicate;
    this.bound = bound;
    this.blocks = true;
    this.modifies = modifies;
  }

  /** Whether it writes somewhere. */
  get mayWrite(): boolean {
    return this.how !== ALWAYS_READS && (this.how !== AWAITS || this.modifies);
  }

  /** Whether it only reads somewhere. */
  get mayRead(): boolean {
    return this.how === ALWAYS_READS || this.how === TRIES || this.how === COMPARES || this.how === AWAITS;
  }

  /** What it does if the newest write of each of its cells, `count` from `from` on, is the one with this index. */
  at(cells: Int32Array, indices: Int32Array, count: number): number {
    switch (this.how) {
      case ALWAYS_READS:
        return READ;
      case ALWAYS_WRITES:
        return WRITE;
      case LOCKS:
        return this.isHeld(cells[0]!, indices[0]!) ? SHUT : WRITE;
      case TRIES:
        return this.isHeld(cells[0]!, indices[0]!) ? READ : WRITE;
      case COMPARES:
        return this.isExpected(cells, indices, count) ? WRITE : READ;
      default:
        return this.awaits(this.value(cells, indices, count));
    }
  }

  private awaits(value: number): number {
    const holds = compare32(this.predicate, 32, value, this.bound) !== 0;
    if (this.blocks && !holds) return SHUT;
    return holds && this.modifies ? WRITE : READ;
  }

  /** Whether a thread holds the mutex after its write number `index`. Data written there does not count. */
  private isHeld(cell: number, index: number): boolean {
    const { events } = this.machine;
    for (let i = index; i > 0; i--) {
      const write = this.sequence.write(cell, i);
      const kind = events.get(write, ev.E_KIND);
      const does = effectsOf(events, write);
      if ((does & TAKES_MUTEX) !== 0) return true;
      // A mutex that begins or ends here is free.
      if ((does & GIVES_UP_MUTEX) !== 0 || kind === ev.INIT_EVENT || kind === ev.DESTROY_EVENT) return false;
    }
    return false;
  }

  private isExpected(cells: Int32Array, indices: Int32Array, count: number): boolean {
    for (let i = 0; i < count; i++) {
      const start = this.sequence.cells.start(cells[i]!) - this.address;
      const end = this.sequence.cells.end(cells[i]!) - this.address;
      const next = this.nextChange(cells[i]!, indices[i]!);
      for (let byte = start; byte < end; byte++) {
        const seen = next < 0 ? byteOf(this.low, this.high, byte) : this.byteBefore(next, byte);
        if (seen !== byteOf(this.expectedLow, this.expectedHigh, byte)) return false;
      }
    }
    return true;
  }

  /** The four bytes. */
  private value(cells: Int32Array, indices: Int32Array, count: number): number {
    let value = this.low;
    for (let i = 0; i < count; i++) {
      const next = this.nextChange(cells[i]!, indices[i]!);
      if (next < 0) continue;
      const start = this.sequence.cells.start(cells[i]!) - this.address;
      const end = this.sequence.cells.end(cells[i]!) - this.address;
      for (let byte = start; byte < end; byte++)
        value = (value & ~(0xff << (8 * byte))) | (this.byteBefore(next, byte) << (8 * byte));
    }
    return value;
  }

  /** The next write that changes the bytes of the cell after its write number `index`; -1 if there is none. */
  nextChange(cell: number, index: number): number {
    const { sequence } = this;
    const { words } = this.machine.events;
    const newest = sequence.newest(cell);
    for (let i = index + 1; i <= newest; i++) {
      const write = sequence.write(cell, i);
      const at = write * ev.EVENT_WORDS;
      const isData = (EFFECTS[words[at + ev.E_KIND]!]! & (BYTES | COMMITS)) !== 0;
      if (isData && (words[at + ev.E_FLAGS]! & ev.ENDS_OBJECT) === 0) return write;
    }
    return -1;
  }

  /** The byte, counted from the operation's address, as it was before the write. */
  private byteBefore(write: number, byte: number): number {
    const { words } = this.machine.events;
    const at = write * ev.EVENT_WORDS;
    const kind = words[at + ev.E_KIND]!;
    const offset = byte + this.address - words[at + ev.E_ADDRESS]!;
    return byteOf(words[at + OVERWRITTEN_LOW[kind]!]!, words[at + OVERWRITTEN_HIGH[kind]!]!, offset);
  }
}

function byteOf(low: number, high: number, byte: number): number {
  return byte < 4 ? (low >>> (8 * byte)) & 0xff : (high >>> (8 * (byte - 4))) & 0xff;
}
