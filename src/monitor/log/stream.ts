/**
 * Monitors over a log of any length: memory is bounded by the number of threads and locations. `sober` and
 * `sober-fixed` keep more while threads race with overlapping stores of different sizes (`overwritten.ts`).
 *
 * Events go into an internal log, with small numbers for threads and addresses. Whenever it has grown to a multiple of
 * what is still needed, the rest of it is dropped.
 *
 * Errors: those of the monitors, and three more. For an operation that waits for a value (`awaited`), only the last
 * write is considered if earlier ones have been dropped. A thread whose creation is not in the log, and whose first
 * event comes late, does not know the dropped events that all other threads knew. A store or free across a multiple of
 * 1 MiB counts as one that reaches memory at once. Each of these may miss a violation.
 */

import {
  ATOMIC,
  BUFFERED,
  BYTES,
  CREATES,
  EFFECTS,
  JOINS,
  NAMES_THREAD,
  OBJECT,
  SLEEPS,
} from '../../machine/events/effects.ts';
import * as ev from '../../machine/events/event.ts';
import { ORDERS } from '../../program/types.ts';
import { larger } from '../../util/int-vector.ts';
import { MemoryLimit } from '../../util/memory-limit.ts';
import { MAX_TREE_THREADS } from '../clock-trees.ts';
import { type MonitorName, Monitors, monitoredModel } from '../monitors.ts';
import { Addresses } from './addresses.ts';
import { Modules } from './modules.ts';
import { Possible, SYNCHRONISES } from './possible.ts';
import {
  AWAITED,
  LogError,
  type LogEvent,
  type LogListener,
  type LogModule,
  NOBODY,
  SUCCEEDED,
  WROTE,
} from './record.ts';
import type { LoggedViolation } from './violation.ts';

const MIN_EVENTS = 1 << 13;
const MIN_ENTRIES = 1 << 22;
/** Larger accesses may add many entries to the lists. */
const MANY_BYTES = 64;
/** The internal log may grow to this many times what was needed at the last check. */
const GROWTH = 4;
/** At least this many events per thread are kept. */
const PER_THREAD = 8;
const MAX_THREADS = MAX_TREE_THREADS;
/** How many slots of ended threads are tried for a new one. */
const MAX_PLACES = 1024;
/** Limit on characters of names and places in the source, with the overhead of each text. */
const MAX_TEXT = 2 ** 28;
const TEXT_COST = 128;
const SEQ_CST = ORDERS.indexOf('seq_cst');
const RELEASE = ORDERS.indexOf('release');

export class StreamMonitor implements LogListener {
  /** Events read so far. */
  count = 0;
  readonly violations: LoggedViolation[] = [];
  readonly modules: Modules = new Modules();
  protected readonly events: ev.EventLog = new ev.EventLog();
  protected readonly monitors: Monitors;
  private readonly addresses = new Addresses(() => `event ${this.count}`);
  private readonly possible = new Possible(this.addresses, (address) => this.names.get(address) ?? hex(address));
  private readonly sites = new Map<number, string>();
  private readonly names = new Map<number, string>();
  /** The log's threads by slot; slots of joined threads; slots by thread; number of events by slot. */
  private readonly threads: number[] = [];
  private readonly ended: number[] = [];
  private readonly slots = new Int32Array(NOBODY + 1).fill(-1);
  private indices = new Int32Array(64);
  private readonly pairs = new Map<string, LoggedViolation>();
  private readonly least: number;
  private limit: number;
  private entryLimit = MIN_ENTRIES;
  private address = 0;
  private text = 0;

  /**
   * Nothing is dropped before there are `least` events. `byPieces`: what many bytes have in common is kept only once.
   */
  constructor(names: readonly MonitorName[], least: number = MIN_EVENTS, byPieces = true) {
    this.least = least;
    this.limit = least;
    const report = (name: MonitorName) => (event: number, write: number) => this.report(name, event, write);
    this.monitors = new Monitors(this.events, names, report, byPieces);
  }

  site(site: number, text: string): void {
    this.keepText(text);
    this.sites.set(site, text);
  }

  name(address: number, text: string): void {
    this.keepText(text);
    this.names.set(address, text);
  }

  module(module: LogModule): void {
    this.keepText(module.path);
    this.modules.add(module);
  }

