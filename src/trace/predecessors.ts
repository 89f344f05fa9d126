/**
 * The immediate predecessors of an event, apart from conflicting accesses: the previous event of its thread, the
 * creation of the thread, the updates that it waited for, the end of a thread that it joined, the signal that woke it.
 * Also the happens-before relation itself, as one row of bits per event: executions that can be explored exhaustively
 * are short, so a row is a few words, and joining two rows is cheaper than joining clocks over threads and all buffers.
 */
import { DRAINS, NO_WAIT, WAIT_KINDS, WAITS_BEHIND_BARRIER } from '../machine/events/effects.ts';
import { wakerOf } from '../machine/events/waker.ts';
import type { Machine } from '../machine/machine.ts';
import {
  type AtomicsWaitFor,
  delaysStores,
  isUsual,
  keepsStoreOrder,
  type ModelDescription,
  requireCapability,
} from '../models/model.ts';
import { IntVector } from '../util/int-vector.ts';
import { BitRows } from './bit-rows.ts';

/** No such event. */
export const NONE = -1;
/** Up to this many predecessors are searched one by one. */
const FEW = 16;

// Words of an event.
export const H_ACTION = 0;
export const H_PREVIOUS = 1; // previous event of the thread; for an update: the thread's previous update
export const H_STORE = 2; // for an update
export const H_UPDATE = 3; // for a store
export const H_EPOCH = 4; // barriers that the thread executed before a store, or up to and including any other event
export const H_OWN = 5; // for a load: the store of its own thread whose value it takes
export const H_FORWARDED = 6; // for a store: the last load that took its value from the buffer
export const H_NEXT_FORWARDED = 7; // for such a load: the previous one
export const H_RACES = 8; // end of the event's races
export const H_LISTS = 9; // end of the access lists before the event
export const H_SECTION = 10; // start of the event's atomic section
export const H_WAITED = 11; // 1 if its races are those of an operation that waits in front of an idle read
export const H_WORDS = 12;

/** By what atomic operations wait for: what waiting for the stores before the last barrier amounts to. */
const BEHIND_BARRIER: Readonly<Record<AtomicsWaitFor, number>> = {
  nothing: NO_WAIT,
  'own bytes': WAITS_BEHIND_BARRIER,
  all: DRAINS,
};

function waitsUnder({ atomicsWaitFor }: ModelDescription): Uint8Array {
  const waits = new Uint8Array(WAIT_KINDS);
  waits[NO_WAIT] = NO_WAIT;
  waits[WAITS_BEHIND_BARRIER] = BEHIND_BARRIER[atomicsWaitFor];
  waits[DRAINS] = DRAINS;
  return waits;
}

export class Predecessors {
  length = 0;
  protected readonly machine: Machine;
  /** Whether stores to different locations may reach memory in any order barriers allow; otherwise in program order. */
  protected readonly isPerLocation: boolean;
  readonly isBuffered: boolean;
  /** By kind of wait (`machine/events/effects.ts`): what it is under the model, also a kind of wait. */
  private readonly waitsFor: Uint8Array;
  /** Words that a program never needs stay `NONE`. */
  protected fields: Int32Array = new Int32Array(H_WORDS * 128).fill(NONE);
  protected readonly rows: BitRows = new BitRows();
  /** Per thread slot: its events in program order, without updates; its last update; the event that created it. */
  protected readonly threads: IntVector[] = [];
  protected readonly lastUpdate: IntVector = new IntVector();
  protected readonly created: IntVector = new IntVector();
  /**
   * The immediate predecessors of the event being observed, each as twice its number, plus 1 if the two events could
   * run in the other order.
   */
  protected readonly preds: IntVector = new IntVector();
  /** By event: where it is in `preds`, if it is there, after the first `FEW`. Entries of other events are stale. */
  private places = new Int32Array(FEW);

  constructor(machine: Machine) {
    this.machine = machine;
    const { description } = machine;
    requireCapability(description, 'dpor');
    if (!isUsual(description))
      throw new Error(`${description.name} has no happens-before: none is known for what its description says`);
    this.isPerLocation = !keepsStoreOrder(description);
    this.isBuffered = delaysStores(description);
    this.waitsFor = waitsUnder(description);
  }

  happensBefore(first: number, second: number): boolean {
    return this.rows.has(first, second);
  }

