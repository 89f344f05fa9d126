/**
 * The reversals of the operation that the sequence has begun: every event before which it could have come and written.
 * With S = G.a.w, the reversal of q and a is the node G.D.q, where D is what q happens after in a.w. It is explored only
 * if everything that it cuts off was added canonically (the test of rule 3 in [retrace.ts](./retrace.ts)).
 */
import { WRITES } from '../../machine/events/effects.ts';
import * as ev from '../../machine/events/event.ts';
import type { Machine } from '../../machine/machine.ts';
import { type Outcome, WRITE } from './outcome.ts';
import { followsHead, type Limit, type PendingList, pendingOf } from './pending.ts';
import { has } from './rows.ts';
import {
  FROM_BUFFER,
  NOT_WRITTEN,
  R_CELL,
  R_EVENT,
  R_PLACE,
  R_SOURCE,
  RECORD_WORDS,
  type Sequence,
  storeName,
} from './sequence.ts';

/** G.D.q: the steps of D and then of q, in place of everything from the event after G on. */
export interface Reversal {
  /** Per event of D: its step, how many cells it reads, and for each where it starts and ends and its source's name. */
  readonly steps: readonly number[];
  /** The process of q, and which way it goes where it has several. */
  readonly process: number;
  /** The process of the event after G, whose operation is postponed. */
  readonly postponed: number;
  readonly choice: number;
  /** The lowest byte that both access, and where its cell ends. */
  readonly low: number;
  readonly lowEnd: number;
  /** The bytes of the postponed operation, if they are several cells. */
  readonly ranges: readonly Limit[];
}

/** What tests turn off, to see that others notice (`planted bugs`). */
export interface Rules {
  /** The test: nothing that is cut off was starred. */
  readonly stars: boolean;
  /** The test: nothing that is cut off reads what the rest overwrites. */
  readonly overwritten: boolean;
  /** A postponed read may not read what it could have read before. */
  readonly bounds: boolean;
  /** Operations that wait at the end are reversed, too. */
  readonly waiting: boolean;
  /** Reads that wait are placed when nothing else is left. */
  readonly late: boolean;
  /** A postponed operation has the next turn. */
  readonly nextTurn: boolean;
  /** With several sizes: every set of events that can come before the reversal. */
  readonly allPasts: boolean;
  /** With several sizes: the order in which one operation is postponed several times. */
  readonly units: boolean;
}

const NONE: readonly never[] = [];

export const ALL_RULES: Rules = {
  stars: true,
  overwritten: true,
  bounds: true,
  waiting: true,
  late: true,
  nextTurn: true,
  allPasts: true,
  units: true,
};

export class Reversals {
  private readonly machine: Machine;
  private readonly sequence: Sequence;
  private readonly outcome: Outcome;
  private readonly rules: Rules;
  private readonly indices = new Int32Array(1);
  /** The pending list at the time of an event. */
  private readonly pendingAt: (event: number) => PendingList;
  private readonly found: (event: number, reversal: Reversal) => void;

  constructor(
    machine: Machine,
    sequence: Sequence,
    outcome: Outcome,
    rules: Rules,
    pendingAt: (event: number) => PendingList,
    found: (event: number, reversal: Reversal) => void,
  ) {
    this.machine = machine;
    this.sequence = sequence;
    this.outcome = outcome;
    this.rules = rules;
    this.pendingAt = pendingAt;
    this.found = found;
  }

  /** Finds those of the operation that the sequence has begun and that `outcome` describes. */
  find(): void {
    const { sequence } = this;
    const { opCells } = sequence;
    if (opCells.length === 0 || sequence.opForwards) return;
    const newest = this.newestKept(sequence.opPast, sequence.opOverwritten);
    if (opCells.length === 1) this.findInCell(opCells.words[0]!, newest);
    else this.findInCells(newest);
  }

