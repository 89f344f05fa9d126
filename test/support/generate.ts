/**
 * Generates sketches for fast-check properties.
 *
 * A sketch is drawn as a list of slots, each holding an operation of some thread or nothing, rather than as a list of
 * threads: this controls the total size, and a counterexample shrinks by emptying one slot after the other, and by
 * moving operations to lower threads, while its other operations stay the same.
 */
import fc from 'fast-check';
import {
  cas,
  countOps,
  type FailureOrder,
  type FenceOrder,
  fence,
  ifLast,
  type LoadOrder,
  load,
  type Op,
  type RmwOrder,
  rmw,
  type Sketch,
  type StoreOrder,
  store,
  type Value,
} from './sketch.ts';

export interface SketchOptions {
  /** At most this many threads; those without an operation do not appear. */
  readonly threads?: number;
  /** At most this many accesses and fences per thread, including those of both branches. */
  readonly opsPerThread?: number;
  /** At most this many accesses and fences in total, including those of both branches. */
  readonly totalOps?: number;
  readonly locations?: number;
  readonly rmw?: boolean;
  readonly cas?: boolean;
  /** Fences of all orders: full fences, store–store barriers and those that order nothing. */
  readonly fences?: boolean;
  /** Accesses of all orders. Without: plain loads and stores, seq_cst read-modify-writes. */
  readonly orders?: boolean;
  readonly branches?: boolean;
}

interface Slot {
  /** Separate from `op`, so that omitting it is tried again after `op` itself has been simplified. */
  readonly used: boolean;
  readonly thread: number;
  readonly op: Op;
}

export function sketches(options: SketchOptions = {}): fc.Arbitrary<Sketch> {
  const { threads = 3, opsPerThread = 4, totalOps = 8 } = options;
  const slot = fc.record({
    used: fc.option(fc.constant(true), { freq: 8, nil: false }),
    thread: fc.nat(threads - 1),
    op: operations(options),
  });
  // Not an array: fast-check does not return to an element once it has shrunk a later one.
  return fc
    .tuple(...Array.from({ length: totalOps }, () => slot))
    .map((slots) => assemble(slots, opsPerThread, totalOps));
}

/** Omits whatever exceeds a limit. */
function assemble(slots: readonly Slot[], opsPerThread: number, totalOps: number): Sketch {
  const threads = new Map<number, Op[]>();
  let total = 0;
  for (const { used, thread, op } of slots) {
    const ops = threads.get(thread) ?? [];
    const size = countOps([op]);
    if (!used || total + size > totalOps || countOps(ops) + size > opsPerThread) continue;
    threads.set(thread, [...ops, op]);
    total += size;
  }
  return [...threads.keys()].sort((a, b) => a - b).map((thread) => threads.get(thread)!);
}

function operations(options: SketchOptions): fc.Arbitrary<Op> {
  const access = simpleOperations(options);
  if (options.branches !== true) return access;
  const branch = fc
    .tuple(
      // 0 first: the value most often read.
      fc.constantFrom(0, 1, 2),
      fc.array(access, { minLength: 1, maxLength: 2 }),
      fc.array(access, { maxLength: 1 }),
    )
    .map(([value, then, otherwise]) => ifLast(value, then, otherwise));
  return fc.oneof({ withCrossShrink: true }, { weight: 11, arbitrary: access }, { weight: 1, arbitrary: branch });
}

function simpleOperations(options: SketchOptions): fc.Arbitrary<Op> {
  const location = fc.nat((options.locations ?? 2) - 1);
  // At least half of the operations are plain: with many fences and orders, few sketches are relaxed.
  const choice: { weight: number; arbitrary: fc.Arbitrary<Op> }[] = [
    {
      weight: 7,
      arbitrary: fc
        .record({ location, order: from<LoadOrder>(options, 'plain', 'relaxed', 'acquire', 'seq_cst') })
        .map((op) => load(op.location, op.order)),
    },
    {
      weight: 7,
      arbitrary: fc
        .record({ location, value, order: from<StoreOrder>(options, 'plain', 'relaxed', 'release', 'seq_cst') })
        .map((op) => store(op.location, op.value, op.order)),
    },
  ];
  const rmwOrder = from<RmwOrder>(options, 'seq_cst', 'relaxed', 'acquire', 'release', 'acq_rel');
  if (options.rmw === true) {
    choice.push({
      weight: 2,
      arbitrary: fc
        .record({ operator: fc.constantFrom('xchg', 'add'), location, value, order: rmwOrder })
        .map((op) => rmw(op.operator, op.location, op.value, op.order)),
    });
  }
  if (options.cas === true) {
    choice.push({
      weight: 2,
      arbitrary: fc
        .record({
          location,
          expected,
          desired: value,
          order: rmwOrder,
          failureOrder: from<FailureOrder>(options, 'seq_cst', 'relaxed', 'acquire'),
        })
        .map((op) => cas(op.location, op.expected, op.desired, op.order, op.failureOrder)),
    });
  }
  if (options.fences === true) {
    choice.push({
      weight: 2,
      arbitrary: fc.constantFrom<FenceOrder>('seq_cst', 'release', 'acq_rel', 'acquire').map((order) => fence(order)),
    });
  }
  return fc.oneof({ withCrossShrink: true }, ...choice);
}

/** 1 is the simplest: a store of 0 is indistinguishable from the initial value. */
const value: fc.Arbitrary<Value> = fc.oneof(
  { withCrossShrink: true },
  { weight: 7, arbitrary: fc.constantFrom<Value>(1, 2, 0) },
  { weight: 1, arbitrary: fc.constant<Value>('last') },
);

const expected: fc.Arbitrary<Value> = fc.oneof(
  { withCrossShrink: true },
  { weight: 5, arbitrary: fc.constantFrom<Value>(0, 1, 2) },
  { weight: 1, arbitrary: fc.constant<Value>('last') },
);

/** Any of the orders, or only the first if orders are not requested; shrinks towards the first. */
function from<T>(options: SketchOptions, first: T, ...others: T[]): fc.Arbitrary<T> {
  return options.orders === true
    ? fc.oneof(
        { withCrossShrink: true },
        { weight: 1, arbitrary: fc.constant(first) },
        { weight: 1, arbitrary: fc.constantFrom(first, ...others) },
      )
    : fc.constant(first);
}
