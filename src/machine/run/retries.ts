/**
 * Iterations that prepared a node for nothing: `do { old = top; n->next = old; } while (!CAS(&top, &old, n));`.
 *
 * A thread that fails to publish a node reads the place again, writes the node again and tries again. If no other
 * thread can know the node, and the thread would get to the same state had it read only now, then another execution is
 * like this one without the failed iteration. So the thread may wait in front of the read that begins the next
 * iteration, as in front of an idle read. docs/decisions/0029-retries.md has the argument.
 *
 * To find out, the thread takes the read and the stores after it, once as it is and once as it was before the failed
 * iteration, and goes back.
 */

import { keepsStoreOrder, type ModelDescription } from '../../models/model.ts';
import * as op from '../code/opcodes.ts';
import { RELEASES, SEQ_CST } from '../code/order.ts';
import type { RetryReads } from '../code/retry-reads.ts';
import { isFailedExchange, isSameBytes, isWrite } from '../events/effects.ts';
import * as ev from '../events/event.ts';
import { hasStopped } from '../state/fault.ts';
import { RUNNABLE, T_HEAP, T_PC, T_STATUS, T_WRITES } from '../state/layout.ts';
import { stepOf } from '../state/process.ts';
import { type Recalling, ThreadPast } from './thread-past.ts';
import type { ThreadWords } from './thread-words.ts';

/**
 * How many of the thread's operations are examined: back to the earlier read, and back to where it allocated the node.
 */
const LONGEST_ITERATION = 24;
const LONGEST_LIFE = 200;
/** How many stores one iteration may make. */
const MOST_STORES = 8;

/** The fields that decide what a store does. */
const STORE_FIELDS = [ev.E_ADDRESS, ev.E_SIZE, ev.E_STORED_LOW, ev.E_STORED_HIGH, ev.E_ORDER];

export interface Retrying extends Recalling {
  readonly code: { readonly words: Int32Array };
  readonly description: Pick<ModelDescription, 'buffers'>;
}

export class Retries {
  private readonly machine: Retrying;
  private readonly reads: RetryReads;
  private readonly now: ThreadWords;
  private readonly instead: ThreadWords;
  private readonly past: ThreadPast;

  /** `now` and `instead` may be used for anything else between two calls. */
  constructor(machine: Retrying, reads: RetryReads, now: ThreadWords, instead: ThreadWords) {
    this.machine = machine;
    this.reads = reads;
    this.now = now;
    this.instead = instead;
    this.past = new ThreadPast(machine);
  }

  /** Where in the code such a read may be. */
  get places(): ReadonlySet<number> {
    return this.reads.places;
  }

  /** Whether the last step, by this thread and at `pc`, starts again what an earlier read of the same bytes started. */
  isRetry(thread: number, pc: number): boolean {
    const { events, depth } = this.machine;
    const last = depth - 1;
    if (!this.reads.places.has(pc) || !isRead(events, last)) return false;
    const stores: number[] = [];
    let e = last;
    for (let count = 0; count < LONGEST_ITERATION; count++) {
      e = this.past.operationBefore(e, thread);
      if (e < 0) return false;
      if (events.get(e, ev.E_KIND) === ev.STORE_EVENT) {
        if (overlaps(events, e, last)) return false;
        stores.push(e);
      } else if (!isHarmless(events, e)) return false;
      else if (stores.length > 0 && isRead(events, e) && isSameBytes(events, e, last)) {
        if (this.leadsHere(thread, pc, e, stores) || this.isBackAt(thread, pc, e, stores)) return true;
      }
    }
    return false;
  }

