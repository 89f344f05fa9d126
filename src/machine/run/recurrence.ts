/**
 * Private memory that is as it was: what a thread has written there since some earlier point, and has written back.
 *
 * The journal has the old values. Changes of private memory are bracketed there by two changes of `T_POKES`, so those
 * of other threads, and writes that others may see, are told apart. The count at the earlier point says where to stop.
 * docs/decisions/0046-state-that-recurs.md has the argument.
 */
import { type Layout, MEMORY_BASE, T_POKES, T_STACK } from '../state/layout.ts';
import type { State } from '../state/state.ts';
import { Threads } from '../state/thread.ts';

/** After more changes than this, memory counts as changed: looking back takes time with every round of a loop. */
const MOST_POKES = 1000;

export class Recurrence {
  private readonly state: State;
  private readonly layout: Layout;
  private readonly threads: Threads;
  /** Old values of the words that were changed. */
  private readonly old = new Map<number, number>();

  constructor(state: State, layout: Layout) {
    this.state = state;
    this.layout = layout;
    this.threads = new Threads(state, layout);
  }

  /** Whether the thread's private memory is as it was when its `T_POKES` was `pokes`, objects that have ended aside. */
  isAsAt(thread: number, pokes: number): boolean {
    const now = this.threads.get(thread, T_POKES);
    if (now === pokes) return true;
    if (now - pokes > 2 * MOST_POKES) return false;
    this.findOld(thread, pokes);
    const { old } = this;
    let answer = true;
    for (const [word, value] of old) answer &&= this.isAs(thread, word, value);
    old.clear();
    return answer;
  }

  private findOld(thread: number, pokes: number): void {
    const { journal, journalEnd } = this.state;
    const counter = this.threads.at(thread) + T_POKES;
    let isInside = false;
    for (let end = journalEnd; end > 0; ) {
      const index = journal[end - 1]!;
      end -= 2;
      if (index === counter) {
        const before = journal[end]!;
        if (before === pokes) return;
        isInside = (before & 1) === 1;
      } else if (index >= 0) {
        if (isInside) this.old.set(index, journal[end]!);
      } else {
        const start = journal[end]!;
        end += index;
        for (let i = 0; isInside && i < -index; i++) this.old.set(start + i, journal[end + i]!);
      }
    }
    throw new Error('the journal does not go back that far');
  }

  private isAs(thread: number, word: number, old: number): boolean {
    const { layout, threads } = this;
    const { words } = this.state;
    const isUndefined = word >= layout.undefinedMemory;
    const address = (isUndefined ? word - layout.undefinedMemory : word) * 4;
    // What else was written says which objects there are, and where.
    if (address < MEMORY_BASE || address >= layout.memoryEnd) return true;
    const stack = layout.stacks + thread * layout.limits.stackBytes;
    const hasEnded = address >= threads.get(thread, T_STACK) && address < stack + layout.limits.stackBytes;
    if (hasEnded && address >= stack) return true;
    // Fewer undefined bits do no harm.
    return isUndefined ? (words[word]! & ~old) === 0 : words[word] === old;
  }
}