  /**
   * The newest event that is starred, or read what an event of `past` or of the operation's past overwrote, and is not
   * in `past`: the reversals with newer events pass the test, all others do not.
   */
  private newestKept(past: Int32Array, overwritten: Int32Array): number {
    const { sequence, rules } = this;
    for (let w = (sequence.length - 1) >> 5; w >= 0; w--) {
      const starred = rules.stars ? sequence.starred[w]! : 0;
      const read = rules.overwritten ? overwritten[w]! : 0;
      const bits = (starred | read) & ~past[w]!;
      if (bits !== 0) return (w << 5) + 31 - Math.clz32(bits);
    }
    return -1;
  }

  private findInCell(cell: number, newest: number): void {
    const { sequence, outcome, indices } = this;
    const { opPast, opThread, opCells } = sequence;
    const accesses = sequence.cells.accesses[cell]!;
    const records = sequence.records.words;
    const low = sequence.cells.start(cell);
    for (let i = accesses.length - 1; i >= 0; i--) {
      const record = accesses.words[i]!;
      const place = records[record + R_PLACE]!;
      if (place === FROM_BUFFER) continue;
      const event = records[record + R_EVENT]!;
      if (event <= newest) return;
      if (has(opPast, event)) {
        if (place !== NOT_WRITTEN) return;
        continue;
      }
      if (sequence.threadOf(event) === opThread) continue;
      indices[0] = place === NOT_WRITTEN ? records[record + R_SOURCE]! : place - 1;
      if (outcome.at(opCells.words, indices, 1) !== WRITE) continue;
      if (this.isInOrder(event, low)) this.found(event, this.reversal(event, opPast, low));
    }
  }

  /** Whether `event`, which may have been postponed before, would be postponed in the order of lowest bytes. */
  private isInOrder(event: number, low: number): boolean {
    const { sequence, rules } = this;
    const list = this.pendingAt(event);
    if (list.length === 0 || !rules.units) return true;
    const units = pendingOf(list, sequence.processOf(event))?.units;
    if (units === undefined) return true;
    for (let i = units.length - 1; i >= 0; i--) {
      if (followsHead(sequence, units[i]!.head)) return true;
      if (units[i]!.low > low) return false;
    }
    return true;
  }

  // ---- accesses of several cells

  private findInCells(newest: number): void {
    const { sequence } = this;
    for (let event = sequence.length - 1; event >= 0; event--) {
      if (has(sequence.opPast, event) || sequence.threadOf(event) === sequence.opThread) continue;
      const low = this.lowestCommon(event);
      if (low >= 0) this.findBefore(event, low, newest);
    }
  }

  /** The lowest byte that the event and the operation both access; -1 if there is none. */
  private lowestCommon(event: number): number {
    const { sequence } = this;
    let low = -1;
    const end = sequence.recordsFrom(event + 1);
    for (let record = sequence.recordsFrom(event); record < end; record += RECORD_WORDS) {
      if (sequence.record(record, R_EVENT) !== event) continue;
      const cell = sequence.record(record, R_CELL);
      for (let i = 0; i < sequence.opCells.length; i++) {
        if (sequence.opCells.words[i] !== cell || (sequence.opAccess.words[i]! & WRITES) === 0) continue;
        const start = sequence.cells.start(cell);
        if (low < 0 || start < low) low = start;
      }
    }
    return low;
  }

  /** Writes to the operation's other cells may come before it or not: one reversal for each closed set without `event`. */
  private findBefore(event: number, low: number, newest: number): void {
    const { sequence, rules } = this;
    const first: Choice = { past: sequence.opPast.slice(), overwritten: sequence.opOverwritten.slice() };
    const choices = [first];
    const known = new Set([keyFrom(first.past, event)]);
    for (let c = 0; c < choices.length && rules.allPasts; c++) {
      for (let i = 0; i < sequence.opCells.length; i++) {
        const more = this.withNextWrite(choices[c]!, sequence.opCells.get(i), event);
        if (more === undefined) continue;
        const key = keyFrom(more.past, event);
        if (known.has(key)) continue;
        known.add(key);
        choices.push(more);
      }
    }
    for (const [c, { past, overwritten }] of choices.entries()) {
      if (event <= (c === 0 ? newest : this.newestKept(past, overwritten))) continue;
      if (!this.writesAfter(event, past)) continue;
      if (this.isInOrder(event, low)) this.found(event, this.reversal(event, past, low));
    }
  }

