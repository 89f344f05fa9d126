/**
 * The contract of every memory, whatever its model: the same operations give the same answers, rollback is exact, a
 * thread sees its own stores and never goes back in time, nothing tears, everything drains. Checked by random
 * operations on a memory and on a reference: a list of bytes with lists of buffered stores.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { orderCode } from '../../src/machine/code/order.ts';
import { Machine } from '../../src/machine/machine.ts';
import { memoryOf } from '../../src/machine/memory/index.ts';
import type { Memory } from '../../src/machine/memory/memory.ts';
import { type Layout, N_STORE } from '../../src/machine/state/layout.ts';
import { processOf } from '../../src/machine/state/process.ts';
import type { State } from '../../src/machine/state/state.ts';
import { type Model, modelNamed, modelNames } from '../../src/models/index.ts';
import { ProgramBuilder } from '../../src/program/builder.ts';
import type { FenceOrder, Order } from '../../src/program/types.ts';
import { IntVector } from '../../src/util/int-vector.ts';
import '../support/copied-model.ts';
import { wordsOf } from '../support/state-words.ts';

const THREADS = 3;
const BYTES = 16;

type Size = 1 | 2 | 4 | 8;
type Action =
  | { readonly kind: 'load'; readonly thread: number; readonly at: number; readonly size: Size; readonly order: Order }
  | {
      readonly kind: 'store';
      readonly thread: number;
      readonly at: number;
      readonly size: Size;
      readonly order: Order;
      readonly value: number;
    }
  | {
      readonly kind: 'atomic';
      readonly thread: number;
      readonly at: number;
      readonly size: Size;
      readonly order: Order;
      readonly value: number;
    }
  | { readonly kind: 'fence'; readonly thread: number; readonly order: FenceOrder }
  | { readonly kind: 'commit'; readonly thread: number; readonly pick: number };

interface Made {
  readonly memory: Memory;
  readonly state: State;
  readonly layout: Layout;
  readonly base: number;
}

/** A memory with room for a few stores, in a machine whose program does not matter. */
function makeMemory(model: Model, bufferEntries = 40): Made {
  const program = new ProgramBuilder('memory');
  program.addGlobal({ name: 'm', size: BYTES, align: 8 });
  const func = program.function('thread');
  func.fence();
  func.return();
  for (let thread = 0; thread < THREADS; thread++) program.root(`P${thread}`, func);
  const { memory, state, layout } = new Machine(program.build(), model, { bufferEntries, commits: 96 });
  expect(memory).toBeInstanceOf(memoryOf(modelNamed(model)));
  return { memory, state, layout, base: layout.globals[0]! };
}

const releases = (order: Order): boolean => ['release', 'acq_rel', 'seq_cst'].includes(order);

/** A buffered store in the reference. */
interface Waiting {
  readonly at: number;
  readonly bytes: readonly number[];
  readonly index: number;
  readonly epoch: number;
}

function overlap(entry: Waiting, at: number, size: number): boolean {
  return entry.at < at + size && at < entry.at + entry.bytes.length;
}

/** Performs actions on a memory, and checks each against the reference. */
class Checked {
  readonly memory: Memory;
  readonly state: State;
  readonly layout: Layout;
  readonly base: number;
  readonly log: string[] = [];
  /** All of memory after each write, the initial contents first. */
  private readonly versions: (readonly number[])[] = [new Array<number>(BYTES).fill(0)];
  /** For each version, the bytes its write went to. */
  private readonly written: { at: number; size: number }[] = [{ at: 0, size: BYTES }];
  private readonly buffers: Waiting[][] = Array.from({ length: THREADS }, () => []);
  private readonly epochs: number[] = new Array<number>(THREADS).fill(0);
  /** By thread and byte: the newest version that it must not go back before. */
  private readonly seen: number[][] = Array.from({ length: THREADS }, () => new Array<number>(BYTES).fill(0));
  private nextIndex = 1;

