/**
 * An execution graph, in the order in which its events were added.
 *
 *   [TRUST]                  here
 *   G.E, <_G                 events 0 … length - 1; a smaller number was added earlier
 *   po                       `THREAD`, `INDEX`, `PREVIOUS`
 *   rf                       `SOURCE` of a read: a write, or `INITIAL`
 *   co, here mo              per location a list, `OLDER` and `NEWER`, with `RANK` from 0; the initial value is first
 *   porf-prefix of e         clock `PORF` of e
 *   G|_E                     `restrict` (restrict.ts)
 *
 * A read-modify-write is two events, a read and a write, next to each other in program order. Reads know the writes
 * they read from; a write does not know its readers. `restrict` keeps every event's clocks, so the events it keeps must
 * be closed under po and rf.
 *
 * An event is `FIELDS` words and `CLOCKS` vector clocks. Everything else is an `index` over them. `push` and
 * `pop` are inverse to each other.
 *
 * Clocks count events per thread: e is in a clock if the clock's entry for its thread is at least its index.
 *
 *   PORF   what e depends on by program order, reads-from, creation, joins and wake-ups
 *   HB     what happens before e, itself included
 *   REL    for a write: what a read that acquires it synchronises with, by release sequences and release fences
 *   ACQ    what an acquire fence after e would synchronise with
 */
import { ACQUIRES, RELEASES } from '../../machine/code/order.ts';
import { larger } from '../../util/int-vector.ts';
import {
  EXTRA,
  FAILURE,
  FENCE,
  FIELDS,
  FIRST_ATOMIC,
  HIGH,
  INDEX,
  JOIN,
  KIND,
  LOCATION,
  LOW,
  MATCHES,
  NEWER,
  NONE,
  OLDER,
  ORDER,
  PART,
  PARTS,
  PENDING,
  PREVIOUS,
  RANK,
  READ,
  RELEASE_FENCE,
  SAME,
  SOURCE,
  SPAWN,
  STATUS,
  SUCCESS,
  THREAD,
  WRITE,
} from './fields.ts';

// Clocks.
const PORF = 0;
const HB = 1;
const REL = 2;
const ACQ = 3;
export const CLOCKS: number = 4;

export class Graph {
  words: Int32Array = new Int32Array(FIELDS * 64);
  clocks: Int32Array = new Int32Array(0);
  length = 0;
  /** Room for this many threads in a clock. */
  stride = 4;
  /** Per thread: its last event, and the event that created it. */
  readonly last: number[] = [];
  readonly creator: number[] = [];
  /** Per location: the last event added, and the newest write. */
  readonly lastAt: number[] = [];
  readonly newest: number[] = [];
  /** How many events are pending. */
  pending = 0;

  constructor() {
    this.clocks = new Int32Array(CLOCKS * this.stride * 64);
  }

  get(event: number, field: number): number {
    return this.words[event * FIELDS + field]!;
  }

  set(event: number, field: number, value: number): void {
    this.words[event * FIELDS + field] = value;
  }

  /** Makes room for thread number `thread`. */
  addThread(thread: number): void {
    while (this.last.length <= thread) {
      this.last.push(NONE);
      this.creator.push(NONE);
    }
    if (thread >= this.stride) this.widen(Math.max(thread + 1, this.stride * 2));
  }

  addLocation(location: number): void {
    while (this.lastAt.length <= location) {
      this.lastAt.push(NONE);
      this.newest.push(NONE);
    }
  }

  private widen(stride: number): void {
    const old = this.clocks;
    const rows = old.length / this.stride;
    const clocks = new Int32Array(rows * stride);
    for (let row = 0; row < rows; row++) {
      clocks.set(old.subarray(row * this.stride, (row + 1) * this.stride), row * stride);
    }
    this.clocks = clocks;
    this.stride = stride;
  }

  /** Adds an event with these fields, from word `at` of `from`. A write goes before `before` in mo, or last if NONE. */
  push(from: Int32Array, at: number, before: number = NONE): number {
    const event = this.length++;
    if (this.words.length < this.length * FIELDS) this.words = larger(this.words);
    if (this.clocks.length < this.length * CLOCKS * this.stride) this.clocks = larger(this.clocks);
    const { words } = this;
    const base = event * FIELDS;
    for (let field = 0; field < FIELDS; field++) words[base + field] = from[at + field]!;
    const thread = words[base + THREAD]!;
    const previous = this.last[thread]!;
    words[base + PREVIOUS] = previous === NONE ? this.creator[thread]! : previous;
    words[base + INDEX] = previous === NONE ? 1 : words[previous * FIELDS + INDEX]! + 1;
    this.last[thread] = event;
    const location = words[base + LOCATION]!;
    if (location !== NONE) {
      words[base + SAME] = this.lastAt[location]!;
      this.lastAt[location] = event;
      if (words[base + KIND] === WRITE) this.link(event, location, before);
    }
    if (words[base + KIND] === SPAWN) this.creator[words[base + EXTRA]!] = event;
    if (words[base + KIND] === READ) this.settleOrder(event);
    if (words[base + STATUS] === PENDING) this.pending++;
    this.computeClocks(event);
    return event;
  }

