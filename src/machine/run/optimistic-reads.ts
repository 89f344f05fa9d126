/**
 * Optimistic reads, as in a seqlock: a thread reads a stamp, then data, and then whether the stamp is still the same;
 * if not, it retries ([optimistic-walk.ts](./optimistic-walk.ts)). While a thread is between its stamp and the
 * validation, no other thread writes the bytes of the stamp: a write could only make it retry, so another execution, in
 * which it begins later, shows the same. The argument is in docs/decisions/0045-optimistic-reads.md.
 *
 * That holds only if the stamp never has the same value twice. The search has to check that whenever a stamp is read
 * ([optimistic-order.ts](../../trace/optimistic-order.ts)).
 */

import { delaysStores, type ModelDescription } from '../../models/model.ts';
import { IntVector } from '../../util/int-vector.ts';
import * as op from '../code/opcodes.ts';
import { SIZES } from '../code/type-codes.ts';
import { N_ADDRESS, N_SIZE, T_EVENTS, T_FRAME, T_PC } from '../state/layout.ts';
import { type ProcessTable, processOf, type Step } from '../state/process.ts';
import type { Frames } from './frames.ts';
import { type Followed, OptimisticWalk, type WaitingReads } from './optimistic-walk.ts';

// Words of each read: the thread, the event of its stamp, the thread's operations that read and validate the stamp, its
// bytes, whether the thread may have to wait in between, and the thread's previous read, `NONE` if there is none.
const THREAD = 0;
const EVENT = 1;
const FIRST = 2;
const LAST = 3;
const ADDRESS = 4;
const SIZE = 5;
const MAY_WAIT = 6;
const BEFORE = 7;
const WORDS = 8;

const NONE = -1;

export interface Watching extends Followed {
  readonly processes: ProcessTable;
  readonly description: Pick<ModelDescription, 'buffers'>;
  readonly depth: number;
}

export class OptimisticReads {
  /** Some write has had to wait. */
  hasWaited = false;
  private readonly machine: Watching;
  private readonly frames: Frames;
  private readonly walk: OptimisticWalk;
  private readonly storesAtOnce: boolean;
  private readonly reads = new IntVector();
  /** Per thread, its newest read. */
  private readonly newest: Int32Array;
  /** Words of memory that a thread would have loaded in vain, in any execution so far. */
  readonly loadedInVain: Set<number> = new Set();

  constructor(machine: Watching, frames: Frames, waits: WaitingReads) {
    this.machine = machine;
    this.frames = frames;
    this.walk = new OptimisticWalk(machine, frames, waits);
    this.storesAtOnce = !delaysStores(machine.description);
    this.newest = new Int32Array(machine.layout.limits.threads).fill(NONE);
  }

  /** The search calls this when the thread is about to take its next operation, and not only to see where it leads. */
  begin(thread: number): void {
    const { machine, reads, newest, walk } = this;
    const { threads, code } = machine;
    if (code.words[threads.get(thread, T_PC)] !== op.LOAD || this.isOpen(thread) || !walk.begins(thread)) return;
    const index = threads.get(thread, T_EVENTS) + 1;
    const start = reads.length;
    for (const word of [thread, machine.depth, index, index + walk.operations, walk.address, walk.size])
      reads.push(word);
    reads.push(walk.mayWait ? 1 : 0);
    reads.push(newest[thread]!);
    newest[thread] = start;
  }

  /**
   * Whether the thread's next operation, a load, is in vain with what it would find now. Not within an optimistic read:
   * writers wait for its end.
   */
  isDoomed(thread: number): boolean {
    const { walk, loadedInVain } = this;
    if (this.isOpen(thread) || !walk.isDoomed(thread)) return false;
    const { loads } = walk;
    for (let i = 0; i < loads.length; i += 2) {
      const end = loads[i]! + loads[i + 1]!;
      for (let word = loads[i]! >> 2; word << 2 < end; word++) loadedInVain.add(word);
    }
    return true;
  }

  /** Forgets the reads that began with event `depth` or later. */
  undo(depth: number): void {
    const { reads, newest } = this;
    while (reads.length > 0 && reads.get(reads.length - WORDS + EVENT) >= depth) {
      const start = reads.length - WORDS;
      newest[reads.get(start + THREAD)] = reads.get(start + BEFORE);
      reads.length = start;
    }
  }