  private keepText(text: string): void {
    this.text += text.length + TEXT_COST;
    if (this.text > MAX_TEXT) throw new MemoryLimit(`${this.text} characters of text`);
  }

  event(entry: LogEvent): void {
    this.count++;
    const { operation, size } = entry;
    const effects = EFFECTS[operation]!;
    if ((effects & SYNCHRONISES) !== 0 || !this.possible.isRunning(entry.thread)) this.checkPossible(entry);
    const isAccess = size > 0 && (effects & BYTES) !== 0;
    this.address = entry.address;
    if (!isAccess || this.addresses.isWhole(entry.address, size)) {
      if (size > MANY_BYTES && this.monitors.clock.entries >= this.entryLimit) this.forget();
      return this.add(entry, entry.address, size);
    }
    // Adjacent blocks of the log's memory need not have adjacent numbers here.
    for (let done = 0; done < size; ) {
      const part = this.addresses.part(entry.address + done, size - done);
      if (this.monitors.clock.entries >= this.entryLimit) this.forget();
      this.add(entry, entry.address + done, part, true);
      done += part;
    }
  }

  protected checkPossible(entry: LogEvent): void {
    const wrong = this.possible.impossible(entry, this.count);
    if (wrong !== undefined) throw new LogError(`event ${this.count} is impossible: ${wrong}`);
  }

  private add(entry: LogEvent, address: number, size: number, isPart = false): void {
    const { events } = this;
    if (events.length >= this.limit) this.forget();
    const { operation, flags } = entry;
    const slot = this.slotOf(entry.thread);
    const isSeqCstStore = operation === ev.STORE_EVENT && entry.order === SEQ_CST;
    const order = isSeqCstStore ? RELEASE : entry.order;
    const index = this.indices[slot]! + 1;
    this.indices[slot] = index;
    const at = events.append(operation, slot, index, 0, entry.site);
    const { words } = events;
    words[at + ev.E_NUMBER] = this.count;
    words[at + ev.E_LOG_THREAD] = entry.thread;
    words[at + ev.E_ORDER] = order;
    words[at + ev.E_WAIT] = order;
    const does = EFFECTS[operation]!;
    if ((does & NAMES_THREAD) !== 0) words[at + ev.E_OTHER] = this.otherOf(entry, does, slot);
    if ((does & (BYTES | OBJECT)) !== 0) words[at + ev.E_ADDRESS] = this.addresses.number(address);
    if ((does & SLEEPS) !== 0) words[at + ev.E_MUTEX] = this.addresses.number(entry.value);
    if ((does & BYTES) !== 0) {
      words[at + ev.E_SIZE] = size;
      if ((does & BUFFERED) !== 0) {
        // The parts of a split store reach memory at once, so that no violation has one part late without the other.
        words[at + ev.E_FLAGS] = isPart ? ev.WROTE_MEMORY | ev.AT_ONCE : ev.WROTE_MEMORY;
        words[at + ev.E_OLD_LOW] = entry.value | 0;
      } else if ((does & ATOMIC) !== 0) this.setAtomic(at, entry);
    }
    if ((flags & SUCCEEDED) !== 0) words[at + ev.E_FLAGS]! |= ev.SUCCEEDED;
    this.observe(events.length - 1);
    if (isSeqCstStore) this.addFence(slot, entry.site);
  }

  protected observe(event: number): void {
    this.monitors.observe(event);
  }

  /** The slot of the thread that the event creates, joins or wakes, or -1. */
  private otherOf({ other }: LogEvent, does: number, slot: number): number {
    if (other === NOBODY) return -1;
    if ((does & CREATES) !== 0) return this.slotForNew(other, slot);
    const known = this.slotOf(other);
    if ((does & JOINS) !== 0) this.ended.push(known);
    return known;
  }

  private setAtomic(at: number, { flags, value, predicate }: LogEvent): void {
    const { words } = this.events;
    if ((flags & WROTE) !== 0) words[at + ev.E_FLAGS]! |= ev.WROTE_MEMORY;
    if ((flags & AWAITED) === 0) return;
    words[at + ev.E_FLAGS]! |= ev.AWAITED | ev.BLOCKS;
    words[at + ev.E_BOUND] = value | 0;
    words[at + ev.E_PREDICATE] = predicate;
  }

