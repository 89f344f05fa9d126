import { describe, expect, it } from 'vitest';
import { constant, int, ProgramBuilder, reg } from './builder.ts';
import type { AddressOperand, Func, Instruction, Program } from './ir.ts';
import { blockNames, printFunction, printProgram } from './print.ts';
import { validate } from './validate.ts';

function everyInstruction(): Program {
  const p = new ProgramBuilder('every instruction');
  const x = p.global('x', 'i32', [-2]);
  const a = p.global('a', 'i16', [1, 2, 3], 3);
  const m = p.addGlobal({ name: 'm', size: 24, align: 4, location: { file: 'e.c', line: 1, column: 8 } });
  const c = p.addGlobal({ name: 'c', size: 48, align: 4 });
  const main = p.function('main', [], { location: { file: 'e.c', line: 9, column: 1 } });
  const half = p.function('half', [{ name: 'n', type: 'i32' }], { result: 'i32' });
  const table = p.addGlobal({
    name: 'table',
    size: 8,
    align: 4,
    relocations: [
      { offset: 0, target: { kind: 'function', index: half.index } },
      { offset: 4, target: shift(a, 4) },
    ],
  });

  const bit = main.register('i1', 'i1');
  const byte = main.register('i8', 'i8');
  const word = main.register('i32', 'i32');
  const long = main.register('i64', 'i64');
  const single = main.register('f32', 'f32');
  const double = main.register('f64', 'f64');
  const pointer = main.register('p', 'i32');
  const thread = main.register('p', 'i32');
  const loop = main.block('loop');
  const body = main.block('body');
  const end = main.block('end');
  const never = main.block('never');

  main.move(word, int(5));
  main.move(long, constant('i64', -(2n ** 40n)));
  main.move(double, constant('f64', -0));
  main.move(pointer, shift(x, 2));
  main.binary('add', word, word, int(-1));
  main.binary('fdiv', double, double, constant('f64', 0.5));
  main.compare('ult', bit, int(1, 'i8'), byte);
  main.cast('sext', long, int(1, 'i8'));
  main.cast('fpext', double, single);
  main.select(word, bit, word, int(0));
  main.alloca(pointer, 12, 4);
  main.call(word, half, [int(4)]);
  main.call(undefined, reg(pointer), [
    reg(word),
    constant('f32', Number.POSITIVE_INFINITY),
    m,
    { kind: 'function', index: half.index },
  ]);
  main.assert(bit, 'a "quoted"\nmessage');
  main.assume(bit);
  main.jump(loop);

  main.startBlock(loop);
  main.location = { file: 'e.c', line: 12, column: 3 };
  main.load(word, x);
  main.load(byte, shift(a, 3), 'acquire');
  main.location = undefined;
  main.store(shift(a, 4), int(7, 'i16'), 'volatile');
  main.store(pointer, table);
  main.store(x, int(1), 'release');
  main.rmw('umax', word, pointer, int(3), 'relaxed');
  main.cmpxchg(word, bit, x, int(0), int(1), 'acq_rel', 'acquire');
  main.cmpxchg(word, undefined, x, word, int(1));
  main.fence();
  main.fence('acq_rel');
  main.choose(byte, 3);
  main.spawn(thread, half, [word]);
  main.join(thread);
  main.join(thread, word);
  main.lock(m);
  main.trylock(bit, m);
  main.unlock(m);
  main.wait(c, m);
  main.signal(c);
  main.broadcast(pointer);
  main.branch(bit, body, end);

  main.startBlock(body);
  main.add({
    op: 'switch',
    value: reg(byte),
    cases: [
      { value: 0, target: loop },
      { value: -1, target: end },
    ],
    default: never,
  });
  main.startBlock(end);
  main.return();
  main.startBlock(never);
  main.add({ op: 'unreachable' });

  half.return(int(2));
  p.root('main', main);
  p.root('P1', half, [int(8)]);
  return p.build();
}

function shift(address: AddressOperand, offset: number): AddressOperand {
  return { ...address, offset } as AddressOperand;
}

const everyInstructionText = `\
program "every instruction"
global x : 4 bytes = fe ff ff ff
global a : 6 bytes = 01 00 02 00 03 00
global m : 24 bytes align 4   ; e.c:1:8
global c : 48 bytes align 4
global table : 8 bytes align 4, at 0: @half, at 4: a[2]
thread main = main()
thread P1 = half(i32 8)
func main() {                 ; e.c:9:1
  %i1 : i1
  %i8 : i8
  %i32 : i32
  %i64 : i64
  %f32 : f32
  %f64 : f64
  %p.6 : i32
  %p.7 : i32
entry:
  %i32 = move.i32 5
  %i64 = move.i64 -1099511627776
  %f64 = move.f64 -0
  %p.6 = move.i32 x+2
  %i32 = add.i32 %i32, -1
  %f64 = fdiv.f64 %f64, 0.5
  %i1 = ult.i8 1, %i8
  %i64 = sext.i8.i64 1
  %f64 = fpext.f32.f64 %f32
  %i32 = select.i32 %i1, %i32, 0
  %p.6 = alloca 12 align 4
  %i32 = call @half(i32 4)
  call %p.6(%i32, f32 Infinity, m, @half)
  assert %i1, "a \\"quoted\\"\\nmessage"
  assume %i1
  jump loop
loop:
  %i32 = load.i32 [x]         ; e.c:12:3
  %i8 = load.i8.acquire [a[1]+1] ; e.c:12:3
  store.i16.volatile [a[2]], 7
  store.i32 [%p.6], table
  store.i32.release [x], 1
  %i32 = rmw.umax.i32.relaxed [%p.6], 3
  %i32, %i1 = cmpxchg.i32.acq_rel.acquire [x], 0, 1
  %i32 = cmpxchg.i32.seq_cst.seq_cst [x], %i32, 1
  fence.seq_cst
  fence.acq_rel
  %i8 = choose.i8 3
  %p.7 = spawn @half(%i32)
  join %p.7
  %i32 = join %p.7
  lock [m]
  %i1 = trylock [m]
  unlock [m]
  wait [c], [m]
  signal [c]
  broadcast [%p.6]
  branch %i1, body, end
body:
  switch.i8 %i8, 0: loop, -1: end, default: never
end:
  return
never:
  unreachable
}
func half(%n : i32) : i32 {
entry:
  return.i32 2
}
`;

