/**
 * Which bytes belong to which object, so that every access can be checked. A shadow word per granule names the object
 * that covers it; each object's record says where it starts and ends and whether it is still alive.
 */
import type { Program } from '../program/ir.ts';
import { NULL_ACCESS, OUT_OF_BOUNDS, OUT_OF_SCOPE } from './error.ts';
import {
  GRANULE,
  type Layout,
  MEMORY_BASE,
  O_ALIVE,
  O_END,
  O_START,
  OBJECT_WORDS,
  T_OBJECTS,
  T_STACK,
} from './layout.ts';
import type { State } from './state.ts';
import { Threads } from './thread.ts';

export class Objects {
  private readonly state: State;
  private readonly words: Int32Array;
  private readonly layout: Layout;
  private readonly threads: Threads;

  constructor(state: State, layout: Layout) {
    this.state = state;
    this.words = state.words;
    this.layout = layout;
    this.threads = new Threads(state, layout);
  }

  /** Part of the initial state, so not journalled. */
  addGlobals(program: Program): void {
    const { words, layout } = this;
    program.globals.forEach((global, index) => {
      const address = layout.globals[index]!;
      const record = layout.objects + (index + 1) * OBJECT_WORDS;
      words[record + O_START] = address;
      words[record + O_END] = address + global.size;
      words[record + O_ALIVE] = 1;
      for (let a = address; a < address + global.size; a += GRANULE) words[layout.shadow + a / GRANULE] = index + 1;
    });
  }

  /** The error code of an access to these bytes, or 0 if it is in order. */
  check(address: number, size: number): number {
    const { words, layout } = this;
    const inside = address >= MEMORY_BASE && address + size <= layout.memoryEnd;
    const object = inside ? words[layout.shadow + Math.floor(address / GRANULE)]! : 0;
    if (object === 0) return address >= 0 && address < MEMORY_BASE ? NULL_ACCESS : OUT_OF_BOUNDS;
    const record = layout.objects + object * OBJECT_WORDS;
    if (address < words[record + O_START]! || address + size > words[record + O_END]!) return OUT_OF_BOUNDS;
    return words[record + O_ALIVE] === 0 ? OUT_OF_SCOPE : 0;
  }

  private stackRecord(thread: number, number: number): number {
    const { layout } = this;
    const id = 1 + layout.globals.length + thread * layout.limits.stackObjects + number;
    return layout.objects + id * OBJECT_WORDS;
  }

  /** Makes a zeroed stack object and returns its address, or -1 if there is no room. */
  allocateOnStack(thread: number, size: number, align: number): number {
    const { state, words, layout, threads } = this;
    const number = threads.get(thread, T_OBJECTS);
    const unit = Math.max(align, GRANULE);
    const start = Math.ceil(threads.get(thread, T_STACK) / unit) * unit;
    const next = Math.ceil((start + size) / GRANULE) * GRANULE + GRANULE;
    const end = layout.stacks + (thread + 1) * layout.limits.stackBytes;
    if (number >= layout.limits.stackObjects || next > end) return -1;
    const record = this.stackRecord(thread, number);
    state.set(record + O_START, start);
    state.set(record + O_END, start + size);
    state.set(record + O_ALIVE, 1);
    for (let a = start; a < next; a += 4) if (words[a >> 2] !== 0) state.set(a >> 2, 0);
    const id = (record - layout.objects) / OBJECT_WORDS;
    for (let a = start; a < start + size; a += GRANULE) state.set(layout.shadow + a / GRANULE, id);
    state.set(layout.shadow + (next - GRANULE) / GRANULE, 0);
    threads.set(thread, T_OBJECTS, number + 1);
    threads.set(thread, T_STACK, next);
    return start;
  }

  /** Ends all stack objects of the thread but the first `keep`. */
  endStackObjects(thread: number, keep: number): void {
    const { state, words, threads } = this;
    const count = threads.get(thread, T_OBJECTS);
    if (count === keep) return;
    for (let number = count - 1; number >= keep; number--) {
      const record = this.stackRecord(thread, number);
      state.set(record + O_ALIVE, 0);
      threads.set(thread, T_STACK, words[record + O_START]!);
    }
    threads.set(thread, T_OBJECTS, keep);
  }
}
