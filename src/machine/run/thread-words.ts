/**
 * A copy of all that a thread's future depends on, apart from others' writes to memory, to compare with another copy.
 */
import * as op from '../code/opcodes.ts';
import { type Layout, T_FRAME, T_HEAP, T_POKES, T_STACK, T_TOP, T_WRITES } from '../state/layout.ts';
import type { State } from '../state/state.ts';
import type { Threads } from '../state/thread.ts';
import { UndefinedBits } from '../state/undefined-bits.ts';

/** Some of a thread's own words; `T_WRITES` changes with all private memory. */
const FIELDS = [T_FRAME, T_TOP, T_STACK, T_HEAP, T_WRITES, T_POKES];
const WRITES = FIELDS.indexOf(T_WRITES);
const POKES = FIELDS.indexOf(T_POKES);

export class ThreadWords {
  private readonly machine: { readonly state: State; readonly layout: Layout; readonly threads: Threads };
  private words = new Int32Array(64);
  private count = 0;
  private readonly undefinedBits: UndefinedBits;

  constructor(machine: { readonly state: State; readonly layout: Layout; readonly threads: Threads }) {
    this.machine = machine;
    this.undefinedBits = new UndefinedBits(machine.state, machine.layout);
  }

  /** Copies the words of the thread's callers' frames, and those of its own frame that are live. Returns true. */
  keep(thread: number, live: readonly number[]): true {
    const { threads, layout, state } = this.machine;
    const { words } = state;
    const base = layout.frames + thread * layout.limits.frameWords;
    const frame = threads.get(thread, T_FRAME);
    const start = frame + op.FRAME_HEADER;
    const bits = this.undefinedBits.has(thread) ? this.undefinedBits : undefined;
    this.count = FIELDS.length + (start - base) + live.length;
    if (bits !== undefined) this.count += start - base + live.length;
    if (this.words.length < this.count) this.words = new Int32Array(2 * this.count);
    const to = this.words;
    let n = 0;
    for (const field of FIELDS) to[n++] = threads.get(thread, field);
    for (let w = base; w < start; w++) to[n++] = words[w]!;
    for (const offset of live) to[n++] = words[frame + offset]!;
    if (bits === undefined) return true;
    for (let w = base; w < start; w++) to[n++] = bits.ofRegister(w);
    for (const offset of live) to[n++] = bits.ofRegister(frame + offset);
    return true;
  }

  equals(other: ThreadWords): boolean {
    return this.words[WRITES] === other.words[WRITES] && this.equalsButWrites(other);
  }

  /** How often the thread has changed its private memory (`T_POKES`). */
  get pokes(): number {
    return this.words[POKES]!;
  }

  /** The same, whatever the thread's private memory holds. */
  equalsButPrivate(other: ThreadWords): boolean {
    const { words } = this;
    const writes = words[WRITES]! - (words[POKES]! >> 1);
    return writes === other.words[WRITES]! - (other.words[POKES]! >> 1) && this.equalsButWrites(other);
  }

  /** The same, however often the thread has written. */
  equalsButWrites(other: ThreadWords): boolean {
    if (this.count !== other.count) return false;
    for (let i = 0; i < this.count; i++)
      if (i !== WRITES && i !== POKES && this.words[i] !== other.words[i]) return false;
    return true;
  }
}
