/**
 * Happens-before of an SC execution by vector clocks ([MON] Sect. 5: "a well-known vector clock algorithm"), and the
 * conflicts of each event. The order is that of the trace (`trace/shasha-snir.ts`): program order, accesses to the same
 * bytes of which one writes, operations on one mutex or condition variable, creating and joining; and a woken thread
 * continues after the signal that woke it. An event that follows part of an atomic section follows all of it.
 *
 *   paper              here
 *   e →hb* e'          `happensBefore(e, e')`
 *   prev[p]            `past`, while an event of p is being observed; before its first event, the creation of p
 *   write(E, a, c)     `writes`: the last write to each byte that the event accesses
 *
 * Entry q of event e's row is the number of q's events that happen before e; for e's own thread that number is e's
 * index, and the entry is ignored (`knows`). The index of an event in its thread (`E_INDEX`) starts at 1, so w of
 * another thread happens before e iff entry thread(w) of e's row is at least index(w).
 *
 * The lists of accesses grow with the execution.
 */
import {
  accessOf,
  BYTES,
  CREATES,
  EFFECTS,
  EXCLUDES_ALL,
  FREES,
  JOINS,
  OBJECT,
  READS,
  SECTION,
  SLEEPS,
  WRITES,
} from '../machine/events/effects.ts';
import * as ev from '../machine/events/event.ts';
import { followsWaker, wakerOf } from '../machine/events/waker.ts';
import { AccessLists, maskOf, NO_ENTRY } from '../trace/access-lists.ts';
import { IntVector, larger } from '../util/int-vector.ts';
import { Candidates } from './candidates.ts';
import { DistinctEvents } from './distinct-events.ts';
import { KnownIndices } from './known-indices.ts';
import { covers, isBuffered } from './mapping.ts';
import type { EventFollower, Forgetful } from './monitor.ts';
import { FLAT_THREADS } from './shared-rows.ts';
import {
  HAPPENS_BEFORE,
  M_LIST_END,
  M_PREVIOUS,
  M_SECTION,
  M_SECTION_END,
  MEMO_WORDS,
  NONE,
  ThreadClocks,
} from './thread-clocks.ts';
import { WIDE_WORDS, WideAccesses } from './wide-accesses.ts';

export class EventClock extends ThreadClocks implements EventFollower, Forgetful {
  // For the event observed last.
  /** The previous event of its thread, or the creation of its thread, or `NONE`. */
  past: number = NONE;
  /** Whether it is the first one of its thread. */
  isFirst = true;
  /** The events of other threads that it conflicts with or had to wait for, possibly more than once. */
  readonly conflicts: IntVector = new IntVector();
  /** The last writes to the bytes it accesses, each once. Empty if it does not access memory. */
  readonly writes: DistinctEvents = new DistinctEvents();
  readonly candidates: Candidates = new Candidates();
  /** The lists of the words it accesses, each followed by a mask of the accessed bytes. */
  private readonly touched = new IntVector();
  /** Whether it may know more than `past`. Maintained only if there are many threads. */
  private hasLearnt = false;
  private readonly lists = new AccessLists();
  /** What wide accesses have touched; and the longest access, in bytes, that need not consult it. */
  private wide: WideAccesses | undefined;
  private longest: number;
  constructor(events: ev.EventLog, isStream = false) {
    super(events);
    this.longest = isStream ? 4 * WIDE_WORDS : 0x7fffffff;
  }

  observe(event: number): void {
    if (event !== this.length) throw new Error('events must be observed one after the other');
    const { words } = this.events;
    const at = event * ev.EVENT_WORDS;
    const kind = words[at + ev.E_KIND]!;
    const thread = words[at + ev.E_THREAD]!;
    if (thread >= this.width) this.widen(thread);
    this.conflicts.clear();
    this.writes.clear();
    this.candidates.clear();
    this.touched.clear();
    this.past = this.lastOf(thread);
    this.isFirst = this.last[thread] === NONE;
    const memo = event * MEMO_WORDS;
    if (memo === this.memos.length) this.memos = larger(this.memos);
    const { memos } = this;
    memos[memo + M_PREVIOUS] = this.last[thread]!;
    memos[memo + M_LIST_END] = this.lists.end;
    if (kind === ev.BEGIN_ATOMIC_EVENT) this.startSections();
    if (this.hasSections) {
      memos[memo + M_SECTION] = kind === ev.BEGIN_ATOMIC_EVENT ? event : this.openSection(event - 1);
      memos[memo + M_SECTION_END] = NONE;
    }
    this.length++;
    this.rows.begin(event, this.past, this.width);
    this.hasLearnt = this.isFirst;
    if (this.past !== NONE) {
      if (this.isFirst) this.learn(event, this.past);
      const waited = followsWaker(words[this.past * ev.EVENT_WORDS + ev.E_KIND]!, kind);
      if (waited && words[this.past * ev.EVENT_WORDS + ev.E_THREAD] === thread) this.followWaker(event, thread);
    }
    this.access(event, kind, thread, at);
    this.last[thread] = event;
  }

