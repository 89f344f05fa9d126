/**
 * Counts what each thread does other than reading, in `T_WRITES`. A loop iteration that leaves the count as it was has
 * only read, so the thread may sleep in it (`loop-watch.ts`); and the program may ask whether a thread got any further.
 */
import { effectsOf, isWrite, SECTION } from '../events/effects.ts';
import type * as ev from '../events/event.ts';
import { type Layout, T_POKES, T_UNDONE, T_WAKES, T_WRITES } from '../state/layout.ts';
import type { State } from '../state/state.ts';
import { Threads } from '../state/thread.ts';

/** In `T_WRITES`: the thread is in an atomic section. */
const IN_SECTION = 1 << 30;

export class Progress {
  /** Whether anything is counted: if threads sleep in loops, or the program asks. */
  readonly isCounted: boolean;
  /** Whether changes of private memory are told apart, since the memory may be later as it was (`recurrence.ts`). */
  private readonly recurs: boolean;
  private readonly state: State;
  private readonly words: Int32Array;
  private readonly threads: Threads;
  private readonly events: ev.EventLog;

  constructor(isCounted: boolean, recurs: boolean, state: State, layout: Layout, events: ev.EventLog) {
    this.isCounted = isCounted;
    this.recurs = recurs;
    this.state = state;
    this.words = state.words;
    this.threads = new Threads(state, layout);
    this.events = events;
  }

  /** The thread did something other than a pure read. */
  note(thread: number): void {
    if (this.isCounted) this.threads.set(thread, T_WRITES, this.threads.get(thread, T_WRITES) + 1);
  }

  /** The thread is about to change its private memory, and nothing else before `endPoke`. */
  beginPoke(thread: number): void {
    if (this.isCounted && this.recurs) this.threads.set(thread, T_POKES, this.threads.get(thread, T_POKES) + 1);
  }

  endPoke(thread: number): void {
    this.beginPoke(thread);
    this.note(thread);
  }

  /** How often the thread did something that others may see. */
  changesOf(thread: number): number {
    return this.threads.get(thread, T_WRITES) - (this.threads.get(thread, T_POKES) >> 1);
  }

  /** As `changesOf`, without what rounds have undone. */
  lastingChangesOf(thread: number): number {
    return this.changesOf(thread) - this.threads.get(thread, T_UNDONE);
  }

  /** How many more that are than `before`, whether or not the thread is in an atomic section. */
  lastingSince(thread: number, before: number): number {
    return (this.lastingChangesOf(thread) - before) & (IN_SECTION - 1);
  }

  /** The thread's last changes, so many, have undone each other. */
  noteUndone(thread: number, changes: number): void {
    this.threads.set(thread, T_UNDONE, this.threads.get(thread, T_UNDONE) + changes);
  }

  /** Counts the newest event, of the thread whose words are at `at`, unless it was a pure read. */
  noteEvent(at: number): void {
    const { words, state, events } = this;
    const event = events.length - 1;
    if ((effectsOf(events, event) & SECTION) !== 0) {
      // A thread inside a section is not in the same state as outside it.
      state.set(at + T_WRITES, words[at + T_WRITES]! ^ IN_SECTION);
    } else if (isWrite(events, event)) state.set(at + T_WRITES, words[at + T_WRITES]! + 1);
  }

  /** The thread wakes in a loop, as if it had written: the snapshots of all its loops, in every frame, are invalid. */
  noteWake(at: number): void {
    const { state, words } = this;
    state.set(at + T_WRITES, words[at + T_WRITES]! + 1);
    state.set(at + T_WAKES, words[at + T_WAKES]! + 1);
  }

  /** For the program: the same in every search and replay, whether or not threads sleep. Never 0. */
  of(thread: number): number {
    return 1 + this.threads.get(thread, T_WRITES) - this.threads.get(thread, T_WAKES);
  }
}
