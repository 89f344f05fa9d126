/**
 * What each write overwrote: the last writes to its bytes before it. From the last write to some bytes, the edges lead
 * back through the history of these bytes. An access follows an edge only if it overlaps every write on the way.
 *
 * `settle` shortens the history without changing what a later access finds. It is exact:
 *
 *   - `sober.ts` continues from a write only if the thread does not know the write, and checks the first one on each
 *     path that the thread knows. If every event that knows a write also knows all its newer neighbours (see
 *     `separates`), the write is never checked: an access that arrives there always continues. Edges to it can then lead
 *     directly to the writes it leads to, provided they remember which bytes it wrote (`LOW`, `HIGH`).
 *   - A load also looks for the first store of its own thread on each path back, whatever the thread knows, and goes no
 *     further. Once the thread's last read knows that store, it also knows all that the store knows (`isSettled`).
 *     Until then the store is kept where it can be found, unless every path to it passes another store of its thread.
 */
import * as ev from '../machine/events/event.ts';
import { IntVector } from '../util/int-vector.ts';
import { allocateWords } from '../util/memory-limit.ts';

// An edge: the older write. An access from `start` to before `end` may use the edge if start < high and low < end.
const E_WRITE = 0;
const E_LOW = 1;
const E_HIGH = 2;
const EDGE_WORDS = 3;
const LOWEST = -0x80000000;
const HIGHEST = 0x7fffffff;

/** Any access can learn something from the write; or only a load of the write's own thread can. */
const NEEDED = 1;
const HELD = 2;
/** A write with more edges than this is kept, so that others lead to it and not to everything it leads to. */
const MANY = 8;

/** What `settle` must know about the writes. */
interface Knowledge {
  /** Whether a later event can know `write` but not `newer`. */
  separates(write: number, newer: number): boolean;
  /** Whether the last read of the write's thread, and so every later one, knows all that `write` knows. */
  isSettled(write: number): boolean;
}

export class Overwritten {
  private readonly events: ev.EventLog;
  /** Per event: where its edges begin. */
  private readonly starts = new IntVector();
  private readonly edges = new IntVector();
  /** By event, while forgetting: its new edges, and where they begin. */
  private readonly next = new IntVector();
  private nextStarts = new Int32Array(0);
  private needs = new Uint8Array(0);

  constructor(events: ev.EventLog) {
    this.events = events;
  }

  /** Begins the next event. */
  begin(): void {
    this.starts.push(this.edges.length);
  }

  /** Records that the event begun last overwrote this write. */
  add(write: number): void {
    this.edges.push(write);
    this.edges.push(LOWEST);
    this.edges.push(HIGHEST);
  }

  /** The edges of a write are those from `first` to before `end`, `EDGE_WORDS` apart. */
  first(write: number): number {
    return this.starts.get(write);
  }
  end(write: number): number {
    return write + 1 < this.starts.length ? this.starts.get(write + 1) : this.edges.length;
  }
  following(edge: number): number {
    return edge + EDGE_WORDS;
  }
  write(edge: number): number {
    return this.edges.words[edge + E_WRITE]!;
  }
  /** Whether an access of the bytes from `start` to before `end` may use the edge. */
  isOpen(edge: number, start: number, end: number): boolean {
    return start < this.edges.words[edge + E_HIGH]! && this.edges.words[edge + E_LOW]! < end;
  }

  rollback(depth: number): void {
    if (depth >= this.starts.length) return;
    this.edges.length = this.starts.get(depth);
    this.starts.length = depth;
  }

  // ---- forgetting

  /** The write must remain reachable from those that overwrote it. Call between `beginForgetting` and `settle`. */
  need(write: number): void {
    this.needs[write] = NEEDED;
  }

  beginForgetting(): void {
    this.needs = new Uint8Array(this.starts.length);
  }

  /** Sets `live` for the writes that live ones must still lead to. */
  settle(live: Uint8Array, knowledge: Knowledge): void {
    const { needs } = this;
    for (let newer = 0; newer < needs.length; newer++) {
      for (let edge = this.first(newer), end = this.end(newer); edge < end; edge += EDGE_WORDS) {
        const write = this.write(edge);
        if ((needs[write]! & NEEDED) !== 0) continue;
        if (live[write] === 1 || knowledge.separates(write, newer)) needs[write] = NEEDED;
        else if (needs[write] === 0 && !knowledge.isSettled(write)) needs[write] = HELD;
      }
    }
    this.shorten();
    if (this.dropHidden(live)) this.shorten();
    this.markReached(live);
  }

  /** Makes the edges that lead to what is needed. Starts with the oldest writes, whose new edges the newer ones use. */
  private shorten(): void {
    const count = this.starts.length;
    const { needs, next } = this;
    next.clear();
    this.nextStarts = allocateWords(count + 1);
    for (let write = 0; write < count; write++) {
      this.nextStarts[write] = next.length;
      for (let edge = this.first(write), end = this.end(write); edge < end; edge += EDGE_WORDS) {
        const { words } = this.edges;
        this.lead(write, words[edge + E_WRITE]!, words[edge + E_LOW]!, words[edge + E_HIGH]!);
      }
      if (next.length - this.nextStarts[write]! > MANY * EDGE_WORDS) needs[write] = NEEDED;
    }
    this.nextStarts[count] = next.length;
  }