  constructor(model: Model) {
    ({ memory: this.memory, state: this.state, layout: this.layout, base: this.base } = makeMemory(model));
  }

  private get isBuffered(): boolean {
    return this.memory.model.buffers !== 'none';
  }
  private get heedsBarriers(): boolean {
    return this.memory.model.heedsBarriers;
  }
  private get bytes(): readonly number[] {
    return this.versions.at(-1)!;
  }

  do(action: Action): void {
    switch (action.kind) {
      case 'load':
        this.load(action.thread, action.at, action.size, action.order);
        break;
      case 'store':
        this.store(action.thread, action.at, action.size, action.order, action.value);
        break;
      case 'atomic':
        this.atomic(action.thread, action.at, action.size, action.order, action.value);
        break;
      case 'fence':
        this.fence(action.thread, action.order);
        break;
      case 'commit':
        this.commit(action.thread, action.pick);
        break;
    }
    for (let thread = 0; thread < THREADS; thread++) this.checkBuffer(thread);
    expect(this.readBytes(0, BYTES)).toEqual(this.bytes);
  }

  private readBytes(at: number, size: number): number[] {
    const bytes: number[] = [];
    for (let i = 0; i < size; i++) {
      this.state.read(this.base + at + i, 1);
      bytes.push(this.state.low);
    }
    return bytes;
  }

  /** The result of `load` in `state`, as bytes; the words after the value must be empty. */
  private result(size: number): number[] {
    const { low, high } = this.state;
    const all = Array.from({ length: 8 }, (_, i) => ((i < 4 ? low : high) >>> (8 * (i & 3))) & 0xff);
    expect(all.slice(size).every((byte) => byte === 0)).toBe(true);
    return all.slice(0, size);
  }

  private checkBuffer(thread: number): void {
    const waiting = this.buffers[thread]!;
    expect(this.memory.isDrained(thread)).toBe(waiting.length === 0);
    const pending = this.memory.pending(thread).map(({ address, size }) => ({ at: address - this.base, size }));
    expect(pending).toEqual(waiting.map(({ at, bytes }) => ({ at, size: bytes.length })));
  }

  private load(thread: number, at: number, size: number, order: Order): void {
    const { memory, base } = this;
    const own = this.buffers[thread]!.findLast((entry) => overlap(entry, at, size));
    const covered = own !== undefined && own.at <= at && at + size <= own.at + own.bytes.length;
    // Half of the value from the buffer and half from memory would be a value that no store wrote.
    expect(memory.canLoad(thread, base + at, size)).toBe(own === undefined || covered);
    if (own !== undefined && !covered) return void this.log.push('load waits');

    const choices = memory.loadChoices(thread, base + at, size);
    if (own !== undefined || !memory.model.loadsMayBeStale) expect(choices).toBe(1);
    expect(choices).toBeGreaterThanOrEqual(1);
    const choice = (at + size + this.versions.length) % choices;
    memory.load(thread, base + at, size, orderCode(order), choice);
    const value = this.result(size);
    this.log.push(`load ${choices} ${value}`);
    if (own !== undefined) {
      expect(value, 'forwarded').toEqual(own.bytes.slice(at - own.at, at - own.at + size));
      expect(memory.forwardedFrom).toBe(own.index);
      return;
    }
    expect(memory.forwardedFrom).toBe(-1);
    if (choice === 0) expect(memory.asOf, 'sees all').toBe(this.versions.length - 1);
    expect(value, 'as memory was then').toEqual(this.versions[memory.asOf]!.slice(at, at + size));
    this.see(thread, at, size, memory.asOf);
  }

  /** Coherence: a thread never sees an older version of a byte than before. */
  private see(thread: number, at: number, size: number, asOf: number): void {
    for (let byte = at; byte < at + size; byte++) {
      let version = asOf;
      while (!(this.written[version]!.at <= byte && byte < this.written[version]!.at + this.written[version]!.size)) {
        version--;
      }
      expect(version, `byte ${byte} does not get older`).toBeGreaterThanOrEqual(this.seen[thread]![byte]!);
      this.seen[thread]![byte] = version;
    }
  }

