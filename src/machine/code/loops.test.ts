import { describe, expect, it } from 'vitest';
import type { Block, Func, Instruction, Operand } from '../../program/ir.ts';
import { loopsOf } from './loops.ts';

const register = (index: number): Operand => ({ kind: 'register', index });
const zero: Operand = { kind: 'constant', type: 'i32', value: 0 };
const load = (dest: number): Instruction => ({ op: 'load', dest, address: zero, order: 'plain' });
const move = (dest: number, value: Operand): Instruction => ({ op: 'move', dest, value });
const jump = (target: number): Instruction => ({ op: 'jump', target });
const branch = (condition: number, ifTrue: number, ifFalse: number): Instruction => ({
  op: 'branch',
  condition: register(condition),
  ifTrue,
  ifFalse,
});
const end: Instruction = { op: 'return' };

function func(...bodies: Instruction[][]): Func {
  const blocks: Block[] = bodies.map((body, i) => ({ name: `b${i}`, body }));
  const registers = Array.from({ length: 8 }, (_, i) => ({ name: `r${i}`, type: 'i32' as const }));
  return { name: 'f', parameters: 0, registers, blocks };
}

const found = (f: Func): unknown => loopsOf(f).map(({ head, tails, live }) => ({ head, tails: [...tails], live }));

describe('loopsOf', () => {
  it('finds nothing where nothing repeats', () => {
    expect(found(func([load(0), branch(0, 1, 2)], [jump(2)], [end]))).toEqual([]);
  });

  it('finds a loop of one block, and what lives on at its head', () => {
    // r1 is read after the loop, r0 only after being written.
    expect(found(func([move(1, zero), jump(1)], [load(0), branch(0, 1, 2)], [move(2, register(1)), end]))).toEqual([
      { head: 1, tails: [1], live: [1] },
    ]);
  });

  it('leaves out loops in which nobody could wait', () => {
    expect(found(func([jump(1)], [move(0, register(0)), branch(0, 1, 2)], [load(0), end]))).toEqual([]);
  });

  it('takes a call for something that could wait', () => {
    const call: Instruction = { op: 'call', callee: { kind: 'function', index: 0 }, arguments: [register(3)] };
    expect(found(func([jump(1)], [call, branch(0, 1, 2)], [end]))).toEqual([{ head: 1, tails: [1], live: [0, 3] }]);
  });

  it('tells nested loops apart; the outer one contains what the inner one does', () => {
    const nested = func([jump(1)], [jump(2)], [load(0), branch(0, 2, 3)], [branch(1, 1, 4)], [end]);
    expect(found(nested)).toEqual([
      { head: 2, tails: [2], live: [1] },
      { head: 1, tails: [3], live: [1] },
    ]);
  });

  it('knows several ways back to one head, and a loop at the start', () => {
    const twice = func([load(0), branch(0, 1, 2)], [branch(1, 0, 3)], [jump(0)], [end]);
    expect(found(twice)).toEqual([{ head: 0, tails: [1, 2], live: [1] }]);
  });

  it('finds a head in every cycle of a graph that is not reducible', () => {
    const odd = func([load(0), branch(0, 1, 2)], [load(1), jump(2)], [branch(1, 1, 3)], [end]);
    expect(loopsOf(odd)).toHaveLength(1);
  });

  describe('counters', () => {
    const add = (dest: number, left: Operand, value: number): Instruction => ({
      op: 'binary',
      operator: 'add',
      dest,
      left,
      right: { kind: 'constant', type: 'i32', value },
    });
    const count = add(1, register(1), 1);
    const isCounted = (f: Func): readonly boolean[] => loopsOf(f).map((loop) => loop.isCounted);

    it('knows a loop that adds to a register each time', () => {
      expect(isCounted(func([jump(1)], [load(0), count, branch(0, 1, 2)], [end]))).toEqual([true]);
      expect(isCounted(func([jump(1)], [load(0), branch(0, 2, 3)], [count, jump(1)], [end]))).toEqual([true]);
    });

    it('is not taken in by one that a way leads around', () => {
      const around = func([jump(1)], [load(0), branch(0, 2, 3)], [count, jump(3)], [branch(0, 1, 4)], [end]);
      expect(isCounted(around)).toEqual([false]);
      const twoTails = func([jump(1)], [load(0), branch(0, 2, 3)], [count, jump(1)], [branch(0, 1, 4)], [end]);
      expect(isCounted(twoTails)).toEqual([false]);
    });

    it('wants a register that nothing else in the loop writes', () => {
      expect(isCounted(func([jump(1)], [load(1), count, branch(0, 1, 2)], [end]))).toEqual([false]);
      expect(isCounted(func([jump(1)], [load(0), count, add(1, register(1), -1), branch(0, 1, 2)], [end]))).toEqual([
        false,
      ]);
    });

    it('wants a register that changes', () => {
      expect(isCounted(func([jump(1)], [load(0), add(1, register(1), 0), branch(0, 1, 2)], [end]))).toEqual([false]);
      expect(isCounted(func([jump(1)], [load(0), add(1, register(2), 1), branch(0, 1, 2)], [end]))).toEqual([false]);
    });

    it('does not take a counter of an inner loop that may not be run for one of the outer loop', () => {
      const nested = func([jump(1)], [load(0), branch(0, 2, 3)], [count, branch(2, 2, 3)], [branch(0, 1, 4)], [end]);
      expect(loopsOf(nested).find(({ head }) => head === 1)?.isCounted).toBe(false);
    });
  });
});