  /**
   * Drops writes that only loads of their own thread need if every path to them passes another write of that thread.
   * Returns whether there are any.
   */
  private dropHidden(live: Uint8Array): boolean {
    const { needs, events } = this;
    const threads = new Set<number>();
    for (let write = 0; write < needs.length; write++) {
      if (needs[write] === HELD) threads.add(events.get(write, ev.E_THREAD));
    }
    let isDropped = false;
    const all = [...threads];
    for (let i = 0; i < all.length; i += 32) if (this.dropHiddenOf(all.slice(i, i + 32), live)) isDropped = true;
    return isDropped;
  }

  /** The same for writes of at most 32 threads. */
  private dropHiddenOf(threads: readonly number[], live: Uint8Array): boolean {
    const { needs, next, nextStarts, events } = this;
    const bits = new Map(threads.map((thread, i) => [thread, 1 << i]));
    /** By write: the threads for which some path from a live write to it passes none of their writes. */
    const open = new Int32Array(needs.length);
    let isDropped = false;
    for (let write = needs.length - 1; write >= 0; write--) {
      const bit = bits.get(events.get(write, ev.E_THREAD)) ?? 0;
      const here = live[write] === 1 ? -1 : open[write]!;
      if (needs[write] === HELD && bit !== 0 && (here & bit) === 0) {
        needs[write] = 0;
        isDropped = true;
      }
      for (let edge = nextStarts[write]!; edge < nextStarts[write + 1]!; edge += EDGE_WORDS) {
        const older = next.words[edge + E_WRITE]!;
        open[older] = open[older]! | (here & ~bit);
      }
    }
    return isDropped;
  }

  /** Adds an edge from `from` to `to` if `to` is needed, otherwise to the writes that `to` leads to. */
  private lead(from: number, to: number, low: number, high: number): void {
    const { events, needs, nextStarts } = this;
    const isOwn = events.get(from, ev.E_THREAD) === events.get(to, ev.E_THREAD);
    const isFound = (needs[to]! & NEEDED) !== 0 || ((needs[to]! & HELD) !== 0 && !isOwn);
    if (isFound) return this.connect(from, to, low, high);
    const start = events.get(to, ev.E_ADDRESS);
    const end = start + events.get(to, ev.E_SIZE);
    // `next` grows during the loop, but not this part of it: `to` is older than `from`.
    for (let edge = nextStarts[to]!, last = nextStarts[to + 1]!; edge < last; edge += EDGE_WORDS) {
      const { words } = this.next;
      const [lowest, highest] = [
        Math.max(low, start, words[edge + E_LOW]!),
        Math.min(high, end, words[edge + E_HIGH]!),
      ];
      this.lead(from, words[edge + E_WRITE]!, lowest, highest);
    }
  }

  private connect(from: number, to: number, low: number, high: number): void {
    const { next } = this;
    for (let edge = this.nextStarts[from]!; edge < next.length; edge += EDGE_WORDS) {
      const { words } = next;
      if (words[edge + E_WRITE] !== to || !areOne(words[edge + E_LOW]!, words[edge + E_HIGH]!, low, high)) continue;
      words[edge + E_LOW] = Math.min(words[edge + E_LOW]!, low);
      words[edge + E_HIGH] = Math.max(words[edge + E_HIGH]!, high);
      return;
    }
    next.push(to);
    next.push(low);
    next.push(high);
  }

  private markReached(live: Uint8Array): void {
    const { next, nextStarts } = this;
    // Edges lead to older writes, so one pass is enough.
    for (let write = this.starts.length - 1; write >= 0; write--) {
      if (live[write] === 0) continue;
      for (let edge = nextStarts[write]!; edge < nextStarts[write + 1]!; edge += EDGE_WORDS) {
        live[next.words[edge + E_WRITE]!] = 1;
      }
    }
  }

  /** As in `Forgetful` in `monitor.ts`. A write that is kept only for others is never reached. */
  renumber(kept: Int32Array, numbers: Int32Array): void {
    const { starts, edges, next, nextStarts } = this;
    starts.clear();
    edges.clear();
    for (const event of kept) {
      starts.push(edges.length);
      for (let edge = nextStarts[event]!; edge < nextStarts[event + 1]!; edge += EDGE_WORDS) {
        const write = next.words[edge + E_WRITE]!;
        if (kept[numbers[write]!] !== write) continue;
        edges.push(numbers[write]!);
        edges.push(next.words[edge + E_LOW]!);
        edges.push(next.words[edge + E_HIGH]!);
      }
    }
    next.clear();
    this.nextStarts = new Int32Array(0);
    this.needs = new Uint8Array(0);
  }
}

/** Whether an edge with the wider bounds of two edges admits exactly the accesses that one of the two admits. */
function areOne(low: number, high: number, otherLow: number, otherHigh: number): boolean {
  if (low > otherLow) return areOne(otherLow, otherHigh, low, high);
  // Yes if one edge admits all that the other does. If not, an access that starts at `high` or later must end behind
  // `otherLow`.
  return high >= otherHigh || low === otherLow || otherLow <= high;
}