  /** Removes the event added last. */
  pop(): void {
    const event = --this.length;
    const { words } = this;
    const base = event * FIELDS;
    const thread = words[base + THREAD]!;
    this.last[thread] = words[base + INDEX] === 1 ? NONE : words[base + PREVIOUS]!;
    const location = words[base + LOCATION]!;
    if (location !== NONE) {
      this.lastAt[location] = words[base + SAME]!;
      if (words[base + KIND] === WRITE) this.unlink(event, location);
    }
    if (words[base + KIND] === SPAWN) this.creator[words[base + EXTRA]!] = NONE;
    if (words[base + STATUS] === PENDING) this.pending--;
  }

  truncate(length: number): void {
    while (this.length > length) this.pop();
  }

  private link(event: number, location: number, before: number): void {
    const { words } = this;
    const older = before === NONE ? this.newest[location]! : words[before * FIELDS + OLDER]!;
    const base = event * FIELDS;
    words[base + OLDER] = older;
    words[base + NEWER] = before;
    words[base + RANK] = older === NONE ? 0 : words[older * FIELDS + RANK]! + 1;
    if (older !== NONE) words[older * FIELDS + NEWER] = event;
    if (before === NONE) this.newest[location] = event;
    else words[before * FIELDS + OLDER] = event;
    for (let e = before; e !== NONE; e = words[e * FIELDS + NEWER]!) words[e * FIELDS + RANK]!++;
  }

  /** Takes a write out of mo. */
  unlink(event: number, location: number): void {
    const { words } = this;
    const base = event * FIELDS;
    const older = words[base + OLDER]!;
    const newer = words[base + NEWER]!;
    if (older !== NONE) words[older * FIELDS + NEWER] = newer;
    if (newer === NONE) this.newest[location] = older;
    else words[newer * FIELDS + OLDER] = older;
    for (let e = newer; e !== NONE; e = words[e * FIELDS + NEWER]!) words[e * FIELDS + RANK]!--;
  }

  /** The place in mo of a write, or of the initial value. */
  rank(write: number): number {
    return write < 0 ? -1 : this.words[write * FIELDS + RANK]!;
  }

  /** Whether the event is the writing half of a read-modify-write. */
  isUpdate(write: number): boolean {
    const base = write * FIELDS;
    return this.words[base + KIND] === WRITE && (this.words[base + PART]! & 1) === 1;
  }

  /** Of the writing half of a read-modify-write: what it read. */
  sourceOf(update: number): number {
    return this.words[this.words[update * FIELDS + PREVIOUS]! * FIELDS + SOURCE]!;
  }

  /** Changes the source of a read that nothing depends on. */
  setSource(read: number, source: number): void {
    this.words[read * FIELDS + SOURCE] = source;
    this.settleOrder(read);
    this.computeClocks(read);
  }

  setStatus(event: number, status: number): void {
    const { words } = this;
    const at = event * FIELDS + STATUS;
    if (words[at] === PENDING) this.pending--;
    if (status === PENDING) this.pending++;
    words[at] = status;
  }

  /** The order of a compare-exchange's read depends on what it reads. */
  private settleOrder(read: number): void {
    const { words } = this;
    const base = read * FIELDS;
    if (words[base + FAILURE] === NONE) return;
    const source = words[base + SOURCE]!;
    const succeeds =
      source < 0
        ? words[base + MATCHES] === 1
        : words[source * FIELDS + LOW] === words[base + LOW] && words[source * FIELDS + HIGH] === words[base + HIGH];
    words[base + ORDER] = succeeds ? words[base + SUCCESS]! : words[base + FAILURE]!;
  }

