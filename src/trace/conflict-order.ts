/**
 * Chosen events of an execution as tasks to be redone under a model with store buffers, in an order that keeps program
 * order and the order of all conflicting accesses. A store is two tasks, entering the buffer and reaching memory, and
 * only the second is an access. Other constraints of the model (the order within a buffer, what a fence waits for) are
 * not checked here.
 */
import { accessOf, BYTES, EFFECTS, OBJECT, SLEEPS, WRITES } from '../machine/events/effects.ts';
import * as ev from '../machine/events/event.ts';

export interface Task {
  readonly event: number;
  readonly thread: number;
  readonly isCommit: boolean;
  readonly after: Task[];
  isDone: boolean;
}

/** The last write to a byte or change of an object, and the reads since. */
interface Accesses {
  write: { readonly task: Task; readonly thread: number } | undefined;
  reads: { readonly task: Task; readonly thread: number }[];
}

export class ConflictOrder {
  /** The remaining tasks, in the order of the execution, which is kept where possible. */
  readonly rest: Task[] = [];
  private readonly events: ev.EventLog;
  private readonly isBuffered: (words: Int32Array, at: number) => boolean;
  private readonly last = new Map<number, Task>();
  private readonly accesses = new Map<number, Accesses>();
  /** By event: the task that accesses memory. */
  private readonly accessOf = new Map<number, Task>();

  constructor(events: ev.EventLog, chosen: readonly number[], isBuffered: (words: Int32Array, at: number) => boolean) {
    this.events = events;
    this.isBuffered = isBuffered;
    for (const event of chosen) this.add(event);
  }

  isNext({ after }: Task): boolean {
    return after.every((task) => task.isDone);
  }

  /**
   * Adds an event of `thread` that must access memory before the event `write` does. `exists`: the event is in the log;
   * otherwise it is the thread's next operation.
   */
  addFirst(event: number, thread: number, exists: boolean, write: number): { issue: Task; commit: Task | undefined } {
    const issue = this.issue(event, thread);
    const isBuffered = exists && this.isBuffered(this.events.words, event * ev.EVENT_WORDS);
    const commit = isBuffered ? this.commit(event, issue) : undefined;
    this.accessOf.get(write)!.after.push(commit ?? issue);
    return { issue, commit };
  }

  private issue(event: number, thread: number): Task {
    const previous = this.last.get(thread);
    const task = { event, thread, isCommit: false, after: previous === undefined ? [] : [previous], isDone: false };
    this.last.set(thread, task);
    this.rest.push(task);
    return task;
  }

  private commit(event: number, issue: Task): Task {
    const task = { event, thread: issue.thread, isCommit: true, after: [issue], isDone: false };
    this.rest.push(task);
    return task;
  }

  private add(event: number): void {
    const { words } = this.events;
    const at = event * ev.EVENT_WORDS;
    const thread = words[at + ev.E_THREAD]!;
    const issue = this.issue(event, thread);
    const task = this.isBuffered(words, at) ? this.commit(event, issue) : issue;
    this.accessOf.set(event, task);
    const does = EFFECTS[words[at + ev.E_KIND]!]!;
    const writes = (accessOf(words, at) & WRITES) !== 0;
    if ((does & BYTES) !== 0) this.touchBytes(at, task, thread, writes);
    if ((does & OBJECT) !== 0) this.touch(-1 - words[at + ev.E_ADDRESS]!, task, thread, writes);
    // A condition wait releases its mutex too.
    if ((does & SLEEPS) !== 0) this.touch(-1 - words[at + ev.E_MUTEX]!, task, thread, true);
  }

  private touchBytes(at: number, task: Task, thread: number, writes: boolean): void {
    const { words } = this.events;
    const start = words[at + ev.E_ADDRESS]!;
    for (let byte = start; byte < start + words[at + ev.E_SIZE]!; byte++) this.touch(byte, task, thread, writes);
  }

  private touch(place: number, task: Task, thread: number, writes: boolean): void {
    let accesses = this.accesses.get(place);
    if (accesses === undefined) {
      accesses = { write: undefined, reads: [] };
      this.accesses.set(place, accesses);
    }
    const { write, reads } = accesses;
    // A thread sees its own stores before they reach memory.
    if (write !== undefined && (writes || write.thread !== thread)) follow(task, write.task);
    if (!writes) {
      reads.push({ task, thread });
      return;
    }
    for (const read of reads) if (read.thread !== thread) follow(task, read.task);
    accesses.write = { task, thread };
    accesses.reads = [];
  }
}

function follow(task: Task, earlier: Task): void {
  if (task !== earlier && task.after.at(-1) !== earlier) task.after.push(earlier);
}