  private store(thread: number, at: number, size: number, order: Order, value: number): void {
    const { memory, base } = this;
    expect(memory.canStore()).toBe(true);
    const bytes = Array.from({ length: size }, (_, i) => (value + i) & 0xff);
    const [low, high] = [word(bytes, 0), word(bytes, 4)];
    const index = this.nextIndex++;
    const atOnce = memory.store(thread, base + at, size, low, high, orderCode(order), index, 0);
    expect(atOnce).toBe(!this.isBuffered);
    if (this.heedsBarriers && releases(order)) this.epochs[thread]!++;
    const entry = { at, bytes, index, epoch: this.epochs[thread]! };
    if (atOnce) this.write(thread, entry.at, entry.bytes);
    else this.buffers[thread]!.push(entry);
    this.log.push(`store ${atOnce}`);
  }

  private write(thread: number, at: number, bytes: readonly number[]): void {
    this.versions.push(this.bytes.map((old, byte) => bytes[byte - at] ?? old));
    this.written.push({ at, size: bytes.length });
    this.see(thread, at, bytes.length, this.versions.length - 1);
  }

  private atomic(thread: number, at: number, size: number, order: Order, value: number): void {
    const { memory, base } = this;
    const waiting = this.buffers[thread]!;
    const mustWait =
      memory.model.atomicsWaitFor === 'all' || releases(order)
        ? waiting.length > 0
        : waiting.some((entry) => overlap(entry, at, size) || entry.epoch < this.epochs[thread]!);
    expect(memory.canAtomic(thread, base + at, size, orderCode(order))).toBe(!mustWait);
    if (mustWait) return void this.log.push('atomic waits');
    const bytes = Array.from({ length: size }, (_, i) => (value + i) & 0xff);
    memory.atomicWrite(thread, base + at, size, word(bytes, 0), word(bytes, 4));
    memory.afterAtomic(thread, base + at, size, orderCode(order));
    this.write(thread, at, bytes);
    this.log.push('atomic');
  }

  private fence(thread: number, order: FenceOrder): void {
    const mustWait = order === 'seq_cst' && this.buffers[thread]!.length > 0;
    expect(this.memory.canFence(thread, orderCode(order))).toBe(!mustWait);
    if (mustWait) return void this.log.push('fence waits');
    this.memory.fence(thread, orderCode(order));
    if (this.heedsBarriers && (order === 'release' || order === 'acq_rel')) this.epochs[thread]!++;
    // A load–load barrier: from now on, what is in memory now cannot be missed.
    if (order !== 'release') this.see(thread, 0, BYTES, this.versions.length - 1);
    this.log.push('fence');
  }

  /** The buffered stores that no earlier one holds back. */
  private free(thread: number): Waiting[] {
    const waiting = this.buffers[thread]!;
    if (this.memory.model.buffers === 'thread') return waiting.slice(0, 1);
    return waiting.filter((entry, i) =>
      waiting
        .slice(0, i)
        .every((older) => !overlap(older, entry.at, entry.bytes.length) && older.epoch === entry.epoch),
    );
  }

  commit(thread: number, pick: number): boolean {
    const { memory, state } = this;
    const steps = new IntVector();
    memory.commits(thread, steps);
    const entries = Array.from({ length: steps.length }, (_, i) => memory.nextCommit(processOf(steps.get(i))));
    const indices = entries.map((entry) => state.words[entry + N_STORE]!);
    expect(indices.toSorted()).toEqual(
      this.free(thread)
        .map(({ index }) => index)
        .toSorted(),
    );
    if (entries.length === 0) return false;
    const chosen = pick % entries.length;
    memory.commit(thread, entries[chosen]!);
    const waiting = this.buffers[thread]!;
    const [entry] = waiting.splice(
      waiting.findIndex(({ index }) => index === indices[chosen]),
      1,
    );
    // All bytes of the store, and no others: `do` compares.
    this.write(thread, entry!.at, entry!.bytes);
    this.log.push(`commit ${entry!.index}`);
    return true;
  }

