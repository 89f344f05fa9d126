/**
 * Where the registers of a function are in its frames.
 *
 * In functions that say so (`Func.sharesWords`), registers that are only computed share words, by linear scan: the
 * instructions are numbered block by block; a register occupies its word from the first to the last number at which it
 * is read, written or live; after that the word is free for another register.
 *
 * Lemma. Every read of a register finds what was last written to it. From a write to a read that it reaches, the
 * register is live at every instruction on the path, so its range includes them all, and no other register has its word
 * there. A register that is read before it is written is live from the entry on, so its word is still zero. Parameters
 * have separate words. Ranges that only touch overlap: no instruction writes a word that it still has to read.
 *
 * Registers that hold values from outside, such as the result of a load, a call or `allocate`, keep separate words,
 * and so do variables: an address that the function knows stays in its frame as long as it would without sharing, and
 * its block does not count as a leak.
 */
import { forEachRead, forEachWritten, successorsOf } from '../../program/flow.ts';
import type { Func, Instruction } from '../../program/ir.ts';
import { liveRegisters } from '../../program/live-registers.ts';
import { sizeOf, type Type } from '../../program/types.ts';
import * as op from './opcodes.ts';

interface FrameLayout {
  /** By register: its first word. */
  readonly offsets: number[];
  readonly types: Type[];
  frameWords: number;
}

export function frameLayout(func: Func): FrameLayout {
  const types = func.registers.map(({ type }) => type);
  const offsets: number[] = [];
  let frameWords = op.FRAME_HEADER;
  const place = (register: number): number => {
    const offset = frameWords;
    offsets[register] = offset;
    frameWords += wordsOf(types[register]!);
    return offset;
  };
  const ranges = func.sharesWords === true ? rangesOf(func) : [];
  types.forEach((_, register) => {
    if (ranges[register] === undefined) place(register);
  });
  const shared = ranges.flatMap((range, register) => (range === undefined ? [] : [{ ...range, register }]));
  /** By number of words: places in use, and free places, most recently used last. */
  const used: { last: number; offset: number }[][] = [[], [], []];
  const free: number[][] = [[], [], []];
  for (const { first, last, register } of shared.sort((a, b) => a.first - b.first)) {
    const words = wordsOf(types[register]!);
    used[words] = used[words]!.filter((before) => {
      if (before.last < first) free[words]!.push(before.offset);
      return before.last >= first;
    });
    const offset = free[words]!.pop() ?? place(register);
    offsets[register] = offset;
    used[words].push({ last, offset });
  }
  return { offsets, types, frameWords };
}

/** Operations whose results are computed from registers and constants. */
const COMPUTES: ReadonlySet<Instruction['op']> = new Set<Instruction['op']>([
  'move',
  'binary',
  'unary',
  'compare',
  'cast',
  'select',
  'isstatic',
  'isconstant',
]);

const wordsOf = (type: Type): number => (sizeOf(type) === 8 ? 2 : 1);

interface Range {
  first: number;
  last: number;
}

/** By register: where it is in use. Nothing for those that have a separate word. */
function rangesOf(func: Func): readonly (Range | undefined)[] {
  const successors = successorsOf(func);
  const live = liveRegisters(func, successors);
  const ranges: (Range | undefined)[] = func.registers.map(() => undefined);
  let at = 0;
  const touch = (register: number): void => {
    const range = ranges[register];
    if (range === undefined) ranges[register] = { first: at, last: at };
    else range.last = at;
  };
  func.blocks.forEach(({ body }, block) => {
    live.forEach(block, touch);
    for (const instruction of body) {
      at++;
      forEachRead(instruction, touch);
      forEachWritten(instruction, touch);
    }
    for (const target of successors[block]!) live.forEach(target, touch);
    at++;
  });
  const own = new Set<number>();
  for (const { body } of func.blocks) {
    for (const i of body) if (!COMPUTES.has(i.op)) forEachWritten(i, (register) => own.add(register));
  }
  const keeps = (register: number): boolean =>
    register < func.parameters || own.has(register) || func.registers[register]!.variable !== undefined;
  return ranges.map((range, register) => (keeps(register) ? undefined : range));
}
