/**
 * The events of the sequence: what each accesses, its source in each cell, and where its writes are. How events are
 * ordered is in [relations.ts](./relations.ts).
 *
 * An event is observed in two halves: `begin` finds what the operation happens after in any case, by program order and
 * by waiting (what [Predecessors](../../trace/predecessors.ts) has), and which cells it accesses; `finish` adds it
 * behind its sources. Between the two the search asks where else the operation could have gone.
 */
import { RELEASES } from '../../machine/code/order.ts';
import {
  accessBy,
  BARRIER,
  BUFFERED,
  COMMITS,
  CREATES,
  EFFECTS,
  FREES,
  JOINS,
  MAY_WAIT,
  NO_WAIT,
  READS,
  SLEEPS,
  WRITES,
  waitOf,
} from '../../machine/events/effects.ts';
import * as ev from '../../machine/events/event.ts';
import { followsWaker } from '../../machine/events/waker.ts';
import { processOf } from '../../machine/state/process.ts';
import {
  H_EPOCH,
  H_FORWARDED,
  H_NEXT_FORWARDED,
  H_OWN,
  H_PREVIOUS,
  H_STORE,
  H_UPDATE,
  H_WORDS,
  NONE,
} from '../../trace/predecessors.ts';
import { IntVector, larger } from '../../util/int-vector.ts';
import { Cells } from './cells.ts';
import { Relations } from './relations.ts';

// Words of a record: an event accesses a cell.
export const R_EVENT = 0;
export const R_CELL = 1;
/** For a read: the index of its source in the cell's store order. */
export const R_SOURCE = 2;
/** For a write: its own index there. Otherwise `NOT_WRITTEN` or `FROM_BUFFER`. */
export const R_PLACE = 3;
export const RECORD_WORDS = 4;
export const NOT_WRITTEN = -1;
/** The event read its thread's buffer; it counts as a reader of the store's update, whose record this is. */
export const FROM_BUFFER = -2;

// Words of an event.
const S_THREAD = 0;
const S_PROCESS = 1;
const S_RECORDS = 2; // where its records begin
const S_LOG = 3; // where the changes of `order` that it made begin
const S_STREAK = 4; // events of its thread without another's in between, itself included
const S_WORDS = 5;

/** A store by its thread and its number there; the same in every sequence. */
export function storeName(events: ev.EventLog, event: number): number {
  return event < 0 ? -1 : (events.get(event, ev.E_INDEX) << 10) | events.get(event, ev.E_THREAD);
}

export class Sequence extends Relations {
  readonly cells: Cells = new Cells((cell, upper) => this.divide(cell, upper));
  /** The operation that was begun: its thread, process, cells, how it accesses each, and the index of each source. */
  opThread = 0;
  opProcess = 0;
  readonly opCells: IntVector = new IntVector();
  readonly opAccess: IntVector = new IntVector();
  readonly opSources: IntVector = new IntVector();
  /** Whether it takes its value from its thread's buffer. */
  opForwards = false;
  readonly records: IntVector = new IntVector();
  private info = new Int32Array(S_WORDS * 128);
  private readonly sizes = new IntVector();

  // ---- what the search reads

  threadOf(event: number): number {
    return this.info[event * S_WORDS + S_THREAD]!;
  }
  processOf(event: number): number {
    return this.info[event * S_WORDS + S_PROCESS]!;
  }
  streakOf(event: number): number {
    return this.info[event * S_WORDS + S_STREAK]!;
  }
  recordsFrom(event: number): number {
    return event < this.length ? this.info[event * S_WORDS + S_RECORDS]! : this.records.length;
  }
  record(record: number, field: number): number {
    return this.records.words[record + field]!;
  }
  /** The index of the newest write of the cell. */
  newest(cell: number): number {
    return this.cells.writes[cell]!.length - 1;
  }
  write(cell: number, index: number): number {
    return this.cells.writes[cell]!.words[index]!;
  }
  /** What the event read in the first of its cells; -1 if that was the initial value. */
  sourceOf(event: number): number {
    const record = this.recordsFrom(event);
    return this.write(this.record(record, R_CELL), this.record(record, R_SOURCE));
  }