  protected addThread(): void {
    this.threads.push(new IntVector());
    this.lastUpdate.push(NONE);
    this.created.push(NONE);
  }

  protected noteCreation(event: number, slot: number): void {
    if (slot < 0) return;
    while (this.threads.length <= slot) this.addThread();
    this.created.words[slot] = event;
  }

  /** The signal or broadcast that woke `thread` from the wait at event `wait`. */
  protected wakerOf(thread: number, wait: number): number {
    const waker = wakerOf(this.machine.events.words, thread, wait, this.length);
    if (waker < 0) throw new Error('a thread woke without a wake-up');
    return waker;
  }

  protected add(pred: number, reversible: number): void {
    const { preds } = this;
    const { words, length } = preds;
    const few = length < FEW ? length : FEW;
    for (let i = 0; i < few; i++) {
      if (words[i]! >> 1 !== pred) continue;
      // If one of the edges cannot be reversed, the pair cannot.
      words[i] = words[i]! & ((pred << 1) | reversible);
      return;
    }
    if (length >= FEW && this.addToMany(pred, reversible)) return;
    preds.push((pred << 1) | reversible);
  }

  /** The same after the first `FEW`: a write may follow thousands of reads. False if it must be appended. */
  private addToMany(pred: number, reversible: number): boolean {
    const { preds } = this;
    if (pred >= this.places.length) {
      const larger = new Int32Array(2 * pred);
      larger.set(this.places);
      this.places = larger;
    }
    const place = this.places[pred]!;
    if (place >= FEW && place < preds.length && preds.words[place]! >> 1 === pred) {
      preds.words[place] = preds.words[place]! & ((pred << 1) | reversible);
      return true;
    }
    this.places[pred] = preds.length;
    return false;
  }

  /**
   * Whether no immediate predecessor of the event happens after `first`. Ignores `except`, and events of `section`, the
   * atomic section of `first`.
   */
  protected isImmediate(first: number, except: number, section: number): boolean {
    const { preds } = this;
    for (let i = 0; i < preds.length; i++) {
      const pred = preds.get(i) >> 1;
      if (pred === first || pred === except || !this.happensBefore(first, pred)) continue;
      if (section === NONE || this.fields[pred * H_WORDS + H_SECTION] !== section) return false;
    }
    return true;
  }

  // ---- what an event waited for

  /** All stores of the thread have reached memory. */
  protected drain(thread: number): void {
    if (!this.isBuffered) return;
    const { fields } = this;
    const last = this.lastUpdate.get(thread);
    if (last === NONE) return;
    // Only the updates of the last epoch are needed: earlier ones happen before each of them.
    const epoch = fields[last * H_WORDS + H_EPOCH]!;
    for (let u = last; u !== NONE && fields[u * H_WORDS + H_EPOCH] === epoch; u = fields[u * H_WORDS + H_PREVIOUS]!) {
      this.add(u, 0);
      if (!this.isPerLocation) return;
    }
  }

  /** The stores of the thread that this kind of wait requires have reached memory. */
  protected waitFor(thread: number, epoch: number, wait: number): void {
    const stores = this.waitsFor[wait];
    if (stores === DRAINS) this.drain(thread);
    else if (stores === WAITS_BEHIND_BARRIER) this.addEpochBefore(this.lastUpdate.get(thread), epoch);
  }

  /** From `last` backwards, the updates of the last epoch before `epoch`. */
  protected addEpochBefore(last: number, epoch: number): void {
    const { fields } = this;
    let u = last;
    while (u !== NONE && fields[u * H_WORDS + H_EPOCH]! >= epoch) u = fields[u * H_WORDS + H_PREVIOUS]!;
    if (u === NONE) return;
    const before = fields[u * H_WORDS + H_EPOCH]!;
    for (; u !== NONE && fields[u * H_WORDS + H_EPOCH] === before; u = fields[u * H_WORDS + H_PREVIOUS]!)
      this.add(u, 0);
  }

  protected join(child: number): void {
    if (child < 0 || child >= this.threads.length) return;
    const events = this.threads[child]!;
    if (events.length > 0) this.add(events.get(events.length - 1), 0);
    else if (this.created.get(child) !== NONE) this.add(this.created.get(child), 0);
    this.drain(child);
  }
}
