/**
 * Whose turn it is: any function of the sequence would do. Threads go in an order that begins with their numbers; each
 * one's buffers before itself. After a reversal, the two threads concerned go to the back, because what they do next is
 * where most later executions differ.
 */
import type { Machine } from '../../machine/machine.ts';
import { RUNNABLE, T_HEAD, T_STATUS } from '../../machine/state/layout.ts';
import { IntVector } from '../../util/int-vector.ts';
import { type Step, stepOf } from '../runnable.ts';
import type { Sequence } from './sequence.ts';

/** After this many events of one thread, another gets a turn: a thread that polls would never let others go on. */
const MAX_STREAK = 200;

export class Turns {
  private readonly machine: Machine;
  private readonly sequence: Sequence;
  private readonly order: Int32Array;
  private readonly steps = new IntVector();
  /** By depth: the order before it was changed there. */
  private readonly kept: (Int32Array | undefined)[] = [];
  /** How many ways the process has whose turn it is. */
  choices = 1;

  constructor(machine: Machine, sequence: Sequence) {
    this.machine = machine;
    this.sequence = sequence;
    this.order = new Int32Array(machine.layout.limits.threads);
    this.clear();
  }

  /** The search is back at its root, and knows nothing. */
  clear(): void {
    const { order, kept } = this;
    for (let thread = 0; thread < order.length; thread++) order[thread] = thread;
    kept.length = 0;
  }

  /** The first step of the process whose turn it is; -1 if none is enabled. */
  next(forced: number): Step | -1 {
    const { machine, order, sequence } = this;
    const { processes } = machine;
    if (forced >= 0 && this.ways(forced) > 0) return stepOf(forced);
    const { threadCount } = processes;
    const newest = sequence.length - 1;
    const tired = newest >= 0 && sequence.streakOf(newest) >= MAX_STREAK ? sequence.threadOf(newest) : -1;
    for (let i = 0; i < order.length; i++) {
      const thread = order[i]!;
      if (thread >= threadCount || thread === tired) continue;
      const step = this.ofThread(thread);
      if (step >= 0) return step;
    }
    return tired < 0 ? -1 : this.ofThread(tired);
  }

  private ofThread(thread: number): Step | -1 {
    const { machine, steps } = this;
    const { threads } = machine;
    if (threads.get(thread, T_HEAD) !== 0) {
      steps.clear();
      machine.addCommits(thread, steps);
      this.choices = 1;
      if (steps.length > 0) return steps.words[0]!;
    }
    if (threads.get(thread, T_STATUS) !== RUNNABLE) return -1;
    this.choices = machine.choices(thread);
    return this.choices > 0 ? stepOf(thread) : -1;
  }

  private ways(process: number): number {
    const { machine } = this;
    this.choices = machine.processes.isThread(process)
      ? machine.choices(process)
      : machine.canTake(stepOf(process))
        ? 1
        : 0;
    return this.choices;
  }

  toBack(thread: number): void {
    const { order } = this;
    let i = order.indexOf(thread);
    for (; i + 1 < order.length; i++) order[i] = order[i + 1]!;
    order[order.length - 1] = thread;
  }

  begin(depth: number): void {
    this.kept[depth] = undefined;
  }

  /** The order is about to be changed at this depth. */
  keep(depth: number): void {
    this.kept[depth] ??= this.order.slice();
  }

  /** The search is back at this depth. */
  restore(depth: number): void {
    const kept = this.kept[depth];
    if (kept !== undefined) this.order.set(kept);
  }
}
