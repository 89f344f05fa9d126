import { describe, expect, it } from 'vitest';
import { constant, int, reg } from './builder.ts';
import type { Func, Global, Instruction, Operand, Program } from './ir.ts';
import { isTerminator } from './ir.ts';
import { type Order, TYPES } from './types.ts';
import { assertValid, IllFormedProgram, validate } from './validate.ts';

/** Every function of these programs has one register per type, so `r.i8` is the `i8` register of each. */
const r = { i1: 0, i8: 1, i16: 2, i32: 3, i64: 4, f32: 5, f64: 6 } as const;
const registers = TYPES.map((type) => ({ name: type, type }));

const yes = reg(r.i1);
const x: Operand = { kind: 'global', index: 0, offset: 0 };
const nothing: Operand = { kind: 'function', index: 1 };
const twice: Operand = { kind: 'function', index: 2 };

const variable: Global = { name: 'x', size: 8, align: 8 };

function func(name: string, body: readonly Instruction[], more: Partial<Func> = {}): Func {
  return { name, parameters: 0, registers, blocks: [{ name: 'entry', body }], ...more };
}

/** `twice` takes an `i1` and an `i8`, its first two registers, and returns an `i32`. */
const callees = [
  func('nothing', [{ op: 'return' }]),
  func('twice', [{ op: 'return', value: int(2) }], { parameters: 2, result: 'i32' }),
];

/** A program whose `main` is `body`, with a return if it has no terminator. */
function programOf(body: readonly Instruction[], more: Partial<Func> = {}): Program {
  const last = body.at(-1);
  const ended: readonly Instruction[] = last && isTerminator(last) ? body : [...body, { op: 'return' }];
  return {
    name: 'test',
    globals: [variable, { name: 'own', size: 4, align: 4, threadLocal: true }],
    functions: [func('main', ended, more), ...callees],
    roots: [{ name: 'main', function: 0, arguments: [] }],
  };
}

