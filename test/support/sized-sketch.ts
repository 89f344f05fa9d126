/**
 * Small programs whose threads access the same eight bytes, and one more word, in pieces of different sizes: loads,
 * stores, exchanges, additions, compare-exchanges whose expected values can occur, and fences.
 */
import fc from 'fast-check';
import { constant, type FunctionBuilder, int, ProgramBuilder } from '../../src/program/builder.ts';
import type { AddressOperand, Program } from '../../src/program/ir.ts';
import { type FenceOrder, type Order, sizeOf, type Type } from '../../src/program/types.ts';

/** A piece of the eight bytes, or the other word. */
interface Piece {
  readonly type: Type;
  /** -1: the other word. */
  readonly offset: number;
}

type SizedOp =
  | { readonly op: 'load'; readonly piece: Piece; readonly order: Order }
  | { readonly op: 'store' | 'xchg' | 'add'; readonly piece: Piece; readonly value: bigint; readonly order: Order }
  | {
      readonly op: 'cas';
      readonly piece: Piece;
      readonly expected: bigint;
      /** Compare with what the thread last read from a piece of this size, if anything. */
      readonly carries: boolean;
      readonly value: bigint;
      readonly order: Order;
      readonly failure: Order;
    }
  | { readonly op: 'fence'; readonly order: FenceOrder };

export interface SizedSketch {
  readonly threads: readonly (readonly SizedOp[])[];
  toString(): string;
}

const PIECES: readonly Piece[] = [
  { type: 'i64', offset: 0 },
  { type: 'i64', offset: 0 },
  { type: 'i32', offset: 0 },
  { type: 'i32', offset: 0 },
  { type: 'i32', offset: 4 },
  { type: 'i32', offset: 4 },
  { type: 'i16', offset: 0 },
  { type: 'i16', offset: 2 },
  { type: 'i16', offset: 4 },
  { type: 'i16', offset: 6 },
  { type: 'i8', offset: 0 },
  { type: 'i8', offset: 5 },
  { type: 'i32', offset: -1 },
];

/** Values that differ in one byte or in several. */
const VALUES: readonly bigint[] = [0n, 1n, 2n, 0x100n, 0x1_0000_0000n, 0x1_0000_0001n, 0x2_0000n, 0x2_0000_0000_0001n];

const piece = fc.constantFrom(...PIECES);
const value = fc.constantFrom(...VALUES);
const rmwOrder = fc.constantFrom<Order>('seq_cst', 'relaxed', 'acquire', 'release', 'acq_rel');

const operation: fc.Arbitrary<SizedOp> = fc.oneof(
  { withCrossShrink: true },
  {
    weight: 4,
    arbitrary: fc
      .record({ piece, order: fc.constantFrom<Order>('plain', 'relaxed', 'acquire', 'seq_cst') })
      .map((o) => ({ op: 'load' as const, ...o })),
  },
  {
    weight: 4,
    arbitrary: fc
      .record({ piece, value, order: fc.constantFrom<Order>('plain', 'relaxed', 'release', 'seq_cst') })
      .map((o) => ({ op: 'store' as const, ...o })),
  },
  {
    weight: 2,
    arbitrary: fc.record({ op: fc.constantFrom('xchg' as const, 'add' as const), piece, value, order: rmwOrder }),
  },
  {
    weight: 4,
    arbitrary: fc
      .record({
        piece,
        expected: fc.oneof(fc.constant(0n), value),
        carries: fc.option(fc.constant(true), { freq: 1, nil: false }),
        value,
        order: rmwOrder,
        failure: fc.constantFrom<Order>('seq_cst', 'relaxed', 'acquire'),
      })
      .map((o) => ({ op: 'cas' as const, ...o })),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom<FenceOrder>('seq_cst', 'release', 'acq_rel', 'acquire')
      .map((order) => ({ op: 'fence' as const, order })),
  },
);

export function sizedSketches(threads: number, operations: number): fc.Arbitrary<SizedSketch> {
  const slot = fc.record({
    used: fc.option(fc.constant(true), { freq: 9, nil: false }),
    thread: fc.nat(threads - 1),
    op: operation,
  });
  return fc.tuple(...Array.from({ length: operations }, () => slot)).map((slots) => {
    const lists: SizedOp[][] = Array.from({ length: threads }, () => []);
    for (const { used, thread, op } of slots) if (used) lists[thread]!.push(op);
    const kept = lists.filter((list) => list.length > 0);
    return { threads: kept.length > 0 ? kept : [[]], toString: () => print(kept) };
  });
}

export function buildSizedProgram(sketch: SizedSketch): Program {
  const program = new ProgramBuilder('sized');
  const bytes = program.global('u', 'i64');
  const other = program.global('y', 'i32');
  sketch.threads.forEach((ops, thread) => {
    const func = program.function(`P${thread}`);
    /** What was read last, by type. */
    const last = new Map<Type, number>();
    for (const op of ops) add(func, op, bytes, other, last);
    func.return();
    program.root(`P${thread}`, func);
  });
  return program.build();
}

function add(
  func: FunctionBuilder,
  op: SizedOp,
  bytes: AddressOperand,
  other: AddressOperand,
  last: Map<Type, number>,
): void {
  if (op.op === 'fence') return func.fence(op.order);
  const { type, offset } = op.piece;
  const address = offset < 0 ? other : { ...bytes, offset };
  const literal = (n: bigint) => {
    const bits = sizeOf(type) * 8;
    const wrapped = BigInt.asIntN(bits, n);
    return type === 'i64' ? constant(type, wrapped) : int(Number(wrapped), type);
  };
  if (op.op === 'store') return func.store(address, literal(op.value), op.order);
  const carried = last.get(type);
  const dest = func.register(`r${last.size}`, type);
  if (op.op === 'load') func.load(dest, address, op.order);
  else if (op.op === 'cas') {
    const expected = op.carries && carried !== undefined ? carried : literal(op.expected);
    func.cmpxchg(dest, undefined, address, expected, literal(op.value), op.order, op.failure);
  } else func.rmw(op.op, dest, address, literal(op.value), op.order);
  last.set(type, dest);
}

function print(threads: readonly (readonly SizedOp[])[]): string {
  const where = ({ type, offset }: Piece): string => (offset < 0 ? 'y' : `u+${offset}:${type}`);
  const text = (op: SizedOp): string => {
    if (op.op === 'fence') return `fence ${op.order}`;
    if (op.op === 'load') return `load ${where(op.piece)} ${op.order}`;
    const value = `0x${op.value.toString(16)}`;
    if (op.op !== 'cas') return `${op.op} ${where(op.piece)}, ${value} ${op.order}`;
    const expected = op.carries ? 'last' : `0x${op.expected.toString(16)}`;
    return `cas ${where(op.piece)}, ${expected} -> ${value} ${op.order} ${op.failure}`;
  };
  return `\n${threads.map((ops, t) => `P${t}: ${ops.map(text).join('; ')}`).join('\n')}\n`;
}