  private access(event: number, kind: number, thread: number, at: number): void {
    const { words } = this.events;
    const does = EFFECTS[kind]!;
    if ((does & BYTES) !== 0) return this.touchData(event, thread, accessOf(words, at), at);
    if ((does & OBJECT) !== 0) {
      this.touchSync(event, thread, accessOf(words, at), words[at + ev.E_ADDRESS]!);
      // The mutex that it releases.
      if ((does & SLEEPS) !== 0) this.touchSync(event, thread, WRITES, words[at + ev.E_MUTEX]!);
    } else if ((does & CREATES) !== 0) this.create(event, words[at + ev.E_OTHER]!);
    else if ((does & JOINS) !== 0) this.join(event, words[at + ev.E_OTHER]!);
    else if ((does & SECTION) !== 0 && (does & EXCLUDES_ALL) === 0 && this.isInSection(event)) {
      this.memos[this.sectionOf(event) * MEMO_WORDS + M_SECTION_END] = event;
    }
  }

  private create(event: number, child: number): void {
    if (child >= this.width) this.widen(child);
    if (child < 0) return;
    this.created[child] = event;
    // In a log, a new thread may take the place of one that has ended.
    if (this.joined[child] === 1) this.last[child] = NONE;
    this.joined[child] = 0;
  }

  private join(event: number, child: number): void {
    const last = this.lastOf(child);
    if (last === NONE) return;
    this.follow(event, last);
    this.joined[child] = 1;
  }

  private followWaker(event: number, thread: number): void {
    const waker = wakerOf(this.events.words, thread, this.past, this.length - 1);
    // In a log, a thread may wake spuriously.
    if (waker !== NONE) this.follow(event, waker);
  }

  private touchData(event: number, thread: number, access: number, at: number): void {
    const { words } = this.events;
    const address = words[at + ev.E_ADDRESS]!;
    const end = address + words[at + ev.E_SIZE]!;
    if (end - address > this.longest) return this.touchAmongWide(event, thread, access, address, end);
    for (let word = address >> 2; word << 2 < end; word++) {
      this.touch(event, thread, access, this.lists.list(word), maskOf(word, address, end), true);
    }
  }

  private makeWide(): WideAccesses {
    this.longest = -1;
    return new WideAccesses(this.lists, (event) => this.events.words[event * ev.EVENT_WORDS + ev.E_THREAD]!);
  }

  /** The same for a wide access, and for all accesses after the first wide one. */
  private touchAmongWide(event: number, thread: number, access: number, address: number, end: number): void {
    this.wide ??= this.makeWide();
    const { wide } = this;
    const { lists } = this;
    const touchWord = (word: number): void => {
      const before = lists.size;
      const list = lists.list(word);
      if (lists.size > before) wide.know(word, list);
      this.touch(event, thread, access, list, maskOf(word, address, end), true);
    };
    let word = address >> 2;
    if (end - address > 4 * WIDE_WORDS) {
      if ((address & 3) !== 0) touchWord(word++);
      wide.visit(word, end >> 2, (list) => this.touch(event, thread, access, list, 15, true));
      word = end >> 2;
    }
    for (; word << 2 < end; word++) touchWord(word);
  }

  /** Mutexes and condition variables are separate from the bytes at their address. */
  private touchSync(event: number, thread: number, access: number, object: number): void {
    this.touch(event, thread, access, this.lists.list(-1 - object), 1, false);
  }

  private touch(event: number, thread: number, access: number, list: number, mask: number, isData: boolean): void {
    const { lists } = this;
    const { words } = this.events;
    let rest = mask;
    let n = lists.lastWrite(list);
    if (isData) {
      this.touched.push(list);
      this.touched.push(mask);
      if (this.past !== NONE) this.candidates.find(lists, list, mask, words, thread, this.past, this);
    }
    for (; n !== NO_ENTRY; n = lists.previous(n)) {
      const overlap = lists.mask(n) & rest;
      if (overlap === 0) continue;
      rest &= ~overlap;
      const write = lists.event(n);
      if (isData) this.writes.add(write);
      if (words[write * ev.EVENT_WORDS + ev.E_THREAD] !== thread) this.follow(event, write);
      if (rest === 0) break;
    }
    if (access === READS) return lists.addRead(list, event, mask);
    // Reads since then. `n` is the oldest write that is still partly visible; `NO_ENTRY` if the initial value is.
    for (let r = lists.lastRead(list); r > n; r = lists.previous(r)) {
      if ((lists.mask(r) & mask) === 0) continue;
      const read = lists.event(r);
      if (words[read * ev.EVENT_WORDS + ev.E_THREAD] !== thread) this.follow(event, read);
    }
    lists.addWrite(list, event, mask);
  }