const good: readonly Instruction[] = [
  { op: 'undefine', dest: r.i64 },
  { op: 'move', dest: r.i64, value: constant('i64', 2n ** 64n - 1n) },
  { op: 'move', dest: r.i64, value: constant('i64', -(2n ** 63n)) },
  { op: 'move', dest: r.i8, value: int(255, 'i8') },
  { op: 'move', dest: r.i8, value: int(-128, 'i8') },
  { op: 'move', dest: r.i1, value: int(1, 'i1') },
  { op: 'move', dest: r.f32, value: constant('f32', Number.NaN) },
  { op: 'move', dest: r.i32, value: { kind: 'global', index: 0, offset: 8 } },
  { op: 'binary', operator: 'add', dest: r.i8, left: reg(r.i8), right: int(1, 'i8') },
  { op: 'binary', operator: 'fmul', dest: r.f64, left: reg(r.f64), right: constant('f64', 0.5) },
  { op: 'unary', operator: 'clz', dest: r.i8, value: reg(r.i8) },
  { op: 'unary', operator: 'fneg', dest: r.f32, value: reg(r.f32) },
  { op: 'compare', predicate: 'slt', dest: r.i1, left: reg(r.i16), right: int(0, 'i16') },
  { op: 'compare', predicate: 'folt', dest: r.i1, left: reg(r.f32), right: reg(r.f32) },
  { op: 'cast', operator: 'trunc', dest: r.i1, value: reg(r.i8) },
  { op: 'cast', operator: 'zext', dest: r.i8, value: yes },
  { op: 'cast', operator: 'sext', dest: r.i64, value: reg(r.i16) },
  { op: 'cast', operator: 'fptrunc', dest: r.f32, value: reg(r.f64) },
  { op: 'cast', operator: 'fpext', dest: r.f64, value: reg(r.f32) },
  { op: 'cast', operator: 'fptoui', dest: r.i8, value: reg(r.f64) },
  { op: 'cast', operator: 'fptosi', dest: r.i64, value: reg(r.f32) },
  { op: 'cast', operator: 'uitofp', dest: r.f32, value: reg(r.i64) },
  { op: 'cast', operator: 'sitofp', dest: r.f64, value: reg(r.i8) },
  { op: 'cast', operator: 'bitcast', dest: r.i32, value: reg(r.f32) },
  { op: 'select', dest: r.f64, condition: yes, ifTrue: reg(r.f64), ifFalse: constant('f64', -0) },
  { op: 'alloca', dest: r.i32, size: 12, align: 4 },
  { op: 'allocate', what: 'heap', dest: r.i32, size: int(8) },
  { op: 'allocate', what: 'heap', dest: r.i32, size: int(8), align: int(64) },
  { op: 'extent', dest: r.i32, address: reg(r.i32) },
  { op: 'isconstant', dest: r.i32, address: reg(r.i32) },
  { op: 'isstatic', dest: r.i32, address: reg(r.i32) },
  { op: 'olderlocal', dest: r.i32, address: reg(r.i32) },
  { op: 'refresh', address: reg(r.i32) },
  { op: 'progress', dest: r.i32 },
  { op: 'suspend', address: reg(r.i32), isBack: true },
  { op: 'peek', dest: r.i8, address: reg(r.i32) },
  { op: 'glance', dest: r.i32, address: x },
  { op: 'poke', address: reg(r.i32), value: reg(r.f64) },
  { op: 'threadlocal', dest: r.i32, global: 1 },
  { op: 'self', dest: r.i32 },
  { op: 'print', dest: r.i32, bytes: x, most: reg(r.i32), stop: int(-1) },
  { op: 'endprint', count: reg(r.i32) },
  convert({}),
  { op: 'mark', name: x, value: reg(r.i32) },
  { op: 'endmark', value: int(1) },
  { op: 'call', dest: r.i32, callee: twice, arguments: [yes, reg(r.i8)] },
  { op: 'call', callee: twice, arguments: [yes, int(1, 'i8')] },
  { op: 'call', dest: r.f32, callee: reg(r.i32), arguments: [int(1), reg(r.f64)] },
  { op: 'assert', condition: yes, message: 'yes' },
  { op: 'assert', condition: yes, message: 'yes', text: x, misuse: true },
  { op: 'assume', condition: int(1, 'i1') },
  { op: 'detach', thread: reg(r.i32) },
  ...(['plain', 'volatile', 'relaxed', 'acquire', 'seq_cst'] as const).map(
    (order): Instruction => ({ op: 'load', dest: r.f32, address: x, order }),
  ),
  ...(['plain', 'volatile', 'relaxed', 'release', 'seq_cst'] as const).map(
    (order): Instruction => ({ op: 'store', address: reg(r.i32), value: int(1, 'i8'), order }),
  ),
  ...(['relaxed', 'acquire', 'release', 'acq_rel', 'seq_cst'] as const).flatMap((order): readonly Instruction[] => [
    rmw({ order }),
    cmpxchg({ order }),
  ]),
  ...(['relaxed', 'acquire', 'seq_cst'] as const).map((failureOrder) => cmpxchg({ failureOrder, success: r.i1 })),
  ...(['acquire', 'release', 'acq_rel', 'seq_cst'] as const).map((order): Instruction => ({ op: 'fence', order })),
  {
    op: 'await',
    dest: r.i32,
    success: r.i1,
    address: x,
    predicate: 'sgt',
    bound: int(0),
    operator: 'sub',
    value: int(1),
    order: 'acquire',
    blocks: true,
  },
  { op: 'free', what: 'stack', address: reg(r.i32) },
  { op: 'choose', dest: r.i1, count: 2 },
  { op: 'choose', dest: r.i32, count: 1 },
  { op: 'choose', dest: r.i16, count: 2048 },
  { op: 'spawn', dest: r.i32, callee: twice, arguments: [yes, int(1, 'i8')] },
  { op: 'join', thread: reg(r.i32) },
  { op: 'join', dest: r.f64, thread: reg(r.i32) },
  { op: 'lock', mutex: x },
  { op: 'trylock', dest: r.i1, mutex: x },
  { op: 'unlock', mutex: x },
  { op: 'wait', condition: x, mutex: x },
  { op: 'wait', condition: x, mutex: x, timedOut: r.i1 },
  { op: 'signal', condition: x },
  { op: 'broadcast', condition: x },
  { op: 'destroy', object: x },
  { op: 'init', object: x, isNew: int(0) },
  { op: 'lifetime', what: 'initialised', address: x, size: int(4) },
  { op: 'drain', dest: r.i32, record: x, isFirst: true },
  { op: 'beginatomic' },
  { op: 'endatomic' },
  { op: 'exit', status: int(0) },
  { op: 'jump', target: 0 },
  { op: 'branch', condition: yes, ifTrue: 0, ifFalse: 0 },
  {
    op: 'switch',
    value: reg(r.i64),
    cases: [
      { value: 0n, target: 0 },
      { value: -1n, target: 0 },
    ],
    default: 0,
  },
  { op: 'return' },
  { op: 'exitthread' },
  { op: 'exitthread', value: reg(r.f32) },
  { op: 'unreachable' },
];

function rmw(more: Partial<Extract<Instruction, { op: 'rmw' }>>): Instruction {
  return { op: 'rmw', operator: 'add', dest: r.i16, address: x, value: reg(r.i16), order: 'seq_cst', ...more };
}