  private withNextWrite(choice: Choice, cell: number, event: number): Choice | undefined {
    const { sequence } = this;
    const { words, length } = sequence.cells.writes[cell]!;
    for (let i = 1; i < length; i++) {
      const write = words[i]!;
      if (write < event || has(choice.past, write)) continue;
      if (write === event || sequence.past.has(write, event)) return undefined;
      const past = choice.past.slice();
      const overwritten = choice.overwritten.slice();
      const row = write * sequence.past.stride;
      for (let w = 0; w < past.length; w++) {
        past[w]! |= sequence.past.words[row + w]!;
        overwritten[w]! |= sequence.overwritten.words[row + w]!;
      }
      past[write >> 5]! |= 1 << (write & 31);
      return { past, overwritten };
    }
    return undefined;
  }

  private writesAfter(event: number, past: Int32Array): boolean {
    const { sequence, outcome } = this;
    const { opCells } = sequence;
    const indices = new Int32Array(opCells.length);
    for (let i = 0; i < indices.length; i++) {
      const { words, length } = sequence.cells.writes[opCells.get(i)]!;
      let index = length - 1;
      while (index > 0 && words[index]! >= event && !has(past, words[index]!)) index--;
      indices[i] = index;
    }
    return outcome.at(opCells.words, indices, indices.length) === WRITE;
  }

  // ---- as data

  private reversal(event: number, past: Int32Array, low: number): Reversal {
    const { sequence, machine } = this;
    const steps: number[] = [];
    for (let w = event >> 5; w < past.length; w++) {
      let bits = past[w]!;
      if (w === event >> 5) bits &= -1 << (event & 31);
      while (bits !== 0) {
        const bit = bits & -bits;
        bits ^= bit;
        pushStep(machine, sequence, (w << 5) + 31 - Math.clz32(bit), steps);
      }
    }
    return {
      steps,
      process: sequence.opProcess,
      postponed: sequence.processOf(event),
      choice: 0,
      low,
      lowEnd: sequence.cells.end(sequence.cells.at(low)),
      ranges: this.rangesOf(event),
    };
  }

  private rangesOf(event: number): readonly Limit[] {
    const { sequence } = this;
    const { cells } = sequence;
    const from = sequence.recordsFrom(event);
    const end = sequence.recordsFrom(event + 1);
    if (end === from + RECORD_WORDS) return NONE;
    const ranges: Limit[] = [];
    for (let record = from; record < end; record += RECORD_WORDS) {
      const cell = sequence.record(record, R_CELL);
      if (sequence.record(record, R_EVENT) === event)
        ranges.push({ start: cells.start(cell), end: cells.end(cell), index: 0 });
    }
    return ranges.length > 1 ? ranges : NONE;
  }
}

interface Choice {
  readonly past: Int32Array;
  readonly overwritten: Int32Array;
}

function keyFrom(past: Int32Array, event: number): string {
  const words: number[] = [];
  for (let w = event >> 5; w < past.length; w++)
    words.push(w === event >> 5 ? past[w]! & (-1 << (event & 31)) : past[w]!);
  return words.join();
}

/** Appends the step of an event: the step, how many cells it reads without writing them, where they start, their sources. */
function pushStep(machine: Machine, sequence: Sequence, event: number, out: number[]): void {
  out.push(machine.events.get(event, ev.E_STEP));
  const count = out.length;
  out.push(0);
  const end = sequence.recordsFrom(event + 1);
  for (let record = sequence.recordsFrom(event); record < end; record += RECORD_WORDS) {
    if (sequence.record(record, R_PLACE) !== NOT_WRITTEN) continue;
    const cell = sequence.record(record, R_CELL);
    const source = sequence.write(cell, sequence.record(record, R_SOURCE));
    out[count]!++;
    out.push(sequence.cells.start(cell));
    out.push(sequence.cells.end(cell));
    out.push(storeName(machine.events, source));
  }
}
