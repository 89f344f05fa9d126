/**
 * Mutexes and condition variables. They are identified by address alone, so any layout of the user's types will do, and
 * an untouched mutex is unlocked. The threads record which condition variable they wait on.
 */
import { LIMIT_SYNCS } from '../code/error.ts';
import { reachLimit } from '../state/fault.ts';
import { type Layout, RUNNABLE, T_STATUS, T_WAIT, WAITING } from '../state/layout.ts';
import type { ProcessTable } from '../state/process.ts';
import type { State } from '../state/state.ts';
import { Threads } from '../state/thread.ts';

export class SyncObjects {
  private readonly state: State;
  private readonly layout: Layout;
  private readonly threads: Threads;
  private readonly processes: ProcessTable;
  /** Number of each mutex, by address; assigned at first use and kept, like process numbers. */
  private readonly numbers = new Map<number, number>();
  /** The last mutex that was looked up and found. */
  private lastMutex = -1;
  private lastPlace = -1;

  constructor(state: State, layout: Layout, processes: ProcessTable) {
    this.state = state;
    this.layout = layout;
    this.threads = new Threads(state, layout);
    this.processes = processes;
  }

  /** The word of the state with the holder of the mutex: slot + 1, or 0. -1 if it has never been locked. */
  place(mutex: number): number {
    // A lock operation asks several times.
    if (mutex === this.lastMutex) return this.lastPlace;
    const number = this.numbers.get(mutex);
    if (number === undefined) return -1;
    this.lastMutex = mutex;
    this.lastPlace = this.layout.syncs + number;
    return this.lastPlace;
  }

  /** Slot of the thread that holds the mutex, or -1. */
  holder(mutex: number): number {
    const place = this.place(mutex);
    return place < 0 ? -1 : this.state.words[place]! - 1;
  }

  setHolder(mutex: number, thread: number): void {
    let number = this.numbers.get(mutex);
    if (number === undefined) {
      number = this.numbers.size;
      if (number >= this.layout.limits.syncObjects) return reachLimit(this.state, LIMIT_SYNCS);
      this.numbers.set(mutex, number);
    }
    this.state.set(this.layout.syncs + number, thread + 1);
  }

  /** For a new object: it is not held, even if an earlier one at this address was. */
  forget(object: number): void {
    if (this.holder(object) >= 0) this.setHolder(object, -1);
  }

  /** Slots of the threads that wait on a condition variable, including timed waits that may end, in name order. */
  waiters(condition: number): number[] {
    const { threads, processes } = this;
    const waiting: number[] = [];
    for (let thread = 0; thread < processes.threadCount; thread++) {
      const status = threads.get(thread, T_STATUS);
      const waits = status === WAITING || status === RUNNABLE;
      if (waits && threads.get(thread, T_WAIT) === condition) waiting.push(thread);
    }
    return waiting.sort((a, b) => processes.handle(a) - processes.handle(b));
  }

  wake(thread: number): void {
    this.threads.set(thread, T_STATUS, RUNNABLE);
    this.threads.set(thread, T_WAIT, 0);
  }

  /** The mutexes that are held, by address, with their holders' slots. */
  held(): [mutex: number, holder: number][] {
    return [...this.numbers.keys()]
      .sort((a, b) => a - b)
      .map((mutex): [number, number] => [mutex, this.holder(mutex)])
      .filter(([, holder]) => holder >= 0);
  }
}