function cmpxchg(more: Partial<Extract<Instruction, { op: 'cmpxchg' }>>): Instruction {
  const orders = { order: 'seq_cst', failureOrder: 'seq_cst' } as const;
  const [expected, desired] = [reg(r.i64), constant('i64', 1n)];
  return { op: 'cmpxchg', dest: r.i64, address: x, expected, desired, ...orders, ...more };
}

function convert(more: Partial<Extract<Instruction, { op: 'convert' }>>): Instruction {
  const how = { room: int(8), from: int(0), kind: int(100), flags: int(0), width: int(5), precision: int(-1) };
  return { op: 'convert', dest: r.i32, to: x, ...how, value: reg(r.i64), ...more };
}

/** The compiler checks that the keys are all the kinds. */
const kinds: Readonly<Record<Instruction['op'], true>> = {
  move: true,
  undefine: true,
  binary: true,
  unary: true,
  compare: true,
  cast: true,
  select: true,
  alloca: true,
  allocate: true,
  extent: true,
  isconstant: true,
  isstatic: true,
  olderlocal: true,
  refresh: true,
  progress: true,
  suspend: true,
  peek: true,
  glance: true,
  poke: true,
  threadlocal: true,
  self: true,
  print: true,
  endprint: true,
  convert: true,
  mark: true,
  endmark: true,
  call: true,
  assert: true,
  assume: true,
  detach: true,
  load: true,
  store: true,
  rmw: true,
  cmpxchg: true,
  await: true,
  fence: true,
  free: true,
  choose: true,
  spawn: true,
  join: true,
  lock: true,
  trylock: true,
  unlock: true,
  wait: true,
  signal: true,
  broadcast: true,
  destroy: true,
  init: true,
  lifetime: true,
  drain: true,
  beginatomic: true,
  endatomic: true,
  exit: true,
  jump: true,
  branch: true,
  switch: true,
  return: true,
  exitthread: true,
  unreachable: true,
};

describe('a well-formed program', () => {
  it('may use every kind of instruction', () => {
    const straight = good.filter((instruction) => !isTerminator(instruction));
    const blocks = good.filter(isTerminator).map((end, i) => ({ name: `b${i}`, body: [...straight, end] }));
    const program = programOf([], { blocks });
    const used = new Set(program.functions.flatMap((f) => f.blocks.flatMap((b) => b.body.map((i) => i.op))));
    expect([...used].sort()).toEqual(Object.keys(kinds).sort());
    expect(validate(program)).toEqual([]);
    expect(() => assertValid(program)).not.toThrow();
  });

  it('may initialise globals with bytes and addresses, and pass constants and addresses to its threads', () => {
    const pointers: Global = {
      name: 'pointers',
      size: 8,
      align: 4,
      element: 4,
      init: new Uint8Array(8),
      relocations: [
        { offset: 0, target: { kind: 'global', index: 0, offset: 8 } },
        { offset: 4, target: { kind: 'function', index: 1 } },
      ],
    };
    const program: Program = {
      name: 'test',
      globals: [pointers, variable],
      functions: [func('main', [{ op: 'return' }], { parameters: 2, registers: registers.slice(2, 4) }), ...callees],
      roots: [{ name: 'main', function: 0, arguments: [int(1, 'i16'), x] }],
    };
    expect(validate(program)).toEqual([]);
  });
});

const badOperand: Operand = int(1, 'i16');
const load = (order: Order): Instruction => ({ op: 'load', dest: r.i8, address: x, order });
const store = (order: Order): Instruction => ({ op: 'store', address: x, value: int(1), order });
const cast = (operator: Extract<Instruction, { op: 'cast' }>['operator'], from: number, dest: number): Instruction => ({
  op: 'cast',
  operator,
  dest,
  value: reg(from),
});
const move32 = (value: Operand): Instruction => ({ op: 'move', dest: r.i32, value });
const switch8 = (cases: readonly { value: number | bigint; target: number }[]): Instruction => ({
  op: 'switch',
  value: reg(r.i8),
  cases,
  default: 0,
});

