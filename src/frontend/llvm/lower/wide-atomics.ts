/**
 * Atomic operations of 16 bytes. The machine's widest access has 8, so they are atomic sections around two accesses: the
 * section waits until the thread's stores have reached memory, no other thread takes a step or commits a store inside it,
 * and it ends once its own stores have reached memory. That is exactly a seq_cst operation under SC, TSO and PSO. Weaker
 * orders would wait for less, so they must not be made of this. RC11 has no atomic sections, and gives no answer.
 */
import { type FunctionBuilder, reg } from '../../../program/builder.ts';
import type { Operand } from '../../../program/ir.ts';

/** The lower 8 bytes and the upper ones. */
export type Halves = readonly [lower: Operand, upper: Operand];

/** A seq_cst compare-exchange at two addresses, 8 bytes each. */
export function compareExchange16(
  builder: FunctionBuilder,
  [lower, upper]: Halves,
  expected: Halves,
  desired: Halves,
): { readonly old: Halves; readonly success: Operand } {
  const [low, high] = [builder.register('', 'i64'), builder.register('', 'i64')];
  const [isLow, isHigh, success] = [builder.register('', 'i1'), builder.register('', 'i1'), builder.register('', 'i1')];
  const [store, end] = [builder.block(''), builder.block('')];
  builder.add({ op: 'beginatomic' });
  builder.load(low, lower, 'relaxed');
  builder.load(high, upper, 'relaxed');
  builder.compare('eq', isLow, low, expected[0]);
  builder.compare('eq', isHigh, high, expected[1]);
  builder.binary('and', success, isLow, isHigh);
  builder.branch(success, store, end);
  builder.startBlock(store);
  builder.store(lower, desired[0], 'relaxed');
  builder.store(upper, desired[1], 'relaxed');
  builder.jump(end);
  builder.startBlock(end);
  builder.add({ op: 'endatomic' });
  return { old: [reg(low), reg(high)], success: reg(success) };
}