  /** Whether the thread would reach the same state had it taken operation `read` now, in place of the last one. */
  private leadsHere(thread: number, pc: number, read: number, stores: readonly number[]): boolean {
    const { machine, past, reads, now, instead } = this;
    const { state, threads, depth, events } = machine;
    const from = past.words(thread, machine.markAt(read));
    const start = from[T_PC]!;
    if (threads.get(thread, T_WRITES) !== from[T_WRITES]! + stores.length) return false;
    const newest = this.unpublishedOf(thread, stores);
    if (newest < 0) return false;
    const mark = state.mark;
    const made = this.takeStores(thread, newest);
    const end = threads.get(thread, T_PC);
    let answer =
      made !== undefined &&
      covers(
        made,
        stores.map((store) => record(events, store)),
      ) &&
      this.comesLast(end) &&
      reads.isPure(start, pc) &&
      reads.isPure(start, end) &&
      reads.isPure(pc, end);
    if (answer) now.keep(thread, reads.liveAt(end));
    if (machine.depth > depth) machine.undo(depth);
    if (!answer) return false;
    if (!past.putBack(thread, machine.markAt(read))) return false;
    machine.step(events.get(read, ev.E_STEP));
    answer = !hasStopped(state) && threads.get(thread, T_STATUS) === RUNNABLE && isRead(events, depth);
    const again = answer ? this.takeStores(thread, newest) : undefined;
    answer =
      again !== undefined &&
      again.join() === made!.join() &&
      threads.get(thread, T_PC) === end &&
      instead.keep(thread, reads.liveAt(end)) &&
      now.equalsButWrites(instead);
    machine.undo(depth);
    state.rewind(mark);
    return answer;
  }

  /**
   * Whether the thread, after a compare-exchange that failed, is back where it was before operation `read`, and will
   * write again all that it has written since, whatever it reads.
   */
  private isBackAt(thread: number, pc: number, read: number, stores: readonly number[]): boolean {
    const { machine, past, reads, now, instead } = this;
    const { state, threads, depth, events } = machine;
    const here = threads.get(thread, T_PC);
    const from = past.words(thread, machine.markAt(read));
    if (from[T_PC] !== here || !isFailedExchange(events, depth - 1) || machine.code.words[here] !== op.LOAD)
      return false;
    if (threads.get(thread, T_WRITES) !== from[T_WRITES]! + stores.length) return false;
    const count = reads.storesAfter(here);
    if (count === 0 || !reads.isPure(here, pc) || !reads.isPure(pc, here)) return false;
    const newest = this.unpublishedOf(thread, stores);
    if (newest < 0) return false;
    const mark = state.mark;
    now.keep(thread, reads.liveAt(here));
    machine.step(stepOf(thread));
    const isSame = !hasStopped(state) && isSameBytes(events, depth, depth - 1);
    const made = isSame ? this.takeStores(thread, newest) : undefined;
    let answer =
      made?.length === count &&
      covers(
        made,
        stores.map((store) => record(events, store)),
      ) &&
      this.comesLast(threads.get(thread, T_PC));
    machine.undo(depth);
    if (!answer || !past.putBack(thread, machine.markAt(read))) return false;
    instead.keep(thread, reads.liveAt(here));
    answer = now.equalsButWrites(instead);
    state.rewind(mark);
    return answer;
  }

  /** Takes the stores that come next. `undefined` if one is not to the thread's memory from `newest` on, or fails. */
  private takeStores(thread: number, newest: number): readonly (readonly number[])[] | undefined {
    const { machine } = this;
    const { state, threads, events, code } = machine;
    const writes = threads.get(thread, T_WRITES);
    const made: (readonly number[])[] = [];
    while (threads.get(thread, T_STATUS) === RUNNABLE && code.words[threads.get(thread, T_PC)] === op.STORE) {
      if (made.length === MOST_STORES) return undefined;
      machine.step(stepOf(thread));
      if (hasStopped(state) || !this.isOwn(thread, machine.depth - 1, newest)) return undefined;
      made.push(record(events, machine.depth - 1));
    }
    const isAsCounted = threads.get(thread, T_WRITES) === writes + made.length;
    return isAsCounted && threads.get(thread, T_STATUS) === RUNNABLE ? made : undefined;
  }

  /** As `unpublishedFrom`, for the memory of all these stores. */
  private unpublishedOf(thread: number, stores: readonly number[]): number {
    const { events } = this.machine;
    const newest = this.unpublishedFrom(thread, Math.min(...stores.map((store) => events.get(store, ev.E_ADDRESS))));
    return stores.every((store) => this.isOwn(thread, store, newest)) ? newest : -1;
  }