  /** A seq_cst store is a store and a fence. */
  private addFence(slot: number, site: number): void {
    const { events } = this;
    const index = this.indices[slot]! + 1;
    this.indices[slot] = index;
    const at = events.append(ev.FENCE_EVENT, slot, index, 0, site);
    events.words[at + ev.E_NUMBER] = this.count;
    events.words[at + ev.E_ORDER] = SEQ_CST;
    this.observe(events.length - 1);
  }

  /** The slot for a thread created by the thread with slot `creator`, even if its number has been used before. */
  private slotForNew(thread: number, creator: number): number {
    const known = this.slots[thread]!;
    if (known >= 0 && this.indices[known] === 0) return known;
    const { clock } = this.monitors;
    // Reuse the slot of a thread whose end the creator knows: everything it did precedes everything the new thread
    // does.
    const place = this.ended.findIndex((slot, n) => n < MAX_PLACES && clock.knowsEnd(creator, slot));
    if (place < 0) {
      this.slots[thread] = -1;
      return this.slotOf(thread);
    }
    const [slot] = this.ended.splice(place, 1) as [number];
    if (this.slots[this.threads[slot]!] === slot) this.slots[this.threads[slot]!] = -1;
    this.threads[slot] = thread;
    this.slots[thread] = slot;
    return slot;
  }

  private slotOf(thread: number): number {
    const known = this.slots[thread]!;
    if (known >= 0) return known;
    if (this.threads.length === MAX_THREADS) {
      throw new LogError(`event ${this.count} makes more than ${MAX_THREADS} unjoined threads`);
    }
    this.slots[thread] = this.threads.length;
    if (this.threads.length === this.indices.length) this.indices = larger(this.indices);
    return this.threads.push(thread) - 1;
  }

  private forget(): void {
    this.monitors.forget(this.events);
    const { locations, entries } = this.monitors.clock;
    // Forgetting examines every location, and what every thread knows.
    this.limit = Math.max(this.least, this.events.length * GROWTH, locations, this.threads.length * PER_THREAD);
    this.entryLimit = Math.max(MIN_ENTRIES, entries * GROWTH, locations * GROWTH);
  }

  private report(monitor: MonitorName, event: number, write: number): void {
    const { events } = this;
    const [eventSite, writeSite] = [events.get(event, ev.E_SITE), events.get(write, ev.E_SITE)];
    // The log's thread numbers: slots are reused.
    const [thread, writer] = [events.get(event, ev.E_LOG_THREAD), events.get(write, ev.E_LOG_THREAD)];
    // Without source locations, pairs are distinguished by what they access.
    const place = eventSite === 0 || writeSite === 0 ? `${thread} ${writer} ${this.address}` : '';
    const key = `${monitor} ${eventSite} ${writeSite} ${place}`;
    const known = this.pairs.get(key);
    if (known !== undefined) {
      known.count++;
      return;
    }
    const found: LoggedViolation = {
      monitor,
      model: monitoredModel(monitor),
      thread,
      writer,
      event: this.placeOf(eventSite),
      write: this.placeOf(writeSite),
      variable: this.names.get(this.address),
      eventSite,
      writeSite,
      address: this.address,
      eventNumber: events.get(event, ev.E_NUMBER),
      writeNumber: events.get(write, ev.E_NUMBER),
      count: 1,
    };
    this.keepText(key);
    this.pairs.set(key, found);
    this.violations.push(found);
  }

  /** The place of a site in the source, or in a module, if the log says. */
  placeOf(site: number): string | undefined {
    return this.sites.get(site) ?? (site === 0 ? undefined : this.modules.text(site));
  }

  nameOf(address: number): string | undefined {
    return this.names.get(address);
  }

  /** The most threads that needed separate slots at one time. */
  get largestNumberOfThreads(): number {
    return this.threads.length;
  }

  /** The number of accesses held in memory now, counted once for each word or piece of memory that they touch. */
  get kept(): number {
    return this.monitors.clock.entries;
  }

  /** The number of events held in memory now. */
  get held(): number {
    return this.events.length;
  }
}

function hex(address: number): string {
  return `0x${address.toString(16)}`;
}
