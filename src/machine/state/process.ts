/**
 * What can take a step: threads and their store buffers.
 *
 * Names are stable across executions (an idea from [NIDHUGG] and its tool): the i-th thread created by thread `0` is
 * `0.i`, a TSO buffer is `0.1/`, the PSO buffer of a location is `0.1/x`. Numbers are assigned at first use and kept
 * for the life of the machine, so that the same process has the same small number in every execution; they are not part
 * of the state and are never released. A thread's slot decides where its memory is, so it depends on the name alone as
 * long as there is room: otherwise addresses would depend on earlier executions.
 *
 * A step is a process and, where it has several continuations (`choose`, which waiter a signal wakes, how stale a
 * PSLO load is), a choice: `process | choice << CHOICE_SHIFT`.
 */
import type { ModelDescription } from '../../models/model.ts';
import { unreachable } from '../../util/unreachable.ts';

export const CHOICE_SHIFT = 20;
const MAX_PROCESSES: number = 1 << CHOICE_SHIFT;
export const MAX_CHOICES = 2048;

export type Step = number;

export function stepOf(process: number, choice = 0): Step {
  return process | (choice << CHOICE_SHIFT);
}
export function processOf(step: Step): number {
  return step & (MAX_PROCESSES - 1);
}
export function choiceOf(step: Step): number {
  return step >>> CHOICE_SHIFT;
}

/**
 * Handles are numbers in base 64: a digit for the root, then a digit per generation, which is never zero. Children
 * after the 55th take two digits, the first being one of eight that no other child has; so handles are unique.
 */
const HANDLE_BASE = 64;
const ONE_DIGIT = 55;
const MAX_CHILDREN: number = ONE_DIGIT + (HANDLE_BASE - 1 - ONE_DIGIT) * HANDLE_BASE;
const MAX_HANDLE = 2 ** 31 - 1;

/** The handle of a thread's `child`-th child (from 1), or 0 if there is none. */
function childHandle(parent: number, child: number): number {
  if (child > MAX_CHILDREN) return 0;
  const late = child - ONE_DIGIT - 1;
  const digits =
    late < 0
      ? parent * HANDLE_BASE + child
      : (parent * HANDLE_BASE + ONE_DIGIT + 1 + Math.floor(late / HANDLE_BASE)) * HANDLE_BASE + (late % HANDLE_BASE);
  return digits > MAX_HANDLE ? 0 : digits;
}

/**
 * In place of a location: the buffer commits its oldest store, whatever the location. The one buffer of a TSO thread.
 */
export const WHOLE_BUFFER = -1;

export class ProcessTable {
  /** How often a thread has been detached, in all executions together; not part of the state. */
  detaches = 0;
  /** Per thread slot: the handle that programs see, a number that depends only on the thread's name. */
  private readonly handles: number[] = [];
  private readonly names: string[] = [];
  private readonly slots = new Map<number, number>();
  /** The last handle that was looked up and found; slots are never released. */
  private lastHandle = 0;
  private lastSlot = -1;
  private readonly nameOrder: number[] = [];
  /** Per process: its thread's slot, and for buffers the location. */
  private readonly owners: number[] = [];
  private readonly locations: number[] = [];
  /** Per thread slot: the buffer of each location. */
  private readonly buffers: Map<number, number>[] = [];
  private readonly threads: number;
  /** All slots so far depend on names alone, and so are the same on every machine. */
  areFixed = true;

  /** The first `threads` process numbers are thread slots, the next `threads` their TSO buffers. */
  constructor(threads: number, roots: number) {
    this.threads = threads;
    for (let slot = 0; slot < threads; slot++) {
      this.owners[slot] = slot;
      this.locations[slot] = 0;
      this.owners[threads + slot] = slot;
      this.locations[threads + slot] = WHOLE_BUFFER;
    }
    for (let root = 0; root < roots; root++) this.addThread(root + 1, `${root}`, root);
  }

