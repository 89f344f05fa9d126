/**
 * Which steps of a machine have to wait for a given order
 * ([decision 43](../../../../docs/decisions/0043-parts-by-orders.md)).
 */
import type { Machine } from '../../../machine/machine.ts';
import { N_NEXT, N_STORE, T_EVENTS, T_HEAD } from '../../../machine/state/layout.ts';
import { type EventName, type FixedOrder, NO_ORDERS } from '../../../trace/fixed-orders.ts';
import type { IntVector } from '../../../util/int-vector.ts';
import { processOf, type Step } from '../../runnable.ts';

export class HeldBack {
  orders: readonly FixedOrder[] = NO_ORDERS;
  private readonly machine: Machine;

  constructor(machine: Machine) {
    this.machine = machine;
  }

  /** Removes the steps of this thread, or of its buffers, that have to wait; returns whether there were any. */
  remove(thread: number, steps: IntVector): boolean {
    let kept = 0;
    const { words, length } = steps;
    for (let i = 0; i < length; i++) if (!this.has(thread, words[i]!)) words[kept++] = words[i]!;
    steps.length = kept;
    return kept < length;
  }

  /** Whether this step, by the thread or one of its buffers, has to wait. */
  has(thread: number, step: Step): boolean {
    for (const { first, second } of this.orders) {
      if (second.thread === thread && this.isNext(second, step) && !this.hasHappened(first)) return true;
    }
    return false;
  }

  private isNext({ thread, index, isUpdate }: EventName, step: Step): boolean {
    const { machine } = this;
    const process = processOf(step);
    if (machine.processes.isThread(process)) return !isUpdate && machine.threads.get(thread, T_EVENTS) === index - 1;
    return isUpdate && machine.state.words[machine.memory.nextCommit(process) + N_STORE] === index;
  }

  private hasHappened({ thread, index, isUpdate }: EventName): boolean {
    const { machine } = this;
    if (thread >= machine.processes.threadCount || machine.threads.get(thread, T_EVENTS) < index) return false;
    if (!isUpdate) return true;
    const { words } = machine.state;
    for (let entry = machine.threads.get(thread, T_HEAD); entry !== 0; entry = words[entry + N_NEXT]!) {
      if (words[entry + N_STORE] === index) return false;
    }
    return true;
  }
}
