/**
 * Partial store load order: [RELAXER] Fig. 6. PSO, except that a load may also return a value that memory held earlier,
 * as if it had run before the loads and stores that precede it in its thread.
 *
 *   paper                          here
 *   S[p][a], store history         the entries of the commit log that overlap a, from the newest back to the first
 *                                  that p may not pass
 *   remove older values from S     p's `seen` bit on the entry whose value it read: it may no longer pass that one
 *   S[p][a].clear() at a commit    p's `seen` bit on the entry p wrote
 *   membar_ll: S[p][*] = {m[*]}    p's floor: entries below it may not be passed
 *
 * Deviations
 *   - store–store barriers are exact, as in PSO; load–load barriers are acquire loads, acquire and stronger fences,
 *     read-modify-writes with acquire, locking, thread start and join; with `unlockOrdersLoads` also unlocking.
 *   - values have sizes: a stale load sees memory as it was just before some write that overlaps it. A thread that has
 *     read part of a wider write counts as having seen all of it (may miss behaviours of mixed-size programs).
 */

import type { IntVector } from '../../util/int-vector.ts';
import { LIMIT_CHOICES } from '../code/error.ts';
import { ACQUIRES, type OrderCode } from '../code/order.ts';
import { reachLimit } from '../state/fault.ts';
import {
  C_ADDRESS,
  C_OLD_HIGH,
  C_OLD_LOW,
  C_SEEN,
  C_SIZE,
  C_UNDEFINED_HIGH,
  C_UNDEFINED_LOW,
  GRANULE_SHIFT,
  H_COMMITS,
  H_WAITING,
  T_FLOOR,
} from '../state/layout.ts';
import { MAX_CHOICES } from '../state/process.ts';
import { PsoMemory } from './pso.ts';

export class PsloMemory extends PsoMemory {
  private entry(commit: number): number {
    return this.layout.commits + commit * (C_SEEN + this.layout.seenWords);
  }

  private floor(thread: number): number {
    return this.threads.get(thread, T_FLOOR);
  }

  /** The thread can no longer read values that are stale now. */
  private raiseFloor(thread: number): void {
    this.threads.set(thread, T_FLOOR, this.words[H_COMMITS]!);
  }

  private hasSeen(thread: number, commit: number): boolean {
    return ((this.words[this.entry(commit) + C_SEEN + (thread >> 5)]! >>> (thread & 31)) & 1) === 1;
  }

  private markSeen(thread: number, commit: number): void {
    const word = this.entry(commit) + C_SEEN + (thread >> 5);
    this.state.set(word, this.words[word]! | (1 << (thread & 31)));
  }

  private touches(commit: number, address: number, size: number): boolean {
    const entry = this.entry(commit);
    const start = this.words[entry + C_ADDRESS]!;
    return start < address + size && address < start + this.words[entry + C_SIZE]!;
  }

  /** The newest write below number `before` that overlaps the range, or -1. */
  private previous(before: number, address: number, size: number): number {
    let commit = before - 1;
    while (commit >= 0 && !this.touches(commit, address, size)) commit--;
    return commit;
  }

  override loadChoices(thread: number, address: number, size: number): number {
    if (this.buffer.newestOverlap(thread, address, size) !== 0) return 1;
    const floor = this.floor(thread);
    let choices = 1;
    let commit = this.previous(this.words[H_COMMITS]!, address, size);
    while (commit >= floor && !this.hasSeen(thread, commit) && choices < MAX_CHOICES) {
      choices++;
      commit = this.previous(commit, address, size);
    }
    return choices;
  }

  /** Choice k reads memory as it was before the k newest writes to the range. */
  protected override loadFromMemory(thread: number, address: number, size: number, choice: number): void {
    const { state } = this;
    state.read(address, size);
    this.undefinedBits.read(address, size);
    // There may be older values that no choice stands for.
    if (choice === MAX_CHOICES - 1) reachLimit(state, LIMIT_CHOICES);
    let asOf = this.words[H_COMMITS]!;
    for (let k = 0; k < choice; k++) {
      asOf = this.previous(asOf, address, size);
      this.undo(asOf, address, size);
    }
    this.asOf = asOf;
    const source = this.previous(asOf, address, size);
    if (source >= 0 && !this.hasSeen(thread, source)) this.markSeen(thread, source);
  }