const badInstructions: readonly (readonly [Instruction, string])[] = [
  [move32(reg(7)), 'value: register 7 does not exist (the function has 7)'],
  [move32(reg(-1)), 'value: register -1 does not exist (the function has 7)'],
  [{ op: 'move', dest: 9, value: int(1) }, 'dest: register 9 does not exist (the function has 7)'],
  [move32(int(1, 'i8')), 'value is i8, but dest is i32'],

  [move32(constant('i32', 1n)), 'value: an i32 constant must be a number, but 1 is a bigint'],
  [
    { op: 'move', dest: r.i64, value: constant('i64', 1) },
    'value: an i64 constant must be a bigint, but 1 is a number',
  ],
  [
    { op: 'move', dest: r.f64, value: constant('f64', 1n) },
    'value: an f64 constant must be a number, but 1 is a bigint',
  ],
  [move32(constant('i32', 0.5)), 'value: an i32 constant must be an integer, but is 0.5'],
  [move32(constant('i32', Number.NaN)), 'value: an i32 constant must be an integer, but is NaN'],
  [{ op: 'move', dest: r.i8, value: int(256, 'i8') }, 'value: 256 does not fit i8'],
  [{ op: 'move', dest: r.i8, value: int(-129, 'i8') }, 'value: -129 does not fit i8'],
  [{ op: 'move', dest: r.i1, value: int(2, 'i1') }, 'value: 2 does not fit i1'],
  [{ op: 'move', dest: r.i64, value: constant('i64', 2n ** 64n) }, 'value: 18446744073709551616 does not fit i64'],

  [move32({ kind: 'global', index: 2, offset: 0 }), 'value: global 2 does not exist (the program has 2)'],
  [move32({ kind: 'global', index: 1, offset: 0 }), 'value: own is thread-local, so its address depends on the thread'],
  [move32({ kind: 'global', index: 0, offset: 9 }), 'value: offset 9 is outside of x, which has 8 bytes'],
  [move32({ kind: 'global', index: 0, offset: -1 }), 'value: offset -1 is outside of x, which has 8 bytes'],
  [move32({ kind: 'global', index: 0, offset: 0.5 }), 'value: offset 0.5 is outside of x, which has 8 bytes'],
  [move32({ kind: 'function', index: 3 }), 'value: function 3 does not exist (the program has 3)'],

  [{ op: 'binary', operator: 'add', dest: r.i32, left: int(1, 'i8'), right: int(1) }, 'left is i8, but dest is i32'],
  [{ op: 'binary', operator: 'shl', dest: r.i32, left: int(1), right: int(1, 'i8') }, 'right is i8, but dest is i32'],
  [{ op: 'binary', operator: 'fadd', dest: r.i32, left: int(1), right: int(1) }, 'fadd works on floats, not on i32'],
  [
    { op: 'binary', operator: 'and', dest: r.f32, left: reg(r.f32), right: reg(r.f32) },
    'and works on integers, not on f32',
  ],
  [{ op: 'compare', predicate: 'eq', dest: r.i8, left: int(1), right: int(1) }, 'dest must be i1, but is i8'],
  [{ op: 'compare', predicate: 'eq', dest: r.i1, left: int(1), right: yes }, 'right is i1, but left is i32'],
  [{ op: 'compare', predicate: 'foeq', dest: r.i1, left: int(1), right: int(1) }, 'foeq works on floats, not on i32'],
  [
    { op: 'compare', predicate: 'ult', dest: r.i1, left: reg(r.f64), right: reg(r.f64) },
    'ult works on integers, not on f64',
  ],

  [cast('trunc', r.i8, r.i16), 'trunc cannot turn i8 into i16'],
  [cast('trunc', r.i8, r.i8), 'trunc cannot turn i8 into i8'],
  [cast('trunc', r.f64, r.f32), 'trunc cannot turn f64 into f32'],
  [cast('trunc', r.f64, r.i32), 'trunc cannot turn f64 into i32'],
  [cast('trunc', r.i64, r.f32), 'trunc cannot turn i64 into f32'],
  [cast('zext', r.i16, r.i8), 'zext cannot turn i16 into i8'],
  [cast('zext', r.i32, r.f64), 'zext cannot turn i32 into f64'],
  [cast('sext', r.i64, r.i64), 'sext cannot turn i64 into i64'],
  [cast('sext', r.f32, r.i64), 'sext cannot turn f32 into i64'],
  [cast('fptrunc', r.f32, r.f64), 'fptrunc cannot turn f32 into f64'],
  [cast('fptrunc', r.i64, r.f32), 'fptrunc cannot turn i64 into f32'],
  [cast('fptrunc', r.f64, r.i32), 'fptrunc cannot turn f64 into i32'],
  [cast('fpext', r.f64, r.f32), 'fpext cannot turn f64 into f32'],
  [cast('fpext', r.i32, r.f64), 'fpext cannot turn i32 into f64'],
  [cast('fpext', r.f32, r.i64), 'fpext cannot turn f32 into i64'],
  [cast('fptoui', r.i32, r.i32), 'fptoui cannot turn i32 into i32'],
  [cast('fptosi', r.f32, r.f64), 'fptosi cannot turn f32 into f64'],
  [cast('uitofp', r.i32, r.i64), 'uitofp cannot turn i32 into i64'],
  [cast('sitofp', r.f32, r.f64), 'sitofp cannot turn f32 into f64'],
  [cast('bitcast', r.i32, r.f64), 'bitcast cannot turn i32 into f64'],
  [cast('bitcast', r.i1, r.i8), 'bitcast cannot turn i1 into i8'],

  [{ op: 'select', dest: r.i32, condition: int(1), ifTrue: x, ifFalse: x }, 'condition must be i1, but is i32'],
  [{ op: 'select', dest: r.i32, condition: yes, ifTrue: yes, ifFalse: x }, 'true value is i1, but dest is i32'],
  [{ op: 'select', dest: r.i32, condition: yes, ifTrue: x, ifFalse: yes }, 'false value is i1, but dest is i32'],
  [{ op: 'unary', operator: 'fabs', dest: r.i8, value: reg(r.i8) }, 'fabs works on floats, not on i8'],
  [{ op: 'allocate', what: 'heap', dest: r.i64, size: int(4) }, 'dest must be i32, but is i64'],
  [{ op: 'allocate', what: 'stack', dest: r.i32, size: int(4, 'i8') }, 'size must be i32, but is i8'],
  [{ op: 'peek', dest: r.i1, address: x }, 'an i1 cannot be in memory; widen it to i8'],
  [{ op: 'peek', dest: r.i8, address: reg(r.i8) }, 'address must be i32, but is i8'],
  [{ op: 'poke', address: x, value: yes }, 'an i1 cannot be in memory; widen it to i8'],
  [{ op: 'threadlocal', dest: r.i32, global: 0 }, 'global 0 is not thread-local'],
  [{ op: 'self', dest: r.i64 }, 'dest must be i32, but is i64'],
  [{ op: 'print', dest: r.i64, bytes: x, most: int(1), stop: int(0) }, 'dest must be i32, but is i64'],
  [{ op: 'print', dest: r.i32, bytes: x, most: int(1, 'i8'), stop: int(0) }, 'most must be i32, but is i8'],
  [{ op: 'endprint', count: reg(r.i64) }, 'count must be i32, but is i64'],
  [convert({ width: reg(r.i8) }), 'width must be i32, but is i8'],
  [convert({ value: reg(r.f64) }), 'value must be i64, but is f64'],
  [{ op: 'mark', name: x, value: reg(r.i64) }, 'value must be i32, but is i64'],
  [{ op: 'endmark', value: reg(r.i64) }, 'value must be i32, but is i64'],
  [{ op: 'free', what: 'heap', address: reg(r.i64) }, 'address must be i32, but is i64'],
  [{ op: 'exit', status: reg(r.i64) }, 'status must be i32, but is i64'],
  [{ op: 'alloca', dest: r.i64, size: 4, align: 4 }, 'dest must be i32, but is i64'],
  [{ op: 'alloca', dest: r.i32, size: 0, align: 4 }, 'size must be a positive integer, but is 0'],
  [{ op: 'alloca', dest: r.i32, size: 1.5, align: 4 }, 'size must be a positive integer, but is 1.5'],
  [{ op: 'alloca', dest: r.i32, size: 4, align: 3 }, 'align must be a power of two, but is 3'],

  [{ op: 'call', callee: badOperand, arguments: [] }, 'callee must be i32, but is i16'],
  [
    { op: 'call', callee: { kind: 'function', index: 4 }, arguments: [] },
    'callee: function 4 does not exist (the program has 3)',
  ],
  [{ op: 'call', callee: twice, arguments: [yes] }, 'twice takes 2 arguments, not 1'],
  [{ op: 'call', callee: twice, arguments: [yes, yes] }, 'argument 1 must be i8, but is i1'],
  [
    { op: 'call', callee: reg(r.i32), arguments: [reg(8)] },
    'argument 0: register 8 does not exist (the function has 7)',
  ],
  [{ op: 'call', dest: r.i32, callee: nothing, arguments: [] }, 'nothing returns nothing, but its result is used'],
  [{ op: 'call', dest: r.i8, callee: twice, arguments: [yes, reg(r.i8)] }, 'dest must be i32, but is i8'],
  [{ op: 'call', dest: 8, callee: reg(r.i32), arguments: [] }, 'dest: register 8 does not exist (the function has 7)'],
  [{ op: 'assert', condition: int(1), message: '' }, 'condition must be i1, but is i32'],
  [{ op: 'assume', condition: int(1, 'i8') }, 'condition must be i1, but is i8'],

  [{ op: 'load', dest: r.i8, address: badOperand, order: 'plain' }, 'address must be i32, but is i16'],
  [{ op: 'load', dest: r.i1, address: x, order: 'plain' }, 'an i1 cannot be in memory; widen it to i8'],
  [load('release'), 'order must be one of plain, volatile, relaxed, acquire, seq_cst, but is release'],
  [load('acq_rel'), 'order must be one of plain, volatile, relaxed, acquire, seq_cst, but is acq_rel'],
  [{ op: 'store', address: badOperand, value: int(1), order: 'plain' }, 'address must be i32, but is i16'],
  [{ op: 'store', address: x, value: yes, order: 'plain' }, 'an i1 cannot be in memory; widen it to i8'],
  [store('acquire'), 'order must be one of plain, volatile, relaxed, release, seq_cst, but is acquire'],
  [store('acq_rel'), 'order must be one of plain, volatile, relaxed, release, seq_cst, but is acq_rel'],

  [rmw({ address: badOperand }), 'address must be i32, but is i16'],
  [rmw({ value: int(1) }), 'value is i32, but dest is i16'],
  [rmw({ dest: r.i1, value: yes }), 'an i1 cannot be in memory; widen it to i8'],
  [rmw({ dest: r.f32, value: reg(r.f32) }), 'atomic read-modify-write works on integers, not on f32'],
  [rmw({ order: 'plain' }), 'order must be one of relaxed, acquire, release, acq_rel, seq_cst, but is plain'],
  [rmw({ order: 'volatile' }), 'order must be one of relaxed, acquire, release, acq_rel, seq_cst, but is volatile'],
  [cmpxchg({ address: badOperand }), 'address must be i32, but is i16'],
  [cmpxchg({ expected: int(1) }), 'expected is i32, but dest is i64'],
  [cmpxchg({ desired: int(1) }), 'desired is i32, but dest is i64'],
  [cmpxchg({ dest: r.i1, expected: yes, desired: yes }), 'an i1 cannot be in memory; widen it to i8'],
  [
    cmpxchg({ dest: r.f64, expected: reg(r.f64), desired: reg(r.f64) }),
    'atomic read-modify-write works on integers, not on f64',
  ],
  [cmpxchg({ success: r.i8 }), 'success must be i1, but is i8'],
  [cmpxchg({ success: 7 }), 'success: register 7 does not exist (the function has 7)'],
  [cmpxchg({ order: 'plain' }), 'order must be one of relaxed, acquire, release, acq_rel, seq_cst, but is plain'],
  [cmpxchg({ order: 'volatile' }), 'order must be one of relaxed, acquire, release, acq_rel, seq_cst, but is volatile'],
  ...(['plain', 'volatile', 'release', 'acq_rel'] as const).map(
    (failureOrder) =>
      [
        cmpxchg({ failureOrder }),
        `failure order must be one of relaxed, acquire, seq_cst, but is ${failureOrder}`,
      ] as const,
  ),
  [
    { op: 'fence', order: 'relaxed' as 'acquire' },
    'order must be one of acquire, release, acq_rel, seq_cst, but is relaxed',
  ],

  [{ op: 'choose', dest: r.i32, count: 0 }, 'count must be between 1 and 2048, but is 0'],
  [{ op: 'choose', dest: r.i32, count: 2049 }, 'count must be between 1 and 2048, but is 2049'],
  [{ op: 'choose', dest: r.i32, count: 1.5 }, 'count must be between 1 and 2048, but is 1.5'],
  [{ op: 'choose', dest: r.f32, count: 2 }, 'dest must be an integer, but is f32'],
  [{ op: 'choose', dest: r.i8, count: 257 }, '257 choices do not fit i8'],
  [{ op: 'spawn', dest: r.i64, callee: nothing, arguments: [] }, 'dest must be i32, but is i64'],
  [{ op: 'spawn', dest: r.i32, callee: badOperand, arguments: [] }, 'callee must be i32, but is i16'],
  [{ op: 'spawn', dest: r.i32, callee: nothing, arguments: [x] }, 'nothing takes 0 arguments, not 1'],
  [{ op: 'spawn', dest: r.i32, callee: twice, arguments: [x, reg(r.i8)] }, 'argument 0 must be i1, but is i32'],
  [{ op: 'join', thread: badOperand }, 'thread must be i32, but is i16'],
  [{ op: 'join', dest: 7, thread: x }, 'dest: register 7 does not exist (the function has 7)'],
  [{ op: 'lock', mutex: badOperand }, 'mutex must be i32, but is i16'],
  [{ op: 'trylock', dest: r.i1, mutex: badOperand }, 'mutex must be i32, but is i16'],
  [{ op: 'trylock', dest: r.i32, mutex: x }, 'dest must be i1, but is i32'],
  [{ op: 'unlock', mutex: badOperand }, 'mutex must be i32, but is i16'],
  [{ op: 'wait', condition: badOperand, mutex: x }, 'condition must be i32, but is i16'],
  [{ op: 'wait', condition: x, mutex: badOperand }, 'mutex must be i32, but is i16'],
  [{ op: 'signal', condition: badOperand }, 'condition must be i32, but is i16'],
  [{ op: 'broadcast', condition: badOperand }, 'condition must be i32, but is i16'],

  [{ op: 'jump', target: 1 }, 'target: block 1 does not exist (the function has 1)'],
  [{ op: 'branch', condition: int(1), ifTrue: 0, ifFalse: 0 }, 'condition must be i1, but is i32'],
  [{ op: 'branch', condition: yes, ifTrue: 2, ifFalse: 0 }, 'true target: block 2 does not exist (the function has 1)'],
  [
    { op: 'branch', condition: yes, ifTrue: 0, ifFalse: 2 },
    'false target: block 2 does not exist (the function has 1)',
  ],
  [
    { op: 'switch', value: reg(r.f32), cases: [{ value: 1, target: 0 }], default: 0 },
    'switch works on integers, not on f32',
  ],
  [switch8([{ value: 1n, target: 0 }]), 'case 0: an i8 constant must be a number, but 1 is a bigint'],
  [switch8([{ value: 256, target: 0 }]), 'case 0: 256 does not fit i8'],
  [switch8([255, -1].map((value) => ({ value, target: 0 }))), 'case 1: -1 has a case already'],
  [switch8([{ value: 1, target: 1 }]), 'case 0: block 1 does not exist (the function has 1)'],
  [{ op: 'switch', value: yes, cases: [], default: 1 }, 'default: block 1 does not exist (the function has 1)'],
  [{ op: 'return', value: int(1) }, 'main returns nothing, but here a value'],
];

