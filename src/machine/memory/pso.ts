/**
 * Partial store order: [MON] Fig. 3, [RELAXER] Fig. 5. One first-in first-out buffer per thread and location, kept as
 * one list per thread from which any entry may leave that nothing before it holds back.
 *
 * Deviations
 *   - store–store barriers are exact: an entry stays behind every entry from before a barrier that precedes it, and
 *     the thread goes on. The papers empty all buffers instead, which loses behaviours.
 *   - an atomic operation with release semantics waits for all buffers; one without waits, as in the papers, for the
 *     location's own, and for what a barrier has put before it.
 */

import type { IntVector } from '../../util/int-vector.ts';
import { N_ADDRESS, N_EPOCH } from '../layout.ts';
import { type OrderCode, RELEASES } from '../order.ts';
import { stepOf } from '../process.ts';
import { BufferedMemory } from './buffered.ts';
import type { Model } from './memory.ts';

export class PsoMemory extends BufferedMemory {
  override readonly model: Model = 'pso';

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

  override store(
    thread: number,
    address: number,
    size: number,
    low: number,
    high: number,
    order: OrderCode,
    index: number,
    site: number,
  ): boolean {
    // Its buffer gets its number now, while there is room for it.
    this.processes.locationBuffer(thread, address);
    return super.store(thread, address, size, low, high, order, index, site);
  }

  override free(thread: number, address: number, size: number, index: number, site: number): boolean {
    this.processes.locationBuffer(thread, address);
    return super.free(thread, address, size, index, site);
  }

  override commits(thread: number, steps: IntVector): void {
    const { buffer } = this;
    const head = buffer.head(thread);
    // The list is in program order, so entries free of barriers are those of the head's epoch.
    for (let e = head; e !== 0 && this.words[e + N_EPOCH] === this.words[head + N_EPOCH]; e = buffer.next(e)) {
      if (buffer.isFirstOfItsBytes(thread, e)) {
        steps.push(stepOf(this.processes.locationBuffer(thread, this.words[e + N_ADDRESS]!)));
      }
    }
  }

  override nextCommit(process: number): number {
    const { buffer } = this;
    const thread = this.processes.owner(process);
    const address = this.processes.location(process);
    const head = buffer.head(thread);
    for (let e = head; e !== 0 && this.words[e + N_EPOCH] === this.words[head + N_EPOCH]; e = buffer.next(e)) {
      if (this.words[e + N_ADDRESS] === address) return buffer.isFirstOfItsBytes(thread, e) ? e : 0;
    }
    return 0;
  }
}