  /**
   * The start of the thread's memory that is still unpublished, if the byte at `address` is in it; else -1. The thread
   * has allocated all of it since its last operation from which others could learn anything.
   */
  private unpublishedFrom(thread: number, address: number): number {
    const { machine, past } = this;
    const { layout, threads, events } = machine;
    const base = layout.heaps + thread * layout.limits.heapBytes;
    if (address < base || address >= threads.get(thread, T_HEAP)) return -1;
    let e = machine.depth - 1;
    for (let count = 0; count < LONGEST_LIFE; count++) {
      // Allocations are local: this one came after operation `e`, or before the thread's first.
      const before = past.operationBefore(e, thread);
      if (before < 0) return this.allHarmless(thread, -1, base) ? base : -1;
      const heap = past.words(thread, machine.markAt(before))[T_HEAP]!;
      if (heap <= address) return this.allHarmless(thread, before, heap) ? heap : -1;
      if (!isHarmless(events, before) && events.get(before, ev.E_KIND) !== ev.STORE_EVENT) return -1;
      e = before;
    }
    return -1;
  }

  /** Whether the thread's operations after event `first` only read, or store to its memory from `newest` on. */
  private allHarmless(thread: number, first: number, newest: number): boolean {
    const { events, depth } = this.machine;
    for (let e = this.past.operationBefore(depth, thread); e > first; e = this.past.operationBefore(e, thread)) {
      if (!isHarmless(events, e) && !this.isOwn(thread, e, newest)) return false;
    }
    return true;
  }

  /** Whether the event is a store to the thread's memory from `newest` on. */
  private isOwn(thread: number, event: number, newest: number): boolean {
    const { events, threads } = this.machine;
    const address = events.get(event, ev.E_ADDRESS);
    if (events.get(event, ev.E_KIND) !== ev.STORE_EVENT || address < newest) return false;
    return address + events.get(event, ev.E_SIZE) <= threads.get(thread, T_HEAP);
  }

  /** Whether the operation at `pc` takes effect for others only when all earlier stores of its thread have. */
  private comesLast(pc: number): boolean {
    if (keepsStoreOrder(this.machine.description)) return true;
    const code = this.machine.code.words;
    if (code[pc] === op.FENCE) return code[pc + op.FENCE_ORDER] === SEQ_CST;
    return code[pc] === op.CMPXCHG && RELEASES[code[pc + op.CMPXCHG_ORDER]!] === 1;
  }
}

/** Whether the event read, and changed nothing. */
function isRead(events: ev.EventLog, event: number): boolean {
  return events.get(event, ev.E_KIND) === ev.LOAD_EVENT || isFailedExchange(events, event);
}

/** Whether no other thread can learn anything from the event. */
function isHarmless(events: ev.EventLog, event: number): boolean {
  const kind = events.get(event, ev.E_KIND);
  if (kind === ev.LOAD_EVENT || kind === ev.FENCE_EVENT) return true;
  return kind === ev.RMW_EVENT && !isWrite(events, event);
}

function overlaps(events: ev.EventLog, one: number, other: number): boolean {
  const [start, begin] = [events.get(one, ev.E_ADDRESS), events.get(other, ev.E_ADDRESS)];
  return start < begin + events.get(other, ev.E_SIZE) && begin < start + events.get(one, ev.E_SIZE);
}

function record(events: ev.EventLog, store: number): readonly number[] {
  return STORE_FIELDS.map((field) => events.get(store, field));
}

/** Whether every byte of the second stores is one of the first. */
function covers(first: readonly (readonly number[])[], second: readonly (readonly number[])[]): boolean {
  const bytes = new Set<number>();
  const each = ([address, size]: readonly number[], visit: (byte: number) => boolean): boolean =>
    Array.from({ length: size! }, (_, i) => address! + i).every(visit);
  for (const store of first) each(store, (byte) => bytes.add(byte).size > 0);
  return second.every((store) => each(store, (byte) => bytes.has(byte)));
}
