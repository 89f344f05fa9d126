/**
 * Lets one step find some bytes as they were earlier in the execution: their values and undefined bits, whether their
 * object was alive, and who held the mutex there. The search that places reads before writes that exist takes such
 * steps. The step must not write any of this: only reads are placed.
 *
 * What is set here is not in the journal, so `restore` must follow the step at once. Generated code saves words that it
 * then does not write; `restore` corrects what it saved.
 */
import { IntVector } from '../../util/int-vector.ts';
import {
  GRANULE,
  GRANULE_SHIFT,
  H_UNDEFINED_GLOBALS,
  type Layout,
  MEMORY_BASE,
  O_STATUS,
  OBJECT_HEADER,
} from '../state/layout.ts';
import type { State } from '../state/state.ts';
import type { Objects } from './objects.ts';
import type { SyncObjects } from './sync.ts';

/** What it reads and sets. */
interface MomentParts {
  readonly state: State;
  readonly layout: Layout;
  readonly operations: { readonly objects: Objects; readonly syncs: SyncObjects };
}

export class OldMoment {
  private readonly state: State;
  private readonly layout: Layout;
  private readonly objects: Objects;
  private readonly syncs: SyncObjects;
  /** Pairs: the index of a word, and what it has to be again. */
  private readonly saved = new IntVector();
  private readonly found = new IntVector();

  constructor({ state, layout, operations }: MomentParts) {
    this.state = state;
    this.layout = layout;
    this.objects = operations.objects;
    this.syncs = operations.syncs;
  }

  /** Until `restore`, these bytes are as they were when the journal was as long as `mark`. */
  install(mark: number, address: number, size: number): void {
    const { layout, objects, syncs } = this;
    this.recallBytes(mark, address, size);
    const object = objects.find(address);
    if (object > 0) this.recallWord(mark, ((object - OBJECT_HEADER) >> 2) + O_STATUS);
    const mutex = syncs.place(address);
    if (mutex >= 0) this.recallWord(mark, mutex);
    if (!layout.tracksUndefined) return;
    if (this.recallBytes(mark, layout.undefinedMemory * 4 + address, size)) this.markUndefined(address, size);
  }

  /** The same where only the values have changed since. */
  installValue(address: number, size: number, low: number, high: number): void {
    const { words } = this.state;
    const first = address >> 2;
    const last = (address + size - 1) >> 2;
    for (let word = first; word <= last; word++) this.save(word);
    if ((address & 3) === 0 && size >= 4) {
      words[first] = low;
      if (size === 8) words[first + 1] = high;
      return;
    }
    for (let i = 0; i < size; i++) this.setByte(address + i, (i < 4 ? low >>> (8 * i) : high >>> (8 * (i - 4))) & 0xff);
  }

  private setByte(address: number, byte: number): void {
    const { words } = this.state;
    const shift = (address & 3) * 8;
    words[address >> 2] = (words[address >> 2]! & ~(0xff << shift)) | (byte << shift);
  }

  /** The journal was as long as `mark` before the step. */
  restore(mark: number): void {
    const { saved, state } = this;
    for (let i = saved.length - 2; i >= 0; i -= 2) {
      const word = saved.words[i]!;
      state.words[word] = saved.words[i + 1]!;
      state.amend(mark, word, saved.words[i + 1]!);
    }
    saved.length = 0;
  }

  private save(word: number): void {
    this.saved.push(word);
    this.saved.push(this.state.words[word]!);
  }

  private recall(mark: number, word: number, count: number): Int32Array {
    const { found } = this;
    found.length = 0;
    found.extend(count);
    this.state.recall(mark, word, count, found.words);
    return found.words;
  }

  private recallWord(mark: number, word: number): void {
    const old = this.recall(mark, word, 1)[0]!;
    this.save(word);
    this.state.words[word] = old;
  }

  /** Returns whether one of the bytes was not zero. */
  private recallBytes(mark: number, address: number, size: number): boolean {
    const first = address >> 2;
    const count = ((address + size - 1) >> 2) - first + 1;
    const old = this.recall(mark, first, count);
    for (let word = first; word < first + count; word++) this.save(word);
    let any = 0;
    for (let i = 0; i < size; i++) {
      const byte = (old[((address + i) >> 2) - first]! >>> (((address + i) & 3) * 8)) & 0xff;
      any |= byte;
      this.setByte(address + i, byte);
    }
    return any !== 0;
  }

  /** Undefined bits are looked for only where the shadow is negative and, for globals, only if there are some at all. */
  private markUndefined(address: number, size: number): void {
    const { layout } = this;
    const { words } = this.state;
    for (let a = address & ~(GRANULE - 1); a < address + size; a += GRANULE) {
      const shadow = layout.shadow + (a >> GRANULE_SHIFT);
      if (words[shadow]! <= 0) continue;
      this.save(shadow);
      words[shadow] = -words[shadow]!;
    }
    if (address < MEMORY_BASE || address >= layout.threadLocals) return;
    this.save(H_UNDEFINED_GLOBALS);
    words[H_UNDEFINED_GLOBALS]!++;
  }
}