  /** From now on, no cell crosses the ends of these bytes. */
  readonly addCells = (start: number, end: number): void => {
    this.cells.add(start, end - start, this.sizes);
    this.sizes.clear();
  };

  // ---- an operation that has happened

  /** The operation of the machine's newest event: what it happens after in any case, and what it accesses. */
  begin(event: number): void {
    if (event !== this.length) throw new Error('events must be observed one after the other');
    this.makeRoom(event);
    const { words } = this.machine.events;
    const at = event * ev.EVENT_WORDS;
    const kind = words[at + ev.E_KIND]!;
    const thread = words[at + ev.E_THREAD]!;
    while (this.threads.length <= thread) this.addThread();
    this.preds.clear();
    this.clearOperation(thread, processOf(words[at + ev.E_STEP]!));
    const h = event * H_WORDS;
    const { fields } = this;
    fields[h + H_UPDATE] = NONE;
    fields[h + H_FORWARDED] = NONE;
    fields[h + H_OWN] = NONE;
    const does = EFFECTS[kind]!;
    if ((does & COMMITS) !== 0) this.beginUpdate(event, thread);
    else this.beginOperation(event, kind, does, thread);
    this.joinPreds();
  }

  private clearOperation(thread: number, process: number): void {
    this.opThread = thread;
    this.opProcess = process;
    this.opForwards = false;
    this.opCells.clear();
    this.opAccess.clear();
    this.opSources.clear();
  }

  private beginUpdate(event: number, thread: number): void {
    const { fields } = this;
    const { words } = this.machine.events;
    const at = event * ev.EVENT_WORDS;
    const store = this.threads[thread]!.get(words[at + ev.E_INDEX]! - 1);
    const last = this.lastUpdate.get(thread);
    const epoch = fields[store * H_WORDS + H_EPOCH]!;
    this.add(store, 0);
    const h = event * H_WORDS;
    fields[h + H_STORE] = store;
    fields[h + H_PREVIOUS] = last;
    fields[h + H_EPOCH] = epoch;
    if (!this.isPerLocation) {
      if (last !== NONE) this.add(last, 0);
    } else this.addEpochBefore(last, epoch);
    for (let l = fields[store * H_WORDS + H_FORWARDED]!; l !== NONE; l = fields[l * H_WORDS + H_NEXT_FORWARDED]!)
      this.cells.add(words[l * ev.EVENT_WORDS + ev.E_ADDRESS]!, words[l * ev.EVENT_WORDS + ev.E_SIZE]!, this.sizes);
    this.sizes.clear();
    this.access(words[at + ev.E_ADDRESS]!, Math.max(1, words[at + ev.E_SIZE]!), WRITES);
    this.addOwnUpdates();
  }

  private beginOperation(event: number, kind: number, does: number, thread: number): void {
    const { fields } = this;
    const { words } = this.machine.events;
    const at = event * ev.EVENT_WORDS;
    const h = event * H_WORDS;
    const own = this.threads[thread]!;
    const previous = own.length === 0 ? NONE : own.get(own.length - 1);
    fields[h + H_PREVIOUS] = previous;
    this.addPrevious(thread, previous, kind);
    let epoch = previous === NONE ? 0 : fields[previous * H_WORDS + H_EPOCH]!;
    let access = accessBy(does, words[at + ev.E_FLAGS]!) & (READS | WRITES);
    if (this.isBuffered) {
      const wait = (does & MAY_WAIT) === 0 ? NO_WAIT : waitOf(words, at);
      if (wait !== NO_WAIT) this.waitFor(thread, epoch, wait);
      // A full fence needs no barrier: no earlier store is still buffered.
      else if ((does & BARRIER) !== 0 && RELEASES[words[at + ev.E_ORDER]!] === 1) epoch++;
      if ((does & BUFFERED) !== 0) access = 0;
    }
    fields[h + H_EPOCH] = epoch;
    if ((does & JOINS) !== 0) this.join(words[at + ev.E_OTHER]!);
    const size = words[at + ev.E_SIZE]!;
    // `free(NULL)` frees nothing.
    if (access === 0 || ((does & FREES) !== 0 && size === 0)) return;
    const isForwarded = kind === ev.LOAD_EVENT && (words[at + ev.E_FLAGS]! & ev.FORWARDED) !== 0;
    this.access(words[at + ev.E_ADDRESS]!, Math.max(1, size), access);
    if ((does & SLEEPS) !== 0) this.access(words[at + ev.E_MUTEX]!, 1, WRITES);
    if (isForwarded) {
      this.opForwards = true;
      fields[h + H_OWN] = own.get(words[at + ev.E_OWN_STORE]! - 1);
    } else if (!this.isBuffered) return;
    else if (kind === ev.LOAD_EVENT) this.addPartlyOwn();
    else this.addOwnUpdates();
  }

