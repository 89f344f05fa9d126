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

/** Words of a kept order before its threads: how many there are, and how many of them have never gone to the back. */
const O_KNOWN = 0;
const O_UNMOVED = 1;
const O_THREADS = 2;

export class Turns {
  private readonly machine: Machine;
  private readonly sequence: Sequence;
  /** Threads that some execution has had: those that have never gone to the back by their numbers, then the others. */
  private readonly order: Int32Array;
  private readonly steps = new IntVector();
  /** By depth: the order before it was changed there; and whether it was. */
  private readonly kept: Int32Array[] = [];
  private readonly isKept: boolean[] = [];
  /** How many ways the process has whose turn it is. */
  choices = 1;

  constructor(machine: Machine, sequence: Sequence) {
    this.machine = machine;
    this.sequence = sequence;
    this.order = new Int32Array(O_THREADS + machine.layout.limits.threads);
    this.clear();
  }

  /** The search is back at its root, and knows nothing. */
  clear(): void {
    this.order[O_KNOWN] = 0;
    this.order[O_UNMOVED] = 0;
    this.isKept.fill(false);
  }

  /** The first step of the process whose turn it is; -1 if none is enabled. */
  next(forced: number): Step | -1 {
    const { machine, order, sequence } = this;
    if (forced >= 0 && this.ways(forced) > 0) return stepOf(forced);
    if (order[O_KNOWN] !== machine.processes.threadCount) this.learn();
    const newest = sequence.length - 1;
    const tired = newest >= 0 && sequence.streakOf(newest) >= MAX_STREAK ? sequence.threadOf(newest) : -1;
    const end = O_THREADS + order[O_KNOWN]!;
    for (let i = O_THREADS; i < end; i++) {
      const thread = order[i]!;
      if (thread === tired) continue;
      const step = this.ofThread(thread);
      if (step >= 0) return step;
    }
    return tired < 0 ? -1 : this.ofThread(tired);
  }

  /** Some execution has had a new thread. It was in every order before: nobody has asked for it. */
  private learn(): void {
    const { order, kept, isKept } = this;
    for (let thread = order[O_KNOWN]!; thread < this.machine.processes.threadCount; thread++) {
      insert(order, thread);
      for (let depth = 0; depth < kept.length; depth++) if (isKept[depth] === true) insert(kept[depth]!, thread);
    }
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
    if (order[O_KNOWN] !== this.machine.processes.threadCount) this.learn();
    const last = O_THREADS + order[O_KNOWN]! - 1;
    let i = O_THREADS;
    while (order[i] !== thread) i++;
    if (i < O_THREADS + order[O_UNMOVED]!) order[O_UNMOVED]!--;
    for (; i < last; i++) order[i] = order[i + 1]!;
    order[last] = thread;
  }

  begin(depth: number): void {
    this.isKept[depth] = false;
  }

  /** The order is about to be changed at this depth. */
  keep(depth: number): void {
    if (this.isKept[depth] === true) return;
    const { order, kept } = this;
    while (kept.length <= depth) kept.push(new Int32Array(order.length));
    copy(order, kept[depth]!);
    this.isKept[depth] = true;
  }

  /** The search is back at this depth. */
  restore(depth: number): void {
    if (this.isKept[depth] === true) copy(this.kept[depth]!, this.order);
  }
}

function insert(order: Int32Array, thread: number): void {
  const at = O_THREADS + order[O_UNMOVED]!++;
  for (let i = O_THREADS + order[O_KNOWN]!++; i > at; i--) order[i] = order[i - 1]!;
  order[at] = thread;
}

function copy(from: Int32Array, to: Int32Array): void {
  const end = O_THREADS + from[O_KNOWN]!;
  for (let i = 0; i < end; i++) to[i] = from[i]!;
}
