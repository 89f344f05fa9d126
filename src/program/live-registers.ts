/** Which registers are live where: sets of registers as bits, one set per block. */
import { depthFirst, forEachRead, forEachWritten } from './flow.ts';
import type { Func } from './ir.ts';

/** Sets of registers, by number. */
export class RegisterSets {
  /** Words per set. */
  private readonly size: number;
  private readonly words: Uint32Array;

  constructor(sets: number, registers: number) {
    this.size = Math.ceil(registers / 32);
    this.words = new Uint32Array(sets * this.size);
  }

  has(set: number, register: number): boolean {
    return (this.words[set * this.size + (register >>> 5)]! & (1 << register)) !== 0;
  }

  add(set: number, register: number): void {
    this.words[set * this.size + (register >>> 5)]! |= 1 << register;
  }

  delete(set: number, register: number): void {
    this.words[set * this.size + (register >>> 5)]! &= ~(1 << register);
  }

  clear(set: number): void {
    this.words.fill(0, set * this.size, (set + 1) * this.size);
  }

  /** Adds the members of another set, except those of a third. Returns whether any were new. */
  addAll(set: number, others: RegisterSets, other: number, except?: RegisterSets): boolean {
    const { size, words } = this;
    let isNew = false;
    for (let i = 0; i < size; i++) {
      const old = words[set * size + i]!;
      const more = others.words[other * size + i]! & ~(except === undefined ? 0 : except.words[set * size + i]!);
      words[set * size + i] = old | more;
      if ((more & ~old) !== 0) isNew = true;
    }
    return isNew;
  }

  /** In ascending order. */
  registersOf(set: number): number[] {
    const found: number[] = [];
    for (let register = 0; register < this.size * 32; register++) if (this.has(set, register)) found.push(register);
    return found;
  }
}

/** Per block: the registers that are read before they are written, from its start on. */
export function liveRegisters(func: Func, successors: readonly (readonly number[])[]): RegisterSets {
  const { blocks, registers } = func;
  const live = new RegisterSets(blocks.length, registers.length);
  const written = new RegisterSets(blocks.length, registers.length);
  const predecessors = blocks.map((): number[] => []);
  blocks.forEach(({ body }, block) => {
    const write = (register: number): void => {
      live.delete(block, register);
      written.add(block, register);
    };
    const read = (register: number): void => live.add(block, register);
    for (let i = body.length - 1; i >= 0; i--) {
      forEachWritten(body[i]!, write);
      forEachRead(body[i]!, read);
    }
    for (const target of successors[block]!) predecessors[target]!.push(block);
  });
  // Successors first, as far as possible: then few blocks have to be visited again.
  const waiting = depthFirst(successors).postOrder.toReversed();
  for (let block = waiting.pop(); block !== undefined; block = waiting.pop()) {
    let isNew = false;
    for (const target of successors[block]!) isNew = live.addAll(block, live, target, written) || isNew;
    if (isNew) waiting.push(...predecessors[block]!);
  }
  return live;
}

/** The result of `liveRegisters` as sets. */
export function liveAtStart(func: Func, successors: readonly (readonly number[])[]): ReadonlySet<number>[] {
  const live = liveRegisters(func, successors);
  return func.blocks.map((_, block) => new Set(live.registersOf(block)));
}
