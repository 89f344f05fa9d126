/** The vector clocks of the threads: what each event knows of the others, and the atomic section that it is in. */
import * as ev from '../machine/events/event.ts';
import { FLAT_THREADS, SharedRows } from './shared-rows.ts';

/** No such event. */
export const NONE = -1;

// Lanes of the rows: happens-before, and what monitors propagate along it.
export const HAPPENS_BEFORE = 0;
/** For `causal-tso.ts`. */
export const COMMITTED = 1;
/** For `causal-pso.ts`. */
export const DRAINED = 2;
export const EPOCH = 3;
const LANES = 4;

// What is kept about each event.
export const M_PREVIOUS = 0; // the previous event of its thread
export const M_LIST_END = 1; // where its part of the access lists begins
export const M_SECTION = 2; // the start of its atomic section
export const M_SECTION_END = 3; // for such a start: the end of the section, once it has happened
export const MEMO_WORDS = 4;

export class ThreadClocks {
  readonly events: ev.EventLog;
  readonly rows: SharedRows = new SharedRows(LANES);
  length = 0;
  /** Room for this many threads. */
  width = 4;
  protected last: Int32Array = new Int32Array(4).fill(NONE);
  protected created: Int32Array = new Int32Array(4).fill(NONE);
  /** Per thread: 1 if it has been joined. */
  protected joined: Int32Array = new Int32Array(4);
  protected memos: Int32Array = new Int32Array(MEMO_WORDS * 64);
  /** Whether there have been atomic sections. From the first one on, each event's section is recorded. */
  protected hasSections = false;

  constructor(events: ev.EventLog) {
    this.events = events;
  }

  happensBefore(first: number, second: number): boolean {
    const { words } = this.events;
    const at = first * ev.EVENT_WORDS;
    return this.knows(second, words[at + ev.E_THREAD]!) >= words[at + ev.E_INDEX]!;
  }

  /** How many events of the thread happen before `event`, itself included. */
  knows(event: number, thread: number): number {
    const { words } = this.events;
    const at = event * ev.EVENT_WORDS;
    return words[at + ev.E_THREAD] === thread ? words[at + ev.E_INDEX]! : this.rows.get(event, thread);
  }

  /** The last event of a thread; if it has none, its creation; otherwise `NONE`. */
  lastOf(thread: number): number {
    if (thread < 0 || thread >= this.last.length) return NONE;
    return this.last[thread]! === NONE ? this.created[thread]! : this.last[thread]!;
  }

  /** Whether all events of `ended`, and its end, happen before the next event of `thread`. */
  knowsEnd(thread: number, ended: number): boolean {
    const [own, last] = [this.lastOf(thread), this.lastOf(ended)];
    return this.joined[ended] === 1 && own !== NONE && last !== NONE && this.happensBefore(last, own);
  }

  /** Records `first`, an event of another thread, in the row of `event`. */
  protected learn(event: number, first: number): void {
    const { words } = this.events;
    const at = first * ev.EVENT_WORDS;
    this.rows.raise(event, words[at + ev.E_THREAD]!, words[at + ev.E_INDEX]!);
  }

  /** Call at the first atomic section: no earlier event is in one. */
  protected startSections(): void {
    if (this.hasSections) return;
    this.hasSections = true;
    for (let event = 0; event < this.length; event++) this.memos[event * MEMO_WORDS + M_SECTION] = NONE;
  }

  /** The atomic section that is still open after `event`. While one is open, only its thread takes steps. */
  protected openSection(event: number): number {
    if (event < 0) return NONE;
    const section = this.sectionOf(event);
    return section !== NONE && this.memos[section * MEMO_WORDS + M_SECTION_END] === NONE ? section : NONE;
  }

  protected sectionOf(event: number): number {
    if (!this.hasSections) return NONE;
    return this.memos[event * MEMO_WORDS + M_SECTION]!;
  }

  protected widen(thread: number): void {
    while (this.width <= thread) this.width += this.width < FLAT_THREADS ? 4 : this.width;
    const grow = (old: Int32Array, fill: number): Int32Array<ArrayBuffer> => {
      const words = new Int32Array(this.width).fill(fill);
      words.set(old);
      return words;
    };
    this.last = grow(this.last, NONE);
    this.created = grow(this.created, NONE);
    this.joined = grow(this.joined, 0);
    this.rows.widen(this.width);
  }

  /** The event that another thread follows if it sees `event`: the end of its atomic section, or `event` itself. */
  seenAt(event: number): number {
    const section = this.sectionOf(event);
    return section === NONE ? event : this.memos[section * MEMO_WORDS + M_SECTION_END]!;
  }

  isInSection(event: number): boolean {
    return this.sectionOf(event) !== NONE;
  }
}
