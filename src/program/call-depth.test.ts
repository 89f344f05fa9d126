import { describe, expect, it } from 'vitest';
import { type FunctionBuilder, ProgramBuilder } from './builder.ts';
import { deepestCalls, stackOf } from './call-depth.ts';

type Fill = (main: FunctionBuilder, f: FunctionBuilder, g: FunctionBuilder) => void;

/** A `main` that can call the functions `f`, without parameters, and `g`, with one. */
function build(fill: Fill) {
  const p = new ProgramBuilder('test');
  const [main, f] = [p.function('main'), p.function('f')];
  const g = p.function('g', [{ name: 'n', type: 'i32' }]);
  fill(main, f, g);
  for (const func of [main, f, g]) func.return();
  p.root('main', main);
  return p.build();
}

const INT = { kind: 'constant', type: 'i32', value: 0 } as const;

function callByAddress(from: FunctionBuilder, callee: FunctionBuilder, count: number): void {
  const pointer = from.register('pointer', 'i32');
  from.move(pointer, { kind: 'function', index: callee.index });
  from.call(undefined, { kind: 'register', index: pointer }, new Array(count).fill(INT));
}

describe('the deepest calls', () => {
  const depth = (fill: Fill): number => deepestCalls(build(fill), [100, 20, 3]);

  it.each<[string, Fill, number]>([
    ['alone', () => {}, 100],
    ['two in a row', (main, f, g) => [main.call(undefined, f), main.call(undefined, g, [INT])], 120],
    ['nested', (main, f, g) => [main.call(undefined, f), f.call(undefined, g, [INT])], 123],
    ['in a thread of its own', (main, f) => main.spawn(main.register('t', 'i32'), f), 100],
    ['by address', (main, f) => callByAddress(main, f, 0), 120],
    ['by an address that takes more arguments', (main, _, g) => callByAddress(main, g, 0), 100],
    ['by an address that takes fewer', (main, f) => callByAddress(main, f, 2), 120],
    ['recursion', (main, f) => [main.call(undefined, f), f.call(undefined, f)], Number.POSITIVE_INFINITY],
    ['recursion by address', (main, f) => [main.call(undefined, f), callByAddress(f, f, 0)], Number.POSITIVE_INFINITY],
  ])('are found: %s', (_, fill, expected) => {
    expect(depth(fill)).toBe(expected);
  });
});

it('adds up the objects on the stack, each with what surrounds it', () => {
  const program = build((main, f) => {
    main.alloca(main.register('a', 'i32'), 12, 8);
    main.alloca(main.register('b', 'i32'), 1, 4);
    const loop = f.block('loop');
    f.jump(loop);
    f.startBlock(loop);
    f.alloca(f.register('a', 'i32'), 4, 4);
    const end = f.block('end');
    f.branch({ kind: 'register', index: f.register('c', 'i1') }, loop, end);
    f.startBlock(end);
  });
  expect(stackOf(program, 10)).toEqual([12 + 8 + 10 + 1 + 4 + 10, Number.POSITIVE_INFINITY, 0]);
});