  drain(): void {
    for (let thread = 0; thread < THREADS; thread++) {
      for (let pick = 0; this.commit(thread, pick); pick++);
      expect(this.memory.isDrained(thread)).toBe(true);
      expect(this.memory.pending(thread)).toEqual([]);
      expect(this.memory.canFence(thread, orderCode('seq_cst'))).toBe(true);
      expect(this.memory.canAtomic(thread, this.base, 8, orderCode('seq_cst'))).toBe(true);
    }
    expect(this.readBytes(0, BYTES)).toEqual(this.bytes);
  }

  encode(): number[] {
    const out = new IntVector();
    this.memory.encode(out);
    return [...out.words.subarray(0, out.length)];
  }
}

function word(bytes: readonly number[], from: number): number {
  return bytes.slice(from, from + 4).reduce((sum, byte, i) => sum | (byte << (8 * i)), 0);
}

/** `toEqual` is slow on typed arrays. */
function sameWords(a: Int32Array, b: Int32Array): boolean {
  return a.length === b.length && a.every((word, i) => word === b[i]);
}

const place = fc
  .constantFrom<Size>(4, 1, 2, 8)
  .chain((size) => fc.record({ size: fc.constant(size), at: fc.nat(BYTES - size) }));
const thread = fc.nat(THREADS - 1);
const value = fc.integer({ min: 1, max: 255 });
const actions: fc.Arbitrary<Action[]> = fc.array(
  fc.oneof(
    fc
      .tuple(place, thread, fc.constantFrom<Order>('plain', 'relaxed', 'acquire', 'seq_cst'))
      .map(([{ size, at }, thread, order]): Action => ({ kind: 'load', thread, at, size, order })),
    fc
      .tuple(place, thread, fc.constantFrom<Order>('plain', 'volatile', 'relaxed', 'release'), value)
      .map(([{ size, at }, thread, order, value]): Action => ({ kind: 'store', thread, at, size, order, value })),
    fc
      .tuple(place, thread, fc.constantFrom<Order>('relaxed', 'acquire', 'release', 'acq_rel', 'seq_cst'), value)
      .map(([{ size, at }, thread, order, value]): Action => ({ kind: 'atomic', thread, at, size, order, value })),
    fc
      .tuple(thread, fc.constantFrom<FenceOrder>('acquire', 'release', 'acq_rel', 'seq_cst'))
      .map(([thread, order]): Action => ({ kind: 'fence', thread, order })),
    fc.tuple(thread, fc.nat(7)).map(([thread, pick]): Action => ({ kind: 'commit', thread, pick })),
    // Twice, so that buffers do not just fill up.
    fc.tuple(thread, fc.nat(7)).map(([thread, pick]): Action => ({ kind: 'commit', thread, pick })),
  ),
  { maxLength: 40 },
);

