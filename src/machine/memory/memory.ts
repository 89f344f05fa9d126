/**
 * machine/memory/: what a load, a store and a fence mean under each memory model.
 *
 * The operational models of [MON] Fig. 1–3 and [RELAXER] Fig. 3–6, extended to C11 orders, exact store–store
 * barriers and accesses of different sizes as `docs/models.md` says. One file per model, one interface, one table
 * (`index.ts`). A memory keeps everything in the machine's state, so it rolls back with it. It knows nothing about
 * programs, events or search: the machine asks it whether an operation may run now, and runs it.
 *
 * Protocol: the machine calls `load`, `store`, `atomic…`, `fence` and `commit` only if the matching `can…` holds (or
 * `commits` listed the step), with addresses that it has checked. Values are passed as two 32-bit words; `load` leaves
 * its result in `state.low` and `state.high`, as raw bytes.
 */

import type { ModelDescription } from '../../models/model.ts';
import type { IntVector } from '../../util/int-vector.ts';
import type { OrderCode } from '../code/order.ts';
import type { Layout } from '../state/layout.ts';
import type { ProcessTable } from '../state/process.ts';
import type { State } from '../state/state.ts';

/** What a memory works on; owned by the machine. */
export interface Parts {
  readonly state: State;
  readonly layout: Layout;
  readonly processes: ProcessTable;
  readonly model: ModelDescription;
}

/** A buffered store, for printing. `low` as registers hold it. */
export interface Pending {
  readonly address: number;
  readonly size: number;
  readonly low: number;
  readonly high: number;
  /** Store–store barriers that the thread had executed before it, if the model has them. */
  readonly barriers: number;
  readonly site: number;
  /** Index of the store's event in its thread. */
  readonly store: number;
  /** It frees the object there. */
  readonly frees: boolean;
}

export interface Memory {
  readonly model: ModelDescription;
  /** The choice of the step that runs now, where stores and atomic operations have several. */
  chosen: number;

  /** False while the load must wait for a store of its thread that overlaps it in part. */
  canLoad(thread: number, address: number, size: number): boolean;
  /** How many different values the load may return now; at least 1. */
  loadChoices(thread: number, address: number, size: number): number;
  load(thread: number, address: number, size: number, order: OrderCode, choice: number): void;
  /** After `load`: index of the store that it was forwarded from, or -1 if it read memory. */
  readonly forwardedFrom: number;
  /** After `load` from memory: how many writes to memory it saw (all of them, except for stale loads under PSLO). */
  readonly asOf: number;

  /** How many places the store may take in the modification order of its location; 1 unless the model is axiomatic. */
  storeChoices(address: number, size: number): number;
  /**
   * Runs a store: `index` is its event's index in the thread, `site` its instruction. True if it reached memory at
   * once, false if it was buffered. Undefined behaviour if the buffer is full: ask `canStore` first.
   */
  store(
    thread: number,
    address: number,
    size: number,
    low: number,
    high: number,
    order: OrderCode,
    index: number,
    site: number,
  ): boolean;
  /**
   * Frees the object of `size` bytes at `address`: a store to all of it, which the machine carries out at the commit.
   */
  free(thread: number, address: number, size: number, index: number, site: number): boolean;
  /** Whether a free of these bytes by the thread is still buffered. */
  hasPendingFree(thread: number, address: number, size: number): boolean;
  /** Whether no store or free of the thread to any of these bytes is buffered. */
  isClear(thread: number, address: number, size: number): boolean;
  /** False if there is no room for another buffered store (a limit of ours, not of the model). */
  canStore(): boolean;

  /** May a read-modify-write with this order (or, with `acquire`, a mutex lock) run now? */
  canAtomic(thread: number, address: number, size: number, order: OrderCode): boolean;
  /** The reading half of a read-modify-write: leaves the value in `state.low` and `state.high`. */
  atomicRead(address: number, size: number): void;
  /** The writing half of a read-modify-write. */
  atomicWrite(thread: number, address: number, size: number, low: number, high: number): void;
  /** Called after every read-modify-write, whether it wrote or not. */
  afterAtomic(thread: number, address: number, size: number, order: OrderCode): void;

  canFence(thread: number, order: OrderCode): boolean;
  fence(thread: number, order: OrderCode): void;
  /** Whether no store of this thread is buffered. */
  isDrained(thread: number): boolean;
  /** A mutex was locked, the thread started or joined another, or an atomic section began or ended. */
  synchronise(thread: number): void;
  /** A mutex was unlocked. */
  afterUnlock(thread: number): void;

  /** Adds the steps by which a buffered store of this thread may reach memory now. */
  commits(thread: number, steps: IntVector): void;
  /** The entry that the buffer `process` would commit (a word index; see `layout.ts`), or 0 if there is none. */
  nextCommit(process: number): number;
  commit(thread: number, entry: number): void;

  /** A byte as the thread sees it: its newest own store, else memory. For printing; no event, no choice. */
  byte(thread: number, address: number): number;

  /** The thread's buffered stores, oldest first. */
  pending(thread: number): readonly Pending[];

  /** Adds what distinguishes this memory's state from others, and nothing about how the state was reached. */
  encode(out: IntVector): void;
}