  /** Puts back into `state.low/high`, which hold the range, the bytes that write number `commit` replaced. */
  private undo(commit: number, address: number, size: number): void {
    const { state, words } = this;
    const entry = this.entry(commit);
    const start = words[entry + C_ADDRESS]!;
    const end = start + words[entry + C_SIZE]!;
    for (let i = 0; i < size; i++) {
      const at = address + i;
      if (at < start || at >= end) continue;
      const from = at - start;
      const byte = (words[entry + (from < 4 ? C_OLD_LOW : C_OLD_HIGH)]! >>> (8 * (from & 3))) & 0xff;
      const undefinedBits =
        (words[entry + (from < 4 ? C_UNDEFINED_LOW : C_UNDEFINED_HIGH)]! >>> (8 * (from & 3))) & 0xff;
      const shift = 8 * (i & 3);
      const others = ~(0xff << shift);
      if (i < 4) {
        state.low = (state.low & others) | (byte << shift);
        state.undefinedLow = (state.undefinedLow & others) | (undefinedBits << shift);
      } else {
        state.high = (state.high & others) | (byte << shift);
        state.undefinedHigh = (state.undefinedHigh & others) | (undefinedBits << shift);
      }
    }
  }

  protected override afterLoad(thread: number, order: OrderCode): void {
    if (ACQUIRES[order] === 1) this.raiseFloor(thread);
  }

  override canStore(): boolean {
    // Every buffered store will need an entry of the log, too.
    return super.canStore() && this.words[H_COMMITS]! + this.words[H_WAITING]! < this.layout.limits.commits;
  }

  protected override writeMemory(thread: number, address: number, size: number, low: number, high: number): void {
    const { state } = this;
    const commit = this.words[H_COMMITS]!;
    const entry = this.entry(commit);
    const { undefinedLow, undefinedHigh } = state;
    state.read(address, size);
    if (size > 0) this.undefinedBits.read(address, size);
    state.set(entry + C_UNDEFINED_LOW, state.undefinedLow);
    state.set(entry + C_UNDEFINED_HIGH, state.undefinedHigh);
    state.undefinedLow = undefinedLow;
    state.undefinedHigh = undefinedHigh;
    state.set(entry + C_ADDRESS, address);
    state.set(entry + C_SIZE, size);
    state.set(entry + C_OLD_LOW, state.low);
    state.set(entry + C_OLD_HIGH, state.high);
    for (let word = 0; word < this.layout.seenWords; word++) state.set(entry + C_SEEN + word, 0);
    super.writeMemory(thread, address, size, low, high);
    this.markSeen(thread, commit);
  }

  override afterAtomic(thread: number, address: number, size: number, order: OrderCode): void {
    if (ACQUIRES[order] === 1) return this.raiseFloor(thread);
    const source = this.previous(this.words[H_COMMITS]!, address, size);
    if (source >= 0 && !this.hasSeen(thread, source)) this.markSeen(thread, source);
  }

  override fence(thread: number, order: OrderCode): void {
    super.fence(thread, order);
    if (ACQUIRES[order] === 1) this.raiseFloor(thread);
  }

  override synchronise(thread: number): void {
    this.raiseFloor(thread);
  }

  override afterUnlock(thread: number): void {
    if (this.model.unlockOrdersLoads) this.raiseFloor(thread);
  }

  override encode(out: IntVector): void {
    super.encode(out);
    for (const thread of this.processes.slotsInNameOrder) {
      if (!this.threads.exists(thread)) continue;
      for (const writes of this.passable(thread)) {
        for (const commit of writes) {
          const entry = this.entry(commit);
          out.push(this.words[entry + C_ADDRESS]!);
          out.push(2 * this.words[entry + C_SIZE]! + (this.hasSeen(thread, commit) ? 1 : 0));
        }
      }
      out.push(-1);
    }
  }

  /**
   * What the thread's loads can tell apart in the log: per object, by address, the writes above the floor, oldest
   * first. No access spans two objects, so the order of writes to different objects carries no information; within an
   * object it does, since one load can overlap several writes. Leaves out writes covered by a later one that the thread
   * has seen, which no load reaches, and seen writes with nothing left before them, where loads stop in any case.
   */
  private passable(thread: number): readonly (readonly number[])[] {
    const { words, layout } = this;
    const writes = new Map<number, number[]>();
    for (let commit = this.floor(thread); commit < words[H_COMMITS]!; commit++) {
      const entry = this.entry(commit);
      if (words[entry + C_SIZE] === 0) continue;
      const object = Math.abs(words[layout.shadow + (words[entry + C_ADDRESS]! >> GRANULE_SHIFT)]!);
      const older = writes.get(object) ?? [];
      const kept = this.hasSeen(thread, commit) ? older.filter((c) => !this.covers(commit, c)) : older;
      kept.push(commit);
      while (kept.length > 0 && this.hasSeen(thread, kept[0]!)) kept.shift();
      writes.set(object, kept);
    }
    return [...writes].sort(([a], [b]) => a - b).map(([, kept]) => kept);
  }

  /** Whether write number `commit` overlaps every byte of `other`. */
  private covers(commit: number, other: number): boolean {
    const [a, b] = [this.entry(commit), this.entry(other)];
    const [start, from] = [this.words[a + C_ADDRESS]!, this.words[b + C_ADDRESS]!];
    return start <= from && from + this.words[b + C_SIZE]! <= start + this.words[a + C_SIZE]!;
  }
}
