import { describe, expect, it } from 'vitest';
import { type FunctionBuilder, int, ProgramBuilder } from './builder.ts';
import { inlineLibrary } from './inline.ts';
import type { AddressOperand, Program } from './ir.ts';
import { printFunction } from './print.ts';
import { simplify } from './simplify.ts';
import { validate } from './validate.ts';

interface Built {
  readonly p: ProgramBuilder;
  readonly x: AddressOperand;
  readonly f: FunctionBuilder;
}

function build(write: (built: Built) => void): Program {
  const p = new ProgramBuilder('test');
  const x = p.global('x', 'i32');
  const f = p.function('f');
  write({ p, x, f });
  p.root('f', f);
  return p.build();
}

/** The instructions of the first function, block by block. */
function text(program: Program): string {
  expect(validate(program)).toEqual([]);
  const lines = printFunction(program, program.functions[0]!).split('\n').slice(1, -1);
  return lines
    .filter((line) => !/^ {2}%\S+ : /.test(line))
    .map((line) => line.trim())
    .join('\n');
}

describe('simplify', () => {
  it('lets copies and constants stand for themselves, and drops what nobody reads', () => {
    const program = build(({ x, f }) => {
      const [a, b, c] = [f.register('a', 'i32'), f.register('b', 'i32'), f.register('c', 'i32')];
      f.load(a, x);
      f.move(b, a);
      f.binary('add', c, b, int(0));
      f.binary('mul', b, int(3), int(4));
      f.store(x, c);
      f.return();
    });
    expect(text(simplify(program))).toMatchInlineSnapshot(`
      "entry:
      %b = load.i32 [x]
      store.i32 [x], %b
      return"
    `);
  });

  it('does not take a copy for a value that has changed since', () => {
    const program = build(({ x, f }) => {
      const [a, b] = [f.register('a', 'i32'), f.register('b', 'i32')];
      f.load(a, x);
      f.move(b, a);
      f.load(a, x);
      f.store(x, b);
      f.store(x, a);
      f.return();
    });
    expect(text(simplify(program))).toMatchInlineSnapshot(`
      "entry:
      %b = load.i32 [x]
      %a = load.i32 [x]
      store.i32 [x], %b
      store.i32 [x], %a
      return"
    `);
  });

  it('what one branch writes leaves the copies of the other as they are', () => {
    const program = build(({ x, f }) => {
      const [a, b, c] = [f.register('a', 'i32'), f.register('b', 'i32'), f.register('c', 'i1')];
      const [left, right] = [f.block('left'), f.block('right')];
      f.load(a, x);
      f.move(b, a);
      f.compare('eq', c, { kind: 'register', index: a }, int(7));
      f.branch({ kind: 'register', index: c }, left, right);
      for (const block of [left, right]) {
        f.startBlock(block);
        f.store(x, b);
        f.load(a, x);
        f.store(x, b);
        f.store(x, a);
        f.return();
      }
    });
    expect(text(simplify(program))).toMatchInlineSnapshot(`
      "entry:
      %a = load.i32 [x]
      %b = move.i32 %a
      %c = eq.i32 %a, 7
      branch %c, left, right
      left:
      store.i32 [x], %a
      %a = load.i32 [x]
      store.i32 [x], %b
      store.i32 [x], %a
      return
      right:
      store.i32 [x], %a
      %a = load.i32 [x]
      store.i32 [x], %b
      store.i32 [x], %a
      return"
    `);
  });

  it('joins a chain of blocks in any order of the text', () => {
    const program = build(({ x, f }) => {
      const [first, second, third] = [f.block('first'), f.block('second'), f.block('third')];
      f.jump(third);
      for (const [block, value, next] of [
        [third, 1, second],
        [second, 2, first],
      ] as const) {
        f.startBlock(block);
        f.store(x, int(value));
        f.jump(next);
      }
      f.startBlock(first);
      f.store(x, int(3));
      f.return();
    });
    expect(text(simplify(program))).toMatchInlineSnapshot(`
      "entry:
      store.i32 [x], 1
      store.i32 [x], 2
      store.i32 [x], 3
      return"
    `);
  });

  it('computes a value where it is wanted', () => {
    const program = build(({ x, f }) => {
      const [i, t, more] = [f.register('i', 'i32'), f.register('t', 'i32'), f.register('more', 'i1')];
      const [loop, end] = [f.block('loop'), f.block('end')];
      f.move(i, int(0));
      f.jump(loop);
      f.startBlock(loop);
      f.binary('add', t, i, int(1));
      f.move(i, t);
      f.store(x, i);
      f.compare('ne', more, i, int(3));
      f.branch(more, loop, end);
      f.startBlock(end);
      f.return();
    });
    expect(text(simplify(program))).toMatchInlineSnapshot(`
      "entry:
      %i = move.i32 0
      jump loop
      loop:
      %i = add.i32 %i, 1
      store.i32 [x], %i
      %more = ne.i32 %i, 3
      branch %more, loop, end
      end:
      return"
    `);
  });

  it('knows which way a constant goes, and leaves the other out', () => {
    const program = build(({ x, f }) => {
      const is = f.register('is', 'i1');
      const [yes, no, end] = [f.block('yes'), f.block('no'), f.block('end')];
      f.compare('eq', is, int(-1, 'i8'), int(255, 'i8'));
      f.branch(is, yes, no);
      f.startBlock(yes);
      f.store(x, int(1));
      f.jump(end);
      f.startBlock(no);
      f.store(x, int(2));
      f.jump(end);
      f.startBlock(end);
      f.return();
    });
    expect(text(simplify(program))).toMatchInlineSnapshot(`
      "entry:
      store.i32 [x], 1
      return"
    `);
  });

  it.each([
    ['slt', -1, 0, true],
    ['ult', -1, 0, false],
    ['sge', 127, -128, true],
    ['uge', 127, -128, false],
    ['sle', 3, 3, true],
    ['ugt', 255, -1, false],
  ] as const)('compares constants: %s %i, %i is %s', (predicate, left, right, holds) => {
    const program = build(({ x, f }) => {
      const [is, value] = [f.register('is', 'i1'), f.register('value', 'i32')];
      f.compare(predicate, is, int(left, 'i8'), int(right, 'i8'));
      f.add({ op: 'cast', operator: 'zext', dest: value, value: { kind: 'register', index: is } });
      f.store(x, value);
      f.return();
    });
    expect(text(simplify(program))).toContain(`store.i32 [x], ${holds ? 1 : 0}`);
  });

  it('keeps what can fail, and what is seen', () => {
    const program = build(({ x, f }) => {
      const [a, b] = [f.register('a', 'i32'), f.register('b', 'i32')];
      f.load(a, x);
      f.binary('sdiv', b, int(1), a);
      f.rmw('add', b, x, int(1));
      f.return();
    });
    expect(text(simplify(program))).toMatchInlineSnapshot(`
      "entry:
      %a = load.i32 [x]
      %b = sdiv.i32 1, %a
      %b = rmw.add.i32.seq_cst [x], 1
      return"
    `);
  });

  it('keeps a loop that does nothing', () => {
    const program = build(({ f }) => {
      const [one, two] = [f.block('one'), f.block('two')];
      f.jump(one);
      f.startBlock(one);
      f.jump(two);
      f.startBlock(two);
      f.jump(one);
    });
    expect(text(simplify(program))).toMatchInlineSnapshot(`
      "entry:
      jump one
      one:
      jump one"
    `);
  });

  it('knows constant variables and static ones, and no others', () => {
    const program = build(({ p, x, f }) => {
      const init = new Uint8Array([7, 0, 0, 0]);
      const constant = p.addGlobal({ name: 'constant', size: 4, align: 4, init, readOnly: true });
      const [a, b, c, d] = [
        f.register('a', 'i32'),
        f.register('b', 'i32'),
        f.register('c', 'i32'),
        f.register('d', 'i32'),
      ];
      f.add({ op: 'glance', dest: a, address: constant });
      f.add({ op: 'glance', dest: b, address: x });
      f.add({ op: 'isstatic', dest: c, address: x });
      f.add({ op: 'isstatic', dest: d, address: { kind: 'register', index: b } });
      for (const result of [a, b, c, d]) f.store(x, result);
      f.return();
    });
    expect(text(simplify(program))).toMatchInlineSnapshot(`
      "entry:
      %b = glance.i32 [x]
      %d = isstatic [%b]
      store.i32 [x], 7
      store.i32 [x], %b
      store.i32 [x], 1
      store.i32 [x], %d
      return"
    `);
  });

  it('does not name a function that was called by its address', () => {
    const program = build(({ p, f }) => {
      const g = p.function('g', [{ name: 'n', type: 'i32' }]);
      g.return();
      const pointer = f.register('pointer', 'i32');
      f.move(pointer, { kind: 'function', index: g.index });
      f.add({ op: 'call', callee: { kind: 'register', index: pointer }, arguments: [] });
      f.return();
    });
    expect(text(simplify(program))).toMatchInlineSnapshot(`
      "entry:
      %pointer = move.i32 @g
      call %pointer()
      return"
    `);
  });
});

