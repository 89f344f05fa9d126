import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRegisters, writtenRegisters } from '../../program/flow.ts';
import type { Func, Instruction, Operand } from '../../program/ir.ts';
import { sizeOf, type Type } from '../../program/types.ts';
import { frameLayout } from './frame-layout.ts';
import { FRAME_HEADER } from './opcodes.ts';

const register = (index: number): Operand => ({ kind: 'register', index });
const zero: Operand = { kind: 'constant', type: 'i32', value: 0 };
const load = (dest: number): Instruction => ({ op: 'load', dest, address: zero, order: 'plain' });
/** A value that is computed here. */
const make = (dest: number): Instruction => ({ op: 'move', dest, value: zero });
const move = (dest: number, from: number): Instruction => ({ op: 'move', dest, value: register(from) });
const jump = (target: number): Instruction => ({ op: 'jump', target });
const branch = (condition: number, ifTrue: number, ifFalse: number): Instruction => ({
  ...{ op: 'branch', condition: register(condition) },
  ...{ ifTrue, ifFalse },
});
const end: Instruction = { op: 'return' };

function func(types: readonly Type[], bodies: readonly (readonly Instruction[])[], parameters = 0): Func {
  const registers = types.map((type, i) => ({ name: `r${i}`, type }));
  const blocks = bodies.map((body, i) => ({ name: `b${i}`, body }));
  return { name: 'f', parameters, registers, blocks, sharesWords: true };
}

const i32s = (count: number): Type[] => Array.from({ length: count }, () => 'i32');

describe('frameLayout', () => {
  const places = (f: Func): number[] => frameLayout(f).offsets.map((offset) => offset - FRAME_HEADER);

  it('gives a word to the next register once the one before is not needed any more', () => {
    // An instruction does not write what it reads: r1 needs another word than r0.
    const f = func(i32s(4), [[make(0), move(1, 0), move(2, 1), move(3, 2), end]]);
    expect(places(f)).toEqual([0, 1, 0, 1]);
    expect(frameLayout(f).frameWords).toBe(FRAME_HEADER + 2);
  });

  it('gives every register its own word if somebody looks at them', () => {
    const { sharesWords: _, ...f } = func(i32s(4), [[make(0), move(1, 0), move(2, 1), move(3, 2), end]]);
    expect(places(f)).toEqual([0, 1, 2, 3]);
  });

  it('leaves parameters alone, and what is zero at the beginning as long as it is needed', () => {
    expect(places(func(i32s(4), [[move(2, 0), make(3), move(3, 1), end]], 1))).toEqual([0, 1, 2, 2]);
  });

  it('keeps what a loop needs again', () => {
    // r0 is read at the head; r1 lives in the loop only, r2 after it.
    const bodies = [
      [make(0), jump(1)],
      [move(1, 0), branch(1, 1, 2)],
      [make(2), end],
    ];
    expect(places(func(i32s(3), bodies))).toEqual([0, 1, 1]);
  });

  it('leaves what comes from outside, and variables, where they are', () => {
    expect(places(func(i32s(3), [[load(0), load(1), make(2), end]]))).toEqual([0, 1, 2]);
    const f = func(i32s(2), [[make(0), make(1), end]]);
    const registers = f.registers.map((r) => ({ ...r, variable: { name: r.name, kind: 'pointer' as const } }));
    expect(places({ ...f, registers })).toEqual([0, 1]);
    expect(places(f)).toEqual([0, 0]);
  });

  it('does not mix single words and pairs', () => {
    const f = func(['i64', 'i32', 'i64'], [[make(0), make(1), make(2), end]]);
    expect(places(f)).toEqual([0, 2, 0]);
  });
});

/** A function with random blocks, and a walk through it. */
const walks = fc
  .record({ count: fc.integer({ min: 1, max: 8 }), blocks: fc.integer({ min: 1, max: 6 }), parameters: fc.nat(1) })
  .chain(({ count, blocks, parameters }) => {
    const some = fc.nat(count - 1);
    const target = fc.nat(blocks - 1);
    const instruction = fc.oneof(
      some.map(load),
      fc.tuple(some, some).map(([dest, from]) => move(dest, from)),
    );
    const last = fc.oneof(
      target.map(jump),
      fc.tuple(some, target, target).map(([condition, yes, no]) => branch(condition, yes, no)),
      fc.constant(end),
    );
    const body = fc.tuple(fc.array(instruction, { maxLength: 5 }), last).map(([most, one]) => [...most, one]);
    return fc.record({
      types: fc.array(fc.constantFrom<Type>('i32', 'i64'), { minLength: count, maxLength: count }),
      bodies: fc.array(body, { minLength: blocks, maxLength: blocks }),
      turns: fc.array(fc.boolean(), { maxLength: 40 }),
      parameters: fc.constant(parameters),
    });
  });

it('every read finds what was written last', () => {
  let shared = 0;
  const check = fc.property(walks, ({ types, bodies, turns, parameters }) => {
    const { offsets, frameWords } = frameLayout(func(types, bodies, parameters));
    const words = new Array<string>(frameWords).fill('zero');
    const values = types.map((_, i) => (i < parameters ? `argument ${i}` : 'zero'));
    const wordsOf = (r: number): number[] => (sizeOf(types[r]!) === 8 ? [offsets[r]!, offsets[r]! + 1] : [offsets[r]!]);
    for (let i = 0; i < parameters; i++) for (const word of wordsOf(i)) words[word] = values[i]!;
    if (new Set(offsets).size < offsets.length) shared++;
    let writes = 0;
    let block = 0;
    for (const turn of turns) {
      for (const instruction of bodies[block]!) {
        for (const r of readRegisters(instruction)) {
          for (const word of wordsOf(r)) expect(words[word]).toBe(values[r]);
        }
        for (const r of writtenRegisters(instruction)) {
          values[r] = `write ${writes++}`;
          for (const word of wordsOf(r)) words[word] = values[r]!;
        }
      }
      const last = bodies[block]!.at(-1)!;
      if (last.op === 'return') return;
      block = last.op === 'jump' ? last.target : last.op === 'branch' ? (turn ? last.ifTrue : last.ifFalse) : 0;
    }
  });
  fc.assert(check, { numRuns: 1000, seed: 19 });
  expect(shared).toBeGreaterThan(40);
});