  private addThread(handle: number, name: string, slot: number): number {
    if (slot < 0) return -1;
    this.handles[slot] = handle;
    this.names[slot] = name;
    this.slots.set(handle, slot);
    this.nameOrder.push(slot);
    this.nameOrder.sort((a, b) => this.handles[a]! - this.handles[b]!);
    return slot;
  }

  /**
   * The k-th thread that the only root creates has slot k. Their children have slots from the other end, four for each
   * of the first few threads. All others take any free slot, which then depends on the order of creation.
   */
  private freeSlot(parent: number, child: number): number {
    const isFree = (slot: number): boolean => slot < this.threads && this.handles[slot] === undefined;
    if (parent === 1 && isFree(child)) return child;
    const isNear = parent > HANDLE_BASE && parent <= HANDLE_BASE + ONE_DIGIT && child <= 4;
    const near = this.threads + 3 - 4 * (parent - HANDLE_BASE) - child;
    if (isNear && near > this.threads / 2 && isFree(near)) return near;
    this.areFixed = false;
    for (let slot = this.threads - 1; slot > 0; slot--) if (isFree(slot)) return slot;
    return -1;
  }

  /** The slot of the `child`-th thread (from 1) that `parent` creates, or -1 if there is no room for it. */
  childSlot(parent: number, child: number): number {
    const parentHandle = this.handles[parent]!;
    const handle = childHandle(parentHandle, child);
    if (handle === 0) return -1;
    const known = this.slots.get(handle);
    if (known !== undefined) return known;
    // Older siblings first, so that their slots do not depend on which is looked up first.
    if (child > 1 && this.childSlot(parent, child - 1) < 0) return -1;
    return this.addThread(handle, `${this.names[parent]}.${child}`, this.freeSlot(parentHandle, child));
  }

  /** One more than the largest slot in use so far, in any execution; not all below it need be in use. */
  get threadCount(): number {
    return this.handles.length;
  }

  /** The slots in an order that depends on the threads' names alone. */
  get slotsInNameOrder(): readonly number[] {
    return this.nameOrder;
  }

  handle(slot: number): number {
    return this.handles[slot]!;
  }

  /** The slot of a handle, or -1. */
  slotOfHandle(handle: number): number {
    // A waiting join asks repeatedly.
    if (handle === this.lastHandle) return this.lastSlot;
    const slot = this.slots.get(handle) ?? -1;
    if (slot >= 0) {
      this.lastHandle = handle;
      this.lastSlot = slot;
    }
    return slot;
  }

  threadName(slot: number): string {
    return this.names[slot]!;
  }

  wholeBuffer(slot: number): number {
    return this.threads + slot;
  }

  /** The process that commits a store of `slot` to `address`. */
  bufferOf({ buffers }: ModelDescription, slot: number, address: number): number {
    switch (buffers) {
      case 'none':
        throw new Error('stores do not wait');
      case 'thread':
        return this.wholeBuffer(slot);
      case 'location':
        return this.locationBuffer(slot, address);
      default:
        return unreachable(buffers);
    }
  }

  /** Whether there is a number for another location buffer. */
  get hasRoom(): boolean {
    return this.owners.length < MAX_PROCESSES;
  }

  /** The process of `slot`'s PSO buffer for the location at `address`. */
  locationBuffer(slot: number, address: number): number {
    let buffers = this.buffers[slot];
    if (buffers === undefined) {
      buffers = new Map();
      this.buffers[slot] = buffers;
    }
    let process = buffers.get(address);
    if (process === undefined) {
      process = this.owners.length;
      this.owners.push(slot);
      this.locations.push(address);
      buffers.set(address, process);
    }
    return process;
  }

  isThread(process: number): boolean {
    return process < this.threads;
  }

  /** The thread of a process: itself, or the thread whose buffer it is. */
  owner(process: number): number {
    return this.owners[process]!;
  }

  /** The location whose stores a buffer process commits, or `WHOLE_BUFFER`. */
  location(process: number): number {
    return this.locations[process]!;
  }

  /** The thread with this name, or -1. */
  threadByName(name: string): number {
    return this.names.indexOf(name);
  }
}