  /** The previous event of the thread, or what created it or woke it. */
  private addPrevious(thread: number, previous: number, kind: number): void {
    if (previous === NONE) {
      if (this.created.get(thread) !== NONE) this.add(this.created.get(thread), 0);
      return;
    }
    this.add(previous, 0);
    if (followsWaker(this.machine.events.get(previous, ev.E_KIND), kind)) this.add(this.wakerOf(thread, previous), 0);
  }

  private access(address: number, size: number, access: number): void {
    const { opCells, opAccess, opSources } = this;
    this.cells.add(address, size, opCells);
    while (opAccess.length < opCells.length) {
      opSources.push(this.newest(opCells.get(opAccess.length)));
      opAccess.push(access);
    }
  }

  /** An own store to the same bytes reaches memory first: so the thread's newest update of each cell comes before. */
  private addOwnUpdates(): void {
    const { opCells, opThread } = this;
    for (let i = 0; i < opCells.length; i++) {
      const update = this.newestOwn(opCells.get(i), opThread);
      if (update > 0) this.add(this.write(opCells.get(i), update), 0);
    }
  }

  /** A load waits for an own store that overlaps it without covering it; the thread's newest one decides. */
  private addPartlyOwn(): void {
    const { opCells, opThread, fields } = this;
    const { words } = this.machine.events;
    let newest = NONE;
    for (let i = 0; i < opCells.length; i++) {
      const index = this.newestOwn(opCells.get(i), opThread);
      if (index === 0) continue;
      const update = this.write(opCells.get(i), index);
      if (newest === NONE || storeOf(fields, update) > storeOf(fields, newest)) newest = update;
    }
    if (newest === NONE) return;
    const last = this.cells.end(opCells.get(opCells.length - 1));
    const start = words[newest * ev.EVENT_WORDS + ev.E_ADDRESS]!;
    const covers =
      start <= this.cells.start(opCells.get(0)) && last <= start + words[newest * ev.EVENT_WORDS + ev.E_SIZE]!;
    if (!covers) this.addOwnUpdates();
  }

  /** The index of the thread's newest write of the cell; 0 if there is none. */
  newestOwn(cell: number, thread: number): number {
    let index = this.newest(cell);
    while (index > 0 && this.threadOf(this.write(cell, index)) !== thread) index--;
    return index;
  }

  // ---- an operation that waits

  /**
   * The operation in front of which the thread waits, as if it were the next event. `kind` is that of its event, `wait`
   * says which of its own stores it waits for.
   */
  beginWaiting(thread: number, kind: number, address: number, size: number, access: number, wait: number): void {
    while (this.threads.length <= thread) this.addThread();
    this.makeRoom(this.length);
    this.preds.clear();
    this.clearOperation(thread, thread);
    const own = this.threads[thread]!;
    const previous = own.length === 0 ? NONE : own.get(own.length - 1);
    this.addPrevious(thread, previous, kind);
    if (this.isBuffered && previous !== NONE) this.waitFor(thread, this.fields[previous * H_WORDS + H_EPOCH]!, wait);
    this.access(address, size, access);
    if (this.isBuffered) this.addOwnUpdates();
    this.joinPreds();
  }

  // ---- the second half