  /** Whether the thread has read a stamp that it has yet to validate. */
  isOpen(thread: number): boolean {
    const start = this.newest[thread]!;
    return start !== NONE && this.machine.threads.get(thread, T_EVENTS) < this.reads.get(start + LAST);
  }

  /** Whether another thread's stamp keeps the thread from its next operation. */
  keepsFrom(thread: number): boolean {
    if (this.reads.length === 0) return false;
    const { machine, frames } = this;
    const code = machine.code.words;
    const pc = machine.threads.get(thread, T_PC);
    const frame = machine.threads.get(thread, T_FRAME);
    switch (code[pc]) {
      case op.STORE:
        return (
          this.storesAtOnce &&
          this.covers(thread, frames.low(frame, code[pc + op.STORE_ADDRESS]!), SIZES[code[pc + op.STORE_TYPE]!]!)
        );
      case op.RMW:
        return this.covers(thread, frames.low(frame, code[pc + op.RMW_ADDRESS]!), SIZES[code[pc + op.RMW_TYPE]!]!);
      case op.CMPXCHG: {
        const address = frames.low(frame, code[pc + op.CMPXCHG_ADDRESS]!);
        return this.covers(thread, address, SIZES[code[pc + op.CMPXCHG_TYPE]!]!) && this.succeeds(frame, pc, address);
      }
      default:
        return false;
    }
  }

  /** Whether another thread's stamp keeps this entry of the thread's buffer from reaching memory. */
  keepsEntry(thread: number, entry: number): boolean {
    const { words } = this.machine.state;
    return this.reads.length > 0 && this.covers(thread, words[entry + N_ADDRESS]!, words[entry + N_SIZE]!);
  }

  /** Removes the commits of such entries from `steps`, from place `from` on. */
  removeKept(thread: number, steps: IntVector, from: number): void {
    if (this.reads.length === 0) return;
    let kept = from;
    for (let i = from; i < steps.length; i++) {
      const step: Step = steps.words[i]!;
      if (!this.keepsEntry(thread, this.machine.memory.nextCommit(processOf(step)))) steps.words[kept++] = step;
    }
    steps.length = kept;
  }

  private covers(thread: number, address: number, size: number): boolean {
    const { machine, reads, newest } = this;
    for (let other = 0; other < machine.processes.threadCount; other++) {
      if (other === thread || !this.isOpen(other)) continue;
      const start = newest[other]!;
      const stamp = reads.get(start + ADDRESS);
      if (address < stamp + reads.get(start + SIZE) && stamp < address + size) {
        this.hasWaited = true;
        return true;
      }
    }
    return false;
  }

  /** Whether the compare-exchange at `pc` would find what it expects. */
  private succeeds(frame: number, pc: number, address: number): boolean {
    const { machine, frames } = this;
    const { state } = machine;
    const code = machine.code.words;
    const size = SIZES[code[pc + op.CMPXCHG_TYPE]!]!;
    const expected = code[pc + op.CMPXCHG_EXPECTED]!;
    state.read(address, size);
    const unused = size >= 4 ? 0 : 32 - 8 * size;
    if (state.low << unused !== frames.low(frame, expected) << unused) return false;
    return size < 8 || state.high === frames.high(frame, expected);
  }

  // ---- for observers of events

  /** The read that the thread's operation number `index` begins or ends, or -1. */
  readOf(thread: number, index: number): number {
    const { reads } = this;
    const start = this.newest[thread]!;
    return start !== NONE && (reads.get(start + FIRST) === index || reads.get(start + LAST) === index) ? start : NONE;
  }

  /** Visits the reads of this execution that have ended: thread, operations that read and validate the stamp. */
  forEach(visit: (thread: number, first: number, last: number) => void): void {
    const { reads, machine } = this;
    for (let start = 0; start < reads.length; start += WORDS) {
      const thread = reads.get(start + THREAD);
      const last = reads.get(start + LAST);
      if (machine.threads.get(thread, T_EVENTS) >= last) visit(thread, reads.get(start + FIRST), last);
    }
  }

  /** The event that read its stamp. */
  stampOf(read: number): number {
    return this.reads.get(read + EVENT);
  }

  mayWait(read: number): boolean {
    return this.reads.get(read + MAY_WAIT) === 1;
  }
}
