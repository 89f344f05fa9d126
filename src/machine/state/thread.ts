/** The words of each thread: a named view of its part of the state. Fields are the `T_…` of `layout.ts`. */
import { ABSENT, FINISHED, type Layout, T_STATUS, THREAD_WORDS } from './layout.ts';
import type { State } from './state.ts';

export class Threads {
  private readonly state: State;
  private readonly words: Int32Array;
  private readonly base: number;

  constructor(state: State, layout: Layout) {
    this.state = state;
    this.words = state.words;
    this.base = layout.threads;
  }

  /** Where the thread's words begin. */
  at(thread: number): number {
    return this.base + thread * THREAD_WORDS;
  }

  get(thread: number, field: number): number {
    return this.words[this.base + thread * THREAD_WORDS + field]!;
  }

  set(thread: number, field: number, value: number): void {
    this.state.set(this.base + thread * THREAD_WORDS + field, value);
  }

  clear(thread: number): void {
    for (let field = 0; field < THREAD_WORDS; field++) this.set(thread, field, 0);
  }

  exists(thread: number): boolean {
    return this.get(thread, T_STATUS) !== ABSENT;
  }

  hasFinished(thread: number): boolean {
    return this.get(thread, T_STATUS) === FINISHED;
  }
}