  /** Appends the operation that was begun. `opSources` may have been changed: the read is placed. */
  finish(event: number, isStarred: boolean): void {
    const { opCells, opAccess, opSources, info, machine } = this;
    const { words } = machine.events;
    const at = event * ev.EVENT_WORDS;
    const kind = words[at + ev.E_KIND]!;
    const s = event * S_WORDS;
    const thread = this.opThread;
    info[s + S_THREAD] = thread;
    info[s + S_PROCESS] = this.opProcess;
    info[s + S_RECORDS] = this.records.length;
    info[s + S_LOG] = this.log.length;
    info[s + S_STREAK] = event > 0 && this.threadOf(event - 1) === thread ? info[s - S_WORDS + S_STREAK]! + 1 : 1;
    let isPlaced = false;
    if (!this.opForwards) {
      // A load of its own thread's value does not happen after the update, which nobody can tell from the buffer.
      const skipsOwn = this.isBuffered && (opAccess.length === 0 || (opAccess.words[0]! & WRITES) === 0);
      for (let i = 0; i < opCells.length; i++) {
        const cell = opCells.words[i]!;
        const source = opSources.words[i]!;
        const write = this.write(cell, source);
        if (write >= 0 && !(skipsOwn && this.threadOf(write) === thread)) this.joinEvent(write);
        if ((opAccess.words[i]! & WRITES) !== 0) this.joinReaders(cell, source, thread);
        else if (source < this.newest(cell)) isPlaced = true;
      }
    }
    this.length++;
    this.writeRows(event, isStarred);
    if (isPlaced) this.orderAfter(event);
    if (!this.opForwards) this.addRecords(event);
    if (kind === ev.UPDATE_EVENT) this.finishUpdate(event, thread);
    else this.finishOperation(event, kind, thread);
  }

  /** A write comes after the reads of what it overwrites. Its own thread's come before it anyway. */
  private joinReaders(cell: number, index: number, thread: number): void {
    const accesses = this.cells.accesses[cell]!;
    const records = this.records.words;
    for (let i = accesses.length - 1; i >= 0; i--) {
      const record = accesses.words[i]!;
      if (records[record + R_PLACE] === index) return;
      if (records[record + R_SOURCE] !== index) continue;
      const read = records[record + R_EVENT]!;
      if (this.threadOf(read) !== thread) this.joinReader(read);
    }
  }

  /** The event reads older writes: everything that comes after the next ones comes after the event, too. */
  private orderAfter(event: number): void {
    const { opCells, opSources } = this;
    for (let i = 0; i < opCells.length; i++) {
      const cell = opCells.words[i]!;
      if (opSources.words[i]! === this.newest(cell)) continue;
      this.putBefore(event, this.write(cell, opSources.words[i]! + 1));
    }
  }

  private addRecords(event: number): void {
    const { opCells, opAccess, opSources, cells } = this;
    for (let i = 0; i < opCells.length; i++) {
      const cell = opCells.words[i]!;
      const writes = (opAccess.words[i]! & WRITES) !== 0;
      this.addRecord(event, cell, opSources.words[i]!, writes ? cells.writes[cell]!.length : NOT_WRITTEN);
      if (!writes) continue;
      cells.writes[cell]!.push(event);
      cells.names[cell]!.push(storeName(this.machine.events, event));
    }
  }

  private addRecord(event: number, cell: number, source: number, place: number): void {
    const record = this.records.extend(RECORD_WORDS);
    const { words } = this.records;
    words[record + R_EVENT] = event;
    words[record + R_CELL] = cell;
    words[record + R_SOURCE] = source;
    words[record + R_PLACE] = place;
    this.cells.accesses[cell]!.push(record);
  }

  private finishUpdate(event: number, thread: number): void {
    const { fields, sizes } = this;
    const { words } = this.machine.events;
    const store = fields[event * H_WORDS + H_STORE]!;
    fields[store * H_WORDS + H_UPDATE] = event;
    this.lastUpdate.words[thread] = event;
    // The loads that took their value from this store in the buffer now count as readers of memory.
    for (let l = fields[store * H_WORDS + H_FORWARDED]!; l !== NONE; l = fields[l * H_WORDS + H_NEXT_FORWARDED]!) {
      sizes.clear();
      this.cells.add(words[l * ev.EVENT_WORDS + ev.E_ADDRESS]!, words[l * ev.EVENT_WORDS + ev.E_SIZE]!, sizes);
      for (let i = 0; i < sizes.length; i++) this.addRecord(l, sizes.get(i), this.newest(sizes.get(i)), FROM_BUFFER);
    }
    sizes.clear();
  }