describe('inlineLibrary', () => {
  const place = { file: 'user.c', line: 7, column: 3 };

  /** Calls `twice`, a library function written by `write`, two times. */
  function calls(write: (twice: FunctionBuilder, x: AddressOperand) => void, isLibrary = true): Program {
    const program = build(({ p, x, f }) => {
      const twice = p.function('twice', [{ name: 'n', type: 'i32' }], { result: 'i32', isLibrary });
      write(twice, x);
      const [a, b] = [f.register('a', 'i32'), f.register('b', 'i32')];
      f.call(a, twice, [int(1)]);
      f.call(b, twice, [a]);
      f.store(x, b);
      f.return();
    });
    const functions = program.functions.map((func) =>
      func.name === 'f'
        ? { ...func, blocks: func.blocks.map((b) => ({ ...b, body: b.body.map((i) => ({ ...i, location: place })) })) }
        : func,
    );
    return { ...program, functions };
  }

  const branching = (twice: FunctionBuilder, x: AddressOperand): void => {
    const [is, r] = [twice.register('is', 'i1'), twice.register('r', 'i32')];
    const [yes, no] = [twice.block('yes'), twice.block('no')];
    twice.compare('slt', is, 0, int(5));
    twice.branch(is, yes, no);
    twice.startBlock(yes);
    twice.load(r, x);
    twice.return(r);
    twice.startBlock(no);
    twice.return(0);
  };

  it('puts the function in place of each call, at the place of the call, with one set of registers', () => {
    const inlined = inlineLibrary(calls(branching));
    expect(text(inlined)).toMatchInlineSnapshot(`
      "%"library i32 0" : i32
      %"library i1 0" : i1
      %"library i32 1" : i32
      entry:
      %"library i32 0" = move.i32 1 ; user.c:7:3
      jump 2                      ; user.c:7:3
      1:
      %"library i32 0" = move.i32 %a ; user.c:7:3
      jump 6                      ; user.c:7:3
      2:
      %"library i1 0" = slt.i32 %"library i32 0", 5 ; user.c:7:3
      branch %"library i1 0", 3, 4 ; user.c:7:3
      3:
      %"library i32 1" = load.i32 [x] ; user.c:7:3
      %a = move.i32 %"library i32 1" ; user.c:7:3
      jump 1                      ; user.c:7:3
      4:
      %a = move.i32 %"library i32 0" ; user.c:7:3
      jump 1                      ; user.c:7:3
      5:
      store.i32 [x], %b           ; user.c:7:3
      return                      ; user.c:7:3
      6:
      %"library i1 0" = slt.i32 %"library i32 0", 5 ; user.c:7:3
      branch %"library i1 0", 7, 8 ; user.c:7:3
      7:
      %"library i32 1" = load.i32 [x] ; user.c:7:3
      %b = move.i32 %"library i32 1" ; user.c:7:3
      jump 5                      ; user.c:7:3
      8:
      %b = move.i32 %"library i32 0" ; user.c:7:3
      jump 5                      ; user.c:7:3"
    `);
    const [f] = inlined.functions;
    expect(f!.blocks.flatMap(({ body }) => body).every(({ location }) => location === place)).toBe(true);
    expect(f!.registers.length).toBe(5);
  });

  it.each<[string, (twice: FunctionBuilder) => void]>([
    [
      'with a loop',
      (twice) => {
        const loop = twice.block('loop');
        twice.jump(loop);
        twice.startBlock(loop);
        twice.jump(loop);
      },
    ],
    [
      'with memory of its own',
      (twice) => {
        twice.alloca(twice.register('a', 'i32'), 4);
        twice.return(0);
      },
    ],
    ['that reads what nobody wrote, which is zero in every call', (twice) => twice.return(twice.register('r', 'i32'))],
    [
      'that is long',
      (twice) => {
        for (let i = 0; i < 100; i++) twice.binary('add', 0, 0, int(1));
        twice.return(0);
      },
    ],
  ])('leaves a function %s alone', (_, write) => {
    const program = calls(write);
    expect(inlineLibrary(program)).toEqual(program);
  });

  it("leaves the user's functions alone", () => {
    const program = calls(branching, false);
    expect(inlineLibrary(program)).toEqual(program);
  });
});
