/** Which registers are live where, compared with the definition on arbitrary flow graphs. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { forAll } from '../../test/support/for-all.ts';
import { type FunctionBuilder, int, ProgramBuilder } from './builder.ts';
import { repeatedBlocks } from './cycles.ts';
import { forEachRead, forEachWritten, predecessorsOf, successorsOf } from './flow.ts';
import type { Func } from './ir.ts';
import { liveRegisters } from './live-registers.ts';

function build(write: (f: FunctionBuilder) => void): Func {
  const p = new ProgramBuilder('test');
  const f = p.function('f');
  write(f);
  p.root('f', f);
  return p.build().functions[0]!;
}

function answer(func: Func): readonly (readonly number[])[] {
  const live = liveRegisters(func, successorsOf(func));
  return func.blocks.map((_, block) => {
    const found: number[] = [];
    live.forEach(block, (register) => found.push(register));
    return found;
  });
}

/** The least sets such that each has what its block reads first, and what its successors have and it does not write. */
function definition(func: Func): readonly (readonly number[])[] {
  const successors = successorsOf(func);
  const sets = func.blocks.map(() => new Set<number>());
  for (let isNew = true; isNew; ) {
    isNew = false;
    func.blocks.forEach(({ body }, block) => {
      const now = new Set(successors[block]!.flatMap((target) => [...sets[target]!]));
      for (const instruction of body.toReversed()) {
        forEachWritten(instruction, (register) => now.delete(register));
        forEachRead(instruction, (register) => now.add(register));
      }
      isNew ||= now.size !== sets[block]!.size;
      sets[block] = now;
    });
  }
  return sets.map((set) => [...set].sort((a, b) => a - b));
}

/** Each block: registers that it copies, from one to the other, and two blocks to go on to. */
const sketches = fc.record({
  registers: fc.integer({ min: 1, max: 70 }),
  blocks: fc.array(
    fc.record({
      moves: fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 4 }),
      next: fc.tuple(fc.nat(), fc.nat()),
    }),
    { minLength: 1, maxLength: 12 },
  ),
});

type Sketch = typeof sketches extends fc.Arbitrary<infer T> ? T : never;

function funcOf({ registers, blocks }: Sketch): Func {
  return build((f) => {
    const names = Array.from({ length: registers }, (_, k) => f.register(`r${k}`, 'i32'));
    const condition = f.register('c', 'i1');
    const targets = blocks.map((_, block) => (block === 0 ? 0 : f.block(`b${block}`)));
    blocks.forEach(({ moves, next: [left, right] }, block) => {
      f.startBlock(targets[block]!);
      for (const [to, from] of moves)
        f.move(names[to % registers]!, { kind: 'register', index: names[from % registers]! });
      f.compare('eq', condition, { kind: 'register', index: names[left % registers]! }, int(0));
      f.branch({ kind: 'register', index: condition }, targets[left % blocks.length]!, targets[right % blocks.length]!);
    });
  });
}

it('live registers are those of the definition', () => {
  forAll({ from: sketches, count: 500, print: (sketch) => JSON.stringify(sketch) }, (sketch) => {
    const func = funcOf(sketch);
    expect(answer(func)).toEqual(definition(func));
  });
});

it('a block is repeated if a path leads from it back to it', () => {
  forAll({ from: sketches, count: 300, print: (sketch) => JSON.stringify(sketch) }, (sketch) => {
    const successors = successorsOf(funcOf(sketch));
    const repeated = successors.flatMap((next, block) => {
      const reached = new Set(next);
      for (const one of reached) for (const further of successors[one]!) reached.add(further);
      return reached.has(block) ? [block] : [];
    });
    expect([...repeatedBlocks(successors)].sort((a, b) => a - b)).toEqual(repeated);
    for (const [block, before] of predecessorsOf(successors).entries())
      for (const one of before) expect(successors[one]).toContain(block);
  });
});

it('a function of 100,000 blocks and registers takes room only where they are live', () => {
  const size = 100_000;
  const func = build((f) => {
    let last = f.register('r0', 'i32');
    for (let block = 1; block < size; block++) {
      const next = f.register(`r${block}`, 'i32');
      f.move(next, { kind: 'register', index: last });
      const target = f.block(`b${block}`);
      f.jump(target);
      f.startBlock(target);
      last = next;
    }
    f.return({ kind: 'register', index: last });
  });
  expect(answer(func)).toEqual(func.blocks.map((_, block) => [block]));
});
