/**
 * Atomic operations of 16 bytes. The machine's widest access has 8 bytes, so they are atomic sections around two
 * accesses. Such a section waits until the thread's stores have reached memory, no other thread takes a step or commits
 * a store inside it, and it ends once its own stores have reached memory. Under SC, TSO and PSO, that is exactly a
 * seq_cst operation. Weaker orders would wait for less, so they must not use this; nor must loads, which are not
 * fences. RC11 gives no answer: a section would order more than the access does.
 */
import { constant, type FunctionBuilder, reg } from '../../../program/builder.ts';
import type { Operand } from '../../../program/ir.ts';
import type { Halves } from './wide-integers.ts';

/** The addresses of the lower and of the upper 8 bytes. */
export type Places = readonly [lower: Operand, upper: Operand];

function begin(builder: FunctionBuilder): void {
  builder.add({ op: 'beginatomic', isAccess: true });
}

function loadHalves(builder: FunctionBuilder, [lower, upper]: Places): Halves {
  const [low, high] = [builder.register('', 'i64'), builder.register('', 'i64')];
  builder.load(low, lower, 'relaxed');
  builder.load(high, upper, 'relaxed');
  return [reg(low), reg(high)];
}

function storeHalves(builder: FunctionBuilder, [lower, upper]: Places, [low, high]: Halves): void {
  builder.store(lower, low, 'relaxed');
  builder.store(upper, high, 'relaxed');
}

export function store16(builder: FunctionBuilder, places: Places, value: Halves): void {
  begin(builder);
  storeHalves(builder, places, value);
  builder.add({ op: 'endatomic' });
}

/** Stores the result of `change` for the old value; returns the old value. */
export function modify16(builder: FunctionBuilder, places: Places, change: (old: Halves) => Halves): Halves {
  begin(builder);
  const old = loadHalves(builder, places);
  storeHalves(builder, places, change(old));
  builder.add({ op: 'endatomic' });
  return old;
}

export function compareExchange16(
  builder: FunctionBuilder,
  places: Places,
  expected: Halves,
  desired: Halves,
): { readonly old: Halves; readonly success: Operand } {
  const [difference, other] = [builder.register('', 'i64'), builder.register('', 'i64')];
  const success = builder.register('', 'i1');
  const [store, end] = [builder.block(''), builder.block('')];
  begin(builder);
  const old = loadHalves(builder, places);
  builder.binary('differ', difference, old[0], expected[0]);
  builder.binary('differ', other, old[1], expected[1]);
  builder.binary('or', difference, difference, other);
  builder.compare('eq', success, difference, constant('i64', 0n));
  builder.branch(success, store, end);
  builder.startBlock(store);
  storeHalves(builder, places, desired);
  builder.jump(end);
  builder.startBlock(end);
  builder.add({ op: 'endatomic' });
  return { old, success: reg(success) };
}
