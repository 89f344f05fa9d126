/**
 * Which bytes belong to which object, so that every access can be checked. A shadow word per granule gives the address
 * of the object that covers it; the words before an object (`O_…`) give its size, whether it is alive, and where it
 * came from.
 */
import type { Program } from '../../program/ir.ts';
import {
  DOUBLE_FREE,
  INVALID_FREE,
  NULL_ACCESS,
  OUT_OF_BOUNDS,
  OUT_OF_SCOPE,
  READ_ONLY_STORE,
  USE_AFTER_FREE,
} from '../code/error.ts';
import { UNDEFINED_FILL } from '../code/opcodes.ts';
import {
  ALIVE_GLOBAL,
  ALIVE_HEAP,
  ALIVE_STACK,
  FREED,
  GRANULE,
  GRANULE_SHIFT,
  type Layout,
  MEMORY_BASE,
  O_END_SITE,
  O_SITE,
  O_SIZE,
  O_STATUS,
  OBJECT_HEADER,
  OUT_OF_SCOPE_STATUS,
  objectAddress,
  objectEnd,
  READ_ONLY,
  T_HEAP,
  T_STACK,
} from '../state/layout.ts';
import type { State } from '../state/state.ts';
import { Threads } from '../state/thread.ts';
import { UndefinedBits } from '../state/undefined-bits.ts';

/** Shadow of bytes whose object, together with its header, has been released for reuse. */
const DEAD_STACK = -1;
/** Not an error code: generated code declines the access. */
const UNUSUAL = -1;

export class Objects {
  private readonly state: State;
  private readonly words: Int32Array;
  private readonly layout: Layout;
  private readonly threads: Threads;
  private readonly undefinedBits: UndefinedBits;

  constructor(state: State, layout: Layout) {
    this.state = state;
    this.words = state.words;
    this.layout = layout;
    this.threads = new Threads(state, layout);
    this.undefinedBits = new UndefinedBits(state, layout);
  }

  /**
   * The address of the object that covers a byte, dead or alive; 0 if there is none, `DEAD_STACK` if it was private.
   */
  find(address: number): number {
    const inside = address >= MEMORY_BASE && address < this.layout.memoryEnd;
    if (!inside) return 0;
    const object = this.words[this.layout.shadow + (address >> GRANULE_SHIFT)]!;
    // Negated where some bits are undefined.
    return object < DEAD_STACK ? -object : object;
  }

  header(object: number, field: number): number {
    return this.words[((object - OBJECT_HEADER) >> 2) + field]!;
  }

  /** This size or, if it is 0, that of the whole object at `address`. At least 1: even an empty object has a place. */
  extentOf(address: number, size: number): number {
    return Math.max(1, size === 0 ? this.header(address, O_SIZE) : size);
  }

  private setHeader(object: number, field: number, value: number): void {
    this.state.set(((object - OBJECT_HEADER) >> 2) + field, value);
  }

  /** The error code of an access to these bytes, or 0 if it is valid. */
  check(address: number, size: number): number {
    const object = this.find(address);
    if (object === DEAD_STACK) return OUT_OF_SCOPE;
    if (object === 0) return address >= 0 && address < MEMORY_BASE ? NULL_ACCESS : OUT_OF_BOUNDS;
    const header = (object - OBJECT_HEADER) >> 2;
    if (address + size > object + this.words[header + O_SIZE]!) return OUT_OF_BOUNDS;
    const status = this.words[header + O_STATUS]!;
    return status < FREED ? 0 : status === FREED ? USE_AFTER_FREE : OUT_OF_SCOPE;
  }