describe.each(modelNames())('%s', (model) => {
  // An axiomatic model's memory just does what it is told.
  it.skipIf(modelNamed(model).isAxiomatic)('agrees with a list of bytes and lists of buffered stores', () => {
    fc.assert(
      fc.property(actions, (list) => {
        const checked = new Checked(model);
        for (const action of list) checked.do(action);
        checked.drain();
      }),
      { numRuns: 200 },
    );
  });

  it('is deterministic', () => {
    fc.assert(
      fc.property(actions, (list) => {
        const [first, second] = [new Checked(model), new Checked(model)];
        for (const action of list) {
          first.do(action);
          second.do(action);
          expect(second.encode()).toEqual(first.encode());
        }
        expect(second.log).toEqual(first.log);
        expect(sameWords(second.state.words, first.state.words)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it('rolls back to stores whose slots others have used since', () => {
    const { memory, state, base } = makeMemory(model, 2);
    const pendingOf = (thread: number) => memory.pending(thread).map(({ address, low }) => [address - base, low]);
    const stages: { mark: number; pending: unknown }[] = [];
    const note = (): void => void stages.push({ mark: state.mark, pending: [pendingOf(0), pendingOf(1)] });
    for (let i = 1; i <= 10; i++) {
      // Two are buffered at a time, one of each thread.
      for (const thread of [0, 1]) {
        const commits = new IntVector();
        memory.commits(thread, commits);
        if (commits.length > 0) memory.commit(thread, memory.nextCommit(processOf(commits.get(0))));
        note();
        expect(memory.canStore()).toBe(true);
        memory.store(thread, base + 4 * thread, 4, i, 0, orderCode('plain'), i, 0);
        note();
      }
      expect(memory.canStore()).toBe(modelNamed(model).buffers === 'none');
    }
    for (const { mark, pending } of stages.reverse()) {
      state.rewind(mark);
      expect([pendingOf(0), pendingOf(1)]).toEqual(pending);
    }
  });

  it('rolls back with the state, to any point', () => {
    fc.assert(
      fc.property(actions, (list) => {
        const checked = new Checked(model);
        const stages = list.map((action) => {
          const { state, memory } = checked;
          const pending = [0, 1, 2].map((thread) => memory.pending(thread));
          const stage = { mark: state.mark, words: wordsOf(checked), encoded: checked.encode(), pending };
          checked.do(action);
          return stage;
        });
        for (const { mark, words, encoded, pending } of stages.reverse()) {
          checked.state.rewind(mark);
          expect(sameWords(wordsOf(checked), words)).toBe(true);
          expect(checked.encode()).toEqual(encoded);
          expect([0, 1, 2].map((thread) => checked.memory.pending(thread))).toEqual(pending);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('lets a thread see its own latest store at once, and others when it has reached memory', () => {
    const { memory, state, base } = makeMemory(model);
    const read = (thread: number): number => {
      memory.load(thread, base, 4, orderCode('plain'), 0);
      return state.low;
    };
    const atOnce = memory.store(0, base, 4, 1, 0, orderCode('plain'), 1, 0);
    memory.store(0, base, 4, 2, 0, orderCode('plain'), 2, 0);
    expect([read(0), read(1)]).toEqual([2, atOnce ? 2 : 0]);
    const seen: number[] = [];
    for (const steps = new IntVector(); ; steps.clear()) {
      memory.commits(0, steps);
      if (steps.length === 0) break;
      memory.commit(0, memory.nextCommit(processOf(steps.get(0))));
      seen.push(read(1));
    }
    // In program order, whatever the model.
    expect(seen).toEqual(atOnce ? [] : [1, 2]);
    expect([read(0), read(1), read(2)]).toEqual([2, 2, 2]);
  });

  it('forwards any part of a wider store, and nothing that it covers only partly', () => {
    for (let at = 0; at <= BYTES - 8; at++) {
      for (const size of [1, 2, 4, 8]) {
        const { memory, state, base } = makeMemory(model);
        // Bytes 1 to 8 at 4 … 11, the highest bit of some of them set.
        const atOnce = memory.store(0, base + 4, 8, 0x84030281 | 0, 0x08870685, orderCode('plain'), 1, 0);
        const bytes = [0x81, 0x02, 0x03, 0x84, 0x85, 0x06, 0x87, 0x08];
        const overlaps = at < 12 && at + size > 4;
        const covers = at >= 4 && at + size <= 12;
        expect(memory.canLoad(0, base + at, size)).toBe(atOnce || !overlaps || covers);
        expect(memory.canLoad(1, base + at, size)).toBe(true);
        if (!overlaps || !covers) continue;
        memory.load(0, base + at, size, orderCode('plain'), 0);
        const expected = Array.from({ length: 8 }, (_, i) => (i < size ? bytes[at - 4 + i]! : 0));
        expect([state.low, state.high]).toEqual([word(expected, 0), word(expected, 4)]);
      }
    }
  });
});
