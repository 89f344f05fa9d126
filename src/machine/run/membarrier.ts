/**
 * `DRAIN`: full fences in other threads, as Linux's membarrier asks for. A series of these operations begins by noting
 * all other threads in a record, and ends when each of them has had its fence, at some time in between.
 *
 * A full fence of a thread is possible whenever its store buffer is empty, and has no other effect. So an early fence
 * allows all that a later one does, and every step fences all noted threads whose buffers are empty. Threads that start
 * in the meantime start with an empty buffer. Where loads may be stale a fence does more: that is not modelled, and
 * ends the execution.
 */
import { LIMIT_MEMBARRIER } from '../code/error.ts';
import type { Memory } from '../memory/memory.ts';
import { reachLimit } from '../state/fault.ts';
import { T_WRITES } from '../state/layout.ts';
import type { ProcessTable } from '../state/process.ts';
import type { State } from '../state/state.ts';
import type { Threads } from '../state/thread.ts';

export class Membarrier {
  private readonly state: State;
  private readonly threads: Threads;
  private readonly processes: ProcessTable;
  private readonly memory: Memory;

  constructor(state: State, threads: Threads, processes: ProcessTable, memory: Memory) {
    this.state = state;
    this.threads = threads;
    this.processes = processes;
    this.memory = memory;
  }

  /** 1 if the operation can run, 0 if it waits. The first of a series never does. */
  choices(thread: number, record: number, isFirst: boolean): number {
    if (!this.memory.isDrained(thread)) return 0;
    return isFirst || this.ready(record).length > 0 ? 1 : 0;
  }

  /** Runs it; returns whether some threads still lack a fence. */
  run(thread: number, record: number, isFirst: boolean): boolean {
    if (this.memory.model.loadsMayBeStale) reachLimit(this.state, LIMIT_MEMBARRIER);
    if (isFirst) this.begin(thread, record);
    for (const slot of this.ready(record)) this.set(record, slot, false);
    // A loop of these does not count as waiting.
    this.threads.set(thread, T_WRITES, this.threads.get(thread, T_WRITES) + 1);
    return this.noted(record).length > 0;
  }

  private begin(thread: number, record: number): void {
    const { threads, processes } = this;
    for (let slot = 0; slot < processes.threadCount; slot++) {
      this.set(record, slot, slot !== thread && threads.exists(slot));
    }
  }

  private noted(record: number): readonly number[] {
    const { words } = this.state;
    const noted: number[] = [];
    for (let slot = 0; slot < this.processes.threadCount; slot++) {
      if (((words[(record >> 2) + (slot >> 5)]! >>> (slot & 31)) & 1) === 1) noted.push(slot);
    }
    return noted;
  }

  private ready(record: number): readonly number[] {
    return this.noted(record).filter((slot) => this.memory.isDrained(slot));
  }

  private set(record: number, slot: number, isNoted: boolean): void {
    const { state } = this;
    const word = (record >> 2) + (slot >> 5);
    const bit = 1 << (slot & 31);
    state.set(word, isNoted ? state.words[word]! | bit : state.words[word]! & ~bit);
  }
}