  /** 0 if the access is valid and all bits of these bytes are defined. Generated code declines everything else. */
  checkPlain(address: number, size: number): number {
    const { words, layout } = this;
    if (address < MEMORY_BASE || address >= layout.memoryEnd) return UNUSUAL;
    const object = words[layout.shadow + (address >> GRANULE_SHIFT)]!;
    if (object <= 0) return UNUSUAL;
    const header = (object - OBJECT_HEADER) >> 2;
    if (address + size > object + words[header + O_SIZE]! || words[header + O_STATUS]! >= FREED) return UNUSUAL;
    const isInside = (address & (GRANULE - 1)) + size <= GRANULE;
    return isInside || words[layout.shadow + ((address + size - 1) >> GRANULE_SHIFT)]! > 0 ? 0 : UNUSUAL;
  }

  /** The same as `checkPlain` for a write. */
  checkPlainWrite(address: number, size: number): number {
    return this.checkPlain(address, size) !== 0 || this.isReadOnly(address) ? UNUSUAL : 0;
  }

  /** The same as `check` for a write. */
  checkWrite(address: number, size: number): number {
    const error = this.check(address, size);
    if (error !== 0) return error;
    return this.isReadOnly(address) ? READ_ONLY_STORE : 0;
  }

  /** Whether this is part of a read-only object. */
  isReadOnly(address: number): boolean {
    const start = this.find(address);
    return start > 0 && this.words[((start - OBJECT_HEADER) >> 2) + O_STATUS] === READ_ONLY;
  }

  /** Whether this is a constant, or memory that only this thread can see. */
  isOwn(thread: number, address: number): boolean {
    const { stacks, limits } = this.layout;
    const start = stacks + thread * limits.stackBytes;
    return (address >= start && address < start + limits.stackBytes) || this.isReadOnly(address);
  }

  /** The error code of freeing the heap object at `address`, or 0 if it is valid. */
  checkFree(address: number): number {
    if (this.find(address) !== address) return INVALID_FREE;
    const status = this.header(address, O_STATUS);
    return status === ALIVE_HEAP ? 0 : status === FREED ? DOUBLE_FREE : INVALID_FREE;
  }

  /**
   * Makes an object; its memory and shadow must be unused or private to the caller. `fill` goes into each of its words,
   * and may be `UNDEFINED_FILL`.
   */
  private make(address: number, size: number, status: number, site: number, fill = 0): void {
    const { state, words, layout } = this;
    this.setHeader(address, O_SIZE, size);
    this.setHeader(address, O_STATUS, status);
    this.setHeader(address, O_SITE, site);
    const end = objectEnd(address, size);
    const isUndefined = fill === UNDEFINED_FILL && size > 0;
    const value = fill === UNDEFINED_FILL ? 0 : fill;
    const mark = isUndefined ? -address : address;
    for (let a = address; a < end; a += 4) if (words[a >> 2] !== value) state.set(a >> 2, value);
    for (let a = address; a < end; a += GRANULE) state.set(layout.shadow + (a >> GRANULE_SHIFT), mark);
    this.undefinedBits.begin(address, size, end, isUndefined);
    // The header may be where an earlier object was.
    for (let a = address - OBJECT_HEADER; a < address; a += GRANULE) {
      if (words[layout.shadow + (a >> GRANULE_SHIFT)] !== 0) state.set(layout.shadow + (a >> GRANULE_SHIFT), 0);
    }
  }

  addGlobals(program: Program): void {
    program.globals.forEach((global, index) => {
      if (global.threadLocal === true) return;
      const status = global.readOnly === true ? READ_ONLY : ALIVE_GLOBAL;
      this.make(this.layout.globals[index]!, global.size, status, -1);
    });
  }

  addThreadLocals(program: Program, thread: number): void {
    const { layout } = this;
    const base = layout.threadLocals + thread * layout.threadLocalBytes;
    program.globals.forEach((global, index) => {
      if (global.threadLocal !== true) return;
      this.make(base + layout.globals[index]!, global.size, ALIVE_GLOBAL, -1);
    });
  }