  /**
   * Calls `visit` for what `last`, one of the `writes` of the event observed last, has overwritten in the accessed
   * bytes: newest first, for each byte until `visit` returns false or another thread's write is reached.
   */
  visitOverwritten(last: number, visit: (write: number) => boolean): void {
    const { lists, touched } = this;
    const { words } = this.events;
    const writer = words[last * ev.EVENT_WORDS + ev.E_THREAD];
    for (let i = 0; i < touched.length; i += 2) {
      let rest = 0;
      for (let n = lists.lastWrite(touched.words[i]!); n !== NO_ENTRY; n = lists.previous(n)) {
        const write = lists.event(n);
        if (write === last) rest = lists.mask(n) & touched.words[i + 1]!;
        if (write >= last) continue;
        const overlap = lists.mask(n) & rest;
        const isOther = words[write * ev.EVENT_WORDS + ev.E_THREAD] !== writer;
        if (overlap !== 0 && (isOther || !visit(write))) rest &= ~overlap;
        if (rest === 0) break;
      }
    }
  }

  private follow(event: number, accessed: number): void {
    const first = this.seenAt(accessed);
    this.conflicts.push(first);
    if (this.happensBefore(first, event)) return;
    if (this.width <= FLAT_THREADS) this.rows.join(event, first);
    else this.joinMany(event, first);
    this.learn(event, first);
  }

  /** Usually `other` knows all that this thread has done, and so all that the thread knows. */
  private joinMany(event: number, other: number): void {
    const isKnown = !this.hasLearnt && this.past !== NONE && this.happensBefore(this.past, other);
    if (isKnown) this.rows.adopt(event, other);
    else this.rows.join(event, other);
    this.hasLearnt = true;
  }

  /**
   * Whether the event observed last accesses bytes of several writes, or of one that does not cover it, and one of them
   * is buffered and of another thread: see `MixedReport` in `causal-scan.ts`. False for the end of an object.
   */
  get isMixed(): boolean {
    const { writes } = this;
    if (writes.length === 0) return false;
    const { words } = this.events;
    const at = (this.length - 1) * ev.EVENT_WORDS;
    if ((EFFECTS[words[at + ev.E_KIND]!]! & FREES) !== 0) return false;
    if (writes.length === 1 && covers(words, writes.words[0]! * ev.EVENT_WORDS, at)) return false;
    for (let i = 0; i < writes.length; i++) {
      const w = writes.words[i]! * ev.EVENT_WORDS;
      if (words[w + ev.E_THREAD] !== words[at + ev.E_THREAD] && isBuffered(words, w)) return true;
    }
    return false;
  }

  /** Sets `past`, `writes` and `candidates` as if `thread` made this access next, without observing it. */
  lookAhead(thread: number, address: number, size: number): void {
    this.past = this.lastOf(thread);
    this.writes.clear();
    this.candidates.clear();
    for (let a = address; a < address + size; a++) {
      const n = this.lists.lastWriteTo(a);
      if (n === NO_ENTRY) continue;
      this.writes.add(this.lists.event(n));
      if (this.past === NONE) continue;
      const list = this.lists.list(a >> 2);
      this.candidates.find(this.lists, list, 1 << (a & 3), this.events.words, thread, this.past, this);
    }
  }

  // ---- forgetting

  /** The number of words of memory and synchronisation objects that have been accessed. */
  get locations(): number {
    return this.lists.size;
  }

  /** The number of accesses that are kept, counted once for each word or piece of memory that they touch. */
  get entries(): number {
    return this.lists.end;
  }

  private stays: Uint8Array = new Uint8Array(0);
  private known: KnownIndices | undefined;

  /**
   * Between `markLive` and `renumber`: whether a later event can know `write` but not `newer`, the next write to its
   * bytes.
   */
  separates(write: number, newer: number): boolean {
    return this.known!.separate(write, newer);
  }