  computeClocks(event: number): void {
    const { words, clocks, stride } = this;
    const base = event * FIELDS;
    const own = event * CLOCKS * stride;
    const thread = words[base + THREAD]!;
    const kind = words[base + KIND]!;
    const order = words[base + ORDER]!;
    const previous = words[base + PREVIOUS]!;
    const isFirst = words[base + INDEX] === 1;
    const before = previous * CLOCKS * stride;
    for (let t = 0; t < stride; t++) {
      clocks[own + PORF * stride + t] = previous === NONE ? 0 : clocks[before + PORF * stride + t]!;
      clocks[own + HB * stride + t] = previous === NONE ? 0 : clocks[before + HB * stride + t]!;
      clocks[own + ACQ * stride + t] = isFirst ? 0 : clocks[before + ACQ * stride + t]!;
      clocks[own + REL * stride + t] = 0;
    }
    words[base + RELEASE_FENCE] = isFirst ? NONE : words[previous * FIELDS + RELEASE_FENCE]!;
    const extra = kind === SPAWN ? NONE : words[base + EXTRA]!;
    if (extra !== NONE) {
      this.join(own + PORF * stride, extra, PORF);
      if (kind === JOIN) this.join(own + HB * stride, extra, HB);
    }
    const isAtomic = order >= FIRST_ATOMIC;
    const source = words[base + SOURCE]!;
    if (kind === READ && source >= 0) {
      this.join(own + PORF * stride, this.endOf(source), PORF);
      if (isAtomic) {
        this.join(own + ACQ * stride, source, REL);
        if (ACQUIRES[order] === 1) this.join(own + HB * stride, source, REL);
      }
    } else if (kind === FENCE) {
      if (ACQUIRES[order] === 1 && !isFirst) this.join(own + HB * stride, previous, ACQ);
      if (RELEASES[order] === 1) words[base + RELEASE_FENCE] = event;
    }
    const index = words[base + INDEX]!;
    clocks[own + PORF * stride + thread] = index;
    clocks[own + HB * stride + thread] = index;
    if (kind === WRITE && isAtomic) {
      if (RELEASES[order] === 1) this.join(own + REL * stride, event, HB);
      else if (words[base + RELEASE_FENCE] !== NONE) this.join(own + REL * stride, words[base + RELEASE_FENCE]!, HB);
      if (this.isUpdate(event)) {
        const read = this.sourceOf(event);
        if (read >= 0) this.join(own + REL * stride, read, REL);
      }
    }
  }

  /**
   * The last event, so far, of the operation that a write belongs to. An operation runs as a whole, so a read of one of
   * its writes depends on all of it. Only a condition wait has a write that is not the last event.
   */
  private endOf(write: number): number {
    const { words } = this;
    const base = write * FIELDS;
    if (words[base + PARTS]! <= words[base + PART]! + 1) return write;
    let end = write;
    for (let e = write + 1; e < this.length; e++) {
      const isPart =
        words[e * FIELDS + THREAD] === words[base + THREAD] && words[e * FIELDS + PART]! > words[end * FIELDS + PART]!;
      if (isPart && words[e * FIELDS + INDEX] === words[end * FIELDS + INDEX]! + 1) end = e;
    }
    return end;
  }

  /** Joins a clock of another event into the clock at `to`. */
  private join(to: number, event: number, clock: number): void {
    const { clocks, stride } = this;
    const from = (event * CLOCKS + clock) * stride;
    for (let t = 0; t < stride; t++) if (clocks[from + t]! > clocks[to + t]!) clocks[to + t] = clocks[from + t]!;
  }

  /** Whether `a` happens before `b`, or is it. */
  happensBefore(a: number, b: number): boolean {
    const { words, stride } = this;
    return words[a * FIELDS + INDEX]! <= this.clocks[(b * CLOCKS + HB) * stride + words[a * FIELDS + THREAD]!]!;
  }

  /** Whether `a` is in the porf-prefix of `b`, or is it. */
  isInPrefix(a: number, b: number): boolean {
    const { words, stride } = this;
    return words[a * FIELDS + INDEX]! <= this.clocks[(b * CLOCKS + PORF) * stride + words[a * FIELDS + THREAD]!]!;
  }

  /** Whether `a` comes before `b` in program order. */
  isBefore(a: number, b: number): boolean {
    const { words } = this;
    return (
      words[a * FIELDS + THREAD] === words[b * FIELDS + THREAD] &&
      words[a * FIELDS + INDEX]! < words[b * FIELDS + INDEX]!
    );
  }

  /**
   * Recomputes the data per thread and location from the events. A thread's creation may have been added after its
   * events.
   */
  index(): void {
    const { words, last, length } = this;
    last.fill(NONE);
    this.creator.fill(NONE);
    this.lastAt.fill(NONE);
    this.newest.fill(NONE);
    this.pending = 0;
    for (let e = 0, base = 0; e < length; e++, base += FIELDS) {
      const thread = words[base + THREAD]!;
      const before = last[thread]!;
      if (before === NONE || words[before * FIELDS + INDEX]! < words[base + INDEX]!) last[thread] = e;
      if (words[base + STATUS] === PENDING) this.pending++;
      const kind = words[base + KIND];
      if (kind === SPAWN) this.creator[words[base + EXTRA]!] = e;
      const location = words[base + LOCATION]!;
      if (location === NONE) continue;
      words[base + SAME] = this.lastAt[location]!;
      this.lastAt[location] = e;
      if (kind === WRITE && words[base + NEWER] === NONE) this.newest[location] = e;
    }
  }
}