describe('an instruction is rejected', () => {
  it.each(badInstructions.map(([instruction, message]) => [instruction.op, message, instruction] as const))(
    '%s: %s',
    (op, message, instruction) => {
      const where = `function main, block entry, instruction 0 (${op})`;
      expect(validate(programOf([instruction]))).toEqual([{ where, message }]);
    },
  );
});

const fine = programOf([]);
const [main] = fine.functions as [Func, ...Func[]];
const withMain = (more: Partial<Func>): Program => ({ ...fine, functions: [{ ...main, ...more }, ...callees] });
const withGlobal = (more: Partial<Global>): Program => ({ ...fine, globals: [{ ...variable, ...more }] });
const withRoot = (index: number, args: readonly Operand[]): Program => ({
  ...fine,
  roots: [{ name: 'P0', function: index, arguments: args }],
});
const relocated = (offset: number, target: Operand = x) =>
  withGlobal({ relocations: [{ offset, target: target as Exclude<Operand, { kind: 'register' | 'constant' }> }] });

/** One argument for each register of `main`, and one too many. */
const eight: readonly Operand[] = [...TYPES, 'i32' as const].map((type) => int(0, type));

const badPrograms: readonly (readonly [where: string, message: string, Program])[] = [
  ['program test', 'there is no thread to start with', { ...fine, roots: [] }],
  ['thread P0', 'function: function 3 does not exist (the program has 3)', withRoot(3, [])],
  ['thread P0', 'twice takes 2 arguments, not 0', withRoot(2, [])],
  ['thread P0', 'argument 1 must be i8, but is i32', withRoot(2, [int(1, 'i1'), int(1)])],
  ['thread P0', 'argument 0: 2 does not fit i1', withRoot(2, [int(2, 'i1'), int(1, 'i8')])],
  ['thread P0', 'argument 0: a register has no value before the program starts', withRoot(2, [yes, int(1, 'i8')])],
  ['thread 0', 'nothing takes 0 arguments, not 1', { ...fine, roots: [{ name: '', function: 1, arguments: [x] }] }],

  ['global 0', 'the name is empty', withGlobal({ name: '' })],
  ['global x', 'number 0 and number 1 have the same name', { ...fine, globals: [variable, variable] }],
  ['global x', 'size must be a positive integer, but is 0', withGlobal({ size: 0 })],
  ['global x', 'size must be a positive integer, but is 2.5', withGlobal({ size: 2.5 })],
  ['global x', 'align must be a power of two, but is 0', withGlobal({ align: 0 })],
  ['global x', 'align must be a power of two, but is 6', withGlobal({ align: 6 })],
  ['global x', 'align must be a power of two, but is 0.5', withGlobal({ align: 0.5 })],
  ['global x', 'align must be a power of two, but is 4294967296', withGlobal({ align: 2 ** 32 })],
  ['global x', 'element must be a positive integer, but is 0', withGlobal({ element: 0 })],
  ['global x', 'element must be a positive integer, but is 1.5', withGlobal({ element: 1.5 })],
  ['global x', 'the initial value has 9 bytes, the global 8', withGlobal({ init: new Uint8Array(9) })],
  ['global x', 'relocation 0: bytes 5 to 8 are outside of the global', relocated(5)],
  ['global x', 'relocation 0: bytes -1 to 2 are outside of the global', relocated(-1)],
  ['global x', 'relocation 0: bytes 0.5 to 3.5 are outside of the global', relocated(0.5)],
  [
    'global x',
    'relocation 0: global 1 does not exist (the program has 1)',
    relocated(0, { kind: 'global', index: 1, offset: 0 }),
  ],
  [
    'global x',
    'relocation 0: function 3 does not exist (the program has 3)',
    relocated(0, { kind: 'function', index: 3 }),
  ],

  ['function 0', 'the name is empty', withMain({ name: '' })],
  ['function twice', 'number 0 and number 2 have the same name', withMain({ name: 'twice' })],
  [
    'function main',
    '8 parameters do not fit 7 registers',
    { ...withMain({ parameters: 8 }), roots: withRoot(0, eight).roots },
  ],
  [
    'function main',
    '-1 parameters do not fit 7 registers',
    { ...withMain({ parameters: -1 }), roots: withRoot(1, []).roots },
  ],
  ['function main', 'there is no block to start at', withMain({ blocks: [] })],
  [
    'function main, block loop',
    'the last instruction is not a terminator',
    withMain({ blocks: [{ name: 'loop', body: [] }] }),
  ],
  [
    'function main, block loop',
    'the last instruction is not a terminator',
    withMain({ blocks: [{ name: 'loop', body: [move32(x)] }] }),
  ],
  [
    'function main, block loop.1, instruction 1 (jump)',
    'a terminator must be the last instruction of its block',
    withMain({
      blocks: [
        { name: 'loop', body: [{ op: 'return' }] },
        { name: 'loop', body: [move32(x), { op: 'jump', target: 0 }, { op: 'return' }] },
      ],
    }),
  ],
  [
    'function main, block entry, instruction 0 (return)',
    'main must return a value of type i64',
    withMain({ result: 'i64' }),
  ],
  [
    'function main, block entry, instruction 0 (return)',
    'value must be i64, but is i32',
    programOf([{ op: 'return', value: int(1) }], { result: 'i64' }),
  ],
];