  markLive(live: Uint8Array, limits: Int32Array): void {
    const { words } = this.events;
    for (let thread = 0; thread < this.width; thread++) {
      const last = this.lastOf(thread);
      if (last === NONE) continue;
      live[last] = 1;
      if ((EFFECTS[words[last * ev.EVENT_WORDS + ev.E_KIND]!]! & SLEEPS) === 0) continue;
      const waker = wakerOf(words, thread, last, this.length);
      if (waker !== NONE) live[waker] = 1;
    }
    // Computing this in event order is faster than consulting the log for each entry of the lists.
    const isPast = new Uint8Array(this.length);
    for (let e = 0, at = 0; e < this.length; e++, at += ev.EVENT_WORDS) {
      if (words[at + ev.E_INDEX]! <= limits[words[at + ev.E_THREAD]!]!) isPast[e] = 1;
    }
    const threadOf = (event: number): number => words[event * ev.EVENT_WORDS + ev.E_THREAD]!;
    const keep = (event: number): void => {
      live[event] = 1;
    };
    this.stays = this.lists.prune(threadOf, (event) => isPast[event] === 1, keep);
    for (let e = 0; e < this.length; e++) {
      const section = live[e] === 1 ? this.sectionOf(e) : NONE;
      if (section === NONE) continue;
      live[section] = 1;
      const end = this.memos[section * MEMO_WORDS + M_SECTION_END]!;
      if (end !== NONE) live[end] = 1;
    }
    // A later event can know a write but not the next one to its bytes only if an event that it can follow does.
    this.known = new KnownIndices(this, Uint8Array.from(live));
    const isNeeded = (write: number, newer: number): boolean => isPast[write] === 0 && this.separates(write, newer);
    this.lists.keepOlder(this.stays, isNeeded, keep);
  }

  /** The last events of the threads that may continue. */
  ends(): number[] {
    const ends: number[] = [];
    for (let thread = 0; thread < this.width; thread++) {
      const last = this.lastOf(thread);
      if (last !== NONE && this.joined[thread] === 0) ends.push(last);
    }
    return ends;
  }

  /** Lowers `limits[q]` to how many events of thread q happen before any thread's next event. */
  lowerLimits(limits: Int32Array): void {
    const field = (event: number, f: number): number => this.events.words[event * ev.EVENT_WORDS + f]!;
    this.rows.lower(limits, this.ends(), HAPPENS_BEFORE, 0, {
      thread: (event) => field(event, ev.E_THREAD),
      index: (event) => field(event, ev.E_INDEX),
    });
  }

  renumber(kept: Int32Array, numbers: Int32Array): void {
    const { memos } = this;
    const renamed = (event: number): number => (event === NONE ? NONE : numbers[event]!);
    this.lists.renumber(this.stays, numbers);
    this.rows.keep(kept);
    for (let thread = 0; thread < this.width; thread++) {
      // The creation of a thread counts only until its first event.
      if (this.last[thread] !== NONE) this.created[thread] = NONE;
      this.last[thread] = renamed(this.last[thread]!);
      this.created[thread] = renamed(this.created[thread]!);
    }
    for (let to = 0; to < kept.length; to++) {
      const [at, from] = [to * MEMO_WORDS, kept[to]! * MEMO_WORDS];
      memos[at + M_PREVIOUS] = NONE;
      memos[at + M_LIST_END] = this.lists.end;
      memos[at + M_SECTION] = renamed(memos[from + M_SECTION]!);
      memos[at + M_SECTION_END] = renamed(memos[from + M_SECTION_END]!);
    }
    this.length = kept.length;
    this.known = undefined;
  }

  rollback(depth: number): void {
    if (depth >= this.length) return;
    if (this.wide !== undefined) throw new Error('a log does not go back');
    const { words } = this.events;
    const { memos } = this;
    this.lists.truncate(memos[depth * MEMO_WORDS + M_LIST_END]!);
    this.rows.rollback(depth);
    for (let e = this.length - 1; e >= depth; e--) {
      const at = e * ev.EVENT_WORDS;
      this.last[words[at + ev.E_THREAD]!] = memos[e * MEMO_WORDS + M_PREVIOUS]!;
      const kind = words[at + ev.E_KIND];
      if (kind === ev.END_ATOMIC_EVENT) {
        if (this.isInSection(e)) memos[this.sectionOf(e) * MEMO_WORDS + M_SECTION_END] = NONE;
      } else if (kind === ev.SPAWN_EVENT) {
        const child = words[at + ev.E_OTHER]!;
        if (child >= 0) this.created[child] = NONE;
      } else if (kind === ev.JOIN_EVENT && words[at + ev.E_OTHER]! >= 0) this.joined[words[at + ev.E_OTHER]!] = 0;
    }
    this.length = depth;
  }
}
