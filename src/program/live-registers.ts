/** Which registers are live where. */
import { forEachRead, forEachWritten, predecessorsOf } from './flow.ts';
import type { Func } from './ir.ts';

/** Sets of registers, one per block. Of the words of 32 registers, only those that are not empty are kept. */
export class LiveRegisters {
  /** By block: the number of a word, and its bits; and so on, in ascending order. */
  private readonly words: readonly (readonly number[])[];

  constructor(words: readonly (readonly number[])[]) {
    this.words = words;
  }

  /** In ascending order. */
  forEach(block: number, visit: (register: number) => void): void {
    const words = this.words[block]!;
    for (let i = 0; i < words.length; i += 2) {
      for (let bits = words[i + 1]!; bits !== 0; bits &= bits - 1)
        visit(words[i]! * 32 + 31 - Math.clz32(bits & -bits));
    }
  }
}

/**
 * The registers that are read before they are written, from the start of each block on. Each word of 32 registers is
 * followed backwards from the blocks that read some of them first to those that write them, so a register takes time
 * only where it is live.
 */
export function liveRegisters(func: Func, successors: readonly (readonly number[])[]): LiveRegisters {
  const { blocks, registers } = func;
  const predecessors = predecessorsOf(successors);
  const { readers, writers } = accessesOf(func);
  const words = blocks.map((): number[] => []);
  const live = new Int32Array(blocks.length);
  const written = new Int32Array(blocks.length);
  for (let first = 0; first < registers.length; first += 32) {
    const end = Math.min(first + 32, registers.length);
    const reached = new Set<number>();
    const waiting: number[] = [];
    for (let register = first; register < end; register++) {
      for (const block of writers[register]!) written[block]! |= 1 << register;
      for (const block of readers[register]!) {
        if (live[block] === 0) waiting.push(block);
        live[block]! |= 1 << register;
      }
    }
    for (let block = waiting.pop(); block !== undefined; block = waiting.pop()) {
      reached.add(block);
      for (const before of predecessors[block]!) {
        const more = live[block]! & ~written[before]! & ~live[before]!;
        if (more === 0) continue;
        live[before]! |= more;
        waiting.push(before);
      }
    }
    for (const block of reached) {
      words[block]!.push(first / 32, live[block]!);
      live[block] = 0;
    }
    for (let register = first; register < end; register++) for (const block of writers[register]!) written[block] = 0;
  }
  return new LiveRegisters(words);
}

/** By register: the blocks that read it before they write it, if they do, and those that write it. */
function accessesOf({ blocks, registers }: Func): { readonly readers: number[][]; readonly writers: number[][] } {
  const readers = registers.map((): number[] => []);
  const writers = registers.map((): number[] => []);
  blocks.forEach(({ body }, block) => {
    const read = (register: number): void => {
      if (writers[register]!.at(-1) !== block && readers[register]!.at(-1) !== block) readers[register]!.push(block);
    };
    const write = (register: number): void => {
      if (writers[register]!.at(-1) !== block) writers[register]!.push(block);
    };
    for (const instruction of body) {
      forEachRead(instruction, read);
      forEachWritten(instruction, write);
    }
  });
  return { readers, writers };
}

/** The result of `liveRegisters` as sets. */
export function liveAtStart(func: Func, successors: readonly (readonly number[])[]): ReadonlySet<number>[] {
  const live = liveRegisters(func, successors);
  return func.blocks.map((_, block) => {
    const found = new Set<number>();
    live.forEach(block, (register) => found.add(register));
    return found;
  });
}
