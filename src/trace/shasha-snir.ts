/**
 * trace/: what happened, as orders between events instead of one sequence.
 *
 * A Shasha–Snir trace is the equivalence class of an execution: its events (a buffered store and the update that
 * commits it are one event), program order, the source of every read, and the store order of every location; conflict
 * order follows from the last two. Definitions: [NIDHUGG] Sect. 3, [MON] Sect. 4, and [SHASHA-SNIR].
 *
 *   paper                here
 *   po                   consecutive entries of `threads[t]`
 *   src                  `sources`, from a write to a read of its value; `INITIAL` where there is none
 *   st, store order      `storeOrder`, per cell
 *   cf, conflict         from a read to the write that follows its source in store order
 *
 * A trace is a function of the event log, so it rolls back with it. It knows nothing about search.
 *
 * Deviations
 *   - accesses have sizes. Locations are *cells*: the largest byte ranges that no access of the execution divides. A
 *     read has a source per cell.
 *   - under an axiomatic model, events say what they read and where they are in store order, which need not be the
 *     order in which they happened.
 *   - operations on one mutex or condition variable are ordered as they happened; a failed trylock only reads.
 *     A woken thread continues after the signal. Creating a thread precedes its first event, and its last event
 *     precedes the join.
 */
import {
  accessBy,
  BYTES,
  CHOOSES,
  COMMITS,
  CREATES,
  EFFECTS,
  effectsOf,
  JOINS,
  OBJECT,
  READS,
  SLEEPS,
  WRITES,
} from '../machine/events/effects.ts';
import * as ev from '../machine/events/event.ts';
import { followsWaker, wakerOf } from '../machine/events/waker.ts';
import type { ProcessTable } from '../machine/state/process.ts';
import type { IntVector } from '../util/int-vector.ts';

/** The source of a read whose value no store of the execution wrote. */
export const INITIAL = -1;

export type Relation = 'program order' | 'source' | 'store order' | 'conflict' | 'synchronisation' | 'create' | 'join';

/** A range of bytes that no access divides: its writes in store order, and each one's position among all writes. */
interface Cell {
  readonly start: number;
  readonly writes: number[];
  readonly times: number[];
}

interface SyncOperation {
  readonly event: number;
  readonly writes: boolean;
}

const NO_SOURCES: readonly number[] = [];

/** The index of the latest of these times before `end`; -1 if there is none. */
function latestBefore(times: readonly number[], end: number): number {
  let latest = -1;
  for (let i = times.length - 1; i >= 0; i--) {
    if (times[i]! < end && (latest < 0 || times[i]! > times[latest]!)) latest = i;
  }
  return latest;
}

export class ShashaSnirTrace {
  readonly events: ev.EventLog;
  private readonly processes: ProcessTable;
  /** Per thread slot: its event numbers, in program order. */
  readonly threads: readonly number[][];
  /** Ascending by address. The bytes between two accessed ranges also form a cell, which nothing writes. */
  private readonly cells: Cell[] = [];
  /** Per event: its source in each of its cells, if it reads. */
  private readonly sources: (readonly number[])[] = [];
  private readonly syncs = new Map<number, SyncOperation[]>();

  constructor(events: ev.EventLog, processes: ProcessTable) {
    this.events = events;
    this.processes = processes;
    const threads: number[][] = [];
    for (let slot = 0; slot < processes.threadCount; slot++) threads.push([]);
    this.threads = threads;
    this.makeCells();
    let time = 0;
    for (let e = 0; e < events.length; e++) time = this.add(e, time);
  }

  /** The store that an update commits. */
  private storeOf(update: number): number {
    return this.threads[this.events.get(update, ev.E_THREAD)]![this.events.get(update, ev.E_INDEX) - 1]!;
  }

  /** `write` reaches memory at `event`: its update, or itself. */
  private addWrite(event: number, write: number, time: number): void {
    const { events } = this;
    // What frees memory and fails writes nothing.
    if (events.get(event, ev.E_SIZE) === 0) return;
    const end = events.get(event, ev.E_ADDRESS) + events.get(event, ev.E_SIZE);
    const isPlaced = (events.get(event, ev.E_FLAGS) & ev.PLACED) !== 0;
    for (let c = this.cellAt(events.get(event, ev.E_ADDRESS)); this.cells[c]!.start < end; c++) {
      const { writes, times } = this.cells[c]!;
      const place = isPlaced ? latestBefore(times, events.get(event, ev.E_FOLLOWS)) + 1 : writes.length;
      writes.splice(place, 0, write);
      times.splice(place, 0, time);
    }
  }

  private makeCells(): void {
    const { events } = this;
    for (let e = 0; e < events.length; e++) {
      const size = events.get(e, ev.E_SIZE);
      if (size === 0) continue;
      const address = events.get(e, ev.E_ADDRESS);
      this.divideAt(address);
      this.divideAt(address + size);
    }
  }

