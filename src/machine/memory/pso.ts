/**
 * Partial store order: [MON] Fig. 3, [RELAXER] Fig. 5. One first-in first-out buffer per thread and location, kept as
 * one list per thread from which any entry may leave unless an earlier one holds it back.
 *
 * Deviations
 *   - store–store barriers are exact: an entry stays behind every entry from before a barrier that precedes it, and
 *     the thread continues. The papers empty all buffers instead, which loses behaviours.
 *   - an atomic operation with release semantics waits for all buffers; one without waits, as in the papers, for its
 *     own location's buffer, and for the entries that a barrier orders before it.
 */

import type { IntVector } from '../../util/int-vector.ts';
import { type OrderCode, RELEASES } from '../code/order.ts';
import { N_EPOCH, N_PROCESS } from '../state/layout.ts';
import { stepOf } from '../state/process.ts';
import { BufferedMemory } from './buffered.ts';

export class PsoMemory extends BufferedMemory {
  override canAtomic(thread: number, address: number, size: number, order: OrderCode): boolean {
    const { buffer } = this;
    const head = buffer.head(thread);
    if (head === 0) return true;
    if (RELEASES[order] === 1) return false;
    if (this.words[head + N_EPOCH] !== buffer.epoch(thread)) return false;
    return buffer.newestOverlap(thread, address, size) === 0;
  }

  override canStore(): boolean {
    return super.canStore() && this.processes.hasRoom;
  }

  /** The buffer gets its number at the store, while there still is room for one. */
  protected override bufferOf(thread: number, address: number): number {
    return this.processes.locationBuffer(thread, address);
  }

  override commits(thread: number, steps: IntVector): void {
    const { buffer, words } = this;
    const head = buffer.head(thread);
    const epoch = words[head + N_EPOCH];
    // The list is in program order, so no barrier holds back the entries of the head's epoch.
    for (let e = head; e !== 0 && words[e + N_EPOCH] === epoch; e = buffer.next(e)) {
      if (buffer.isFirstOfItsBytes(e)) steps.push(stepOf(words[e + N_PROCESS]!));
    }
  }

  override nextCommit(process: number): number {
    const { buffer, words } = this;
    const thread = this.processes.owner(process);
    const head = buffer.head(thread);
    const epoch = words[head + N_EPOCH];
    for (let e = head; e !== 0 && words[e + N_EPOCH] === epoch; e = buffer.next(e)) {
      if (words[e + N_PROCESS] === process) return buffer.isFirstOfItsBytes(e) ? e : 0;
    }
    return 0;
  }
}