describe('a program is rejected', () => {
  it.each(badPrograms)('%s: %s', (where, message, program) => {
    expect(validate(program)).toEqual([{ where, message }]);
  });
});

describe('problems', () => {
  const location = { file: 'a.c', line: 3, column: 5 };

  it('carry the location of the instruction, or else of its function', () => {
    const program = programOf([{ op: 'jump', target: 9, location }]);
    expect(validate(program).map((p) => p.location)).toEqual([location]);
    const inFunction = withMain({ location, blocks: [{ name: 'entry', body: [{ op: 'jump', target: 9 }] }] });
    expect(validate(inFunction).map((p) => p.location)).toEqual([location]);
  });

  it('are all thrown by assertValid, and up to ten of them shown', () => {
    const bad: Instruction = { op: 'lock', mutex: yes, location };
    const error = thrownBy(() => assertValid(programOf(Array.from({ length: 12 }, () => bad))));
    expect(error).toBeInstanceOf(IllFormedProgram);
    expect((error as IllFormedProgram).problems).toHaveLength(12);
    const lines = (error as Error).message.split('\n');
    expect(lines).toHaveLength(12);
    expect(lines[0]).toBe('program test is ill-formed:');
    expect(lines[1]).toBe('  function main, block entry, instruction 0 (lock): mutex must be i32, but is i1 (a.c:3:5)');
    expect(lines[11]).toBe('  … and 2 more');
  });

  it('are shown without a remainder if they are few', () => {
    const error = thrownBy(() => assertValid(withMain({ blocks: [] })));
    expect((error as Error).message).toBe(
      'program test is ill-formed:\n  function main: there is no block to start at',
    );
  });

  it('do not cascade: the fault of an operand is not also a type mismatch', () => {
    const program = programOf([{ op: 'binary', operator: 'add', dest: r.i8, left: reg(99), right: int(1, 'i8') }]);
    expect(validate(program)).toHaveLength(1);
  });
});

function thrownBy(action: () => void): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  return undefined;
}