  private divideAt(address: number): void {
    const { cells } = this;
    const last = cells.at(-1);
    if (last === undefined || last.start < address) {
      cells.push({ start: address, writes: [], times: [] });
      return;
    }
    const place = this.cellAt(address);
    if (cells[place]!.start !== address) cells.splice(place, 0, { start: address, writes: [], times: [] });
  }

  /** The first cell that starts at `address` or later. In the end, one starts at either end of every access. */
  private cellAt(address: number): number {
    let low = 0;
    let high = this.cells.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.cells[middle]!.start < address) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private add(e: number, time: number): number {
    const { events } = this;
    const does = effectsOf(events, e);
    const thread = events.get(e, ev.E_THREAD);
    const isUpdate = (does & COMMITS) !== 0;
    if (!isUpdate) this.threads[thread]!.push(e);
    const reads = (does & (READS | BYTES)) === (READS | BYTES);
    this.sources.push(reads ? this.findSources(e, thread, time) : NO_SOURCES);
    if ((events.get(e, ev.E_FLAGS) & ev.WROTE_MEMORY) !== 0) {
      // For an update, add its store.
      this.addWrite(e, isUpdate ? this.storeOf(e) : e, time);
      return time + 1;
    }
    if ((does & OBJECT) !== 0) this.addSync(e, does);
    return time;
  }

  private findSources(e: number, thread: number, now: number): readonly number[] {
    const { events, cells } = this;
    const end = events.get(e, ev.E_ADDRESS) + events.get(e, ev.E_SIZE);
    const sources: number[] = [];
    const forwarded = (events.get(e, ev.E_FLAGS) & ev.FORWARDED) !== 0;
    const own = forwarded ? this.threads[thread]![events.get(e, ev.E_OWN_STORE) - 1]! : INITIAL;
    const isPlaced = (events.get(e, ev.E_FLAGS) & ev.PLACED) !== 0;
    // Except under an axiomatic model, a read-modify-write reads current memory; only loads can be stale.
    const isLoad = events.get(e, ev.E_KIND) === ev.LOAD_EVENT;
    const seen = isLoad ? events.get(e, ev.E_AS_OF) : isPlaced ? events.get(e, ev.E_FOLLOWS) : now;
    for (let c = this.cellAt(events.get(e, ev.E_ADDRESS)); cells[c]!.start < end; c++) {
      const { writes, times } = cells[c]!;
      const i = latestBefore(times, seen);
      sources.push(forwarded ? own : i < 0 ? INITIAL : writes[i]!);
    }
    return sources;
  }

  private addSync(e: number, does: number): void {
    const { events } = this;
    const writes = (accessBy(does, events.get(e, ev.E_FLAGS)) & WRITES) !== 0;
    this.addSyncTo(events.get(e, ev.E_ADDRESS), { event: e, writes });
    // A condition wait also unlocks the mutex.
    if ((does & SLEEPS) !== 0) this.addSyncTo(events.get(e, ev.E_MUTEX), { event: e, writes: true });
  }

  private addSyncTo(object: number, operation: SyncOperation): void {
    const operations = this.syncs.get(object);
    if (operations === undefined) this.syncs.set(object, [operation]);
    else operations.push(operation);
  }

  /** For every cell that is written: its stores in the order in which they reached memory. */
  storeOrders(): { address: number; writes: readonly number[] }[] {
    return this.cells.filter((c) => c.writes.length > 0).map((c) => ({ address: c.start, writes: c.writes }));
  }

  /**
   * Per location of an access, the number of writes up to it: for a write, its own position in the store order; for a
   * read, that of its source. This is c(e) of [RELAXER] Sect. 2.1. A store that never reached memory has none.
   */
  placesOf(event: number): { location: number; place: number }[] {
    const { events } = this;
    const address = events.get(event, ev.E_ADDRESS);
    if ((effectsOf(events, event) & OBJECT) !== 0)
      return [{ location: -1 - address, place: this.syncPlace(address, event) }];
    const places: { location: number; place: number }[] = [];
    const end = address + events.get(event, ev.E_SIZE);
    const first = this.cellAt(address);
    for (let c = first; this.cells[c]!.start < end; c++) {
      const { start, writes } = this.cells[c]!;
      const own = writes.indexOf(event);
      const source = this.sources[event]![c - first] ?? event;
      const place = own >= 0 ? own : source === INITIAL ? -1 : writes.indexOf(source);
      if (own >= 0 || source === INITIAL || place >= 0) places.push({ location: start, place: place + 1 });
    }
    return places;
  }

  private syncPlace(object: number, event: number): number {
    let place = 0;
    for (const operation of this.syncs.get(object) ?? []) {
      if (operation.writes) place++;
      if (operation.event === event) break;
    }
    return place;
  }

  /** The distinct sources of a read. */
  sourcesOf(event: number): readonly number[] {
    return [...new Set(this.sources[event])];
  }

  // ---- the canonical key

  private id(out: IntVector, event: number): void {
    if (event < 0) return out.push(0);
    out.push(this.processes.handle(this.events.get(event, ev.E_THREAD)));
    out.push(this.events.get(event, ev.E_INDEX));
  }

