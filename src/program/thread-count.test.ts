import { expect, it } from 'vitest';
import { type FunctionBuilder, ProgramBuilder } from './builder.ts';
import type { Operand } from './ir.ts';
import { mostThreads } from './thread-count.ts';

/** The count for a `main` that can call or create the functions `f` and `g`. */
function count(fill: (main: FunctionBuilder, f: FunctionBuilder, g: FunctionBuilder) => void, roots = 1): number {
  const p = new ProgramBuilder('test');
  const [main, f, g] = [p.function('main'), p.function('f'), p.function('g')];
  fill(main, f, g);
  for (const func of [main, f, g]) func.return();
  for (let root = 0; root < roots; root++) p.root(`root${root}`, main);
  return mostThreads(p.build());
}

const spawn = (from: FunctionBuilder, callee: FunctionBuilder): void =>
  from.spawn(from.register(`t${from.index}`, 'i32'), callee);

function callByAddress(from: FunctionBuilder, callee: FunctionBuilder): void {
  const pointer = from.register('pointer', 'i32');
  from.move(pointer, { kind: 'function', index: callee.index });
  from.add({ op: 'call', callee: { kind: 'register', index: pointer }, arguments: [] });
}

it('counts the roots', () => {
  expect(count(() => {}, 3)).toBe(3);
});

it('counts each spawn as often as its function is called', () => {
  expect(
    count((main, f, g) => {
      spawn(main, g);
      main.call(undefined, f);
      main.call(undefined, f);
      spawn(f, g);
    }),
  ).toBe(4);
});

it('counts calls by address', () => {
  expect(
    count((main, f, g) => {
      callByAddress(main, f);
      spawn(f, g);
    }),
  ).toBe(2);
});

it('counts no calls of an address that is only compared', () => {
  expect(
    count((main, f, g) => {
      spawn(main, g);
      const [pointer, isF] = [g.register('pointer', 'i32'), g.register('isF', 'i1')];
      const left: Operand = { kind: 'register', index: pointer };
      g.add({ op: 'compare', dest: isF, predicate: 'eq', left, right: { kind: 'function', index: f.index } });
      g.add({ op: 'call', callee: left, arguments: [] });
      spawn(f, g);
    }),
  ).toBe(2);
});

it.each<[string, (main: FunctionBuilder, f: FunctionBuilder, g: FunctionBuilder) => void]>([
  ['recursion', (main, f, g) => [main.call(undefined, f), f.call(undefined, f), spawn(f, g)]],
  ['a created thread that creates another', (main, f, g) => [spawn(main, f), spawn(f, g)]],
  ['one that does so by address', (main, f, g) => [spawn(main, f), callByAddress(f, g), spawn(g, g)]],
  [
    'a loop',
    (main, _, g) => {
      const loop = main.block('loop');
      main.jump(loop);
      main.startBlock(loop);
      spawn(main, g);
      const again = main.block('again');
      main.branch({ kind: 'register', index: main.register('c', 'i1') }, loop, again);
      main.startBlock(again);
    },
  ],
])('does not know for %s', (_, fill) => {
  expect(count(fill)).toBe(Number.POSITIVE_INFINITY);
});

it('does not know for several roots that create threads', () => {
  expect(count((main, _, g) => spawn(main, g), 2)).toBe(Number.POSITIVE_INFINITY);
});
