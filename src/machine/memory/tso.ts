/**
 * Total store order: [MON] Fig. 2, [RELAXER] Fig. 4. One first-in first-out buffer per thread.
 *
 * Deviation: the figures empty the buffer inside an atomic operation or a fence. Here such an operation waits until
 * commits, which are separate steps, have emptied it: the same executions, one event per step.
 */
import type { IntVector } from '../../util/int-vector.ts';
import { stepOf } from '../state/process.ts';
import { BufferedMemory } from './buffered.ts';

export class TsoMemory extends BufferedMemory {
  override canAtomic(thread: number): boolean {
    return this.buffer.isEmpty(thread);
  }

  protected override bufferOf(thread: number): number {
    return this.processes.wholeBuffer(thread);
  }

  override commits(thread: number, steps: IntVector): void {
    if (!this.buffer.isEmpty(thread)) steps.push(stepOf(this.processes.wholeBuffer(thread)));
  }

  override nextCommit(process: number): number {
    return this.buffer.head(this.processes.owner(process));
  }
}