const litmusText = `\
program SB
global x : 4 bytes = 00 00 00 00
global y : 4 bytes = 00 00 00 00
thread P0 = P0()
func P0() {
  %EAX : i32
entry:
  store.i32 [x], 1            ; SB.litmus:4:2
  %EAX = load.i32 [y]
  return
}
`;

describe('printProgram', () => {
  it('prints a litmus test', () => {
    const p = new ProgramBuilder('SB');
    const x = p.global('x', 'i32');
    const y = p.global('y', 'i32');
    const f = p.function('P0');
    const eax = f.register('EAX', 'i32');
    f.location = { file: 'SB.litmus', line: 4, column: 2 };
    f.store(x, int(1));
    f.location = undefined;
    f.load(eax, y);
    f.return();
    p.root('P0', f);
    expect(printProgram(p.build())).toBe(litmusText);
  });

  it('prints every kind of instruction', () => {
    const program = everyInstruction();
    expect(validate(program)).toEqual([]);
    expect(printProgram(program)).toBe(everyInstructionText);
  });

  it('cuts the zeros at the end of long initialisers', () => {
    const p = new ProgramBuilder('long');
    p.global('zero', 'i64', [], 100);
    p.global('some', 'i8', [1, 0, 255], 17);
    p.global('short', 'i8', [1], 4);
    expect(printProgram(p.build()).split('\n').slice(1, 4)).toEqual([
      'global zero : 800 bytes = 00 …',
      'global some : 17 bytes = 01 00 ff …',
      'global short : 4 bytes = 01 00 00 00',
    ]);
  });
});

const empty: Program = { name: 'empty', globals: [], functions: [], roots: [] };

function funcOf(registerNames: readonly string[], body: readonly Instruction[]): Func {
  const registers = registerNames.map((name) => ({ name, type: 'i32' }) as const);
  return { name: 'f', parameters: 0, registers, blocks: [{ name: 'entry', body }] };
}

describe('names', () => {
  it('become unique, also where the unique form is another name already', () => {
    const func = funcOf(['r', 'r', 'r.1', '', 'a b'], []);
    const registers = printFunction(empty, func).split('\n').slice(1, 6);
    expect(registers).toEqual(['%r.0', '%r.1.1', '%r.1', '%3', '%"a b"'].map((name) => `  ${name} : i32`));
  });

  it('of blocks become unique likewise', () => {
    const blocks = ['loop', 'loop', 'end', ''].map((name) => ({ name, body: [] }));
    expect(blockNames({ ...funcOf([], []), blocks })).toEqual(['loop.0', 'loop.1', 'end', '3']);
  });
});

describe('an instruction', () => {
  const x: AddressOperand = { kind: 'global', index: 0, offset: 0 };
  const location = { file: 'a.c', line: 1, column: 1 };
  const array: Program = { ...empty, globals: [{ name: 'a', size: 8, align: 4, element: 4 }] };

  const printed = (instruction: Instruction): string => printFunction(array, funcOf([], [instruction])).split('\n')[2]!;

  it('is followed by its location', () => {
    expect(printed({ op: 'lock', mutex: x, location })).toMatch(/^ {2}lock \[a\[0\]\] +; a\.c:1:1$/);
  });

  // Authors of front-ends look at ill-formed programs most of all.
  it.each<[Instruction, string]>([
    [{ op: 'move', dest: 4, value: reg(5) }, '%?4 = move.? %?5'],
    [{ op: 'store', address: shift(x, -4), value: reg(1), order: 'plain' }, 'store.? [a-4], %?1'],
    [{ op: 'lock', mutex: { kind: 'global', index: 1, offset: 4 } }, 'lock [?1+4]'],
    [{ op: 'call', callee: { kind: 'function', index: 0 }, arguments: [reg(0)] }, 'call @?0(%?0)'],
    [{ op: 'jump', target: 7 }, 'jump ?7'],
  ])('prints what does not exist: $1', (instruction, text) => {
    expect(printed(instruction)).toBe(`  ${text}`);
  });

  it('prints a root argument that cannot be one', () => {
    const program: Program = { ...empty, roots: [{ name: 'P0', function: 2, arguments: [reg(1)] }] };
    expect(printProgram(program)).toBe('program empty\nthread P0 = ?2(%?1)\n');
  });
});