  /** Makes a private object on the thread's stack and returns its address, or -1 if there is no room. */
  allocateOnStack(thread: number, size: number, align: number, site: number, fill: number): number {
    const { layout, threads } = this;
    const address = objectAddress(threads.get(thread, T_STACK), align);
    const next = objectEnd(address, size);
    if (next > layout.stacks + (thread + 1) * layout.limits.stackBytes) return -1;
    this.make(address, size, ALIVE_STACK, site, fill);
    threads.set(thread, T_STACK, next);
    return address;
  }

  /** Makes the bytes of a private object undefined, without changing their values. */
  refresh(address: number): void {
    const { state, words, layout } = this;
    const size = this.header(address, O_SIZE);
    const end = objectEnd(address, size);
    if (!this.undefinedBits.isTracked || size === 0) return;
    for (let a = address; a < end; a += GRANULE) {
      const word = layout.shadow + (a >> GRANULE_SHIFT);
      if (words[word] !== -address) state.set(word, -address);
    }
    this.undefinedBits.begin(address, size, end, true);
  }

  /** Whether more than half of the thread's heap is used. */
  isFilling(thread: number): boolean {
    const { heaps, limits } = this.layout;
    return this.threads.get(thread, T_HEAP) - (heaps + thread * limits.heapBytes) > limits.heapBytes / 2;
  }

  /** Ends all objects on the thread's stack from address `keep` on. They were private, so this is not an event. */
  unwindStack(thread: number, keep: number): void {
    const { state, words, layout, threads } = this;
    const end = threads.get(thread, T_STACK);
    for (let a = keep; a < end; a += GRANULE) {
      if (words[layout.shadow + (a >> GRANULE_SHIFT)] !== 0)
        state.set(layout.shadow + (a >> GRANULE_SHIFT), DEAD_STACK);
    }
    if (end !== keep) threads.set(thread, T_STACK, keep);
  }

  /** Makes an object in the thread's heap and returns its address, or -1 if there is no room. */
  allocate(thread: number, size: number, status: number, site: number, align: number, fill: number): number {
    const { layout, threads } = this;
    const address = objectAddress(threads.get(thread, T_HEAP), align);
    const next = objectEnd(address, size);
    if (size < 0 || next > layout.heaps + (thread + 1) * layout.limits.heapBytes) return -1;
    this.make(address, size, status, site, fill);
    threads.set(thread, T_HEAP, next);
    return address;
  }

  /**
   * The newest live local variable in the thread's heap that is older than the one at `address`; 0 if there is none.
   */
  olderLocal(thread: number, address: number): number {
    let found = 0;
    for (
      let object = this.firstOf(thread);
      object !== 0 && object >>> 0 < address >>> 0;
      object = this.after(thread, object)
    ) {
      if (this.header(object, O_STATUS) === ALIVE_STACK) found = object;
    }
    return found;
  }

  /** The first object in the thread's heap, dead or alive; 0 if there is none. */
  firstOf(thread: number): number {
    return this.nextFrom(thread, this.layout.heaps + thread * this.layout.limits.heapBytes);
  }

  /** The object after this one in the thread's heap. */
  after(thread: number, object: number): number {
    return this.nextFrom(thread, objectEnd(object, this.header(object, O_SIZE)));
  }

  private nextFrom(thread: number, start: number): number {
    if (start + OBJECT_HEADER >= this.threads.get(thread, T_HEAP)) return 0;
    for (let at = start + OBJECT_HEADER; ; at += GRANULE) {
      const object = this.find(at);
      if (object !== 0) return object;
    }
  }

  /** Makes a local variable that has ended alive again. */
  resume(address: number): void {
    this.setHeader(address, O_STATUS, ALIVE_STACK);
  }

  /** Ends the object at `address`. */
  end(address: number, site: number): void {
    const isHeap = this.header(address, O_STATUS) === ALIVE_HEAP;
    this.setHeader(address, O_STATUS, isHeap ? FREED : OUT_OF_SCOPE_STATUS);
    this.setHeader(address, O_END_SITE, site);
  }
}
