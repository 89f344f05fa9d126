/**
 * The relaxed execution that a violation stands for ([MON] Fig. 4 and 5, `emit`), from a log: what happens before the thread's
 * previous event, and the event itself, in an order that TSO or PSO allows, with the same order of conflicting accesses; but the
 * event comes before the store reaches memory. Compare `pipelines/relaxed-execution.ts`, which has a program to run.
 */
import { BYTES, DRAINS, EFFECTS, isBarrier, NO_WAIT, waitOf } from '../../machine/events/effects.ts';
import * as ev from '../../machine/events/event.ts';
import type { StoreBufferModel } from '../../models/index.ts';
import { TSO } from '../../models/tso.ts';
import { ConflictOrder, type Task } from '../../trace/conflict-order.ts';
import { covers, isBuffered, overlaps } from '../mapping.ts';
import type { Window } from './window.ts';

/** Steps in order; `undefined` if there is no such execution. */
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
  waitForOthers(window, order.rest);
  const buffers = new Buffers(log, model);
  const steps: Task[] = [];
  while (order.rest.length > 0) {
    const next = order.rest.findIndex((task) => order.isNext(task) && buffers.allow(task));
    if (next < 0) return undefined;
    const [task] = order.rest.splice(next, 1) as [Task];
    task.isDone = true;
    buffers.take(task);
    steps.push(task);
  }
  return steps;
}

/** What conflicts do not say: creation, joins, who woke whom. */
function waitForOthers({ followed, log }: Window, tasks: readonly Task[]): void {
  const issues = new Map(tasks.flatMap((task) => (task.isCommit ? [] : [[task.event, task]])));
  for (const task of issues.values()) {
    for (const { event, relation } of followed[task.event]!) {
      const other = issues.get(event);
      if (other === undefined || relation === 'source' || relation === 'store order' || relation === 'conflict')
        continue;
      task.after.push(other);
      // The end of a thread includes that its stores have reached memory.
      if (relation !== 'join') continue;
      const child = log.get(task.event, ev.E_OTHER);
      task.after.push(
        ...tasks.filter(({ thread, isCommit, event: e }) => thread === child && isCommit && e < task.event),
      );
    }
  }
}

/** The stores that have not reached memory, by thread, oldest first. */
class Buffers {
  private readonly words: Int32Array;
  private readonly isTso: boolean;
  private readonly pending = new Map<number, number[]>();
  /** By thread: store–store barriers so far; by store: those before it. */
  private readonly epochs = new Map<number, number>();
  private readonly epochOf = new Map<number, number>();
  /** The thread that is in an atomic section. */
  private section: number | undefined;

  constructor({ words }: ev.EventLog, model: StoreBufferModel) {
    this.words = words;
    this.isTso = model === TSO.name;
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
    if (wait === NO_WAIT) return !isAtOnce || (!this.isTso && hit.length === 0);
    if (this.isTso || wait === DRAINS) return false;
    const epoch = this.epochs.get(thread) ?? 0;
    return hit.length === 0 && pending.every((store) => this.epochOf.get(store)! >= epoch);
  }

  /** Whether nothing keeps the store behind another one. */
  private isFirst(store: number, pending: readonly number[]): boolean {
    if (this.isTso) return pending[0] === store;
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
