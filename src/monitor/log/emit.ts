/**
 * The relaxed execution that a violation stands for ([MON] Fig. 4 and 5, `emit`), from a log: what happens before the
 * thread's previous event, and the event itself, in an order that TSO or PSO allows. Conflicting accesses keep their
 * order, except that the event comes before the store reaches memory. Compare `pipelines/relaxed-execution.ts`, which
 * has a program to run.
 */
import { BYTES, DRAINS, EFFECTS, isBarrier, NO_WAIT, waitOf } from '../../machine/events/effects.ts';
import * as ev from '../../machine/events/event.ts';
import { modelNamed, type StoreBufferModel } from '../../models/index.ts';
import { keepsStoreOrder } from '../../models/model.ts';
import { ConflictOrder, type Task } from '../../trace/conflict-order.ts';
import { covers, isBuffered, overlaps } from '../mapping.ts';
import type { Window } from './window.ts';

/** The steps in order; `undefined` if there is no such execution. */
export function emit(
  window: Window,
  model: StoreBufferModel,
  past: number,
  event: number,
  write: number,
): readonly Task[] | undefined {
  const { log } = window;
  const chosen = window.pastOf(past);
  if (!chosen.includes(write)) return undefined;
  const order = new ConflictOrder(log, chosen, isBuffered);
  order.addFirst(event, log.get(event, ev.E_THREAD), true, write);
  waitForOthers(window, order.rest, event);
  keepTogether(log, order.rest);
  const buffers = new Buffers(log, model);
  const steps: Task[] = [];
  while (order.rest.length > 0) {
    const next = order.rest.findIndex((task) => order.isNext(task) && buffers.allow(task));
    if (next < 0) return undefined;
    const [task] = order.rest.splice(next, 1) as [Task];
    task.isDone = true;
    buffers.take(task);
    steps.push(task);
    // The excerpt may end inside a section.
    if (!order.rest.some(({ thread }) => thread === task.thread)) buffers.leave(task.thread);
  }
  return steps;
}

/**
 * Adds the orders that do not come from conflicts: creation, joins, which signal woke which thread, the end of an
 * atomic section with a conflicting access.
 */
function waitForOthers({ followed, log }: Window, tasks: readonly Task[], early: number): void {
  const issues = new Map(tasks.flatMap((task) => (task.isCommit ? [] : [[task.event, task]])));
  const commits = new Map(tasks.flatMap((task) => (task.isCommit ? [[task.event, task]] : [])));
  for (const task of issues.values()) {
    for (const { event, relation } of followed[task.event]!) {
      const other = issues.get(event);
      if (other === undefined || relation === 'source' || relation === 'store order' || relation === 'conflict')
        continue;
      if (task.event === early && relation === 'synchronisation') continue;
      // A buffered store conflicts when it reaches memory.
      const access = relation === 'synchronisation' ? (commits.get(task.event) ?? task) : task;
      access.after.push(other);
      if (relation === 'join') task.after.push(...storesOf(log.get(task.event, ev.E_OTHER), task.event, tasks));
    }
  }
}

/** A thread has ended only when its stores have reached memory. */
function storesOf(child: number, join: number, tasks: readonly Task[]): readonly Task[] {
  return tasks.filter(({ thread, isCommit, event }) => thread === child && isCommit && event < join);
}

/** An atomic section begins only after everything that its steps wait for. */
function keepTogether(log: ev.EventLog, tasks: readonly Task[]): void {
  const begins = new Map<number, Task>();
  for (const task of tasks) {
    const begin = begins.get(task.thread);
    begin?.after.push(...task.after.filter(({ thread }) => thread !== task.thread));
    const kind = log.get(task.event, ev.E_KIND);
    if (kind === ev.BEGIN_ATOMIC_EVENT) begins.set(task.thread, task);
    else if (kind === ev.END_ATOMIC_EVENT) begins.delete(task.thread);
  }
}

/** The stores that have not reached memory, by thread, oldest first. */
class Buffers {
  private readonly words: Int32Array;
  /** Whether the thread's stores reach memory in program order. */
  private readonly isOneQueue: boolean;
  private readonly pending = new Map<number, number[]>();
  /** By thread: the number of store–store barriers so far; by store: the number before it. */
  private readonly epochs = new Map<number, number>();
  private readonly epochOf = new Map<number, number>();
  /** The thread that is in an atomic section. */
  private section: number | undefined;

  constructor({ words }: ev.EventLog, model: StoreBufferModel) {
    this.words = words;
    this.isOneQueue = keepsStoreOrder(modelNamed(model));
  }

  allow({ event, thread, isCommit }: Task): boolean {
    const { words } = this;
    const at = event * ev.EVENT_WORDS;
    // Nothing happens in other threads during an atomic section.
    if (this.section !== undefined && this.section !== thread) return false;
    const pending = this.pending.get(thread) ?? [];
    if (isCommit) return this.isFirst(event, pending);
    if (pending.length === 0) return true;
    const wait = waitOf(words, at);
    const isAccess = (EFFECTS[words[at + ev.E_KIND]!]! & BYTES) !== 0;
    const hit = isAccess ? pending.filter((store) => overlaps(words, store * ev.EVENT_WORDS, at)) : [];
    if (words[at + ev.E_KIND] === ev.LOAD_EVENT) {
      return hit.length === 0 || covers(words, hit.at(-1)! * ev.EVENT_WORDS, at);
    }
    const isAtOnce = (words[at + ev.E_FLAGS]! & ev.AT_ONCE) !== 0;
    if (wait === NO_WAIT) return !isAtOnce || (!this.isOneQueue && hit.length === 0);
    if (this.isOneQueue || wait === DRAINS) return false;
    const epoch = this.epochs.get(thread) ?? 0;
    return hit.length === 0 && pending.every((store) => this.epochOf.get(store)! >= epoch);
  }

  /** The thread has no steps left. */
  leave(thread: number): void {
    if (this.section === thread) this.section = undefined;
  }

  /** Whether nothing keeps the store behind another one. */
  private isFirst(store: number, pending: readonly number[]): boolean {
    if (this.isOneQueue) return pending[0] === store;
    const { words } = this;
    const epoch = this.epochOf.get(store)!;
    const older = pending.slice(0, pending.indexOf(store));
    return older.every(
      (other) => this.epochOf.get(other)! >= epoch && !overlaps(words, other * ev.EVENT_WORDS, store * ev.EVENT_WORDS),
    );
  }

  take({ event, thread, isCommit }: Task): void {
    const at = event * ev.EVENT_WORDS;
    const pending = this.pending.get(thread) ?? [];
    if (isCommit) {
      pending.splice(pending.indexOf(event), 1);
      return;
    }
    const kind = this.words[at + ev.E_KIND];
    if (kind === ev.BEGIN_ATOMIC_EVENT) this.section = thread;
    else if (kind === ev.END_ATOMIC_EVENT) this.section = undefined;
    const epoch = (this.epochs.get(thread) ?? 0) + (isBarrier(this.words, at) ? 1 : 0);
    this.epochs.set(thread, epoch);
    if (!isBuffered(this.words, at)) return;
    this.epochOf.set(event, epoch);
    this.pending.set(thread, [...pending, event]);
  }
}