  private finishOperation(event: number, kind: number, thread: number): void {
    const { fields } = this;
    this.threads[thread]!.push(event);
    if ((EFFECTS[kind]! & CREATES) !== 0) this.noteCreation(event, this.machine.events.get(event, ev.E_OTHER));
    const own = fields[event * H_WORDS + H_OWN]!;
    if (own === NONE) return;
    fields[event * H_WORDS + H_NEXT_FORWARDED] = fields[own * H_WORDS + H_FORWARDED]!;
    fields[own * H_WORDS + H_FORWARDED] = event;
  }

  // ---- room

  private makeRoom(event: number): void {
    if ((event + 1) * H_WORDS > this.fields.length) this.fields = larger(this.fields, NONE);
    if ((event + 1) * S_WORDS > this.info.length) this.info = larger(this.info);
    // There must be a bit for the event itself.
    while (event + 1 >= this.past.stride * 32) this.widen();
  }

  /** Cell `upper` has been split off `cell`: it gets a record beside each of that cell's. */
  private divide(cell: number, upper: number): void {
    const { records, info } = this;
    const old = records.words.slice(0, records.length);
    const ends = records.length;
    const moved = new Map<number, number>();
    records.clear();
    let event = 0;
    for (let record = 0; ; record += RECORD_WORDS) {
      while (event < this.length && info[event * S_WORDS + S_RECORDS] === record) {
        info[event * S_WORDS + S_RECORDS] = records.length;
        event++;
      }
      if (record >= ends) break;
      moved.set(record, records.length);
      records.append(old, record, record + RECORD_WORDS);
      if (old[record + R_CELL] !== cell) continue;
      this.cells.accesses[upper]!.push(records.length);
      records.append(old, record, record + RECORD_WORDS);
      records.words[records.length - RECORD_WORDS + R_CELL] = upper;
    }
    for (const [other, { words, length }] of this.cells.accesses.entries()) {
      if (other === upper) continue;
      for (let i = 0; i < length; i++) words[i] = moved.get(words[i]!)!;
    }
  }

  // ---- rolling back

  /** Forgets all events from number `depth` on. */
  rollback(depth: number): void {
    for (let event = this.length - 1; event >= depth; event--) this.undo(event);
  }

  private undo(event: number): void {
    const { info, records, cells, fields } = this;
    const { words } = this.machine.events;
    const s = event * S_WORDS;
    while (records.length > info[s + S_RECORDS]!) {
      records.length -= RECORD_WORDS;
      const cell = records.words[records.length + R_CELL]!;
      cells.accesses[cell]!.length--;
      if (records.words[records.length + R_PLACE]! < 0) continue;
      cells.writes[cell]!.length--;
      cells.names[cell]!.length--;
    }
    this.forgetRows(event, info[s + S_LOG]!);
    this.length = event;
    const at = event * ev.EVENT_WORDS;
    const thread = this.threadOf(event);
    const h = event * H_WORDS;
    if (words[at + ev.E_KIND] === ev.UPDATE_EVENT) {
      this.lastUpdate.words[thread] = fields[h + H_PREVIOUS]!;
      fields[fields[h + H_STORE]! * H_WORDS + H_UPDATE] = NONE;
      return;
    }
    this.threads[thread]!.length--;
    const other = words[at + ev.E_OTHER]!;
    if ((EFFECTS[words[at + ev.E_KIND]!]! & CREATES) !== 0 && other >= 0) this.created.words[other] = NONE;
    const own = fields[h + H_OWN]!;
    if (own !== NONE) fields[own * H_WORDS + H_FORWARDED] = fields[h + H_NEXT_FORWARDED]!;
  }
}

function storeOf(fields: Int32Array, update: number): number {
  return fields[update * H_WORDS + H_STORE]!;
}