  /**
   * Appends a canonical form: equal for two executions of a program iff their traces are equal. Threads are
   * deterministic, so their events follow from what they read and chose; only these and the orders are written.
   */
  encode(out: IntVector): void {
    const { events, processes } = this;
    for (const slot of processes.slotsInNameOrder) {
      const thread = this.threads[slot]!;
      if (thread.length === 0) continue;
      out.push(processes.handle(slot));
      out.push(thread.length);
      for (const e of thread) {
        const kind = events.get(e, ev.E_KIND);
        const sources = this.sources[e]!;
        if (sources.length > 0) {
          out.push(sources.length);
          for (const source of sources) this.id(out, source);
        } else if ((EFFECTS[kind]! & CHOOSES) !== 0) {
          out.push(events.get(e, ev.E_CHOICE));
        } else if (kind === ev.SIGNAL_EVENT) {
          const woken = events.get(e, ev.E_OTHER);
          out.push(woken < 0 ? 0 : processes.handle(woken));
        }
      }
    }
    for (const cell of this.cells) {
      if (cell.writes.length < 2) continue;
      out.push(-1 - cell.start);
      out.push(cell.writes.length);
      for (const write of cell.writes) this.id(out, write);
    }
    if (this.syncs.size === 0) return;
    for (const object of [...this.syncs.keys()].sort((a, b) => a - b)) this.encodeSync(out, object);
  }

  private encodeSync(out: IntVector, object: number): void {
    out.push(-1 - object);
    // Reads between two writes are unordered: name each by the write it follows.
    const reads: { event: number; after: number }[] = [];
    let last = INITIAL;
    for (const { event, writes } of this.syncs.get(object)!) {
      if (writes) this.id(out, event);
      else reads.push({ event, after: last });
      if (writes) last = event;
    }
    const key = ({ event }: { event: number }): number =>
      this.processes.handle(this.events.get(event, ev.E_THREAD)) * 2 ** 21 + this.events.get(event, ev.E_INDEX);
    reads.sort((a, b) => key(a) - key(b));
    out.push(0);
    for (const { event, after } of reads) {
      this.id(out, event);
      this.id(out, after);
    }
    out.push(0);
  }

  // ---- edges

  /** Every edge of the trace except program order, as `from, to, relation`. */
  forEachEdge(visit: (from: number, to: number, relation: Relation) => void): void {
    const { events } = this;
    for (const { writes } of this.cells) {
      for (let i = 1; i < writes.length; i++) visit(writes[i - 1]!, writes[i]!, 'store order');
    }
    for (const [read, sources] of this.sources.entries()) this.forEachReadEdge(read, sources, visit);
    for (const operations of this.syncs.values()) {
      for (let i = 0; i < operations.length; i++) {
        for (let j = i + 1; j < operations.length; j++) {
          const [a, b] = [operations[i]!, operations[j]!];
          if (a.event !== b.event && (a.writes || b.writes)) visit(a.event, b.event, 'synchronisation');
          if (b.writes) break;
        }
      }
    }
    for (let e = 0; e < events.length; e++) {
      const does = effectsOf(events, e);
      if ((does & SLEEPS) !== 0) this.visitWaker(e, visit);
      if ((does & (CREATES | JOINS)) === 0) continue;
      const other = this.threads[events.get(e, ev.E_OTHER)];
      if (other === undefined || other.length === 0) continue;
      if ((does & CREATES) !== 0) visit(e, other[0]!, 'create');
      else visit(other.at(-1)!, e, 'join');
    }
  }

  /** A waiting thread continues after the signal that woke it. A timed wait ends by an operation on the condition. */
  private visitWaker(wait: number, visit: (from: number, to: number, relation: Relation) => void): void {
    const { events } = this;
    const thread = events.get(wait, ev.E_THREAD);
    const next = this.threads[thread]![events.get(wait, ev.E_INDEX)];
    if (next === undefined || !followsWaker(events.get(wait, ev.E_KIND), events.get(next, ev.E_KIND))) return;
    const waker = wakerOf(events.words, thread, wait, next);
    if (waker >= 0) visit(waker, next, 'synchronisation');
  }

  private forEachReadEdge(
    read: number,
    sources: readonly number[],
    visit: (from: number, to: number, relation: Relation) => void,
  ): void {
    if (sources.length === 0) return;
    const first = this.cellAt(this.events.get(read, ev.E_ADDRESS));
    sources.forEach((source, i) => {
      if (source !== INITIAL) visit(source, read, 'source');
      const { writes } = this.cells[first + i]!;
      // A store that is still in its buffer has no place in store order, and nothing overwrites it.
      const place = source === INITIAL ? -1 : writes.indexOf(source);
      if (source !== INITIAL && place < 0) return;
      const next = writes[place + 1];
      if (next !== undefined && next !== read) visit(read, next, 'conflict');
    });
  }
}
